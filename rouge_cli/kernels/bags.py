"""Multisets of units (n-grams, skip-bigrams, elements), and how many units two of them share."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence


class Bag(NamedTuple):
    """A multiset, written as a set so that the machine's own set intersection does the work.

    units: the first occurrence of a unit stands for itself, its k-th further one as (unit, -k); as ids
    are not negative, that is never a bigram.
    total: the number of units, repeated ones counted.
    """

    units: frozenset[Hashable]
    total: int


def bag(units: Sequence[Hashable]) -> Bag:
    """The multiset of a sequence."""
    distinct: set[Hashable] = set(units)
    if len(distinct) != len(units):
        for unit, count in Counter(units).items():
            if count > 1:
                distinct.update([(unit, -k) for k in range(1, count)])
    return Bag(frozenset(distinct), len(units))


def overlap(*bags: Bag) -> int:
    """The sum over all units of the least count among the bags."""
    first, *others = [one.units for one in bags]
    return len(first.intersection(*others))


def ngrams(tokens: Sequence[int], n: int) -> Bag:
    """All runs of n tokens; for n = 1 the tokens themselves."""
    if n == 1:
        return bag(tokens)
    return bag(list(zip(*(tokens[start:] for start in range(n)), strict=False)))


def skip_bigrams(tokens: Sequence[int], distance: int | None, *, unigrams: bool) -> Bag:
    """All ordered pairs with at most `distance` tokens between (None: any number).

    With `unigrams` each token but the last is added on its own (QUIRKS 20).
    """
    pairs: list[Hashable] = []
    if distance is None:
        pairs.extend(combinations(tokens, 2))
    else:
        for step in range(1, min(distance + 1, len(tokens) - 1) + 1):
            pairs.extend(zip(tokens, tokens[step:], strict=False))
    if unigrams:
        pairs.extend(tokens[:-1])
    return bag(pairs)
