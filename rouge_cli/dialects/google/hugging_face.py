"""`compute` of Hugging Face's metric `rouge` (package `evaluate`), without a hub, with a fixed seed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rouge_cli.dialects.google.rouge_scorer import RougeScorer
from rouge_cli.dialects.google.scoring import BootstrapAggregator

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ROUGE_TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")
SEED = 0  # Hugging Face draws one when the metric is loaded; two processes then differ


class _Function:
    """A function as rouge_score wants a tokenizer."""

    def __init__(self, tokenize: Callable[[str], Sequence[str]]) -> None:
        self.tokenize = tokenize


def compute(  # noqa: PLR0913, PLR0917 - Hugging Face's parameters
    predictions: Sequence[str],
    references: Sequence[str] | Sequence[Sequence[str]],
    rouge_types: Sequence[str] | None = None,
    use_aggregator: bool = True,  # noqa: FBT001, FBT002
    use_stemmer: bool = False,  # noqa: FBT001, FBT002
    tokenizer: Callable[[str], Sequence[str]] | None = None,
    seed: int | None = None,
) -> dict[str, Any]:
    """Type -> F of the aggregate's mid; or without the aggregator the list of the items' F.

    references: a string, or a list of strings, for each prediction; the first decides which of the two.
    tokenizer: from text to tokens; then use_stemmer has no effect. seed: of the bootstrap; None is 0.
    Raises ValueError for lists of unequal length, no items, items that are no strings, an unknown type.
    """
    if isinstance(predictions, str) or isinstance(references, str):
        raise ValueError("predictions and references are lists of strings, not one string")  # noqa: TRY004 - as other wrong lists
    if len(predictions) != len(references):
        raise ValueError(
            f"Mismatch in the number of predictions ({len(predictions)}) and references ({len(references)})"
        )
    if not predictions:
        raise ValueError("no predictions to score")
    several = not isinstance(references[0], str)
    for prediction, reference in zip(predictions, references, strict=True):
        if not isinstance(prediction, str) or isinstance(reference, str) == several:
            raise ValueError(
                f"predictions and references are strings, not {prediction!r:.60}, {reference!r:.60}"
            )
    types = list(ROUGE_TYPES if rouge_types is None else rouge_types)
    scorer = RougeScorer(types, use_stemmer, tokenizer=_Function(tokenizer) if tokenizer else None)
    found = scorer.score_batch(references, predictions)
    if not use_aggregator:
        return {kind: [scores[kind].fmeasure for scores in found] for kind in types}
    aggregator = BootstrapAggregator(seed=SEED if seed is None else seed)
    for scores in found:
        aggregator.add_scores(scores)
    return {kind: aggregate.mid.fmeasure for kind, aggregate in aggregator.aggregate().items()}
