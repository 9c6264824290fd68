"""ROUGE-L of sentences: the longest common subsequence of two texts taken as one sentence each.

Lin 2004, section 3.1, equations 2 to 4; his program prints only the summary-level measure of section 3.2,
`ROUGE-L`. Use it for headlines, translations and other single sentences; in longer texts a subsequence
across sentence boundaries rewards the sentences' order. The paper's beta is set by alpha: 1 / (1 + beta^2).
"""

from __future__ import annotations

from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from rouge_cli.core import Text
from rouge_cli.metrics._base import Matches, Metric
from rouge_cli.metrics._lcs import Rows, layout, longest, rows
from rouge_cli.native.setup import SENTENCE_LCS, KernelSpec

if TYPE_CHECKING:
    from rouge_cli.core import Counts

LABEL = "ROUGE-L-sentence"
LABELS = (LABEL,)


class SentenceLcs(Metric):
    """ROUGE-L-sentence."""

    __slots__ = ()

    @property
    def label(self) -> str:
        """`ROUGE-L-sentence`."""
        return LABEL

    @property
    def kernel_spec(self) -> KernelSpec:
        """Longest common subsequences of whole texts."""
        return KernelSpec(SENTENCE_LCS)

    def count(self, model: Text, peer: Text) -> Counts:
        """Return the words of model and peer, and the length of their longest common subsequence."""
        return self.counts(len(model.tokens), len(peer.tokens), length(model, peer))

    def matches(self, model: Text, peer: Text) -> Matches:
        """Return the words on the path: those of ROUGE-L if each text is one sentence."""
        from rouge_cli.metrics.lcs import Lcs  # which counts with `length`

        return Lcs().matches(
            *(Text(text.tokens, [text.tokens], forms=text.forms) for text in (model, peer))
        )


def parse(label: str) -> SentenceLcs | None:
    """Return the metric of a label; None if the label is not of this family."""
    return SentenceLcs() if label == LABEL else None


@lru_cache(maxsize=1)
def length(model: Text, peer: Text) -> int:
    """Return the length of the longest common subsequence of the whole texts; the last result is cached."""
    return longest(model.once(_whole), peer.tokens)


def _whole(text: Text) -> Rows:
    """Return the whole text as bits, those of its sentences if these have the same tokens."""
    one_reading = list(chain.from_iterable(text.sentences)) == text.tokens
    return text.once(layout) if one_reading else rows([text.tokens])
