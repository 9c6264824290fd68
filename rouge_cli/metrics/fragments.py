"""Coverage, density and compression: how extractive a prediction is of its source.

An extractive fragment is a sequence of words that the prediction shares with the source
(`--source`), the longest at each word of the prediction. Fragments are found from left
to right, as in the paper's Figure 3: the search goes on behind each sequence that it
has compared, so that a longer one that begins within it is not found.

    coverage      share of the prediction's words that are in a fragment
    density       mean length of the fragment that a word is in: squares of the lengths
                  of fragments over the prediction's words
    compression   words of the source over words of the prediction

Coverage is at most 1, density at most the number of words. All three are 0 for an empty
prediction. Source: Grusky, Naaman and Artzi, "Newsroom: A Dataset of 1.3 Million
Summaries with Diverse Extractive Strategies", 2018, section 4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rouge_cli.metrics import SOURCE
from rouge_cli.metrics._values import CountedPart, Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rouge_cli.core import Text

LABELS = ("coverage", "density", "compression")


class Fragment(NamedTuple):
    """A sequence of words that prediction and source share."""

    start: int  # the position of its first word in the prediction
    length: int  # in words


def fragments(source: Text, prediction: Text) -> list[Fragment]:
    """Return the extractive fragments of a prediction, in the order of its text."""
    places = source.once(_places)
    tokens = prediction.tokens
    found = []
    start = 0
    while start < len(tokens):
        longest = 0
        compared = 0  # the search goes on at this position of the source
        for place in places.get(tokens[start], ()):
            if place < compared:
                continue
            length = _common(source, place, prediction, start)
            longest = max(longest, length)
            compared = place + length
        if longest:
            found.append(Fragment(start, longest))
        start += max(longest, 1)
    return found


def _of_source(prediction: Text, source: Text) -> list[Fragment]:
    """Return the fragments of a prediction, which is cached by its source."""
    return fragments(source, prediction)


def _common(source: Text, place: int, prediction: Text, start: int) -> int:
    """Return how many words are the same from these positions on."""
    most = min(len(source.tokens) - place, len(prediction.tokens) - start)
    length = 0
    while length < most and (
        source.tokens[place + length] == prediction.tokens[start + length]
    ):
        length += 1
    return length


def _places(text: Text) -> dict[int, list[int]]:
    """Return word -> its positions, in ascending order."""
    places: dict[int, list[int]] = {}
    for position, token in enumerate(text.tokens):
        places.setdefault(token, []).append(position)
    return places


class Coverage(Value):
    """The share of words in fragments."""

    label = "coverage"
    against = SOURCE
    meaning = "words in fragments / words of the prediction"

    def denominator(self, other: Text, prediction: Text) -> float:  # noqa: ARG002 - of all values
        """Return the number of words of the prediction."""
        return len(prediction.tokens)

    def parts(self, other: Text, prediction: Text) -> Iterator[CountedPart]:
        """Yield the fragments, each worth its number of words."""
        for start, length in prediction.once(_of_source, other):
            words = tuple(prediction.tokens[start : start + length])
            yield CountedPart(words, range(start, start + length), length)


class Density(Coverage):
    """The mean length of the fragment that a word is in."""

    label = "density"
    is_bounded = False
    meaning = "squares of the lengths of fragments / words of the prediction"

    def parts(self, other: Text, prediction: Text) -> Iterator[CountedPart]:
        """Yield the fragments, each worth the square of its number of words."""
        for part in super().parts(other, prediction):
            yield part._replace(worth=part.worth * part.worth)


class Compression(Coverage):
    """The ratio of lengths."""

    label = "compression"
    is_bounded = False
    meaning = "words of the source / words of the prediction"

    def parts(self, other: Text, prediction: Text) -> Iterator[CountedPart]:  # noqa: ARG002 - of all values
        """Yield the words of the source, which have no positions in the prediction."""
        for token in other.tokens:
            yield CountedPart((token,), ())

    def numerator(self, other: Text, prediction: Text) -> float:  # noqa: ARG002
        """Return the number of words of the source."""
        return len(other.tokens)


_BY_LABEL = {metric.label: metric for metric in (Coverage, Density, Compression)}


def parse(label: str) -> Value | None:
    """Return the metric of a label; None if the label is not of this family."""
    metric = _BY_LABEL.get(label)
    return metric() if metric else None
