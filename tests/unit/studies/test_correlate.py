"""Correlations of metric scores with human scores."""

from collections.abc import Mapping

import numpy as np
import pytest
from scipy import stats

from rouge_cli.core import Notice, ignore_notice
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.results.correlation import CorrelationPlan, Correlations
from rouge_cli.studies.correlation import correlate
from rouge_cli.studies.matrix import Scores
from rouge_cli.tasks.judgements import Judgements

CHANCE = np.random.default_rng(1)
SYSTEMS = ["s1", "s2", "s3", "s4", "s5", "human A", "human B"]
EVALS = ["D1", "D2", "D3", "D4"]
X = CHANCE.uniform(0, 1, (7, 4))
Y = X + CHANCE.uniform(0, 1, (7, 4))
METRIC = Scores("ROUGE-2 R", SYSTEMS, EVALS, X, frozenset({"human A", "human B"}))
NO_INTERVALS = CorrelationPlan(samples=0)


def judged(names: Mapping[str, int]) -> Judgements:
    """Return human scores of the systems in these rows, under these names."""
    return Judgements(
        "pyramid",
        {
            name: dict(zip(EVALS, Y[row].tolist(), strict=True))
            for name, row in names.items()
        },
    )


def correlated(
    human: Judgements, *metrics: Scores, plan: CorrelationPlan = NO_INTERVALS
) -> tuple[Correlations, list[str]]:
    """Return the correlations, and the notices."""
    notices: list[Notice] = []
    correlations = correlate(metrics or [METRIC], [human], plan, notices.append)
    return correlations, [notice.message for notice in notices]


def value(correlations: Correlations, *key: str) -> float:
    """Return the value of metric, human, summarizers, level and coefficient."""
    (row,) = [row for row in correlations.correlations if row[:5] == key]
    return row.value.value


def test_with_people_and_without() -> None:
    """If people are among the systems, each value is computed with them and without
    them.
    """
    correlations, messages = correlated(
        judged({name: row for row, name in enumerate(SYSTEMS)})
    )

    for summarizers, rows in (("all", slice(7)), ("systems", slice(5))):
        r = stats.pearsonr(X[rows].mean(axis=1), Y[rows].mean(axis=1)).statistic
        assert pytest.approx(r) == value(
            correlations, "ROUGE-2 R", "pyramid", summarizers, "system", "pearson"
        )
        tau = np.mean(
            [
                stats.kendalltau(X[rows, place], Y[rows, place]).statistic
                for place in range(4)
            ]
        )
        assert pytest.approx(tau) == value(
            correlations, "ROUGE-2 R", "pyramid", summarizers, "summary", "kendall"
        )
    assert 2 * 3 * 3 == len(correlations.correlations)
    assert [] == messages


def test_people_by_the_models_id() -> None:
    """Human scores of reference A are those of the prediction `human A`, unless a
    system is called A.
    """
    named, _ = correlated(
        judged({**{name: row for row, name in enumerate(SYSTEMS[:5])}, "A": 5, "B": 6})
    )
    full, _ = correlated(judged({name: row for row, name in enumerate(SYSTEMS)}))

    assert full.correlations == named.correlations


def test_systems_of_one_side_are_reported() -> None:
    """Systems without human scores, and human scores of unknown systems, are left
    out with a notice.
    """
    correlations, messages = correlated(
        judged({"s1": 0, "s2": 1, "s3": 2, "x": 3, "y": 4})
    )

    assert "left out (no human pyramid): s4, s5, human A, human B" in messages
    assert "left out (human pyramid without ROUGE-2 R): x, y" in messages
    r = stats.pearsonr(X[:3].mean(axis=1), Y[:3].mean(axis=1)).statistic
    assert pytest.approx(r) == value(
        correlations, "ROUGE-2 R", "pyramid", "all", "system", "pearson"
    )


def test_whole_systems_have_one_level() -> None:
    """Human scores of whole systems are compared with the metric's means, on the
    system level only.
    """
    human = Judgements("rank", {f"s{row + 1}": {None: float(row)} for row in range(5)})
    correlations, _ = correlated(human)

    assert {"system"} == {row.level for row in correlations.correlations}
    rho = stats.spearmanr(X[:5].mean(axis=1), range(5)).statistic
    assert pytest.approx(rho) == value(
        correlations, "ROUGE-2 R", "rank", "all", "system", "spearman"
    )
    last, _ = correlated(human, plan=CorrelationPlan(levels=["summary", "system"]))
    assert {"system"} == {row.level for row in last.correlations}


def test_williams_is_of_the_same_systems() -> None:
    """Williams' test takes the three correlations on the systems that both metrics
    have.
    """
    z = Y + CHANCE.uniform(0, 1, (7, 4))
    other = Scores("ROUGE-L R", SYSTEMS[:6], EVALS, z[:6], frozenset({"human A"}))
    human = judged({name: row for row, name in enumerate(SYSTEMS)})
    correlations, _ = correlated(human, METRIC, other)
    tests = {test.summarizers: test for test in correlations.williams}
    x, y, third = X[:6].mean(axis=1), Y[:6].mean(axis=1), z[:6].mean(axis=1)

    assert {"all", "systems"} == set(tests)
    expected = [
        stats.pearsonr(*pair).statistic for pair in ((x, y), (third, y), (x, third))
    ]
    assert pytest.approx([*expected, 6]) == tests["all"][4:8]
    assert 5 == tests["systems"].systems


def test_an_undefined_correlation_has_a_reason() -> None:
    """Constant human scores give NaN with the reason, and no interval."""
    human = Judgements("flat", {name: dict.fromkeys(EVALS, 3.0) for name in SYSTEMS})
    correlations, _ = correlated(human, plan=CorrelationPlan(samples=20))

    for row in correlations.correlations:
        assert np.isnan(row.value.value)
        assert (None, None) == row.value[1:]
        assert "constant human scores" in row.reason


def test_an_undefined_williams_test_has_a_reason() -> None:
    """If Williams' test has no t, the reason is given."""
    human = judged({name: row for row, name in enumerate(SYSTEMS)})
    for x, rows, reason in (
        (2 * X, 7, "metrics that agree completely"),
        (np.ones((7, 4)), 7, "constant scores"),
        (1 - X**2, 3, "fewer than 4 systems"),
    ):
        several = [
            scores._replace(
                systems=SYSTEMS[:rows], values=values[:rows], humans=frozenset()
            )
            for scores, values in ((METRIC, X), (METRIC._replace(name="other"), x))
        ]
        correlations, _ = correlated(human, *several)

        assert [(True, reason)] == [
            (bool(np.isnan(test.t)), test.reason) for test in correlations.williams
        ]
    assert [""] == [
        test.reason
        for test in correlated(human, METRIC, METRIC._replace(values=X**2))[0].williams
    ][:1]


def test_evals_of_one_side_are_reported() -> None:
    """Evals that only the metric or only people scored are left out with a notice."""
    human = Judgements(
        "pyramid",
        {
            name: {"D1": 1.0 * row, "D2": row % 3, "D9": 0.5}
            for row, name in enumerate(SYSTEMS)
        },
    )
    _, messages = correlated(human)

    assert ["left out (no human pyramid): eval D3, eval D4",
            "left out (human pyramid without ROUGE-2 R): eval D9"] == messages  # fmt: skip
    assert messages == correlated(human, METRIC, METRIC)[1]


def test_whole_systems_have_no_other_level() -> None:
    """For human scores of whole systems, other levels alone are refused."""
    human = Judgements("rank", {f"s{row + 1}": {None: float(row)} for row in range(5)})
    summaries = judged({f"s{row + 1}": row for row in range(5)})
    for judgements in ([human], [summaries, human]):
        with pytest.raises(
            UsageError,
            match="level pooled needs scores of summaries; use --level system",
        ):
            correlate(
                [METRIC], judgements, CorrelationPlan(levels=["pooled"]), ignore_notice
            )


def test_nothing_in_common() -> None:
    """If no summary has both scores, the error shows names of either side."""
    with pytest.raises(
        RougeError,
        match=(
            "scores have eval 'D1' of system 's1', people judged eval 'd1' of system"
            " 's1'"
        ),
    ):
        correlated(Judgements("p", {"s1": {"d1": 1.0}}))
