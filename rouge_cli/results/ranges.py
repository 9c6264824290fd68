"""The ranges of saved counts and scores, by the label of a metric."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import inf

HIGHEST = 1 + 1e-9  # rounding can make a score slightly larger than 1
_WEIGHTED = re.compile(r"ROUGE-W-(.+)", re.IGNORECASE)
_OF_TOKENS = re.compile(r"rouge-([0-9]{1,3})")  # a label in lower case


def is_bounded(label: str, options: Mapping[str, object]) -> bool:
    """Return False for metrics whose matches may be more than the units of a text, and
    whose scores may exceed 1.

    Args:
        label: The label of the metric.
        options: The options of the run, or the fields of its signature.
    """
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
