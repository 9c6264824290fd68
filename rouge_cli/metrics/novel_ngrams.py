"""Novel n-grams: the share of the prediction's n-grams that its source does not have.

An n-gram is n tokens in a row, ignoring sentence boundaries; the source is what was
summarized (`--source`). 0 is an extract, 1 shares no n-gram. Papers count in two ways,
whose numbers differ if n-grams repeat:

    novel-2         share of the prediction's bigrams that the source does not have,
                    each occurrence counted
    novel-2-types   the same share of different bigrams, each counted once, as in
                    SummEval's statistics

Source: See, Liu and Manning, "Get To The Point: Summarization with Pointer-Generator
Networks", 2017, section 7.2, who do not state which. n is 1 or more.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rouge_cli.metrics import SOURCE
from rouge_cli.metrics._values import CountedPart, Value
from rouge_cli.metrics.ngram import MOST_DIGITS, NGram, grams

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rouge_cli.core import Text

LABELS = ("novel-2", "novel-2-types")
TYPES = "-types"


class GramValue(Value):
    """A share of the prediction's n-grams.

    Args:
        name: The first word of the label.
        n: The number of words.
        types: True if each different n-gram counts once.
    """

    def __init__(self, name: str, n: int, *, types: bool = False) -> None:
        self.n = n
        self.types = types
        self.label = f"{name}-{n}{TYPES if types else ''}"

    def denominator(self, other: Text, prediction: Text) -> float:  # noqa: ARG002 - of all values
        """Return the number of n-grams, or of different ones."""
        counted = prediction.once(grams, self.n)
        return len(counted) if self.types else counted.total()


class NovelNGram(GramValue):
    """The share of n-grams that the source does not have."""

    against = SOURCE
    meaning = "n-grams that the source does not have / n-grams of the prediction"

    def __init__(self, n: int, *, types: bool = False) -> None:
        super().__init__("novel", n, types=types)

    def numerator(self, other: Text, prediction: Text) -> float:
        """Return the number of n-grams that the source does not have."""
        known = other.once(grams, self.n)
        novel = 0
        for gram, times in prediction.once(grams, self.n).items():
            if gram not in known:
                novel += 1 if self.types else times
        return novel

    def parts(self, other: Text, prediction: Text) -> Iterator[CountedPart]:
        """Yield the n-grams that the source does not have."""
        known = {unit for unit, _ in NGram(self.n).units(other)}
        for unit, positions in NGram(self.n).units(prediction):
            if unit in known:
                continue
            if self.types:
                known.add(unit)
            yield CountedPart(unit, positions)


def number_and_types(name: str, label: str) -> tuple[int, bool] | None:
    """Return n, and whether types are counted, of a label such as `novel-2-types`; None
    for any other label.
    """
    match = re.fullmatch(f"{name}-([1-9][0-9]*)({TYPES})?", label)
    if match is None or len(match[1]) > MOST_DIGITS:
        return None
    return int(match[1]), match[2] is not None


def parse(label: str) -> NovelNGram | None:
    """Return the metric of a label; None if the label is not of this family."""
    parsed = number_and_types("novel", label)
    return NovelNGram(parsed[0], types=parsed[1]) if parsed else None
