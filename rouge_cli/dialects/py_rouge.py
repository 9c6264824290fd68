"""py-rouge 1.1, as ParlAI and UniLM use it: ROUGE-N, L and W of the first 665
characters, unrounded.

Tokens are runs of ASCII letters and digits; nltk splits `gonna` and four similar words.
Stems are Porter's as published, with ROUGE-1.5.5's irregular forms. With a weight
factor other than 1, rouge-l is its root, too. Without `ensure_compatibility`, `cannot`
is two words, and stems are nltk's. Counts of several references are added (formula
`average`), or the reference with the best R is taken (`best`).

A drop-in for Python code: `from rouge_cli.dialects.py_rouge import Rouge` in place of
`from rouge import Rouge`. Stems do not depend on earlier objects (QUIRKS 86).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from rouge_cli.core import Counts, Text
from rouge_cli.dialects._base import StringRun, means_in_order, of_strings, texts_of
from rouge_cli.metrics import Metric, count_all, lcs, ngram
from rouge_cli.native import NGRAM, KernelSpec
from rouge_cli.options import in_range, number_with_unit, one_of
from rouge_cli.scoring.formula import BEST, Unrounded
from rouge_cli.tasks.containers import ordered, refuse_sets
from rouge_cli.text import segmentation, sentences, stemmers

N, LCS, WLCS = METRICS = ("rouge-n", "rouge-l", "rouge-w")
LABELS = (*(f"rouge-{n}" for n in range(1, 10)), LCS, WLCS)
UNITS = ("words", "bytes")  # of the limit; bytes are characters
AVERAGE = "average"
STEMMER = "py_rouge"
_DIVIDED = frozenset(
    ("gimme", "gonna", "gotta", "lemme", "wanna")
)  # after the third letter


class Grams(ngram.NGram):
    """ROUGE-N whose number of n-grams may be negative: it is the number of tokens
    less n - 1.
    """

    def __init__(self, n: int) -> None:
        super().__init__(n)
        self.kernel_spec = KernelSpec(NGRAM, n) if n < 3 else None  # texts have a token

    def count(self, reference: Text, prediction: Text) -> Counts:
        """Count the n-grams of both texts, and the shared ones."""
        sizes = [len(text.tokens) - self.n + 1 for text in (reference, prediction)]
        ((counts,),) = count_all([ngram.NGram(self.n)], [reference], prediction)
        return self.counts(sizes[0], sizes[1], counts.match)


class Roots(Unrounded):
    """Formulas of rouge-w: the best reference has the most matches for the weights
    of its sentences.
    """

    def rank(self, counts: Counts) -> float:
        """Return the root of the matches over these weights."""
        return self.share(counts.match, counts.reference ** (1 / self.root))


@dataclass
class Rouge:
    """py-rouge's class `Rouge`, with the same arguments.

    Args:
        metrics: Some of METRICS. With `rouge-n`, ROUGE-1 to ROUGE-`max_n` are computed.
        length_limit: The first so many words or bytes (characters) of each text are
            scored; 0 for all.
        apply_avg: Add the counts of several references, and return means over the
            hypotheses.
        apply_best: Without `apply_avg`, use the reference with the best R. With
            neither, return the scores of each hypothesis against each reference.
        alpha: The weight of P in F.
        weight_factor: The weight of rouge-w; P and R of rouge-l and rouge-w are roots
            of this degree.
        ensure_compatibility: Sentences, `cannot` and stems as in ROUGE-1.5.5; else
            nltk's.
    """

    metrics: Sequence[str] | None = None
    max_n: int | None = None
    limit_length: bool = True
    length_limit: int = 665
    length_limit_type: str = "bytes"
    apply_avg: bool = True
    apply_best: bool = False
    stemming: bool = True
    alpha: float = 0.5
    weight_factor: float = 1.0
    ensure_compatibility: bool = True

    AVAILABLE_METRICS: ClassVar[set[str]] = set(METRICS)
    AVAILABLE_LENGTH_LIMIT_TYPES: ClassVar[set[str]] = set(UNITS)
    DEFAULT_METRICS: ClassVar[set[str]] = {N}
    DEFAULT_N: ClassVar[int] = 1
    STATS: ClassVar[list[str]] = ["f", "p", "r"]

    def __post_init__(self) -> None:
        if self.metrics is None and self.max_n is not None:
            raise AttributeError("max_n without metrics")
        self.metrics = [N] if self.metrics is None else list(self.metrics)
        if not set(METRICS).issuperset(self.metrics):
            raise ValueError(f"metrics are {self.metrics}, not some of {METRICS}")
        if self.limit_length and self.length_limit_type not in UNITS:
            raise ValueError(
                f"length_limit_type is {self.length_limit_type!r}, not one of {UNITS}"
            )
        if self.weight_factor <= 0:
            raise ValueError(f"weight_factor is {self.weight_factor}, not above 0")
        self._limit = self.length_limit if self.limit_length else 0
        self._in_words = self.length_limit_type == "words"
        lengths = range(1, (self.max_n or 0) + 1) if N in self.metrics else ()
        labels = [f"rouge-{n}" for n in lengths] + [
            name for name in (LCS, WLCS) if name in self.metrics
        ]
        self._measures = {label: self.measure(label) for label in labels}

    def get_scores(self, hypothesis: Any, references: Any) -> dict[str, Any]:  # noqa: ANN401 - strings or lists
        """Return f, p and r by metric; with neither average nor best, lists of them for
        each hypothesis.

        Args:
            hypothesis: A string, or a list of them.
            references: For each hypothesis, a string or a list of them.

        Raises:
            ValueError: If the arguments differ in type or length, or a text has no
                sentence.
            IndexError: If a hypothesis has no references.
            AssertionError: If a hypothesis is not a string.
            ZeroDivisionError: If rouge-w is to choose from references of which one has
                no tokens.
        """
        refuse_sets(hypothesis, references)
        if isinstance(hypothesis, str):
            hypothesis, references = [hypothesis], [references]
        if type(hypothesis) is not type(references) or len(hypothesis) != len(
            references
        ):
            raise ValueError("hypotheses and references differ in type or length")
        records = (
            list(map(self._record, hypothesis, references)) if self._measures else []
        )
        if not (self.apply_avg or self.apply_best):
            return {
                label: [record[label] for record in records] for label in self._measures
            }
        return means_in_order(
            records or [dict.fromkeys(self._measures, dict.fromkeys("fpr", 0.0))]
        )

    def measure(self, label: str) -> tuple[Metric, Unrounded]:
        """Return the metric and the formulas of a label."""
        how, weight = (
            BEST if self.apply_best and not self.apply_avg else AVERAGE,
            float(self.weight_factor),
        )
        if label not in (LCS, WLCS):
            return Grams(int(label.removeprefix("rouge-"))), Unrounded(self.alpha, how)
        formula = Roots if label == WLCS else Unrounded
        metric = (
            lcs.WeightedLcs(weight, repr(weight))
            if label == WLCS and weight != 1
            else lcs.Lcs()
        )
        return metric, formula(
            self.alpha, how, weight, f"{weight:g}" if weight != 1 else ""
        )

    def within_limit(self, parts: Sequence[str]) -> Sequence[str]:
        """Return the sentences up to the limit, and cut the one that reaches it."""
        left, kept = self._limit, []
        for part in parts if left else ():
            units = part.split() if self._in_words else part.strip()
            kept.append(
                (" " if self._in_words else "").join(
                    units[:left] if len(units) >= left else units
                )
            )
            if len(units) >= left:
                break
            left -= len(units)
        return kept or parts

    def words(self, sentence: str) -> list[tuple[str, str]]:
        """Return the words of a sentence, each with its counted form."""
        words = re.findall("[a-z0-9]+", sentence.lower())
        divided = _DIVIDED if self.ensure_compatibility else _DIVIDED | {"cannot"}
        if not divided.isdisjoint(words):
            parts = (
                [word[:3], word[3:]] if word in divided else [word] for word in words
            )
            words = [part for both in parts for part in both]
        forms = [
            stemmers.py_rouge(word, self.ensure_compatibility)
            for word in words
            if self.stemming
        ]
        return list(zip(words, forms or words, strict=True))

    def _record(self, hypothesis: object, references: Any) -> dict[str, Any]:  # noqa: ANN401 - as above
        if not isinstance(hypothesis, str):
            raise AssertionError("a hypothesis is not a string")  # noqa: TRY004 - the package's
        strings = [references] if isinstance(references, str) else ordered(references)
        if not strings:
            raise IndexError("a hypothesis without references")
        for string in (hypothesis, *strings):
            segmentation.check_ascii_words(f"{__name__}.Rouge", string)
        by_use = [
            texts_of(*texts)
            for texts in zip(*map(self._readings, (hypothesis, *strings)), strict=True)
        ]
        record: dict[str, Any] = {}
        for label, (metric, formula) in self._measures.items():
            prediction, *texts = by_use[metric.needs_sentences]
            if metric.needs_sentences and not all(
                text.sentences for text in (prediction, *texts)
            ):
                raise ValueError("a text has no sentence")
            if (
                label == WLCS
                and formula.several == BEST
                and any(text.empty for text in texts)
            ):
                raise ZeroDivisionError("a reference has no tokens")
            counts = [metric.count(text, prediction) for text in texts]
            values: Any = formula.combine(counts)[1]
            if not (self.apply_avg or self.apply_best):
                values = map(list, zip(*map(formula.score, counts), strict=True))
            recall, precision, f = values
            record[label] = {"f": f, "p": precision, "r": recall}
        return record

    def _readings(self, string: str) -> list[list[list[str]]]:
        """Return the words for rouge-n and for the rest; they differ for a negative
        limit of words.
        """
        parts = (
            string.split("\n")
            if self.ensure_compatibility
            else sentences.sent_tokenize(string)
        )
        kept = self.within_limit(parts)
        first = (
            " ".join(parts).split()[: self._limit]
            if self._in_words and self._limit
            else kept
        )
        return [
            [[form for _, form in self.words(part)] for part in some]
            for some in (first, kept)
        ]


class PyRougeRun(StringRun):
    """A run of the dialect."""

    lowers = True
    ascii_only = True

    def set_up(self) -> None:
        """Make the package's object."""
        options, limit = self.options, self.options["limit"]
        best = one_of(options, "formula", AVERAGE, BEST) == BEST
        most, unit = (
            number_with_unit(limit, UNITS) if limit != "none" else (0, UNITS[0])
        )
        self._rouge = Rouge(
            length_limit=int(most),
            length_limit_type=unit,
            apply_avg=not best,
            apply_best=best,
            stemming=one_of(options, "stemmer", "none", STEMMER) == STEMMER,
            alpha=in_range(options, "alpha", 0, 1),
            weight_factor=in_range(options, "weight_factor", 0.1, 10),
            ensure_compatibility=options["ensure_compatibility"],
        )

    def measure(self, label: str) -> tuple[Metric, Unrounded]:
        """Return the metric and the formulas of a label."""
        return self._rouge.measure(label)

    def words(self, string: str) -> Sequence[Sequence[tuple[str, str]]]:
        """Return the words of each line within the limit."""
        return list(
            map(self._rouge.words, self._rouge.within_limit(string.split("\n")))
        )


DEFAULTS = {
    "metrics": ("rouge-1", "rouge-2", LCS),
    "stemmer": STEMMER,
    "limit": "665bytes",
    "formula": AVERAGE,
    "alpha": 0.5,
    "weight_factor": 1.0,
    "ensure_compatibility": True,
}
DIALECT = of_strings("py_rouge", LABELS, PyRougeRun, DEFAULTS, STEMMER)
