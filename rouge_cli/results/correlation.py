"""Correlations with human scores: of metrics, with Williams' tests, and of ranked
variants of ROUGE.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import fsum, isnan
from statistics import fmean
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, NamedTuple

from rouge_cli.core import Estimate
from rouge_cli.results import base, printed
from rouge_cli.results.base import Drawable, Layout, Paged, Record
from rouge_cli.results.printed import Cell, Row, Table, visible
from rouge_cli.results.study_settings import (
    CONFIDENCE,
    MOST_DRAWS,
    SEED,
    SIGNIFICANCE,
    OneOf,
    Real,
    SeveralOf,
    Whole,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

COEFFICIENTS = ("pearson", "spearman", "kendall")
# Agreement on pairs (`studies/accuracies.py`), which is shown if it is asked for
ACCURACY, SOFT = "accuracy", "soft-accuracy"
ACCURACIES = (ACCURACY, SOFT)
_SIGNS = {
    "pearson": "Pearson's r",
    "spearman": "Spearman's rho",
    "kendall": "Kendall's tau",
    ACCURACY: "pairwise accuracy",
    SOFT: "soft pairwise accuracy",
}
LEVELS = ("system", "summary", "pooled")
RESAMPLED = ("evals", "systems", "both")
ALL_SUMMARIZERS, SYSTEMS_ONLY = "all", "systems"
_FORM = ".4f"  # of correlations in tables

_MEANINGS = {
    ACCURACY: (
        "the share of pairs that metric and people order alike, or both tie; the metric"
        " ties scores that are so close that the share is the highest (Deutsch et al."
        " 2023)"
    ),
    SOFT: (
        "1 minus the mean difference, over pairs of systems, of the p-values that the"
        " first is better by the metric and by people (Thompson et al. 2024)"
    ),
}
_LEVELS = SeveralOf("Only this level: system, summary, pooled; repeatable.", LEVELS)
_COEFFICIENTS = SeveralOf(
    f"Of {', '.join(COEFFICIENTS)} (default: these),"
    f" {' and '.join(ACCURACIES)}; repeatable.",
    (*COEFFICIENTS, *ACCURACIES),
)
_OVER = OneOf("Resample evals, systems or both (default).", RESAMPLED)
_SAMPLES = Whole("Bootstrap samples (default {}); 0 for none.", 0, MOST_DRAWS)


class CorrelationPlan(NamedTuple):
    """The settings of correlations."""

    levels: Annotated[Sequence[str], _LEVELS] = LEVELS
    coefficients: Annotated[Sequence[str], _COEFFICIENTS] = COEFFICIENTS
    over: Annotated[str, _OVER] = "both"  # what the bootstrap resamples
    samples: Annotated[int, _SAMPLES] = 1000  # 0 for no intervals
    seed: Annotated[int, SEED] = 0
    confidence: Annotated[float, CONFIDENCE] = 95.0  # of the intervals, in percent
    # The number of clusters that are drawn; None if evals are drawn
    clusters: int | None = None


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
    # The cluster of each eval; empty if evals are independent
    clusters: Sequence[str] = ()


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

    kind = "correlation"
    schema = "rouge-cli correlation 2"
    lists: ClassVar = {"correlations": "correlations", "williams": "williams"}
    listed = "correlations"  # Williams' tests are in formats with several lists

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
            defined = [row for row in correlations if not isnan(row.value.value)]
            points = sorted({row.points for row in defined or correlations})
            cells = [
                printed.cell(correlation.value, _FORM) for correlation in correlations
            ]
            cells.append(Cell("-".join(map(str, points))))
            rows.append(Row(names, cells))
        yield Table(
            ("metric", "human", "summarizers", "level"),
            (*self.plan.coefficients, "n"),
            rows,
        )
        if self.williams:
            yield self._williams_table()

    def _williams_table(self) -> Table:
        rows = []
        for test in self.williams:
            cells = [
                printed.cell(test.r_first, _FORM),
                printed.cell(test.r_second, _FORM),
                printed.cell(test.r_between, _FORM),
                Cell(str(test.systems)),
                printed.cell(test.t, ".2f"),
                Cell(printed.p_value(test.p)),
            ]
            rows.append(Row(_names_of_test(test), cells))
        heads = ("r first", "r second", "r between", "n", "Williams t", "p")
        return Table(("human", "summarizers", "first", "second"), heads, rows)

    def ranked(self) -> Correlations:
        """Return the same level by level, with the metrics from the highest first
        coefficient down.
        """
        # The rows of the table by human measure, summarizers and level
        by_level: dict[tuple[str, ...], list[list[Correlation]]] = {}
        for (_, *level), correlations in groupby(self.correlations, _names):
            by_level.setdefault(tuple(level), []).append(list(correlations))

        ranked: list[Correlation] = []
        for rows in by_level.values():
            for row in sorted(rows, key=_rank_of_row):
                ranked += row
        return self._replace(correlations=ranked)

    def _by_level(self) -> Iterator[tuple[Sequence[str], Sequence[Correlation]]]:
        """Yield the names in a row of the table, for display, with the correlations
        of the row.
        """
        for names, correlations in groupby(self.correlations, _names):
            yield tuple(map(visible, names)), list(correlations)

    def notes(self, _: Layout) -> Iterator[str]:
        """Yield how the numbers were computed, then the reasons for missing ones."""
        plan = self.plan
        if any(row.value.low is not None for row in self.correlations):
            drawn = "evals and systems" if plan.over == "both" else plan.over
            if plan.clusters is not None:
                drawn = drawn.replace("evals", f"{plan.clusters} clusters of evals")
            draws = f"bootstrap over {drawn}, {plan.samples} samples, seed {plan.seed}"
            yield f"intervals: {plan.confidence:g}% confidence, {draws}"
        for name in plan.coefficients:
            if name in _MEANINGS:
                yield f"{name}: {_MEANINGS[name]}; without an interval"
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
                names = ", ".join(_names_of_test(test))
                yield f"Williams' test, {names}: {test.reason}"
        for row_names, correlations in self._by_level():
            for reason, coefficients in self._reasons(correlations).items():
                where = ", ".join(row_names)
                if len(coefficients) < len(plan.coefficients):
                    where += f" ({', '.join(coefficients)})"
                yield f"{where}: {reason}"

    def _reasons(self, correlations: Sequence[Correlation]) -> dict[str, list[str]]:
        """Return reason -> coefficients, for what is missing in a row of the table."""
        coefficients: dict[str, list[str]] = {}
        for row in correlations:
            if row.reason:
                coefficients.setdefault(row.reason, []).append(row.coefficient)
            if row.undefined:
                samples = f"{row.undefined} of {self.plan.samples} bootstrap samples"
                reason = f"left out {samples} without a correlation"
                coefficients.setdefault(reason, []).append(row.coefficient)
        return coefficients

    def record(self, item: Any) -> Record:  # noqa: ANN401 - of either list
        """Return the record of a correlation or a test; a value that is undefined is
        null, and the record has the reason.
        """
        record = Drawable.record(self, item)
        if isinstance(item, Correlation):
            record["value"] = base.number(item.value.value)
        else:
            for name, value in item._asdict().items():
                if isinstance(value, float):
                    record[name] = base.number(value)
        return record


def _names(correlation: Correlation) -> tuple[str, str, str, str]:
    """Return the names in the row of the table that has the correlation."""
    return (
        correlation.metric,
        correlation.human,
        correlation.summarizers,
        correlation.level,
    )


def _names_of_test(test: Williams) -> list[str]:
    """Return the names in the row of a test, for display."""
    names = (test.human, test.summarizers, test.first, test.second)
    return [visible(name) for name in names]


def _rank_of_row(correlations: Sequence[Correlation]) -> tuple[bool, float]:
    """Return the key that sorts rows from the highest first coefficient down, nan
    last.
    """
    first = correlations[0].value.value
    return isnan(first), -first


_MOST_SHOWN = 10  # variants of a page above the folded table of all
_SWEPT_LEVELS = SeveralOf(
    "Level: system (default), summary, pooled; repeatable.", LEVELS
)
_COEFFICIENT = OneOf(
    "Rank and test by: pearson (default), spearman, kendall; or rank by"
    f" {', '.join(ACCURACIES)}.",
    (*COEFFICIENTS, *ACCURACIES),
)
_PERMUTE = OneOf("Exchange scores of evals, systems or both (default).", RESAMPLED)
_PERMUTATIONS = Whole("Permutations (default {}); 0 for no test.", 0, MOST_DRAWS)
_SIGNIFICANCE = Real("Significance level (default {}).", 1)


class SweepPlan(NamedTuple):
    """The settings of a sweep."""

    levels: Annotated[Sequence[str], _SWEPT_LEVELS] = ("system",)
    # Which ranks the variants, and is tested
    coefficient: Annotated[str, _COEFFICIENT] = "pearson"
    permute: Annotated[str, _PERMUTE] = "both"
    trials: Annotated[int, _PERMUTATIONS] = 1000  # of the test; 0 for none
    seed: Annotated[int, SEED] = 0
    # A variant is worse than the best if p is below it
    significance: Annotated[float, _SIGNIFICANCE] = SIGNIFICANCE

    @property
    def shown(self) -> tuple[str, ...]:
        """The coefficients that are computed, and the accuracy that ranks."""
        return tuple(dict.fromkeys((*COEFFICIENTS, self.coefficient)))

    @property
    def is_tested(self) -> bool:
        """True if variants are tested, which accuracies are not."""
        return self.trials > 0 and self.coefficient in COEFFICIENTS


class Variant(NamedTuple):
    """The correlations of one variant with one human measure, on one level."""

    human: str
    level: str
    settings: Mapping[str, str]  # what the grid varies -> the variant's value
    values: Mapping[str, float]  # coefficient -> correlation; nan if undefined
    points: int
    # that the best correlates as well, by permutation; nan if it was not tested
    p: float
    # The same by Williams' test, which is of Pearson's r on the system level
    williams: float
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
        for group, variants in groupby(self.variants, _group):
            yield group, list(variants)

    def tables(self, layout: Layout) -> Iterator[Table]:
        """Yield a table for each human measure and level."""
        for (human, level), variants in self.groups():
            varied = _varied(variants)
            columns = []
            for name in self.plan.shown:
                column = [
                    printed.cell(variant.values[name], _FORM) for variant in variants
                ]
                columns.append(printed.with_best(column))

            rows = []
            for variant, *cells in zip(variants, *columns, strict=True):
                cells.append(Cell(printed.p_value(variant.p)))
                cells.append(Cell(printed.p_value(variant.williams)))
                cells.append(Cell("yes" if self.is_worse(variant) else printed.NOTHING))
                names = [visible(variant.settings[name]) for name in varied]
                rows.append(Row(names, cells))

            heads = (*self.plan.shown, "p", "p Williams", "worse")
            caption = f"{visible(human)}, {level} level, {variants[0].points} points"
            remark = base.left_out(rows, layout)
            yield Table(
                names=varied,
                numbers=heads,
                rows=rows[: layout.most],
                caption=caption,
                remark=remark,
            )

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
            missing = len(variants) - len(defined)
            if missing:
                reason = "fewer than 2 points, or constant scores"
                yield (
                    f"{where}: {missing} of {len(variants)} variants have no"
                    f" {plan.coefficient}: {reason}"
                )
            if plan.is_tested and defined:
                yield f"{where}: the best, and not significantly worse: {among}"
        if plan.coefficient in _MEANINGS:
            yield f"{plan.coefficient}: {_MEANINGS[plan.coefficient]}; not tested"
        if plan.is_tested:
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
        yield (
            "p Williams: does the first variant have a higher pearson; Williams' test"
            " of system means, two-sided, not corrected"
        )

    def page(self, layout: Layout) -> Record:
        """Return the contents of an HTML page: the tables with all variants, and
        their signatures.
        """
        groups = []
        tables = self.tables(layout._replace(most=None))
        for table, (_, variants) in zip(tables, self.groups(), strict=True):
            groups.append(self._picture(table, variants))
        signatures = dict.fromkeys(
            visible(variant.signature) for variant in self.variants
        )
        return {
            "scripts": ["tables.js"],
            "title": "Variants of ROUGE and their correlations with people",
            "groups": groups,
            "most": _MOST_SHOWN,
            "is_good": self._is_good,
            "plan": self.plan,
            "notes": self.notes(layout),
            "signatures": signatures,
        }

    def _picture(self, table: Table, variants: Sequence[Variant]) -> Record:
        """Return a group of variants for a page: its table, the share of each option
        in the spread, and the variants by the option with the largest share.
        """
        coefficient = self.plan.coefficient
        values = [variant.values[coefficient] for variant in variants]
        known = [value for value in values if not isnan(value)]
        shares = _shares_of_spread(variants, coefficient)
        by_value: dict[str, list[tuple[float, bool]]] = {}
        if shares:
            for variant, value in zip(variants, values, strict=True):
                setting = visible(variant.settings[shares[0][0]])
                if not isnan(value):
                    is_good = self._is_good(variant)
                    by_value.setdefault(setting, []).append((value, is_good))
        low, high = min(known, default=0.0), max(known, default=0.0)
        room = (high - low) * 0.06 or 0.01
        return {
            "table": table,
            "variants": variants,
            "sign": _SIGNS[coefficient],
            "best": values[0],
            "known": known,
            "alike": sum(map(self._is_good, variants)),
            "shares": shares,
            "by_value": by_value,
            "axis": (low - room, high + room),
        }

    def _is_good(self, variant: Variant) -> bool:
        """Return True if tests show that the variant correlates as well as the best."""
        if not self.plan.is_tested or isnan(variant.values[self.plan.coefficient]):
            return False
        return not self.is_worse(variant)

    def document(self, _: Layout) -> Record:
        """Return everything, unrounded; undefined values are null."""
        return {
            "schema": "rouge-cli sweep 1",
            **self.plan._asdict(),
            "variants": [self._record(variant) for variant in self.variants],
        }

    def _record(self, variant: Variant) -> Record:
        record: Record = {"human": variant.human, "level": variant.level}
        record |= variant.settings
        for name, value in variant.values.items():
            record[name] = base.number(value)
        record["points"] = variant.points
        record["p"] = base.number(variant.p)
        record["williams"] = base.number(variant.williams)
        record["worse"] = self.is_worse(variant)
        record["signature"] = variant.signature
        return record


def _group(variant: Variant) -> tuple[str, str]:
    return variant.human, variant.level


def _shares_of_spread(
    variants: Sequence[Variant], coefficient: str
) -> list[tuple[str, float]]:
    """Return each option that varies with its share in the spread of a coefficient,
    the largest first: the squared differences of the means of its values from the
    mean of all variants, over those of the variants (eta squared).
    """
    by_variant = []
    for variant in variants:
        if not isnan(variant.values[coefficient]):
            by_variant.append((variant.settings, variant.values[coefficient]))
    if len(by_variant) < 2:
        return []
    mean = fmean(value for _, value in by_variant)
    spread = fsum((value - mean) ** 2 for _, value in by_variant)
    if not spread:
        return []

    shares = []
    for name in variants[0].settings:
        groups: dict[str, list[float]] = {}
        for settings, value in by_variant:
            groups.setdefault(settings[name], []).append(value)
        if len(groups) > 1:
            between = fsum(
                len(group) * (fmean(group) - mean) ** 2 for group in groups.values()
            )
            shares.append((visible(name), between / spread))
    return sorted(shares, key=lambda share: -share[1])


def _varied(variants: Sequence[Variant]) -> list[str]:
    """Return the settings that have a column: those that vary, metric and measure."""
    names = []
    for name in variants[0].settings:
        values = {variant.settings[name] for variant in variants}
        if len(values) > 1 or name in ("metric", "measure"):
            names.append(name)
    return names
