"""A plan of an evaluation: how many evals find a difference, and how stable the ranking is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import NamedTuple

from rouge_cli.results import Layout, _tables
from rouge_cli.results._presentation import Presentable, Record, plain, record, signed_rows
from rouge_cli.results._tables import NOTHING, Cell, Row, Table, pluralize, visible


class Goal(NamedTuple):
    """The settings of a plan."""

    detect: float = 1.0  # the difference to find, in points
    power: float = 0.8  # the probability of finding it
    level: float = 0.05  # the significance level
    baseline: str | None = None  # the system that all others are compared with; None for all pairs
    trials: int = 1000  # subsets of each size
    seed: int = 0


class PlannedPair(NamedTuple):
    """Two systems by one metric. Differences are in points, 0.01 of a score."""

    name: str  # of the metric
    system: str
    other: str
    evals: int  # the evals that both have
    clusters: int | None  # the number of clusters of these evals; None if evals are independent
    difference: float  # the mean of `system` minus the mean of `other`
    deviation: float  # the standard deviation of the differences in evals (or clusters)
    power: float  # the probability that these evals find the difference to detect
    detectable: float  # the least difference that these evals find
    needed: float  # the evals that find the difference to detect; inf if no number does
    needed_corrected: float  # the same after a correction for all comparisons


class PlannedMetric(NamedTuple):
    """The plan for one metric, in points."""

    name: str
    pairs: int
    comparisons: int  # of the whole table: the pairs of all metrics
    evals: int
    deviation: float  # the median over pairs, as the next three
    detectable: float
    detectable_corrected: float
    needed: float
    needed_all: float  # the evals that find the difference in every pair, after the correction
    smaller: int  # pairs whose difference is smaller than what their evals can find


class Stability(NamedTuple):
    """How often subsets of the evals rank systems as all evals do (Lin 2004, "Looking for a few...")."""

    name: str  # of the metric
    evals: float  # in each subset; with clusters, their mean number
    kept: float  # the share of subsets that keep the order of a pair, mean over pairs
    least: float  # the same for the pair that changes most often
    ranking: float  # the share of subsets with the ranking by all evals


@dataclass(frozen=True, slots=True, repr=False)
class Planning(Presentable):
    """The evals that a table of systems needs."""

    kind = "plan"

    goal: Goal
    metrics: Sequence[PlannedMetric]
    pairs: Sequence[PlannedPair]
    stability: Sequence[Stability]
    signature: str = ""

    def tables(self, layout: Layout) -> Iterator[Table]:
        """Yield tables of the metrics, of the pairs and of subsets."""
        goal = self.goal
        found = f"{goal.detect:g} point{'' if goal.detect == 1 else 's'}"
        heads = ("evals", "SD", "finds", "finds corrected", f"evals for {found}", "evals for all pairs")
        yield Table(("metric",), heads, [_metric_row(metric) for metric in self.metrics])
        rows = []
        for pair in self.pairs[: layout.most]:
            cells = [_points(pair.difference, "+"), Cell(str(pair.evals)), _points(pair.deviation)]
            cells += [Cell(f"{pair.power:.2f}"), _points(pair.detectable), _count(pair.needed)]
            rows.append(Row(tuple(map(visible, pair[:3])), [*cells, _count(pair.needed_corrected)]))
        columns = ["difference", "evals", "SD", f"power for {goal.detect:g}", "finds"]
        columns += [f"evals for {goal.detect:g}", "corrected"]
        remark = _tables.left_out(self.pairs, layout)
        yield Table(("metric", "system", "minus"), columns, rows, remark=remark)
        rows = [
            Row((visible(row.name), f"{row.evals:.4g}"), [Cell(f"{share:.3f}") for share in row[2:]])
            for row in self.stability
        ]
        if rows:
            yield Table(("metric", "evals"), ("pairs in order", "worst pair", "same ranking"), rows)

    def notes(self, _: Layout) -> Iterator[str]:
        """Yield the result in words, and how it was computed."""
        goal = self.goal
        for metric in self.metrics:
            if isfinite(metric.needed):
                name, pairs = visible(metric.name), pluralize(metric.pairs, "pair")
                least = f"differences of about {metric.detectable:.2g} points"
                needs = f"a difference of {goal.detect:g} needs about {_count(metric.needed).value}"
                yield f"{name}: {metric.evals} evals find {least}; {needs} (median of {pairs})"
                yield f"{name}: pairs that differ by less than these evals find: {metric.smaller}"
        yield "differences and standard deviations (SD) are in points, 0.01 of a score"
        found = f"with probability {goal.power:g}, two-sided p < {goal.level:g}"
        yield f"finds: the least difference that is found {found}"
        comparisons = self.metrics[0].comparisons if self.metrics else 0
        level = f"p < {goal.level:g} / {pluralize(comparisons, 'comparison')}, the first step of Holm's"
        yield f"corrected, all pairs: {level}"
        if self.pairs and self.pairs[0].clusters is not None:
            yield f"clusters: {self.pairs[0].clusters}; more evals are more clusters of the same mean size"
        if self.stability:
            yield f"in order: share of {goal.trials} subsets of that many evals, seed {goal.seed}"

    def document(self, _: Layout) -> Record:
        """Return everything, unrounded; a number of evals is null if no number suffices."""
        return {
            "schema": "rouge-cli plan 1",
            "signature": self.signature,
            "short_signature": self.short_signature,
            **self.goal._asdict(),
            "metrics": [plain(record(metric, name="metric")) for metric in self.metrics],
            "pairs": [plain(record(pair, name="metric")) for pair in self.pairs],
            "stability": [record(row, name="metric") for row in self.stability],
        }

    def rows(self, _: Layout) -> Iterator[Sequence[object]]:
        """Yield a row for each pair, unrounded."""
        yield from signed_rows((plain(record(pair, name="metric")) for pair in self.pairs), self.signature)


def _metric_row(metric: PlannedMetric) -> Row:
    cells = [_points(size) for size in (metric.deviation, metric.detectable, metric.detectable_corrected)]
    counts = [_count(metric.needed), _count(metric.needed_all)]
    return Row((visible(metric.name),), [Cell(str(metric.evals)), *cells, *counts])


def _points(value: float, sign: str = "") -> Cell:
    return Cell(f"{value:{sign}.2f}" if isfinite(value) else NOTHING)


def _count(value: float) -> Cell:
    return Cell(f"{value:,.0f}" if isfinite(value) else NOTHING)
