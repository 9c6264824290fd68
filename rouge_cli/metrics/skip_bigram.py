"""ROUGE-S and ROUGE-SU: pairs of words in their order, with words allowed between.

ROUGE-S4 counts pairs with at most 4 tokens between, ROUGE-S* all pairs; ROUGE-SU adds single tokens, so
that a text of the right words in the wrong order does not score 0. Pairs across sentences count,
and distant ones are often accidental, so prefer a maximum distance. Lin 2004, section 5.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from rouge_cli.errors import RougeError
from rouge_cli.metrics import Bag, Metric, bag, overlap
from rouge_cli.native import SKIP_BIGRAM, KernelSpec

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from rouge_cli.core import Counts, Text
    from rouge_cli.metrics import Unit

# Up to this number of pairs in a text a table of them is small, and faster.
MOST_TABULATED = 500_000
# All pairs of a text of about three thousand words; nobody would read more.
MOST_PAIRS = 5_000_000
# No text is so long; larger numbers do not fit into the compiled kernels' integers.
_FAR = 2**31 - 1

LABELS = ("ROUGE-S*", "ROUGE-S4", "ROUGE-SU*", "ROUGE-SU4")


class SkipBigram(Metric):
    """ROUGE-S, or with `unigrams` ROUGE-SU.

    Args:
        distance: The most tokens between the two; None for any number.
        as_typed: The distance as written in the label, if not in the shortest way (`04`).
    """

    __slots__ = ("as_typed", "distance", "unigrams")
    fields = ("distance", "unigrams")

    def __init__(self, distance: int | None, unigrams: bool, as_typed: str | None = None) -> None:  # noqa: FBT001
        self.distance = distance
        self.unigrams = unigrams
        self.as_typed = as_typed

    @property
    def label(self) -> str:
        """`ROUGE-S4`, `ROUGE-SU*`."""
        return f"ROUGE-{'SU' if self.unigrams else 'S'}{self._written('*')}"

    @property
    def kernel_spec(self) -> KernelSpec:
        """Return the kernel of skip-bigrams; a negative distance stands for any."""
        return KernelSpec(
            SKIP_BIGRAM, -1 if self.distance is None else min(self.distance, _FAR), self.unigrams
        )

    @property
    def command_words(self) -> tuple[str, ...]:
        """The distance, -1 for any; with -u for single tokens."""
        return ("-2", self._written("-1"), *["-u"] * self.unigrams)

    def _written(self, unlimited: str) -> str:
        """Return the distance as it was typed."""
        if self.distance is None:
            return unlimited
        return str(self.distance) if self.as_typed is None else self.as_typed

    def count(self, reference: Text, prediction: Text) -> Counts:
        """Count skip-bigrams (and tokens but the last) in the model, in the peer, and in both."""
        longest = max(reference.tokens, prediction.tokens, key=len)
        if (
            self.distance is None
            or self.distance >= len(longest) - 2
            or pairs_within(self.distance, longest) > MOST_TABULATED
        ):
            return self._count_by_word(reference, prediction)
        return super().count(reference, prediction)

    def bag(self, text: Text) -> Bag:
        """Return pairs and single tokens without their positions, in a tenth of the time."""
        return text.once(_bag, self.distance, self.unigrams)

    def units(self, text: Text) -> Iterator[tuple[Unit, Sequence[int]]]:
        """Yield each token but the last, if it counts, and its pairs; raise RougeError if they are many."""
        tokens = text.tokens
        last = len(tokens) - 1
        far = last if self.distance is None else self.distance + 1
        if pairs_within(self.distance, tokens) > MOST_PAIRS:
            raise RougeError(
                f"{self.label}: more than {MOST_PAIRS} pairs of words in one text",
                remedy="limit the text's length or the metric's distance",
            )
        for first in range(last):
            if self.unigrams:
                yield (tokens[first],), (first,)
            for second in range(first + 1, min(first + far, last) + 1):
                yield (tokens[first], tokens[second]), (first, second)

    def _count_by_word(self, reference: Text, prediction: Text) -> Counts:
        """Count without a table of pairs, for distances and texts with many pairs."""
        references, predictions = (
            pairs_within(self.distance, text.tokens) for text in (reference, prediction)
        )
        longest = max(len(reference.tokens), len(prediction.tokens))
        limited = self.distance is not None and self.distance < longest - 2
        match = shared_pairs(reference.tokens, prediction.tokens, self.distance if limited else None)
        if self.unigrams:
            singles = reference.once(_all_but_last), prediction.once(_all_but_last)
            references += singles[0].total
            predictions += singles[1].total
            match += overlap(*singles)
        return self.counts(references, predictions, match)


def parse(label: str) -> SkipBigram | None:
    """Return the metric of a label; None if the label is not of this family."""
    match = re.fullmatch(r"ROUGE-S(U?)(\*|[0-9]+)", label)
    if not match:
        return None
    if match[2] == "*":
        return SkipBigram(None, bool(match[1]))
    digits = match[2].lstrip("0") or "0"
    distance = int(digits) if len(digits) < 300 else _FAR  # int refuses more than 4,300 digits
    return SkipBigram(distance, bool(match[1]), match[2])


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


def _bag(text: Text, distance: int, unigrams: bool) -> Bag:  # noqa: FBT001 - a cache key
    return skip_bigrams(text.tokens, distance, unigrams=unigrams)


def _all_but_last(text: Text) -> Bag:
    return bag(text.tokens[:-1])
