"""Multisets compared with counters, and n-grams and skip-bigrams with loops over
positions.
"""

from collections import Counter
from collections.abc import Hashable, Sequence

from hypothesis import example, given
from hypothesis import strategies as st

from rouge_cli.core import Text
from rouge_cli.metrics import overlap
from rouge_cli.metrics.ngram import grams
from rouge_cli.metrics.skip_bigram import SkipBigram

TOKENS = st.integers(1, 6).flatmap(
    lambda size: st.lists(st.integers(0, size - 1), max_size=14)
)
UNITS = st.lists(
    st.integers(0, 3)
    | st.tuples(st.integers(0, 2), st.integers(0, 2))
    | st.tuples(st.sampled_from([b"a", b"nil"]), st.sampled_from([b"b", b""])),
    max_size=12,
)
DISTANCES = st.none() | st.integers(0, 16)


# The oracle.


def windows(tokens: Sequence[int], n: int) -> Counter[Hashable]:
    """Return all runs of n tokens, one per start position."""
    return Counter(
        tuple(tokens[start : start + n]) for start in range(len(tokens) - n + 1)
    )


def pairs(
    tokens: Sequence[int], distance: int | None, *, unigrams: bool
) -> Counter[Hashable]:
    """Count all (i, j) with i < j <= i + distance + 1, and each token except the
    last.
    """
    counted: Counter[Hashable] = Counter()
    for i in range(len(tokens)):
        for j in range(i + 1, len(tokens)):
            if distance is None or j <= i + distance + 1:
                counted[tokens[i], tokens[j]] += 1
    if unigrams:
        for i in range(len(tokens) - 1):
            counted[tokens[i]] += 1
    return counted


# The laws.


@given(UNITS, UNITS)
@example([0, 0, 0, (0, 0), (0, 0)], [0, 0, (0, 0), (0, 0), (0, 0)])
def test_overlap_is_the_sum_of_least_counts(
    first: list[Hashable], second: list[Hashable]
) -> None:
    """The overlap of two multisets is the sum of each unit's minimal count."""
    counters = Counter(first), Counter(second)

    assert (counters[0] & counters[1]).total() == overlap(*counters)


@given(TOKENS, TOKENS, st.integers(1, 16))
@example([0, 0, 0, 0], [0, 0, 0], 2)
def test_ngrams_are_all_windows(first: list[int], second: list[int], n: int) -> None:
    """Each position followed by enough tokens gives one n-gram."""
    for tokens in (first, second):
        expected = (
            Counter(tokens) if n == 1 else windows(tokens, n)
        )  # unigrams are bare tokens

        assert expected == grams(Text(tokens), n)


@given(TOKENS, TOKENS, DISTANCES, st.booleans())
@example([0, 1, 0, 1], [1, 0, 1, 1], 0, True)  # noqa: FBT003 - unigrams
@example([0], [0], None, True)  # noqa: FBT003
def test_skip_bigrams_are_all_pairs_within_the_distance(
    first: list[int], second: list[int], distance: int | None, unigrams: bool
) -> None:
    """Every ordered pair within the distance counts, and for SU every token except
    the last.
    """
    reference, prediction = (
        pairs(tokens, distance, unigrams=unigrams) for tokens in (first, second)
    )
    counts = SkipBigram(distance, unigrams).count(Text(first), Text(second))

    assert (
        reference.total(),
        prediction.total(),
        (reference & prediction).total(),
    ) == counts[:3]


@given(UNITS, UNITS)
def test_a_part_shares_all_with_the_whole(
    part: list[Hashable], more: list[Hashable]
) -> None:
    """A multiset shares all with itself and with a larger one, and nothing with an
    empty one.
    """
    small, large = Counter(part), Counter([*part, *more])

    assert [len(part), len(part), 0] == [
        overlap(small, other) for other in (small, large, Counter())
    ]
