"""The exact join: all pairs of texts whose score reaches a threshold.

A score of at least t needs some number of matches, which follows from the sizes of both
texts (`Overlap.needed`). If a text of n units needs at least k matches, then one of any
n - k + 1 of its units is among them. So two similar texts share one of the rarest
n - k + 1 units of each, in any order that is the same for all texts: few texts share
rare units, and only these are compared (Chaudhuri, Ganti and Kaushik, "A Primitive
Operator for Similarity Joins in Data Cleaning", 2006; Bayardo, Ma and Srikant, "Scaling
Up All Pairs Similarity Search", 2007). Their sizes are compared first, then the units
that they share, and at last the score is computed, which alone decides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from rouge_cli.twins import twin

if TYPE_CHECKING:
    from rouge_cli.jobs.overlaps import Element, Overlap
    from rouge_cli.jobs.texts import FlatTexts

PARTS, FEWEST = 100, 1000  # parts of the texts, and texts of a part
Pair = tuple[int, int, float]  # the fields of a SimilarPair


class SimilarPair(NamedTuple):
    """Two similar texts.

    Attributes:
        first: The position of the text that is the reference, from 0.
        second: The position of the text that is the prediction, from 0.
        score: Their score.
    """

    first: int
    second: int
    score: float


class RareUnits:
    """An index of texts by their rarest units.

    Args:
        overlap: What is computed.
        elements: The units of all texts that may be indexed or looked up.
    """

    def __init__(self, overlap: Overlap, elements: Sequence[Sequence[Element]]) -> None:
        self.needed = cache(overlap.needed)
        self._times = Counter(element for text in elements for element in text)
        self._sizes = sorted({len(text) for text in elements})
        self._fewest = cache(self._fewest_needed)
        self._texts_of: dict[Element, list[int]] = {}

    def add(self, number: int, elements: Sequence[Element]) -> None:
        """Add a text; numbers ascend."""
        for element in self._rarest(elements):
            self._texts_of.setdefault(element, []).append(number)

    def candidates(self, elements: Sequence[Element]) -> list[int]:
        """Return the numbers of the texts that may be similar to one with these units,
        ascending.
        """
        found: set[int] = set()
        for element in self._rarest(elements):
            found.update(self._texts_of.get(element, ()))
        return sorted(found)

    def _rarest(self, elements: Sequence[Element]) -> Sequence[Element]:
        """Return the rarest units, one of which a similar text shares."""
        size = len(elements)
        fewest = self._fewest(size)
        if fewest == inf:
            return ()
        # Of units that are equally rare, the order must be the same for all texts.
        ordered = sorted(elements, key=lambda unit: (self._times[unit], unit))
        return ordered[: size - int(fewest) + 1]

    def _fewest_needed(self, size: int) -> float:
        """Return the fewest matches that a text of a size needs with any other."""
        needed = [inf]
        for other in self._sizes:
            needed += [self.needed(size, other), self.needed(other, size)]
        return min(needed)


@twin
def joined(
    texts: FlatTexts,
    against: FlatTexts | None,
    overlap: Overlap,
    parts: Sequence[range],
    jobs: int,  # noqa: ARG001 - threads of Python wait for each other
) -> Iterator[list[Pair]]:
    """Yield the pairs of similar texts, part by part. Sorted they are those of brute
    force.

    Args:
        texts: The texts, which are the references.
        against: The predictions. None for pairs of the texts themselves, of which the
            earlier one is the reference.
        overlap: What is computed.
        parts: The positions of all texts. When the last part is done, every pair was
            yielded once.
        jobs: The number of threads.
    """
    others = texts if against is None else against
    elements = [overlap.elements(text) for text in texts]
    of_others = elements
    if against is not None:
        of_others = [overlap.elements(text) for text in against]
    index = RareUnits(overlap, elements if against is None else elements + of_others)
    for number, of_text in enumerate(of_others):
        index.add(number, of_text)

    for numbers in parts:
        pairs = []
        for first in numbers:
            for second in index.candidates(elements[first]):
                if against is None and second <= first:
                    continue
                shares = _shares_enough(index, elements[first], of_others[second])
                if not shares:
                    continue
                score = overlap.score(texts[first], others[second])
                if score >= overlap.threshold:
                    pairs.append((first, second, score))
        yield pairs


@twin
def kept(
    texts: FlatTexts, overlap: Overlap, parts: Sequence[range]
) -> Iterator[list[int]]:
    """Yield the positions of the texts that are similar to none before them that is
    kept, part by part.

    The earlier text is the reference.

    Args:
        texts: The texts.
        overlap: What is computed.
        parts: The positions of all texts, in order.
    """
    elements = [overlap.elements(text) for text in texts]
    index = RareUnits(overlap, elements)
    for numbers in parts:
        positions = []
        for second in numbers:
            is_new = True
            for first in index.candidates(elements[second]):
                shares = _shares_enough(index, elements[first], elements[second])
                if not shares:
                    continue
                score = overlap.score(texts[first], texts[second])
                if score >= overlap.threshold:
                    is_new = False
                    break
            if is_new:
                index.add(second, elements[second])
                positions.append(second)
        yield positions


def _shares_enough(
    index: RareUnits, reference: Sequence[Element], prediction: Sequence[Element]
) -> bool:
    """Return True if two texts share as many units as they need matches."""
    needed = index.needed(len(reference), len(prediction))
    if needed > min(len(reference), len(prediction)):
        return False
    return len(set(reference) & set(prediction)) >= needed


def parts_of(number: int) -> list[range]:
    """Return the positions of so many texts in parts, after each of which progress is
    shown.
    """
    size = max(number // PARTS, FEWEST)
    return [range(start, min(start + size, number)) for start in range(0, number, size)]


def groups(number: int, pairs: Iterable[SimilarPair]) -> list[list[int]]:
    """Return the positions of the texts by group, in order: a text is in the group of
    each text that it is similar to.

    Args:
        number: The number of texts; a text without pairs is a group of its own.
        pairs: The similar ones among them.
    """
    first_of = list(range(number))

    def first(text: int) -> int:
        while first_of[text] != text:
            first_of[text] = first_of[first_of[text]]
            text = first_of[text]
        return text

    for pair in pairs:
        one, other = first(pair.first), first(pair.second)
        first_of[max(one, other)] = min(one, other)
    members: dict[int, list[int]] = {}
    for text in range(number):
        members.setdefault(first(text), []).append(text)
    return list(members.values())
