"""Words between commas, each counted as it is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rouge_cli.dialects import Dialect, StringRun
from rouge_cli.errors import UsageError
from rouge_cli.metrics.ngram import DistinctNGram
from rouge_cli.scoring.formula import MEAN, Harmonic

if TYPE_CHECKING:
    from rouge_cli.metrics import Metric
    from rouge_cli.scoring.formula import Formula


class WordLists(StringRun):
    """The dialect for one run."""

    def words(self, string: str) -> list[list[tuple[str, str]]]:
        """Return the strings between commas, as one sentence of words and forms."""
        return [[(word, word) for word in string.strip().split(",")]]

    def measure(self, _: str) -> tuple[Metric, Formula]:
        """Return the metric; of several models the mean score counts."""
        return DistinctNGram(1), Harmonic(MEAN)


def parse(label: str) -> str:
    """Return the label; raise UsageError if it is unknown."""
    if label == "ROUGE-list":
        return label
    raise UsageError(f"unknown metric {label!r}", remedy="use ROUGE-list")


DIALECT = Dialect(
    {"metrics": ("ROUGE-list",), "samples": 0, "sentences": "newline"}, parse, WordLists,
    labels=("ROUGE-list",), help="Words between commas (--dialect wordlists).",
)  # fmt: skip
