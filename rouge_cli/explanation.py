"""Explanations of scores: for a pair of texts the units that match, and their places.

A dialect provides each text as a Source: its tokens with their places, the form that is counted, and why
tokens were dropped. A metric finds what matches, and where. The dialect's formulas, which also score,
explain themselves.
"""

from __future__ import annotations

from itertools import groupby, pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from rouge_cli.core import Text, number
from rouge_cli.metrics import Match
from rouge_cli.text.normalization import find_tokens, folding
from rouge_cli.text.survey import PREDICTIONS, REFERENCES
from rouge_cli.text.tokens import Forms

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from rouge_cli.core import Counts, Document, Element, EvalTask, Score
    from rouge_cli.metrics import Marks, Metric, Unit
    from rouge_cli.scoring.formula import Formula

__all__ = ["Match", "number"]

M = TypeVar("M")
S = TypeVar("S")


class Token(NamedTuple):
    """A token of a text, counted or not."""

    surface: str  # as in the text
    form: str  # what is counted
    start: int  # start, end: its place, in bytes of the text
    end: int
    sentence: int  # the number of its sentence, from 0
    rule: str = ""  # the rule that changed its form, e.g. `Porter`; empty if none did
    why_dropped: str = ""  # why it is not counted; empty if it is


class Separator(NamedTuple):
    """A separator other than white space: the bytes from `start` to `end`, and what they are."""

    surface: str
    start: int
    end: int
    kind: str


class Source(NamedTuple):
    """A text as a dialect reads it for one metric."""

    data: bytes
    sentences: Sequence[tuple[int, int]]  # (start, end) of each, in bytes of `data`
    tokens: Sequence[Token]  # those of the whole text
    # Those of the second reading, for ROUGE-L and ROUGE-W, if the dialect reads a text in two ways; else
    # the same
    by_sentence: Sequence[Token]
    elements: Sequence[Element] = ()  # the basic elements, one a token
    separators: Sequence[Separator] = ()


class Side(NamedTuple):
    """The model or the peer of a pair, with marks for one metric."""

    source: Source
    tokens: Sequence[Token]  # all tokens, including dropped ones
    counted: frozenset[int]  # the indices of tokens that are counted as matches
    # The indices of those that match, but are not counted, because the other text has them less often, or
    # because their run is lost. For ROUGE-L and W, the counts do not determine the peer's words: those on a
    # path are marked first, then others with the same form.
    clipped: frozenset[int]


class Pair(NamedTuple):
    """One model and the peer under one metric."""

    reference_id: str
    reference: Side
    prediction: Side
    matches: Sequence[Match]  # the most frequent first; runs of ROUGE-W in their order
    counts: Counts
    steps: Sequence[str]  # how the counts are computed, if they are not plain numbers of units


class Explanation(NamedTuple):
    """One metric: the peer with each model, and the arithmetic from the counts to the score."""

    label: str
    system: str
    pairs: Sequence[Pair]
    arithmetic: Sequence[str]
    counts: Counts
    score: Score


def explain(
    task: EvalTask,
    measures: Sequence[tuple[M, str, Formula]],
    read: Callable[[str | Document | None, str], Callable[[M], S]],
    compare: Callable[[M, str, S, S], Pair],
    counts: Callable[[S], bool] = lambda _: True,
) -> dict[str, list[Explanation]]:
    """Explain every peer of a loaded eval, as if no score were averaged over evals.

    Args:
        measures: With their labels and formulas.
        read: Returns a text of a side as a measure reads it.
        compare: Returns the matches of a model and the peer.
        counts: False for a text that is left out.
    """
    references = [(reference_id, read(text, REFERENCES)) for reference_id, text in task.references]
    explained: dict[str, list[Explanation]] = {}
    for system, text in task.predictions.items():
        explained[system] = []
        read_prediction = read(text, PREDICTIONS)
        for measure, label, formula in measures:
            prediction = read_prediction(measure)
            texts = [(reference_id, read_reference(measure)) for reference_id, read_reference in references]
            pairs = [
                compare(measure, reference_id, reference, prediction) for reference_id, reference in texts
            ]
            parts = [
                part
                for part, (_, reference) in zip(pairs, texts, strict=True)
                if counts(reference) and counts(prediction)
            ]
            if parts or not pairs:
                names, several = [part.reference_id for part in parts], [part.counts for part in parts]
                scored = formula.combine(several)
                steps = list(formula.lines(names, several, scored))
                explained[system].append(Explanation(label, system, pairs, steps, *scored))
    return explained


def source_of(
    string: str, sentences: Sequence[Sequence[tuple[str, str]]], *, lowers: bool = False
) -> Source:
    """Return a string as the text of these sentences of pairs (word, counted form).

    Args:
        lowers: True if words are those of the string in lower case.
    """
    data = string.encode("utf-8", "replace")
    words = [word for sentence in sentences for word, _ in sentence]
    if lowers:
        places = find_tokens(data, folding("google"), words)
    else:
        places = places_of(data, [word.encode("utf-8", "replace") for word in words])
    tokens: list[Token] = []
    starts = []
    for place, sentence in enumerate(sentences):
        starts.append(places[len(tokens)][0] if tokens and sentence else len(data) if tokens else 0)
        for word, form in sentence:
            first, last = places[len(tokens)]
            surface = data[first:last].decode("utf-8", "replace")
            tokens.append(Token(surface, form, first, last, place, "stemmer" if form != word else ""))
    return Source(data, list(pairwise([*starts, len(data)])), tokens, tokens)


def places_of(text: bytes, pieces: Iterable[bytes]) -> list[tuple[int, int]]:
    """Return the place of each piece in a text, one after the other; empty if it is not in it verbatim."""
    places = []
    end = 0
    for piece in pieces:
        start = text.find(piece, end)
        if start >= 0:
            end = start + len(piece)
        places.append((start if start >= 0 else end, end))
    return places


def pair(metric: Metric, reference_id: str, reference: Source, prediction: Source) -> Pair:
    """Return the matches of one model and the peer under a metric.

    Raises:
        UsageError: For a metric that has no explanation.
        RougeError: If it would be too long.
    """
    forms = Forms()
    texts = _text(reference, forms), _text(prediction, forms)
    shared = metric.matches(*texts)
    matches = [match._replace(unit=_words(match.unit, forms)) for match in shared.matches]
    counts = metric.count(*texts)
    ours, theirs = (
        _side(source, source.by_sentence if metric.needs_sentences else source.tokens, marks)
        for source, marks in ((reference, shared.reference), (prediction, shared.prediction))
    )
    steps = metric.steps(*texts, matches, counts)
    return Pair(reference_id, ours, theirs, matches, counts, steps)


def _text(source: Source, forms: Forms) -> Text:
    """Return the counted text; `forms` assigns ids to its words."""

    def ids(tokens: Iterable[Token]) -> list[int]:
        return [forms[token.form.encode()] for token in tokens if not token.why_dropped]

    if source.elements:
        return Text(elements=source.elements)
    grouped = groupby(source.by_sentence, key=lambda token: token.sentence)
    return Text(ids(source.tokens), [ids(group) for _, group in grouped], forms=forms.by_number)


def _words(unit: Unit, forms: Forms) -> tuple[str, ...]:
    """Return the words of a unit of ids or bytes."""
    words = (forms.by_number[word] if isinstance(word, int) else word for word in unit)
    return tuple(word.decode("utf-8", "replace") for word in words)


def _side(source: Source, tokens: Sequence[Token], marks: Marks) -> Side:
    places_of_counted = [place for place, token in enumerate(tokens) if not token.why_dropped]
    counted, clipped = (frozenset(places_of_counted[place] for place in places) for places in marks)
    return Side(source, tokens, counted, clipped - counted)
