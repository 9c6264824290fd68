"""The report of ROUGE-1.5.5, byte for byte, for scripts that parse it."""

from collections.abc import Iterator
from functools import cmp_to_key
from math import isfinite
from typing import Any

from rouge_cli.core import Counts, EvalResult, Report, Result
from rouge_cli.errors import UsageError
from rouge_cli.reports import Layout
from rouge_cli.scoring.perl_numbers import Number, truncate

NEEDS = "to_classic"
EVALS_BESIDE = True


def render(report: Report, layout: Layout) -> str:
    """Return the report; empty if there are no results.

    The layout's `confidence` is printed as typed, and its `per_eval` adds the scores of
    evals (`-d`). Its other fields have no effect.

    Raises:
        UsageError: If the averages have no intervals.
    """
    lines: list[str] = []
    for result in report.results:
        lines.append("-" * 45)
        lines += _averages(result, layout.confidence)
        if layout.per_eval:
            lines.append("." * 45)
            lines += _evals(result)
    return "".join(f"{line}\n" for line in lines)


def _averages(result: Result, confidence: str) -> Iterator[str]:
    name = f"{result.system} {result.label}"
    if isinstance(result.average, Counts):
        reference = truncate(result.average.reference)
        prediction = truncate(result.average.prediction)
        match = truncate(result.average.match)
        yield f"{name} M_count: {reference} P_count: {prediction} H_count: {match}"
        return
    for letter, (value, low, high) in zip("RPF", result.average, strict=True):
        if low is None or high is None:
            what = "the classic report needs intervals, but none were computed"
            raise UsageError(what, remedy="add --samples 1000")
        interval = f"({confidence}%-conf.int. {_format(low)} - {_format(high)})"
        yield f"{name} Average_{letter}: {_format(value)} {interval}"


def _evals(result: Result) -> Iterator[str]:
    evals = []
    for eval_result in result.evals:
        evals.append((f"{eval_result.eval_id}.{result.system}", eval_result))
    evals.sort()
    for name, eval_result in sorted(evals, key=cmp_to_key(_by_leading_number)):
        yield f"{result.system} {result.label} Eval {name} {_scores(eval_result)}"


def _by_leading_number(
    left: tuple[str, EvalResult], right: tuple[str, EvalResult]
) -> int:
    """Compare IDs as numbers if both start with digits, else as strings (QUIRKS 28)."""
    first, _ = left
    second, _ = right
    first_digits = _leading_digits(first)
    second_digits = _leading_digits(second)
    if first_digits and second_digits:
        return _compare(_number(first_digits), _number(second_digits))
    return _compare(first, second)


def _leading_digits(name: str) -> str:
    return name[: len(name) - len(name.lstrip("0123456789"))]


def _number(digits: str) -> tuple[int, str]:
    """Return what orders digits as numbers; int() refuses more than 4,300 digits."""
    significant = digits.lstrip("0")
    return len(significant), significant


def _compare(left: Any, right: Any) -> int:  # noqa: ANN401 - any two of one type
    """Return -1, 0 or 1 as the left value is less, equal or greater."""
    if left < right:
        return -1
    return 1 if left > right else 0


def _scores(result: EvalResult) -> str:
    if result.score is None:
        # The original prints counts under the letters of scores.
        reference = _general(result.counts.reference)
        prediction = _general(result.counts.prediction)
        return f"R:{reference} P:{prediction} F:{_general(result.counts.match)}"
    recall = _format(result.score.recall)
    precision = _format(result.score.precision)
    return f"R:{recall} P:{precision} F:{_format(result.score.f)}"


def _format(value: float) -> str:
    """Return the value as Perl prints it with `%7.5f`."""
    return f"{value:.5f}" if isfinite(value) else f"{_general(value):>7}"


def _general(value: float) -> str:
    """Return the value as Perl prints a number."""
    return str(Number(value))
