"""A row of a file of records, with its line. `records` interprets rows; `kinds` read them from files.

An error in one row takes the row's place, so that a caller can go on to the next.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from rouge_cli.errors import RougeError

if TYPE_CHECKING:
    from collections.abc import Mapping

ROLE = "file of records"


class Row(NamedTuple):
    """A record, or its error; number: its line, or in json and parquet its place."""

    number: int
    line: int
    record: Mapping[str, Any] | RougeError


def header(names: list[str], where: str) -> list[str]:
    """Return the names of columns; raise RougeError if some are equal."""
    twice = (
        [name for name, times in Counter(names).items() if times > 1] if len({*names}) < len(names) else []
    )
    if twice:
        shown = ", ".join(map(repr, twice[:10]))
        raise RougeError(f"columns of the same name: {shown}", where=where, remedy="rename them")
    return names


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object of these pairs; raise ValueError for a name that occurs twice."""
    record = dict(pairs)
    if len(record) < len(pairs):
        name = next(name for name, times in Counter(name for name, _ in pairs).items() if times > 1)
        raise ValueError(f"the name {name!r:.40} occurs twice in an object")
    return record


def describe(value: object) -> str:
    """Describe a JSON value for a message."""
    kinds = {
        bool: "a truth value",
        int: "a number",
        float: "a number",
        list: "a list",
        dict: "an object",
        str: "a string",
    }
    text = json.dumps(value, default=str)
    shown = text if len(text) <= 40 else f"{text[:37]}..."
    return shown if value is None else f"{kinds.get(type(value), type(value).__name__)} ({shown})"
