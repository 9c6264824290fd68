"""The report of ROUGE-1.5.5, byte for byte: what twenty years of scripts parse."""

from __future__ import annotations

import re
from functools import cmp_to_key
from typing import TYPE_CHECKING

from rouge_cli.core import Counts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rouge_cli.core import EvalResult, Report, Result

_LINE, _DOTS = "-" * 45, "." * 45


def render(report: Report, *, confidence: str, per_eval: bool) -> str:
    """The report, each line ended by LF; empty for a report without results.

    confidence: the level as the user typed it, which is how it is printed.
    per_eval: whether to add the score of each eval (`-d`).
    """
    lines: list[str] = []
    for result in report.results:
        lines.append(_LINE)
        lines.extend(_averages(result, confidence))
        if per_eval:
            lines.append(_DOTS)
            lines.extend(_evals(result))
    return "".join(f"{line}\n" for line in lines)


def _averages(result: Result, confidence: str) -> Iterator[str]:
    name = f"{result.peer_id} {result.label}"
    if isinstance(result.average, Counts):
        model, peer, match, _ = map(int, result.average)
        yield f"{name} M_count: {model} P_count: {peer} H_count: {match}"
        return
    for letter, (value, low, high) in zip("RPF", result.average, strict=True):
        interval = f"({confidence}%-conf.int. {low:.5f} - {high:.5f})"
        yield f"{name} Average_{letter}: {value:.5f} {interval}"


def _evals(result: Result) -> Iterator[str]:
    named = sorted((f"{one.eval_id}.{result.peer_id}", one) for one in result.evals)
    for name, one in sorted(named, key=cmp_to_key(_by_leading_number)):
        yield f"{result.peer_id} {result.label} Eval {name} {_figures(one)}"


def _by_leading_number(one: tuple[str, EvalResult], other: tuple[str, EvalResult]) -> int:
    """IDs that both start with digits go by these as numbers, others as strings (QUIRKS 28)."""
    numbers = [re.match("[0-9]+", name) for name, _ in (one, other)]
    if numbers[0] and numbers[1]:
        return int(numbers[0][0]) - int(numbers[1][0])
    return (one[0] > other[0]) - (one[0] < other[0])


def _figures(one: EvalResult) -> str:
    if one.score is None:  # counts are kept instead, and stand under the scores' letters
        model, peer, match, _ = one.counts
        return f"R:{model:.15g} P:{peer:.15g} F:{match:.15g}"
    recall, precision, f = one.score
    return f"R:{recall:.5f} P:{precision:.5f} F:{f:.5f}"
