"""The reports of `rouge-cli timeline`: scores of metrics, date selection, alignments, tests of metrics."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from rouge_cli.reports import csv, text
from rouge_cli.reports._table import Cell, Row, Table, visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import date

    from rouge_cli.core import Score
    from rouge_cli.dialects.tilse.counts import Aligned, Link

    Record = dict[str, Any]

# As the toolkit calls them, in its order.
FIGURES = ("precision", "recall", "f_score")
DATES = "date_selection"


class Line(NamedTuple):
    """What one prediction gets, or the average of several.

    scores: metric -> for n = 1, 2, ... its score. dates: of date selection. alignments: metric -> its
    links. days: those of the prediction, and those of the references. An average has none of these.
    """

    name: str
    reference: str
    scores: Mapping[str, Sequence[Score]]
    dates: Score
    alignments: Mapping[str, Aligned] = {}
    days: tuple[Sequence[date], Sequence[date]] = ((), ())


class Layout(NamedTuple):
    """How lines are shown.

    names: metric -> what it is called. single: whether there is one line, which needs no name.
    alignments: whether they are shown. digits: decimals in tables. signature: how the scores were made.
    """

    names: Mapping[str, str]
    single: bool
    alignments: bool
    digits: int
    signature: str


def as_text(lines: Sequence[Line], layout: Layout) -> str:
    """A row for each measure and line, the lines of one measure together; alignments below."""
    drawn = text.plain(_table(lines, layout))
    for line in lines:
        if layout.alignments and line.alignments:
            names = [] if layout.single else [visible(name) for name in (line.name, line.reference) if name]
            drawn += f"\n{' '.join(['alignments', *names])}:\n{text.plain(_alignments(line, layout))}"
    return f"{drawn}\nsignature: {visible(layout.signature)}\n"


def as_json(lines: Sequence[Line], layout: Layout) -> str:
    """One record, or a list of them; unrounded."""
    records = [_record(line, layout) for line in lines]
    return json.dumps(records[0] if layout.single else records, indent=2) + "\n"


def as_jsonl(lines: Sequence[Line], layout: Layout) -> str:
    """A record a line."""
    return "".join(json.dumps(_record(line, layout)) + "\n" for line in lines)


def as_csv(lines: Sequence[Line], layout: Layout) -> str:
    """A row for each line and measure, unrounded."""
    written = [csv.line(["name", "reference", "metric", "rouge", *FIGURES, "signature"])]
    for line in lines:
        written += [
            csv.line([line.name, line.reference, metric, measure, *figures, layout.signature])
            for metric, measure, *figures in _rows(line, layout)
        ]
    return "".join(written)


def as_dict(lines: Sequence[Line], layout: Layout) -> str:
    """The toolkit's own line, a Python dictionary, for each metric of the one line that there is."""
    (line,) = lines
    return "".join(f"{_by_n(line.scores[metric])}\n" for metric in layout.names)


def battery(rows: Sequence[tuple[str, str, Score]], heads: Sequence[str], digits: int) -> str:
    """A table like the paper's second: test, metric, and how far the scores are from 1."""
    shown, before = [], ""
    for test, metric, score in rows:
        # Nothing is not less than nothing, however it was added up.
        differences = [round(one - 1, digits) or 0.0 for one in (score.precision, score.recall, score.f)]
        names = ("" if test == before else test, metric)
        shown.append(Row(names, [Cell(f"{one:.{digits}f}") for one in differences]))
        before = test
    return text.plain(Table(("test", "metric"), heads, shown))


def figures(score: Score) -> dict[str, float]:
    """The score as the toolkit writes it."""
    return dict(zip(FIGURES, (score.precision, score.recall, score.f), strict=True))


def _table(lines: Sequence[Line], layout: Layout) -> Table:
    by_line = [list(_rows(line, layout)) for line in lines]
    paired = any(line.reference for line in lines)
    names = [] if layout.single else ["name", "reference"] if paired else ["name"]
    rows = []
    for measures in zip(*by_line, strict=True):
        for line, (metric, measure, *figures) in zip(lines, measures, strict=True):
            own = [line.name, line.reference][: len(names)]
            cells = [Cell(f"{figure:.{layout.digits}f}") for figure in figures]
            rows.append(Row([metric, measure, *map(visible, own)], cells))
    return Table(["metric", "", *names], ["P", "R", "F"], rows)


def _rows(line: Line, layout: Layout) -> Iterator[tuple[str, str, float, float, float]]:
    """Each measure of a line: metric, ROUGE-N, precision, recall, F."""
    for metric, name in layout.names.items():
        for n, score in enumerate(line.scores[metric], 1):
            yield name, f"ROUGE-{n}", score.precision, score.recall, score.f
    yield DATES, "", line.dates.precision, line.dates.recall, line.dates.f


def _record(line: Line, layout: Layout) -> Record:
    record: Record = {}
    if not layout.single:
        record["name"] = line.name
        if line.reference:
            record["reference"] = line.reference
    for metric, name in layout.names.items():
        record[name] = _by_n(line.scores[metric])
    record[DATES] = figures(line.dates)
    if layout.alignments and line.alignments:
        record["alignments"] = _nested(line, layout)
    return {**record, "signature": layout.signature}


def _by_n(scores: Sequence[Score]) -> Record:
    return {f"rouge_{n}": figures(score) for n, score in enumerate(scores, 1)}


def _matched(line: Line, layout: Layout) -> Iterator[tuple[str, str, str | None, str | None, Link | None]]:
    """Each day of each metric: its name, the figure, the dates of both sides, and the link if any."""
    for metric, aligned in line.alignments.items():
        name = layout.names[metric]
        linked = {link.prediction: link for link in aligned.precision}
        for day in line.days[0]:
            link = linked.get(day)
            yield name, FIGURES[0], str(day), str(link.reference) if link else None, link
        linked = {link.reference: link for link in aligned.recall}
        for day in line.days[1]:
            link = linked.get(day)
            yield name, FIGURES[1], str(link.prediction) if link else None, str(day), link


def _nested(line: Line, layout: Layout) -> Record:
    found: Record = {}
    for name, figure, ours, theirs, link in _matched(line, layout):
        record: Record = {"prediction": ours, "reference": theirs}
        if link:
            matches = {f"rouge_{n}": match for n, match in enumerate(link.matches, 1)}
            record |= {"cost": link.cost, "weight": link.weight, "matches": matches}
        found.setdefault(name, {}).setdefault(figure, []).append(record)
    return found


def _alignments(line: Line, layout: Layout) -> Table:
    longest = max(map(len, line.scores.values()))
    heads = ["cost", "weight", *(f"ROUGE-{n} matches" for n in range(1, longest + 1))]
    rows = []
    for name, figure, ours, theirs, link in _matched(line, layout):
        values = [""] * len(heads)
        if link:
            costs = [f"{value:.{layout.digits}f}" for value in (link.cost, link.weight)]
            values = [*costs, *(f"{match:g}" for match in link.matches)]
        rows.append(Row([name, figure, ours or "-", theirs or "-"], list(map(Cell, values))))
    return Table(["metric", "for", "prediction", "reference"], heads, rows)
