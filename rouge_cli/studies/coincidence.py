"""The probability that one of many set-ups gives published digits by chance."""

from __future__ import annotations

from math import exp, gamma, pi
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

MOST_NUMBERS = 3  # further numbers can only make a coincidence rarer
FEWEST_SETUPS = 10


def chance_of_fit(scores: Sequence[Sequence[float]], units: Sequence[float]) -> float | None:
    """Return the probability that at least one set-up fits numbers that none of them produced.

    scores: a row of numbers for each set-up; all rows must differ. units: for each number, the value of one
    in its last printed digit. Returns None for fewer than FEWEST_SETUPS set-ups.

    The published numbers are assumed to come from a set-up that was not tried, but whose numbers are
    distributed like those of the N set-ups that were. A set-up fits if each of its k numbers is in the cell
    of the published digit. The density around each set-up is estimated from the distance of its m-th
    nearest neighbour in uncorrelated coordinates, with m = sqrt(N) / 2. The expected number of fits E and
    the probability P are

        E = (2 - 2^-k) * sum over set-ups of (m - 1) / (N - 1) * (cell / ball up to the m-th neighbour)
        P = 1 - exp(-E)

    The first factor allows for digits that are rounded or truncated. Of more than MOST_NUMBERS numbers, the
    most variable are used, which makes P an upper bound.
    """
    size = len(scores)
    if size < FEWEST_SETUPS:
        return None
    digits = np.asarray(scores, dtype=float) / np.asarray(units, dtype=float)
    chosen = _most_varied(digits)
    digits = digits[:, chosen]
    count = len(chosen)
    # Rounding to a digit adds a variance of 1/12, which keeps the matrix regular.
    covariance = np.atleast_2d(np.cov(digits, rowvar=False)) + np.eye(count) / 12
    factor = np.linalg.cholesky(covariance)
    points = np.linalg.solve(factor, digits.T).T
    cell = 1 / float(np.prod(np.diag(factor)))
    neighbour = max(2, round(size**0.5 / 2))
    expected = 0.0
    for point in points:
        radius = float(np.partition(((points - point) ** 2).sum(axis=1), neighbour)[neighbour]) ** 0.5
        ball = pi ** (count / 2) / gamma(count / 2 + 1) * radius**count
        expected += (neighbour - 1) / (size - 1) * min(1.0, cell / ball if ball else 1.0)
    return 1 - exp(-expected * (2 - 2.0**-count))


def _most_varied(digits: NDArray[Any]) -> list[int]:
    """Return the indices of the most informative columns: each varies most given those before it."""
    rest = digits - digits.mean(axis=0)
    chosen: list[int] = []
    for _ in range(min(MOST_NUMBERS, rest.shape[1])):
        variances = (rest**2).sum(axis=0)
        variances[chosen] = -1
        place = int(variances.argmax())
        chosen.append(place)
        column = rest[:, place].copy()
        if length := float(column @ column):
            rest -= np.outer(column, column @ rest / length)
    return chosen
