"""The paired bootstrap (Koehn 2004), studentized: p-values, intervals and the tests of
equivalence, of means over units of the same weight.

A trial draws as many units as there are, with replacement. The error of its mean is
measured in standard errors of the trial (the bootstrap-t of Hall 1992, section 3.6).
Without that, intervals of few evals are too narrow, and so are those of many evals of
which few have a score other than 0. Where enough units tell the standard error, it is
the same in all trials.
"""

from math import inf, sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from rouge_cli.results.comparison import Plan
from rouge_cli.studies import intervals
from rouge_cli.studies.draws import STUDENTIZED, Array, Draws, Mask

EQUAL = 1e-12  # the relative rounding error of a sum if the order of additions changes
# Squares of studentized errors above it are of trials without a standard error
_UNBOUNDED = 1e12
# So many effective units tell the standard error: 192 of normal scores, and about 2,800
# of scores that are 0 in 95% of evals.
ENOUGH = 64
_NORMAL = NormalDist()


class Tested(NamedTuple):
    """The results for rows of values, an entry each."""

    p: Array  # two-sided, that the mean is 0; nan if the units do not vary around it
    deviation: Array  # the standard deviation of the units, nan for a single unit
    # of the hypothesis that the mean is as far from 0 as the margin, or farther; nan if
    # a few units do not vary
    equivalence: Array
    value: Array  # the mean
    low: Array  # the lower end of its interval, -inf if there is none
    high: Array


class _Spread(NamedTuple):
    """How much the units of rows vary around their means."""

    squares: Array  # of the deviations, rows x units
    variance: Array  # their mean in each row, 0 if it is a rounding error
    least: Array  # a smaller variance is a rounding error
    are_known: Mask  # rows whose standard error is the same in all trials


def tested(
    values: Array, drawn: Array, slack: Array, draws: Draws, plan: Plan
) -> Tested:
    """Return the tests and intervals of the means of rows of values.

    p and the interval are symmetric. A trial counts against a hypothesis if its
    studentized error is at least as large as the observed one. The interval has the
    means that are not rejected. It is unbounded if too many trials draw equal values,
    which have no standard error, or if there are too few trials for its level. A mean
    other than 0 of units that do not vary has no p.

    Args:
        values: rows x units.
        drawn: The means in each trial: rows x trials.
        slack: The possible rounding error of each row's mean. Smaller numbers count as
            0.
        draws: The draws of the trials.
        plan: The level, the number of trials and the margin of equivalence.
    """
    units = draws.units
    value = values.mean(axis=1)
    squares = (values - value[:, None]) ** 2
    variance = squares.mean(axis=1)
    variance[variance <= slack**2] = 0
    spread = _Spread(
        squares=squares,
        variance=variance,
        least=np.maximum(slack**2, 1e-290),
        are_known=_are_known(squares, variance),
    )
    ratios = _ratios(drawn - value[:, None], spread, draws)

    observed = np.where(np.abs(value) <= slack, 0, value) ** 2
    scale = np.maximum(variance, spread.least)
    observed_ratios = (observed / scale)[:, None]
    extreme = (ratios >= observed_ratios * (1 - EQUAL)).sum(axis=1)
    p = (extreme + 1) / (draws.trials + 1)

    equivalence = np.full(len(values), np.nan)
    if plan.equivalence:
        margin = plan.equivalence / 100
        errors = drawn - value[:, None]
        equivalence = _equivalence(ratios, errors, value, scale, margin)
        for row in np.flatnonzero(spread.are_known):
            equivalence[row] = _equivalence_by_t(values[row], margin, slack[row])
        if units < intervals.FEWEST:
            equivalence[variance == 0] = np.nan
    half = _half_widths(ratios, variance, p, np.abs(value), plan)

    # Units that do not vary have no standard error: every other mean seems impossible.
    if units > 1:
        deviation = np.sqrt(variance * units / (units - 1))
        p = np.where((variance == 0) & (observed > 0), np.nan, p)
    else:
        deviation = np.full(len(value), np.nan)
    return Tested(
        p=p,
        deviation=deviation,
        equivalence=equivalence,
        value=value,
        low=value - half,
        high=value + half,
    )


def _are_known(squares: Array, variance: Array) -> Mask:
    """Return for which rows the units tell the standard error so well that it need not
    be computed in each trial.

    It depends on the units with large squares: n units are as good as n / kurtosis.
    """
    rows, units = squares.shape
    if units <= STUDENTIZED:
        return np.zeros(rows, dtype=bool)
    fourth = np.einsum("ij,ij->i", squares, squares)
    # Fourth powers of tiny scores vanish.
    known: Mask = (fourth > 0) & ((variance * units) ** 2 >= ENOUGH * fourth)
    return known


def _ratios(errors: Array, spread: _Spread, draws: Draws) -> Array:
    """Return the squares of the studentized errors, rows x trials, in units of the
    squared error of a mean; the errors are overwritten.
    """
    units = draws.units
    ratios = np.square(errors, out=errors)
    if units == 1:
        ratios[:] = inf
        return ratios

    are_known = spread.are_known
    known = np.maximum(spread.variance * ((units - 1) / units), spread.least)
    if are_known.all():
        ratios /= known[:, None]
        return ratios
    if are_known.any():
        ratios[are_known] /= known[are_known, None]

    # Of all rows, without a copy, if each needs the variances of its trials.
    are_drawn: Mask | slice = ~are_known if are_known.any() else slice(None)
    (variances,) = draws.sums(spread.squares[are_drawn])
    variances /= units
    variances -= ratios[are_drawn]
    np.maximum(variances, spread.least[are_drawn, None], out=variances)
    ratios[are_drawn] /= variances
    return ratios


def _equivalence(
    ratios: Array, errors: Array, value: Array, scale: Array, margin: float
) -> Array:
    """Return p-values of the hypothesis that means are as far from 0 as the margin: the
    larger one of two one-sided tests (Schuirmann 1987), by the tails of the studentized
    errors.

    Skewed scores have unequal tails, so half of a symmetric p would be too small on one
    side. A trial without a standard error counts against both.

    Args:
        ratios: The squares of the studentized errors: rows x trials.
        errors: The errors, whose signs they have.
        value: The mean of each row.
        scale: The variance of each row, in units of which the ratios are.
        margin: The least distance from 0 of systems that are not equivalent.
    """
    signed = np.copysign(ratios, errors)
    is_against = ratios >= _UNBOUNDED

    def observed(distance: Array) -> Array:
        squared: Array = np.copysign(distance**2 / scale, distance)
        return squared[:, None]

    above = observed(value - margin)
    below = observed(value + margin)
    is_below = (signed <= above + np.abs(above) * EQUAL) | is_against
    is_above = (signed >= below - np.abs(below) * EQUAL) | is_against
    extreme = np.maximum(is_below.sum(axis=1), is_above.sum(axis=1))
    p: Array = (extreme + 1) / (ratios.shape[1] + 1)
    return p


def _equivalence_by_t(values: Array, margin: float, slack: float) -> float:
    """Return the same p-value for many units: by t, from which Hall's (1992b)
    transformation removes the skewness of the values.
    """
    units = len(values)
    mean = float(values.mean())
    gaps = values - mean
    deviation = float(gaps.std())
    if deviation <= slack:
        return 1.0 if abs(mean) >= margin else 0.0
    skewness = float((gaps**3).mean()) / deviation**3

    def transformed(distance: float) -> float:
        t = distance / deviation
        cubic = t + skewness * t**2 / 3 + skewness**2 * t**3 / 27
        return sqrt(units) * (cubic + skewness / (6 * units))

    is_below = _NORMAL.cdf(transformed(mean - margin))
    is_above = 1 - _NORMAL.cdf(transformed(mean + margin))
    return max(is_below, is_above)


def _half_widths(
    ratios: Array, variance: Array, p: Array, distance: Array, plan: Plan
) -> Array:
    """Return half of each interval; inf if too many trials have no standard error, or
    if there are too few trials for the level.

    An interval includes 0 exactly if its p is above 1 minus the level.

    Args:
        ratios: The squares of the studentized errors: rows x trials. They are sorted in
            part.
        variance: The variance of each row.
        p: The p-value of each row.
        distance: The distance of each row's mean from 0.
        plan: The level and the number of trials.
    """
    rank = intervals.rank_of_end(plan.confidence, plan.trials)
    if rank < 1:
        return np.full(len(ratios), inf)
    ends = np.partition(ratios, -rank, axis=1)[:, -rank]
    half = np.sqrt(np.minimum(ends, _UNBOUNDED) * variance)
    is_rejected = np.round(p * (plan.trials + 1)) <= rank
    half = np.where(is_rejected | (variance == 0), half, np.maximum(half, distance))
    return np.where(ends < _UNBOUNDED, half, inf)
