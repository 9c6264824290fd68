"""The power of the tests of paired scores: how often they find a difference."""

from bisect import bisect_left
from math import inf, sqrt
from statistics import NormalDist

_NORMAL = NormalDist()
_DOUBLED = [1 << step for step in range(1, 41)]


def power(effect: float, units: int, level: float) -> float:
    """Return the probability that the paired t-test finds a difference, two-sided.

    Randomization and the bootstrap have nearly the same power. The approximation of
    Student's t is by Cornish and Fisher, that of the noncentral t by Johnson and Welch
    (1940). The error is below 0.01 if there are at least six units.

    Args:
        effect: The difference, in standard deviations of the units' differences.
        units: The number of units.
        level: The significance level.
    """
    limit, spread = _critical(units, level)
    noncentrality = abs(effect) * sqrt(units)
    right = _NORMAL.cdf((noncentrality - limit) / spread)
    left = _NORMAL.cdf((-noncentrality - limit) / spread)
    return right + left


def detectable(units: int, level: float, power: float) -> float:
    """Return the least difference found with that power, in standard deviations; inf
    for one unit.
    """
    if units < 2:
        return inf
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
