"""Tests between systems are compared with scipy, with exact enumeration and with plain loops."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from rouge_cli.studies import significance

Array = NDArray[np.float64]

CHANCE = np.random.default_rng(5)
FIVE_PLACES = CHANCE.uniform(0.1, 0.4, (4, 30)).round(5)


def differences(
    scores: Array, pairs: significance.Pairs, trials: int, seed: int, confidence: float
) -> significance.Differences:
    """Return the results for a single sample."""
    (result,) = significance.differences([(scores, pairs)], trials, seed, confidence)
    return result


def test_intervals_are_scipys() -> None:
    """The paired bootstrap's interval is that of scipy.stats.bootstrap with the same resamples."""
    pairs = list(combinations(range(4), 2))
    interval = differences(FIVE_PLACES, pairs, 999, 7, 90)
    for place, (first, second) in enumerate(pairs):
        difference = FIVE_PLACES[first] - FIVE_PLACES[second]
        low, high = stats.bootstrap(
            (difference,), np.mean, n_resamples=999, confidence_level=0.9, method="percentile",
            rng=np.random.default_rng(7),
        ).confidence_interval  # fmt: skip

        assert pytest.approx((difference.mean(), low, high)) == (
            interval.value[place], interval.low[place], interval.high[place],
        )  # fmt: skip


def test_the_bootstraps_p_is_counted() -> None:
    """The bootstrap's p is twice the share of resamples that the better system does not win."""
    result = differences(FIVE_PLACES, [(0, 1)], 500, 3, 95)
    drawn = np.random.default_rng(3).integers(0, 30, (500, 30))
    means = [sum(FIVE_PLACES[0, i] - FIVE_PLACES[1, i] for i in row) / 30 for row in drawn]
    lost = min(sum(mean <= 1e-12 for mean in means), sum(mean >= -1e-12 for mean in means))

    assert 2 * (lost + 1) / 501 == result.bootstrap[0]


@pytest.mark.parametrize("evals", [2, 5, 9])
def test_few_evals_are_enumerated(evals: int) -> None:
    """If 2^n exchanges do not exceed the trials, p is scipy's exact one, also with ties."""
    scores = CHANCE.integers(0, 6, (5, evals)) / 5
    pairs = list(combinations(range(5), 2))
    p_values = significance.randomization([(scores, pairs)], 1 << evals, 0)[0]
    for p, (first, second) in zip(p_values, pairs, strict=True):
        exact = stats.permutation_test(
            (scores[first], scores[second]), lambda x, y: np.mean(x - y), permutation_type="samples",
            n_resamples=np.inf,
        ).pvalue  # fmt: skip
        assert pytest.approx(exact) == p


def test_one_eval_gives_p_of_1() -> None:
    """With one eval, exchanged or not, p is 1."""
    (p,) = significance.randomization([(np.array([[0.9], [0.1]]), [(0, 1)])], 10_000, 0)

    assert [1.0] == p.tolist()


def test_drawn_exchanges_are_counted() -> None:
    """With more evals p is (k + 1) / (trials + 1), k counted by a loop over the same exchanges."""
    p_values = significance.randomization([(FIVE_PLACES, [(0, 1), (2, 1)])], 400, 11)[0]
    signs = 2 * np.random.default_rng(11).integers(0, 2, (400, 30)) - 1
    for p, (first, second) in zip(p_values, [(0, 1), (2, 1)], strict=True):
        difference = FIVE_PLACES[first] - FIVE_PLACES[second]
        extreme = sum(abs(sum(row * difference)) >= abs(sum(difference)) - 1e-12 for row in signs)
        assert (extreme + 1) / 401 == p


def test_differences_of_f_are_those_of_means() -> None:
    """An F of means has the differences and intervals of a loop over the same draws; 0 / 0 is 0."""
    recalls = np.vstack([FIVE_PLACES, np.zeros(30)])
    precisions = np.vstack([CHANCE.uniform(0.1, 0.4, (4, 30)), np.zeros(30)])
    pairs = [(0, 1), (3, 2), (1, 4)]
    results = significance.differences_of_f([(recalls, pairs), (precisions, pairs)], 0.3, 200, 3, 90)

    def f(system: int, row: Array | slice) -> float:
        recall, precision = (scores[system, row].mean() for scores in (recalls, precisions))
        weighted = 0.7 * precision + 0.3 * recall
        return float(precision * recall / weighted) if weighted else 0.0

    drawn = np.random.default_rng(3).integers(0, 30, (200, 30))
    means = np.array([[f(system, row) for row in drawn] for system in range(5)])
    between = [means[first] - means[second] for first, second in pairs]
    expected = {
        "value": [f(first, slice(None)) - f(second, slice(None)) for first, second in pairs],
        "low": np.percentile(between, 5, axis=1),
        "high": np.percentile(between, 95, axis=1),
        "means": np.percentile(means, [5, 95], axis=1),
    }
    assert expected.keys() == results.keys()
    for name, figures in expected.items():
        np.testing.assert_allclose(figures, results[name], rtol=1e-9, err_msg=name)


def test_equal_systems_do_not_differ() -> None:
    """Systems with the same scores have difference 0, its interval, and p 1 by either test."""
    scores = np.vstack([FIVE_PLACES[0], FIVE_PLACES[0]])
    result = differences(scores, [(0, 1)], 200, 0, 95)

    assert (0, 0, 0, 1, 1) == tuple(float(figure[0]) for figure in result[:5])


def test_other_systems_change_nothing() -> None:
    """Results for a pair do not depend on other systems, however large their scores."""
    alone = differences(FIVE_PLACES[:2], [(0, 1)], 300, 0, 95)
    beside = np.vstack([FIVE_PLACES[:2], 1e14 * FIVE_PLACES[2:]])

    for expected, actual in zip(alone[:5], differences(beside, [(0, 1)], 300, 0, 95), strict=False):
        np.testing.assert_allclose(expected, actual, rtol=1e-12)


def test_other_samples_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Samples give the same digits alone and with others, which share their draws if equally long."""
    pairs = [(0, 1), (2, 0)]
    samples = [(scores, pairs) for scores in (FIVE_PLACES, CHANCE.random((5, 30)), CHANCE.random((3, 6)))]
    draws: list[int] = []
    make = np.random.default_rng

    def generator(seed: int) -> np.random.Generator:
        draws.append(seed)
        return make(seed)

    monkeypatch.setattr(np.random, "default_rng", generator)
    together = list(significance.differences(samples, 300, 2, 95))

    assert [2] * 4 == draws
    for (scores, _), result in zip(samples, together, strict=True):
        for array, alone in zip(result, differences(scores, pairs, 300, 2, 95), strict=True):
            np.testing.assert_array_equal(array, alone)


@pytest.mark.parametrize("most", [700, 1])
@pytest.mark.parametrize("name", ["_NUMBERS", "_CACHED", "_DIFFERENCES"])
def test_parts_change_nothing(name: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work that is divided to save memory, at most into single trials, gives the same results."""
    pairs = list(combinations(range(4), 2))
    whole = differences(FIVE_PLACES, pairs, 300, 1, 95)
    monkeypatch.setattr(significance, name, most)
    divided = differences(FIVE_PLACES, pairs, 300, 1, 95)

    for expected, actual in zip(whole, divided, strict=True):
        np.testing.assert_allclose(expected, actual, rtol=1e-12)


def test_steps_are_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """The steps that are watched follow each other, each with as many trials as memory allows."""
    monkeypatch.setattr(significance, "_NUMBERS", 700)
    steps: list[slice] = []

    def watch(parts: Iterable[slice]) -> list[slice]:
        steps.extend(parts)
        return steps

    significance.randomization([(FIVE_PLACES, [(0, 1)])], 50, 1, watch)

    assert [slice(0, 23), slice(23, 46), slice(46, 50)] == steps  # of 30 evals, 700 numbers at most


def test_holm() -> None:
    """Holm's correction is the worked one: the smallest of four times 4, then 3, 2, 1, never decreasing."""
    corrected = significance.holm(np.array([0.01, 0.04, 0.03, 0.005]))

    assert pytest.approx([0.03, 0.06, 0.06, 0.02]) == corrected.tolist()
    assert [1.0, 1.0] == significance.holm(np.array([0.7, 0.6])).tolist()


def test_benjamini_hochberg_is_scipys() -> None:
    """Benjamini and Hochberg's correction is scipy's false_discovery_control."""
    p = CHANCE.uniform(0, 1, 50) ** 3

    np.testing.assert_allclose(stats.false_discovery_control(p), significance.benjamini_hochberg(p))


@given(st.integers(1, 9).flatmap(lambda n: st.tuples(st.just(n), st.sets(st.integers(0, n * n - 1)))))
def test_letters_mark_systems_that_differ(drawn: tuple[int, set[int]]) -> None:
    """For any results, two systems share a letter if and only if they do not differ significantly."""
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
    """If only distant systems of a ranking differ, groups overlap, and begin with the best."""
    same = np.array([[abs(first - second) < 3 for second in range(5)] for first in range(5)])

    assert ["a", "ab", "abc", "bc", "c"] == significance.letter_groups(same)


def test_many_groups_have_names_of_their_own() -> None:
    """Beyond 52 groups letters get numbers, so that no letter names two groups."""
    named = significance.letter_groups(np.eye(60, dtype=bool))

    assert 60 == len(set(named))
    assert ["a", "z", "A", "Z", "a2"] == [named[place] for place in (0, 25, 26, 51, 52)]


def simulated(evals: int, difference: float) -> Array:
    """Generate a thousand pairs of systems (rows 0 and 1, 2 and 3, ...), the first better by that much."""
    chance = np.random.default_rng(20)
    topics = np.repeat(chance.normal(0.35, 0.08, (1000, evals)), 2, axis=0)
    scores: Array = topics + chance.normal(0, 0.05, topics.shape)
    scores[::2] += difference
    return scores


def found_rates(evals: int, difference: float) -> tuple[float, float]:
    """Count the pairs with p < 0.05 by randomization, and by the bootstrap."""
    pairs = [(place, place + 1) for place in range(0, 2000, 2)]
    results = differences(simulated(evals, difference), pairs, 1000, 2, 95)
    return float((results.randomization < 0.05).mean()), float((results.bootstrap < 0.05).mean())


def test_equal_systems_differ_in_one_of_twenty() -> None:
    """Of 1,000 pairs of equal systems 3% to 7% get p < 0.05, by either test."""
    for rate in found_rates(44, 0):
        assert 0.03 <= rate <= 0.07


def test_more_evals_find_more() -> None:
    """A true difference is detected the more often the more evals there are."""
    rates = [found_rates(evals, 0.02) for evals in (12, 44, 120)]
    for by_test in zip(*rates, strict=True):
        assert list(by_test) == sorted(by_test)
        assert by_test[0] < 0.4
        assert by_test[-1] > 0.75
