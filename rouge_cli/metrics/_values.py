"""Metrics of one value, such as a share of words or a ratio of lengths.

ROUGE has recall and precision, since two texts share units. The metrics here have one
number: a quotient of two counts. It stands in all three places of a score, so that
every report, test and interval has it. The counts of an eval are the quotient's: the
match is its numerator, and the units of both texts are its denominator. So the
`micro` average is the quotient of the sums.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from rouge_cli.core import Counts, Match
from rouge_cli.metrics import Marks, Matches, Metric, Unit
from rouge_cli.metrics.ngram import grams

if TYPE_CHECKING:
    from rouge_cli.core import Text


class CountedPart(NamedTuple):
    """A unit that a value counts, as it is in the prediction or in the other text."""

    unit: Unit  # its words
    positions: Sequence[int]  # of its words
    worth: float = 1.0  # what it adds to the numerator


class Value(Metric):
    """A metric of one value: it has `numerator` and `denominator`, and `parts` if it is
    not a ratio of lengths.
    """

    is_value = True
    reading = "plain"
    # The quotient in words, for explanations
    meaning: ClassVar[str]

    def numerator(self, other: Text, prediction: Text) -> float:
        """Return the numerator: by default what the parts are worth."""
        return sum(part.worth for part in self.parts(other, prediction))

    def denominator(self, other: Text, prediction: Text) -> float:
        """Return the denominator; the value is 0 if it is 0."""
        raise NotImplementedError

    def parts(self, other: Text, prediction: Text) -> Iterable[CountedPart]:
        """Yield what is counted of the prediction, in the order of the text."""
        raise NotImplementedError

    def count(self, reference: Text, prediction: Text) -> Counts:
        """Return the counts: the numerator as the match, the denominator twice.

        Args:
            reference: The text that the prediction is counted against: a reference, or
                what `against` declares.
            prediction: The prediction.
        """
        denominator = self.denominator(reference, prediction)
        return Counts.of(
            denominator, denominator, self.numerator(reference, prediction)
        )

    def matches(self, reference: Text, prediction: Text) -> Matches:
        """Return the counted parts, the most frequent first, and their words."""
        places: dict[tuple[Unit, float], list[Sequence[int]]] = {}
        for part in self.parts(reference, prediction):
            places.setdefault((part.unit, part.worth), []).append(part.positions)
        shown = []
        words: set[int] = set()
        for (unit, worth), positions in places.items():
            match = Match(
                unit,
                in_reference=_times(unit, reference),
                in_prediction=_times(unit, prediction),
                counted=len(positions),
                worth=worth,
            )
            shown.append(match)
            words.update(*positions)
        shown.sort(key=lambda match: -match.counted)
        counts = self.count(reference, prediction)
        quotient = f"{counts.match:g} / {counts.reference:g}"
        steps = [f"{self.label} = {self.meaning} = {quotient}"]
        return Matches(shown, Marks(set(), set()), Marks(words, words), steps)


def _times(unit: Unit, text: Text) -> int:
    """Return how often a text has the words of a unit in a row."""
    counted = grams(text, len(unit))
    return counted[unit[0] if len(unit) == 1 else unit]
