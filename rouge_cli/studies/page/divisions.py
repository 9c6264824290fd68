"""Evals divided into buckets: by length, number of references, novelty and compression."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from rouge_cli.studies.page.records import Bucket, Division
from rouge_cli.text import tokenizers
from rouge_cli.text.reading import units

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from rouge_cli.core import Document
    from rouge_cli.studies.page.records import Material

_QUARTILES = (0.25, 0.5, 0.75)


def words_of_references(material: Material) -> dict[str, float]:
    """Return the mean number of words in each eval's references."""
    words = _reader(material)
    return {
        task.eval_id: sum(len(words(text, task.input_format)) for _, text in task.models) / len(task.models)
        for task in material.tasks
        if task.models
    }


def divide(material: Material, evals: Sequence[str], words: Mapping[str, float]) -> list[Division]:
    """Return a division by each property in which the evals differ."""
    references = {task.eval_id: float(len(task.models)) for task in material.tasks}
    properties: list[tuple[str, str, Mapping[str, float], str]] = [
        ("Length", "mean words of the eval's references", words, "g"),
        ("References", "number of references", references, "g"),
    ]
    if material.documents is not None:
        novelty, compression = _against_sources(material, material.documents)
        properties += [
            ("Novelty", "share of the references' bigrams that the source does not have", novelty, ".2f"),
            ("Compression", "words of the source for one word of the references", compression, ".1f"),
        ]
    divisions = []
    for name, explanation, by_eval, form in properties:
        values = np.array([by_eval.get(eval_id, np.nan) for eval_id in evals])
        buckets = list(_buckets(values, form))
        if len(buckets) > 1:
            divisions.append(Division(name, explanation, buckets))
    return divisions


def _buckets(values: NDArray[np.float64], form: str) -> Iterator[Bucket]:
    """Yield a bucket for each value if there are few, else one for each quarter of the evals."""
    distinct = np.unique(values[~np.isnan(values)])
    if len(distinct) <= 4:
        for value in distinct:
            yield Bucket(f"{value:{form}}", np.flatnonzero(values == value))
        return
    bounds = np.unique(np.quantile(values[~np.isnan(values)], _QUARTILES))
    quarters = np.digitize(values, bounds, right=True)
    for quarter in range(len(bounds) + 1):
        places = np.flatnonzero((quarters == quarter) & ~np.isnan(values))
        if len(places):
            low, high = values[places].min(), values[places].max()
            name = f"{low:{form}}" if low == high else f"{low:{form}} to {high:{form}}"
            yield Bucket(name, places)


def _against_sources(
    material: Material, documents: Mapping[str, Document]
) -> tuple[dict[str, float], dict[str, float]]:
    """Return novelty and compression of the evals that have a source with words."""
    words = _reader(material)
    novelty, compression = {}, {}
    for task in material.tasks:
        source = documents.get(task.eval_id)
        if source is None:
            continue
        source_words = words(source, "plain")
        source_bigrams = set(pairwise(source_words))
        references = [words(text, task.input_format) for _, text in task.models]
        bigrams = [bigram for text in references for bigram in pairwise(text)]
        if source_words and bigrams:
            novelty[task.eval_id] = sum(bigram not in source_bigrams for bigram in bigrams) / len(bigrams)
            compression[task.eval_id] = len(source_words) * len(references) / sum(map(len, references))
    return novelty, compression


def _reader(material: Material) -> Callable[[str | Document, str], list[bytes]]:
    """Return a function that reads a text's words: with the run's tokenizer, or by letters and digits."""
    name = str(material.run.options.get("tokenizer", ""))
    tokenize = tokenizers.named(name if name in tokenizers.NAMES or ":" in name else "classic")

    def words(text: str | Document, input_format: str) -> list[bytes]:
        return [word for unit in units(text, input_format) for word in tokenize(unit)]

    return words
