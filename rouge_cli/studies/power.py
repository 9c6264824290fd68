"""The power of randomization: how often the test of `compare` finds a difference.

With enough units it is that of the paired t-test. With few, the test has few possible
p-values, multiples of 2 / 2^n, and finds less: none below 0.05 with five units, and
with six 64% where the t-test finds 80%. There the power is simulated.
"""

from bisect import bisect_left
from functools import lru_cache
from math import ceil, inf, sqrt
from statistics import NormalDist

import numpy as np

from rouge_cli.studies.draws import Array

_NORMAL = NormalDist()
_DOUBLED = [1 << step for step in range(1, 41)]
# If p can have more values below the level, the power is within 0.02 of the t-test's.
_FEW_VALUES = 16
_SIMULATED = 5000  # samples, for a standard error of the power of 0.006
_LEAST_EFFECT, _MOST_EFFECT = -4.0, 12.0  # standard deviations: never found, always
_STEPS = 14  # halvings of their distance: to 0.001


def power(effect: float, units: int, level: float) -> float:
    """Return the probability that randomization finds a difference, two-sided.

    It is that of differences with a normal distribution: simulated if p can have few
    values below the level, else that of the paired t-test, which is within 0.02 (see
    `_of_t`). The bootstrap finds less with few units (`make calibrate`).

    Args:
        effect: The difference, in standard deviations of the units' differences.
        units: The number of units.
        level: The significance level.
    """
    values = _possible_values(units, level)
    if values < 1:
        return 0.0
    if values <= _FEW_VALUES:
        return float((_thresholds(units, values) < abs(effect)).mean())
    return _of_t(effect, units, level)


def detectable(units: int, level: float, power: float) -> float:
    """Return the least difference found with that power, in standard deviations; inf
    if p cannot be below the level.
    """
    values = _possible_values(units, level)
    if values < 1:
        return inf
    if values <= _FEW_VALUES:
        return float(np.quantile(_thresholds(units, values), power, method="higher"))
    limit, spread = _critical(units, level)
    return (limit + _NORMAL.inv_cdf(power) * spread) / sqrt(units)


def units_needed(effect: float, level: float, power: float) -> float:
    """Return the number of units that find a difference with that power; inf for no
    difference.
    """

    def is_found(units: int) -> bool:
        return detectable(units, level, power) <= abs(effect)

    high = next(filter(is_found, _DOUBLED), 0)
    if not high:
        return inf
    return bisect_left(range(high), x=True, lo=max(2, high // 2), key=is_found)


def _possible_values(units: int, level: float) -> int:
    """Return how many values below the level p can have: multiples of 2 / 2^units."""
    if units > 60:
        return 1 << 60
    possible: int = 2 ** (units - 1)
    return ceil(level * possible - 1e-9) - 1


@lru_cache(maxsize=64)
def _thresholds(units: int, values: int) -> Array:
    """Return for simulated samples the least effect that is found, in any order.

    Randomization finds an effect if at most `values` choices of signs give a sum as
    large as the observed one, the observed choice included. Each such choice changes
    the signs of units whose sum is not positive. So the effect is found if the next
    smallest sum of a subset is positive, the empty subset being one of them.
    """
    samples = np.random.default_rng(0).standard_normal((_SIMULATED, units))
    low = np.full(_SIMULATED, _LEAST_EFFECT)
    high = np.full(_SIMULATED, _MOST_EFFECT)
    for _ in range(_STEPS):
        middle = (low + high) / 2
        is_found = _smallest_sums(samples + middle[:, None], values + 1) > 0
        high = np.where(is_found, middle, high)
        low = np.where(is_found, low, middle)
    return high


def _smallest_sums(samples: Array, place: int) -> Array:
    """Return the sum of a subset of each sample that is at this place, from 1, in the
    order of all sums of subsets.
    """
    sums = np.zeros((len(samples), 1))
    for unit in samples.T:
        with_unit = sums + unit[:, None]
        sums = np.concatenate([sums, with_unit], axis=1)
        if sums.shape[1] > place:
            sums = np.partition(sums, place - 1, axis=1)[:, :place]
    largest: Array = sums.max(axis=1)
    return largest


def _of_t(effect: float, units: int, level: float) -> float:
    """Return the power of the paired t-test.

    The approximation of Student's t is by Cornish and Fisher, that of the noncentral t
    by Johnson and Welch (1940). The error is below 0.01 if there are at least six
    units.
    """
    limit, spread = _critical(units, level)
    noncentrality = abs(effect) * sqrt(units)
    right = _NORMAL.cdf((noncentrality - limit) / spread)
    left = _NORMAL.cdf((-noncentrality - limit) / spread)
    return right + left


def _critical(units: int, level: float) -> tuple[float, float]:
    """Return the noncentrality with power 1/2, and the standard deviation of t at
    this limit.
    """
    z = -_NORMAL.inv_cdf(level / 2)
    freedom = units - 1
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    t = z + sum(term / freedom**order for order, term in enumerate(terms, 1))
    return t * (1 - 1 / (4 * freedom)), sqrt(1 + t**2 / (2 * freedom))
