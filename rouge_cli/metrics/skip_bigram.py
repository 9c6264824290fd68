"""ROUGE-S and ROUGE-SU: pairs of words in their order, not necessarily adjacent.

ROUGE-S4 counts pairs with at most 4 tokens between them, ROUGE-S* all pairs. ROUGE-SU adds single tokens,
so that a text of the right words in the wrong order does not score 0. Pairs across sentences count. Distant
pairs are often accidental, so prefer a maximum distance. Source: Lin 2004, section 5.
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

# Up to this number of pairs in a text, counting them in a table is faster.
MOST_TABULATED = 500_000
# The pairs of a text of about three thousand words; an explanation with more would be unreadable.
MOST_PAIRS = 5_000_000
# Longer than any text; larger numbers do not fit into the integers of the compiled kernels.
_FAR = 2**31 - 1

LABELS = ("ROUGE-S*", "ROUGE-S4", "ROUGE-SU*", "ROUGE-SU4")


class SkipBigram(Metric):
    """ROUGE-S or ROUGE-SU.

    Args:
        distance: The largest number of tokens between the two; None for any number.
        unigrams: True for ROUGE-SU.
        as_typed: The distance as in the label, if not written in the shortest way (`04`).
    """

    __slots__ = ("as_typed", "distance", "unigrams")
    fields = ("distance", "unigrams")

    def __init__(self, distance: int | None, unigrams: bool, as_typed: str | None = None) -> None:  # noqa: FBT001
        self.distance = distance
        self.unigrams = unigrams
        self.as_typed = as_typed

    @property
    def label(self) -> str:
        """Return the label, such as `ROUGE-S4` or `ROUGE-SU*`."""
        return f"ROUGE-{'SU' if self.unigrams else 'S'}{self._written('*')}"

    @property
    def kernel_spec(self) -> KernelSpec:
        """Return the kernel of skip-bigrams; a negative distance stands for any number of tokens."""
        return KernelSpec(
            SKIP_BIGRAM, -1 if self.distance is None else min(self.distance, _FAR), self.unigrams
        )

    @property
    def command_words(self) -> tuple[str, ...]:
        """Return the option -2 and the distance, -1 for any; -u adds single tokens."""
        return ("-2", self._written("-1"), *["-u"] * self.unigrams)

    def _written(self, unlimited: str) -> str:
        """Return the distance as it was typed, or `unlimited` if it is None."""
        if self.distance is None:
            return unlimited
        return str(self.distance) if self.as_typed is None else self.as_typed

    def count(self, reference: Text, prediction: Text) -> Counts:
        """Count the skip-bigrams of the reference, of the prediction, and the shared skip-bigrams.

        ROUGE-SU adds all tokens except the last.
        """
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
        """Yield the pairs of each token, and for ROUGE-SU the token itself unless it is the last.

        Raises:
            RougeError: If there are more than MOST_PAIRS pairs.
        """
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
    """Return the number of ordered pairs with at most `distance` tokens between them; None for all."""
    last = max(len(tokens) - 1, 0)
    reach = last if distance is None else min(distance + 1, last)
    return reach * last - reach * (reach - 1) // 2


def shared_pairs(left: Sequence[int], right: Sequence[int], distance: int | None = None) -> int:
    """Return the number of ordered pairs that two sequences share, with at most `distance` tokens between.

    For each first token, the counts of the tokens after it are enough. So memory grows with the number of
    distinct tokens, not with the number of pairs.
    """
    shared = set(left) & set(right)
    sequences = [left, right]
    if distance is None:
        sequences = [[token for token in tokens if token in shared] for tokens in sequences]
    positions: list[dict[int, list[int]]] = [defaultdict(list), defaultdict(list)]
    for sequence, by_token in zip(sequences, positions, strict=True):
        for position, token in enumerate(sequence):
            by_token[token].append(position)
    total = 0
    for first in shared:
        left_followers, right_followers = (
            _followers(sequence, by_token[first], distance)
            for sequence, by_token in zip(sequences, positions, strict=True)
        )
        total += sum(min(times, right_followers[token]) for token, times in left_followers.items())
    return total


def _followers(tokens: Sequence[int], positions: Sequence[int], distance: int | None) -> Counter[int]:
    """Return how often each token follows one of the positions, with at most `distance` tokens between."""
    followers: Counter[int] = Counter()
    for position in positions:
        followers.update(tokens[position + 1 : None if distance is None else position + distance + 2])
    return followers


def skip_bigrams(tokens: Sequence[int], distance: int, *, unigrams: bool) -> Bag:
    """Return all ordered pairs with at most `distance` tokens between them.

    With `unigrams`, each token except the last is added (QUIRKS 20).
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
