"""Tables of scores: a row for each system, or for each eval, system and metric."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rouge_cli.core import Average, Counts
from rouge_cli.results._tables import (
    NOTHING,
    Cell,
    Row,
    Table,
    figure,
    format_score,
    interval,
    visible,
    with_best,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rouge_cli.core import EvalResult, Report, Result
    from rouge_cli.results import Layout

# Figure -> the count in its column if a metric has only counts: the denominators of R and P, the matches.
_COUNTED = {"R": "model", "P": "peer", "F": "match"}


def tables(report: Report, layout: Layout) -> Iterator[Table]:
    """Yield one table: a row for each system, or with `layout.per_eval` for each eval, system and metric.

    If a metric has only counts, its columns contain these, under heads that name them.
    """
    yield _eval_table(report, layout) if layout.per_eval else averages(report, layout)


def by_eval(report: Report) -> Iterator[tuple[EvalResult, Result]]:
    """Yield the results in evals grouped by eval, so that systems can be compared."""
    groups: dict[str, list[tuple[EvalResult, Result]]] = {}
    for result in report.results:
        for eval_result in result.evals:
            groups.setdefault(eval_result.eval_id, []).append((eval_result, result))
    for group in groups.values():
        yield from group


def averages(report: Report, layout: Layout) -> Table:
    """Return a row for each system, with a column for each requested figure of a metric."""
    by_name = {(result.peer_id, result.label): result.average for result in report.results}
    systems = list(dict.fromkeys(result.peer_id for result in report.results))
    heads, columns = [], []
    for label, letter in layout.columns:
        results = [by_name[peer_id, label] for peer_id in systems]
        has_counts = any(isinstance(result, Counts) for result in results)
        cells = [_cell(result, letter, layout) for result in results]
        heads.append(f"{label} {_COUNTED[letter] if has_counts else letter}")
        columns.append(cells if has_counts else with_best(cells))
    rows = [
        Row((visible(peer_id),), [column[place] for column in columns])
        for place, peer_id in enumerate(systems)
    ]
    table = Table(("system",), heads, rows)
    return _add_ranks(table) if layout.ranks and heads else table


def _add_ranks(table: Table) -> Table:
    """Return the table with each system's rank by the first column as printed; ties share a rank."""
    values = [float(row.cells[0].value) for row in table.rows]
    ranks = [1 + sum(other > value for other in values) for value in values]
    rows = [Row((str(rank), *row.names), row.cells) for rank, row in zip(ranks, table.rows, strict=True)]
    return Table(("rank", *table.names), table.numbers, rows)


def _cell(average: Average | Counts, letter: str, layout: Layout) -> Cell:
    if isinstance(average, Counts):
        return Cell(_format_count(average[:3]["RPF".index(letter)], layout))
    estimate = figure(average, letter)
    return Cell(format_score(estimate.value, layout), interval(estimate, layout))


def _eval_table(report: Report, layout: Layout) -> Table:
    """Return a row for each eval, system and requested metric (or all); counts replace missing scores."""
    labels = {label for label, _ in layout.columns}
    chosen = [
        (eval_result, result)
        for eval_result, result in by_eval(report)
        if not labels or result.label in labels
    ]
    has_counts = any(eval_result.score is None for eval_result, _ in chosen)
    scored = not has_counts or any(eval_result.score for eval_result, _ in chosen)
    rows = []
    for eval_result, result in chosen:
        scores, counts = [NOTHING] * 3, [NOTHING] * 3
        if eval_result.score:
            scores = [format_score(value, layout) for value in eval_result.score]
        else:
            counts = [_format_count(count, layout) for count in eval_result.counts[:3]]
        values = [*(scores if scored else ()), *(counts if has_counts else ())]
        names = tuple(map(visible, (eval_result.eval_id, result.peer_id, result.label)))
        rows.append(Row(names, [Cell(value) for value in values]))
    heads = [*(_COUNTED if scored else ()), *(_COUNTED.values() if has_counts else ())]
    return Table(("eval", "system", "metric"), heads, rows)


def _format_count(count: float, layout: Layout) -> str:
    """Format a count for tables: whole numbers in full, weights with as many digits as scores."""
    if not abs(count) < 1e15:  # true for nan as well
        return f"{count:.15g}"
    return str(int(count)) if float(count).is_integer() else f"{count:.{layout.digits}f}"
