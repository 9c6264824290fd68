"""A new metric is one class with a label and `units`: it is scored and explained."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from operator import eq

import pytest

from rouge_cli.core import Counts, Document, EvalTask, Text
from rouge_cli.dialects.rouge155.program import Rouge155
from rouge_cli.dialects.rouge155.setup import Setup
from rouge_cli.metrics import Metric, count_all, lcs


class CharacterBigrams(Metric):
    """Pairs of letters within words."""

    label = "ROUGE-C2"

    def units(self, text: Text) -> Iterator[tuple[tuple[bytes], Sequence[int]]]:
        """Yield the pairs, each with the word that contains it."""
        for position, word in enumerate(text.words):
            for start in range(len(word) - 1):
                yield (word[start : start + 2],), (position,)


class SentenceBigrams(Metric):
    """Bigrams that do not cross the end of a sentence."""

    needs_sentences = True
    label = "ROUGE-2-within"

    def units(self, text: Text) -> Iterator[tuple[tuple[int, ...], Sequence[int]]]:
        """Yield each bigram with its positions in the sentences, one after the
        other.
        """
        first = 0
        for sentence in text.sentences:
            for second, pair in enumerate(pairwise(sentence), first + 1):
                yield pair, (second - 1, second)
            first += len(sentence)


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
    """The readable program scores and explains it, with the word forms and sentences
    it requires.
    """
    documents = [Document(text, "here") for text in (b"the cat\nsat", b"the cat\nsang")]
    task = EvalTask("1", {"X": documents[1]}, [("M", documents[0])], "spl", "here")
    run = Rouge155(Setup([metric]), Counter(), print)
    result = run.score(task, ["X"])["X"][metric.label]
    (explanation,) = run.explain(task)["X"]

    assert metric.command_words is None
    assert (counts, result.counts, result.score) == (
        result.counts[:3], explanation.counts, explanation.score,
    )  # fmt: skip
    assert sorted(units) == sorted(match.unit for match in explanation.pairs[0].matches)
    assert (
        sum(match.counted for match in explanation.pairs[0].matches)
        == result.counts.match
    )


class PositionsInBoth(lcs.Lcs):
    """A metric that derives from ROUGE-L, but counts in its own way."""

    label = "ROUGE-positions"

    def count(self, reference: Text, prediction: Text) -> Counts:
        """Count the positions that have the same word in both texts."""
        same = map(eq, reference.tokens, prediction.tokens)
        return Counts(len(reference.tokens), len(prediction.tokens), sum(same))


def test_a_metric_that_derives_from_another_is_not_counted_as_that() -> None:
    """Texts that are counted together have the counts of the new metric, not of its
    base's kernel.
    """
    reference, prediction = Text([1, 2, 3], [[1, 2, 3]]), Text([2, 3], [[2, 3]])
    metric = PositionsInBoth()

    assert [[metric.count(reference, prediction)]] == count_all(
        [metric], [reference], prediction
    )
    assert [[Counts.of(3, 2, 2)]] == count_all([lcs.Lcs()], [reference], prediction)
