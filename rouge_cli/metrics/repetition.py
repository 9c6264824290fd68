"""Repeated n-grams: the share of the prediction's n-grams that repeat.

An n-gram is n tokens in a row, ignoring sentence boundaries. References and source are
not used. Two ways of counting are in use:

    repetition-2         share of the prediction's bigrams that occurred before in it
    repetition-2-types   share of different bigrams that occur more than once, as in
                         SummEval's statistics

n is 1 or more. The first is 1 minus the number of different n-grams over that of all:
seq-rep-n of Welleck et al., "Neural Text Generation with Unlikelihood Training", 2020.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rouge_cli.metrics import ITSELF
from rouge_cli.metrics._values import CountedPart
from rouge_cli.metrics.ngram import NGram, grams
from rouge_cli.metrics.novel_ngrams import GramValue, number_and_types

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rouge_cli.core import Text
    from rouge_cli.metrics import Unit

LABELS = ("repetition-2", "repetition-2-types")


class Repetition(GramValue):
    """The share of n-grams that repeat."""

    against = ITSELF
    meaning = "n-grams that occurred before / n-grams"

    def __init__(self, n: int, *, types: bool = False) -> None:
        super().__init__("repetition", n, types=types)

    def numerator(self, other: Text, prediction: Text) -> float:  # noqa: ARG002 - of all values
        """Return the number of n-grams that occurred before, or of repeated ones."""
        counted = prediction.once(grams, self.n)
        if self.types:
            return sum(times > 1 for times in counted.values())
        return counted.total() - len(counted)

    def parts(self, other: Text, prediction: Text) -> Iterator[CountedPart]:  # noqa: ARG002 - of all values
        """Yield the n-grams that occurred before; of types, each once."""
        times: dict[Unit, int] = {}
        positions: Sequence[int]
        for unit, positions in NGram(self.n).units(prediction):
            before = times.get(unit, 0)
            times[unit] = before + 1
            if before == 1 or (before and not self.types):
                yield CountedPart(unit, positions)


def parse(label: str) -> Repetition | None:
    """Return the metric of a label; None if the label is not of this family."""
    parsed = number_and_types("repetition", label)
    return Repetition(parsed[0], types=parsed[1]) if parsed else None
