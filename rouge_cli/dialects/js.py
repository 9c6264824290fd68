"""js-rouge 3.2.3 (npm), as promptfoo uses it: F of ROUGE-N, L and S on Penn Treebank tokens, with any beta.

Punctuation counts; nothing is stemmed. ROUGE-N and S count the tokens of all sentences in a row; ROUGE-L is
the union LCS of sentences. With js-rouge's sentences, one a line (`segmenter` lines), it has the scores of
js-rouge; the segmenter `plain` only approximates its own (QUIRKS 88). With several references the best F
counts; `jackknife` is js-rouge's `jackKnife` of the references.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import partial

import regex

from rouge_cli.dialects._base import Beta, StringRun, of_strings
from rouge_cli.errors import UsageError
from rouge_cli.metrics import Metric, lcs, ngram, skip_bigram
from rouge_cli.options import one_of
from rouge_cli.text import treebank

PLAIN, LINES, ANY = "plain", "lines", "any"
LABELS = (*(f"rouge-{n}" for n in range(1, 10)), "rouge-l", "rouge-s")


class FBeta(Beta):
    """F with beta in js-rouge's order of operations; 0 is P, infinity is R."""

    def f(self, recall: float, precision: float) -> float:
        """Return F."""
        low, high, beta = precision, recall, self.beta
        if low == high or math.isinf(beta):
            return high
        if not (low and high and beta):
            return low if low and high else 0.0
        if beta < 1:
            low, high, beta = high, low, 1 / beta
        if low > high:
            inverse = (1 / beta) * (1 / beta)
            return min(low, high * ((1 + inverse) / (1 + inverse * (high / low))))
        square = beta * beta
        if math.isinf(square):
            quotient = low * beta / high * beta
            return high if math.isinf(quotient) else high * quotient / (1 + quotient)
        return min(high, low * ((1 + square) / (1 + square * (low / high))))


class Js(StringRun):
    """A run of the dialect."""

    tokenize: Callable[[str], Iterable[str]] = staticmethod(treebank.tokens)

    def set_up(self) -> None:
        """Check the options, and choose the sentences."""
        most, beta, self.lowers = (
            self.options["max_skip"],
            self.options["beta"],
            not self.options["case_sensitive"],
        )
        if most != ANY and not most.isdecimal():
            raise UsageError(f"max_skip is {most!r}", remedy=f"use a whole number, or {ANY}")
        if not beta >= 0:
            raise UsageError(f"beta is {beta:g}", remedy="it must be 0 or more")
        self._pairs = skip_bigram.SkipBigram(None if most == ANY else int(most) - 1, unigrams=False)
        lines = one_of(self.options, "segmenter", PLAIN, LINES) == LINES
        self.segment: Callable[[str], Iterable[str]] = (
            str.splitlines if lines else partial(treebank.sentences, neutral=self.lowers)
        )

    def measure(self, label: str) -> tuple[Metric, FBeta]:
        """Return the metric of a label, and F with beta."""
        others: dict[str, Metric] = {"l": lcs.Lcs(), "s": self._pairs}
        return others.get(label[-1]) or ngram.NGram(int(label[-1])), FBeta(self.options["beta"])

    def words(self, string: str) -> Sequence[Sequence[tuple[str, str]]]:
        """Return the tokens of each sentence, in lower case as the whole text has it if case is ignored."""
        lower, sentences, end = string.lower(), [], 0
        for sentence in self.segment(string):
            part = sentence.lower() if self.lowers else sentence
            blank = f"{treebank.WHITE}+"  # segmenters may replace it
            words = blank.join(map(regex.escape, regex.split(blank, sentence)))
            if self.lowers and (found := regex.search(words, string, pos=end)):
                start, end = found.span()
                part = lower[len(string[:start].lower()) : len(string[:end].lower())]
                part = regex.sub(blank, partial(next, iter(regex.findall(blank, sentence))), part)
            sentences.append([(token, token) for token in self.tokenize(part)])
        return sentences


DEFAULTS = {
    "metrics": ("rouge-1", "rouge-2", "rouge-l"),
    "beta": 1.0,
    "case_sensitive": True,
    "max_skip": ANY,
    "segmenter": PLAIN,
    "jackknife": False,
}
DIALECT = of_strings("js", LABELS, Js, DEFAULTS)
