"""Scored evals as columns of packed numbers, which become EvalResults only when they are read."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from math import isnan, nan

from rouge_cli.core import ROW, TYPE_CHECKING, Average, Counts, EvalResult, Score

if TYPE_CHECKING:
    from typing import TypeVar, overload

    K = TypeVar("K")

# (system, label) -> the results of all evals, and their average.
KeyedColumns = Mapping[tuple[str, str], "Column"]
Averages = Mapping[tuple[str, str], "Average | Counts"]


class Column(Sequence[EvalResult]):
    """The results of one system by one metric: for each eval, an ID and the eight doubles of ROW.

    Only numbers that do not fit in doubles (`perl_numbers.py`) are stored in addition, so that a million
    evals fit in memory.
    """

    __slots__ = ("_first", "_large", "_rows", "_stride", "ids", "scored")
    WIDTH = len(ROW)

    def __init__(self, results: Iterable[EvalResult] = ()) -> None:
        self.ids: list[str] = []
        self._rows = array("d")
        self._large: dict[int, float] = {}  # index in _rows -> a number that does not fit in a double
        self._first, self._stride = 0, self.WIDTH
        # Either all rows of a column have scores, or none.
        self.scored = True
        for result in results:
            self.append(result)

    @classmethod
    def interleaved(
        cls, ids: list[str], rows: array[float], large: dict[int, float], place: int, count: int
    ) -> Column:
        """Return the column at index `place` of `count` columns whose rows alternate in one array."""
        column = cls()
        column.ids, column._rows, column._large = ids, rows, large
        column._first, column._stride = place * cls.WIDTH, count * cls.WIDTH
        return column

    def append(self, result: EvalResult) -> None:
        """Add the result of an eval; the column must not share its array."""
        self.ids.append(result.eval_id)
        self.add(result)

    def append_row(self, eval_id: str, row: Iterable[float]) -> None:
        """Add the numbers of an eval, which fit in doubles, in the order of ROW."""
        self.ids.append(eval_id)
        self._rows.extend(row)

    def add(self, result: EvalResult) -> None:
        """Add the numbers of an eval's result without the ID."""
        self.scored = result.score is not None
        *counts, matched = result.counts
        row = (*counts, nan if matched is None else matched, *(result.score or (nan, nan, nan)))
        for index, value in enumerate(row, len(self._rows)):
            if type(value) is not float and hasattr(value, "whole"):
                self._large[index] = value
        self._rows.extend(row)

    def extend_rows(self, other: Column) -> None:
        """Add the evals of another column, and of all columns that share its rows, to this array."""
        start = len(self._rows)
        self.ids.extend(other.ids)
        self._rows.extend(other._rows)
        self._large.update((start + index, value) for index, value in other._large.items())

    def seat(self) -> tuple[int, int]:
        """Return the index of the column's first row in its array, and the distance between its rows."""
        return self._first, self._stride

    def scores(self, order: Sequence[int] | None = None) -> list[Sequence[float]]:
        """Return the recalls, the precisions and the Fs of the evals with these indices, or of all."""
        return [self._values(name, order) for name in ("recall", "precision", "f")]

    def counts(self, order: Sequence[int] | None = None) -> list[Sequence[float]]:
        """Return the counts of references, of predictions, of matches, and of matched prediction units."""
        *counts, prediction_matches = (
            self._values(name, order) for name in ("reference", "prediction", "match", "prediction_match")
        )
        matched = [
            match if isnan(prediction_match) else prediction_match  # nan stands for None: equal to match
            for prediction_match, match in zip(prediction_matches, counts[2], strict=True)
        ]
        return [*counts, matched if self._large else array("d", matched)]

    def _values(self, name: str, order: Sequence[int] | None) -> Sequence[float]:
        """Return the numbers of one field of ROW."""
        start = self._first + ROW.index(name)
        values: Sequence[float] = self._rows[start :: self._stride]
        if self._large:
            indices = range(start, len(self._rows), self._stride)
            values = list(map(self._large.get, indices, values))
            return values if order is None else [values[index] for index in order]
        return values if order is None else array("d", map(values.__getitem__, order))

    def __len__(self) -> int:
        return len(self.ids)

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, index: int) -> EvalResult: ...
        @overload
        def __getitem__(self, index: slice) -> Sequence[EvalResult]: ...

    def __getitem__(self, index: int | slice) -> EvalResult | Sequence[EvalResult]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        eval_id = self.ids[index]
        start = self._first + range(len(self))[index] * self._stride
        row: Iterable[float] = self._rows[start : start + self.WIDTH]
        if self._large:
            row = map(self._large.get, range(start, start + self.WIDTH), row)
        reference, prediction, match, rank, matched, *score = row
        counts = Counts(reference, prediction, match, rank, None if isnan(matched) else matched)
        return EvalResult(eval_id, counts, Score(*score) if self.scored else None)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]


def ids_of(evals: Sequence[EvalResult]) -> Sequence[str]:
    """Return the IDs of evals, without making the EvalResults of a column."""
    return evals.ids if isinstance(evals, Column) else [result.eval_id for result in evals]


def scores_of(evals: Sequence[EvalResult], place: int) -> Sequence[float]:
    """Return all recalls, precisions or Fs: the values at index `place` of Score; nan without a score."""
    if isinstance(evals, Column):
        return evals.scores()[place]
    return [nan if result.score is None else result.score[place] for result in evals]


def are_scored(evals: Sequence[EvalResult]) -> bool:
    """Return True if any of the evals has a score in addition to counts."""
    return evals.scored if isinstance(evals, Column) else any(result.score for result in evals)


class Columns:
    """The columns of one system, one for each metric; they share IDs and one array."""

    __slots__ = ("_ids", "_rows", "columns")

    def __init__(self, count: int, *, is_scored: bool = True) -> None:
        self._ids: list[str] = []
        self._rows = array("d")
        large: dict[int, float] = {}
        self.columns = [
            Column.interleaved(self._ids, self._rows, large, place, count) for place in range(count)
        ]
        for column in self.columns:
            column.scored = is_scored

    def append(self, ids: Sequence[str], results: Mapping[str, EvalResult] | bytes) -> None:
        """Add the results of one eval in the order of the columns, or the packed rows of several evals."""
        self._ids.extend(ids)
        if isinstance(results, bytes):
            self._rows.frombytes(results)
            return
        for column, result in zip(self.columns, results.values(), strict=True):
            column.add(result)


def unpack(
    eval_id: str, labels: Sequence[str], rows: bytes, *, is_scored: bool = True
) -> dict[str, EvalResult]:
    """Return the results of one system in one eval, label -> result.

    Args:
        rows: A row of Column.WIDTH doubles for each label.
        is_scored: False if there are only counts.
    """
    columns = Columns(len(labels), is_scored=is_scored)
    columns.append([eval_id], rows)
    return {label: column[0] for label, column in zip(labels, columns.columns, strict=True)}


def extend(columns: dict[K, Column], others: Mapping[K, Column]) -> None:
    """Append the evals of other columns to the columns with the same keys.

    Columns that share rows before share them afterwards.

    Raises:
        ValueError: If other columns share rows than in `others`.
    """
    for _, items in groupby(others.items(), lambda item: id(item[1].ids)):
        group = dict(items)
        if columns.keys().isdisjoint(group):
            columns.update(zip(group, Columns(len(group)).columns, strict=True))
        own = [columns[key] for key in group if key in columns]
        seats = [column.seat() for column in group.values()]
        if [column.seat() for column in own] != seats or len({id(column.ids) for column in own}) > 1:
            raise ValueError(f"columns that do not match: {', '.join(map(str, group))}")
        own[0].extend_rows(next(iter(group.values())))
        for column, other in zip(own, group.values(), strict=True):
            column.scored = other.scored
