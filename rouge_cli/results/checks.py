"""Checks of what is read from a JSON document that a run saved: the types of fields,
and the ranges of counts and scores, by the label of a metric.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from math import inf, isnan, nan
from typing import NoReturn, TypeGuard, TypeVar, overload

from rouge_cli import metrics
from rouge_cli.core import Counts, Score
from rouge_cli.errors import RougeError
from rouge_cli.results.single_evals import COUNTS, FIGURES

T = TypeVar("T")
_LARGEST = sys.float_info.max
SAVE_AGAIN = (
    "save them again; in a table of your own, a column `scale` holds the highest"
)
HIGHEST = 1 + 1e-9  # rounding can make a score slightly larger than 1
_WEIGHTED = re.compile(r"ROUGE-W-(.+)", re.IGNORECASE)
_OF_TOKENS = re.compile(r"rouge-([0-9]{1,3})")  # a label in lower case


def is_number(value: object) -> TypeGuard[float]:
    """Return True for a finite number."""
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and abs(value) <= _LARGEST
    )


def is_texts(value: object) -> TypeGuard[list[str]]:
    """Return True for a list of strings."""
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def is_number_or_null(value: object) -> TypeGuard[float | None]:
    """Return True for a finite number, nan or None."""
    if value is None or is_number(value):
        return True
    return isinstance(value, float) and isnan(value)


def is_whole(value: object) -> TypeGuard[int]:
    """Return True for a whole number that is not negative."""
    return isinstance(value, int) and is_number(value) and value >= 0


def is_anything(_: object) -> TypeGuard[object]:
    """Return True: every value is valid."""
    return True


class Fields:
    """A JSON object whose fields are checked when they are read.

    Args:
        value: A JSON value.
        inside: The path of the value in its document, such as `results[0]`, for
            messages.

    Raises:
        RougeError: If the value is not an object. Errors do not name the file; `locate`
            adds it.
    """

    __slots__ = ("inside", "record")

    def __init__(self, value: object, inside: str = "") -> None:
        self.inside = inside
        if not isinstance(value, dict):
            raise self.error(f"{json.dumps(value)[:80]} is not an object")
        self.record = value

    def error(self, what: str, remedy: str = "") -> RougeError:
        """Return an error in the object, with the object's path."""
        return RougeError(
            f"{self.inside}: {what}" if self.inside else what, remedy=remedy
        )

    @overload
    def get(self, name: str, kind: type[T]) -> T: ...
    @overload
    def get(self, name: str, kind: Callable[[object], TypeGuard[T]]) -> T: ...
    def get(self, name: str, kind: type[object] | Callable[[object], bool]) -> object:
        """Return a field of that type, or that passes that test; raise RougeError
        for any other.
        """
        if name not in self.record:
            raise self.error(f"no {name}")
        value = self.record[name]
        is_valid = isinstance(value, kind) if isinstance(kind, type) else kind(value)
        if is_valid:
            return value
        if isinstance(value, int | float) and abs(value) > _LARGEST:
            raise self.error(f"{name} is too large")
        raise self.error(f"{name} cannot be {json.dumps(value)[:80]}")

    def within(self, name: str) -> Fields:
        """Return the fields of the object in a field."""
        return Fields(self.get(name, dict), f"{self.inside}.{name}".lstrip("."))


def locate(error: RougeError, where: str, remedy: str = "") -> RougeError:
    """Return the error with its location, and with the remedy unless it has one."""
    return RougeError(error.what, where=where, remedy=error.remedy or remedy)


def load(text: str | bytes) -> object:
    """Parse a JSON document; raise ValueError or RecursionError for invalid JSON,
    such as NaN.
    """
    document: object = json.loads(text, parse_constant=_refuse)
    return document


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a JSON number")


def is_bounded(label: str, options: Mapping[str, object]) -> bool:
    """Return False for metrics whose matches may be more than the units of a text, and
    whose scores may exceed 1.

    Args:
        label: The label of the metric.
        options: The options of the run, or the fields of its signature.
    """
    value = metrics.value(label)
    if value:
        return value.is_bounded
    # `rouge` then adds up the matches of several alignments (QUIRKS 78).
    if options.get("exclusive") in {False, "no"}:
        return False
    # Weights below 1 make a run of words worth less than its words.
    weights = [options.get("weight_factor", 1)]
    match = _WEIGHTED.fullmatch(label)
    if match:
        weights.append(match[1])
    return not any(map(_is_below_one, weights))


def _is_below_one(weight: object) -> bool:
    """Return True for a number below 1, which may be written as text."""
    try:
        return float(str(weight)) < 1
    except ValueError:
        return False


def highest_score(label: str, options: Mapping[str, object]) -> float:
    """Return the highest score of a metric, with some room for rounding."""
    return HIGHEST if is_bounded(label, options) else inf


def fewest_units(label: str) -> float:
    """Return the lowest count of a text's units: 0, except for labels of py-rouge,
    whose number of n-grams is the number of words less n - 1, added over references.
    """
    match = _OF_TOKENS.fullmatch(label)
    return -inf if match and int(match[1]) > 1 else 0


def checked_score(
    fields: Fields,
    measures: Sequence[float | None],
    scale: float,
    highest: float | None,
) -> Score | None:
    """Return recall, precision and F divided by the scale; None if all are null.
    Raise RougeError for one below 0 or above the highest, unless that is None.
    """
    values = []
    for measure in measures:
        values.append(nan if measure is None else measure / scale)
    for name, value in zip(FIGURES, values, strict=True):
        if highest is not None and (value < 0 or value > highest):
            raise fields.error(out_of_range(name, value, scale), SAVE_AGAIN)
    return None if all(map(isnan, values)) else Score(*values)


def out_of_range(name: str, value: float, scale: float) -> str:
    """Return the message about a score below 0 or above the highest."""
    return (
        f"{name} is {value * scale:g} at scale {scale:g}, not between 0 and {scale:g}"
    )


def checked_counts(
    fields: Fields, counts: Sequence[float | None], fewest: float = 0
) -> Counts:
    """Return the counts (COUNTS, perhaps `prediction_match`); raise RougeError if
    one is negative: `fewest` is the lowest number of a text's units.
    """
    for name, count in zip((*COUNTS, "prediction_match"), counts, strict=False):
        lowest = 0 if "match" in name else fewest
        if count is not None and count < lowest:
            raise fields.error(f"{name} is {count:g}, a negative count")
    values = []
    for count in counts:
        values.append(nan if count is None else float(count))
    reference, prediction, match, *others = values
    return Counts(
        reference, prediction, match, prediction_match=others[0] if others else None
    )
