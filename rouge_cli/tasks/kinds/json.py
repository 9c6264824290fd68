"""JSON: an array of objects, one object, or an object of the columns `predictions`
and `references`.

The array may lie deeper in objects, and may be an object of records by ID (`nesting`).
"""

import json
from collections.abc import Iterator, Mapping, Sequence

from rouge_cli.errors import RougeError, not_json
from rouge_cli.io import files
from rouge_cli.tasks import nesting
from rouge_cli.tasks.columns import ROLE, InputRow, is_common, unique
from rouge_cli.tasks.kinds.jsonl import as_record

SUFFIXES = (".json",)
START = b"["
OPTIONS = ("records",)
# The arguments of Hugging Face's evaluate. An object with these two lists is a table of
# columns.
_BATCH = ("predictions", "references")


def rows(
    path: str, encoding: str | None, records: Sequence[str] = ()
) -> Iterator[InputRow]:
    """Yield the records, each with the line where it begins.

    Args:
        records: The dotted path of the records in the document, or several, of which
            the first that exists is taken; by default records are searched for.
    """
    place = files.place(path)
    text = files.text(path, ROLE, encoding).decode()
    try:
        document = json.loads(text, object_pairs_hook=unique)
    except (ValueError, RecursionError) as error:
        remedy = (
            "if each line is an object, this is jsonl (--input jsonl)"
            if "Extra data" in str(error)
            else ""
        )
        raise not_json(error, place, remedy) from None
    steps = nesting.find(document, records, place)
    value = nesting.follow(document, steps, place)
    offset = nesting.offset_of(text, steps)
    if isinstance(value, list) or nesting.is_by_id(value):
        line, counted = 1, 0
        members = nesting.members(text, offset)
        for number, (name, start, member) in enumerate(members, 1):
            line += text.count("\n", counted, start)
            counted = start
            record = as_record(member, f"{place}:{line}")
            if name is not None and isinstance(record, Mapping):
                record = _with_id(name, record)
            yield InputRow(number, line, record)
        return
    line = 1 + text.count("\n", 0, offset)
    where = f"{place}:{line}"
    if isinstance(value, dict) and nesting.is_by_column(value):
        for number, row in enumerate(next(iter(value.values())), 1):
            record = {name: column[row] for name, column in value.items()}
            yield InputRow(number, line, record)
    elif isinstance(value, dict) and all(
        isinstance(value.get(name), list) for name in _BATCH
    ):
        yield from _batch(value, line, where)
    else:
        yield InputRow(1, line, as_record(value, where))


def _with_id(name: str, record: Mapping[str, object]) -> Mapping[str, object]:
    """Add the name of a record in its object as its ID, unless it has an ID."""
    if any(is_common(column, ["ids"]) for column in record):
        return record
    return {"id": name, **record}


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
