"""The rows of files of records, each with its line. What they mean: `records`.

What is wrong with one row comes in its place, so that a caller can go on to the next.
"""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from rouge_cli import files
from rouge_cli.errors import RougeError, UnreadableFile

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

DELIMITERS = {"csv": ",", "tsv": "\t"}
_ROLE = "file of records"
# The arguments of Hugging Face's evaluate; a json file that is an object of these two lists holds columns.
_BATCH = ("predictions", "references")


class Row(NamedTuple):
    """A record, or what is wrong with it; number: its line, or in json and parquet its place."""

    number: int
    line: int
    record: Mapping[str, Any] | RougeError


class JsonLine(NamedTuple):
    """A line of jsonl; it is parsed each time that its record is asked for."""

    number: int
    text: bytes
    place: str

    @property
    def line(self) -> int:
        """Its line."""
        return self.number

    @property
    def record(self) -> Mapping[str, Any] | RougeError:
        """The record, or what is wrong with it."""
        where = f"{self.place}:{self.number}"
        try:
            return _object(_parse(self.text), where)
        except json.JSONDecodeError as error:
            return RougeError(
                f"not JSON: {error.msg}", where=f"{where}:{error.colno}", remedy="a line is an object"
            )
        except (ValueError, RecursionError) as error:  # a number of too many digits, or too many brackets
            return RougeError(f"not JSON that can be read: {error}", where=where)


def read(path: str, kind: str, encoding: str | None) -> Iterator[Row]:
    """The rows of a file, one at a time; json is read whole.

    Raises RougeError for a file that cannot be read as its kind at all.
    """
    if kind in DELIMITERS:
        return _table(path, DELIMITERS[kind], encoding)
    if kind == "parquet":
        return _parquet(path)
    if kind == "json":
        return _array(path, encoding)
    return (Row(line.number, line.number, line.record) for line in json_lines(path, encoding))


def _parquet(path: str) -> Iterator[Row]:
    """The rows of a parquet file, read batch by batch."""
    try:
        from pyarrow import ArrowException
        from pyarrow.parquet import ParquetFile
    except ImportError:
        raise RougeError(
            "reading parquet needs the library pyarrow",
            where=path,
            remedy="pip install 'rouge-cli[parquet]'",
        ) from None
    number = 0
    try:
        with open(path, "rb") as file:
            parquet = ParquetFile(file)
            header(parquet.schema_arrow.names, path)
            for batch in parquet.iter_batches():
                for record in batch.to_pylist():
                    number += 1
                    yield Row(number, number, record)
    except OSError as reason:
        raise UnreadableFile(path, reason, role=_ROLE) from None
    except (ArrowException, ValueError, OverflowError) as reason:  # a ValueError: text that is not UTF-8
        raise RougeError(f"no parquet that can be read: {reason}", where=path) from None


def json_lines(path: str, encoding: str | None) -> Iterator[JsonLine]:
    """The lines of a jsonl file that are not blank."""
    place = files.place(path)
    for number, line in files.lines(path, _ROLE, encoding):
        if line and not line.isspace():
            yield JsonLine(number, line, place)


def _array(path: str, encoding: str | None) -> Iterator[Row]:
    """The objects of an array, each with the line where it begins."""
    text = files.text(path, _ROLE, encoding).decode()
    try:
        json.loads(text, object_pairs_hook=_unique)
    except json.JSONDecodeError as error:
        where = f"{files.place(path)}:{error.lineno}:{error.colno}"
        remedy = "if each line is an object, this is jsonl" if error.msg == "Extra data" else ""
        raise RougeError(f"not JSON: {error.msg}", where=where, remedy=remedy) from None
    except (ValueError, RecursionError) as error:
        raise RougeError(f"not JSON that can be read: {error}", where=files.place(path)) from None
    decoder = json.JSONDecoder()
    blank = re.compile(r"[ \t\n\r,]*")
    place = len(text) - len(text.lstrip())
    in_array = text[place] == "["
    place += in_array
    line, counted, number = 1, 0, 0
    # The whole is known to be well-formed, so that walking from value to value is enough.
    while (place := blank.match(text, place).end()) < len(text) and text[place] != "]":  # type: ignore[union-attr]
        line, counted, number = line + text.count("\n", counted, place), place, number + 1
        value, place = decoder.raw_decode(text, place)
        where = f"{files.place(path)}:{line}"
        if (
            not in_array
            and isinstance(value, dict)
            and all(isinstance(value.get(name), list) for name in _BATCH)
        ):
            yield from _batch(value, line, where)
        else:
            yield Row(number, line, _object(value, where))


def _batch(record: Mapping[str, Any], line: int, where: str) -> Iterator[Row]:
    """The records of an object of columns; what is not as long as the predictions holds for all of them."""
    sizes = [len(record[name]) for name in _BATCH]
    if sizes[0] != sizes[1]:
        wrong = RougeError(
            f"{sizes[0]} predictions, but {sizes[1]} references",
            where=where,
            remedy="each prediction has a reference, or a list of references",
        )
        yield Row(1, line, wrong)
        return
    columns = {name for name, value in record.items() if isinstance(value, list) and len(value) == sizes[0]}
    for place in range(sizes[0]):
        row = {name: value[place] if name in columns else value for name, value in record.items()}
        yield Row(place + 1, line, row)


def _parse(line: bytes) -> object:
    """Parse a line of JSON; most are objects in UTF-8, which need no decoder of their own and no guess."""
    if line[:1] == b"{" and line[1:2] != b"\0":
        text = line.decode()
        value, end = _DECODER.raw_decode(text)
        return value if end == len(text) else _DECODER.decode(text)
    return json.loads(line, object_pairs_hook=_unique)


def _object(value: object, where: str) -> Mapping[str, Any] | RougeError:
    if isinstance(value, dict):
        return value
    return RougeError(
        f"{described(value)} where a record is due", where=where, remedy="a record is an object"
    )


def _table(path: str, delimiter: str, encoding: str | None) -> Iterator[Row]:
    """The rows below the line of names; a row may go over several lines, inside quotes."""
    csv.field_size_limit((1 << 31) - 1)
    texts = (line.decode() for _, line in files.lines(path, _ROLE, encoding, ends=True))
    reader = csv.reader(texts, delimiter=delimiter, strict=True)
    names: list[str] = []
    line = 1
    try:
        for cells in reader:
            where = f"{files.place(path)}:{line}"
            if cells and not names:
                names = header(cells, where)
            elif cells:
                record: Mapping[str, Any] | RougeError = dict(zip(names, cells, strict=False))
                if len(cells) != len(names):
                    record = RougeError(
                        _size(len(cells), len(names)), where=where, remedy="quote what holds a delimiter"
                    )
                yield Row(line, line, record)
            line = reader.line_num + 1
    except csv.Error as error:
        wrong = RougeError(
            f"not a table ({error})",
            where=f"{files.place(path)}:{line}",
            remedy='inside quotes write " as ""',
        )
        yield Row(line, line, wrong)


def header(names: list[str], where: str) -> list[str]:
    """Return the names of columns; raises RougeError if some have the same."""
    twice = (
        [name for name, times in Counter(names).items() if times > 1] if len({*names}) < len(names) else []
    )
    if twice:
        shown = ", ".join(map(repr, twice[:10]))
        raise RougeError(f"columns of the same name: {shown}", where=where, remedy="rename them")
    return names


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object of these pairs; raises ValueError for a name that comes twice."""
    record = dict(pairs)
    if len(record) < len(pairs):
        name = next(name for name, times in Counter(name for name, _ in pairs).items() if times > 1)
        raise ValueError(f"the name {name!r:.40} comes twice in an object")
    return record


_DECODER = json.JSONDecoder(object_pairs_hook=_unique)


def _size(cells: int, names: int) -> str:
    return f"{cells} cell{'' if cells == 1 else 's'} under {names} column{'' if names == 1 else 's'}"


def described(value: object) -> str:
    """A JSON value as a message names it."""
    kinds = {
        bool: "a truth value",
        int: "a number",
        float: "a number",
        list: "a list",
        dict: "an object",
        str: "a string",
    }
    said = json.dumps(value, default=str)
    shown = said if len(said) <= 40 else f"{said[:37]}..."
    return shown if value is None else f"{kinds.get(type(value), type(value).__name__)} ({shown})"
