"""The nouns: what every ROUGE reads, counts and reports, as frozen records with named fields.

The field's own words are used throughout: *peer* (elsewhere system, candidate, hypothesis,
prediction), *model* (reference, target), *eval* (topic, instance), *match* (hit, overlap), *label*
(a metric's printed name, which parses back).
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from math import isnan, nan
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar, overload

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator
    from datetime import date

    from rouge_cli.native.setup import KernelSetup, KernelSpec

    # Takes what a user should hear although the run goes on.
    Notify = Callable[["Notice"], None]

T = TypeVar("T")

# What is kept of one peer under one metric in one eval: the fields of a row, for Python and C++ alike.
ROW = ("model", "peer", "match", "rank", "peer_match", "recall", "precision", "f")


class Notice(NamedTuple):
    """Something to say on stderr that does not stop the run.

    of_the_original: whether the dialect's original program says it too, in its own words.
    """

    message: str
    of_the_original: bool = False


class Document(NamedTuple):
    """A text that came with its task, not in a file of its own.

    data: its bytes, UTF-8 where it is not ASCII. where: the place it comes from, as `path:line`.
    """

    data: bytes
    where: str


class EvalTask(NamedTuple):
    """One eval: the peers that summarize one topic, and the models they are held against.

    peers: peer id -> path or Document, or None where the eval names the peer without a file.
    models: (model id, path or Document) in order; an id may come twice.
    input_format: the name of the module in `formats` that reads them, e.g. `spl`; empty where
    the source names none. where: the place that the eval comes from, as `path:line`, for messages.
    """

    eval_id: str
    peers: Mapping[str, str | Document | None]
    models: Sequence[tuple[str, str | Document]]
    input_format: str
    where: str

    def paths(self, peer_ids: Iterable[str]) -> list[str]:
        """The path of every summary that scoring these peers reads, as often as it does."""
        found = [source for peer_id in peer_ids if (source := self.peers.get(peer_id))]
        if found:
            found += [model for _, model in self.models]
        return [source for source in found if isinstance(source, str)]


class Summary(NamedTuple):
    """A text as its file gives it: `units` are its sentences (or basic elements), as bytes.

    dates: in a timeline the day of each unit, in ascending order; none elsewhere.
    """

    units: Sequence[bytes]
    dates: Sequence[date] = ()


class Element(NamedTuple):
    """One basic element (Hovy et al. 2006), ready to be counted.

    raw_modifier: the modifier as the file has it, before any stemming.
    """

    head: bytes
    modifier: bytes
    relation: bytes
    raw_modifier: bytes


class Keeper:
    """What keeps what was computed of it; compared by identity."""

    __slots__ = ("_kept",)

    def __init__(self) -> None:
        self._kept: dict[Hashable, Any] | None = None  # most texts keep nothing

    def once(self, make: Callable[..., T], *arguments: Hashable) -> T:
        """`make(self, *arguments)`, computed at the first call and kept as long as the text."""
        if self._kept is None:
            self._kept = {}
        key = (make, *arguments)
        if key not in self._kept:
            self._kept[key] = make(self, *arguments)
        kept: T = self._kept[key]
        return kept


class Text(Keeper):
    """A prepared text.

    tokens: the ids of the whole text, ignoring sentence boundaries. sentences: the ids of each unit. They
    can differ, since ROUGE-1.5.5 reads a file twice, in two ways that part under `-b` (QUIRKS 8).
    elements: the basic elements, for ROUGE-BE only.
    """

    __slots__ = ("elements", "sentences", "tokens")

    def __init__(
        self,
        tokens: Sequence[int] = (),
        sentences: Sequence[Sequence[int]] = (),
        elements: Sequence[Element] = (),
    ) -> None:
        super().__init__()
        self.tokens = tokens
        self.sentences = sentences
        self.elements = elements

    @property
    def wordless(self) -> bool:
        """Return True if no sentence has a token."""
        return not any(self.sentences)

    @property
    def empty(self) -> bool:
        """Return True if the whole text has no token to count."""
        return not self.tokens


class Counts(NamedTuple):
    """What a metric counts for one (model, peer) pair.

    model, peer: units (n-grams, skip-bigrams, words, weights) in each. match: units they share.
    rank: what the "best model" formula compares; not always the recall.
    peer_match: the peer's units that the model has, for measures where that is another number.
    """

    model: float
    peer: float
    match: float
    rank: float = 0.0
    peer_match: float | None = None

    @property
    def matched(self) -> float:
        """What precision is made of: the peer's units that the model has."""
        return self.match if self.peer_match is None else self.peer_match

    @classmethod
    def of(cls, model: float, peer: float, match: float) -> Counts:
        """Counts that are ranked by their recall."""
        return cls(model, peer, match, match / model if model else 0.0)


class Score(NamedTuple):
    """Recall, precision and their weighted harmonic mean, each in 0..1."""

    recall: float
    precision: float
    f: float


class Estimate(NamedTuple):
    """A value with its confidence interval; low and high are None where nothing was resampled."""

    value: float
    low: float | None
    high: float | None


class Average(NamedTuple):
    """A peer's averages over its evals."""

    recall: Estimate
    precision: Estimate
    f: Estimate


class EvalResult(NamedTuple):
    """What one peer got in one eval under one metric; `score` is None where only counts are kept."""

    eval_id: str
    counts: Counts
    score: Score | None


class Column(Sequence[EvalResult]):
    """What one peer got under one metric, eval by eval: EvalResults, packed as an ID and eight doubles.

    Where a million evals are scored, this is what is kept of each. Figures that doubles cannot hold
    (`perl_numbers.py`) are kept beside them.
    """

    __slots__ = ("_first", "_large", "_rows", "_stride", "ids", "scored")
    WIDTH = len(ROW)

    def __init__(self, results: Iterable[EvalResult] = ()) -> None:
        self.ids: list[str] = []
        self._rows = array("d")
        self._large: dict[int, float] = {}  # place in _rows -> figure
        self._first, self._stride = 0, self.WIDTH
        # All of a column have scores, or none.
        self.scored = True
        for result in results:
            self.append(result)

    @classmethod
    def part(
        cls, ids: list[str], rows: array[float], large: dict[int, float], place: int, count: int
    ) -> Column:
        """The column at that place of `count` columns whose rows stand one after the other."""
        column = cls()
        column.ids, column._rows, column._large = ids, rows, large
        column._first, column._stride = place * cls.WIDTH, count * cls.WIDTH
        return column

    def append(self, result: EvalResult) -> None:
        """Add an eval's result to a column that stands alone."""
        self.ids.append(result.eval_id)
        self.add(result)

    def add(self, result: EvalResult) -> None:
        """Add a row, without its ID."""
        self.scored = result.score is not None
        row = _packed(result)
        for place, figure in enumerate(row, len(self._rows)):
            if type(figure) is not float and hasattr(figure, "whole"):
                self._large[place] = figure
        self._rows.extend(row)

    def extend(self, other: Column) -> None:
        """Add the evals of another column to one that stands alone."""
        if not other.ids:
            return
        start = len(self._rows)
        self.ids.extend(other.ids)
        self.scored = other.scored
        rows = array("d", bytes(8 * self.WIDTH * len(other)))
        for place in range(self.WIDTH):
            rows[place :: self.WIDTH] = other._rows[other._first + place :: other._stride]
        self._rows.extend(rows)
        for place, figure in other._large.items():
            number, field = divmod(place - other._first, other._stride)
            if 0 <= field < self.WIDTH:
                self._large[start + number * self.WIDTH + field] = figure

    def scores(self, order: Sequence[int] | None = None) -> list[Sequence[float]]:
        """Recalls, precisions and Fs, in the column's order or in another."""
        return [self._figure(place, order) for place in (5, 6, 7)]

    def counts(self, order: Sequence[int] | None = None) -> list[Sequence[float]]:
        """Counts of the models, of the peer, their matches, and the peer's units that are matched."""
        *counts, matched = (self._figure(place, order) for place in (0, 1, 2, 4))
        pairs = zip(matched, counts[2], strict=True)
        column = [same if isnan(own) else own for own, same in pairs]
        return [*counts, column if self._large else array("d", column)]

    def _figure(self, place: int, order: Sequence[int] | None) -> Sequence[float]:
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
        model, peer, match, rank, matched, *score = row
        counts = Counts(model, peer, match, rank, None if isnan(matched) else matched)
        return EvalResult(eval_id, counts, Score(*score) if self.scored else None)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]


def _packed(result: EvalResult) -> tuple[float, ...]:
    """A column's row."""
    counts = result.counts
    matched = nan if counts.peer_match is None else counts.peer_match
    return (*counts[:4], matched, *(result.score or (nan, nan, nan)))


class Columns:
    """One peer's columns, one for each metric, which share their IDs and their rows."""

    __slots__ = ("_ids", "_rows", "columns")

    def __init__(self, count: int) -> None:
        self._ids: list[str] = []
        self._rows = array("d")
        large: dict[int, float] = {}
        self.columns = [Column.part(self._ids, self._rows, large, place, count) for place in range(count)]

    def append(self, results: Mapping[str, EvalResult]) -> None:
        """Add one eval's results, in the order of the columns."""
        if isinstance(results, Packed):
            if not self._ids:
                for column in self.columns:
                    column.scored = results.is_scored
            self._ids.append(results.eval_id)
            self._rows.frombytes(results.figures)
            return
        for column, result in zip(self.columns, results.values(), strict=True):
            column.add(result)
        self._ids.append(result.eval_id)


class Packed(Mapping[str, EvalResult]):
    """What one peer got in one eval, label -> result, packed as columns keep it.

    figures: for each of the labels a row of Column.WIDTH doubles. is_scored: whether they hold scores.
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
        columns = Columns(len(self._labels))
        columns.append(self)
        return dict(zip(self._labels, columns.columns, strict=True))[label][0]

    def __iter__(self) -> Iterator[str]:
        return iter(self._labels)

    def __len__(self) -> int:
        return len(self._labels)


class Result(NamedTuple):
    """One peer under one metric; `average` is the summed Counts where only counts are kept."""

    peer_id: str
    label: str
    average: Average | Counts
    evals: Sequence[EvalResult]


class Report(NamedTuple):
    """All results, peers as asked for, each with its metrics as asked for.

    signature: how the scores were made, in one line that parses back (`signature.py`).
    details: what was found on the way, such as the number of sentences, by name.
    """

    results: Sequence[Result]
    signature: str = ""
    details: Mapping[str, Any] = {}


class Metric(Protocol):
    """What is measured. A metric is a value: it sees no file, no option and no random number."""

    @property
    def label(self) -> str:
        """The printed name, e.g. `ROUGE-SU4`."""

    def count(self, model: Text, peer: Text) -> Counts:
        """The counts of one pair."""

    @property
    def kernel_spec(self) -> KernelSpec | None:
        """What a compiled program counts for it; None if it cannot."""

    @property
    def root(self) -> float:
        """Recall is (match / model)^(1 / root), precision likewise; 1 for all but ROUGE-W."""


class Dialect(Protocol):
    """Whose program computes it: how a task is scored and how scores are averaged."""

    @property
    def labels(self) -> Sequence[str]:
        """The labels of the metrics, in the report's order."""

    def score(self, task: EvalTask, peer_ids: Iterable[str]) -> Mapping[str, Mapping[str, EvalResult]]:
        """The task's results: peer id -> label -> result, for the peers that are asked for."""

    def kernel_setup(self) -> KernelSetup | None:
        """What its compiled twin has to know to score the same; None if there is none for this set-up."""

    def details(self) -> Mapping[str, Any]:
        """What was found on the way, for the report; asked for when all tasks are scored."""

    def average(
        self, columns: Mapping[tuple[str, str], Column]
    ) -> Mapping[tuple[str, str], Average | Counts]:
        """The averages of all columns, (peer id, label) -> average, drawn in one go."""
