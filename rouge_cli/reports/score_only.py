"""Bare numbers for shell scripts: one score, or lines of `SYSTEM<TAB>SCORE` for
several systems.
"""

from rouge_cli.core import Report
from rouge_cli.errors import UsageError
from rouge_cli.results.base import Layout
from rouge_cli.results.printed import format_score, visible
from rouge_cli.results.scores import averages_of

EVALS_BESIDE = True  # it omits the evals


def render(report: Report, layout: Layout) -> str:
    """Return the averages of the single requested column, without signature and evals.

    Raises:
        UsageError: If there is not exactly one column, or if there are only total
            counts.
    """
    if len(layout.columns) != 1:
        what = f"expected one score to print, but {len(layout.columns)} are selected"
        raise UsageError(what, remedy="name one, as in --score-only R2.F")
    ((label, letter),) = layout.columns
    averages = averages_of(report, label, letter)
    if not averages:
        raise UsageError("only totals were computed, not scores", remedy="use averages")
    lines = []
    for system, average in averages.items():
        score = format_score(average.value, layout)
        if len(averages) == 1:
            lines.append(f"{score}\n")
        else:
            lines.append(f"{visible(system)}\t{score}\n")
    return "".join(lines)
