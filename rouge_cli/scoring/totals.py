"""Totals of scored evals: sums that stand for any number of evals in some kilobytes.

They have the interface of `columns.Columns`, which keep every eval. Sums are exact, so
that the parts of a run have the totals of the whole, however it was divided.
"""

from __future__ import annotations

from array import array
from itertools import chain
from math import fsum, isfinite
from operator import add
from typing import TYPE_CHECKING, NamedTuple

from rouge_cli.core import Score
from rouge_cli.scoring import poisson
from rouge_cli.scoring.columns import Columns

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rouge_cli.core import EvalResult

COUNTS = ("reference", "prediction", "match", "prediction_match")
FIGURES = Score._fields
# IDs that are kept, of the evals with the smallest keys: parts that share evals have
# some of these in common.
MOST_KEPT = 64
# Units of sums of samples: 10^9 scores of 1, or counts of 10^5, fit in 64 bits. Scores
# of ROUGE-1.5.5 have five decimals, so that none is rounded.
UNITS_OF_SCORES, UNITS_OF_COUNTS = 1e9, 2.0**16


class Drawing(NamedTuple):
    """How totals are resampled.

    Attributes:
        samples: The number of samples; 0 to draw none.
        seed: The seed of the run.
    """

    samples: int = 0
    seed: int = 0

    @property
    def rows(self) -> int:
        """The number of samples with the one that has every eval once."""
        return self.samples + 1 if self.samples else 0


class Totals:
    """The totals of one system.

    Args:
        labels: The metrics.
        drawing: How they are resampled.
        is_scored: True to add scores (macro averages), False to add counts (micro).

    Attributes:
        size: The number of evals.
        sums: For each metric and then for each of `measures`, doubles whose exact sum
            is that of all evals, the largest first (see `exact_sum`).
        drawn: The number of evals in each sample, and then for each metric and measure
            the sum in each sample, in units. Before the samples there is one with every
            eval once.
        kept: Key -> ID of the evals with the smallest keys.
        repeated: An ID that was added twice; empty if none of the kept ones was.
    """

    __slots__ = (
        "drawing",
        "drawn",
        "kept",
        "labels",
        "repeated",
        "scored",
        "size",
        "sums",
    )

    def __init__(
        self, labels: Iterable[str], drawing: Drawing, *, is_scored: bool = True
    ) -> None:
        self.labels = tuple(labels)
        self.drawing = drawing
        self.scored = is_scored
        self.size = 0
        self.sums: list[list[float]] = [[] for _ in self._fields()]
        self.drawn = array("q", [0]) * (drawing.rows * (1 + len(self.sums)))
        self.kept: dict[int, str] = {}
        self.repeated = ""

    def _fields(self) -> list[tuple[str, str]]:
        return [(label, measure) for label in self.labels for measure in self.measures]

    @property
    def measures(self) -> Sequence[str]:
        """The fields that are added for each metric."""
        return FIGURES if self.scored else COUNTS

    @property
    def units(self) -> float:
        """How many units of sums of samples make 1."""
        return UNITS_OF_SCORES if self.scored else UNITS_OF_COUNTS

    def empty(self) -> Totals:
        """Return totals of the same metrics without evals."""
        return Totals(self.labels, self.drawing, is_scored=self.scored)

    def append(
        self, ids: Sequence[str], results: Mapping[str, EvalResult] | bytes
    ) -> None:
        """Add the results of one eval in the order of the columns, or the packed
        rows of several evals.

        Raises:
            ValueError: A number is not finite, or too large.
        """
        batch = Columns(self.labels, is_scored=self.scored)
        batch.append(ids, results)
        columns: list[Sequence[float]] = []
        for column in batch.columns:
            columns += column.scores() if self.scored else column.counts()
        for place, values in enumerate(columns):
            self.sums[place] = exact_sum(chain(self.sums[place], values))
        self.size += len(ids)
        keys = poisson.keys_of(ids, self.drawing.seed)
        self._keep(zip(keys, ids, strict=True))
        if self.drawing.samples:
            try:
                self.drawn = poisson.add_draws(self.drawn, keys, columns, self.units)
            except OverflowError:
                raise ValueError("a sum that is too large") from None

    def extend(self, other: Totals) -> None:
        """Add the evals of another part of a run.

        Raises:
            ValueError: It has other metrics, or sums get too large.
        """
        mine = (self.labels, self.drawing, self.scored)
        if mine != (other.labels, other.drawing, other.scored):
            raise ValueError(f"totals that do not match: {mine}")
        pairs = zip(self.sums, other.sums, strict=True)
        self.sums = [exact_sum(chain(*pair)) for pair in pairs]
        self.size += other.size
        try:
            self.drawn = array("q", map(add, self.drawn, other.drawn))
        except OverflowError:
            raise ValueError("a sum that is too large") from None
        self.repeated = self.repeated or other.repeated
        self._keep(other.kept.items())

    def _keep(self, keyed: Iterable[tuple[int, str]]) -> None:
        """Keep the IDs with the smallest keys."""
        kept = self.kept
        is_full = len(kept) == MOST_KEPT
        largest = max(kept) if is_full else 0
        for key, eval_id in keyed:
            if is_full and key > largest:
                continue
            if kept.get(key) == eval_id:
                self.repeated = self.repeated or eval_id
            kept[key] = eval_id
            if len(kept) > MOST_KEPT:
                del kept[max(kept)]
            is_full = len(kept) == MOST_KEPT
            largest = max(kept) if is_full else 0

    def of_metric(self, place: int) -> list[float]:
        """Return the sum of each measure of the metric at a place."""
        width = len(self.measures)
        sums = self.sums[place * width : (place + 1) * width]
        return [rounded(doubles) for doubles in sums]

    def samples_of_metric(self, place: int) -> list[tuple[int, list[float]]]:
        """Return the samples of a metric: the number of evals, and the sum of each
        measure, without what rounding to units adds on average.
        """
        samples = self.rounded_samples(place)
        if not samples:
            return []
        _, whole = samples[0]
        added = []  # to each eval
        for total, exact in zip(whole, self.of_metric(place), strict=True):
            added.append((total - exact) / max(self.size, 1))
        corrected = []
        for size, sums in samples[1:]:
            pairs = zip(sums, added, strict=True)
            corrected.append((size, [total - size * more for total, more in pairs]))
        return corrected

    def rounded_samples(self, place: int) -> list[tuple[int, list[float]]]:
        """Return the samples of a metric as they are kept, the one with every eval once
        before the others.
        """
        rows = self.drawing.rows
        sizes = self.drawn[:rows]
        columns: list[list[float]] = []
        width = len(self.measures)
        for index in range(place * width, (place + 1) * width):
            start = (1 + index) * rows
            units = self.drawn[start : start + rows]
            columns.append([number / self.units for number in units])
        samples = zip(*columns, strict=True)
        return list(zip(sizes, map(list, samples), strict=True))


def exact_sum(values: Iterable[float]) -> list[float]:
    """Return doubles, the largest first, whose exact sum is that of the values.

    The first is the sum rounded to a double, as `math.fsum` returns it, the next is the
    rounded rest, and so on. They are the same for the same values in any order.

    Raises:
        ValueError: A value is not finite, or the sum is too large.
    """
    numbers = list(values)
    doubles: list[float] = []
    while True:
        try:
            rest = fsum(numbers)
        except OverflowError:
            raise ValueError("a sum that is too large") from None
        if not isfinite(rest):
            raise ValueError("a number that is not finite")
        if not rest:
            return doubles
        doubles.append(rest)
        numbers.append(-rest)


def rounded(doubles: Sequence[float]) -> float:
    """Return the sum that `exact_sum` returned, as one double."""
    return doubles[0] if doubles else 0.0
