"""ROUGE-L of sentences: the longest common subsequence of two texts taken as one sentence each.

Lin 2004, section 3.1, equations 2 to 4; his program prints only the summary-level measure of section 3.2,
`ROUGE-L`. Use it for headlines, translations and other single sentences; in longer texts a subsequence
across sentence boundaries rewards the sentences' order. The paper's beta is set by alpha: 1 / (1 + beta^2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rouge_cli.core import Text
from rouge_cli.metrics import Matches, Metric
from rouge_cli.metrics._lcs import length
from rouge_cli.metrics.lcs import Lcs
from rouge_cli.native import SENTENCE_LCS, KernelSpec

if TYPE_CHECKING:
    from rouge_cli.core import Counts

LABEL = "ROUGE-L-sentence"
LABELS = (LABEL,)


class SentenceLcs(Metric):
    """ROUGE-L-sentence."""

    __slots__ = ()
    label = LABEL
    kernel_spec = KernelSpec(SENTENCE_LCS)

    def count(self, reference: Text, prediction: Text) -> Counts:
        """Return the words of model and peer, and the length of their longest common subsequence."""
        return self.counts(len(reference.tokens), len(prediction.tokens), length(reference, prediction))

    def matches(self, reference: Text, prediction: Text) -> Matches:
        """Return the words on the path: those of ROUGE-L if each text is one sentence."""
        return Lcs().matches(
            *(Text(text.tokens, [text.tokens], forms=text.forms) for text in (reference, prediction))
        )


def parse(label: str) -> SentenceLcs | None:
    """Return the metric of a label; None if the label is not of this family."""
    return SentenceLcs() if label == LABEL else None
