"""The records of an explanation: which words are marked, and on which side."""

from collections.abc import Sequence

import pytest

from rouge_cli.core import Counts, Match, Side, Source, Token, number, terms
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.explanation import pair
from rouge_cli.metrics import Metric
from rouge_cli.metrics.lcs import Lcs, WeightedLcs
from rouge_cli.metrics.ngram import NGram
from rouge_cli.metrics.skip_bigram import MOST_PAIRS, SkipBigram


def source(*sentences: str) -> Source:
    """Return a text whose tokens are its words; those in capitals are dropped."""
    data = "\n".join(sentences)
    tokens: list[Token] = []
    spans: list[tuple[int, int]] = []
    start = 0
    for place, sentence in enumerate(sentences):
        spans.append((start, start + len(sentence)))
        for word in sentence.split():
            at = data.index(word, tokens[-1].end if tokens else 0)
            why = "capitals" if word.isupper() else ""
            tokens.append(
                Token(
                    word,
                    "" if why else word,
                    at,
                    at + len(word),
                    place,
                    why_dropped=why,
                )
            )
        start += len(sentence) + 1
    return Source(data.encode(), spans, tokens, tokens)


def places(side: Side) -> tuple[list[int], list[int]]:
    """Return the places of the tokens that count and of those that are clipped."""
    return sorted(side.counted), sorted(side.clipped)


def test_the_first_of_equal_words_count() -> None:
    """A word that one text has more often counts there at its first places; the
    others are clipped.
    """
    explained = pair(NGram(1), "M", source("a b a a"), source("a c a"))

    assert [Match(("a",), 3, 2, 2)] == explained.matches
    assert ([0, 2], [3]) == places(explained.reference)
    assert ([0, 2], []) == places(explained.prediction)


def test_dropped_words_have_places_too() -> None:
    """Places include dropped tokens, and a bigram spans them."""
    explained = pair(NGram(2), "M", source("a THE b"), source("x a b"))

    assert [Match(("a", "b"), 1, 1, 1)] == explained.matches
    assert ([0, 2], []) == places(explained.reference)
    assert ([1, 2], []) == places(explained.prediction)


def test_the_most_frequent_unit_is_first() -> None:
    """Units with higher counts are listed before others, else in the reference's
    order.
    """
    explained = pair(NGram(1), "M", source("c b a b"), source("a b b c"))

    assert [("b",), ("c",), ("a",)] == [match.unit for match in explained.matches]


@pytest.mark.parametrize(
    ("metric", "units"),
    [
        (SkipBigram(0, unigrams=False), [("a", "b")]),
        (SkipBigram(1, unigrams=False), [("a", "b"), ("b", "c")]),
        (SkipBigram(1, unigrams=True), [("a",), ("a", "b"), ("b",), ("b", "c")]),
    ],
)
def test_skip_bigrams_keep_their_distance(
    metric: Metric, units: Sequence[tuple[str, ...]]
) -> None:
    """Pairs with more words between them than allowed do not match; single words are
    all but the last.
    """
    explained = pair(metric, "M", source("a b x c"), source("a b c"))

    assert units == [match.unit for match in explained.matches]


def test_a_word_on_two_paths_counts_once() -> None:
    """The second sentence's word on a longest common subsequence is clipped (QUIRKS
    16).
    """
    explained = pair(Lcs(), "M", source("a b c"), source("a b", "a c"))

    assert ([0, 1, 2], []) == places(explained.reference)
    assert ([0, 1, 3], [2]) == places(explained.prediction)


def test_runs_end_with_the_sentence() -> None:
    """ROUGE-W's runs are consecutive words of the reference, each worth its power,
    in its order.
    """
    explained = pair(WeightedLcs(2.0), "M", source("a", "b c d"), source("a b c d"))

    assert [
        Match(("a",), 1, None, 1, 1.0),
        Match(("b", "c", "d"), 1, None, 1, 9.0),
    ] == explained.matches
    assert [
        "reference = (1^2 + 3^2)^2 = 100", "prediction = 4^2 = 16", "match = 1^2 + 3^2 = 10",
    ] == explained.steps  # fmt: skip


def test_a_metric_without_an_explanation_is_refused() -> None:
    """A metric of an unknown family is refused with a message."""

    class Other(Metric):
        label = "ROUGE-Q"

        def count(self, *_: object) -> Counts:
            return self.counts(0, 0, 0)

    with pytest.raises(UsageError, match="ROUGE-Q cannot be explained"):
        pair(Other(), "M", source("a"), source("a"))


def test_endless_explanations_are_refused() -> None:
    """A text with too many pairs to read is refused with a remedy before they are
    built.
    """
    long = source("a " * 4000)

    with pytest.raises(RougeError, match=f"more than {MOST_PAIRS} pairs") as caught:
        pair(SkipBigram(None, unigrams=False), "M", long, source("a"))
    assert "limit the text's length" in caught.value.remedy


def test_numbers_are_whole_or_have_five_decimals() -> None:
    """Integer counts are shown without decimals, others with five, and infinity as
    itself.
    """
    assert ["3", "0", "2.29740", "inf"] == [
        number(value) for value in (3.0, 0, 2**1.2, float("inf"))
    ]


def test_long_sums_are_cut() -> None:
    """A sum of more than eight terms is shortened by dots in its middle, and an
    empty one is 0.
    """
    nine = terms([str(value) for value in range(9)])

    assert ("0", "a + b", "0 + 1 + 2 + 3 + ... + 6 + 7 + 8") == (
        terms([]),
        terms(["a", "b"]),
        nine,
    )
