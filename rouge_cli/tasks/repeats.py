"""What to do about IDs that occur twice in a file of records: the column that tells
their records apart.

lm-eval writes a record for each filter of its responses, other programs one for each
run or seed.
"""

from __future__ import annotations

import os
from contextlib import suppress
from itertools import islice

from rouge_cli.errors import RougeError
from rouge_cli.tasks import kinds

_EXAMINED = 1000  # records
_MOST_VALUES = 20  # different values of a column that names systems
_LONGEST = 40  # characters of such a value


def remedy(first: str, second: str) -> str:
    """Return the option with which both records can be scored; empty if none is found.

    Args:
        first: The place of a record, `PATH:LINE`.
        second: The place of another record with the same ID.
    """
    path, _, _ = first.rpartition(":")
    other_path, _, _ = second.rpartition(":")
    if path != other_path:
        return ""
    name = ""
    with suppress(RougeError, OSError, ValueError):
        name = _telling_column(path, first, second)
    if not name:
        return ""
    return (
        f"if column {name} tells systems apart, score each of them:"
        f" --system-column {name}"
    )


def _telling_column(path: str, first: str, second: str) -> str:
    """Return the first column with few short values that differs between records."""
    lines = [place.rpartition(":")[2] for place in (first, second)]
    pair = []
    values: dict[str, set[str]] = {}
    kind = kinds.detect(path) if os.path.isfile(path) else ""
    if not kind or not kinds.is_records(kind):
        return ""
    for row in islice(kinds.named(kind).rows(path, None), _EXAMINED):
        if isinstance(row.record, RougeError):
            continue
        for name, value in row.record.items():
            values.setdefault(name, set()).add(_short(value))
        if str(row.line) in lines:
            pair.append(row.record)
    if len(pair) < len(lines):
        return ""
    for name, different in values.items():
        names_systems = "" not in different and len(different) <= _MOST_VALUES
        own = {_short(record.get(name)) for record in pair}
        if names_systems and len(own) == len(pair):
            return name
    return ""


def _short(value: object) -> str:
    """Return a value that may be a name; empty for another."""
    if isinstance(value, str | int) and len(str(value)) <= _LONGEST:
        return str(value)
    return ""
