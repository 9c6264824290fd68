"""The records that are read, counted and reported, frozen and with named fields.

The field's own words are used throughout: *peer* (elsewhere system, candidate, hypothesis,
prediction), *model* (reference, target), *eval* (topic, instance), *match* (hit, overlap), *label*
(a metric's printed name, which parses back).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
    from datetime import date

    # Receives notices that do not stop the run.
    Notify = Callable[["Notice"], None]

T = TypeVar("T")

# A peer's figures under one metric in one eval: the fields of a row, in Python and in C++.
ROW = ("reference", "prediction", "match", "rank", "prediction_match", "recall", "precision", "f")


class Notice(NamedTuple):
    """A notice on stderr that does not stop the run."""

    message: str
    of_the_original: bool = False  # True if the dialect's original program prints it too, in its own words


def ignore_notice(_: Notice) -> None:
    """Discard a notice."""


def once(notify: Notify) -> Notify:
    """Return a function that passes each notice on once, however often the same texts are read."""
    messages: set[str] = set()

    def pass_on(notice: Notice) -> None:
        if notice.message not in messages:
            messages.add(notice.message)
            notify(notice)

    return pass_on


class Document(NamedTuple):
    """A text that came with its task, not in a file of its own."""

    data: bytes  # its bytes, in UTF-8 unless they are ASCII
    where: str  # the place it comes from, as `path:line`


class EvalTask(NamedTuple):
    """One eval: the peers that summarize one topic, and the models that they are compared with.

    peers: peer id -> path or Document, or None if the eval names the peer without a file. models: (model
    id, path or Document) in order; an id may occur twice.
    """

    eval_id: str
    predictions: Mapping[str, str | Document | None]
    references: Sequence[tuple[str, str | Document]]
    # The name of the module in `formats` that reads them, e.g. `spl`; empty if the source does not name
    # one.
    input_format: str
    where: str  # the place that the eval comes from, as `path:line`

    def paths(self, systems: Iterable[str]) -> list[str]:
        """Return the path of every summary that is read to score these peers, as often as it is read."""
        sources = [source for system in systems if (source := self.predictions.get(system))]
        if sources:
            sources += [reference for _, reference in self.references]
        return [source for source in sources if isinstance(source, str)]


class Summary(NamedTuple):
    """A text as read from its file: `units` are its sentences (or basic elements), as bytes."""

    units: Sequence[bytes]
    # The day of each unit in a timeline, in ascending order; empty for other texts
    dates: Sequence[date] = ()


class Element(NamedTuple):
    """A basic element (Hovy et al. 2006), ready to be counted."""

    head: bytes
    modifier: bytes
    relation: bytes
    raw_modifier: bytes  # the modifier as in the file, before any stemming


class Memo:
    """Caches derived values; compared by identity."""

    __slots__ = ("_kept",)

    def __init__(self) -> None:
        self._kept: dict[Hashable, Any] | None = None  # most texts cache nothing

    def once(self, make: Callable[..., T], *arguments: Hashable) -> T:
        """Return `make(self, *arguments)`, computed at the first call and cached as long as the text."""
        if self._kept is None:
            self._kept = {}
        key = (make, *arguments)
        if key not in self._kept:
            self._kept[key] = make(self, *arguments)
        value: T = self._kept[key]
        return value


class Text(Memo):
    """A prepared text.

    Args:
        tokens: The ids of the whole text, ignoring sentence boundaries.
        sentences: The ids of each unit. They can differ, since ROUGE-1.5.5 reads a file twice, in two ways
            that differ under `-b` (QUIRKS 8).
        elements: The basic elements, for ROUGE-BE only.
        forms: Each id's word form, for metrics that count within words.
    """

    __slots__ = ("elements", "forms", "sentences", "tokens")

    def __init__(
        self,
        tokens: Sequence[int] = (),
        sentences: Sequence[Sequence[int]] = (),
        elements: Sequence[Element] = (),
        forms: Sequence[bytes] = (),
    ) -> None:
        super().__init__()
        self.tokens = tokens
        self.sentences = sentences
        self.elements = elements
        self.forms = forms

    @property
    def words(self) -> list[bytes]:
        """The word forms of the tokens."""
        return [self.forms[token] for token in self.tokens]

    @property
    def wordless(self) -> bool:
        """Return True if no sentence has a token."""
        return not any(self.sentences)

    @property
    def empty(self) -> bool:
        """Return True if the whole text has no token to count."""
        return not self.tokens


class Counts(NamedTuple):
    """The counts of one (model, peer) pair under a metric.

    model, peer: units (n-grams, skip-bigrams, words, weights) in each.
    """

    reference: float
    prediction: float
    match: float  # units they share
    # What the "best model" formula compares; not always the recall. peer_match: the peer's units that the
    # model has, if a metric counts them differently.
    rank: float = 0.0
    prediction_match: float | None = None

    @property
    def matched(self) -> float:
        """Return the peer's units that the model has: the numerator of precision."""
        return self.match if self.prediction_match is None else self.prediction_match

    @classmethod
    def of(cls, reference: float, prediction: float, match: float) -> Counts:
        """Return counts that are ranked by their recall."""
        return cls(reference, prediction, match, match / reference if reference else 0.0)


def number(value: float) -> str:
    """Return a count for display: whole, or with five decimals."""
    return str(int(value)) if float(value).is_integer() else f"{value:.5f}"


def terms(values: Sequence[str]) -> str:
    """Return a sum for display, with its middle left out if it is long."""
    return " + ".join(values if len(values) <= 8 else [*values[:4], "...", *values[-3:]]) or "0"


class Score(NamedTuple):
    """Recall, precision and their weighted harmonic mean, each in 0..1."""

    recall: float
    precision: float
    f: float


class Estimate(NamedTuple):
    """A value with its confidence interval; low and high are None when nothing was resampled."""

    value: float
    low: float | None
    high: float | None


class Average(NamedTuple):
    """A peer's averages over its evals."""

    recall: Estimate
    precision: Estimate
    f: Estimate


class EvalResult(NamedTuple):
    """A peer's result in one eval under one metric; `score` is None if only counts are kept."""

    eval_id: str
    counts: Counts
    score: Score | None


class Result(NamedTuple):
    """One peer under one metric; `average` is the summed Counts when only counts are kept."""

    system: str
    label: str
    average: Average | Counts
    evals: Sequence[EvalResult]


class Report(NamedTuple):
    """All results, in the requested order of peers, each with its metrics in the requested order."""

    results: Sequence[Result]
    signature: str = ""  # how the scores were computed, in one line that can be parsed (`signature.py`)
    details: Mapping[str, object] = {}  # facts about the run by name, such as the number of sentences
