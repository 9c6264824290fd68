"""Correlations with human scores: of metrics, with Williams' tests, and of ranked
variants of ROUGE.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import isnan
from typing import TYPE_CHECKING, NamedTuple

from rouge_cli.core import Estimate
from rouge_cli.results import base
from rouge_cli.results.base import (
    Cell,
    Drawable,
    Layout,
    Paged,
    Record,
    Row,
    Table,
    visible,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

COEFFICIENTS = ("pearson", "spearman", "kendall")
LEVELS = ("system", "summary", "pooled")
RESAMPLED = ("evals", "systems", "both")
ALL_SUMMARIZERS, SYSTEMS_ONLY = "all", "systems"
_FORM = ".4f"  # of correlations in tables


class CorrelationPlan(NamedTuple):
    """The settings of correlations."""

    levels: Sequence[str] = LEVELS
    coefficients: Sequence[str] = COEFFICIENTS
    over: str = "both"  # what the bootstrap resamples, one of RESAMPLED
    samples: int = 1000  # of the bootstrap; 0 for no intervals
    seed: int = 0
    confidence: float = 95.0  # of the intervals, in percent
    clusters: int | None = (
        None  # the number of clusters that are drawn; None if evals are drawn
    )


class Points(NamedTuple):
    """The scores that are correlated: arrays of systems x evals, with nan for
    missing scores.
    """

    metric: str
    human: str  # the human measure
    summarizers: str  # ALL_SUMMARIZERS, or SYSTEMS_ONLY if people are left out
    systems: Sequence[str]
    x: NDArray[np.float64]  # the metric's scores
    y: NDArray[np.float64]  # the human scores
    humans: frozenset[str]  # the systems that are people
    whole_systems: bool  # True if people judged whole systems, not single summaries
    # System -> its means of both scores, over the evals that have both
    means: Mapping[str, tuple[float, float]] = {}
    clusters: Sequence[
        str
    ] = ()  # the cluster of each eval; empty if evals are independent


class Correlation(NamedTuple):
    """One correlation."""

    metric: str
    human: str  # the human measure
    summarizers: str  # ALL_SUMMARIZERS, or SYSTEMS_ONLY
    level: str
    coefficient: str
    value: Estimate  # the coefficient with its interval; nan if undefined
    # the number of correlated points; on the summary level, the number of evals
    points: int
    undefined: int  # the number of bootstrap samples without a correlation
    reason: str  # why the value is nan, or what was left out


class Williams(NamedTuple):
    """Williams' test: do two metrics differ in Pearson's r with the same human
    scores (system level)?
    """

    human: str  # the human measure
    summarizers: str  # ALL_SUMMARIZERS, or SYSTEMS_ONLY
    first: str  # a metric
    second: str  # the other metric
    r_first: float  # the correlation of the first metric with the human scores
    r_second: float  # the correlation of the second metric with the human scores
    r_between: float  # the correlation of the two metrics
    systems: int  # their number
    t: float
    p: float  # two-sided
    reason: str  # why t and p are nan


@dataclass(frozen=True, slots=True, repr=False)
class Correlations(Drawable):
    """Correlations, Williams' tests, and the points that both are computed from."""

    kind, listed = (
        "correlation",
        "correlations",
    )  # Williams' tests are in formats with several lists

    plan: CorrelationPlan
    correlations: Sequence[Correlation]
    williams: Sequence[Williams]
    points: Sequence[Points]
    signature: str = ""

    def tables(self, _: Layout) -> Iterator[Table]:
        """Yield a table of correlations, then a table of Williams' tests if there are
        any.

        The table of correlations has a row for each metric, human measure, choice of
        summarizers and level.
        """
        rows = []
        for names, correlations in self._by_level():
            points = sorted({correlation.points for correlation in correlations})
            cells = [
                base.cell(correlation.value, _FORM) for correlation in correlations
            ]
            rows.append(Row(names, [*cells, Cell("-".join(map(str, points)))]))
        yield Table(
            ("metric", "human", "summarizers", "level"),
            (*self.plan.coefficients, "n"),
            rows,
        )
        if self.williams:
            rows = []
            for test in self.williams:
                cells = [
                    base.cell(r, _FORM)
                    for r in (test.r_first, test.r_second, test.r_between)
                ]
                cells += [
                    Cell(str(test.systems)),
                    base.cell(test.t, ".2f"),
                    Cell(base.p_value(test.p)),
                ]
                rows.append(Row(tuple(map(visible, test[:4])), cells))
            heads = ("r first", "r second", "r between", "n", "Williams t", "p")
            yield Table(("human", "summarizers", "first", "second"), heads, rows)

    def ranked(self) -> Correlations:
        """Return the same level by level, with the metrics from the highest first
        coefficient down.
        """
        rows = [
            (key[1:], list(rows))
            for key, rows in groupby(self.correlations, key=lambda row: row[:4])
        ]
        levels = list(dict.fromkeys(level for level, _ in rows))
        rows.sort(
            key=lambda row: (
                levels.index(row[0]),
                isnan(r := row[1][0].value.value),
                -r,
            )
        )
        return self._replace(
            correlations=[correlation for _, group in rows for correlation in group]
        )

    def _by_level(self) -> Iterator[tuple[Sequence[str], Sequence[Correlation]]]:
        """Yield the names in a row of the table, for display, with the correlations
        of the row.
        """
        for key, group in groupby(
            self.correlations, key=lambda correlation: correlation[:4]
        ):
            yield tuple(map(visible, key)), list(group)

    def notes(self, _: Layout) -> Iterator[str]:
        """Yield how the numbers were computed, then the reasons for missing ones."""
        plan = self.plan
        if any(row.value.low is not None for row in self.correlations):
            drawn = "evals and systems" if plan.over == "both" else plan.over
            if plan.clusters is not None:
                drawn = drawn.replace("evals", f"{plan.clusters} clusters of evals")
            draws = f"bootstrap over {drawn}, {plan.samples} samples, seed {plan.seed}"
            yield f"intervals: {plan.confidence:g}% confidence, {draws}"
        if any(row.level == "summary" for row in self.correlations):
            within = "the mean of the correlations within each of n evals"
            yield f"summary: {within}; pooled: over all n summaries"
        if any(row.summarizers == SYSTEMS_ONLY for row in self.correlations):
            yield "summarizers: all includes people, systems leaves them out"
        if self.williams:
            question = "do two metrics differ in Pearson's r with the human scores"
            yield f"Williams' test: {question}; p is two-sided"
        for test in self.williams:
            if test.reason:
                yield (
                    f"Williams' test, {', '.join(map(visible, test[:4]))}:"
                    f" {test.reason}"
                )
        for names, correlations in self._by_level():
            remarks: dict[str, list[str]] = {}
            for row in correlations:
                samples = f"{row.undefined} of {plan.samples} bootstrap samples"
                undefined = (
                    f"left out {samples} without a correlation" if row.undefined else ""
                )
                for reason in filter(None, (row.reason, undefined)):
                    remarks.setdefault(reason, []).append(row.coefficient)
            for reason, coefficients in remarks.items():
                some = (
                    f" ({', '.join(coefficients)})"
                    if len(coefficients) < len(plan.coefficients)
                    else ""
                )
                yield f"{', '.join(names)}{some}: {reason}"

    def document(self, _: Layout) -> Record:
        """Return all results unrounded; undefined values are null, with their
        reason.
        """
        correlations = [
            {**base.record(row), "value": base.number(row.value.value)}
            for row in self.correlations
        ]
        tests = [
            {
                name: base.number(x) if isinstance(x, float) else x
                for name, x in test._asdict().items()
            }
            for test in self.williams
        ]
        lists = {"correlations": correlations, "williams": tests}
        return self._signed("rouge-cli correlation 2", self.plan, **lists)


class SweepPlan(NamedTuple):
    """The settings of a sweep."""

    levels: Sequence[str] = ("system",)
    coefficient: str = "pearson"  # which ranks the variants, and is tested
    permute: str = "both"  # what the permutations exchange: evals, systems or both
    trials: int = 1000  # of the permutation test; 0 for none
    seed: int = 0
    significance: float = 0.05  # a variant is worse than the best if p is below it


class Variant(NamedTuple):
    """The correlations of one variant with one human measure, on one level."""

    human: str
    level: str
    settings: Mapping[str, str]  # what the grid varies -> the variant's value
    values: Mapping[str, float]  # coefficient -> correlation; nan if undefined
    points: int
    # that the best correlates as well, by permutation; nan if it was not tested
    p: float
    williams: (
        float  # the same by Williams' test, which is of Pearson's r on the system level
    )
    signature: str  # of the scores


@dataclass(frozen=True, slots=True, repr=False)
class Sweep(Paged):
    """Variants by human measure and level, each group ranked."""

    kind, listed = "sweep", "variants"

    plan: SweepPlan
    variants: Sequence[Variant]
    signature: str = ""

    def is_worse(self, variant: Variant) -> bool:
        """Return True if the best variant of the group correlates significantly
        better.
        """
        return variant.p < self.plan.significance

    def groups(self) -> Iterator[tuple[tuple[str, str], Sequence[Variant]]]:
        """Yield the human measure and the level, and their variants, the best first."""
        yield from (
            (key, list(group))
            for key, group in groupby(self.variants, lambda row: row[:2])
        )

    def tables(self, layout: Layout) -> Iterator[Table]:
        """Yield a table for each human measure and level."""
        for (human, level), variants in self.groups():
            values = {
                name: {row.settings[name] for row in variants}
                for name in variants[0].settings
            }
            varied = [
                name
                for name in values
                if len(values[name]) > 1 or name in ("metric", "measure")
            ]
            columns = (
                [base.cell(row.values[name], _FORM) for row in variants]
                for name in COEFFICIENTS
            )
            rows = []
            for variant, *cells in zip(
                variants, *map(base.with_best, columns), strict=True
            ):
                worse = "yes" if self.is_worse(variant) else base.NOTHING
                tests = map(
                    Cell,
                    (base.p_value(variant.p), base.p_value(variant.williams), worse),
                )
                rows.append(
                    Row(
                        [visible(variant.settings[name]) for name in varied],
                        [*cells, *tests],
                    )
                )
            heads = (*COEFFICIENTS, "p", "p Williams", "worse")
            caption = f"{visible(human)}, {level} level, {variants[0].points} points"
            remark = base.left_out(rows, layout)
            yield Table(varied, heads, rows[: layout.most], caption, remark)

    def notes(self, _: Layout) -> Iterator[str]:
        """Yield how the variants were tested."""
        plan = self.plan
        for (human, level), variants in self.groups():
            defined = [
                variant
                for variant in variants
                if not isnan(variant.values[plan.coefficient])
            ]
            among = (
                f"{sum(not self.is_worse(variant) for variant in defined)} of"
                f" {len(variants)} variants"
            )
            where = f"{visible(human)}, {level} level"
            if missing := len(variants) - len(defined):
                reason = "fewer than 2 points, or constant scores"
                yield (
                    f"{where}: {missing} of {len(variants)} variants have no"
                    f" {plan.coefficient}: {reason}"
                )
            if plan.trials and defined:
                yield f"{where}: the best, and not significantly worse: {among}"
        if plan.trials:
            exchanged = (
                "systems and of evals" if plan.permute == "both" else plan.permute
            )
            question = f"does the first variant have a higher {plan.coefficient}"
            trials = (
                f"two-sided permutation of scores of {exchanged}, {plan.trials} trials,"
                f" seed {plan.seed}"
            )
            yield f"p: {question}; {trials}, not corrected"
            yield f"worse: p < {plan.significance:g}"
        yield "p Williams: the same for Pearson's r on the system level"

    def page(self, layout: Layout) -> Record:
        """Return the contents of an HTML page: the tables with all variants, and
        their signatures.
        """
        plan, tables = self.plan, self.tables(layout._replace(most=None))
        return {
            "scripts": ["tables.js"],
            "title": "Variants of ROUGE and their correlations with people",
            "groups": [
                (table, group)
                for table, (_, group) in zip(tables, self.groups(), strict=True)
            ],
            "is_good": lambda variant: (
                plan.trials
                and not isnan(variant.values[plan.coefficient])
                and not self.is_worse(variant)
            ),
            "plan": plan,
            "notes": self.notes(layout),
            "signatures": dict.fromkeys(
                visible(variant.signature) for variant in self.variants
            ),
        }

    def document(self, _: Layout) -> Record:
        """Return everything, unrounded; undefined values are null."""
        variants = [
            {
                "human": variant.human,
                "level": variant.level,
                **variant.settings,
                **{name: base.number(value) for name, value in variant.values.items()},
                "points": variant.points,
                "p": base.number(variant.p),
                "williams": base.number(variant.williams),
                "worse": self.is_worse(variant),
                "signature": variant.signature,
            }
            for variant in self.variants
        ]
        return {
            "schema": "rouge-cli sweep 1",
            **self.plan._asdict(),
            "variants": variants,
        }
