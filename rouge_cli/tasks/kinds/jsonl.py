"""JSON lines: an object on each line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from rouge_cli.errors import RougeError
from rouge_cli.io import files
from rouge_cli.tasks.columns import ROLE, describe, unique

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

SUFFIXES = (".jsonl", ".ndjson")
START = b"{"


class JsonLine(NamedTuple):
    """A line of jsonl. It is parsed whenever its record is accessed, so that records take no memory."""

    number: int
    text: bytes
    place: str

    @property
    def line(self) -> int:
        """Return the number of the line."""
        return self.number

    @property
    def record(self) -> Mapping[str, object] | RougeError:
        """Return the record, or its error."""
        where = f"{self.place}:{self.number}"
        try:
            return as_record(_parse(self.text), where)
        except json.JSONDecodeError as error:
            return RougeError(
                f"not JSON: {error.msg}",
                where=f"{where}:{error.colno}",
                remedy="write an object in each line",
            )
        except (ValueError, RecursionError) as error:  # a number of too many digits, or too many brackets
            return RougeError(f"cannot read as JSON: {error}", where=where)


def rows(path: str, encoding: str | None) -> Iterator[JsonLine]:
    """Yield the lines of a jsonl file that are not blank."""
    return lines(files.blocks(path, ROLE, encoding), files.place(path))


def lines(blocks: Iterable[tuple[int, bytes]], place: str) -> Iterator[JsonLine]:
    """Yield the lines that are not blank; a block is (number of its first line, lines)."""
    for first, block in blocks:
        for number, line in enumerate(block.split(b"\n"), first):
            if line and not line.isspace():
                yield JsonLine(number, line.removesuffix(b"\r"), place)


def _parse(line: bytes) -> object:
    """Parse a line of JSON; faster than json.loads for objects in UTF-8."""
    if line[:1] == b"{" and line[1:2] != b"\0":
        text = line.decode()
        value, end = _DECODER.raw_decode(text)
        return value if end == len(text) else _DECODER.decode(text)
    return json.loads(line, object_pairs_hook=unique)


def as_record(value: object, where: str) -> Mapping[str, object] | RougeError:
    """Return the value if it is a record, else an error."""
    if isinstance(value, dict):
        return value
    return RougeError(f"{describe(value)}, not a record", where=where, remedy="write a JSON object")


_DECODER = json.JSONDecoder(object_pairs_hook=unique)
