"""Correlations are compared with scipy, and the bootstrap with explicit loops over
samples.
"""

from collections.abc import Callable, Sequence
from itertools import product
from math import sqrt

import numpy as np
import pytest
from everyday import sampled
from numpy.typing import NDArray
from scipy import __version__, stats

from rouge_cli import native, twins
from rouge_cli.native import replacements
from rouge_cli.results.correlation import (
    COEFFICIENTS,
    LEVELS,
    RESAMPLED,
    CorrelationPlan,
    Points,
)
from rouge_cli.studies import coefficients, draws

Array = NDArray[np.float64]

CHANCE = np.random.default_rng(8)
METRIC = CHANCE.uniform(0, 1, (12, 9)).round(2)
HUMAN = (
    4 * METRIC + CHANCE.normal(0, 1, (12, 9))
).round()  # coarse steps, so that there are ties
METRIC[2, :4] = np.nan
HUMAN[5, 7] = np.nan
SCIPY: dict[str, Callable[..., object]] = {
    "pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau,
}  # fmt: skip


def interval(
    metric: Array, human: Array, level: str, coefficient: str, plan: CorrelationPlan,
    clusters: Sequence[str] = (),
) -> tuple[float, float, int]:  # fmt: skip
    """Return the interval of the correlation of arrays of systems x evals."""
    systems = [str(number) for number in range(len(metric))]
    points = Points(
        "m", "h", "all", systems, metric, human, frozenset(), whole_systems=False
    )
    return coefficients.interval(
        points._replace(clusters=clusters), level, coefficient, plan
    )


def by_scipy(x: Array, y: Array, coefficient: str) -> float:
    """Return scipy's coefficient, NaN for constant samples."""
    if len(x) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return np.nan
    return float(SCIPY[coefficient](x, y).statistic)  # type: ignore[attr-defined]


def slowly(metric: Array, human: Array, level: str, coefficient: str) -> float:
    """Compute the correlation of one level, summary by summary."""
    both = ~np.isnan(metric) & ~np.isnan(human)
    if level == "pooled":
        return by_scipy(metric[both], human[both], coefficient)
    if level == "system":
        rows = [place for place in range(len(both)) if both[place].any()]
        # Means that differ only by the order of their additions are ties.
        means = [
            [round(scores[place][both[place]].mean(), 11) for place in rows]
            for scores in (metric, human)
        ]
        return by_scipy(np.array(means[0]), np.array(means[1]), coefficient)
    columns = [
        by_scipy(
            metric[both[:, place], place], human[both[:, place], place], coefficient
        )
        for place in range(both.shape[1])
    ]
    values = [value for value in columns if not np.isnan(value)]
    return float(np.mean(values)) if values else np.nan


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@pytest.mark.parametrize("level", LEVELS)
def test_values_are_scipys(level: str, coefficient: str) -> None:
    """On each level the correlation is scipy's on the same vectors, without gaps."""
    agreement = coefficients.agreement(METRIC, HUMAN, level, coefficient)

    assert pytest.approx(slowly(METRIC, HUMAN, level, coefficient)) == agreement.value
    assert {"system": 12, "summary": 9, "pooled": 103}[level] == agreement.points


@pytest.mark.parametrize(
    ("level", "coefficient", "over"),
    sampled(product(LEVELS, COEFFICIENTS, RESAMPLED), 4),
)
def test_intervals_are_those_of_samples_written_out(
    level: str, coefficient: str, over: str
) -> None:
    """The bootstrap's interval is that of scipy's correlations on every drawn
    sample, row by row.
    """
    plan = CorrelationPlan(over=over, samples=40, seed=4, confidence=80)
    low, high, undefined = interval(METRIC, HUMAN, level, coefficient, plan)
    systems, evals = draws.of_both(METRIC.shape, over, 40, 4)
    values = []
    for row, column in zip(systems.astype(int), evals.astype(int), strict=True):
        drawn = np.ix_(np.repeat(np.arange(12), row), np.repeat(np.arange(9), column))
        values.append(slowly(METRIC[drawn], HUMAN[drawn], level, coefficient))
    finite = [value for value in values if not np.isnan(value)]

    assert pytest.approx(np.percentile(finite, [10, 90])) == [low, high]
    assert len(values) - len(finite) == undefined


@pytest.mark.skipif(
    __version__ < "1.16",
    reason="scipy summed the squares of Pearson's in another order",
)
@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_values_are_scipys_to_the_last_bit(coefficient: str) -> None:
    """A coefficient has the bits of scipy's, with ties and without, for few points
    and for many.
    """
    for size in (2, 5, 12, 44, 700):
        x = CHANCE.normal(size=size)
        for y in (x + CHANCE.normal(size=size), (4 * x).round(), -x):
            value = coefficients.correlation(x, y, coefficient).value
            np.testing.assert_equal(value, by_scipy(x, y, coefficient))


def test_what_is_drawn() -> None:
    """Over evals only evals are drawn, over systems only systems, over both both, as
    many as there are.
    """
    for over, drawn in (
        ("evals", (False, True)),
        ("systems", (True, False)),
        ("both", (True, True)),
    ):
        for times, varies in zip(
            draws.of_both((5, 7), over, 50, 1), drawn, strict=True
        ):
            assert (times.sum(axis=1) == times.shape[1]).all()
            assert bool((times != 1).any()) == varies


@pytest.mark.parametrize("most", [1000, 1])
def test_evals_in_parts_are_the_same(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Evals that are divided to save memory, at most into single ones, give the same
    interval.
    """
    plan = CorrelationPlan(samples=50)
    whole = interval(METRIC, HUMAN, "summary", "kendall", plan)
    monkeypatch.setattr(coefficients, "_NUMBERS", most)

    assert whole == interval(METRIC, HUMAN, "summary", "kendall", plan)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_constant_scores_have_no_correlation(coefficient: str) -> None:
    """Constant scores, and single points, give NaN and the reason, on either side."""
    flat = np.full((4, 1), 0.1) * 3
    rising = np.arange(4.0).reshape(4, 1)
    for metric, human, reason in (
        (flat, rising, "constant metric scores"),
        (rising, flat, "constant human scores"),
        (flat, flat, "constant metric and human scores"),
        (flat[:1], rising[:1], "fewer than 2 points"),
    ):
        agreement = coefficients.agreement(metric, human, "system", coefficient)
        assert np.isnan(agreement.value)
        assert reason == agreement.reason


def test_scores_that_differ_by_rounding_are_constant() -> None:
    """A spread of 5e-13 of the scores' size is rounding, and one of 4e-12 is not."""
    rising = np.arange(4.0).reshape(4, 1)
    for spread, is_constant in ((5e-13, True), (4e-12, False)):
        scores = 7 * (1 + spread * rising / 3)
        assert is_constant == np.isnan(
            coefficients.agreement(scores, rising, "pooled", "kendall").value
        )


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_the_least_numbers_have_a_correlation(coefficient: str) -> None:
    """Scores near the smallest doubles are correlated as any others."""
    x, y = CHANCE.uniform(0, 1, (2, 9, 1))
    agreement = coefficients.agreement(x * 1e-300, y, "system", coefficient)

    assert pytest.approx(by_scipy(x[:, 0], y[:, 0], coefficient)) == agreement.value


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@pytest.mark.parametrize("level", LEVELS)
def test_the_size_of_scores_changes_no_interval(level: str, coefficient: str) -> None:
    """Scores that are all a power of two times as large, or as small, have the same
    interval.
    """
    plan = CorrelationPlan(samples=40, seed=4, confidence=80)
    unchanged, *others = (
        interval(factor * METRIC, HUMAN / factor, level, coefficient, plan)
        for factor in (1, 2.0**-60, 2.0**40)
    )

    np.testing.assert_allclose(others, [unchanged] * 2, rtol=1e-9)


def test_means_are_equal_if_eleven_digits_are() -> None:
    """Means that differ by rounding are made equal; those that differ in the
    eleventh digit are not.
    """
    for size in (1e-9, 1.0, 1e6):
        near, far = 0.5 * size, (0.5 + 1e-11) * size
        scores = np.array([[near], [near + 2e-12 * size], [far], [0.9 * size]])
        first, second, third, _ = coefficients.means(scores, scores)[0].tolist()
        assert first == second < third


def test_evals_without_a_correlation_are_reported() -> None:
    """On the summary level evals of constant scores are left out of the mean, and
    reported.
    """
    metric, human = METRIC.copy(), HUMAN.copy()
    human[:, 0] = 3
    metric[1:, 1] = np.nan
    agreement = coefficients.agreement(metric, human, "summary", "pearson")

    assert 7 == agreement.points
    assert (
        "1 of 9 evals: constant human scores, 1 of 9 evals: fewer than 2 points"
        == agreement.reason
    )


def test_samples_without_a_correlation_are_counted() -> None:
    """Samples that drew a single system have no correlation, and are counted as
    such.
    """
    metric, human = np.array([[1.0], [2.0], [4.0]]), np.array([[1.0], [3.0], [4.0]])
    plan = CorrelationPlan(over="systems", samples=300)
    for coefficient in COEFFICIENTS:
        systems, _ = draws.of_both((3, 1), "systems", 300, 0)
        alone = int((systems == 3).any(axis=1).sum())
        for level in LEVELS:
            *_, undefined = interval(metric, human, level, coefficient, plan)
            assert 0 < alone == undefined


def test_no_sample_has_a_correlation() -> None:
    """If no sample has a correlation there is no interval."""
    flat = np.ones((3, 2))

    plan = CorrelationPlan(samples=20)
    low, high, undefined = interval(flat, flat, "system", "pearson", plan)

    assert np.isnan([low, high]).all()
    assert 20 == undefined


def test_williams_by_hand() -> None:
    """Williams' t and p are those of Steiger's equation 7 worked out by hand.

    For r of 0.6 and 0.4, 0.5 between, and 23 systems: |R| = 1 - 0.36 - 0.16 - 0.25 +
    0.24 = 0.47; below the root 22 * 1.5 / (2 * 0.47 * 22/20 + 0.25 * 0.125) = 33 /
    1.06525 = 30.97864; t = 0.2 * 5.56585.
    """
    t, p = coefficients.williams(0.6, 0.4, 0.5, 23)

    assert pytest.approx(1.11317, abs=1e-5) == t
    assert (
        pytest.approx(0.2788, abs=1e-4) == p
    )  # of Student's t with 20 degrees of freedom, two-sided
    assert pytest.approx((-t, p)) == coefficients.williams(0.4, 0.6, 0.5, 23)


def test_williams_is_not_always_defined() -> None:
    """Metrics that agree completely, and three systems, have no Williams' test."""
    assert np.isnan(coefficients.williams(0.6, 0.6, 1.0, 20)).all()
    assert np.isnan(coefficients.williams(0.6, 0.4, 0.5, 3)).all()
    assert np.isnan(coefficients.williams(np.nan, 0.4, 0.5, 30)).all()


def test_williams_keeps_its_level() -> None:
    """If metrics agree with people equally well, about one pair in twenty gets p <
    0.05.
    """
    chance, p_values = np.random.default_rng(3), []
    for _ in range(1000):
        human = chance.normal(size=30)
        first, second = (
            human * 0.7 + chance.normal(size=30) * sqrt(0.51) for _ in range(2)
        )
        r = np.corrcoef([human, first, second])
        p_values.append(coefficients.williams(r[0, 1], r[0, 2], r[1, 2], 30)[1])

    assert 0.03 <= np.mean(np.array(p_values) < 0.05) <= 0.07


@pytest.mark.parametrize("over", RESAMPLED)
def test_pairs_may_be_counted_by_score(
    over: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Kendall's tau of few different human scores has the interval that scipy's own
    tau gives.
    """
    plan = CorrelationPlan(over=over, samples=40)
    counted = interval(METRIC, HUMAN, "pooled", "kendall", plan)
    monkeypatch.setattr(replacements, "MOST_SCORES", 0)

    assert counted == interval(METRIC, HUMAN, "pooled", "kendall", plan)


@pytest.mark.skipif(native.extension() is None, reason="nothing is compiled")
@pytest.mark.parametrize(
    ("systems", "evals", "samples", "decimals"),
    [
        (5, 40, 60, 5),
        (10, 30, 17, 2),
        (19, 12, 2, 1),
        (23, 9, 5, 3),
        (300, 9, 20, 3),
        (6, 150, 1, 2),
    ],
)
def test_compiled_correlations_have_the_bits_of_numpy(
    systems: int,
    evals: int,
    samples: int,
    decimals: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Compiled code adds in numpy's order: scores with ties, missing scores, and
    samples without spread.
    """
    random = np.random.default_rng(systems)
    metric = random.normal(0, 1, (systems, evals)).round(decimals)
    human = (metric + random.normal(0, 2, metric.shape)).round()
    metric[random.random(metric.shape) < 0.2 * (systems < 100)] = np.nan
    metric, human = coefficients.mask_unpaired(metric, human)
    drawn = draws.of_both(metric.shape, "both", samples, 7)
    for level, coefficient in product(LEVELS, COEFFICIENTS):
        function = coefficients.BY_LEVEL[level]
        compiled = function(metric, human, *drawn, coefficient)
        with monkeypatch.context() as patch:
            patch.setattr(twins, "extension", lambda: None)
            assert (
                compiled.tobytes()
                == function(metric, human, *drawn, coefficient).tobytes()
            )


@pytest.mark.parametrize("seed", range(5))
def test_no_interval_leaves_the_limits(seed: int) -> None:
    """Rounding errors never lead beyond 1, not even for scores that agree
    completely.
    """
    x = np.random.default_rng(seed).random((6, 8))
    plan = CorrelationPlan(samples=30, seed=seed)
    for level, coefficient in product(LEVELS, COEFFICIENTS):
        for sign in (2, -2):
            value = coefficients.agreement(x, sign * x + 0.1, level, coefficient).value
            low, high, _ = interval(x, sign * x + 0.1, level, coefficient, plan)
            assert max(abs(end) for end in (value, low, high)) <= 1


@pytest.mark.parametrize("level", LEVELS)
def test_clusters_are_drawn_as_a_whole(level: str) -> None:
    """A sample has all evals of a cluster equally often; clusters of one eval change
    no digit.
    """
    plan = CorrelationPlan(over="evals", samples=50, seed=4)
    clusters = list("aabbbcdda")
    _, evals = draws.of_both(METRIC.shape, "evals", 50, 4, tuple(clusters))
    assert evals is draws.of_both(METRIC.shape, "evals", 50, 4, tuple(clusters))[1]
    drawn = np.random.default_rng(4).multinomial(4, [0.25] * 4, 50)

    assert drawn[:, [0, 0, 1, 1, 1, 2, 3, 3, 0]].tolist() == evals.tolist()
    whole = interval(METRIC, HUMAN, level, "pearson", plan)
    assert whole == interval(METRIC, HUMAN, level, "pearson", plan, list("abcdefghi"))
    assert whole != interval(METRIC, HUMAN, level, "pearson", plan, clusters)
