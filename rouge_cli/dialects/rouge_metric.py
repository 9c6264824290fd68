"""The Python class of PyPI's `rouge-metric` 1.0.1, PyRouge: ROUGE-1.5.5's counts,
without rounding.

ROUGE-N, L, W, S and SU count as ROUGE-1.5.5 does, also with several references. There
are differences. Words are separated by white space and keep their case. Nothing is
stemmed or rounded. The average F is computed from the mean R and the mean P. `best`
selects the reference with the best R for ROUGE-W, too.

A drop-in for Python code: `from rouge_cli.dialects.rouge_metric import PyRouge` in
place of `from rouge_metric import PyRouge`. (The package's PerlRouge runs the original:
use dialect rouge155.)
"""

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from operator import index
from typing import Any

from rouge_cli import metrics
from rouge_cli.dialects._base import (
    Dialect,
    StringRun,
    combine,
    means_in_order,
    texts_of,
)
from rouge_cli.errors import UsageError
from rouge_cli.metrics import Metric, lcs, ngram, skip_bigram
from rouge_cli.options import in_range, one_of
from rouge_cli.scoring.formula import BEST, Unrounded
from rouge_cli.tasks.ordering import ordered, refuse_sets

Sentences = Iterable[Iterable[Hashable]]
AVERAGE, INDIVIDUAL = "average", "individual"
LABELS = "rouge-1", "rouge-2", "rouge-l"


@dataclass(eq=False)
class PyRouge:
    """`rouge_metric.PyRouge`.

    Args:
        rouge_n: The lengths of n-grams, or the greatest length.
        skip_gap: The skip distance of rouge-s and rouge-su; None or a negative number
            for any distance. As in the package, 0 is labelled `*`, too.
        multi_ref_mode: `average` to add the counts of several references, `best` to use
            the reference with the best recall.
        mode: `average` or `individual`. As in the package, `evaluate` raises ValueError
            for invalid values; the constructor does not.
    """

    rouge_n: int | Iterable[int] = (1, 2)
    rouge_l: bool = True
    rouge_w: bool = False
    rouge_w_weight: float = 1.2
    rouge_s: bool = False
    rouge_su: bool = False
    skip_gap: int | None = None
    multi_ref_mode: str = AVERAGE
    alpha: float = 0.5
    mode: str = AVERAGE

    def evaluate(
        self,
        hypotheses: Sequence[str],
        multi_references: Sequence[Sequence[str]],
        sentencizer: Callable[[str], Iterable[str]] | None = None,
        tokenizer: Callable[[str], Iterable[Hashable]] | None = None,
    ) -> Any:  # noqa: ANN401 - a record, or in mode individual a list of them
        """Return r, p and f by label.

        Args:
            sentencizer: Splits a text into sentences (default: lines).
            tokenizer: Splits a sentence into tokens (default: at white space).
        """
        tokenize = tokenizer or str.split

        def split(string: str) -> Sentences:
            sentences = sentencizer(string) if sentencizer else string.split("\n")
            return [tokenize(sentence) for sentence in ordered(sentences)]

        references = []
        for strings in ordered(multi_references):
            references.append(list(map(split, ordered(strings))))
        predictions = list(map(split, ordered(hypotheses)))
        return self.evaluate_tokenized(predictions, references)

    def evaluate_tokenized(
        self,
        hypotheses: Sequence[Sentences],
        multi_references: Sequence[Sequence[Sentences]],
    ) -> Any:  # noqa: ANN401 - as above
        """Return r, p and f by label for tokenized documents: lists of sentences of
        tokens.

        Raises:
            ValueError: If the numbers of hypotheses and references differ, references
                are missing, a value is a set, or an option is invalid.
        """
        if self.mode not in (INDIVIDUAL, AVERAGE):
            raise ValueError(
                f"Invalid mode {self.mode}: expected ({INDIVIDUAL}, {AVERAGE})"
            )
        refuse_sets(hypotheses, multi_references)
        if len(hypotheses) != len(multi_references):
            raise ValueError("Hypotheses and references must be the same size")
        measures = self._measures() if len(hypotheses) else {}
        records = []
        for hypothesis, references in zip(hypotheses, multi_references, strict=True):
            refuse_sets(references)
            if len(references) == 0:
                raise ValueError("a hypothesis without references")
            documents = []
            for document in (hypothesis, *references):
                sentences = map(ordered, ordered(document))
                documents.append([words for words in sentences if words])
            prediction, *texts = texts_of(*documents, entry=f"{__name__}.PyRouge")
            record = {}
            scores = combine(measures, texts, prediction)
            for label, (_, score) in scores.items():
                record[label] = dict(zip("rpf", score, strict=True))
            records.append(record)
        if self.mode == INDIVIDUAL:
            return records
        means = means_in_order(records) if records else {}
        for mean in means.values():
            mean["f"] = Unrounded(self.alpha).f(mean["r"], mean["p"])
        return means

    def _measures(self) -> dict[str, tuple[Metric, Unrounded]]:
        """Return the metrics and formulas by label; raise ValueError for an invalid
        option.
        """
        metrics: dict[str, Metric] = {}
        lengths = self.rouge_n
        if isinstance(lengths, int):
            lengths = range(1, lengths + 1)
        for n in lengths:
            if index(n) < 1:
                raise ValueError(f"Invalid length of n-grams {n}: expected 1 or more")
            metrics[f"rouge-{n}"] = ngram.NGram(n)
        if self.rouge_l:
            metrics["rouge-l"] = lcs.Lcs()
        if self.rouge_w:
            if self.rouge_w_weight < 1:
                raise ValueError(
                    f"Invalid weight {self.rouge_w_weight}: expected 1 or more"
                )
            weighted = lcs.WeightedLcs(float(self.rouge_w_weight))
            metrics[f"rouge-w-{self.rouge_w_weight}"] = weighted
        gap = self.skip_gap
        if gap is not None and not gap >= 0:
            gap = None
        if self.rouge_s:
            pairs = skip_bigram.SkipBigram(gap, unigrams=False)
            metrics[f"rouge-s{gap or '*'}"] = pairs
        if self.rouge_su:
            pairs = skip_bigram.SkipBigram(gap, unigrams=True)
            metrics[f"rouge-su{gap or '*'}"] = pairs
        if metrics and not 0 <= self.alpha <= 1:
            raise ValueError(
                f"Invalid alpha {self.alpha}: expected a number from 0 to 1"
            )
        how = self.multi_ref_mode
        if metrics and how not in (AVERAGE, BEST):
            raise ValueError(
                f"Invalid multi_ref_mode {how}: expected ({AVERAGE}, {BEST})"
            )
        measures = {}
        for label, metric in metrics.items():
            formula = Unrounded(self.alpha, how, metric.root, metric.written_root)
            measures[label] = metric, formula
        return measures


class RougeMetric(StringRun):
    """A run of the dialect."""

    averages_f_of_means = True

    def measure(self, label: str) -> tuple[Metric, Unrounded]:
        """Return the metric and the formulas of a label."""
        metric = metrics.parse(label)
        alpha = in_range(self.options, "alpha", 0, 1)
        how = one_of(self.options, "formula", AVERAGE, BEST)
        return metric, Unrounded(alpha, how, metric.root, metric.written_root)

    def counted(self, string: str) -> Sequence[Sequence[str]]:
        """Return the words of each line."""
        return [line.split() for line in string.split("\n")]


def parse(label: str) -> str:
    """Return the package's label: `rouge-w-1.2`, `rouge-su4`, `rouge-s*`; raise
    UsageError for others.
    """
    canonical = metrics.parse(label).label
    if re.fullmatch(r"ROUGE-([0-9]+|L|W-.+|SU?([0-9]+|\*))", canonical):
        return canonical.lower()
    remedy = "use rouge-1, rouge-l, rouge-w-1.2, rouge-s4, rouge-su4, with any numbers"
    raise UsageError(f"unknown metric {label!r} in dialect rouge_metric", remedy=remedy)


DEFAULTS = {
    "metrics": LABELS,
    "alpha": 0.5,
    "formula": AVERAGE,
    "samples": 0,
    "sentences": "newline",
}
DIALECT = Dialect(DEFAULTS, parse, RougeMetric, averages_f_of_means=True)
