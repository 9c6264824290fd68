"""ROUGE-L of sentences: the longest common subsequence of two texts, each taken as one
sentence.

Use it for headlines, translations and other single sentences. In longer texts, a
subsequence across sentence boundaries rewards the order of sentences. Source: Lin 2004,
section 3.1, equations 2 to 4. His program prints only the summary-level metric of
section 3.2, `ROUGE-L`. The paper's beta follows from alpha, which is 1 / (1 + beta^2).
"""

from rouge_cli.core import Counts, Text
from rouge_cli.metrics import Matches, Metric
from rouge_cli.metrics._lcs import length
from rouge_cli.metrics.lcs import Lcs

LABEL = "ROUGE-L-sentence"
LABELS = (LABEL,)


class SentenceLcs(Metric):
    """ROUGE-L-sentence."""

    label = LABEL

    def count(self, reference: Text, prediction: Text) -> Counts:
        """Count the words of both texts, and the length of their longest common
        subsequence.
        """
        return self.counts(
            len(reference.tokens), len(prediction.tokens), length(reference, prediction)
        )

    def matches(self, reference: Text, prediction: Text) -> Matches:
        """Return the words on the path: the matches of ROUGE-L with each text as one
        sentence.
        """
        texts = (
            Text(text.tokens, [text.tokens], forms=text.forms)
            for text in (reference, prediction)
        )
        return Lcs().matches(*texts)


def parse(label: str) -> SentenceLcs | None:
    """Return the metric of a label; None if the label is not of this family."""
    return SentenceLcs() if label == LABEL else None
