"""Explanations of scores: which units of two texts match, where they are, and how scores are computed.

A dialect provides a text as a Source: its tokens with their positions, the form that is counted, and why
tokens were dropped. A metric finds the matching units. The formula that scores also prints its arithmetic.
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
    start: int  # its first byte in the text
    end: int  # after its last byte
    sentence: int  # the number of its sentence, from 0
    rule: str = ""  # the rule that changed its form, e.g. `Porter`; empty if none did
    why_dropped: str = ""  # why it is not counted; empty if it is


class Separator(NamedTuple):
    """A separator other than white space: the bytes from `start` to `end`, and their kind."""

    surface: str
    start: int
    end: int
    kind: str


class Source(NamedTuple):
    """A text as a dialect reads it for one metric."""

    data: bytes
    sentences: Sequence[tuple[int, int]]  # their (start, end) in bytes of `data`
    tokens: Sequence[Token]  # of the whole text
    # The tokens for ROUGE-L and ROUGE-W, which differ if the dialect reads a text in two ways.
    by_sentence: Sequence[Token]
    elements: Sequence[Element] = ()  # the basic elements; each is a token
    separators: Sequence[Separator] = ()


class Side(NamedTuple):
    """The reference or the prediction of a pair, with marks for one metric."""

    source: Source
    tokens: Sequence[Token]  # including dropped tokens
    counted: frozenset[int]  # indices of tokens that count as matches
    # Indices of tokens that match but do not count: the other text has fewer of them, or their run is lost.
    # ROUGE-L and ROUGE-W do not determine which words of the prediction count. Words on a path of the LCS
    # are marked first, then other words with the same form.
    clipped: frozenset[int]


class Pair(NamedTuple):
    """A reference and the prediction under one metric."""

    reference_id: str
    reference: Side
    prediction: Side
    matches: Sequence[Match]  # the most frequent first; for ROUGE-W, the runs in their order
    counts: Counts
    steps: Sequence[str]  # how the counts are computed, if they are not plain numbers of units


class Explanation(NamedTuple):
    """A score under one metric: the pairs with every reference, and the arithmetic from counts to score."""

    label: str
    system: str
    pairs: Sequence[Pair]
    arithmetic: Sequence[str]
    counts: Counts
    score: Score


def explain(
    task: EvalTask,
    metrics: Sequence[tuple[M, str, Formula]],
    read: Callable[[str | Document | None, str], Callable[[M], S]],
    compare: Callable[[M, str, S, S], Pair],
    counts: Callable[[S], bool] = lambda _: True,
) -> dict[str, list[Explanation]]:
    """Explain the scores of every system in one eval, before any average over evals.

    Args:
        metrics: The metrics with their labels and formulas.
        read: Prepares a text of a side, and returns a function that reads it for a metric.
        compare: Returns the pair of a reference and the prediction under a metric.
        counts: Returns False for a text that is not scored.
    """
    references = [(reference_id, read(text, REFERENCES)) for reference_id, text in task.references]
    explained: dict[str, list[Explanation]] = {}
    for system, text in task.predictions.items():
        explained[system] = []
        read_prediction = read(text, PREDICTIONS)
        for metric, label, formula in metrics:
            prediction = read_prediction(metric)
            texts = [(reference_id, read_reference(metric)) for reference_id, read_reference in references]
            pairs = [
                compare(metric, reference_id, reference, prediction) for reference_id, reference in texts
            ]
            parts = [
                part
                for part, (_, reference) in zip(pairs, texts, strict=True)
                if counts(reference) and counts(prediction)
            ]
            if parts or not pairs:
                ids, counts_of_pairs = (
                    [part.reference_id for part in parts],
                    [part.counts for part in parts],
                )
                scored = formula.combine(counts_of_pairs)
                steps = list(formula.lines(ids, counts_of_pairs, scored))
                explained[system].append(Explanation(label, system, pairs, steps, *scored))
    return explained


def source_of(
    string: str, sentences: Sequence[Sequence[tuple[str, str]]], *, lowers: bool = False
) -> Source:
    """Return a string as a Source, whose words are found in it.

    Args:
        sentences: The sentences, as pairs (word, form that is counted).
        lowers: True if the words are in lower case, and the string is not.
    """
    data = string.encode("utf-8", "replace")
    words = [word for sentence in sentences for word, _ in sentence]
    if lowers:
        spans = find_tokens(data, folding("google"), words)
    else:
        spans = places_of(data, [word.encode("utf-8", "replace") for word in words])
    tokens: list[Token] = []
    starts = []
    for index, sentence in enumerate(sentences):
        starts.append(spans[len(tokens)][0] if tokens and sentence else len(data) if tokens else 0)
        for word, form in sentence:
            start, end = spans[len(tokens)]
            surface = data[start:end].decode("utf-8", "replace")
            tokens.append(Token(surface, form, start, end, index, "stemmer" if form != word else ""))
    return Source(data, list(pairwise([*starts, len(data)])), tokens, tokens)


def places_of(text: bytes, pieces: Iterable[bytes]) -> list[tuple[int, int]]:
    """Return (start, end) of consecutive pieces of a text; start is end for a piece that is not found."""
    spans = []
    end = 0
    for piece in pieces:
        start = text.find(piece, end)
        if start >= 0:
            end = start + len(piece)
        spans.append((start if start >= 0 else end, end))
    return spans


def pair(metric: Metric, reference_id: str, reference: Source, prediction: Source) -> Pair:
    """Return the matches of a reference and the prediction under a metric.

    Raises:
        UsageError: The metric has no explanation.
        RougeError: The explanation would be too long.
    """
    forms = Forms()
    texts = _text(reference, forms), _text(prediction, forms)
    shared = metric.matches(*texts)
    matches = [match._replace(unit=_words(match.unit, forms)) for match in shared.matches]
    counts = metric.count(*texts)
    reference_side, prediction_side = (
        _side(source, source.by_sentence if metric.needs_sentences else source.tokens, marks)
        for source, marks in ((reference, shared.reference), (prediction, shared.prediction))
    )
    steps = metric.steps(*texts, matches, counts)
    return Pair(reference_id, reference_side, prediction_side, matches, counts, steps)


def _text(source: Source, forms: Forms) -> Text:
    """Return the text that the metric counts; `forms` assigns ids to its words."""

    def ids(tokens: Iterable[Token]) -> list[int]:
        return [forms[token.form.encode()] for token in tokens if not token.why_dropped]

    if source.elements:
        return Text(elements=source.elements)
    grouped = groupby(source.by_sentence, key=lambda token: token.sentence)
    return Text(ids(source.tokens), [ids(group) for _, group in grouped], forms=forms.by_number)


def _words(unit: Unit, forms: Forms) -> tuple[str, ...]:
    """Return the words of a unit, which are ids or bytes."""
    words = (forms.by_number[word] if isinstance(word, int) else word for word in unit)
    return tuple(word.decode("utf-8", "replace") for word in words)


def _side(source: Source, tokens: Sequence[Token], marks: Marks) -> Side:
    kept = [index for index, token in enumerate(tokens) if not token.why_dropped]
    counted, clipped = (frozenset(kept[position] for position in positions) for positions in marks)
    return Side(source, tokens, counted, clipped - counted)
