"""The records of a JSON document that is not an array of objects.

    {"results": {"results": [{"prediction": ...}, ...]}}      deeper in objects
    {"doc1": {"prediction": ...}, "doc2": {...}}              by ID
    {"prediction": {"0": ..., "1": ...}, "id": {...}}       by column, as pandas does

Objects are searched, arrays are not. An object with a common name of texts is one
record, whatever else is in it.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from rouge_cli.errors import RougeError, UsageError
from rouge_cli.tasks.columns import TEXT_ROLES, is_common, list_names

ID, TEXT = "id", "text"  # the columns of records that are made of bare texts
TOP = "."  # the path of the whole document
_DEEPEST = 6  # levels of objects that are searched
_BETWEEN = re.compile(r"[ \t\n\r,:]*")
_DECODER = json.JSONDecoder()


def is_text(value: object) -> bool:
    """Return True for a string, and for a list of strings."""
    if isinstance(value, list):
        return bool(value) and all(isinstance(item, str) for item in value)
    return isinstance(value, str)


def has_texts(record: Mapping[str, object]) -> bool:
    """Return True if a column with a common name of texts contains a text or a list."""
    return any(
        isinstance(value, str | list) and is_common(name, TEXT_ROLES)
        for name, value in record.items()
    )


def is_by_id(value: object) -> bool:
    """Return True for an object of records, whose names are IDs."""
    if not isinstance(value, dict) or not value:
        return False
    are_records = all(
        isinstance(inner, dict) and any(map(is_text, inner.values()))
        for inner in value.values()
    )
    return are_records and not is_by_column(value)


def is_by_column(value: object) -> bool:
    """Return True for an object of columns, each of which is an object of the same
    row names.
    """
    if not isinstance(value, dict) or not any(is_common(name) for name in value):
        return False
    columns = list(value.values())
    if not isinstance(columns[0], dict) or not columns[0]:
        return False
    rows = columns[0].keys()
    if any(is_common(name) for name in rows):
        return False
    return all(isinstance(column, dict) and column.keys() == rows for column in columns)


class NothingInside(UsageError):
    """The error of --records for an array, which has no names."""


def find(document: object, paths: Sequence[str], place: str) -> list[str]:
    """Return the names that lead to the records; an empty list for the document
    itself.

    Args:
        paths: The values of --records, of which the first that exists is taken; none to
            search.
        place: The file, for messages.

    Raises:
        NothingInside: If the document with a path is an array.
        UsageError: If no path exists.
        RougeError: If there are several lists of records.
    """
    if paths and isinstance(document, list):
        what = f"--records {paths[0]}, but the file is an array"
        raise NothingInside(what, where=place, remedy="leave it out")
    for path in paths:
        steps = [] if path == TOP else path.split(".")
        with suppress(UsageError):
            follow(document, steps, place)
            return steps
    if paths:
        follow(document, paths[-1].split("."), place)  # raises its error
    if not isinstance(document, dict) or has_texts(document) or is_by_column(document):
        return []
    candidates = list(_candidates(document, ()))
    if len(candidates) > 1:
        clear = [
            steps
            for steps in candidates
            if has_texts(_first(follow(document, steps, place)))
        ]
        candidates = clear or candidates
    if len(candidates) > 1:
        paths = [".".join(steps) for steps in candidates]
        what = f"{len(paths)} lists of records: {list_names(paths)}"
        raise RougeError(what, where=place, remedy=f"choose one: --records {paths[0]}")
    return list(candidates[0]) if candidates else []


def follow(document: object, steps: Sequence[str], place: str) -> object:
    """Return the value at a path; raise UsageError if there is none."""
    value = document
    for number, step in enumerate(steps):
        if not isinstance(value, dict) or step not in value:
            above = ".".join(steps[:number]) or "the file"
            names = list_names(list(value)) if isinstance(value, dict) else "no names"
            raise UsageError(
                f"--records: no {step!r} in {above}; there are {names}", where=place
            )
        value = value[step]
    return value


def members(text: str, offset: int) -> Iterator[tuple[str | None, int, object]]:
    """Yield the members of the array or object at an offset of valid JSON: name, offset
    of the value, value.
    """
    is_object = text[offset] == "{"
    offset = _skip(text, offset + 1)
    while text[offset] not in "]}":
        name = None
        if is_object:
            name, offset = _DECODER.raw_decode(text, offset)
            offset = _skip(text, offset)
        value, end = _DECODER.raw_decode(text, offset)
        yield name, offset, value
        offset = _skip(text, end)


def offset_of(text: str, steps: Sequence[str]) -> int:
    """Return the offset of the value at a path that exists."""
    offset = _skip(text, 0)
    for step in steps:
        inner = members(text, offset)
        # The last of equal names counts, but a valid document has none.
        offset = next(start for name, start, _ in inner if name == step)
    return offset


def records_of_texts(
    record: Mapping[str, object], column: str
) -> list[Mapping[str, object]] | None:
    """Return the records of an object that is a column of texts, perhaps with columns
    of as many values, or whose names are the IDs of its texts; None for other objects.

    Args:
        record: The object.
        column: The name of a column of texts.
    """
    texts = record.get(column)
    if isinstance(texts, list):
        others = {
            name: values
            for name, values in record.items()
            if isinstance(values, list) and len(values) == len(texts)
        }
        records: list[Mapping[str, object]] = []
        for index in range(len(texts)):
            records.append({name: values[index] for name, values in others.items()})
        return records
    if any(map(is_common, record)) or not all(map(is_text, record.values())):
        return None
    return [{ID: name, TEXT: text} for name, text in record.items()]


def text_paths(value: object, name: str) -> list[str]:
    """Return the dotted names of the strings inside a value of a column."""
    if isinstance(value, str):
        return [name]
    inner: list[tuple[str, object]] = []
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list) and value and isinstance(value[-1], dict):
        inner = [("-1", value[-1])]
    paths = []
    for step, item in inner:
        paths += text_paths(item, f"{name}.{step}")
    return paths


def has_records(value: object) -> bool:
    """Return True if records are inside a value."""
    return any(True for _ in _candidates(value, ()))


def _candidates(value: object, steps: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    if _is_list(value) or is_by_id(value) or is_by_column(value):
        yield steps
    elif isinstance(value, dict) and len(steps) < _DEEPEST:
        for name, inner in value.items():
            yield from _candidates(inner, (*steps, name))


def _is_list(value: object) -> bool:
    """Return True for a list of records."""
    if not isinstance(value, list):
        return False
    return bool(value) and all(isinstance(item, dict) for item in value)


def _first(value: object) -> Mapping[str, object]:
    """Return the first record of a list or of an object by ID; of an object by column,
    the object.
    """
    if isinstance(value, list):
        value = value[0]
    elif isinstance(value, dict) and not is_by_column(value):
        value = next(iter(value.values()))
    return value if isinstance(value, dict) else {}


def _skip(text: str, offset: int) -> int:
    match = _BETWEEN.match(text, offset)
    return match.end() if match else offset
