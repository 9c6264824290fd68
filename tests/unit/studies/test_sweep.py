"""Permutation tests of two metrics are compared with exchanges one by one, and
sweeps with single runs.
"""

from itertools import product
from typing import Any

import numpy as np
import pytest
from case_tables import tabled
from numpy.typing import NDArray

import rouge_cli
from rouge_cli.errors import RougeError
from rouge_cli.results.correlation import COEFFICIENTS, LEVELS, RESAMPLED, SweepPlan
from rouge_cli.studies import coefficients, correlation, draws, sweeping

CHANCE = np.random.default_rng(5)
HUMAN = CHANCE.uniform(0, 1, (6, 8))
FIRST, SECOND = (HUMAN + CHANCE.normal(0, 0.3, HUMAN.shape) for _ in range(2))
WORDS = [
    "the",
    "cat",
    "sat",
    "on",
    "a",
    "mat",
    "and",
    "the",
    "dogs",
    "were",
    "running",
    "to",
    "it",
]
TEXTS = {
    f"s{number}": [" ".join(CHANCE.permutation(WORDS)[: 4 + number]) for _ in range(6)]
    for number in range(5)
}
REFERENCES = [
    [" ".join(CHANCE.permutation(WORDS)[:9]) for _ in range(2)] for _ in range(6)
]
PEOPLE = {
    name: {str(place): number + place % 2 for place in range(1, 7)}
    for number, name in enumerate(TEXTS)
}


def exchanged(
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    level: str,
    coefficient: str,
    drawn: tuple[NDArray[np.bool_], NDArray[np.bool_]],
) -> list[float]:
    """Return the differences of the correlations, trial by trial."""
    x, y = ((scores - np.nanmean(scores)) / np.nanstd(scores) for scores in (x, y))
    differences = []
    for systems, evals in zip(*drawn, strict=True):
        both = systems[:, None] ^ evals
        pair = (np.where(both, y, x), np.where(both, x, y))
        first, second = (
            coefficients.agreement(scores, HUMAN, level, coefficient).value
            for scores in pair
        )
        differences.append(first - second)
    return differences


@pytest.mark.parametrize("over", RESAMPLED)
@pytest.mark.parametrize("level", LEVELS)
def test_differences_are_those_of_exchanged_scores(level: str, over: str) -> None:
    """A trial correlates the scores that are left when those of drawn systems or
    evals are exchanged.
    """
    systems, evals = drawn = draws.swaps(HUMAN.shape, over, 12, 3)
    holes = FIRST.copy()
    holes[1, 2] = holes[4, :3] = np.nan
    for coefficient, x in product(COEFFICIENTS, (FIRST, holes)):
        y = np.where(np.isnan(x), np.nan, SECOND)
        found = correlation.differences((x, y, HUMAN), level, coefficient, drawn)
        np.testing.assert_allclose(
            found, exchanged(x, y, level, coefficient, drawn), atol=1e-12
        )
    assert systems.any() == (over != "evals")
    assert evals.any() == (over != "systems")


@pytest.mark.slow
@pytest.mark.parametrize("over", RESAMPLED)
def test_differences_are_those_of_nlpstats(over: str) -> None:
    """The package of the tests' authors finds the same differences for the same
    exchanges.
    """
    correlations = pytest.importorskip("nlpstats.correlations.permutation")
    theirs = {"evals": "inputs"}.get(over, over)
    for (level, its), coefficient in product(
        (("system", "system"), ("summary", "input"), ("pooled", "global")), COEFFICIENTS
    ):
        np.random.seed(7)  # noqa: NPY002 - the package's generator
        result = correlations.permutation_test(
            FIRST, SECOND, HUMAN, its, coefficient, theirs, n_resamples=20
        )
        np.random.seed(7)  # noqa: NPY002
        rows, columns = np.zeros((20, 6), dtype=bool), np.zeros((20, 8), dtype=bool)
        for row, column in zip(rows, columns, strict=True):
            row[:] = np.random.rand(6) > 0.5 if over != "evals" else False  # noqa: NPY002
            column[:] = np.random.rand(8) > 0.5 if over != "systems" else False  # noqa: NPY002
        found = correlation.differences(
            (FIRST, SECOND, HUMAN), level, coefficient, (rows, columns)
        )
        np.testing.assert_allclose(found, result.samples, atol=1e-12)


def test_equal_metrics_seldom_differ() -> None:
    """Of pairs of metrics that are equally good, about one in twenty has p < 0.05."""
    chance, plan = np.random.default_rng(1), SweepPlan(trials=199)
    p = []
    for _ in range(400):
        human = chance.normal(size=(10, 20))
        human += 0.7 * chance.normal(size=(10, 1))
        first, second = (human + chance.normal(size=human.shape) for _ in range(2))
        p.append(correlation.p_value((first, second, human), "system", plan))

    assert 0.02 <= np.mean(np.array(p) < 0.05) <= 0.08


def test_a_sweep_has_the_correlations_of_single_runs() -> None:
    """A variant has the coefficients of `correlate` on scores with its options; the
    best comes first.
    """
    grid = {
        "metric": ["R1", "RL"],
        "stem": ["yes", "no"],
        "references": ["1", "all"],
        "measure": ["r", "f"],
    }
    swept = rouge_cli.sweep(
        TEXTS, REFERENCES, human=PEOPLE, grid=grid, levels=LEVELS, trials=20
    )

    assert 3 * 16 == len(swept.variants)
    for (_, level), variants in swept.groups():
        values = [variant.values["pearson"] for variant in variants]
        assert sorted(values, reverse=True) == values
        assert np.isnan(variants[0].p)
        for variant in variants[:5]:
            options = {
                "stemmer": "rouge" if variant.settings["stem"] == "yes" else "none",
                "samples": 0,
            }
            references = [
                some[:1] if variant.settings["references"] == "1" else some
                for some in REFERENCES
            ]
            label = f"{variant.settings['metric']}.{variant.settings['measure']}"
            scores = rouge_cli.score(TEXTS, references, **options)  # type: ignore[arg-type]
            single = rouge_cli.correlate(
                scores, PEOPLE, label, levels=[level], samples=0
            )
            assert {
                row.coefficient: row.value.value for row in single.correlations
            } == variant.values


def test_a_grid_reaches_every_option_of_a_dialect() -> None:
    """An axis may be an option of the dialect, or stem and stop by yes and no."""
    grid = sweeping.parse_grid("stem=yes|no,formula=average|best,metric=R1")
    options = [setup.options for setup in sweeping.of_grid(grid, "rouge155")]

    assert [
        ("rouge", "average"),
        ("rouge", "best"),
        ("none", "average"),
        ("none", "best"),
    ] == [(each["stemmer"], each["formula"]) for each in options]
    assert ["stem", "stop", "measure"] == list(sweeping.usual_grid("rouge155"))
    assert ["measure"] == list(sweeping.usual_grid("coco"))


@tabled
def test_a_wrong_grid_is_one_message(grid: Any, message: str) -> None:  # noqa: ANN401 - wrong types too
    """What a grid cannot vary is named, with the remedy."""
    with pytest.raises(RougeError) as error:
        rouge_cli.sweep(TEXTS, REFERENCES, human=PEOPLE, grid=grid)
    assert message in str(error.value)
