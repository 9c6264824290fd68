"""Variants of ROUGE, ranked by their correlations with human scores (Lin 2004, Graham 2015)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from rouge_cli.results import Layout
from rouge_cli.results._presentation import Presentable, Record, number
from rouge_cli.results._tables import NOTHING, Cell, Row, Table, left_out, p_value, visible, with_best
from rouge_cli.results.correlation import COEFFICIENTS


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
    p: float  # that the best correlates as well, by permutation; nan if it was not tested
    williams: float  # the same by Williams' test, which is of Pearson's r on the system level
    signature: str  # of the scores


@dataclass(frozen=True, slots=True, repr=False)
class Sweep(Presentable):
    """Variants by human measure and level, each group ranked."""

    kind = "sweep"

    plan: SweepPlan
    variants: Sequence[Variant]
    signature: str = ""

    def is_worse(self, variant: Variant) -> bool:
        """Return True if the best variant of the group correlates significantly better."""
        return variant.p < self.plan.significance

    def groups(self) -> Iterator[tuple[tuple[str, str], Sequence[Variant]]]:
        """Yield the human measure and the level, and their variants, the best first."""
        yield from ((key, list(group)) for key, group in groupby(self.variants, lambda row: row[:2]))

    def tables(self, layout: Layout) -> Iterator[Table]:
        """Yield a table for each human measure and level."""
        for (human, level), variants in self.groups():
            varied = [
                name
                for name in variants[0].settings
                if len({variant.settings[name] for variant in variants}) > 1
                or name in ("metric", "measure")
            ]
            correlations = [[_cell(variant.values[name]) for variant in variants] for name in COEFFICIENTS]
            columns = [
                *map(with_best, correlations),
                [Cell(p_value(variant.p)) for variant in variants],
                [Cell(p_value(variant.williams)) for variant in variants],
                [Cell("yes" if self.is_worse(variant) else NOTHING) for variant in variants],
            ]
            rows = [
                Row([visible(variant.settings[name]) for name in varied], cells)
                for variant, *cells in zip(variants, *columns, strict=True)
            ]
            heads = (*COEFFICIENTS, "p", "p Williams", "worse")
            caption = f"{visible(human)}, {level} level, {variants[0].points} points"
            remark = left_out(rows, layout)
            yield Table(varied, heads, rows[: layout.most], caption, remark)

    def notes(self, _: Layout) -> Iterator[str]:
        """Yield how the variants were tested."""
        plan = self.plan
        for (human, level), variants in self.groups():
            among = f"{sum(not self.is_worse(variant) for variant in variants)} of {len(variants)} variants"
            if plan.trials:
                yield f"{visible(human)}, {level} level: the best, and not significantly worse: {among}"
        if plan.trials:
            exchanged = (
                "scores of systems and of evals" if plan.permute == "both" else f"scores of {plan.permute}"
            )
            question = f"does the first variant have a higher {plan.coefficient}"
            trials = f"two-sided permutation of {exchanged}, {plan.trials} trials, seed {plan.seed}"
            yield f"p: {question}; {trials}, not corrected"
            yield f"worse: p < {plan.significance:g}"
        yield "p Williams: the same for Pearson's r on the system level"

    def document(self, _: Layout) -> Record:
        """Return everything, unrounded; undefined values are null."""
        return {
            "schema": "rouge-cli sweep 1",
            **self.plan._asdict(),
            "variants": [
                {**self._record(variant, variant.settings), "signature": variant.signature}
                for variant in self.variants
            ],
        }

    def rows(self, _: Layout) -> Iterator[Sequence[object]]:
        """Yield a row for each variant, human measure and level, unrounded."""
        axes = dict.fromkeys(axis for variant in self.variants for axis in variant.settings)
        for index, variant in enumerate(self.variants):
            record = self._record(variant, {axis: variant.settings.get(axis, "") for axis in axes})
            yield from [] if index else [[*record, "signature"]]
            yield [*record.values(), variant.signature]

    def _record(self, variant: Variant, settings: Mapping[str, str]) -> Record:
        values = {name: number(value) for name, value in variant.values.items()}
        tests = {"p": number(variant.p), "williams": number(variant.williams)}
        names = {"human": variant.human, "level": variant.level}
        return {
            **names,
            **settings,
            **values,
            "points": variant.points,
            **tests,
            "worse": self.is_worse(variant),
        }


def _cell(value: float) -> Cell:
    return Cell(NOTHING if value != value else f"{value:.4f}")  # noqa: PLR0124 - nan
