"""JSON: an array of objects, one object, or an object of the columns `predictions`
and `references`.
"""

import json
import re
from collections.abc import Iterator, Mapping

from rouge_cli.errors import RougeError, not_json
from rouge_cli.io import files
from rouge_cli.tasks.columns import ROLE, InputRow, unique
from rouge_cli.tasks.kinds.jsonl import as_record

SUFFIXES = (".json",)
START = b"["
# The arguments of Hugging Face's evaluate. An object with these two lists is a table of
# columns.
_BATCH = ("predictions", "references")


def rows(path: str, encoding: str | None) -> Iterator[InputRow]:
    """Yield the objects of an array, each with the line where it begins."""
    text = files.text(path, ROLE, encoding).decode()
    try:
        json.loads(text, object_pairs_hook=unique)
    except (ValueError, RecursionError) as error:
        remedy = (
            "if each line is an object, this is jsonl"
            if "Extra data" in str(error)
            else ""
        )
        raise not_json(error, files.place(path), remedy) from None
    decoder = json.JSONDecoder()
    blank = re.compile(r"[ \t\n\r,]*")
    place = len(text) - len(text.lstrip())
    in_array = text[place] == "["
    place += in_array
    line, counted, number = 1, 0, 0
    # The whole text has been parsed as a check, so stepping from value to value is
    # safe.
    while (place := blank.match(text, place).end()) < len(text) and text[place] != "]":  # type: ignore[union-attr]
        line, counted, number = (
            line + text.count("\n", counted, place),
            place,
            number + 1,
        )
        value, place = decoder.raw_decode(text, place)
        where = f"{files.place(path)}:{line}"
        is_table = isinstance(value, dict) and all(
            isinstance(value.get(name), list) for name in _BATCH
        )
        if is_table and not in_array:
            yield from _batch(value, line, where)
        else:
            yield InputRow(number, line, as_record(value, where))


def _batch(record: Mapping[str, object], line: int, where: str) -> Iterator[InputRow]:
    """Yield the records of an object of columns; a list of another length belongs to
    every record.
    """
    columns = {name: value for name, value in record.items() if isinstance(value, list)}
    size, references = (len(columns[name]) for name in _BATCH)
    if size != references:
        what = f"{size} predictions, but {references} references"
        remedy = "give each prediction a reference, or a list of references"
        yield InputRow(1, line, RougeError(what, where=where, remedy=remedy))
        return
    columns = {name: values for name, values in columns.items() if len(values) == size}
    for number, values in enumerate(zip(*columns.values(), strict=True), 1):
        yield InputRow(
            number, line, {**record, **dict(zip(columns, values, strict=True))}
        )
