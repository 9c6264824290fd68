"""The extracts of one document: which are allowed, what they score, and which is best.

An extract is a selection of a document's sentences, in the document's order. Its score
is that of `rouge-cli score` for the selected sentences. Of extracts with equal scores,
the best has few and early sentences.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, combinations, islice
from math import comb, inf
from typing import NamedTuple

Selection = tuple[int, ...]  # positions of sentences, ascending, from 0

# Extracts that are scored together
_AT_ONCE = 2000


class Budget(NamedTuple):
    """How much of a document an extract may have.

    Attributes:
        most: The most sentences; None for any number.
        words: The most words, which white space separates; None for any number.
    """

    most: int | None = None
    words: int | None = None


class SentenceChoice(NamedTuple):
    """An extract with the value that a search compares."""

    selection: Selection = ()
    value: float = 0.0


class Extracts:
    """The extracts of one document within a budget.

    Args:
        sentences: The sentences of the document.
        budget: How much an extract may have.
        values: Returns what is compared of texts, each a list of sentences.
    """

    def __init__(
        self,
        sentences: Sequence[bytes],
        budget: Budget,
        values: Callable[[Sequence[Sequence[bytes]]], Sequence[float]],
    ) -> None:
        self.sentences = sentences
        self.budget = budget
        self.lengths = [len(sentence.split()) for sentence in sentences]
        self._values = values

    @property
    def largest(self) -> int:
        """The most sentences that an extract may have."""
        most, words = self.budget
        largest = len(self.sentences)
        if most is not None:
            largest = min(largest, most)
        if words is None:
            return largest
        shortest = accumulate(sorted(self.lengths))
        return min(largest, sum(length <= words for length in shortest))

    def words_left(self, selection: Selection) -> float:
        """Return how many words a selection leaves of the budget."""
        if self.budget.words is None:
            return inf
        return self.budget.words - sum(self.lengths[at] for at in selection)

    def text(self, selection: Selection) -> list[bytes]:
        """Return the selected sentences."""
        return [self.sentences[position] for position in selection]

    def values(self, selections: Sequence[Selection]) -> list[float]:
        """Return what is compared of extracts, none of them empty."""
        values: list[float] = []
        for start in range(0, len(selections), _AT_ONCE):
            some = selections[start : start + _AT_ONCE]
            values += self._values(list(map(self.text, some)))
        return values

    def longer(self, selection: Selection) -> list[Selection]:
        """Return the allowed selections that have one sentence more."""
        if len(selection) >= self.largest:
            return []
        left = self.words_left(selection)
        selections = []
        for position, length in enumerate(self.lengths):
            if position not in selection and length <= left:
                place = bisect(selection, position)
                extended = (*selection[:place], position, *selection[place:])
                selections.append(extended)
        return selections

    def number(self) -> int:
        """Return the number of selections, the empty one excluded, that the budget
        allows; with a budget of words an upper bound.
        """
        sizes = range(1, self.largest + 1)
        return sum(comb(len(self.sentences), size) for size in sizes)

    def all(self) -> Iterator[Selection]:
        """Yield all allowed selections but the empty one: the short ones first, those
        of equal length in the order of their positions.
        """
        positions = range(len(self.sentences))
        for size in range(1, self.largest + 1):
            for selection in combinations(positions, size):
                if self.words_left(selection) >= 0:
                    yield selection


def greedy(extracts: Extracts) -> SentenceChoice:
    """Add the sentence that gains most, the first of ties, until none gains or the
    budget is used up.
    """
    best = SentenceChoice()
    while True:
        selections = extracts.longer(best.selection)
        if not selections:
            return best
        values = extracts.values(selections)
        highest = max(values)
        if highest <= best.value:
            return best
        best = SentenceChoice(selections[values.index(highest)], highest)


def beam(extracts: Extracts, width: int) -> SentenceChoice:
    """Keep the best extracts of each length, so many of them, and extend them until
    the budget is used up; return the best extract of all lengths.
    """
    best = SentenceChoice()
    kept: list[Selection] = [()]
    while True:
        distinct: set[Selection] = set()
        for selection in kept:
            distinct.update(extracts.longer(selection))
        if not distinct:
            return best
        selections = sorted(distinct)
        values = extracts.values(selections)
        choices = list(map(SentenceChoice, selections, values))
        choices.sort(key=lambda choice: -choice.value)  # ties stay in order
        if choices[0].value > best.value:
            best = choices[0]
        kept = [choice.selection for choice in choices[:width]]


def exhaustive(extracts: Extracts) -> SentenceChoice:
    """Score all extracts, and return the best."""
    best = SentenceChoice()
    selections = extracts.all()
    while some := list(islice(selections, _AT_ONCE)):
        values = extracts.values(some)
        highest = max(values)
        if highest > best.value:
            best = SentenceChoice(some[values.index(highest)], highest)
    return best
