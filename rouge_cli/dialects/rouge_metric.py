"""The Python class of PyPI's `rouge-metric` 1.0.1, PyRouge: ROUGE-1.5.5's counts, without rounding.

ROUGE-N, L, W, S and SU count as ROUGE-1.5.5 does, also with several references. There are differences.
Words are separated by white space and keep their case. Nothing is stemmed or rounded. The average F is
computed from the mean R and the mean P. `best` selects the reference with the best R for ROUGE-W, too.

A drop-in for Python code: `from rouge_cli.dialects.rouge_metric import PyRouge` in place of
`from rouge_metric import PyRouge`. (The package's PerlRouge runs the original: use dialect rouge155.)
"""

from __future__ import annotations

import re
from functools import partial
from operator import index
from typing import TYPE_CHECKING, Any

from rouge_cli import metrics
from rouge_cli.core import Average, Estimate, Score, Text
from rouge_cli.dialects import Dialect, Label, StringRun
from rouge_cli.dialects._strings import mean
from rouge_cli.errors import UsageError
from rouge_cli.metrics.lcs import Lcs, WeightedLcs
from rouge_cli.metrics.ngram import NGram
from rouge_cli.metrics.skip_bigram import SkipBigram
from rouge_cli.options import in_range, one_of
from rouge_cli.scoring.formula import SUM, Weighted, ratio
from rouge_cli.tasks.containers import refuse_sets

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

    from rouge_cli.core import Counts, Notify
    from rouge_cli.metrics import Metric
    from rouge_cli.options import Options
    from rouge_cli.scoring.columns import Column

    Sentences = Iterable[Iterable[Hashable]]

AVERAGE, BEST, INDIVIDUAL = "average", "best", "individual"


class Unrounded(Weighted):
    """ROUGE-1.5.5's formulas without rounding; BEST selects the reference with the best R for ROUGE-W, too.

    Args:
        how: AVERAGE, to add the counts of several references, or BEST.
    """

    def __init__(self, metric: Metric, alpha: float, how: str) -> None:
        super().__init__(alpha, SUM if how == AVERAGE else BEST)
        self.root, self.written_root = metric.root, metric.written_root

    def share(self, match: float, whole: float) -> float:
        """Return recall or precision."""
        return float(ratio(match, whole) ** (1 / self.root))

    def f(self, recall: float, precision: float) -> float:
        """Return F with the weight of P; nan if R or P is nan, as in the package."""
        weighted = (1 - self.alpha) * precision + self.alpha * recall
        return precision * recall / weighted if weighted else 0.0

    def rank(self, counts: Counts) -> float:
        """Return the recall."""
        return self.share(counts.match, counts.reference)


class PyRouge:
    """`rouge_metric.PyRouge`.

    Args:
        rouge_n: The lengths of n-grams, or the greatest length.
        skip_gap: The skip distance of rouge-s and rouge-su; None or a negative number for any distance. As
            in the package, 0 is labelled `*`, too.
        multi_ref_mode: `average` to add the counts of several references, `best` to use the reference with
            the best recall.
        mode: `average` or `individual`. As in the package, `evaluate` raises ValueError for invalid values;
            the constructor does not.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - the package's
        self,
        rouge_n: int | Iterable[int] = (1, 2),
        rouge_l: bool = True,  # noqa: FBT001, FBT002
        rouge_w: bool = False,  # noqa: FBT001, FBT002
        rouge_w_weight: float = 1.2,
        rouge_s: bool = False,  # noqa: FBT001, FBT002
        rouge_su: bool = False,  # noqa: FBT001, FBT002
        skip_gap: int | None = None,
        multi_ref_mode: str = AVERAGE,
        alpha: float = 0.5,
        mode: str = AVERAGE,
    ) -> None:
        self._make_metrics = partial(
            make_metrics, rouge_n, rouge_l, rouge_w, rouge_w_weight, rouge_s, rouge_su, skip_gap
        )
        self._multi_ref_mode = multi_ref_mode
        self._alpha = alpha
        self._mode = mode

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
            refuse_sets(sentences)
            return [tokenize(sentence) for sentence in sentences]

        def split_all(strings: Iterable[str]) -> list[Sentences]:
            refuse_sets(strings)
            return list(map(split, strings))

        refuse_sets(multi_references)
        return self.evaluate_tokenized(split_all(hypotheses), list(map(split_all, multi_references)))

    def evaluate_tokenized(
        self, hypotheses: Sequence[Sentences], multi_references: Sequence[Sequence[Sentences]]
    ) -> Any:  # noqa: ANN401 - as above
        """Return r, p and f by label for tokenized documents: lists of sentences of tokens.

        Raises:
            ValueError: If the numbers of hypotheses and references differ, references are missing, a value
                is a set, or an option is invalid.
        """
        if self._mode not in (INDIVIDUAL, AVERAGE):
            raise ValueError(f"Invalid mode {self._mode}: expected ({INDIVIDUAL}, {AVERAGE})")
        refuse_sets(hypotheses, multi_references)
        if len(hypotheses) != len(multi_references):
            raise ValueError("Hypotheses and references must be the same size")
        metrics = self._make_metrics() if len(hypotheses) else {}
        if metrics and not 0 <= self._alpha <= 1:
            raise ValueError(f"Invalid alpha {self._alpha}: expected a number from 0 to 1")
        if metrics and self._multi_ref_mode not in (AVERAGE, BEST):
            raise ValueError(f"Invalid multi_ref_mode {self._multi_ref_mode}: expected ({AVERAGE}, {BEST})")
        measures = {
            label: (metric, Unrounded(metric, self._alpha, self._multi_ref_mode))
            for label, metric in metrics.items()
        }
        records = []
        for hypothesis, references in zip(hypotheses, multi_references, strict=True):
            refuse_sets(references)
            if len(references) == 0:
                raise ValueError("a hypothesis without references")
            ids: dict[Hashable, int] = {}
            prediction, *texts = (_text(document, ids) for document in (hypothesis, *references))
            records.append(
                {
                    label: formula.combine([metric.count(text, prediction) for text in texts])[1]
                    for label, (metric, formula) in measures.items()
                }
            )
        if self._mode != AVERAGE:
            return [
                {label: dict(zip("rpf", score, strict=True)) for label, score in record.items()}
                for record in records
            ]
        return {label: self._average([record[label] for record in records]) for label in measures}

    def _average(self, scores: Sequence[Score]) -> dict[str, float]:
        recall = precision = 0.0
        for score in scores:  # added in order without fsum, as in the package
            recall += score.recall
            precision += score.precision
        recall, precision = recall / len(scores), precision / len(scores)
        f = Unrounded(NGram(1), self._alpha, AVERAGE).f(recall, precision)
        return {"r": recall, "p": precision, "f": f}


def make_metrics(  # noqa: PLR0913, PLR0917 - PyRouge's
    rouge_n: int | Iterable[int],
    rouge_l: object,
    rouge_w: object,
    weight: float,
    rouge_s: object,
    rouge_su: object,
    skip_gap: int | None,
) -> dict[str, Metric]:
    """Return PyRouge's metrics by label; raise ValueError for a length or a weight below 1."""
    metrics: dict[str, Metric] = {}
    for n in range(1, rouge_n + 1) if isinstance(rouge_n, int) else rouge_n:
        if index(n) < 1:
            raise ValueError(f"Invalid length of n-grams {n}: expected 1 or more")
        metrics[f"rouge-{n}"] = NGram(n)
    if rouge_l:
        metrics["rouge-l"] = Lcs()
    if rouge_w:
        if weight < 1:
            raise ValueError(f"Invalid weight {weight}: expected 1 or more")
        metrics[f"rouge-w-{weight}"] = WeightedLcs(float(weight))
    if skip_gap is not None and not skip_gap >= 0:
        skip_gap = None
    for name, is_enabled in (("s", rouge_s), ("su", rouge_su)):
        if is_enabled:
            metrics[f"rouge-{name}{skip_gap or '*'}"] = SkipBigram(skip_gap, name == "su")
    return metrics


class RougeMetric(StringRun[Text]):
    """A run of the dialect."""

    def __init__(self, options: Options, uses: Counter[str], notify: Notify) -> None:
        self._alpha = in_range(options, "alpha", 0, 1)
        self._formula = one_of(options, "formula", AVERAGE, BEST)
        super().__init__(options, uses, notify)
        self.needs_sentences = any(metric.needs_sentences for metric, _ in self.measures.values())

    def measure(self, label: str) -> tuple[Metric, Weighted]:
        """Return the metric and the formulas of a label."""
        metric = metrics.parse(label)
        return metric, Unrounded(metric, self._alpha, self._formula)

    def words(self, string: str) -> Sequence[Sequence[tuple[str, str]]]:
        """Return the words of each line."""
        return [[(word, word) for word in line.split()] for line in string.split("\n")]

    def average(
        self, columns: Mapping[tuple[str, str], Column], _: int = 1
    ) -> Mapping[tuple[str, str], Average]:
        """Return the mean R, the mean P, and the F of these means."""
        averages = {}
        for key, column in columns.items():
            recall, precision = (mean(values) for values in list(column.scores())[:2])
            f = Weighted(self._alpha).f(recall, precision)
            averages[key] = Average(*(Estimate(value, None, None) for value in (recall, precision, f)))
        return averages


def _text(sentences: Sentences, ids: dict[Hashable, int]) -> Text:
    """Make a text of the sentences that have tokens; raise ValueError for sets.

    Args:
        ids: Token -> id; receives new tokens.
    """
    refuse_sets(sentences)
    sentences = list(sentences)
    refuse_sets(*sentences)
    numbered = [[ids.setdefault(token, len(ids)) for token in sentence] for sentence in sentences]
    filled = [sentence for sentence in numbered if sentence]
    return Text([token for sentence in filled for token in sentence], filled)


def parse(label: str) -> Label:
    """Return the package's label: `rouge-w-1.2`, `rouge-su4`, `rouge-s*`; raise UsageError for others."""
    canonical = metrics.parse(label).label
    if re.fullmatch(r"ROUGE-([0-9]+|L|W-.+|SU?([0-9]+|\*))", canonical):
        return Label(canonical.lower())
    raise UsageError(
        f"unknown metric {label!r} in dialect rouge_metric",
        remedy="use rouge-1, rouge-l, rouge-w-1.2, rouge-s4, rouge-su4, with any numbers",
    )


DIALECT = Dialect(
    {
        "metrics": ("rouge-1", "rouge-2", "rouge-l"),
        "alpha": 0.5,
        "formula": AVERAGE,
        "samples": 0,
        "sentences": "newline",
    },
    parse,
    RougeMetric,
    averages_f_of_means=True,
)
