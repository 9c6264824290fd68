"""A row of a file of records, with its line. What rows mean: `records`; how files hold them: `kinds`.

What is wrong with one row comes in its place, so that a caller can go on to the next.
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
    """A record, or what is wrong with it; number: its line, or in json and parquet its place."""

    number: int
    line: int
    record: Mapping[str, Any] | RougeError


def header(names: list[str], where: str) -> list[str]:
    """Return the names of columns; raises RougeError if some have the same."""
    twice = (
        [name for name, times in Counter(names).items() if times > 1] if len({*names}) < len(names) else []
    )
    if twice:
        shown = ", ".join(map(repr, twice[:10]))
        raise RougeError(f"columns of the same name: {shown}", where=where, remedy="rename them")
    return names


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object of these pairs; raises ValueError for a name that comes twice."""
    record = dict(pairs)
    if len(record) < len(pairs):
        name = next(name for name, times in Counter(name for name, _ in pairs).items() if times > 1)
        raise ValueError(f"the name {name!r:.40} comes twice in an object")
    return record


def described(value: object) -> str:
    """Return a JSON value as a message names it."""
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
