"""ROUGE-V: the vowels that a text shares with its models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rouge_cli.metrics import Metric

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rouge_cli.core import Text

LABELS = ("ROUGE-V",)


class Vowels(Metric):
    """ROUGE-V."""

    label = "ROUGE-V"

    def units(self, text: Text) -> Iterator[tuple[tuple[bytes], tuple[int]]]:
        """Yield each vowel with the position of its word."""
        for position, word in enumerate(text.words):
            for letter in word.decode():
                if letter in "aeiou":
                    yield (letter.encode(),), (position,)


def parse(label: str) -> Vowels | None:
    """Return the metric of a label; None if the label is not of this family."""
    return Vowels() if label == "ROUGE-V" else None
