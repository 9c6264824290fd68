"""`compute` of Hugging Face's metric `rouge` (package `evaluate`), without a hub, with a fixed seed."""

from __future__ import annotations

import warnings
from itertools import chain
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from rouge_cli.dialects.google.rouge_scorer import RougeScorer
from rouge_cli.dialects.google.scoring import BootstrapAggregator, mids_of_f
from rouge_cli.errors import RougeWarning
from rouge_cli.tasks.containers import items, ordered
from rouge_cli.text import survey

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

ROUGE_TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")
SAMPLES = 1000
SEED = 0  # Hugging Face draws a seed when the metric is loaded, so results vary by process


def compute(  # noqa: PLR0913, PLR0917 - Hugging Face's parameters
    predictions: Iterable[str],
    references: Iterable[str] | Iterable[Iterable[str]],
    rouge_types: Iterable[str] | None = None,
    use_aggregator: bool = True,  # noqa: FBT001, FBT002
    use_stemmer: bool = False,  # noqa: FBT001, FBT002
    tokenizer: Callable[[str], Sequence[str]] | None = None,
    seed: int | None = None,
) -> dict[str, Any]:
    """Return, by type, the F of the aggregate's mid, or without the aggregator each item's F.

    references: a string, or a list of strings, for each prediction; the first determines which.
    Lists may be any iterables, such as columns of data frames.
    tokenizer: returns a text's tokens; if given, use_stemmer has no effect. seed: that of the bootstrap, 0
    for None.
    Raises ValueError for lists of unequal length, no items, items other than strings, an unknown type.
    """
    predictions, references = items(predictions, "predictions"), items(references, "references")
    if len(predictions) != len(references):
        raise ValueError(
            f"Mismatch in the number of predictions ({len(predictions)}) and references ({len(references)})"
        )
    if not predictions:
        raise ValueError("no predictions to score")
    if not isinstance(references[0], str):
        references = [items(reference, "the references of a prediction") for reference in references]
    for prediction, reference in zip(predictions, references, strict=True):
        texts = [prediction, *([reference] if isinstance(references[0], str) else reference)]
        if not all(isinstance(text, str) for text in texts):
            raise ValueError(
                f"predictions and references must be strings, not {prediction!r:.60}, {reference!r:.60}"
            )
    if tokenizer is None:
        models: list[Any] = references
        models = models if isinstance(models[0], str) else list(chain.from_iterable(models))
        for message in survey.messages(predictions, models):
            warnings.warn(message, RougeWarning, stacklevel=2)
    types = ordered(ROUGE_TYPES if rouge_types is None else rouge_types)
    scorer = RougeScorer(
        types, use_stemmer, tokenizer=None if tokenizer is None else SimpleNamespace(tokenize=tokenizer)
    )
    batch = scorer.score_batch(references, predictions)
    if not use_aggregator:
        return {kind: [scores[kind].fmeasure for scores in batch] for kind in types}
    seed = SEED if seed is None else seed
    mids = mids_of_f({kind: [scores[kind] for scores in batch] for kind in types}, SAMPLES, seed)
    if mids is not None:
        return mids
    aggregator = BootstrapAggregator(n_samples=SAMPLES, seed=seed)
    for scores in batch:
        aggregator.add_scores(scores)
    return {kind: aggregate.mid.fmeasure for kind, aggregate in aggregator.aggregate().items()}
