"""Plans: against loops, simulations and REALSumm's published scores."""

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from scipy import optimize, stats

from rouge_cli.core import Notice, ignore_notice
from rouge_cli.errors import RougeError
from rouge_cli.results.planning import Goal, Planning
from rouge_cli.studies.matrix import Scores
from rouge_cli.studies.planning import plan_comparison

CHANCE = np.random.default_rng(2)
VALUES = (
    CHANCE.normal(0.3, 0.06, (3, 40))
    + CHANCE.normal(0, 0.1, 40)
    + np.array([[0.02], [0.0], [0.05]])
)
REALSUMM = (
    Path(__file__).parents[4] / "shared" / "golden" / "realsumm" / "abstractive.jsonl"
)


def scores(values: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Scores:
    """Return the scores of systems a, b, ... in evals 0, 1, ..."""
    names = [chr(97 + row) for row in range(len(values))]
    return Scores(
        "ROUGE-2 F", names, [str(place) for place in range(values.shape[1])], values
    )


def planned(goal: Goal, *matrices: Scores) -> Planning:
    """Return the plan."""
    return plan_comparison(matrices, goal, ignore_notice)


def test_the_pairs_of_a_plan() -> None:
    """Each pair has its difference, deviation and power; the needed evals are those
    of Student's t.
    """
    goal = Goal(detect=2.5, power=0.9, level=0.01)
    pairs = planned(goal, scores(VALUES)).pairs

    assert [("c", "a"), ("c", "b"), ("a", "b")] == [
        (pair.system, pair.other) for pair in pairs
    ]
    for pair in pairs:
        gaps = 100 * (VALUES[ord(pair.system) - 97] - VALUES[ord(pair.other) - 97])
        assert pytest.approx(gaps.mean()) == pair.difference
        assert pytest.approx(gaps.std(ddof=1)) == pair.deviation
        for level, needed in ((0.01, pair.needed), (0.01 / 3, pair.needed_corrected)):
            effect = 2.5 / gaps.std(ddof=1)
            least = optimize.brentq(
                lambda n, e=effect, p=level: t_power(n, e, p) - 0.9, 5, 1000
            )
            assert abs(needed - least) <= 1
        assert (
            pytest.approx(t_power(40, 2.5 / gaps.std(ddof=1), 0.01), abs=0.002)
            == pair.power
        )
        assert pytest.approx(0.9, abs=0.002) == t_power(
            40, pair.detectable / gaps.std(ddof=1), 0.01
        )


def t_power(units: float, effect: float, level: float) -> float:
    """Return the power of the paired t-test, by scipy."""
    limit = stats.t.isf(level / 2, units - 1)
    return float(stats.nct.sf(limit, units - 1, effect * units**0.5))


def test_the_table_needs_the_evals_of_its_hardest_pair() -> None:
    """Medians are over a metric's pairs, the correction is over all metrics; the
    hardest pair decides.
    """
    other = scores(VALUES * 1.5)._replace(name="ROUGE-L F")
    planning = planned(Goal(), scores(VALUES), other)
    alone = planned(Goal(), scores(VALUES))
    metric, other_metric = planning.metrics

    assert (3, 6, 40) == (metric.pairs, metric.comparisons, metric.evals)
    pairs = planning.pairs[:3]
    assert sorted(pair.needed for pair in pairs)[1] == metric.needed
    assert max(pair.needed_corrected for pair in pairs) == metric.needed_all
    assert (
        metric.needed_all
        > alone.metrics[0].needed_all
        > metric.needed
        == alone.metrics[0].needed
    )
    assert (
        sorted(pair.detectable for pair in pairs)[1]
        == metric.detectable
        < metric.detectable_corrected
    )
    assert (
        sum(abs(pair.difference) < pair.detectable for pair in pairs) == metric.smaller
    )
    assert other_metric.needed > 2 * metric.needed
    assert 2 == len(planned(Goal(baseline="a"), scores(VALUES)).pairs)


def test_the_stability_is_that_of_all_subsets() -> None:
    """The shares of drawn subsets are those of all subsets of that size, within
    chance.
    """
    values = VALUES[:, :8]
    planning = planned(Goal(trials=4000), scores(values))
    pairs = list(combinations(np.argsort(-values.mean(axis=1)).tolist(), 2))

    assert [1, 2, 5] == [row.evals for row in planning.stability]
    for row in planning.stability:
        subsets = [
            values[:, list(some)].mean(axis=1)
            for some in combinations(range(8), int(row.evals))
        ]
        kept = np.array(
            [
                [means[better] > means[worse] for better, worse in pairs]
                for means in subsets
            ]
        )
        shares = kept.mean(), kept.mean(axis=0).min(), kept.all(axis=1).mean()
        np.testing.assert_allclose(row[2:], shares, atol=0.025)


def test_the_power_is_that_of_a_simulation() -> None:
    """Of simulated runs with the planned evals, the planned share finds the
    difference.
    """
    planning = planned(Goal(detect=3), scores(VALUES[:2]))
    (pair,) = planning.pairs
    chance = np.random.default_rng(0)
    for evals, power in ((int(pair.needed), 0.8), (40, pair.power)):
        drawn = chance.normal(3, pair.deviation, (4000, evals))
        found = (stats.ttest_1samp(drawn, 0, axis=1).pvalue < 0.05).mean()
        assert abs(found - power) < 0.02


def test_clusters_are_counted_in_evals() -> None:
    """Evals that repeat others need as many times more evals; own clusters change
    nothing.
    """
    single, repeated = scores(VALUES), scores(np.repeat(VALUES, 3, axis=1))
    own = single._replace(clusters=single.evals)
    clusters = [str(place // 3) for place in range(120)]
    (first, *_), (same, *_) = planned(Goal(), single).pairs, planned(Goal(), own).pairs
    (of_clusters, *_) = planned(Goal(), repeated._replace(clusters=clusters)).pairs

    assert first._replace(clusters=40) == same
    assert pytest.approx(3 * first.needed) == of_clusters.needed
    assert (120, 40) == (of_clusters.evals, of_clusters.clusters)
    assert pytest.approx(first.detectable) == of_clusters.detectable


def test_equal_systems_and_single_evals() -> None:
    """Systems that never differ need two evals, a single eval shows nothing, one
    system has no plan.
    """
    notices: list[Notice] = []
    equal = plan_comparison(
        [scores(np.vstack([VALUES[0], VALUES[0]]))], Goal(), notices.append
    )
    single = plan_comparison([scores(VALUES[:, :1])], Goal(), notices.append)

    assert (2, 0, 1) == (
        equal.pairs[0].needed,
        equal.pairs[0].detectable,
        equal.pairs[0].power,
    )
    assert [] == single.stability
    assert "null" in single.to_json()
    assert single.pairs[0].power == 0.05
    assert "only 1 eval" in notices[-1].message
    for result in (equal, single):
        assert result.to_text()
    with pytest.raises(RougeError, match="one system alone"):
        plan_comparison([scores(VALUES[:1])], Goal(), notices.append)


def test_realsumm() -> None:
    """REALSumm's 100 documents find about 2.8 points; 1 point needs about 730 to 780
    documents.
    """
    if not REALSUMM.is_file():
        pytest.skip(f"no REALSumm data at {REALSUMM}")
    records = [json.loads(line) for line in REALSUMM.read_text("utf-8").splitlines()]
    systems = list(dict.fromkeys(record["system"] for record in records))
    for label in ("ROUGE-1", "ROUGE-2", "ROUGE-L"):
        by_system = [
            [
                record["published"][label]["f"]
                for record in records
                if record["system"] == system
            ]
            for system in systems
        ]
        (metric,) = planned(Goal(), scores(np.array(by_system))).metrics

        assert 66 == metric.pairs
        assert 730 <= metric.needed <= 780
        assert 2.7 <= metric.detectable <= 2.85
        assert 30 <= metric.smaller <= 35
