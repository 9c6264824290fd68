"""What the tables for people (text, markdown, latex) share: cells, marks of the best, notes below.

A table is made here of plain words; how these are escaped and aligned is each format's own affair.
"""

from __future__ import annotations

from math import isfinite, isnan
from typing import TYPE_CHECKING, NamedTuple

from rouge_cli.core import Average, Counts
from rouge_cli.reports import figure

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rouge_cli.core import Estimate, EvalResult, Report, Result
    from rouge_cli.reports import Layout

# Under which figure a count stands where only totals were kept: recall is made of the model's units, ...
_COUNTED = {"R": "model", "P": "peer", "F": "match"}
_NOTHING = "-"


class Cell(NamedTuple):
    """A number as it is printed, its interval if there is one, and whether it is the best of its column."""

    value: str
    interval: str = ""
    best: bool = False


class Row(NamedTuple):
    """The names that a row begins with, fit to be shown, and its numbers."""

    names: Sequence[str]
    cells: Sequence[Cell]


class Table(NamedTuple):
    """Rows under a head; `names` are the heads of the first columns, `numbers` those of the others."""

    names: Sequence[str]
    numbers: Sequence[str]
    rows: Sequence[Row]


def table(report: Report, layout: Layout) -> Table:
    """A row for each system, or with `layout.per_eval` for each eval, system and metric.

    Columns of a metric of which only totals were kept hold its counts, and are headed by what is counted.
    Raises KeyError for a column that the report lacks.
    """
    return _evals(report, layout) if layout.per_eval else _averages(report, layout)


def notes(report: Report, layout: Layout) -> Iterator[str]:
    """What a reader of the table must know, a line each, without the signature."""
    if "evals" in report.details:
        yield f"evals: {report.details['evals']}"
    # These depend on where sentences end, which is the most common reason for numbers that differ.
    if any(label.startswith(("ROUGE-L", "ROUGE-W")) for label, _ in layout.columns):
        sides = [_sentences(report.details, side) for side in ("peers", "models")]
        found = [side for side in sides if side]
        if found:
            yield f"sentences per text: {', '.join(found)}"
    if "command" in report.details:
        yield f"on settings of these texts: {report.details['command']}"
    if has_intervals(report) and not layout.per_eval:
        yield f"intervals: {layout.confidence}% confidence"


def has_intervals(report: Report) -> bool:
    """Whether anything was resampled."""
    return any(
        isinstance(result.average, Average) and any(one.low is not None for one in result.average)
        for result in report.results
    )


def by_eval(report: Report) -> Iterator[tuple[EvalResult, Result]]:
    """Each eval's results, all of one eval together, so that systems can be compared on it."""
    groups: dict[str, list[tuple[EvalResult, Result]]] = {}
    for result in report.results:
        for one in result.evals:
            groups.setdefault(one.eval_id, []).append((one, result))
    for group in groups.values():
        yield from group


def visible(name: str) -> str:
    """The name on one line: what cannot be seen is written as its escape, an empty name as two quotes."""
    if name.isprintable():
        return name or '""'
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in name)


def fixed(value: float, layout: Layout) -> str:
    """A score as tables print it."""
    return f"{value * layout.scale:.{layout.digits}f}"


def p_value(p: float) -> str:
    """A p-value as tables print it; it is never 0."""
    if isnan(p):
        return _NOTHING
    return "<0.0001" if p < 0.0001 else f"{p:.4f}"


def _averages(report: Report, layout: Layout) -> Table:
    averages = {(result.peer_id, result.label): result.average for result in report.results}
    systems = list(dict.fromkeys(result.peer_id for result in report.results))
    heads, columns = [], []
    for label, letter in layout.columns:
        found = [averages[peer_id, label] for peer_id in systems]
        counted = any(isinstance(average, Counts) for average in found)
        cells = [_cell(average, letter, layout) for average in found]
        heads.append(f"{label} {_COUNTED[letter] if counted else letter}")
        columns.append(cells if counted else _marked(cells))
    rows = [
        Row((visible(peer_id),), [column[place] for column in columns])
        for place, peer_id in enumerate(systems)
    ]
    content = Table(("system",), heads, rows)
    return _ranked(content) if layout.ranks else content


def _ranked(content: Table) -> Table:
    """The table with each system's rank by the first column, as printed; equal scores share a rank."""
    values = [float(row.cells[0].value) for row in content.rows]
    ranks = [1 + sum(other > value for other in values) for value in values]
    rows = [Row((str(rank), *row.names), row.cells) for rank, row in zip(ranks, content.rows, strict=True)]
    return Table(("rank", *content.names), content.numbers, rows)


def _cell(average: Average | Counts, letter: str, layout: Layout) -> Cell:
    if isinstance(average, Counts):
        return Cell(_count(average[:3]["RPF".index(letter)], layout))
    estimate = figure(average, letter)
    return Cell(fixed(estimate.value, layout), _interval(estimate, layout))


def _interval(estimate: Estimate, layout: Layout) -> str:
    if estimate.low is None or estimate.high is None:
        return ""
    return f"[{fixed(estimate.low, layout)}, {fixed(estimate.high, layout)}]"


def _marked(cells: Sequence[Cell]) -> Sequence[Cell]:
    """The cells with the best marked, as printed; one alone is not the best of anything."""
    values = [float(cell.value) for cell in cells]
    finite = [value for value in values if isfinite(value)]
    if len(cells) < 2 or not finite:
        return cells
    best = max(finite)
    return [cell._replace(best=value == best) for cell, value in zip(cells, values, strict=True)]


def _evals(report: Report, layout: Layout) -> Table:
    """The metrics of the columns asked for, or all; counts stand in where there is no score."""
    labels = {label for label, _ in layout.columns}
    chosen = [(one, result) for one, result in by_eval(report) if not labels or result.label in labels]
    counted = any(one.score is None for one, _ in chosen)
    scored = not counted or any(one.score for one, _ in chosen)
    rows = []
    for one, result in chosen:
        scores, counts = [_NOTHING] * 3, [_NOTHING] * 3
        if one.score:
            scores = [fixed(value, layout) for value in one.score]
        else:
            counts = [_count(count, layout) for count in one.counts[:3]]
        values = [*(scores if scored else ()), *(counts if counted else ())]
        names = tuple(map(visible, (one.eval_id, result.peer_id, result.label)))
        rows.append(Row(names, [Cell(value) for value in values]))
    heads = [*(_COUNTED if scored else ()), *(_COUNTED.values() if counted else ())]
    return Table(("eval", "system", "metric"), heads, rows)


def _count(count: float, layout: Layout) -> str:
    """A count as tables print it: whole in full, weights with the digits of scores."""
    if not abs(count) < 1e15:  # nor is this one that is no number
        return f"{count:.15g}"
    return str(int(count)) if float(count).is_integer() else f"{count:.{layout.digits}f}"


def _sentences(details: Mapping[str, object], side: str) -> str:
    """The mean number of sentences in the texts of a side; empty where it is not known."""
    tally = details.get(side)
    if not isinstance(tally, dict) or not tally.get("texts") or "sentences" not in tally:
        return ""
    return f"{tally['sentences'] / tally['texts']:.1f} in {side}"
