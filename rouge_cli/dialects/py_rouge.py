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
from rouge_cli.options import in_range, number_with_unit, one_of
from rouge_cli.scoring.formula import BEST, Unrounded
from rouge_cli.tasks.ordering import ordered, refuse_sets
from rouge_cli.text import languages, sentences, stemmers

N, LCS, WLCS = METRICS = ("rouge-n", "rouge-l", "rouge-w")
LABELS = (*(f"rouge-{n}" for n in range(1, 10)), LCS, WLCS)
UNITS = ("words", "bytes")  # of the limit; bytes are characters
AVERAGE = "average"
STEMMER = "py_rouge"
# Words that are divided after the third letter.
_DIVIDED = frozenset(("gimme", "gonna", "gotta", "lemme", "wanna"))


class Grams(ngram.NGram):
    """ROUGE-N whose number of n-grams may be negative: it is the number of tokens
    less n - 1.
    """

    def count(self, reference: Text, prediction: Text) -> Counts:
        """Count the n-grams of both texts, and the shared ones."""
        in_reference = len(reference.tokens) - self.n + 1
        in_prediction = len(prediction.tokens) - self.n + 1
        ((counts,),) = count_all([ngram.NGram(self.n)], [reference], prediction)
        return self.counts(in_reference, in_prediction, counts.match)


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
        labels = []
        if N in self.metrics:
            labels += [f"rouge-{n}" for n in range(1, (self.max_n or 0) + 1)]
        labels += [name for name in (LCS, WLCS) if name in self.metrics]
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
        are_alike = type(hypothesis) is type(references)
        if not are_alike or len(hypothesis) != len(references):
            raise ValueError("hypotheses and references differ in type or length")
        records = []
        if self._measures:
            records = list(map(self._record, hypothesis, references))

        if not (self.apply_avg or self.apply_best):
            scores = {}
            for label in self._measures:
                scores[label] = [record[label] for record in records]
            return scores
        if not records:
            nothing = dict.fromkeys("fpr", 0.0)
            records = [dict.fromkeys(self._measures, nothing)]
        return means_in_order(records)

    def measure(self, label: str) -> tuple[Metric, Unrounded]:
        """Return the metric and the formulas of a label."""
        how = BEST if self.apply_best and not self.apply_avg else AVERAGE
        if label not in (LCS, WLCS):
            return Grams(int(label.removeprefix("rouge-"))), Unrounded(self.alpha, how)

        weight = float(self.weight_factor)
        written_root = f"{weight:g}" if weight != 1 else ""
        formula = Roots if label == WLCS else Unrounded
        metric: Metric = lcs.Lcs()
        if label == WLCS and weight != 1:
            metric = lcs.WeightedLcs(weight, repr(weight))
        return metric, formula(self.alpha, how, weight, written_root)

    def within_limit(self, parts: Sequence[str]) -> Sequence[str]:
        """Return the sentences up to the limit, and cut the one that reaches it."""
        if not self._limit:
            return parts
        left = self._limit
        joint = " " if self._in_words else ""
        kept = []
        for part in parts:
            units = part.split() if self._in_words else part.strip()
            if len(units) >= left:
                kept.append(joint.join(units[:left]))
                break
            kept.append(joint.join(units))
            left -= len(units)
        return kept or parts

    def words(self, sentence: str) -> list[tuple[str, str]]:
        """Return the words of a sentence, each with its counted form."""
        divided = _DIVIDED if self.ensure_compatibility else _DIVIDED | {"cannot"}
        words = []
        for word in re.findall("[a-z0-9]+", sentence.lower()):
            if word in divided:
                words += [word[:3], word[3:]]
            else:
                words.append(word)
        forms = words
        if self.stemming:
            as_published = self.ensure_compatibility
            forms = [stemmers.py_rouge(word, as_published) for word in words]
        return list(zip(words, forms, strict=True))

    def _record(self, hypothesis: object, references: Any) -> dict[str, Any]:  # noqa: ANN401 - as above
        if not isinstance(hypothesis, str):
            raise AssertionError("a hypothesis is not a string")  # noqa: TRY004 - the package's
        strings = [references] if isinstance(references, str) else ordered(references)
        if not strings:
            raise IndexError("a hypothesis without references")
        for string in (hypothesis, *strings):
            languages.check_ascii_words(f"{__name__}.Rouge", string)
        readings = [self._readings(string) for string in (hypothesis, *strings)]
        for_ngrams = texts_of(*[first for first, _ in readings])
        for_the_rest = texts_of(*[second for _, second in readings])
        record: dict[str, Any] = {}
        for label, (metric, formula) in self._measures.items():
            needs_sentences = metric.needs_sentences
            texts = for_the_rest if needs_sentences else for_ngrams
            if needs_sentences and not all(text.sentences for text in texts):
                raise ValueError("a text has no sentence")
            prediction, *of_references = texts
            chooses = label == WLCS and formula.several == BEST
            if chooses and any(text.empty for text in of_references):
                raise ZeroDivisionError("a reference has no tokens")

            counts = [metric.count(text, prediction) for text in of_references]
            values: Any = formula.combine(counts)[1]
            if not (self.apply_avg or self.apply_best):
                values = map(list, zip(*map(formula.score, counts), strict=True))
            recall, precision, f = values
            record[label] = {"f": f, "p": precision, "r": recall}
        return record

    def _readings(self, string: str) -> tuple[list[list[str]], list[list[str]]]:
        """Return the words for rouge-n and for the rest; they differ for a negative
        limit of words.
        """
        parts: Sequence[str]
        if self.ensure_compatibility:
            parts = string.split("\n")
        else:
            parts = sentences.sent_tokenize(string)
        kept = self.within_limit(parts)
        first = kept
        if self._in_words and self._limit:
            first = " ".join(parts).split()[: self._limit]
        return self._forms(first), self._forms(kept)

    def _forms(self, parts: Sequence[str]) -> list[list[str]]:
        """Return the counted forms of each part of a text."""
        by_part = []
        for part in parts:
            by_part.append([form for _, form in self.words(part)])
        return by_part


class PyRougeRun(StringRun):
    """A run of the dialect."""

    lowers = True
    ascii_only = True

    def set_up(self) -> None:
        """Make the package's object."""
        options = self.options
        best = one_of(options, "formula", AVERAGE, BEST) == BEST
        most, unit = 0.0, UNITS[0]
        if options["limit"] != "none":
            most, unit = number_with_unit(options["limit"], UNITS)
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
        lines = self._rouge.within_limit(string.split("\n"))
        return [self._rouge.words(line) for line in lines]


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
