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
    is_first = True
    for first, block in blocks:
        for number, line in enumerate(block.split(b"\n"), first):
            if line and not line.isspace():
                if is_first and _begins_array(line):
                    yield InputRow(number, number, _array(f"{place}:{number}"))
                    return
                is_first = False
                yield InputRow(
                    number,
                    number,
                    _record(line.removesuffix(b"\r"), f"{place}:{number}"),
                )


def _begins_array(line: bytes) -> bool:
    """Return True if the first line begins a JSON array of records, which goes on in
    further lines or not; an array of texts is none.
    """
    start = line.lstrip()
    return start[:1] == b"[" and start[1:].lstrip()[:1] in {b"", b"{"}


def _array(where: str) -> RougeError:
    return RougeError(
        "a JSON array, not a record in each line",
        where=where,
        remedy="read it as one document: --input json",
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
