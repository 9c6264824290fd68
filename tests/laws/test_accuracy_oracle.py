"""Accuracies of pairs compared with plain loops, written from the papers."""

from __future__ import annotations

import random
from itertools import combinations, product
from math import isnan, nan

import numpy as np
import pytest

import rouge_cli
from rouge_cli.results.correlation import Points
from rouge_cli.studies import accuracies

Table = list[list[float]]  # systems x evals, nan if missing


def points(metric: Table, human: Table, clusters: list[str] | None = None) -> Points:
    """Return the points of two tables."""
    return Points(
        metric="metric",
        human="human",
        summarizers="all",
        systems=[f"s{row}" for row in range(len(metric))],
        x=np.array(metric),
        y=np.array(human),
        humans=frozenset(),
        whole_systems=False,
        clusters=clusters or (),
    )


def tables(seed: int, systems: int, evals: int, missing: float) -> tuple[Table, Table]:
    """Return scores with many ties; their differences are exact."""
    rng = random.Random(seed)
    metric, human = [], []
    for _ in range(systems):
        quality = rng.randint(0, 3)
        metric.append([(quality + rng.randint(0, 4)) / 8 for _ in range(evals)])
        human.append([float(min(quality, 2) + rng.randint(0, 2)) for _ in range(evals)])
        for table in (metric, human):
            for column in range(evals):
                if rng.random() < missing:
                    table[-1][column] = nan
    return metric, human


def groups(metric: Table, human: Table, level: str) -> list[list[tuple[float, float]]]:
    """Return the pairs of scores that are compared with each other on a level."""
    both: list[list[tuple[float, float]]] = []
    for by_metric, by_people in zip(metric, human, strict=True):
        cells = zip(by_metric, by_people, strict=True)
        both.append([(nan, nan) if isnan(x + y) else (x, y) for x, y in cells])
    if level == "pooled":
        return [[cell for row in both for cell in row if not isnan(cell[0])]]
    if level == "summary":
        columns = zip(*both, strict=True)
        return [[cell for cell in column if not isnan(cell[0])] for column in columns]
    means = []
    for row in both:
        present = [cell for cell in row if not isnan(cell[0])]
        if present:
            x = sum(cell[0] for cell in present) / len(present)
            y = sum(cell[1] for cell in present) / len(present)
            means.append((x, y))
    return [means]


def accuracy_at(group: list[tuple[float, float]], epsilon: float) -> float:
    """Return acc_eq: correctly ordered pairs and correctly predicted ties, of all."""
    right = 0
    pairs = list(combinations(group, 2))
    for (x, y), (other_x, other_y) in pairs:
        is_tied = abs(x - other_x) <= epsilon
        if y == other_y:
            right += is_tied
        else:
            right += not is_tied and (x > other_x) == (y > other_y)
    return right / len(pairs)


@pytest.mark.parametrize("level", ["system", "summary", "pooled"])
@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize("seed", range(6))
def test_accuracy_is_that_of_all_epsilons(
    level: str, missing: float, seed: int
) -> None:
    """Of every epsilon that a pair has, the one with the highest mean accuracy over
    groups counts.
    """
    metric, human = tables(seed, 5, 8, missing)
    compared = [group for group in groups(metric, human, level) if len(group) > 1]
    epsilons = {0.0}
    for group in compared:
        for (x, _), (other, _) in combinations(group, 2):
            epsilons.add(abs(x - other))
    best = 0.0
    for epsilon in sorted(epsilons):
        values = [accuracy_at(group, epsilon * (1 + 1e-9)) for group in compared]
        best = max(best, sum(values) / len(values))
    found = accuracies.agreement(points(metric, human), level, "accuracy", 0)

    assert best == pytest.approx(found.value, abs=1e-12)


def chance_of(gaps: list[float]) -> float:
    """Return how often exchanged differences have a larger sum, an equal one half."""
    observed = sum(gaps)
    larger = 0.0
    for signs in product((1, -1), repeat=len(gaps)):
        exchanged = sum(sign * gap for sign, gap in zip(signs, gaps, strict=True))
        larger += 1 if exchanged > observed else (exchanged == observed) / 2
    return larger / float(2 ** len(gaps))


@pytest.mark.parametrize("seed", range(6))
def test_soft_accuracy_is_that_of_all_exchanges(seed: int) -> None:
    """With few evals the p-values are of all exchanges, and the accuracy is the mean
    of 1 minus the difference of p over pairs.
    """
    metric, human = tables(seed, 4, 7, 0.0)
    shares = []
    for first, second in combinations(range(4), 2):
        chances = []
        for table in (metric, human):
            rows = zip(table[first], table[second], strict=True)
            chances.append(chance_of([x - y for x, y in rows]))
        shares.append(1 - abs(chances[0] - chances[1]))
    found = accuracies.agreement(points(metric, human), "system", "soft-accuracy", 0)

    assert sum(shares) / len(shares) == pytest.approx(found.value, abs=1e-12)


def test_clusters_are_exchanged_as_a_whole() -> None:
    """Two evals of a cluster are as one eval with both differences."""
    metric, human = tables(1, 4, 6, 0.0)
    doubled = [[x / 2 for x in row for _ in range(2)] for row in metric]
    people = [[y / 2 for y in row for _ in range(2)] for row in human]
    clusters = [str(number) for number in range(6) for _ in range(2)]
    alone = accuracies.agreement(points(metric, human), "system", "soft-accuracy", 0)
    together = accuracies.agreement(
        points(doubled, people, clusters), "system", "soft-accuracy", 0
    )

    assert alone == together


@pytest.mark.parametrize("coefficient", ["accuracy", "soft-accuracy"])
@pytest.mark.parametrize("evals", [6, 40])
def test_the_order_of_systems_does_not_matter(coefficient: str, evals: int) -> None:
    """A permutation of systems changes nothing."""
    metric, human = tables(3, 6, evals, 0.1)
    order = [3, 5, 0, 2, 4, 1]
    before = accuracies.agreement(points(metric, human), "system", coefficient, 0)
    after = accuracies.agreement(
        points([metric[row] for row in order], [human[row] for row in order]),
        "system",
        coefficient,
        0,
    )

    assert before.value == pytest.approx(after.value, abs=1e-12)


@pytest.mark.parametrize("coefficient", ["accuracy", "soft-accuracy"])
def test_a_metric_agrees_with_itself(coefficient: str) -> None:
    """The accuracy of human scores against themselves is 1, and that of their
    negative is less.
    """
    _, human = tables(4, 6, 30, 0.0)
    negative = [[-score for score in row] for row in human]

    assert (
        accuracies.agreement(points(human, human), "system", coefficient, 0).value == 1
    )
    assert (
        accuracies.agreement(points(negative, human), "system", coefficient, 0).value
        < 0.7
    )


def test_what_has_no_accuracy_has_a_reason() -> None:
    """Soft accuracy is of systems whose summaries were judged, and needs two."""
    both = points([[1.0], [2.0]], [[1.0], [2.0]])
    alone = points([[1.0]], [[1.0]])
    cases = [
        (both, "summary", "soft-accuracy", "of systems only"),
        (
            both._replace(whole_systems=True),
            "system",
            "soft-accuracy",
            "people judged whole systems",
        ),
        (alone, "system", "soft-accuracy", "fewer than 2 points"),
        (alone, "system", "accuracy", "fewer than 2 points"),
    ]
    for given, level, coefficient, reason in cases:
        found = accuracies.agreement(given, level, coefficient, 0)
        assert isnan(found.value)
        assert found.reason == reason


def test_a_study_shows_them_when_asked() -> None:
    """`correlate` has the accuracies that it is asked for, and `sweep` the one that
    ranks; the means over annotators are their measure.
    """
    texts = {"a": ["x y", "z w"], "b": ["x", "u"], "c": ["v", "z"]}
    rows = [
        {"eval": eval_id, "system": system, "first": first, "second": first + shift}
        for system, first, shift in (("a", 5, 1), ("b", 3, 0), ("c", 2, 2))
        for eval_id in ("1", "2")
    ]
    references = ["x y", "z w"]
    result = rouge_cli.correlate(
        texts,
        rows,
        "R1",
        references=references,
        coefficients=["accuracy", "soft-accuracy"],
        levels=["system"],
        human_mean=True,
    )
    swept = rouge_cli.sweep(
        texts, references, human=rows, human_mean=True, coefficient="accuracy",
        grid="metric=R1,measure=f",
    )  # fmt: skip

    assert {"accuracy", "soft-accuracy"} == {
        row.coefficient for row in result.correlations
    }
    assert {"mean of 2"} == {row.human for row in result.correlations}
    assert "accuracy" in swept.variants[0].values
    assert all(row.value.low is None for row in result.correlations)
