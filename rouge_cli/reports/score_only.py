"""Bare numbers for shell scripts: one score, or lines of `SYSTEM<TAB>SCORE` for several systems."""

from __future__ import annotations

from rouge_cli.core import Counts, Report
from rouge_cli.errors import UsageError
from rouge_cli.reports import Layout
from rouge_cli.results._tables import figure, format_score, visible

EVALS_BESIDE = True  # it omits the evals


def render(report: Report, layout: Layout) -> str:
    """Return the averages of the single requested column, without signature and evals.

    Raises:
        UsageError: If there is not exactly one column, or if there are only total counts.
    """
    if len(layout.columns) != 1:
        raise UsageError(
            f"expected one score to print, but {len(layout.columns)} are selected",
            remedy="name one, as in --score-only R2.F",
        )
    ((label, letter),) = layout.columns
    scores = {}
    for result in report.results:
        if result.label == label:
            if isinstance(result.average, Counts):
                raise UsageError("only totals were computed, not scores", remedy="use averages")
            scores[result.system] = format_score(figure(result.average, letter).value, layout)
    if len(scores) == 1:
        return "".join(f"{score}\n" for score in scores.values())
    return "".join(f"{visible(system)}\t{score}\n" for system, score in scores.items())
