"""Explanations of scores: the matching units of two texts, their positions, and the
arithmetic.

A dialect provides each text as a Source: the tokens with their positions, their counted
forms, and the reasons why tokens were dropped. A metric finds the matches. The formulas
that score also describe their steps.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Any

from rouge_cli.core import EvalTask, Explanation, Pair, Side, Source, Text, Token
from rouge_cli.metrics import Metric
from rouge_cli.scoring.formula import Formula
from rouge_cli.text.survey import PREDICTIONS, REFERENCES
from rouge_cli.text.tokens import Forms

# Returns a text as the metric of a label reads it.
ByLabel = Callable[[str], Source]


def explain(
    task: EvalTask,
    measures: Iterable[tuple[str, Metric, Formula]],
    read: Callable[[Any, str], ByLabel],
    ignores_empty: bool = False,  # noqa: FBT001, FBT002 - as the run has it
) -> dict[str, list[Explanation]]:
    """Explain every prediction of a loaded eval; return system -> explanations.

    Args:
        measures: Labels, each with its metric and its formula.
        read: Reads a document of one of SIDES.
        ignores_empty: True if texts without tokens are left out.
    """
    references = [
        (reference_id, read(text, REFERENCES)) for reference_id, text in task.references
    ]
    explained: dict[str, list[Explanation]] = {}
    for system, text in task.predictions.items():
        explained[system] = []
        read_prediction = read(text, PREDICTIONS)
        for label, metric, formula in measures:
            prediction = read_prediction(label)
            pairs, parts = [], []
            for reference_id, read_reference in references:
                reference = read_reference(label)
                pairs.append(pair(metric, reference_id, reference, prediction))
                if not ignores_empty or (reference.tokens and prediction.tokens):
                    parts.append(pairs[-1])
            if parts or not pairs:
                names, several = (
                    [part.reference_id for part in parts],
                    [part.counts for part in parts],
                )
                scored = formula.combine(several)
                steps = list(formula.lines(names, several, scored))
                explained[system].append(
                    Explanation(label, system, pairs, steps, *scored)
                )
    return explained


def places_of(text: bytes, pieces: Iterable[bytes]) -> list[tuple[int, int]]:
    """Return (start, end) of each piece in a text, in order; an empty range if it is
    not there verbatim.
    """
    spans = []
    end = 0
    for piece in pieces:
        start = text.find(piece, end)
        if start >= 0:
            end = start + len(piece)
        spans.append((start if start >= 0 else end, end))
    return spans


def pair(
    metric: Metric, reference_id: str, reference: Source, prediction: Source
) -> Pair:
    """Return the matches of a pair; raise UsageError if a metric has none,
    RougeError if too many.
    """
    forms, sources = Forms(), (reference, prediction)
    texts = [
        _text(source, forms) if source.text is None else source.text
        for source in sources
    ]

    def words(unit: Sequence[int | bytes]) -> tuple[str, ...]:
        by_id = (
            forms.by_number[word] if isinstance(word, int) else word for word in unit
        )
        return tuple(word.decode("utf-8", "replace") for word in by_id)

    shared, counts = metric.matches(*texts), metric.count(*texts)
    matches = [
        match._replace(
            unit=words(match.unit), prediction_unit=words(match.prediction_unit)
        )
        for match in shared.matches
    ]
    sides = []
    for source, marks in zip(
        sources, (shared.reference, shared.prediction), strict=True
    ):
        tokens = source.by_sentence if metric.needs_sentences else source.tokens
        kept = [index for index, token in enumerate(tokens) if not token.why_dropped]
        matched, matching = (
            frozenset(kept[position] for position in positions) for positions in marks
        )
        sides.append(
            Side(source._replace(text=None), tokens, matched, matching - matched)
        )
    return Pair(reference_id, sides[0], sides[1], matches, counts, shared.steps)


def _text(source: Source, forms: Forms) -> Text:
    """Return what the metrics count of a source, given the ids of forms."""

    def ids(tokens: Iterable[Token]) -> list[int]:
        return [forms[token.form] for token in tokens if not token.why_dropped]

    sentences = [
        ids(group)
        for _, group in groupby(source.by_sentence, key=lambda token: token.sentence)
    ]
    return Text(ids(source.tokens), sentences, forms=forms.by_number)
