"""Length ratio: words of the prediction over words of the reference.

1 is as long as the reference. ROUGE depends on length: recall rises with it, and F is
the highest near the length of the references (Sun et al., "How to Compare Summarizers
without Target Length?", 2019). Words are tokens after the limit and without the stop
words that the run drops. Several references: words of the prediction over the mean
length of the references.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rouge_cli.metrics._values import CountedPart, Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rouge_cli.core import Text

LABEL = "length-ratio"
LABELS = (LABEL,)


class LengthRatio(Value):
    """The ratio of lengths."""

    label = LABEL
    is_bounded = False
    meaning = "words of the prediction / words of the reference"

    def numerator(self, other: Text, prediction: Text) -> float:  # noqa: ARG002 - of all values
        """Return the number of words of the prediction."""
        return len(prediction.tokens)

    def denominator(self, other: Text, prediction: Text) -> float:  # noqa: ARG002
        """Return the number of words of the reference."""
        return len(other.tokens)

    def parts(self, other: Text, prediction: Text) -> Iterator[CountedPart]:  # noqa: ARG002
        """Yield the words of the prediction."""
        for position, token in enumerate(prediction.tokens):
            yield CountedPart((token,), (position,))


def parse(label: str) -> LengthRatio | None:
    """Return the metric of a label; None if the label is not of this family."""
    return LengthRatio() if label == LABEL else None
