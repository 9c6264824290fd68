"""Checks of numbers that were saved: what was counted, scored and averaged must agree.

A file can be edited, joined from others or damaged, and still be well-formed. These
checks compute from some of its numbers what the others must be.
"""

from __future__ import annotations

from math import isclose, isnan
from typing import TYPE_CHECKING

from rouge_cli.results import saved

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rouge_cli.core import Counts, EvalResult, Score
    from rouge_cli.options import DialectRun

# Saved numbers are exact doubles; only a scale of 100 changes the last digit.
TOLERANCE = 1e-9


def agree(first: float | None, second: float | None) -> bool:
    """Return True if two numbers are equal but for the rounding of a scale; undefined
    ones are equal.
    """
    if first is None or second is None:
        return first is second
    if isnan(first) or isnan(second):
        return isnan(first) and isnan(second)
    return isclose(first, second, rel_tol=TOLERANCE, abs_tol=TOLERANCE)


def wrong_result(
    result: EvalResult, label: str, run: DialectRun, options: Mapping[str, object]
) -> str:
    """Return what is wrong with the counts or the score of a system in one eval;
    empty if they can be those of the run.
    """
    if saved.is_bounded(label, options):
        wrong = saved.excess(result.counts)
        if wrong:
            return wrong
    if result.score is None:
        return ""
    expected = _score_of(result.counts, label, run, options)
    if expected is None:
        return ""
    for name, value, computed in zip(
        expected._fields, result.score, expected, strict=True
    ):
        if not agree(value, computed):
            return f"{name} is {value:.7g}, but its counts give {computed:.7g}"
    return ""


def _score_of(
    counts: Counts, label: str, run: DialectRun, options: Mapping[str, object]
) -> Score | None:
    """Return the score that the counts give; None if they do not determine it."""
    score_of = getattr(run, "score_of", None)  # a plug-in's run may lack it
    if score_of is None or options.get("jackknife") in {True, "yes"}:
        return None
    if label not in run.labels or any(map(isnan, counts[:3])):
        return None
    score: Score | None = score_of(label, counts)
    return score
