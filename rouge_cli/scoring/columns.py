"""Scored evals as columns of packed figures, which make EvalResults only when they are read."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from itertools import groupby
from math import isnan, nan
from typing import TYPE_CHECKING, TypeVar, overload

from rouge_cli.core import ROW, Counts, EvalResult, Score

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


K = TypeVar("K")


class Column(Sequence[EvalResult]):
    """The results of one peer under one metric: for each eval an ID and the eight doubles of ROW.

    Nothing else is stored, so that a million evals fit in memory, except for figures that do not fit in
    doubles (`perl_numbers.py`).
    """

    __slots__ = ("_first", "_large", "_rows", "_stride", "ids", "scored")
    WIDTH = len(ROW)

    def __init__(self, results: Iterable[EvalResult] = ()) -> None:
        self.ids: list[str] = []
        self._rows = array("d")
        self._large: dict[int, float] = {}  # index in _rows -> a figure that does not fit in a double
        self._first, self._stride = 0, self.WIDTH
        # Either all rows of a column have scores, or none.
        self.scored = True
        for result in results:
            self.append(result)

    @classmethod
    def interleaved(
        cls, ids: list[str], rows: array[float], large: dict[int, float], place: int, count: int
    ) -> Column:
        """Return the column at this place among `count` columns whose rows alternate in one array."""
        column = cls()
        column.ids, column._rows, column._large = ids, rows, large
        column._first, column._stride = place * cls.WIDTH, count * cls.WIDTH
        return column

    def append(self, result: EvalResult) -> None:
        """Add an eval's result; the column must not share its array."""
        self.ids.append(result.eval_id)
        self.add(result)

    def add(self, result: EvalResult) -> None:
        """Add an eval's figures without its ID."""
        self.scored = result.score is not None
        row = _pack(result)
        for place, figure in enumerate(row, len(self._rows)):
            if type(figure) is not float and hasattr(figure, "whole"):
                self._large[place] = figure
        self._rows.extend(row)

    def extend_rows(self, other: Column) -> None:
        """Add the evals of another column, and of all columns that share its rows, to this array."""
        start = len(self._rows)
        self.ids.extend(other.ids)
        self._rows.extend(other._rows)
        self._large.update((start + place, figure) for place, figure in other._large.items())

    def seat(self) -> tuple[int, int]:
        """Return the first place of the column in its array, and the distance between its rows."""
        return self._first, self._stride

    def scores(self, order: Sequence[int] | None = None) -> list[Sequence[float]]:
        """Return recalls, precisions and Fs. order: indices of evals; None for all in their order."""
        return [self._figure(name, order) for name in ("recall", "precision", "f")]

    def counts(self, order: Sequence[int] | None = None) -> list[Sequence[float]]:
        """Return the units of models and peer, their matches, and the peer's matched units; as `scores`."""
        *counts, prediction_matches = (
            self._figure(name, order) for name in ("reference", "prediction", "match", "prediction_match")
        )
        matched = [
            match if isnan(prediction_match) else prediction_match  # nan stands for None: the same as match
            for prediction_match, match in zip(prediction_matches, counts[2], strict=True)
        ]
        return [*counts, matched if self._large else array("d", matched)]

    def _figure(self, name: str, order: Sequence[int] | None) -> Sequence[float]:
        """Return the figures of one field of ROW."""
        place = ROW.index(name)
        figures: Sequence[float] = self._rows[self._first + place :: self._stride]
        if self._large:
            places = range(self._first + place, len(self._rows), self._stride)
            figures = list(map(self._large.get, places, figures))
            return figures if order is None else [figures[index] for index in order]
        return figures if order is None else array("d", map(figures.__getitem__, order))

    def __len__(self) -> int:
        return len(self.ids)

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
    """Return the IDs; of a column, without making EvalResults."""
    return evals.ids if isinstance(evals, Column) else [result.eval_id for result in evals]


def scores_of(evals: Sequence[EvalResult], place: int) -> Sequence[float]:
    """Return the figures at this place in Score: all recalls, precisions or Fs; nan without a score."""
    if isinstance(evals, Column):
        return evals.scores()[place]
    return [nan if result.score is None else result.score[place] for result in evals]


def are_scored(evals: Sequence[EvalResult]) -> bool:
    """Return True if any of the evals has a score, not only counts."""
    return evals.scored if isinstance(evals, Column) else any(result.score for result in evals)


def _pack(result: EvalResult) -> tuple[float, ...]:
    """Return the figures of ROW; nan for missing ones."""
    counts = result.counts
    matched = nan if counts.prediction_match is None else counts.prediction_match
    return (*counts[:4], matched, *(result.score or (nan, nan, nan)))


class Columns:
    """One peer's columns, one for each metric; they share their IDs and one array."""

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
        """Add one eval's results in the order of the columns, or the packed rows of several evals."""
        self._ids.extend(ids)
        if isinstance(results, bytes):
            self._rows.frombytes(results)
            return
        for column, result in zip(self.columns, results.values(), strict=True):
            column.add(result)


class PackedResults(Mapping[str, EvalResult]):
    """One peer's results in one eval, by label, packed as in a Column.

    Args:
        figures: A row of Column.WIDTH doubles for each label.
        is_scored: False if they are only counts.
    """

    __slots__ = ("_labels", "eval_id", "figures", "is_scored")

    def __init__(
        self, eval_id: str, labels: Sequence[str], figures: bytes, *, is_scored: bool = True
    ) -> None:
        self.eval_id = eval_id
        self.figures = figures
        self.is_scored = is_scored
        self._labels = labels

    def __getitem__(self, label: str) -> EvalResult:
        columns = Columns(len(self._labels), is_scored=self.is_scored)
        columns.append([self.eval_id], self.figures)
        return dict(zip(self._labels, columns.columns, strict=True))[label][0]

    def __iter__(self) -> Iterator[str]:
        return iter(self._labels)

    def __len__(self) -> int:
        return len(self._labels)


def extend(columns: dict[K, Column], others: Mapping[K, Column]) -> None:
    """Add the evals of other columns to those with the same keys; columns that share rows do so afterwards.

    Raises:
        ValueError: If the columns that share rows are not the same on both sides.
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
