"""The probability that one of many set-ups fits by chance, checked by simulation."""

from math import exp, pi, sqrt
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from rouge_cli.studies.fitting import FEWEST_SETUPS, MOST_NUMBERS, chance_of_fit

DRAWS, SETUPS = 1500, 120
MIXING = np.array(
    [[1.0, 0, 0, 0], [0.8, 0.4, 0, 0], [0.6, 0.3, 0.2, 0], [0.9, 0.1, 0.1, 0.1]]
)


def numbers(
    random: np.random.Generator, count: int, *, spread: float, clusters: bool
) -> NDArray[Any]:
    """Generate correlated numbers of set-ups: from one cluster, or from six that are
    far apart.
    """
    if not clusters:
        cloud: NDArray[Any] = (
            random.normal(size=(SETUPS + 1, count)) @ MIXING[:count, :count].T * spread
        )
        return cloud
    centres = np.random.default_rng(5).normal(size=(6, count)) * spread * 4
    drawn = random.integers(0, 6, SETUPS + 1)
    return centres[drawn] + random.normal(size=(SETUPS + 1, count)) * spread * 0.3


@pytest.mark.parametrize("clusters", [False, True])
@pytest.mark.parametrize(("count", "spread"), [(1, 200), (2, 20), (3, 6)])
def test_the_formula_foretells_coincidences(
    count: int, spread: float, clusters: bool
) -> None:
    """P is the rate at which simulated numbers of another set-up equal those of one
    that was tried.
    """
    random = np.random.default_rng(count)
    fits = 0
    chances = []
    for draw in range(DRAWS):
        *setups, other = numbers(random, count, spread=spread, clusters=clusters)
        printed = np.rint(other)
        rounded = (np.rint(setups) == printed).all(axis=1)
        truncated = (np.floor(setups) == printed).all(axis=1)
        fits += bool((rounded | truncated).any())
        if draw < 40:
            chances.append(
                chance_of_fit(np.array(setups).tolist(), [1.0] * count) or 0.0
            )

    assert pytest.approx(fits / DRAWS, rel=0.4) == fmean(chances)
    assert 0.01 < fits / DRAWS < 0.5


@pytest.mark.parametrize("count", [1, 2])
def test_a_row_of_set_ups_by_hand(count: int) -> None:
    """P of set-ups at equal steps is that of the documented formula, worked out by
    hand.

    Of 100 set-ups the 5th neighbour is five steps away from an end, four from the next
    one, and three else. A step is ten digits. A second number that is always the same
    varies only by rounding, by 1/12.
    """
    distances = [30] * 96 + [40] * 2 + [50] * 2
    variance = 10**2 * 100 * 101 / 12
    shares = {
        1: sum(1 / (2 * distance) for distance in distances),
        2: sum(
            sqrt((variance + 1 / 12) * 12) / (pi * distance**2)
            for distance in distances
        ),
    }
    expected = (2 - 2**-count) * 4 / 99 * shares[count]
    setups = [[step / 10, 0.7][:count] for step in range(100)]

    assert pytest.approx(1 - exp(-expected)) == chance_of_fit(setups, [0.01] * count)


def test_more_numbers_than_it_looks_at_make_an_upper_bound() -> None:
    """A fourth number can only make a coincidence rarer, and P stays above the
    simulated rate.
    """
    random = np.random.default_rng(4)
    fits = 0
    chances = []
    for draw in range(DRAWS):
        *setups, other = numbers(random, 4, spread=5, clusters=False)
        fits += bool((np.rint(setups) == np.rint(other)).all(axis=1).any())
        if draw < 40:
            chances.append(chance_of_fit(np.array(setups).tolist(), [1.0] * 4) or 0.0)

    assert fits / DRAWS < fmean(chances)


def test_a_number_that_follows_from_others_is_not_looked_at() -> None:
    """Of many numbers, the most variable count, given those before: a copy of one
    changes nothing.
    """
    random = np.random.default_rng(3)
    setups = random.normal(size=(SETUPS, MOST_NUMBERS)) * [
        60 / 2**place for place in range(MOST_NUMBERS)
    ]
    copied = np.column_stack([setups[:, :1] * 0.9, setups])
    units = [1.0] * (MOST_NUMBERS + 1)

    assert chance_of_fit(copied.tolist(), units) == pytest.approx(
        chance_of_fit(setups.tolist(), units[1:])
    )


def test_finer_digits_make_a_coincidence_rarer() -> None:
    """P decreases with each printed decimal; too few set-ups give no P."""
    random = np.random.default_rng(1)
    setups = numbers(random, 2, spread=20, clusters=False).tolist()
    chances = [chance_of_fit(setups, [10.0**-decimals] * 2) for decimals in range(3)]

    assert None not in chances
    assert sorted(chances, reverse=True) == chances  # type: ignore[type-var]
    assert chance_of_fit(setups[: FEWEST_SETUPS - 1], [1, 1]) is None
    assert chance_of_fit(setups[:10], [1, 1]) is not None
