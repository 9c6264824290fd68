"""Corrections of p-values, and letters of groups."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from rouge_cli.studies import significance

CHANCE = np.random.default_rng(5)


def test_holm() -> None:
    """Holm's correction is the worked one: the smallest of four times 4, then 3, 2,
    1, never decreasing.
    """
    corrected = significance.holm(np.array([0.01, 0.04, 0.03, 0.005]))

    assert pytest.approx([0.03, 0.06, 0.06, 0.02]) == corrected.tolist()
    assert [1.0, 1.0] == significance.holm(np.array([0.7, 0.6])).tolist()


def test_benjamini_hochberg_is_scipys() -> None:
    """Benjamini and Hochberg's correction is scipy's false_discovery_control."""
    p = CHANCE.uniform(0, 1, 50) ** 3

    np.testing.assert_allclose(
        stats.false_discovery_control(p), significance.benjamini_hochberg(p)
    )


@given(
    st.integers(1, 9).flatmap(
        lambda n: st.tuples(st.just(n), st.sets(st.integers(0, n * n - 1)))
    )
)
def test_letters_mark_systems_that_differ(drawn: tuple[int, set[int]]) -> None:
    """For any results, two systems share a letter if and only if they do not differ
    significantly.
    """
    size, apart = drawn
    same = np.ones((size, size), dtype=bool)
    for first, second in (divmod(place, size) for place in apart):
        if first != second:
            same[first, second] = same[second, first] = False
    named = significance.letter_groups(same)

    assert all(named)
    for first, second in product(range(size), repeat=2):
        assert bool(set(named[first]) & set(named[second])) == bool(same[first, second])


def test_letters_of_a_ranking() -> None:
    """If only distant systems of a ranking differ, groups overlap, and begin with
    the best.
    """
    same = np.array(
        [[abs(first - second) < 3 for second in range(5)] for first in range(5)]
    )

    assert ["a", "ab", "abc", "bc", "c"] == significance.letter_groups(same)


def test_many_groups_have_names_of_their_own() -> None:
    """Beyond 52 groups letters get numbers, so that no letter names two groups."""
    named = significance.letter_groups(np.eye(60, dtype=bool))

    assert 60 == len(set(named))
    assert ["a", "z", "A", "Z", "a2"] == [named[place] for place in (0, 25, 26, 51, 52)]
