"""The report of ROUGE-1.5.5, byte for byte, for scripts that parse it."""

from collections.abc import Iterator
from functools import cmp_to_key
from math import isfinite

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
        lines += ["-" * 45, *_averages(result, layout.confidence)]
        lines += ["." * 45, *_evals(result)] if layout.per_eval else []
    return "".join(f"{line}\n" for line in lines)


def _averages(result: Result, confidence: str) -> Iterator[str]:
    name = f"{result.system} {result.label}"
    if isinstance(result.average, Counts):
        reference, prediction, match = map(truncate, result.average[:3])
        yield f"{name} M_count: {reference} P_count: {prediction} H_count: {match}"
        return
    for letter, (value, low, high) in zip("RPF", result.average, strict=True):
        if low is None or high is None:
            what = "the classic report needs intervals, but none were computed"
            raise UsageError(what, remedy="add --samples 1000")
        interval = f"({confidence}%-conf.int. {_format(low)} - {_format(high)})"
        yield f"{name} Average_{letter}: {_format(value)} {interval}"


def _evals(result: Result) -> Iterator[str]:
    evals = sorted(
        (f"{eval_result.eval_id}.{result.system}", eval_result)
        for eval_result in result.evals
    )
    for name, eval_result in sorted(evals, key=cmp_to_key(_by_leading_number)):
        yield f"{result.system} {result.label} Eval {name} {_scores(eval_result)}"


def _by_leading_number(
    left: tuple[str, EvalResult], right: tuple[str, EvalResult]
) -> int:
    """Compare IDs as numbers if both start with digits, else as strings (QUIRKS 28)."""
    first, second = (
        name[: len(name) - len(name.lstrip("0123456789"))] for name, _ in (left, right)
    )
    if first and second:
        # Compared as strings, since int() refuses more than 4,300 digits.
        low, high = (
            (len(digits), digits) for digits in (first.lstrip("0"), second.lstrip("0"))
        )
        return (low > high) - (low < high)
    return (left[0] > right[0]) - (left[0] < right[0])


def _scores(result: EvalResult) -> str:
    # The original prints counts under the letters of scores.
    values = (
        map(_general, result.counts[:3])
        if result.score is None
        else map(_format, result.score)
    )
    return "R:{} P:{} F:{}".format(*values)


def _format(value: float) -> str:
    """Return the value as Perl prints it with `%7.5f`."""
    return f"{value:.5f}" if isfinite(value) else f"{_general(value):>7}"


def _general(value: float) -> str:
    """Return the value as Perl prints a number."""
    return str(Number(value))
