"""The records of a run, from the evals that are read to the report.

Terms: a *system* writes *predictions*, people write *references*, and an *eval* (a topic or document) is
what is scored together. A *match* is a unit that prediction and reference share. A *label* is the printed
name of a metric, which can be parsed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

if TYPE_CHECKING:
    from datetime import date

# Receives notices that do not stop the run.
Notify = Callable[["Notice"], None]
T = TypeVar("T")

# The fields of a row: the counts and scores of one system in one eval under one metric. C++ has the same.
ROW = ("reference", "prediction", "match", "rank", "prediction_match", "recall", "precision", "f")


class Notice(NamedTuple):
    """A warning: a message about the input that does not stop the run."""

    message: str
    of_the_original: bool = False  # True if the original program warns of it too, in other words


def ignore_notice(_: Notice) -> None:
    """Discard a notice."""


def once(notify: Notify) -> Notify:
    """Return a function that passes a repeated notice on only once, since a text may be read repeatedly."""
    messages: set[str] = set()

    def pass_on(notice: Notice) -> None:
        if notice.message not in messages:
            messages.add(notice.message)
            notify(notice)

    return pass_on


class Document(NamedTuple):
    """A text that is not a file of its own, such as a field of a record."""

    data: bytes  # usually UTF-8
    where: str  # its source for messages, as `path:line`


class EvalTask(NamedTuple):
    """One eval: the predictions for one topic, and the references that they are compared with."""

    eval_id: str
    # System -> path or Document; None if the eval names the system without a file.
    predictions: Mapping[str, str | Document | None]
    # (Reference id, path or Document) in order; an id may occur twice.
    references: Sequence[tuple[str, str | Document]]
    # The module in `formats` that reads the texts, such as `spl`; empty if the source names none.
    input_format: str
    where: str  # the source of the eval for messages, as `path:line`

    def paths(self, systems: Iterable[str]) -> list[str]:
        """Return the path of every text that is read to score these systems, with repeats."""
        sources = [source for system in systems if (source := self.predictions.get(system))]
        if sources:
            sources += [reference for _, reference in self.references]
        return [source for source in sources if isinstance(source, str)]


class Summary(NamedTuple):
    """A text as read from its file."""

    units: Sequence[bytes]  # its sentences, or its basic elements
    # The days of the units of a timeline, in ascending order; empty for other texts.
    dates: Sequence[date] = ()


class Element(NamedTuple):
    """A basic element (Hovy et al. 2006), as it is counted."""

    head: bytes
    modifier: bytes
    relation: bytes
    raw_modifier: bytes  # the modifier as in the file, before stemming


class Memo:
    """Cache of derived values; two objects are equal only if they are identical."""

    __slots__ = ("_cache",)

    def __init__(self) -> None:
        self._cache: dict[Hashable, Any] | None = None  # created on first use; most texts need none

    def once(self, make: Callable[..., T], *arguments: Hashable) -> T:
        """Return `make(self, *arguments)`, which is computed at the first call and cached."""
        if self._cache is None:
            self._cache = {}
        key = (make, *arguments)
        if key not in self._cache:
            self._cache[key] = make(self, *arguments)
        value: T = self._cache[key]
        return value


class Text(Memo):
    """A text that is ready to be counted: its words are replaced by ids.

    Args:
        tokens: The ids of the whole text, ignoring sentence boundaries.
        sentences: The ids of each sentence. Joined they may differ from `tokens`: ROUGE-1.5.5 reads a file
            twice, in ways that differ under `-b` (QUIRKS 8).
        elements: The basic elements, for ROUGE-BE only.
        forms: The word form of each id, for metrics that count within words.
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
        """True if no sentence has a token."""
        return not any(self.sentences)

    @property
    def empty(self) -> bool:
        """True if the whole text has no token to count."""
        return not self.tokens


class Counts(NamedTuple):
    """The counts of one pair of reference and prediction under a metric.

    They count the metric's units: n-grams, skip-bigrams, words or weights.
    """

    reference: float  # units in the reference
    prediction: float  # units in the prediction
    match: float  # units in both
    rank: float = 0.0  # what the formula `best` maximizes over references; usually the recall
    # Units of the prediction that the reference has, for metrics that count these differently.
    prediction_match: float | None = None

    @property
    def matched(self) -> float:
        """The numerator of precision: the prediction's units that the reference has."""
        return self.match if self.prediction_match is None else self.prediction_match

    @classmethod
    def of(cls, reference: float, prediction: float, match: float) -> Counts:
        """Return counts whose rank is the recall."""
        return cls(reference, prediction, match, match / reference if reference else 0.0)


def number(value: float) -> str:
    """Return a count for display: as an integer, or with five decimals."""
    return str(int(value)) if float(value).is_integer() else f"{value:.5f}"


def terms(values: Sequence[str]) -> str:
    """Return a sum for display; the middle of a long sum is left out."""
    return " + ".join(values if len(values) <= 8 else [*values[:4], "...", *values[-3:]]) or "0"


class Score(NamedTuple):
    """Recall, precision and their weighted harmonic mean, between 0 and 1."""

    recall: float
    precision: float
    f: float


class Estimate(NamedTuple):
    """A value with its confidence interval; low and high are None if nothing was resampled."""

    value: float
    low: float | None = None
    high: float | None = None


class Average(NamedTuple):
    """A system's averages over its evals."""

    recall: Estimate
    precision: Estimate
    f: Estimate


class EvalResult(NamedTuple):
    """A system's result in one eval under one metric."""

    eval_id: str
    counts: Counts
    score: Score | None  # None if only counts are kept


class Result(NamedTuple):
    """The results of one system under one metric."""

    system: str
    label: str
    average: Average | Counts  # the sums of the counts if only counts are kept
    evals: Sequence[EvalResult]


class Report(NamedTuple):
    """The results of a run, ordered by system and then by metric, as requested."""

    results: Sequence[Result]
    signature: str = ""  # how the scores were computed, in one line that can be parsed (see `signature`)
    details: Mapping[str, object] = {}  # other information by name, such as the number of sentences
