"""Scores of timelines (metrics, date selection, alignments of days), and tests of
these metrics.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from rouge_cli.core import Score
from rouge_cli.errors import UsageError
from rouge_cli.results import printed
from rouge_cli.results.base import Layout, Presentable, Record
from rouge_cli.results.printed import Cell, Row, Table, visible

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
    # The days of the prediction, and of the references; both are empty for an average
    predicted_days: Sequence[date] = ()
    reference_days: Sequence[date] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Timelines(Presentable):
    """The scores of timelines; a single line has no name."""

    kind = "timeline"
    indent = 2
    heads = ("name", "reference", "metric", "rouge", *FIGURES, "signature")

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
        heads = ["metric", ""]
        has_names = not self.single
        has_references = has_names and any(line.reference for line in self.lines)
        if has_names:
            heads.append("name")
        if has_references:
            heads.append("reference")

        rows = []
        for measures in zip(*map(self._measures, self.lines), strict=True):
            for line, (metric, measure, score) in zip(
                self.lines, measures, strict=True
            ):
                names = [metric, measure]
                if has_names:
                    names.append(visible(line.name))
                if has_references:
                    names.append(visible(line.reference))
                values = figures(score).values()
                cells = [Cell(f"{value:.{layout.digits}f}") for value in values]
                rows.append(Row(names, cells))
        yield Table(heads, ["P", "R", "F"], rows)
        for line in self.lines:
            if self.alignments and line.alignments:
                yield self._alignments(line, layout)

    def _alignments(self, line: Line, layout: Layout) -> Table:
        """Return the table of the days of a line, with the days they are linked to."""
        heads = ["cost", "weight"]
        longest = max(map(len, line.scores.values()))
        for n in range(1, longest + 1):
            heads.append(f"ROUGE-{n} matches")

        rows = []
        for metric, measure, predicted, referenced, link in self._matched_days(line):
            names = [
                metric,
                measure,
                predicted or printed.NOTHING,
                referenced or printed.NOTHING,
            ]
            cells = [Cell("")] * len(heads)
            if link:
                cells = [
                    Cell(f"{link.cost:.{layout.digits}f}"),
                    Cell(f"{link.weight:.{layout.digits}f}"),
                ]
                for match in link.matches:
                    cells.append(Cell(f"{match:g}"))
            rows.append(Row(names, cells))

        caption = "alignments"
        if not self.single:
            for name in (line.name, line.reference):
                if name:
                    caption += f" {visible(name)}"
        return Table(
            names=["metric", "for", "prediction", "reference"],
            numbers=heads,
            rows=rows,
            caption=f"{caption}:",
        )

    def document(self, _: Layout) -> Record | list[Record]:
        """Return the record of a single line, or a list of records; unrounded."""
        records = [self._record(line) for line in self.lines]
        return records[0] if self.single else records

    def _record(self, line: Line) -> Record:
        record: Record = {}
        if not self.single:
            record["name"] = line.name
            if line.reference:
                record["reference"] = line.reference
        for metric, name in self.names.items():
            record[name] = by_length(line.scores[metric])
        record[DATES] = figures(line.dates)
        if self.alignments and line.alignments:
            record["alignments"] = self._days_by_metric(line)
        record["signature"] = self.signature
        return record

    def _days_by_metric(self, line: Line) -> Record:
        """Return metric -> `precision` or `recall` -> the records of all days."""
        nested: Record = {}
        for metric, measure, predicted, referenced, link in self._matched_days(line):
            day: Record = {"prediction": predicted, "reference": referenced}
            if link:
                day["cost"] = link.cost
                day["weight"] = link.weight
                day["matches"] = {
                    f"rouge_{n}": match for n, match in enumerate(link.matches, 1)
                }
            nested.setdefault(metric, {}).setdefault(measure, []).append(day)
        return nested

    def _measures(self, line: Line) -> Iterator[tuple[str, str, Score]]:
        """Yield the scores of a line: metric, ROUGE-N, score."""
        for metric, name in self.names.items():
            for n, score in enumerate(line.scores[metric], 1):
                yield name, f"ROUGE-{n}", score
        yield DATES, "", line.dates

    def _matched_days(
        self, line: Line
    ) -> Iterator[tuple[str, str, str | None, str | None, Link | None]]:
        """Yield each day of each metric: metric, `precision` or `recall`, both dates,
        and the link if any.

        The dates are the prediction's and the reference's; a date is None if the day is
        not linked.
        """
        for metric, aligned in line.alignments.items():
            name = self.names[metric]

            # Precision is computed over the days of the prediction.
            links = {link.prediction: link for link in aligned.precision}
            for day in line.predicted_days:
                link = links.get(day)
                other = str(link.reference) if link else None
                yield name, "precision", str(day), other, link

            # Recall is computed over the days of the references.
            links = {link.reference: link for link in aligned.recall}
            for day in line.reference_days:
                link = links.get(day)
                other = str(link.prediction) if link else None
                yield name, "recall", other, str(day), link

    def entries(self, _: Layout) -> Iterator[Record]:
        """Yield a record for each line and metric, unrounded."""
        for line in self.lines:
            for metric, measure, score in self._measures(line):
                yield {
                    "name": line.name,
                    "reference": line.reference,
                    "metric": metric,
                    "rouge": measure,
                    **figures(score),
                    "signature": self.signature,
                }

    def dictionaries(self, _: Layout) -> Iterator[Record]:
        """Yield the toolkit's dictionary for each metric of the only line; raise
        UsageError for several.
        """
        if not self.single:
            what = "a dict can contain only one prediction with its pooled references"
            raise UsageError(what, remedy="use jsonl")
        (line,) = self.lines
        for metric in self.names:
            yield by_length(line.scores[metric])


def figures(score: Score) -> dict[str, float]:
    """Return the score under the toolkit's keys."""
    return {"precision": score.precision, "recall": score.recall, "f_score": score.f}


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
    heads = ("test", "metric", "rouge", *FIGURES, "signature")

    # (test, metric, n) -> the mean over the timelines
    scores: Mapping[tuple[str, str, int], Score]
    timelines: int
    signature: str

    def tables(self, layout: Layout) -> Iterator[Table]:
        """Yield a table for each n, like table 2 of the paper: the differences of
        the scores from 1.
        """
        for n in sorted({n for _, _, n in self.scores}):
            rows = []
            before = ""
            for (test, metric, length), score in self.scores.items():
                if length != n:
                    continue
                cells = []
                for value in figures(score).values():
                    # `or 0.0` replaces a negative zero, which would be printed as -0.
                    change = round(value - 1, layout.digits) or 0.0
                    cells.append(Cell(f"{change:.{layout.digits}f}"))
                rows.append(Row(("" if test == before else test, metric), cells))
                before = test
            heads = [f"ROUGE-{n} {change}" for change in ("dP", "dR", "dF")]
            yield Table(("test", "metric"), heads, rows)

    def notes(self, _: Layout) -> Sequence[str]:
        """Return the meaning of the numbers."""
        return (f"differences to 1; timelines: {self.timelines}",)

    def document(self, _: Layout) -> Record:
        """Return the scores by test, metric and n, unrounded."""
        tests: Record = {}
        for (test, metric, n), score in self.scores.items():
            by_metric = tests.setdefault(test, {})
            by_metric.setdefault(metric, {})[f"rouge_{n}"] = figures(score)
        return {
            "timelines": self.timelines,
            "signature": self.signature,
            "tests": tests,
        }

    def entries(self, _: Layout) -> Iterator[Record]:
        """Yield a record for each test, metric and n: scores, not differences,
        unrounded.
        """
        for (test, metric, n), score in self.scores.items():
            yield {
                "test": test,
                "metric": metric,
                "rouge": f"ROUGE-{n}",
                **figures(score),
                "signature": self.signature,
            }
