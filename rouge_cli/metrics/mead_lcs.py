"""LCS-MEAD: normalized pairwise LCS, the measure of the MEAD toolkit that ROUGE-L was compared with.

A sentence's score is its longest common subsequence with the sentence of the other text that matches it
best. Recall is the sum over the model's sentences divided by the model's words, precision the sum over the
peer's divided by the peer's words; if the two sums are equal, F (alpha 0.5) is MEAD's score, the sum of
both divided by all words. Unlike in ROUGE-L, several sentences are not combined to match one. The source is
Radev et al. 2002, page 51, as defined by Lin 2004, section 3.3, equations 8 to 12. Lin equates the two sums
"due to symmetry", but they differ if sentences share their best match.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rouge_cli.metrics._base import Metric
from rouge_cli.metrics._lcs import layout, lengths

if TYPE_CHECKING:
    from rouge_cli.core import Counts, Text

LABEL = "LCS-MEAD"
LABELS = (LABEL,)


class MeadLcs(Metric):
    """LCS-MEAD."""

    __slots__ = ()
    needs_sentences = True

    @property
    def label(self) -> str:
        """`LCS-MEAD`."""
        return LABEL

    def count(self, model: Text, peer: Text) -> Counts:
        """Return the words of both texts, and for each text the sum of its sentences' longest matches."""
        table = [lengths(model.once(layout), sentence) for sentence in peer.sentences]
        match = sum(map(max, zip(*table, strict=True)))
        words = [sum(map(len, text.sentences)) for text in (model, peer)]
        counts = self.counts(words[0], words[1], match)
        return counts._replace(peer_match=sum(max(row, default=0) for row in table))


def parse(label: str) -> MeadLcs | None:
    """Return the metric of a label; None if the label is not of this family."""
    return MeadLcs() if label == LABEL else None
