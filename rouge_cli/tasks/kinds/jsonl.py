"""JSON lines: an object on each line."""

import json
from collections.abc import Iterable, Iterator, Mapping

from rouge_cli.errors import RougeError, not_json
from rouge_cli.io import files
from rouge_cli.tasks.columns import ROLE, InputRow, describe, unique

SUFFIXES = (".jsonl", ".ndjson")
START = b"{"
_DECODER = json.JSONDecoder(object_pairs_hook=unique)


def rows(path: str, encoding: str | None) -> Iterator[InputRow]:
    """Yield the records of a jsonl file."""
    return parse(files.blocks(path, ROLE, encoding), files.place(path))


def parse(blocks: Iterable[tuple[int, bytes]], place: str) -> Iterator[InputRow]:
    """Yield the records of the lines that are not blank; a block is (number of its
    first line, lines).
    """
    for first, block in blocks:
        for number, line in enumerate(block.split(b"\n"), first):
            if line and not line.isspace():
                yield InputRow(
                    number,
                    number,
                    _record(line.removesuffix(b"\r"), f"{place}:{number}"),
                )


def _record(line: bytes, where: str) -> Mapping[str, object] | RougeError:
    try:
        # Faster than json.loads, for objects in UTF-8
        if line[:1] == b"{" and line[1:2] != b"\0":
            text = line.decode()
            value, end = _DECODER.raw_decode(text)
            return as_record(
                value if end == len(text) else _DECODER.decode(text), where
            )
        return as_record(json.loads(line, object_pairs_hook=unique), where)
    except (ValueError, RecursionError) as error:
        return not_json(error, where, "write an object in each line", is_line=True)


class BareValue(RougeError):
    """The error of a JSON value that is not a record; where records are texts of one
    side, a string or a list is a text.
    """

    def __init__(self, value: object, where: str) -> None:
        super().__init__(
            f"{describe(value)}, not a record",
            where=where,
            remedy="write a JSON object",
        )
        self.value = value


def as_record(value: object, where: str) -> Mapping[str, object] | RougeError:
    """Return the value if it is a record, else an error."""
    return value if isinstance(value, dict) else BareValue(value, where)
