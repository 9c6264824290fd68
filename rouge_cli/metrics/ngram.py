"""ROUGE-N: overlap of n-grams between the prediction and the references.

An n-gram is n tokens in a row. It counts at most as often as it occurs in either text.
Sentence boundaries are ignored. ROUGE-1 measures content, ROUGE-2 also some fluency;
neither measures meaning. Long n-grams are rare in short texts. Source: Lin, "ROUGE: A
Package for Automatic Evaluation of Summaries", 2004, section 2.
"""

import re
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence

from rouge_cli.core import Text
from rouge_cli.metrics import Metric, Unit

# Numbers with more digits are probably a typing error.
MOST_DIGITS = 5
LABELS = ("ROUGE-1", "ROUGE-2")


class NGram(Metric):
    """ROUGE-N for one n, at least 1."""

    reading = "plain"

    def __init__(self, n: int) -> None:
        self.n = n
        self.label = f"ROUGE-{n}"
        self.command_words = "-n", str(n)  # the original computes ROUGE-1 to ROUGE-n

    def units(self, text: Text) -> Iterator[tuple[Unit, Sequence[int]]]:
        """Yield all n-grams of the whole text, ignoring sentence boundaries."""
        for start in range(len(text.tokens) - self.n + 1):
            yield (
                tuple(text.tokens[start : start + self.n]),
                range(start, start + self.n),
            )

    def bag(self, text: Text) -> Counter[Hashable]:
        """Count the n-grams without their positions, in a tenth of the time."""
        return text.once(grams, self.n)


class DistinctNGram(NGram):
    """ROUGE-N of distinct n-grams: each counts once, however often it occurs."""

    def units(self, text: Text) -> Iterator[tuple[Unit, Sequence[int]]]:
        """Yield the first occurrence of each n-gram."""
        first: dict[Unit, Sequence[int]] = {}
        for unit, positions in super().units(text):
            first.setdefault(unit, positions)
        yield from first.items()

    def bag(self, text: Text) -> Counter[Hashable]:
        """Count each of the n-grams once."""
        return Counter(super().bag(text).keys())


def parse(label: str) -> NGram | None:
    """Return the metric of a label; None if the label is not of this family."""
    match = re.fullmatch("ROUGE-([1-9][0-9]*)", label)
    if match is None or len(match[1]) > MOST_DIGITS:
        return None
    return NGram(int(match[1]))


def grams(text: Text, n: int) -> Counter[Hashable]:
    """Count the n-grams of the whole text; for n = 1, the tokens themselves."""
    tokens = text.tokens
    if n == 1:
        return Counter(tokens)
    if n > len(tokens):
        return Counter()
    shifted = [tokens[start:] for start in range(n)]
    return Counter(zip(*shifted, strict=False))
