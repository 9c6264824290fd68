"""What a score needs, on numbers worked out by hand."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

import pytest

from rouge_cli.core import Counts, Text
from rouge_cli.jobs import join
from rouge_cli.jobs.overlaps import Overlap, bag_of
from rouge_cli.jobs.texts import FlatTexts
from rouge_cli.metrics import Metric
from rouge_cli.metrics.lcs import WeightedLcs
from rouge_cli.metrics.ngram import NGram
from rouge_cli.scoring.formula import Harmonic

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.mark.parametrize(
    ("measure", "threshold", "sizes", "needed"),
    [
        ("f", 0.7, (10, 10), 7),
        ("f", 0.7, (10, 20), inf),  # at most 2 * 10 / 30
        ("f", 0.7, (10, 18), 10),  # 20 / 28 is 0.71, 18 / 28 is 0.64
        ("recall", 0.7, (10, 100), 7),
        ("precision", 0.7, (10, 100), inf),
        ("recall", 0.71, (10, 100), 8),
        ("f", 1e-9, (5, 3), 1),
        ("f", 1.0, (5, 5), 5),
        ("f", 0.7, (0, 5), inf),
    ],
)
def test_needed_matches(
    measure: str, threshold: float, sizes: tuple[int, int], needed: float
) -> None:
    """The fewest matches are those by which the formula reaches the threshold."""
    overlap = Overlap(NGram(1), Harmonic(), measure, threshold)

    assert needed == overlap.needed(*sizes)


class Pairs(Metric):
    """A metric of a plug-in: neighbouring words, in any order."""

    label = "ROUGE-pairs"

    def units(self, text: Text) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
        """Yield each pair of neighbours."""
        for place, pair in enumerate(zip(text.tokens, text.tokens[1:], strict=False)):
            low, high = sorted(pair)
            yield (low, high), (place, place + 1)


class Half(Pairs):
    """A metric that counts in a way of its own."""

    def count(self, reference: Text, prediction: Text) -> Counts:
        """Count half of the matches."""
        counts = super().count(reference, prediction)
        return self.counts(counts.reference, counts.prediction, counts.match // 2)


def test_a_metric_of_units_is_found_by_them() -> None:
    """A metric that has only units needs nothing more; one with its own counts, or
    whose matches have weights, is refused.
    """
    texts = FlatTexts([])
    for words in ([1, 2, 3], [3, 2, 1], [1, 3, 2], []):
        texts.append([words])
    overlap = Overlap(Pairs(), Harmonic(), "f", 0.5)
    (pairs,) = join.joined(texts, None, overlap, [range(4)], 1)

    assert [(0, 1, 1.0), (0, 2, 0.5), (1, 2, 0.5)] == pairs
    assert bag_of(Half()) is None
    assert bag_of(WeightedLcs(1.2)) is None


def test_texts_are_those_that_were_added() -> None:
    """Words and sentences come back, also of empty texts and of none."""
    texts = FlatTexts([b"a", b"b"])
    added: list[list[list[int]]] = [[[0, 1], [], [1]], [], [[0]], [[]]]
    for sentences in added:
        texts.append(sentences)

    assert added == [text.sentences for text in texts]
    assert [[0, 1, 1], [], [0], []] == [text.tokens for text in texts[:]]
    assert [[0]] == texts[-2].sentences
    with pytest.raises(IndexError):
        texts[4]
