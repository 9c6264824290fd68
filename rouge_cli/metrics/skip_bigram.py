"""ROUGE-S and ROUGE-SU: pairs of words in their order, with words allowed between.

ROUGE-S4 counts pairs with at most 4 tokens between, ROUGE-S* all pairs; ROUGE-SU adds single tokens, so
that a text of the right words in the wrong order does not score 0. Pairs across sentences count,
and distant ones are often accidental, so prefer a maximum distance. Lin 2004, section 5.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rouge_cli.errors import RougeError
from rouge_cli.metrics._bags import Bag, bag, overlap, pairs_within, shared_pairs, skip_bigrams
from rouge_cli.metrics._metric import Metric
from rouge_cli.native.setup import SKIP_BIGRAM, KernelSpec

if TYPE_CHECKING:
    from rouge_cli.core import Counts, Text
    from rouge_cli.metrics._matches import Places

# Up to this number of pairs in a text a table of them is small, and faster.
MOST_TABULATED = 500_000
# All pairs of a text of about three thousand words; nobody would read more.
MOST_PAIRS = 5_000_000
# No text is so long; larger numbers do not fit into the compiled kernels' integers.
_FAR = 2**31 - 1

LABELS = ("ROUGE-S*", "ROUGE-S4", "ROUGE-SU*", "ROUGE-SU4")


class SkipBigram(Metric):
    """ROUGE-S, or with `unigrams` ROUGE-SU.

    distance: the most tokens between the two; None for any number.
    as_typed: the distance as written in the label, if not in the shortest way (`04`).
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

    def count(self, model: Text, peer: Text) -> Counts:
        """Count skip-bigrams (and tokens but the last) in the model, in the peer, and in both."""
        longest = max(model.tokens, peer.tokens, key=len)
        if (
            self.distance is None
            or self.distance >= len(longest) - 2
            or pairs_within(self.distance, longest) > MOST_TABULATED
        ):
            return self._count_by_word(model, peer)
        models = model.once(_bag, self.distance, self.unigrams)
        peers = peer.once(_bag, self.distance, self.unigrams)
        return self.counts(models.total, peers.total, overlap(models, peers))

    def places(self, text: Text) -> Places:
        """Return the pairs with their places; raise RougeError if there are too many to read."""
        from rouge_cli.metrics._matches import places  # scoring does without

        tokens = text.tokens
        distance = len(tokens) if self.distance is None else self.distance
        if pairs_within(distance, tokens) > MOST_PAIRS:
            raise RougeError(
                f"{self.label}: more than {MOST_PAIRS} pairs of words in one text",
                remedy="limit the text's length or the metric's distance",
            )
        positions = range(len(tokens))
        return places(tokens, skip_bigrams(positions, distance, unigrams=self.unigrams).units)

    def _count_by_word(self, model: Text, peer: Text) -> Counts:
        """Count without a table of pairs, for distances and texts with many pairs."""
        models, peers = (pairs_within(self.distance, text.tokens) for text in (model, peer))
        longest = max(len(model.tokens), len(peer.tokens))
        limited = self.distance is not None and self.distance < longest - 2
        match = shared_pairs(model.tokens, peer.tokens, self.distance if limited else None)
        if self.unigrams:
            singles = model.once(_all_but_last), peer.once(_all_but_last)
            models += singles[0].total
            peers += singles[1].total
            match += overlap(*singles)
        return self.counts(models, peers, match)


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


def _bag(text: Text, distance: int, unigrams: bool) -> Bag:  # noqa: FBT001 - a cache key
    return skip_bigrams(text.tokens, distance, unigrams=unigrams)


def _all_but_last(text: Text) -> Bag:
    return bag(text.tokens[:-1])
