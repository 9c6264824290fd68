"""Scored evals as columns of packed numbers, which become EvalResults only when they
are read.
"""

from __future__ import annotations

from array import array
from collections.abc import Container, Iterable, Mapping, Sequence
from math import isnan, nan
from typing import TYPE_CHECKING

from rouge_cli.core import ROW, Average, Counts, EvalResult, Score

if TYPE_CHECKING:
    from typing import overload

# (system, label) -> the results of all evals, and their average.
KeyedColumns = Mapping[tuple[str, str], "Column"]
Averages = Mapping[tuple[str, str], "Average | Counts"]


class Columns:
    """The results of one system: for each eval an ID, and for each metric the eight
    doubles of ROW.

    Only numbers that do not fit in doubles (`perl_numbers.py`) are stored in addition,
    so that a million evals fit in memory.
    """

    __slots__ = ("averaged", "ids", "labels", "large", "rows", "scored")
    WIDTH = len(ROW)

    def __init__(
        self, labels: Iterable[str] = ("",), *, is_scored: bool = True
    ) -> None:
        self.labels = tuple(labels)  # of the metrics
        self.ids: list[str] = []
        self.rows = array("d")
        self.large: dict[
            int, float
        ] = {}  # index in rows -> a number that does not fit in a double
        # Either all rows have scores, or none.
        self.scored = is_scored
        self.averaged: Container[str] = (
            "RPF"  # a bootstrap may leave the others undefined
        )

    @property
    def columns(self) -> list[Column]:
        """The column of each metric."""
        return [Column((), self, place) for place in range(len(self.labels))]

    def append(
        self, ids: Sequence[str], results: Mapping[str, EvalResult] | bytes
    ) -> None:
        """Add the results of one eval in the order of the columns, or the packed
        rows of several evals.
        """
        self.ids.extend(ids)
        if isinstance(results, bytes):
            self.rows.frombytes(results)
            return
        for _, (_, counts, score) in zip(self.labels, results.values(), strict=True):
            self.scored = score is not None
            *others, matched = counts
            row = (
                *others,
                nan if matched is None else matched,
                *(score or (nan, nan, nan)),
            )
            for index, value in enumerate(row, len(self.rows)):
                if type(value) is not float and hasattr(value, "whole"):
                    self.large[index] = value
            self.rows.extend(row)

    def extend(self, other: Columns) -> None:
        """Append the evals of a later part of a run; raise ValueError if it has
        other metrics.
        """
        if self.labels != other.labels:
            raise ValueError(
                f"columns that do not match: {self.labels} and {other.labels}"
            )
        self.large.update(
            (len(self.rows) + index, value) for index, value in other.large.items()
        )
        self.ids.extend(other.ids)
        self.rows.extend(other.rows)
        self.scored = other.scored


class Column(Sequence[EvalResult]):
    """The results of one system by one metric, which become EvalResults only when they
    are read.

    Args:
        results: The results of a column of its own.
        columns: The columns that it belongs to, at this place.
    """

    __slots__ = ("of", "place")

    def __init__(
        self,
        results: Iterable[EvalResult] = (),
        columns: Columns | None = None,
        place: int = 0,
    ) -> None:
        self.of = columns or Columns()
        self.place = place
        for result in results:
            self.append(result)

    def append(self, result: EvalResult) -> None:
        """Add the result of an eval to a column of its own."""
        self.of.append([result.eval_id], {"": result})

    def scores(
        self, order: Sequence[int] | None = None, measures: Container[str] = "RPF"
    ) -> list[Sequence[float]]:
        """Return the recalls, the precisions and the Fs of the evals with these
        indices, or of all.

        Measures that are not among `measures` have no values.
        """
        names = zip("RPF", Score._fields, strict=True)
        return [
            self._values(name, order) if key in measures else () for key, name in names
        ]

    def counts(self, order: Sequence[int] | None = None) -> list[Sequence[float]]:
        """Return the counts of references, of predictions, of matches, and of
        matched prediction units.
        """
        *counts, prediction_matches = (
            self._values(name, order)
            for name in ("reference", "prediction", "match", "prediction_match")
        )
        matched = [
            match
            if isnan(prediction_match)
            else prediction_match  # nan stands for None: equal to match
            for prediction_match, match in zip(
                prediction_matches, counts[2], strict=True
            )
        ]
        return [*counts, matched if self.of.large else array("d", matched)]

    def _values(self, name: str, order: Sequence[int] | None) -> Sequence[float]:
        """Return the numbers of one field of ROW."""
        start, stride = (
            self.place * Columns.WIDTH + ROW.index(name),
            len(self.of.labels) * Columns.WIDTH,
        )
        values: Sequence[float] = self.of.rows[start::stride]
        if self.of.large:
            indices = range(start, len(self.of.rows), stride)
            values = list(map(self.of.large.get, indices, values))
            return values if order is None else [values[index] for index in order]
        return (
            values if order is None else array("d", [values[index] for index in order])
        )

    def __len__(self) -> int:
        return len(self.of.ids)

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, index: int) -> EvalResult: ...
        @overload
        def __getitem__(self, index: slice) -> Sequence[EvalResult]: ...

    def __getitem__(self, index: int | slice) -> EvalResult | Sequence[EvalResult]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        of, width = self.of, Columns.WIDTH
        eval_id = of.ids[index]
        start = (range(len(of.ids))[index] * len(of.labels) + self.place) * width
        row: Iterable[float] = of.rows[start : start + width]
        if of.large:
            row = map(of.large.get, range(start, start + width), row)
        reference, prediction, match, rank, matched, *score = row
        counts = Counts(
            reference, prediction, match, rank, None if isnan(matched) else matched
        )
        return EvalResult(eval_id, counts, Score(*score) if of.scored else None)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]


def ids_of(evals: Sequence[EvalResult]) -> Sequence[str]:
    """Return the IDs of evals, without making the EvalResults of a column."""
    return (
        evals.of.ids
        if isinstance(evals, Column)
        else [result.eval_id for result in evals]
    )


def scores_of(evals: Sequence[EvalResult], place: int) -> Sequence[float]:
    """Return all recalls, precisions or Fs: the values at index `place` of Score;
    nan without a score.
    """
    if isinstance(evals, Column):
        return evals.scores(measures="RPF"[place])[place]
    return [nan if result.score is None else result.score[place] for result in evals]


def are_scored(evals: Sequence[EvalResult]) -> bool:
    """Return True if any of the evals has a score in addition to counts."""
    return (
        evals.of.scored
        if isinstance(evals, Column)
        else any(result.score for result in evals)
    )


def keyed(systems: Mapping[str, Columns]) -> dict[tuple[str, str], Column]:
    """Return the columns of systems, given the results of each."""
    return {
        (system, label): column
        for system, of in systems.items()
        for label, column in zip(of.labels, of.columns, strict=True)
    }


def joined(columns: Mapping[str, Column]) -> Columns:
    """Return the results of a system, given a column of its own for each metric, all
    of the same evals.
    """
    results, stride = Columns(columns), len(columns) * Columns.WIDTH
    of_each = [column.of for column in columns.values()]
    results.ids, results.scored = of_each[0].ids, of_each[0].scored
    results.rows = array("d", [0.0]) * (len(results.ids) * stride)
    for place, of in enumerate(of_each):
        for field in range(Columns.WIDTH):
            results.rows[place * Columns.WIDTH + field :: stride] = of.rows[
                field :: Columns.WIDTH
            ]
    return results
