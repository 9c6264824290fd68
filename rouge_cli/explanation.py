"""Explanations of scores: the matching units of two texts, their positions, and the
arithmetic.

A dialect provides each text as a Source: the tokens with their positions, their counted
forms, and the reasons why tokens were dropped. A metric finds the matches. The formulas
that score also describe their steps.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from rouge_cli.core import EvalTask, Explanation, Pair, Side, Source, Text, Token
from rouge_cli.metrics import ITSELF, SOURCE, Metric
from rouge_cli.scoring.formula import Formula
from rouge_cli.text.survey import PREDICTIONS, REFERENCES, SOURCES
from rouge_cli.text.tokens import Forms

# Returns a text as the metric of a label reads it.
ByLabel = Callable[[str], Source]


def explain(
    task: EvalTask,
    measures: Mapping[str, tuple[Metric, Formula]],
    read: Callable[[Any, str], ByLabel],
    *,
    ignores_empty: bool = False,
) -> dict[str, list[Explanation]]:
    """Explain every prediction of a loaded eval; return system -> explanations.

    Args:
        measures: The metric and the formula of each label.
        read: Reads a document of one of SIDES.
        ignores_empty: True if texts without tokens are left out.
    """
    references = [
        (reference_id, read(text, REFERENCES)) for reference_id, text in task.references
    ]
    sources = []
    if task.source is not None:
        sources.append((SOURCE, read(task.source, SOURCES)))
    explained: dict[str, list[Explanation]] = {}
    for system, text in task.predictions.items():
        explained[system] = []
        read_prediction = read(text, PREDICTIONS)
        for label, (metric, formula) in measures.items():
            prediction = read_prediction(label)
            others = references
            if metric.against == SOURCE:
                others = sources
            elif metric.against == ITSELF:
                others = [(ITSELF, read_prediction)]
            pairs = []
            parts = []
            for reference_id, read_reference in others:
                reference = read_reference(label)
                of_reference = pair(metric, reference_id, reference, prediction)
                pairs.append(of_reference)
                if not ignores_empty or (reference.tokens and prediction.tokens):
                    parts.append(of_reference)
            if parts or not pairs:
                names = [part.reference_id for part in parts]
                counts = [part.counts for part in parts]
                combined, score = formula.combine(counts)
                steps = formula.lines(names, counts, (combined, score))
                explanation = Explanation(
                    label=label,
                    system=system,
                    pairs=pairs,
                    arithmetic=list(steps),
                    counts=combined,
                    score=score,
                )
                explained[system].append(explanation)
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
    forms = Forms()
    texts = (_text(reference, forms), _text(prediction, forms))
    shared = metric.matches(*texts)
    counts = metric.count(*texts)
    matches = []
    for match in shared.matches:
        words = match._replace(
            unit=_words(match.unit, forms),
            prediction_unit=_words(match.prediction_unit, forms),
        )
        matches.append(words)
    return Pair(
        reference_id=reference_id,
        reference=_side(metric, reference, *shared.reference),
        prediction=_side(metric, prediction, *shared.prediction),
        matches=matches,
        counts=counts,
        steps=shared.steps,
    )


def _words(unit: Sequence[int | bytes], forms: Forms) -> tuple[str, ...]:
    """Return the words of a unit, which are forms or their ids."""
    words = []
    for word in unit:
        form = forms.by_number[word] if isinstance(word, int) else word
        words.append(form.decode("utf-8", "replace"))
    return tuple(words)


def _side(
    metric: Metric, source: Source, counted: Iterable[int], matching: Iterable[int]
) -> Side:
    """Return one text of a pair, given the positions of its tokens that count and of
    those that match; dropped tokens have no position.
    """
    tokens = source.by_sentence if metric.needs_sentences else source.tokens
    kept = [index for index, token in enumerate(tokens) if not token.why_dropped]
    counted_indexes = frozenset(kept[position] for position in counted)
    matching_indexes = frozenset(kept[position] for position in matching)
    return Side(
        source=source._replace(text=None),
        tokens=tokens,
        counted=counted_indexes,
        clipped=matching_indexes - counted_indexes,
    )


def _text(source: Source, forms: Forms) -> Text:
    """Return what the metrics count of a source, given the ids of forms."""
    if source.text is not None:
        return source.text
    sentences = []
    for _, tokens in groupby(source.by_sentence, key=lambda token: token.sentence):
        sentences.append(_ids(tokens, forms))
    return Text(_ids(source.tokens, forms), sentences, forms=forms.by_number)


def _ids(tokens: Iterable[Token], forms: Forms) -> list[int]:
    return [forms[token.form] for token in tokens if not token.why_dropped]
