"""Checks of numbers that were saved: what was counted, scored and averaged must agree.

A file can be edited, joined from others or damaged, and still be well-formed. These
checks compute from some of its numbers what the others must be.
"""

from __future__ import annotations

from math import fsum, isclose, isnan
from typing import TYPE_CHECKING

from rouge_cli.core import Average, Counts, Estimate, Result, Score
from rouge_cli.results import checks
from rouge_cli.scoring.columns import are_scored, matches_of, scores_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rouge_cli.core import EvalResult
    from rouge_cli.dialects._run import DialectRun
    from rouge_cli.scoring.columns import Column

# Saved numbers are exact doubles; only a scale of 100 changes the last digit.
TOLERANCE = 1e-9
FIVE_PLACES = 1e-5  # of printed averages
_MOST_KEPT = 100_000  # results that are compared with later ones
_ANY = Counts(1.0, 1.0, 1.0)  # determine a score if any counts do


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
    result: EvalResult,
    label: str,
    run: DialectRun,
    options: Mapping[str, object],
    measures: Sequence[str] = Score._fields,
) -> str:
    """Return what is wrong with the counts or the score of a system in one eval;
    empty if they can be those of the run.

    Args:
        options: The options of the run, or the fields of its signature.
        measures: The measures that are compared with the counts.
    """
    if checks.is_bounded(label, options):
        wrong = _excess(result.counts)
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
        if name in measures and not agree(value, computed):
            return f"{name} is {value:.7g}, but its counts give {computed:.7g}"
    return ""


def first_wrong(
    column: Column, label: str, run: DialectRun, options: Mapping[str, object]
) -> tuple[str, str] | None:
    """Return the ID of the first eval of a system whose result is wrong, and what
    `wrong_result` says of it; None if none is.
    """
    right: set[bytes] = set()
    for place, numbers in enumerate(column.packed()):
        if numbers in right:
            continue
        result = column[place]
        wrong = wrong_result(result, label, run, options)
        if wrong:
            return result.eval_id, wrong
        if len(right) < _MOST_KEPT:
            right.add(numbers)
    return None


def _excess(counts: Counts) -> str:
    """Return which matches are more than the units of their text; empty if none is."""
    sides = (
        ("match", counts.match, "reference", counts.reference),
        ("match", counts.matched, "prediction", counts.prediction),
    )
    for name, matches, side, units in sides:
        # py-rouge's number of units may be negative.
        if matches > max(units, 0.0) * checks.HIGHEST:
            return f"{name} is {matches:.15g}, more than {side}, {units:.15g}"
    return ""


def undetermined(
    columns: Iterable[tuple[str, Sequence[EvalResult]]],
    run: DialectRun,
    options: Mapping[str, object],
) -> list[str]:
    """Return the metrics with scores that their counts do not determine, or that have
    no counts: `wrong_result` does not see if such a score was edited.

    Args:
        columns: Metrics with the results of a system in evals.
        run: The dialect with its options.
        options: As for `wrong_result`.
    """
    labels: dict[str, bool] = {}
    for label, evals in columns:
        if labels.get(label) or not are_scored(evals):
            continue
        is_open = _score_of(_ANY, label, run, options) is None
        labels[label] = is_open or any(map(isnan, matches_of(evals)))
    return [label for label, is_open in labels.items() if is_open]


def _score_of(
    counts: Counts, label: str, run: DialectRun, options: Mapping[str, object]
) -> Score | None:
    """Return the score that the counts give; None if they do not determine it."""
    if options.get("jackknife") in {True, "yes"}:
        return None
    if label not in run.labels or any(map(isnan, counts[:3])):
        return None
    return run.score_of(label, counts)


def wrong_average(average: Average | Counts, expected: Average | Counts) -> str:
    """Return what is wrong with an average, given the one that its evals have; empty
    if they agree.
    """
    if isinstance(average, Counts) or isinstance(expected, Counts):
        return "" if type(average) is type(expected) else "counts and scores are mixed"
    for name, stated, computed in zip(Average._fields, average, expected, strict=True):
        for end, value, other in zip(Estimate._fields, stated, computed, strict=True):
            if not agree(value, other):
                what = f"the {end} of {name} is {_shown(value)}"
                return f"{what}, but its evals give {_shown(other)}"
    return ""


def wrong_total(result: Result) -> str:
    """Return which total of counts is not the sum over evals; empty if all are."""
    if not isinstance(result.average, Counts):
        return ""
    for name in ("reference", "prediction", "match"):
        total = getattr(result.average, name)
        added = fsum(getattr(entry.counts, name) for entry in result.evals)
        if not agree(total, added):
            return f"{name} is {_shown(total)}, but its evals add up to {_shown(added)}"
    return ""


def wrong_mean(result: Result, measures: Sequence[str]) -> str:
    """Return which average cannot be a mean of scores, since all scores are higher,
    or all are lower; empty if all can.

    Args:
        measures: Some of recall, precision and f.
    """
    if isinstance(result.average, Counts):
        return ""
    for place, name in enumerate(Average._fields):
        if name not in measures:
            continue
        stated = result.average[place].value
        scores = [value for value in scores_of(result.evals, place) if not isnan(value)]
        if not scores:
            continue
        lowest, highest = min(scores), max(scores)
        is_undefined = isnan(stated)
        if is_undefined and len(scores) < len(result.evals):
            continue  # since a score is undefined
        if not lowest - FIVE_PLACES <= stated <= highest + FIVE_PLACES:
            what = f"the value of {name} is {_shown(stated)}"
            return f"{what}, but its evals have {lowest:.7g} to {highest:.7g}"
    return ""


def _shown(value: float | None) -> str:
    return "null" if value is None or isnan(value) else f"{value:.10g}"
