"""Scores of timelines (metrics, date selection, alignments of days), and tests of
these metrics.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from rouge_cli.core import Score
from rouge_cli.errors import UsageError
from rouge_cli.results import base
from rouge_cli.results.base import (
    Cell,
    Layout,
    Presentable,
    Record,
    Row,
    Table,
    visible,
)

if TYPE_CHECKING:
    from datetime import date

    from typing_extensions import Unpack

    from rouge_cli.dialects.tilse.counts import Aligned, Link
    from rouge_cli.results.base import LayoutFields

# The names and the order of the toolkit tilse.
FIGURES = ("precision", "recall", "f_score")
DATES = "date_selection"


class Line(NamedTuple):
    """The scores of one prediction, or the average of several."""

    name: str
    reference: str
    scores: Mapping[str, Sequence[Score]]  # metric -> scores for n = 1, 2, ...
    dates: Score  # the score of date selection
    # Metric -> links between days; empty for an average
    alignments: Mapping[str, Aligned] = {}
    # The days of the prediction, and the days of the references; empty for an average.
    days: tuple[Sequence[date], Sequence[date]] = ((), ())


@dataclass(frozen=True, slots=True, repr=False)
class Timelines(Presentable):
    """The scores of timelines; a single line has no name."""

    kind = "timeline"
    indent = 2

    lines: Sequence[Line]
    names: Mapping[str, str]  # metric -> its printed name
    alignments: bool  # True to show the alignments of days
    signature: str

    @property
    def single(self) -> bool:
        """Return True if there is only one line."""
        return len(self.lines) == 1

    def to_dict(self, **layout: Unpack[LayoutFields]) -> str:
        """Return the toolkit's dictionaries of the single line, as Python prints
        them.
        """
        return self.to("dict", **layout)

    def tables(self, layout: Layout) -> Iterator[Table]:
        """Yield a table of scores, then the alignments; the rows of one metric are
        together.
        """
        paired = any(line.reference for line in self.lines)
        names = [] if self.single else ["name", "reference"] if paired else ["name"]
        rows = []
        for measures in zip(*map(self._measures, self.lines), strict=True):
            for line, (metric, measure, *values) in zip(
                self.lines, measures, strict=True
            ):
                own = map(visible, (line.name, line.reference)[: len(names)])
                cells = [Cell(f"{value:.{layout.digits}f}") for value in values]
                rows.append(Row([metric, measure, *own], cells))
        yield Table(["metric", "", *names], ["P", "R", "F"], rows)
        for line in self.lines:
            if self.alignments and line.alignments:
                yield self._alignments(line, layout)

    def _alignments(self, line: Line, layout: Layout) -> Table:
        longest = max(map(len, line.scores.values()))
        heads = [
            "cost",
            "weight",
            *(f"ROUGE-{n} matches" for n in range(1, longest + 1)),
        ]
        rows = []
        for metric, measure, predicted, referenced, link in self._matched_days(line):
            values = [""] * len(heads)
            if link:
                costs = [
                    f"{value:.{layout.digits}f}" for value in (link.cost, link.weight)
                ]
                values = [*costs, *(f"{match:g}" for match in link.matches)]
            names = [
                metric,
                measure,
                predicted or base.NOTHING,
                referenced or base.NOTHING,
            ]
            rows.append(Row(names, list(map(Cell, values))))
        of_line = ("", "") if self.single else (line.name, line.reference)
        caption = " ".join(["alignments", *(visible(name) for name in of_line if name)])
        return Table(
            ["metric", "for", "prediction", "reference"], heads, rows, f"{caption}:"
        )

    def document(self, _: Layout) -> Record | list[Record]:
        """Return the record of a single line, or a list of records; unrounded."""
        records = [self._record(line) for line in self.lines]
        return records[0] if self.single else records

    def _record(self, line: Line) -> Record:
        record: Record = {} if self.single else {"name": line.name}
        if line.reference and not self.single:
            record["reference"] = line.reference
        record |= {
            name: by_length(line.scores[metric]) for metric, name in self.names.items()
        }
        record[DATES] = figures(line.dates)
        if self.alignments and line.alignments:
            nested: Record = {}
            for metric, measure, predicted, referenced, link in self._matched_days(
                line
            ):
                day: Record = {"prediction": predicted, "reference": referenced}
                if link:
                    matches = {
                        f"rouge_{n}": match for n, match in enumerate(link.matches, 1)
                    }
                    day |= {
                        "cost": link.cost,
                        "weight": link.weight,
                        "matches": matches,
                    }
                nested.setdefault(metric, {}).setdefault(measure, []).append(day)
            record["alignments"] = nested
        return {**record, "signature": self.signature}

    def _measures(self, line: Line) -> Iterator[tuple[str, str, float, float, float]]:
        """Yield the scores of a line: metric, ROUGE-N, precision, recall, F."""
        for metric, name in self.names.items():
            for n, score in enumerate(line.scores[metric], 1):
                yield name, f"ROUGE-{n}", score.precision, score.recall, score.f
        yield DATES, "", line.dates.precision, line.dates.recall, line.dates.f

    def _matched_days(
        self, line: Line
    ) -> Iterator[tuple[str, str, str | None, str | None, Link | None]]:
        """Yield each day of each metric: metric, `precision` or `recall`, both dates,
        and the link if any.

        The dates are the prediction's and the reference's; a date is None if the day is
        not linked.
        """
        for metric, aligned in line.alignments.items():
            # Precision is computed over the days of the prediction, recall over the
            # days of the references.
            for side, (links, days) in enumerate(zip(aligned, line.days, strict=True)):
                by_day = {link[side]: link for link in links}
                for day in days:
                    link = by_day.get(day)
                    dates = link[:2] if link else (None, day) if side else (day, None)
                    predicted, referenced = (
                        str(date) if date else None for date in dates
                    )
                    yield self.names[metric], FIGURES[side], predicted, referenced, link

    def rows(self, _: Layout) -> Iterator[Sequence[object]]:
        """Yield a row for each line and metric, unrounded."""
        yield ["name", "reference", "metric", "rouge", *FIGURES, "signature"]
        for line in self.lines:
            yield from (
                [*line[:2], *measure, self.signature]
                for measure in self._measures(line)
            )

    def dictionaries(self, _: Layout) -> Iterator[Record]:
        """Yield the toolkit's dictionary for each metric of the only line; raise
        UsageError for several.
        """
        if not self.single:
            what = "a dict can contain only one prediction with its pooled references"
            raise UsageError(what, remedy="use jsonl")
        yield from (by_length(self.lines[0].scores[metric]) for metric in self.names)


def figures(score: Score) -> dict[str, float]:
    """Return the score under the toolkit's keys."""
    return dict(zip(FIGURES, (score.precision, score.recall, score.f), strict=True))


def by_length(scores: Sequence[Score]) -> Record:
    """Return the scores for n = 1, 2, ... under the toolkit's keys."""
    return {f"rouge_{n}": figures(score) for n, score in enumerate(scores, 1)}


@dataclass(frozen=True, slots=True, repr=False)
class Battery(Presentable):
    """Tests of timeline metrics: scores of timelines with one change, against the
    unchanged timelines.
    """

    kind = "battery"
    indent = 2

    # (test, metric, n) -> the mean over the timelines
    scores: Mapping[tuple[str, str, int], Score]
    timelines: int
    signature: str

    def tables(self, layout: Layout) -> Iterator[Table]:
        """Yield a table for each n, like table 2 of the paper: the differences of
        the scores from 1.
        """
        for n in sorted({n for _, _, n in self.scores}):
            rows, before = [], ""
            for (test, metric, length), score in self.scores.items():
                if length != n:
                    continue
                # `or 0.0` replaces a negative zero, which would be printed as -0.
                values = [
                    round(value - 1, layout.digits) or 0.0
                    for value in figures(score).values()
                ]
                cells = [Cell(f"{value:.{layout.digits}f}") for value in values]
                rows.append(Row(("" if test == before else test, metric), cells))
                before = test
            yield Table(
                ("test", "metric"),
                [f"ROUGE-{n} {change}" for change in ("dP", "dR", "dF")],
                rows,
            )

    def notes(self, _: Layout) -> Sequence[str]:
        """Return the meaning of the numbers."""
        return (f"differences to 1; timelines: {self.timelines}",)

    def document(self, _: Layout) -> Record:
        """Return the scores by test, metric and n, unrounded."""
        tests: Record = {}
        for (test, metric, n), score in self.scores.items():
            tests.setdefault(test, {}).setdefault(metric, {})[f"rouge_{n}"] = figures(
                score
            )
        return {
            "timelines": self.timelines,
            "signature": self.signature,
            "tests": tests,
        }

    def rows(self, _: Layout) -> Iterator[Sequence[object]]:
        """Yield a row for each test, metric and n: scores, not differences,
        unrounded.
        """
        yield ["test", "metric", "rouge", *FIGURES, "signature"]
        for (test, metric, n), score in self.scores.items():
            yield [test, metric, f"ROUGE-{n}", *figures(score).values(), self.signature]
