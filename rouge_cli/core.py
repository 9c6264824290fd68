"""The records of a run, from the evals that are read to the report.

Terms: a *system* writes *predictions*, people write *references*, and an *eval* (a
topic or document) is what is scored together. A *match* is a unit that prediction and
reference share. A *label* is the printed name of a metric, which can be parsed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from datetime import date
    from typing import Any, TypeVar

    from typing_extensions import Self

    T = TypeVar("T")

# Receives notices that do not stop the run.
Notify = Callable[["Notice"], None]


class PackedResult(NamedTuple):
    """A row: the counts and scores of one system in one eval under one metric, all of
    them doubles. C++ has the same.

    A missing number is nan: `prediction_match` if it is None in `Counts`, and the
    scores if an eval has only counts. `prediction_match` is never nan otherwise.
    """

    reference: float
    prediction: float
    match: float
    rank: float
    prediction_match: float
    recall: float
    precision: float
    f: float


ROW = PackedResult._fields


class Notice(NamedTuple):
    """A warning: a message about the input that does not stop the run."""

    message: str
    # True if the original program warns of it too, in other words
    of_the_original: bool = False


def ignore_notice(_: Notice) -> None:
    """Discard a notice."""


def once(notify: Notify) -> Notify:
    """Return a function that passes a repeated notice on only once, since a text may
    be read repeatedly.
    """
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
    """One eval: the predictions for one topic, and the references that they are
    compared with.
    """

    eval_id: str
    # System -> path or Document; None if the eval names the system without a file.
    predictions: Mapping[str, str | Document | None]
    # (Reference id, path or Document) in order; an id may occur twice.
    references: Sequence[tuple[str, str | Document]]
    # The module in `formats` that reads the texts, such as `spl`; empty if the source
    # names none.
    input_format: str
    where: str  # the source of the eval for messages, as `path:line`
    # The text that was summarized: path or Document; None if it is not known.
    source: str | Document | None = None

    def present(self, systems: Iterable[str]) -> dict[str, str | Document]:
        """Return system -> prediction for those of the systems that have one."""
        present = {}
        for system in systems:
            prediction = self.predictions.get(system)
            if prediction:
                present[system] = prediction
        return present

    def paths(self, systems: Iterable[str]) -> list[str]:
        """Return the path of every text that is read to score these systems, with
        repeats.
        """
        sources = list(self.present(systems).values())
        if sources:
            sources += [reference for _, reference in self.references]
            if self.source is not None:
                sources.append(self.source)
        return [source for source in sources if isinstance(source, str)]

    def with_texts(
        self, change: Callable[[str | Document, str], str | Document]
    ) -> EvalTask:
        """Return the eval with every text changed by a function of the text and its
        name, as `system A`.
        """
        texts = self.predictions.items()
        predictions = {
            system: text and change(text, f"system {system}") for system, text in texts
        }
        references = [
            (name, change(text, f"reference {name}")) for name, text in self.references
        ]
        source = self.source
        if source is not None:
            source = change(source, "source")
        return self._replace(
            predictions=predictions, references=references, source=source
        )


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


class Text:
    """A text that is ready to be counted: its words are replaced by ids.

    Args:
        tokens: The ids of the whole text, ignoring sentence boundaries.
        sentences: The ids of each sentence. Joined they may differ from `tokens`:
            ROUGE-1.5.5 reads a file twice, in ways that differ under `-b` (QUIRKS 8).
        elements: The basic elements, for ROUGE-BE only.
        forms: The word form of each id, for metrics that count within words.
    """

    __slots__ = ("_cache", "elements", "forms", "sentences", "tokens")

    def __init__(
        self,
        tokens: Sequence[int] = (),
        sentences: Sequence[Sequence[int]] = (),
        elements: Sequence[Element] = (),
        forms: Sequence[bytes] = (),
    ) -> None:
        # Created on first use; most texts need none
        self._cache: dict[Hashable, Any] | None = None
        self.tokens = tokens
        self.sentences = sentences
        self.elements = elements
        self.forms = forms

    def once(self, make: Callable[..., T], *arguments: Hashable) -> T:
        """Return `make(self, *arguments)`, which is computed at the first call and
        cached.
        """
        if self._cache is None:
            self._cache = {}
        key = (make, *arguments)
        if key not in self._cache:
            self._cache[key] = make(self, *arguments)
        value: T = self._cache[key]
        return value

    @property
    def words(self) -> list[bytes]:
        """The word forms of the tokens."""
        return [self.forms[token] for token in self.tokens]

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
    # What the formula `best` maximizes over references; usually the recall
    rank: float = 0.0
    # Units of the prediction that the reference has, for metrics that count these
    # differently.
    prediction_match: float | None = None

    @property
    def matched(self) -> float:
        """The numerator of precision: the prediction's units that the reference has."""
        return self.match if self.prediction_match is None else self.prediction_match

    @classmethod
    def of(cls, reference: float, prediction: float, match: float) -> Counts:
        """Return counts whose rank is the recall."""
        return cls(
            reference, prediction, match, match / reference if reference else 0.0
        )


def number(value: float) -> str:
    """Return a count for display: as an integer, or with five decimals."""
    return str(int(value)) if float(value).is_integer() else f"{value:.5f}"


def terms(values: Sequence[str]) -> str:
    """Return a sum for display; the middle of a long sum is left out."""
    shown = values
    if len(values) > 8:
        shown = [*values[:4], "...", *values[-3:]]
    return " + ".join(shown) or "0"


class Score(NamedTuple):
    """Recall, precision and their weighted harmonic mean, between 0 and 1."""

    recall: float
    precision: float
    f: float


class Estimate(NamedTuple):
    """A value with its confidence interval; low and high are None if nothing was
    resampled.
    """

    value: float
    low: float | None = None
    high: float | None = None


class Average(NamedTuple):
    """A system's averages over its evals."""

    recall: Estimate
    precision: Estimate
    f: Estimate


def _naming(names: Mapping[str, str]) -> Callable[[object, str], object]:
    """Return a method `__getattr__` that answers the names of other packages with ours.

    It is called for missing attributes only, and raises AttributeError.
    """

    def refuse(self: object, name: str) -> object:
        message = f"{type(self).__name__!r} object has no attribute {name!r}"
        hint = f"; use .{names[name]}" if name in names else ""
        raise AttributeError(message + hint)

    return refuse


if not TYPE_CHECKING:  # with such a method all attributes would have a type
    _OF_OTHERS = {
        **dict.fromkeys(("fmeasure", "f_measure", "fscore", "f1", "F", "F1"), "f"),
        **dict.fromkeys(("r", "R", "rec"), "recall"),
        **dict.fromkeys(("p", "P", "prec"), "precision"),
    }
    Score.__getattr__ = _naming(
        {
            **_OF_OTHERS,
            "mid": "f, .recall or .precision",
            "low": "average.f.low of an item of report.results",
            "high": "average.f.high of an item of report.results",
        }
    )
    Average.__getattr__ = _naming(
        {**_OF_OTHERS, "low": "f.low", "mid": "f.value", "high": "f.high"}
    )
    Estimate.__getattr__ = _naming(dict.fromkeys(("mid", "mean", "fmeasure"), "value"))


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


if TYPE_CHECKING:

    class _Record:
        """A named tuple, of which type checkers see an ordinary class.

        In a derived class they would take any index, such as `report["system"]`, for an
        item of the tuple.
        """

else:
    _Record = NamedTuple


class Report(_Record):
    """The results of a run, ordered by system and then by metric, as requested."""

    results: Sequence[Result]
    # how the scores were computed, in one line that can be parsed (see `signature`)
    signature: str = ""
    # Other information by name, such as the number of sentences
    details: Mapping[str, object] = {}

    if TYPE_CHECKING:

        def __init__(
            self,
            results: Sequence[Result],
            signature: str = "",
            details: Mapping[str, object] = ...,
        ) -> None: ...

        def _replace(self, **changes: object) -> Self: ...


class Match(NamedTuple):
    """A unit that reference and prediction share."""

    unit: tuple[Any, ...]  # its words
    # How often it occurs there; for ROUGE-L, how often it is on an LCS
    in_reference: int
    # How often it occurs there; None for ROUGE-W's runs (QUIRKS 17)
    in_prediction: int | None
    counted: int  # how often it counts
    # The weight of one match; only runs and distant days have another than 1
    worth: float = 1.0
    # The prediction's words, if they are synonyms
    prediction_unit: tuple[Any, ...] = ()


class Token(NamedTuple):
    """A token of a text, counted or not."""

    surface: str  # as in the text
    form: str  # as counted
    start: int  # its first byte in the text
    end: int  # the byte after its last
    sentence: int  # the number of its sentence, from 0
    # The rule that changed its form, such as `Porter`; empty if unchanged
    rule: str = ""
    why_dropped: str = ""  # why the token is not counted; empty if it is counted


class Separator(NamedTuple):
    """A separator of tokens other than white space."""

    surface: str
    start: int  # its first byte in the text
    end: int  # the byte after its last
    kind: str  # a description


class Source(NamedTuple):
    """A text as a dialect reads it for one metric."""

    data: bytes
    # (start, end) of each sentence, in bytes of `data`
    sentences: Sequence[tuple[int, int]]
    tokens: Sequence[Token]  # of the whole text
    # The tokens for ROUGE-L and ROUGE-W; they differ if the dialect reads a text a
    # second time, sentence by sentence.
    by_sentence: Sequence[Token]
    # What the metrics count; None if it follows from the tokens
    text: Text | None = None
    separators: Sequence[Separator] = ()


class Side(NamedTuple):
    """The reference or the prediction of a pair, with marks for one metric."""

    source: Source
    tokens: Sequence[Token]  # all tokens, including dropped ones
    counted: frozenset[int]  # the indices of tokens that count as matches
    # The indices of tokens that match but do not count: the other text has them less
    # often, or their run is lost. The counts of ROUGE-L and ROUGE-W do not determine
    # which words of the prediction match. Words on a path are marked first, then other
    # words with the same form.
    clipped: frozenset[int]


class Pair(NamedTuple):
    """One reference and the prediction under one metric."""

    reference_id: str
    reference: Side
    prediction: Side
    # The most frequent first; the runs of ROUGE-W in text order
    matches: Sequence[Match]
    counts: Counts
    # How the counts are computed; empty if they are numbers of units
    steps: Sequence[str]


class Explanation(NamedTuple):
    """One metric: the prediction with each reference, and the arithmetic from counts
    to score.
    """

    label: str
    system: str
    pairs: Sequence[Pair]
    arithmetic: Sequence[str]
    counts: Counts
    score: Score
