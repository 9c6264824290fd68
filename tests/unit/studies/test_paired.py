"""Tests of paired scores are compared with scipy, exact enumeration, loops and
simulations.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, product
from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from rouge_cli import twins
from rouge_cli.results.comparison import Plan
from rouge_cli.studies import draws, matrix, paired, studentized
from rouge_cli.studies import power as powers

Array = NDArray[np.float64]
Pairs = list[tuple[int, int]]

CHANCE = np.random.default_rng(5)
FIVE_PLACES = CHANCE.uniform(0.1, 0.4, (4, 30)).round(5)
PAIRS = list(combinations(range(4), 2))
Kind = type[draws.Draws]


def results(scores: Array, pairs: Pairs, plan: Plan) -> paired.Differences:
    """Return the results for a single sample."""
    (result,) = paired.differences([matrix.Sample(scores, scores, pairs)], plan)
    return result


def numbers(result: paired.Differences) -> list[Array]:
    """Return the arrays of a result."""
    return [np.asarray(field) for field in result]


def exchanged_p(scores: Array, pairs: Pairs, trials: int, seed: int = 0) -> Array:
    """Return the p-values of randomization."""
    exchanges = draws.Exchanges(scores.shape[1], trials, seed)
    return paired.randomization(
        matrix.Sample(scores, scores, pairs), exchanges, *exchanges.sums(scores)
    )


@pytest.mark.parametrize("limit", [0, 200])
def test_the_bootstrap_is_a_loop_over_the_same_draws(
    limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bootstrap's p, interval and test of equivalence count studentized errors
    of drawn samples; with one standard error, the test of equivalence has Hall's t.
    """
    monkeypatch.setattr(studentized, "STUDENTIZED", limit)
    monkeypatch.setattr(studentized, "ENOUGH", 0)
    plan = Plan(trials=999, seed=7, confidence=90, equivalence=5)
    result = results(FIVE_PLACES, PAIRS, plan)
    draws = np.random.default_rng(7).integers(0, 30, (999, 30))
    for place, (first, second) in enumerate(PAIRS):
        difference = FIVE_PLACES[first] - FIVE_PLACES[second]
        mean, error = (
            difference.mean(),
            difference.std(ddof=1 if limit else 0) / 30**0.5,
        )
        errors = np.array(
            [
                (drawn.mean() - mean)
                * 30**0.5
                / (drawn.std(ddof=1) if limit else difference.std() * (29 / 30) ** 0.5)
                for drawn in difference[draws]
            ]
        )
        half = sorted(abs(errors))[-100] * error
        against = sum(abs(errors) >= abs(mean) / error)
        tails = (
            sum(errors <= (mean - 0.05) / error),
            sum(errors >= (mean + 0.05) / error),
        )
        by_t = max(
            stats.norm.cdf(hall(difference - 0.05)),
            stats.norm.sf(hall(difference + 0.05)),
        )

        assert pytest.approx((mean, mean - half, mean + half)) == (
            result.value[place], result.low[place], result.high[place],
        )  # fmt: skip
        assert (against + 1) / 1000 == result.bootstrap[place]
        unequal = (max(tails) + 1) / 1000 if limit else by_t
        assert pytest.approx(unequal, abs=1e-12) == result.equivalence[place]
        assert pytest.approx(difference.std(ddof=1)) == result.deviation[place]


def hall(values: Array) -> float:
    """Return t of the mean, transformed as by Hall (1992b, equation 1.5)."""
    t = values.mean() / values.std()
    skewness = stats.skew(values)
    n = len(values)
    return float(
        n**0.5 * (t + skewness * t**2 / 3 + skewness**2 * t**3 / 27 + skewness / 6 / n)
    )


def test_intervals_of_systems_are_those_of_differences_from_zero() -> None:
    """The interval of a system's mean is that of its difference from a system
    without scores.
    """
    scores = np.vstack([FIVE_PLACES[0], np.zeros(30)])
    result = results(scores, [(0, 1)], Plan(trials=500))

    np.testing.assert_allclose(
        result.means[:, 0], [result.low[0], result.high[0]], rtol=1e-12
    )


def test_an_interval_without_0_has_p_of_5_percent_at_most() -> None:
    """The bootstrap's p is at most 5% exactly if the 95% interval excludes 0."""
    scores = CHANCE.normal(0.3, 0.05, (40, 12))
    scores[::2] += 0.04
    pairs = [(place, place + 1) for place in range(0, 40, 2)]
    result = results(scores, pairs, Plan(trials=999))
    excludes = (result.low > 0) | (result.high < 0)

    assert excludes.tolist() == (result.bootstrap <= 0.05).tolist()
    assert {True, False} == set(excludes.tolist())


@pytest.mark.parametrize("units", [1, 2, 3])
def test_too_few_units_have_no_interval(units: int) -> None:
    """With one to three evals, too many samples are of equal values, so nothing
    bounds a difference.
    """
    scores = CHANCE.uniform(0, 1, (2, units))
    result = results(scores, [(0, 1)], Plan(trials=2000))

    assert (-inf, inf) == (result.low[0], result.high[0])
    assert result.bootstrap[0] > 0.05


def test_a_difference_without_deviation_has_no_p_by_the_bootstrap() -> None:
    """If all units differ by the same, every other difference would be rejected, so
    there is no p, however many units there are; no difference at all has p 1.
    """
    scores = np.vstack([np.full((1, 30), 0.5), np.full((2, 30), 0.3)])
    result = results(scores, [(0, 1), (1, 2)], Plan(trials=99))

    assert np.isnan(result.bootstrap[0])
    assert result.bootstrap[1] == 1
    assert result.low.tolist() == result.high.tolist()


@pytest.mark.parametrize("evals", [2, 5, 9])
def test_few_evals_are_enumerated(evals: int) -> None:
    """If 2^n exchanges do not exceed the trials, p is the share of all sign flips,
    and scipy's.
    """
    scores = CHANCE.integers(0, 6, (5, evals)) / 5
    pairs = list(combinations(range(5), 2))
    for p, (first, second) in zip(
        exchanged_p(scores, pairs, 1 << evals), pairs, strict=True
    ):
        exact = stats.permutation_test(
            (scores[first], scores[second]), lambda x, y: np.mean(x - y), permutation_type="samples",
            n_resamples=np.inf,
        ).pvalue  # fmt: skip
        difference = scores[first] - scores[second]
        flips = [abs(sum(sign * gap for sign, gap in zip(signs, difference, strict=True)))
                 for signs in product((1, -1), repeat=evals)]  # fmt: skip
        assert pytest.approx(exact) == p
        assert (
            sum(flip >= abs(sum(difference)) - 1e-9 for flip in flips) / len(flips) == p
        )


def test_one_eval_gives_p_of_1() -> None:
    """With one eval, exchanged or not, p is 1, by either test."""
    result = results(np.array([[0.9], [0.1]]), [(0, 1)], Plan())

    assert (1, 1) == (result.randomization[0], result.bootstrap[0])


def test_drawn_exchanges_are_counted() -> None:
    """With more evals p is (k + 1) / (trials + 1), k counted by a loop over the same
    exchanges.
    """
    p_values = exchanged_p(FIVE_PLACES, [(0, 1), (2, 1)], 400, 11)
    signs = 2 * np.random.default_rng(11).integers(0, 2, (400, 30)) - 1
    for p, (first, second) in zip(p_values, [(0, 1), (2, 1)], strict=True):
        difference = FIVE_PLACES[first] - FIVE_PLACES[second]
        extreme = sum(
            abs(sum(row * difference)) >= abs(sum(difference)) - 1e-12 for row in signs
        )
        assert (extreme + 1) / 401 == p


def test_the_attained_level_is_that_of_all_sign_flips() -> None:
    """The attained level is the share of sign flips with a p below it, for scores of
    any size.
    """
    for differences in (
        CHANCE.normal(size=7),
        CHANCE.integers(-2, 3, 11) / 2.0,
        np.ones(9),
    ):
        flips = np.array(list(product((1, -1), repeat=len(differences)))) @ differences
        p = [(np.abs(flips) >= abs(flip) - 1e-9).mean() for flip in flips]

        for factor in (1e-12, 1, 1e12):
            attained = paired.attained_level(factor * differences, 0.05, 10_000)
            assert pytest.approx(np.mean(np.array(p) < 0.05)) == attained
    assert 0 == paired.attained_level(np.zeros(5), 0.05, 99)
    assert 0.05 == paired.attained_level(CHANCE.normal(size=20), 0.05, 10_000)
    tied = paired.attained_level(np.repeat([0.25, 0], 10), 0.05, 10_000)
    assert pytest.approx(0.036, abs=0.01) == tied + 0.0145


def test_linear_f_has_the_mean_and_slope_of_f() -> None:
    """Linearized F has the F of mean R and mean P as its mean, and its slope in each
    eval; 0 / 0 is 0.
    """
    recalls = np.vstack([FIVE_PLACES, np.zeros(30)])
    precisions = np.vstack([CHANCE.uniform(0.1, 0.4, (4, 30)), np.zeros(30)])

    def f(recall: float, precision: float) -> float:
        weighted = 0.7 * precision + 0.3 * recall
        return precision * recall / weighted if weighted else 0.0

    linear = matrix.linearize_f(recalls, precisions, 0.3)
    for row, recall, precision in zip(linear, recalls, precisions, strict=True):
        whole = f(recall.mean(), precision.mean())
        assert pytest.approx(whole) == row.mean()
        steps = 1e-6 * (
            np.stack([recall, precision]) - [[recall.mean()], [precision.mean()]]
        )
        moved = [
            f(recall.mean() + step[0], precision.mean() + step[1]) for step in steps.T
        ]
        np.testing.assert_allclose(
            row - whole, (np.array(moved) - whole) / 1e-6, atol=1e-5
        )


def test_equal_systems_do_not_differ() -> None:
    """Systems with the same scores have difference 0, its interval, and p 1 by
    either test.
    """
    scores = np.vstack([FIVE_PLACES[0], FIVE_PLACES[0]])
    result = results(scores, [(0, 1)], Plan(trials=200))

    assert (1, 1, 0) == (
        result.randomization[0],
        result.bootstrap[0],
        result.deviation[0],
    )
    assert (0, 0, 0) == (result.value[0], result.low[0], result.high[0])


def test_other_systems_change_nothing() -> None:
    """Results for a pair do not depend on other systems, however large their scores."""
    plan = Plan(trials=300)
    alone = results(FIVE_PLACES[:2], [(0, 1)], plan)
    beside = np.vstack([FIVE_PLACES[:2], 1e14 * FIVE_PLACES[2:]])

    for expected, actual in zip(
        numbers(alone)[:7], numbers(results(beside, [(0, 1)], plan)), strict=False
    ):
        np.testing.assert_allclose(expected, actual, rtol=1e-9)


def test_other_samples_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Samples give the same digits alone and with others, which share their draws if
    equally long.
    """
    pairs = [(0, 1), (2, 0)]
    arrays = (FIVE_PLACES, CHANCE.random((5, 30)), CHANCE.random((3, 6)))
    samples = [matrix.Sample(scores, scores, pairs) for scores in arrays]
    draws: list[int] = []
    make = np.random.default_rng

    def generator(seed: int) -> np.random.Generator:
        draws.append(seed)
        return make(seed)

    monkeypatch.setattr(np.random, "default_rng", generator)
    plan = Plan(trials=300, seed=2)
    together = list(paired.differences(samples, plan))

    assert [2] * 4 == draws
    for sample, result in zip(samples, together, strict=True):
        for array, alone in zip(
            result, results(sample.exchanged, pairs, plan), strict=True
        ):
            np.testing.assert_array_equal(array, alone)


@pytest.mark.parametrize("most", [700, 1])
@pytest.mark.parametrize("name", ["_NUMBERS", "_DIFFERENCES"])
def test_parts_change_nothing(
    name: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Work that is divided to save memory, at most into single trials, gives the
    same results.
    """
    plan = Plan(trials=300, seed=1)
    whole = results(FIVE_PLACES, PAIRS, plan)
    monkeypatch.setattr(paired if name == "_DIFFERENCES" else draws, name, most)

    for expected, actual in zip(
        numbers(whole), numbers(results(FIVE_PLACES, PAIRS, plan)), strict=True
    ):
        np.testing.assert_allclose(expected, actual, rtol=1e-9)


@pytest.mark.parametrize("units", [201, 1003, 65_537])
@pytest.mark.parametrize("kind", [draws.Draws, draws.Exchanges])
def test_compiled_sums_are_those_of_numpy(
    kind: Kind, units: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compiled code takes the same bits from numpy's generator, and adds in the same
    order.
    """
    scores = CHANCE.random((units % 20, units))
    compiled = np.vstack(kind(units, 9, units).sums(scores, scores[:1]))
    monkeypatch.setattr(twins, "extension", lambda: None)

    np.testing.assert_array_equal(
        compiled, np.vstack(kind(units, 9, units).sums(scores, scores[:1]))
    )


@pytest.mark.parametrize(
    ("kind", "shared"), [(draws.Draws, 1 / 256), (draws.Exchanges, 0)]
)
def test_many_units_are_independent(kind: Kind, shared: float) -> None:
    """Sums that are looked up are of as many draws as units, with replacement, or of
    random signs.
    """
    (weights,) = kind(256, 8000, 3).sums(np.eye(256))

    shares = stats.binom.pmf(range(9), 256, shared) if shared else [0, 0.5]
    assert not shared or set(weights.sum(axis=0)) == {256}
    assert pytest.approx(shares, abs=0.0015) == [
        (weights == times).mean() for times in range(len(shares))
    ]
    for size in (1, 2, 4, 16, 128):
        variances = weights.reshape(-1, size, 8000).sum(axis=1).var(axis=1)
        assert pytest.approx(size * (1 - size * shared), rel=0.05) == variances.mean()


def test_steps_are_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """The steps that are watched follow each other, by eights of trials, and the
    last takes the rest.
    """
    monkeypatch.setattr(draws, "_NUMBERS", 700)
    steps: list[slice] = []

    def watch(parts: Iterable[slice]) -> list[slice]:
        steps.extend(parts)
        return steps

    exchanges = draws.Exchanges(30, 50, watch=watch)
    exchanges.sums(FIVE_PLACES)

    assert [slice(0, 24), slice(24, 50)] == steps  # of 30 evals, 700 numbers at least


def simulated(evals: int, difference: float) -> Array:
    """Generate a thousand pairs of systems (rows 0 and 1, 2 and 3, ...), the first
    better by that much.
    """
    chance = np.random.default_rng(20)
    topics = np.repeat(chance.normal(0.35, 0.08, (1000, evals)), 2, axis=0)
    scores: Array = topics + chance.normal(0, 0.05, topics.shape)
    scores[::2] += difference
    return scores


NEIGHBOURS = [(place, place + 1) for place in range(0, 2000, 2)]


def found_rates(evals: int, difference: float) -> tuple[float, float]:
    """Count the pairs with p < 0.05 by randomization, and by the bootstrap."""
    result = results(
        simulated(evals, difference), NEIGHBOURS, Plan(trials=1000, seed=2)
    )
    return float((result.randomization < 0.05).mean()), float(
        (result.bootstrap < 0.05).mean()
    )


@pytest.mark.parametrize("evals", [10, 20, 44, 250])
def test_equal_systems_differ_in_one_of_twenty(evals: int) -> None:
    """Of 1,000 pairs of equal systems 3% to 7% get p < 0.05, by either test."""
    for rate in found_rates(evals, 0):
        assert 0.025 <= rate <= 0.065


def test_more_evals_find_more() -> None:
    """A true difference is detected the more often the more evals there are."""
    rates = [found_rates(evals, 0.02) for evals in (12, 44, 120)]
    for by_test in zip(*rates, strict=True):
        assert list(by_test) == sorted(by_test)
        assert by_test[0] < 0.4
        assert by_test[-1] > 0.75


@pytest.mark.parametrize(
    ("evals", "difference"), [(10, 0.04), (44, 0.02), (44, 0.03), (120, 0.02)]
)
def test_power_is_that_of_simulations(evals: int, difference: float) -> None:
    """The power of randomization and of the bootstrap is within two points (and
    chance) of the computed.
    """
    computed = powers.power(difference / (0.05 * 2**0.5), evals, 0.05)

    for rate in found_rates(evals, difference)[: 2 if evals > 10 else 1]:
        assert (
            abs(rate - computed) < 0.02 + 2 * (computed * (1 - computed) / 1000) ** 0.5
        )


@pytest.mark.parametrize("level", [0.05, 0.001])
@pytest.mark.parametrize("units", [6, 10, 30, 1000])
def test_power_is_that_of_students_t(units: int, level: float) -> None:
    """The power is that of the noncentral t distribution, to a point (2 if the level
    is low).
    """
    limit = stats.t.isf(level / 2, units - 1)
    for effect in (0, 0.05, 0.1, 0.3, 0.5, 1, 1.5):
        t = stats.nct(units - 1, effect * units**0.5)
        exact = t.sf(limit) + (
            0 if effect * units**0.5 > 2 else t.cdf(-limit)
        )  # nan if tiny
        assert pytest.approx(exact, abs=0.01 if level > 0.01 else 0.02) == powers._of_t(  # noqa: SLF001 - what is tested
            effect, units, level
        )


@pytest.mark.parametrize(
    ("units", "level"), [(6, 0.05), (7, 0.05), (9, 0.05), (8, 0.01), (10, 0.05 / 15)]
)
def test_power_of_few_units_is_that_of_all_sign_flips(units: int, level: float) -> None:
    """With few units, the power is the share of samples in which p of all sign flips is
    below the level.
    """
    signs = np.array(list(product((1, -1), repeat=units)))
    noise = np.random.default_rng(8).normal(size=(4000, units))
    for power in (0.3, 0.8):
        effect = powers.detectable(units, level, power)
        flips = (noise + effect) @ signs.T
        observed = np.abs(flips[:, 0]) - 1e-9
        p = (np.abs(flips) >= observed[:, None]).mean(axis=1)

        assert pytest.approx(power, abs=0.001) == powers.power(effect, units, level)
        assert pytest.approx(power, abs=0.03) == (p < level).mean()


@pytest.mark.parametrize(("level", "least"), [(0.05, 6), (0.01, 8), (0.05 / 1225, 16)])
def test_no_plan_promises_a_p_that_cannot_be(level: float, least: int) -> None:
    """However large the difference, the units needed give a p below the level: 2 / 2^n."""
    assert least == powers.units_needed(1000, level, 0.8)
    assert 2 / 2**least < level <= 2 / 2 ** (least - 1)
    assert inf == powers.detectable(least - 1, level, 0.8)
    assert 0 == powers.power(1000, least - 1, level)


@given(
    st.floats(0.01, 3),
    st.sampled_from([0.05, 0.01, 0.0005]),
    st.sampled_from([0.5, 0.8, 0.95]),
)
def test_the_needed_units_are_the_first_with_that_power(
    effect: float, level: float, power: float
) -> None:
    """The number of units finds the effect, one fewer does not; no number finds no
    effect.
    """
    needed = powers.units_needed(effect, level, power)

    assert powers.detectable(int(needed), level, power) <= effect
    assert powers.detectable(int(needed) - 1, level, power) > effect
    assert inf == powers.units_needed(0, level, power)
    assert inf == powers.detectable(1, level, power)


def test_each_eval_its_own_cluster_changes_no_digit() -> None:
    """If each eval is its own cluster, the units are the evals themselves."""
    for units in matrix.by_cluster(FIVE_PLACES, list("abcdefghijklmnopqrstuvwxyzABCD")):
        np.testing.assert_array_equal(FIVE_PLACES, units)


def test_units_of_clusters_have_the_mean_and_the_cluster_robust_error() -> None:
    """Units of clusters have the mean over evals, and the sandwich estimate of its
    variance.
    """
    clusters = np.sort(CHANCE.integers(0, 8, 30))
    exchanged, resampled = matrix.by_cluster(FIVE_PLACES, clusters.tolist())
    numbers = len(set(clusters.tolist()))
    for scores, sums, row in zip(FIVE_PLACES, exchanged, resampled, strict=True):
        totals = [
            sum(scores[clusters == number] - scores.mean())
            for number in sorted(set(clusters))
        ]
        assert pytest.approx(scores.mean()) == row.mean() == pytest.approx(sums.mean())
        assert pytest.approx(sum(np.square(totals)) / 30**2) == row.var() / numbers


def test_exact_exchanges_of_clusters_are_all_exchanges_of_whole_clusters() -> None:
    """The share of all exchanges of whole clusters, of unequal sizes, is p."""
    clusters = [0, 0, 0, 1, 2, 2, 3, 4, 4, 5]
    scores = FIVE_PLACES[:2, :10]
    exchanged, _ = matrix.by_cluster(scores, clusters)
    gaps = scores[0] - scores[1]
    flips = [abs(sum(signs[cluster] * gap for cluster, gap in zip(clusters, gaps, strict=True)))
             for signs in product((1, -1), repeat=6)]  # fmt: skip

    assert (
        sum(flip >= abs(sum(gaps)) - 1e-9 for flip in flips) / 64
        == exchanged_p(exchanged, [(0, 1)], 64)[0]
    )


@pytest.mark.parametrize("sizes", [[15] * 20, [5, 10, 15, 20, 25] * 4])
def test_clusters_keep_the_error_rate(sizes: list[int]) -> None:
    """With 15 evals a cluster (correlation .5), 4% to 6% of equal pairs differ;
    without, over 30%.
    """
    chance = np.random.default_rng(3)
    clusters = np.repeat(np.arange(20), sizes)
    pairs = 1500
    noise = chance.normal(0, 0.5**0.5, (2 * pairs, 20))[:, clusters] + chance.normal(
        0, 0.5**0.5, (2 * pairs, 300)
    )
    neighbours = [(place, place + 1) for place in range(0, 2 * pairs, 2)]
    plan = Plan(trials=1000)
    (of_clusters,) = paired.differences(
        [matrix.Sample(*matrix.by_cluster(noise, clusters.tolist()), neighbours)], plan
    )
    of_evals = results(noise, neighbours, plan)
    rates = [
        (p < 0.05).mean() for p in (of_clusters.randomization, of_clusters.bootstrap)
    ]

    assert 0.04 <= rates[0] <= 0.06
    assert 0.03 <= rates[1] <= 0.06
    assert (of_evals.randomization < 0.05).mean() > 0.3


@pytest.mark.parametrize("evals", [10, 44])
def test_systems_that_differ_by_the_margin_are_seldom_called_equal(evals: int) -> None:
    """At most 6.5% of systems that differ by the margin get p < 0.05, but most equal
    ones.
    """
    plan = Plan(trials=1000, equivalence=4)
    at_margin, equal = (
        (
            results(simulated(evals, difference), NEIGHBOURS, plan).equivalence < 0.05
        ).mean()
        for difference in (0.04, 0)
    )

    assert at_margin <= 0.065
    assert equal > (0.9 if evals == 44 else 0.08)


@pytest.mark.slow
def test_power_and_clusters_are_those_of_statsmodels() -> None:
    """The power is that of TTestPower, the error of a mean over clusters that of a
    clustered regression.
    """
    power = pytest.importorskip("statsmodels.stats.power").TTestPower()
    regression = pytest.importorskip("statsmodels.regression.linear_model")
    for units, effect in (
        (8, 0.3),
        (8, 1),
        (20, 0.3),
        (20, 0.6),
        (100, 0.1),
        (100, 0.3),
        (750, 0.1),
    ):
        theirs = power.power(effect, units, 0.05)
        if units == 8:  # p has few possible values
            assert powers.power(effect, units, 0.05) < theirs
            continue
        assert pytest.approx(theirs, abs=0.005) == powers.power(effect, units, 0.05)
    for effect in (0.1, 0.2, 0.5):
        theirs = power.solve_power(effect, alpha=0.05, power=0.8)
        assert abs(powers.units_needed(effect, 0.05, 0.8) - theirs) <= 1
    for sizes in ([3] * 10, [1, 2, 3, 4, 5, 6, 9]):
        clusters = np.repeat(np.arange(len(sizes)), sizes)
        fitted = regression.OLS(FIVE_PLACES[0], np.ones(30)).fit(
            cov_type="cluster", cov_kwds={"groups": clusters, "use_correction": False}
        )
        _, of_clusters = matrix.by_cluster(FIVE_PLACES[:1], clusters.tolist())
        assert pytest.approx(fitted.bse[0]) == of_clusters.std() / len(sizes) ** 0.5
