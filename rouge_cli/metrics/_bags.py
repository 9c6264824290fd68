"""Multisets of units (n-grams, skip-bigrams, elements), and the size of their overlap."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence


class Bag(NamedTuple):
    """A multiset, represented by sets so that Python's set intersection does most of the work.

    units: the distinct units. counts: the frequency of units that occur more than once.
    total: the number of units, including repeated ones.
    """

    units: set[Hashable]
    counts: dict[Hashable, int]
    total: int


def bag(units: Sequence[Hashable]) -> Bag:
    """Return the multiset of a sequence."""
    counts = dict(Counter(units))
    repeated = counts.items() if len(counts) != len(units) else ()
    return Bag(set(counts), {unit: count for unit, count in repeated if count > 1}, len(units))


def overlap(*bags: Bag) -> int:
    """Return the sum over all units of the least count among the bags."""
    shared = set.intersection(*[bag.units for bag in bags])
    repeated = shared.intersection(*[bag.counts for bag in bags])
    counts = zip(*[map(bag.counts.__getitem__, repeated) for bag in bags], strict=True)
    least: Iterable[int] = map(min, counts)
    return len(shared) - len(repeated) + sum(least)


def ngrams(tokens: Sequence[int], n: int) -> Bag:
    """Return all runs of n tokens; for n = 1 the tokens themselves."""
    if n == 1:
        return bag(tokens)
    if n > len(tokens):
        return bag(())
    return bag(list(zip(*(tokens[start:] for start in range(n)), strict=False)))


def pairs_within(distance: int | None, tokens: Sequence[int]) -> int:
    """Return the number of ordered pairs with at most `distance` tokens between; None for any number."""
    last = max(len(tokens) - 1, 0)
    reach = last if distance is None else min(distance + 1, last)
    return reach * last - reach * (reach - 1) // 2


def shared_pairs(left: Sequence[int], right: Sequence[int], distance: int | None = None) -> int:
    """Return how many ordered pairs of tokens two sequences share, with at most `distance` between.

    For each first token the counts of the tokens that follow it are enough: memory grows with the
    number of different tokens, not with that of pairs.
    """
    shared = set(left) & set(right)
    sequences = [left, right]
    if distance is None:
        sequences = [[token for token in tokens if token in shared] for tokens in sequences]
    places: list[dict[int, list[int]]] = [defaultdict(list), defaultdict(list)]
    for sequence, by_token in zip(sequences, places, strict=True):
        for place, token in enumerate(sequence):
            by_token[token].append(place)
    total = 0
    for first in shared:
        ours, theirs = (
            _followers(sequence, by_token[first], distance)
            for sequence, by_token in zip(sequences, places, strict=True)
        )
        total += sum(min(times, theirs[token]) for token, times in ours.items())
    return total


def _followers(tokens: Sequence[int], places: Sequence[int], distance: int | None) -> Counter[int]:
    """Return how often each token follows one of the places, with at most `distance` between."""
    followers: Counter[int] = Counter()
    for place in places:
        followers.update(tokens[place + 1 : None if distance is None else place + distance + 2])
    return followers


def skip_bigrams(tokens: Sequence[int], distance: int, *, unigrams: bool) -> Bag:
    """Return all ordered pairs with at most `distance` tokens between.

    With `unigrams` each token but the last is added on its own (QUIRKS 20).
    """
    pairs: list[Hashable] = []
    for step in range(1, min(distance + 1, len(tokens) - 1) + 1):
        pairs.extend(zip(tokens, tokens[step:], strict=False))
    if unigrams:
        pairs.extend(tokens[:-1])
    return bag(pairs)
