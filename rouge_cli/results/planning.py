"""The plan of a comparison: the evals that a table of systems needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Annotated, ClassVar, NamedTuple

from rouge_cli.results import base, printed
from rouge_cli.results.base import Drawable, Layout
from rouge_cli.results.comparison import Plan
from rouge_cli.results.printed import Row, Table, pluralize, visible
from rouge_cli.results.study_settings import (
    LEVEL,
    MOST_DRAWS,
    SEED,
    SIGNIFICANCE,
    Real,
    Whole,
)

_DETECT = Real("Difference to find, in 0.01 of a score (default {}).")
_POWER = Real("Probability of finding it (default {}).", 1)
_SUBSETS = Whole("Subsets of each size (default {}).", 1, MOST_DRAWS)


class Goal(NamedTuple):
    """The settings of a plan."""

    detect: Annotated[float, _DETECT] = 1.0
    power: Annotated[float, _POWER] = 0.8
    level: Annotated[float, LEVEL] = SIGNIFICANCE
    # The system that all others are compared with; None for all pairs
    baseline: str | None = None
    trials: Annotated[int, _SUBSETS] = 1000
    seed: Annotated[int, SEED] = 0


class PlannedPair(NamedTuple):
    """Two systems by one metric. Differences are in points, 0.01 of a score."""

    name: str  # of the metric
    system: str
    other: str
    evals: int  # the evals that both have
    # The number of clusters of these evals; None if evals are independent
    clusters: int | None
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
    # The evals that find the difference in every pair, after the correction
    needed_all: float
    smaller: int  # pairs whose difference is smaller than what their evals can find


class Stability(NamedTuple):
    """How often subsets of the evals rank systems as all evals do (Lin 2004,
    "Looking for a few...").
    """

    name: str  # of the metric
    evals: float  # in each subset; with clusters, their mean number
    kept: float  # the share of subsets that keep the order of a pair, mean over pairs
    least: float  # the same for the pair that changes most often
    ranking: float  # the share of subsets with the ranking by all evals


@dataclass(frozen=True, slots=True, repr=False)
class Planning(Drawable):
    """The evals that a table of systems needs."""

    kind = "plan"
    schema = "rouge-cli plan 1"
    settings = "goal"
    lists: ClassVar = {"metrics": "metrics", "pairs": "pairs", "stability": "stability"}
    listed = "pairs"

    goal: Goal
    metrics: Sequence[PlannedMetric]
    pairs: Sequence[PlannedPair]
    stability: Sequence[Stability]
    signature: str = ""

    def tables(self, layout: Layout) -> Iterator[Table]:
        """Yield tables of the metrics, of the pairs and of subsets."""
        yield self._metric_table()
        yield self._pair_table(layout)
        if self.stability:
            yield self._stability_table()

    def _metric_table(self) -> Table:
        detect = _points(self.goal.detect)
        heads = (
            "evals",
            "SD",
            "finds",
            "finds corrected",
            f"evals for {detect}",
            "evals for all pairs",
        )
        rows = []
        for metric in self.metrics:
            cells = [
                printed.cell(metric.evals, ".0f"),
                printed.cell(metric.deviation, ".2f"),
                printed.cell(metric.detectable, ".2f"),
                printed.cell(metric.detectable_corrected, ".2f"),
                printed.cell(metric.needed, ",.0f"),
                printed.cell(metric.needed_all, ",.0f"),
            ]
            rows.append(Row([visible(metric.name)], cells))
        return Table(("metric",), heads, rows)

    def _pair_table(self, layout: Layout) -> Table:
        detect = f"{self.goal.detect:g}"
        heads = (
            "difference",
            "evals",
            "SD",
            f"power for {detect}",
            "finds",
            f"evals for {detect}",
            "corrected",
        )
        rows = []
        for pair in self.pairs[: layout.most]:
            names = [visible(pair.name), visible(pair.system), visible(pair.other)]
            cells = [
                printed.cell(pair.difference, "+.2f"),
                printed.cell(pair.evals, ".0f"),
                printed.cell(pair.deviation, ".2f"),
                printed.cell(pair.power, ".2f"),
                printed.cell(pair.detectable, ".2f"),
                printed.cell(pair.needed, ",.0f"),
                printed.cell(pair.needed_corrected, ",.0f"),
            ]
            rows.append(Row(names, cells))
        remark = base.left_out(self.pairs, layout)
        return Table(("metric", "system", "minus"), heads, rows, remark=remark)

    def _stability_table(self) -> Table:
        heads = ("pairs in order", "worst pair", "same ranking")
        rows = []
        for row in self.stability:
            cells = [
                printed.cell(row.kept, ".3f"),
                printed.cell(row.least, ".3f"),
                printed.cell(row.ranking, ".3f"),
            ]
            rows.append(Row([visible(row.name), f"{row.evals:.4g}"], cells))
        return Table(("metric", "evals"), heads, rows)

    def notes(self, _: Layout) -> Iterator[str]:
        """Yield the result in words, and how it was computed."""
        goal = self.goal
        for metric in self.metrics:
            if isfinite(metric.needed):
                name, pairs = visible(metric.name), pluralize(metric.pairs, "pair")
                least = f"differences of about {metric.detectable:.2g} points"
                needs = (
                    f"a difference of {goal.detect:g} needs about {metric.needed:,.0f}"
                )
                yield (
                    f"{name}: {metric.evals} evals find {least}; {needs} (median of"
                    f" {pairs})"
                )
                yield (
                    f"{name}: pairs that differ by less than these evals find:"
                    f" {metric.smaller}"
                )
        yield "differences and standard deviations (SD) are in points, 0.01 of a score"
        yield _finds(goal)
        comparisons = self.metrics[0].comparisons if self.metrics else 0
        level = (
            f"p < {goal.level:g} / {pluralize(comparisons, 'comparison')}, the first"
            " step of Holm's"
        )
        yield f"corrected, all pairs: {level}"
        trials = 10 * comparisons / goal.level
        if trials > Plan().trials:
            yield (
                f"for this power after the correction, compare needs --trials"
                f" {trials:.0f} or more"
            )
        if self.pairs and self.pairs[0].clusters is not None:
            yield (
                f"clusters: {self.pairs[0].clusters}; more evals are more clusters of"
                " the same mean size"
            )
        if self.stability:
            yield (
                f"in order: share of {goal.trials} subsets of that many evals, seed"
                f" {goal.seed}"
            )


class Assumption(NamedTuple):
    """The settings of a plan without data."""

    # The standard deviation of the differences of two systems in evals, in points
    sd: float
    detect: Annotated[float, _DETECT] = 1.0
    power: Annotated[float, _POWER] = 0.8
    level: Annotated[float, LEVEL] = SIGNIFICANCE


class PlannedSize(NamedTuple):
    """What a number of evals finds, in points."""

    evals: int
    power: float  # the probability that they find the difference to detect
    detectable: float  # the least difference that they find; inf if they find none


@dataclass(frozen=True, slots=True, repr=False)
class AssumedPlanning(base.Presentable):
    """The evals that a comparison needs if differences vary as assumed."""

    kind = "plan"
    schema = "rouge-cli plan without data 1"
    settings = "assumption"
    lists: ClassVar = {"sizes": "sizes"}
    listed = "sizes"

    assumption: Assumption
    needed: float  # the evals that find the difference; inf if no number does
    sizes: Sequence[PlannedSize]
    signature: str = ""

    def document(self, layout: Layout) -> base.Record:
        """Return the assumption, the evals that are needed, and what others find."""
        document: base.Record = super(AssumedPlanning, self).document(layout)
        sizes = document.pop("sizes")
        needed = base.number(self.needed)
        return {**document, "needed": needed, "sizes": base.plain(sizes)}

    def tables(self, _: Layout) -> Iterator[Table]:
        """Yield the table of numbers of evals."""
        heads = (f"power for {self.assumption.detect:g}", "finds")
        rows = []
        for size in self.sizes:
            cells = [
                printed.cell(size.power, ".2f"),
                printed.cell(size.detectable, ".2f"),
            ]
            rows.append(Row([f"{size.evals:,}"], cells))
        yield Table(("evals",), heads, rows)

    def notes(self, _: Layout) -> Iterator[str]:
        """Yield the result in words, and what it assumes."""
        goal = self.assumption
        needs = "no number of evals finds it"
        if isfinite(self.needed):
            needs = f"about {self.needed:,.0f} evals"
        yield (
            f"a difference of {_points(goal.detect)}, if differences in evals have a"
            f" standard deviation of {goal.sd:g}: {needs}"
        )
        yield _finds(goal)
        yield (
            "the standard deviation is of one pair of systems, without a correction for"
            " several; a plan with a pilot run prints it as SD: rouge-cli plan INPUT"
        )


def _points(difference: float) -> str:
    """Return a difference with its unit."""
    return "1 point" if difference == 1 else f"{difference:g} points"


def _finds(goal: Goal | Assumption) -> str:
    """Return the note on the column `finds`."""
    chance = f"with probability {goal.power:g}, two-sided p < {goal.level:g}"
    test = "by randomization, of normal differences"
    return f"finds: the least difference that is found {chance} {test}"
