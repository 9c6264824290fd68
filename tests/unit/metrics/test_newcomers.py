"""A new metric is one class: a label and `count` make it scored, `places` makes it explained."""

from __future__ import annotations

from collections import Counter
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

import pytest

from rouge_cli.core import Document, EvalTask
from rouge_cli.dialects.rouge155 import Rouge155, Setup
from rouge_cli.dialects.rouge155.explanation import explain
from rouge_cli.metrics._bags import bag, ngrams, overlap
from rouge_cli.metrics._matches import places
from rouge_cli.metrics._metric import Metric

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rouge_cli.core import Counts, Text
    from rouge_cli.metrics._matches import Places, Unit


class CharacterBigrams(Metric):
    """Pairs of letters within words."""

    __slots__ = ()
    label = "ROUGE-C2"

    def count(self, model: Text, peer: Text) -> Counts:
        """Count the pairs in the model, in the peer, and in both."""
        bags = [bag([pair for word in text.words for pair in self._pairs(word)]) for text in (model, peer)]
        return self.counts(bags[0].total, bags[1].total, overlap(*bags))

    def places(self, text: Text) -> Places:
        """Return the pairs, each with the words that contain it."""
        positions: dict[Unit, list[tuple[int, ...]]] = {}
        for position, word in enumerate(text.words):
            for pair in self._pairs(word):
                positions.setdefault((pair,), []).append((position,))
        return positions

    @staticmethod
    def _pairs(word: bytes) -> Sequence[bytes]:
        return [word[start : start + 2] for start in range(len(word) - 1)]


class SentenceBigrams(Metric):
    """Bigrams that do not cross the end of a sentence."""

    __slots__ = ()
    needs_sentences = True
    label = "ROUGE-2-within"

    def count(self, model: Text, peer: Text) -> Counts:
        """Count the bigrams in the model, in the peer, and in both."""
        bags = [
            bag([pair for sentence in text.sentences for pair in pairwise(sentence)])
            for text in (model, peer)
        ]
        return self.counts(bags[0].total, bags[1].total, overlap(*bags))

    def places(self, text: Text) -> Places:
        """Return the bigrams with their places."""
        ends = list(accumulate(map(len, text.sentences)))
        units = ngrams(range(sum(map(len, text.sentences))), 2).units
        tokens = [token for sentence in text.sentences for token in sentence]
        return places(tokens, [unit for unit in units if isinstance(unit, tuple) and unit[1] not in ends])


@pytest.mark.parametrize(
    ("metric", "counts", "units"),
    [
        (CharacterBigrams(), (6, 7, 5), [("th",), ("he",), ("ca",), ("at",), ("sa",)]),
        (SentenceBigrams(), (1, 1, 1), [("the", "cat")]),
    ],
    ids=lambda value: getattr(value, "label", None),
)
def test_a_new_metric_is_scored_and_explained(
    metric: Metric, counts: tuple[int, int, int], units: Sequence[tuple[str, ...]]
) -> None:
    """The readable program scores and explains it, with the word forms and sentences it requires."""
    documents = [Document(text, "here") for text in (b"the cat\nsat", b"the cat\nsang")]
    task = EvalTask("1", {"X": documents[1]}, [("M", documents[0])], "spl", "here")
    setup = Setup([metric])
    result = Rouge155(setup, Counter(), print).score(task, ["X"])["X"][metric.label]
    (explanation,) = explain(setup, task)["X"]

    assert metric.command_words is None
    assert (counts, result.counts, result.score) == (
        result.counts[:3],
        explanation.counts,
        explanation.score,
    )
    assert sorted(units) == sorted(match.unit for match in explanation.pairs[0].matches)
    assert sum(match.counted for match in explanation.pairs[0].matches) == result.counts.match
