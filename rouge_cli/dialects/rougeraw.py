"""RougeRaw, SumeCzech's rouge_raw.py: ROUGE-1, 2 and L of any language, without stemmer
and stop words.

Words and runs of punctuation are tokens in the first 16 words; after these, punctuation
stays on the words, since the script splits at the first 32 word boundaries only (QUIRKS
85). Tokens are lower-cased. A text without tokens has one empty token. F is twice the
matches over the n-grams of both texts. The script takes one reference per prediction.
With several references rouge-cli returns the mean scores.

A drop-in for Python code: `from rouge_cli.dialects.rougeraw import RougeRaw` in place
of `from rouge_raw import RougeRaw`.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from rouge_cli.core import Counts, Score, Text
from rouge_cli.dialects._base import StringRun, mean_in_order, of_strings, texts_of
from rouge_cli.metrics import Metric, count_all, ngram, sentence_lcs
from rouge_cli.scoring.formula import MEAN, Harmonic, ratio

FIRST = 32  # word boundaries, and runs of white space


class JoinedNGram(ngram.NGram):
    """ROUGE-N of tokens that are joined by tabs; a token of a long text may itself
    contain tabs.
    """

    bag = Metric.bag  # of `units`

    def count(self, reference: Text, prediction: Text) -> Counts:
        """Count the n-grams, which need not be joined if no token contains a tab."""
        if b"\t" in b"".join(chain(reference.words, prediction.words)):
            return super().count(reference, prediction)
        return count_all([ngram.NGram(self.n)], [reference], prediction)[0][0]

    def units(self, text: Text) -> Iterator[tuple[tuple[bytes, ...], Sequence[int]]]:
        """Yield each n-gram as the parts between its tabs."""
        parts = [word.split(b"\t") for word in text.words]
        for _, positions in super().units(text):
            unit = chain.from_iterable(parts[position] for position in positions)
            yield tuple(unit), positions


class Shares(Harmonic):
    """P and R are shares of n-grams; F is computed from the counts."""

    def score(self, counts: Counts) -> Score:
        """Return R, P and F."""
        recall, precision, _ = super().score(counts)
        f = ratio(2 * counts.match, counts.reference + counts.prediction)
        return Score(recall, precision, f)


MEASURES = {
    "ROUGE-1": JoinedNGram(1),
    "ROUGE-2": JoinedNGram(2),
    "ROUGE-L": sentence_lcs.SentenceLcs(),
}
LABELS = tuple(MEASURES)


class FScore(NamedTuple):
    """Precision, recall and F."""

    p: float
    r: float
    f: float


class RougeRaw:
    """The script's class `RougeRaw`."""

    def document(self, gold: str, system: str) -> dict[str, FScore]:
        """Return the scores of `1`, `2` and `L`; raise AssertionError unless both
        are strings.
        """
        if not (isinstance(gold, str) and isinstance(system, str)):
            raise AssertionError("gold and system must be strings")  # noqa: TRY004 - the script's
        documents = [tokens(gold)], [tokens(system)]
        texts = texts_of(
            *documents, entry=f"{__name__}.RougeRaw", strings=(gold, system)
        )
        scores = {}
        for label, metric in MEASURES.items():
            recall, precision, f = Shares().score(metric.count(*texts))
            scores[label[-1]] = FScore(p=precision, r=recall, f=f)
        return scores

    def corpus(self, gold: list[str], system: list[str]) -> dict[str, FScore]:
        """Return the mean scores of two lists; raise AssertionError unless both are
        as long.
        """
        are_lists = isinstance(gold, list) and isinstance(system, list)
        if not are_lists or len(gold) != len(system):
            raise AssertionError("gold and system must be lists of the same length")
        documents = [self.document(*pair) for pair in zip(gold, system, strict=True)]
        if not documents:
            return {label[-1]: FScore(0.0, 0.0, 0.0) for label in LABELS}
        means = {}
        for name in documents[0]:
            p, r, f = zip(*[scores[name] for scores in documents], strict=True)
            means[name] = FScore(mean_in_order(p), mean_in_order(r), mean_in_order(f))
        return means


class RougeRawRun(StringRun):
    """A run of the dialect."""

    lowers = True

    def measure(self, label: str) -> tuple[Metric, Shares]:
        """Return the metric of a label, and the mean over several references."""
        return MEASURES[label], Shares(MEAN)

    def counted(self, string: str) -> Sequence[Sequence[str]]:
        """Return the tokens as one sentence."""
        return [tokens(string)]


def tokens(string: str) -> list[str]:
    """Return the lower-cased tokens of a text."""
    apart = re.sub(r"\b", " ", string, count=FIRST)
    joined = re.sub(r"\s+", " ", apart, count=FIRST)
    return joined.strip().lower().split(" ")


DIALECT = of_strings("rougeraw", LABELS, RougeRawRun, {"metrics": LABELS})
