"""Clusters of unequal sizes: their intervals are those of all exchanges of signs, and
keep their level where a bootstrap of clusters does not.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from rouge_cli.core import Notice
from rouge_cli.results.comparison import Plan
from rouge_cli.studies import matrix, paired, significance
from rouge_cli.studies.matrix import Scores

Array = NDArray[np.float64]

CHANCE = np.random.default_rng(9)
SIZES = [9, 1, 2, 5, 3, 1, 4]
CLUSTERS = np.repeat(np.arange(7), SIZES).tolist()


def results(scores: Array, clusters: list[int], plan: Plan) -> paired.Differences:
    """Return the results for neighbours: rows 0 and 1, 2 and 3, ..."""
    neighbours = [(row, row + 1) for row in range(0, len(scores), 2)]
    sizes = matrix.unequal_sizes(clusters)
    sample = matrix.Sample(
        *matrix.by_cluster(scores, clusters), neighbours, sizes=sizes
    )
    (result,) = paired.differences([sample], plan)
    return result


def p_of(mean: float, gaps: Array) -> float:
    """Return the p of a mean by a loop over all signs of whole clusters."""
    sums = [
        sum(gap - mean for gap, cluster in zip(gaps, CLUSTERS, strict=True) if cluster == number)
        for number in range(7)
    ]  # fmt: skip
    flips = [abs(np.dot(signs, sums)) for signs in product((1, -1), repeat=7)]
    return float(np.mean([flip >= abs(sum(sums)) - 1e-12 for flip in flips]))


@pytest.mark.parametrize("confidence", [95, 80])
def test_an_interval_has_the_means_that_exchanges_do_not_reject(
    confidence: float,
) -> None:
    """Within its ends p is above 1 minus the level, outside it is not; p of 0 is that
    of randomization, and equivalence is the larger p of the two margins.
    """
    scores = CHANCE.uniform(0, 1, (12, 25))
    plan = Plan(confidence=confidence, equivalence=30)
    result = results(scores, CLUSTERS, plan)

    np.testing.assert_array_equal(result.randomization, result.bootstrap)
    for place in range(6):
        gaps = scores[2 * place] - scores[2 * place + 1]
        for end, outside in ((result.low[place], -1e-6), (result.high[place], 1e-6)):
            assert p_of(end - outside, gaps) > 1 - confidence / 100
            assert p_of(end + outside, gaps) <= 1 - confidence / 100 + 1e-12
        assert pytest.approx(gaps.mean()) == result.value[place]
        margins = [
            p_of(margin, gaps) / 2 if abs(gaps.mean()) < 0.3 else 0.5
            for margin in (0.3, -0.3)
        ]
        assert pytest.approx(max(margins)) == result.equivalence[place]


@pytest.mark.parametrize("sizes", [[40] + [8] * 5, [60, 30, 15, 8, 4, 2, 1, 1, 1, 1]])
def test_unequal_clusters_keep_the_level(sizes: list[int]) -> None:
    """Of equal systems at most 6.5% get p boot < 0.05, and at least 93.5% of the
    intervals contain the difference, and the mean, if a cluster has half of all evals.
    """
    chance = np.random.default_rng(4)
    clusters = np.repeat(np.arange(len(sizes)), sizes)
    pairs = 1200
    effects = chance.normal(0, 1, (2 * pairs, len(sizes)))[:, clusters]
    scores = effects + chance.normal(0, 1, effects.shape)
    result = results(scores, clusters.tolist(), Plan(trials=999))

    assert (result.bootstrap < 0.05).mean() <= 0.065
    assert ((result.low <= 0) & (result.high >= 0)).mean() >= 0.935
    low, high = result.means
    assert ((low <= 0) & (high >= 0)).mean() >= 0.935


def test_equal_sizes_are_drawn() -> None:
    """Clusters of equal sizes are units like evals; others have sizes with mean 1."""
    assert 0 == len(matrix.unequal_sizes([1, 1, 2, 2]))
    np.testing.assert_allclose([0.5, 1.5], matrix.unequal_sizes([7, 8, 8, 8]))
    assert pytest.approx(16 / 10) == matrix.effective_clusters([7, 8, 8, 8])


def test_clusters_that_are_few_in_effect_are_named() -> None:
    """A warning names the largest of clusters that tell as much as few."""
    sizes = [40] + [8] * 5
    clusters = [f"c{number}" for number in np.repeat(np.arange(6), sizes)]
    values = CHANCE.uniform(0, 1, (2, 80))
    scores = Scores("M F", ["a", "b"], [str(e) for e in range(80)], values)
    notices: list[Notice] = []
    comparison = significance.compare(
        [scores._replace(clusters=clusters)], Plan(), notices.append
    )

    text = " ".join(map(str, notices))
    assert (
        "cluster c0 has 50% of the evals, so that 6 clusters tell as much as 3.3"
        in text
    )
    assert pytest.approx(10 / 3) == comparison.pairs[0].effective_clusters
    assert any("wild cluster" in line for line in comparison.to_text().splitlines())
