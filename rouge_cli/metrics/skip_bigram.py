"""ROUGE-S and ROUGE-SU: pairs of words in their order, not necessarily adjacent.

ROUGE-S4 counts pairs with at most 4 tokens between them, ROUGE-S* all pairs. ROUGE-SU
adds single tokens, so that a text of the right words in the wrong order does not score
0. Pairs across sentences count. Distant pairs are often accidental, so prefer a maximum
distance. Source: Lin 2004, section 5.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence

from rouge_cli.core import Counts, Text
from rouge_cli.errors import RougeError
from rouge_cli.metrics import Metric, Unit, overlap

# Up to this number of pairs in a text, counting them in a table is faster.
MOST_TABULATED = 500_000
# The pairs of a text of about three thousand words; an explanation with more would be
# unreadable.
MOST_PAIRS = 5_000_000

LABELS = ("ROUGE-S*", "ROUGE-S4", "ROUGE-SU*", "ROUGE-SU4")


class SkipBigram(Metric):
    """ROUGE-S or ROUGE-SU.

    Args:
        distance: The largest number of tokens between the two; None for any number.
        unigrams: True for ROUGE-SU.
        as_typed: The distance as in the label, if not written in the shortest way
            (`04`).
    """

    def __init__(
        self,
        distance: int | None,
        unigrams: bool,  # noqa: FBT001
        as_typed: str | None = None,
    ) -> None:
        self.distance = distance
        self.unigrams = unigrams
        typed = str(distance) if as_typed is None else as_typed
        family = "ROUGE-SU" if unigrams else "ROUGE-S"
        if distance is None:
            self.label = f"{family}*"
            self.command_words = ("-2", "-1")
        else:
            self.label = f"{family}{typed}"
            self.command_words = ("-2", typed)
        if unigrams:
            self.command_words += ("-u",)

    def count(self, reference: Text, prediction: Text) -> Counts:
        """Count the skip-bigrams of the reference, of the prediction, and the shared
        skip-bigrams.

        ROUGE-SU adds all tokens except the last.
        """
        longest = max(reference.tokens, prediction.tokens, key=len)
        distance = self.distance
        if distance is not None and distance >= len(longest) - 2:
            distance = None  # all pairs are near enough
        if distance is not None and pairs_within(distance, longest) <= MOST_TABULATED:
            return super().count(reference, prediction)

        references = pairs_within(distance, reference.tokens)
        predictions = pairs_within(distance, prediction.tokens)
        match = shared_pairs(reference.tokens, prediction.tokens, distance)
        if self.unigrams:
            of_reference = Counter(reference.tokens[:-1])
            of_prediction = Counter(prediction.tokens[:-1])
            references += of_reference.total()
            predictions += of_prediction.total()
            match += overlap(of_reference, of_prediction)
        return self.counts(references, predictions, match)

    def bag(self, text: Text) -> Counter[Hashable]:
        """Count pairs and single tokens without their positions, in a tenth of the
        time.
        """
        return text.once(skip_bigrams, self.distance, self.unigrams)

    def units(self, text: Text) -> Iterator[tuple[Unit, Sequence[int]]]:
        """Yield the pairs of each token, and for ROUGE-SU the token itself unless it is
        the last.

        Raises:
            RougeError: If there are more than MOST_PAIRS pairs.
        """
        tokens = text.tokens
        last = len(tokens) - 1
        far = last if self.distance is None else self.distance + 1
        if pairs_within(self.distance, tokens) > MOST_PAIRS:
            what = f"{self.label}: more than {MOST_PAIRS} pairs of words in one text"
            raise RougeError(
                what, remedy="limit the text's length or the metric's distance"
            )
        for first in range(last):
            if self.unigrams:
                yield (tokens[first],), (first,)
            for second in range(first + 1, min(first + far, last) + 1):
                yield (tokens[first], tokens[second]), (first, second)


def parse(label: str) -> SkipBigram | None:
    """Return the metric of a label; None if the label is not of this family."""
    match = re.fullmatch(r"ROUGE-S(U?)(\*|[0-9]+)", label)
    if not match:
        return None
    letter, typed = match.groups()
    unigrams = letter == "U"
    if typed == "*":
        return SkipBigram(None, unigrams)
    distance = 10**300  # int refuses more than 4,300 digits; no text is as long
    digits = typed.lstrip("0") or "0"
    if len(digits) < 300:
        distance = int(digits)
    return SkipBigram(distance, unigrams, typed)


def pairs_within(distance: int | None, tokens: Sequence[int]) -> int:
    """Return the number of ordered pairs with at most `distance` tokens between
    them; None for all.
    """
    last = max(len(tokens) - 1, 0)
    reach = last if distance is None else min(distance + 1, last)
    return reach * last - reach * (reach - 1) // 2


def shared_pairs(
    left: Sequence[int], right: Sequence[int], distance: int | None = None
) -> int:
    """Return the number of ordered pairs that two sequences share, with at most
    `distance` tokens between.

    For each first token, the counts of the tokens after it are enough. So memory grows
    with the number of distinct tokens, not with the number of pairs.
    """
    shared = set(left) & set(right)
    if distance is None:
        left = [token for token in left if token in shared]
        right = [token for token in right if token in shared]
        distance = max(len(left), len(right))
    in_left = _positions(left)
    in_right = _positions(right)
    total = 0
    for first in shared:
        after_left = _followers(left, in_left[first], distance)
        after_right = _followers(right, in_right[first], distance)
        total += (after_left & after_right).total()
    return total


def _positions(tokens: Sequence[int]) -> dict[int, list[int]]:
    """Return the positions of each token."""
    positions: dict[int, list[int]] = defaultdict(list)
    for position, token in enumerate(tokens):
        positions[token].append(position)
    return positions


def _followers(
    tokens: Sequence[int], positions: Iterable[int], distance: int
) -> Counter[int]:
    """Count the tokens that follow these positions with at most `distance` tokens
    between.
    """
    followers: Counter[int] = Counter()
    for position in positions:
        followers.update(tokens[position + 1 : position + distance + 2])
    return followers


def skip_bigrams(text: Text, distance: int, unigrams: bool) -> Counter[Hashable]:  # noqa: FBT001 - a cache key
    """Count all ordered pairs with at most `distance` tokens between them.

    With `unigrams`, each token except the last is added (QUIRKS 20).
    """
    tokens = text.tokens
    steps = range(1, min(distance + 1, len(tokens) - 1) + 1)
    counted = Counter[Hashable]()
    if unigrams:
        counted.update(tokens[:-1])
    for step in steps:
        counted.update(zip(tokens, tokens[step:], strict=False))
    return counted
