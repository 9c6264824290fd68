"""The containers that callers from Python use: lists, arrays, columns of data frames, generators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# Iterating over these yields letters, numbers, names, or the items in no order.
_REFUSED = (str, bytes, bytearray, memoryview, Mapping, set, frozenset)


def ordered(values: Any) -> list[Any]:  # noqa: ANN401 - any iterable
    """Return the items of an iterable in order, as Python's own objects for Arrow's scalars.

    Raises ValueError for a set.
    """
    refuse_sets(values)
    return list(values.to_pylist() if hasattr(type(values), "to_pylist") else values)


def refuse_sets(*values: object) -> None:
    """Raise ValueError if a value is a set, whose items have another order in each process."""
    if any(isinstance(value, (set, frozenset)) for value in values):
        raise ValueError("a set has no order; pass a list")


def items(values: Any, name: str) -> list[Any]:  # noqa: ANN401 - any container
    """Return the items of a container in order, ignoring an index such as that of a Series.

    name: the container's role, for messages. Raises ValueError if it is not a container, and for
    strings, mappings, sets and whole tables, which do not yield one text after the other.
    """
    if not isinstance(values, _REFUSED) and not hasattr(type(values), "columns"):
        try:
            return ordered(values)
        except TypeError:
            if hasattr(values, "__next__"):
                raise  # an error of the caller's generator
    kind = "one string" if isinstance(values, str) else type(values).__name__
    raise ValueError(f"{name} are lists of strings, not {kind}")
