"""The probability that one of many set-ups prints given digits by chance."""

from __future__ import annotations

from math import exp, gamma, pi
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

MOST_NUMBERS = 3  # numbers beyond these can only make a coincidence rarer
FEWEST_SETUPS = 10


def chance_of_fit(scores: Sequence[Sequence[float]], units: Sequence[float]) -> float | None:
    """Return the probability that at least one set-up fits numbers that none of them produced.

    scores: the numbers of each set-up, no two set-ups the same. units: the value of the last printed
    digit of each number. None for fewer than FEWEST_SETUPS set-ups.

    The numbers are assumed to come from a set-up that is not among those tried, but whose numbers are
    distributed like theirs. The density around each set-up is estimated by its m-th nearest neighbour, m
    being half the root of the number of set-ups N, in uncorrelated coordinates; a printed number fits if it
    is in the cell of its last digit:

        E = (2 - 2^-k) * sum over set-ups of (m - 1) / (N - 1) * (cell / ball up to the m-th neighbour)
        P = 1 - exp(-E)

    k is the number of numbers; of more than MOST_NUMBERS, the most variable are used, which makes P an
    upper bound. The factor is for digits that may be rounded or truncated.
    """
    size = len(scores)
    if size < FEWEST_SETUPS:
        return None
    digits = np.asarray(scores, dtype=float) / np.asarray(units, dtype=float)
    chosen = _most_variable(digits)
    digits = digits[:, chosen]
    count = len(chosen)
    # A digit's own rounding has a variance of 1/12, which keeps the matrix regular.
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


def _most_variable(digits: NDArray[Any]) -> list[int]:
    """Return the most informative columns: each varies most given those before it."""
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
