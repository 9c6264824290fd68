"""The items of Python's containers, in order: lists, arrays, columns of data frames,
generators.
"""

import os
from collections.abc import Mapping
from math import isnan
from typing import Any

# What to do with a path in the place of a text
READS_FILES = "to score what files contain, use rouge_cli.score_files"


def is_missing(value: object) -> bool:
    """Return True for None, NaN, and pandas' NA and NaT, which stand for missing
    texts.
    """
    is_nan = isinstance(value, float) and isnan(value)
    return value is None or is_nan or type(value).__name__ in ("NAType", "NaTType")


# Iteration over these types yields characters, numbers or keys, or has no fixed order.
UNORDERED = (str, bytes, bytearray, memoryview, Mapping, set, frozenset)


def ordered(values: Any) -> list[Any]:  # noqa: ANN401 - any iterable
    """Return the items in order, Arrow's as Python's objects; raise ValueError for a
    set.
    """
    refuse_sets(values)
    return list(values.to_pylist() if hasattr(type(values), "to_pylist") else values)


def refuse_sets(*values: object) -> None:
    """Raise ValueError if a value is a set, since the order of its items differs
    between processes.
    """
    if any(isinstance(value, (set, frozenset)) for value in values):
        raise ValueError("a set has no order; pass a list")


def items(values: Any, name: str) -> list[Any]:  # noqa: ANN401 - any container
    """Return the items of a container in order, ignoring an index such as that of a
    Series.

    Raises:
        ValueError: If it is not a container, or if it is a string, a mapping, a set or
            a whole table, which do not yield texts in order.
    """
    if type(values) is list:  # a short cut; few callers pass anything else
        return values.copy()
    if not isinstance(values, UNORDERED) and not hasattr(type(values), "columns"):
        try:
            return ordered(values)
        except TypeError:
            if hasattr(values, "__next__"):
                raise  # an error of the caller's generator
    kind = "one string" if isinstance(values, str) else type(values).__name__
    reads = f" ({READS_FILES})" if isinstance(values, os.PathLike) else ""
    raise ValueError(f"{name} are lists of strings, not {kind}{reads}")
