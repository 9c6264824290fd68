"""Scored evals as columns of packed numbers, which become EvalResults only when they
are read.
"""

from __future__ import annotations

from array import array
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from math import isnan, nan
from typing import TYPE_CHECKING

from rouge_cli.core import ROW, Average, Counts, EvalResult, PackedResult, Score
from rouge_cli.scoring.perl_numbers import Number
from rouge_cli.twins import twin

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import SupportsIndex, overload

    from typing_extensions import Buffer

# (system, label) -> the results of all evals, and their average.
KeyedColumns = Mapping[tuple[str, str], "Column"]
Averages = Mapping[tuple[str, str], "Average | Counts"]


class Columns:
    """The results of one system: for each eval an ID, and for each metric the eight
    doubles of ROW.

    Only numbers that do not fit in doubles (`perl_numbers.py`) are stored in addition,
    so that a million evals fit in memory.
    """

    __slots__ = ("ids", "labels", "large", "rows", "scored")
    WIDTH = len(ROW)

    def __init__(
        self, labels: Iterable[str] = ("",), *, is_scored: bool = True
    ) -> None:
        self.labels = tuple(labels)  # of the metrics
        self.ids: list[str] = []
        self.rows = array("d")
        # Index in rows -> a number that does not fit in a double.
        self.large: dict[int, float] = {}
        # Either all rows have scores, or none.
        self.scored = is_scored

    @property
    def columns(self) -> list[Column]:
        """The column of each metric."""
        return [Column((), self, place) for place in range(len(self.labels))]

    @property
    def size(self) -> int:
        """The number of evals."""
        return len(self.ids)

    @property
    def repeated(self) -> str:
        """An ID that occurs twice; empty if there is none."""
        if len(set(self.ids)) == len(self.ids):
            return ""
        seen: set[str] = set()
        for eval_id in self.ids:
            if eval_id in seen:
                return eval_id
            seen.add(eval_id)
        return ""

    def empty(self) -> Columns:
        """Return columns of the same metrics without evals."""
        return Columns(self.labels, is_scored=self.scored)

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
        for _, result in zip(self.labels, results.values(), strict=True):
            self.scored = result.score is not None
            row = _packed(result)
            for index, value in enumerate(row, len(self.rows)):
                if isinstance(value, Number):  # perhaps an integer beyond 53 bits
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
        for index, value in other.large.items():
            self.large[len(self.rows) + index] = value
        self.ids.extend(other.ids)
        self.rows.extend(other.rows)
        self.scored = other.scored

    def __reduce_ex__(
        self, protocol: SupportsIndex
    ) -> tuple[Callable[..., Columns], tuple[object, ...]]:
        """Pickle the IDs as one string if they have no LF, and the rows without a copy
        where the protocol allows it: parts of a run come from other machines.
        """
        from pickle import PickleBuffer  # imported by whoever pickles

        ids: str | list[str] = "\n".join(self.ids)
        if ids.count("\n") + 1 != len(self.ids):
            ids = self.ids
        has_buffers = int(protocol) >= 5
        rows = PickleBuffer(self.rows) if has_buffers else self.rows.tobytes()
        return _columns_of, (self.labels, ids, rows, self.large, self.scored)


def _columns_of(
    labels: Sequence[str],
    ids: str | list[str],
    rows: Buffer,
    large: dict[int, float],
    scored: bool,  # noqa: FBT001 - pickled by position
) -> Columns:
    """Return columns that were pickled."""
    columns = Columns(labels, is_scored=scored)
    columns.ids = ids.split("\n") if isinstance(ids, str) else ids
    columns.rows.frombytes(memoryview(rows).cast("B"))
    columns.large = large
    return columns


class Column(Sequence[EvalResult]):
    """The results of one system by one metric, which become EvalResults only when they
    are read.

    Args:
        results: The results of a column of its own.
        columns: The columns that it belongs to, at this place.
        averaged: The measures whose averages are needed; a bootstrap may leave the
            others undefined.
    """

    __slots__ = ("averaged", "of", "place")

    def __init__(
        self,
        results: Iterable[EvalResult] = (),
        columns: Columns | None = None,
        place: int = 0,
        averaged: Container[str] = "RPF",
    ) -> None:
        self.of = columns or Columns()
        self.place = place
        self.averaged = averaged
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
        columns: list[Sequence[float]] = []
        for key, name in zip("RPF", Score._fields, strict=True):
            columns.append(self._values(name, order) if key in measures else ())
        return columns

    def counts(self, order: Sequence[int] | None = None) -> list[Sequence[float]]:
        """Return the counts of references, of predictions, of matches, and of
        matched prediction units.
        """
        references = self._values("reference", order)
        predictions = self._values("prediction", order)
        matches = self._values("match", order)
        stored = self._values("prediction_match", order)
        matched = []
        for value, match in zip(stored, matches, strict=True):
            matched.append(match if isnan(value) else value)
        return [references, predictions, matches, self._sequence(matched)]

    def packed(self) -> Iterator[bytes]:
        """Yield the numbers of each eval as bytes; of those that do not fit in
        doubles, the doubles.
        """
        size = Columns.WIDTH * self.of.rows.itemsize
        stride = len(self.of.labels) * size
        numbers = memoryview(self.of.rows).cast("B")
        for start in range(self.place * size, len(numbers), stride):
            yield numbers[start : start + size].tobytes()

    def _values(self, name: str, order: Sequence[int] | None) -> Sequence[float]:
        """Return the numbers of one field of ROW."""
        start = self.place * Columns.WIDTH + ROW.index(name)
        stride = len(self.of.labels) * Columns.WIDTH
        values: Sequence[float] = self.of.rows[start::stride]
        large = self.of.large
        if large:
            indices = range(start, len(self.of.rows), stride)
            pairs = zip(indices, values, strict=True)
            values = [large.get(index, value) for index, value in pairs]
        if order is None:
            return values
        return self._sequence([values[index] for index in order])

    def _sequence(self, values: list[float]) -> Sequence[float]:
        """Return numbers packed, but as a list if one may not fit in a double."""
        return values if self.of.large else array("d", values)

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
        of = self.of
        width = Columns.WIDTH
        eval_id = of.ids[index]
        start = (range(len(of.ids))[index] * len(of.labels) + self.place) * width
        row: Sequence[float] = of.rows[start : start + width]
        if of.large:
            row = [of.large.get(start + n, value) for n, value in enumerate(row)]
        return _unpacked(eval_id, PackedResult._make(row), is_scored=of.scored)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]


def _packed(result: EvalResult) -> PackedResult:
    """Return the numbers of a result."""
    counts = result.counts
    prediction_match = counts.prediction_match
    score = result.score
    if prediction_match is None:
        prediction_match = nan
    if score is None:
        score = Score(nan, nan, nan)
    return PackedResult(
        reference=counts.reference,
        prediction=counts.prediction,
        match=counts.match,
        rank=counts.rank,
        prediction_match=prediction_match,
        recall=score.recall,
        precision=score.precision,
        f=score.f,
    )


def _unpacked(eval_id: str, numbers: PackedResult, *, is_scored: bool) -> EvalResult:
    """Return the result that these numbers are of."""
    prediction_match: float | None = numbers.prediction_match
    if isnan(numbers.prediction_match):
        prediction_match = None
    counts = Counts(
        numbers.reference,
        numbers.prediction,
        numbers.match,
        numbers.rank,
        prediction_match,
    )
    score = None
    if is_scored:
        score = Score(numbers.recall, numbers.precision, numbers.f)
    return EvalResult(eval_id, counts, score)


def ids_of(evals: Sequence[EvalResult]) -> Sequence[str]:
    """Return the IDs of evals, without making the EvalResults of a column."""
    if isinstance(evals, Column):
        return evals.of.ids
    return [result.eval_id for result in evals]


def scores_of(evals: Sequence[EvalResult], place: int) -> Sequence[float]:
    """Return all recalls, precisions or Fs: the values at index `place` of Score;
    nan without a score.
    """
    if isinstance(evals, Column):
        return evals.scores(measures="RPF"[place])[place]
    values = []
    for result in evals:
        values.append(nan if result.score is None else result.score[place])
    return values


def matches_of(evals: Sequence[EvalResult]) -> Sequence[float]:
    """Return the counts of matches of all evals."""
    if isinstance(evals, Column):
        return evals.counts()[2]
    return [result.counts.match for result in evals]


def are_scored(evals: Sequence[EvalResult]) -> bool:
    """Return True if any of the evals has a score in addition to counts."""
    if isinstance(evals, Column):
        return evals.of.scored
    return any(result.score for result in evals)


def keyed(
    systems: Mapping[str, Columns], averaged: Container[str] = "RPF"
) -> dict[tuple[str, str], Column]:
    """Return the columns of systems, given the results of each, and the measures
    whose averages are needed.
    """
    by_key = {}
    for system, results in systems.items():
        for place, label in enumerate(results.labels):
            by_key[system, label] = Column((), results, place, averaged)
    return by_key


@twin
def records_of(columns: Columns) -> list[dict[str, float]]:
    """Return the scores of each eval, such as `ROUGE-1.f`."""
    records: list[dict[str, float]] = [{} for _ in columns.ids]
    for label, column in zip(columns.labels, columns.columns, strict=True):
        names = [f"{label}.{measure}" for measure in Score._fields]
        for record, result in zip(records, column, strict=True):
            if result.score:
                record.update(zip(names, result.score, strict=True))
    return records
