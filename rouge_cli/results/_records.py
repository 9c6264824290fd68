"""Common parts of the machine formats (json, jsonl, csv, tsv): unrounded numbers, signed rows."""

from __future__ import annotations

import json
from math import isfinite
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

Record = dict[str, Any]


def number(value: float) -> float | None:
    """Return the number for machines: exact whole numbers without a point; None if not finite."""
    if not isfinite(value):
        return None
    return int(value) if float(value).is_integer() and abs(value) < 2**53 else value


def plain(value: object) -> object:
    """Return the value with all that is not finite made null."""
    if isinstance(value, dict):
        return {name: plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    return None if isinstance(value, float) and not isfinite(value) else value


def dump(value: object, indent: int | None = None) -> str:
    """Return the value as JSON, in ASCII, with all that is not finite made null."""
    try:
        return json.dumps(value, indent=indent, allow_nan=False)
    except ValueError:  # which is rare, and cheaper than a search of every value
        return json.dumps(plain(value), indent=indent, allow_nan=False)


def divide(document: Mapping[str, Any]) -> Iterator[Record]:
    """Yield a document's fields, then each record of its lists, with the list's name in `record`."""
    records = {name: value for name, value in document.items() if _is_list_of_records(value)}
    yield {name: value for name, value in document.items() if name not in records}
    for name, items in records.items():
        yield from ({"record": name, **item} for item in items)


def _is_list_of_records(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, dict) for item in value)


def signed_rows(records: Iterable[Mapping[str, object]], signature: str) -> Iterator[Sequence[object]]:
    """Yield records of the same fields as rows of cells below their head, the signature in each row."""
    for place, record in enumerate(records):
        if not place:
            yield [*record, "signature"]
        yield [*record.values(), signature]
