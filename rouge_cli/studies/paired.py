"""Statistics of paired scores: randomization, the bootstrap, and clusters of evals.

A sample is an array of systems x units without gaps. A unit is an eval, or a cluster of
evals that are not independent. Samples with the same number of units share their random
draws. The sum of a pair over drawn units is the difference of two systems' sums. Fifty
systems, all pairs and 10,000 trials take half a second.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from math import inf
from typing import NamedTuple

import numpy as np

from rouge_cli.results.comparison import Plan
from rouge_cli.studies import intervals
from rouge_cli.studies.draws import (
    STUDENTIZED,
    Array,
    Draws,
    Exchanges,
    Watch,
    is_exact,
    parts,
)
from rouge_cli.studies.matrix import Sample

_DIFFERENCES = 1 << 20  # of pairs, in memory at a time: 8 MB
_SUMS = 1 << 22  # of trials, of samples that are drawn together: 32 MB
_EQUAL = 1e-12  # the relative rounding error of a sum if the order of additions changes
# Squares of studentized errors above it are of trials without a standard error
_UNBOUNDED = 1e12


class Differences(NamedTuple):
    """The results for a sample: arrays with an entry for each pair, and the
    intervals of the systems.
    """

    randomization: Array  # p-values of approximate randomization, two-sided
    # p-values of the paired bootstrap, two-sided; nan for a difference that is the same
    # in all units
    bootstrap: Array
    # the standard deviation of the units' differences, nan for a single unit
    deviation: Array
    # p-values of the hypothesis that the systems differ by the margin or more; nan if a
    # few units do not vary
    equivalence: Array
    value: Array  # the mean difference over the evals, first minus second
    low: Array  # the lower end of its interval by the bootstrap, -inf if there is none
    high: Array  # the upper end
    means: Array  # the ends of the intervals of the systems' means, 2 x systems
    units: int


def differences(
    samples: Iterable[Sample], plan: Plan, watch: Watch = iter
) -> Iterator[Differences]:
    """Yield the results for each sample.

    Consecutive samples with the same number of units share their draws. `watch` yields
    the steps as they are done, to show progress.
    """
    for units, group in groupby(samples, key=lambda sample: sample.exchanged.shape[1]):
        batch = list(group)
        exchanges = Exchanges(units, plan.trials, plan.seed, watch)
        draws = Draws(units, plan.trials, plan.seed, watch)
        most_systems = max(len(sample.exchanged) for sample in batch)
        width = max(exchanges.trials, plan.trials) * most_systems
        for part in parts(len(batch), width, _SUMS):
            signed = exchanges.sums(*(sample.exchanged for sample in batch[part]))
            drawn = draws.sums(*(sample.resampled for sample in batch[part]))
            by_sample = zip(batch[part], signed, drawn, strict=True)
            for sample, signed_sums, drawn_sums in by_sample:
                p = randomization(sample, exchanges, signed_sums)
                yield _differences(p, sample, draws, drawn_sums, plan)


def randomization(sample: Sample, exchanges: Exchanges, sums: Array) -> Array:
    """Return the two-sided p-values by approximate randomization (Noreen 1989, chapter
    2).

    Under the null hypothesis, the scores of two systems in a unit can be exchanged,
    which changes the sign of their difference. p is the share of exchanges whose
    difference is at least as large as the observed difference: (k + 1) / (trials + 1).
    If all 2^n exchanges are enumerated, p is their share. The sums are those of the
    exchanged scores in each trial: systems x trials.
    """
    scores = sample.exchanged
    observed = scores.sum(axis=1)
    slack = _slack(scores) * exchanges.units
    p = np.empty(len(sample.pairs))
    for part in parts(len(p), exchanges.trials, _DIFFERENCES):
        first, second = np.array(sample.pairs[part]).T
        slack_of_pair = np.maximum(slack[first], slack[second])
        least = np.abs(observed[first] - observed[second]) - slack_of_pair
        is_extreme = np.abs(sums[first] - sums[second]) >= least[:, None]
        extreme = is_extreme.sum(axis=1)
        if exchanges.exact:
            p[part] = extreme / exchanges.trials
        else:
            p[part] = (extreme + 1) / (exchanges.trials + 1)
    return p


def attained_level(differences: Array, level: float, trials: int) -> float:
    """Return how often randomization finds p < level if the signs of these differences
    are random.

    The share is below the level if there are few units or many ties, and `level` itself
    if all absolute differences are different and there are more exchanges than trials.
    """
    largest = np.abs(differences).max(initial=1e-290)
    sizes = np.abs(differences[differences != 0]) / largest
    distinct = len(np.unique(sizes.round(9)))
    if not is_exact(len(sizes), trials) and distinct > len(sizes) / 2:
        return level

    exchanges = Exchanges(len(sizes), 1 << 12)
    sums = np.sort(np.abs(exchanges.sums(sizes[None])[0][0]).round(9))
    p = 1 - np.searchsorted(sums, sums) / exchanges.trials
    return float((p < level).mean())


def _differences(
    p: Array, sample: Sample, draws: Draws, sums: Array, plan: Plan
) -> Differences:
    """Return the p-values of randomization with the results of the paired bootstrap
    (Koehn 2004).
    """
    scores = sample.resampled
    slack = _slack(scores)
    rows = min(draws.trials, _DIFFERENCES // 16)

    ends = np.empty((2, len(scores)))
    for part in parts(len(scores), rows, _DIFFERENCES):
        drawn = sums[part] / draws.units
        *_, low, high = _studentize(scores[part], drawn, slack[part], draws, plan)
        ends[:, part] = low, high

    pairs = np.empty((6, len(sample.pairs)))
    for part in parts(len(sample.pairs), rows, _DIFFERENCES):
        first, second = np.array(sample.pairs[part]).T
        gaps = scores[first] - scores[second]
        drawn = (sums[first] - sums[second]) / draws.units
        least = np.maximum(slack[first], slack[second])
        pairs[:, part] = _studentize(gaps, drawn, least, draws, plan)
    bootstrap, deviation, equivalence, value, lows, highs = pairs
    return Differences(
        randomization=p,
        bootstrap=bootstrap,
        deviation=deviation,
        equivalence=equivalence,
        value=value,
        low=lows,
        high=highs,
        means=ends,
        units=draws.units,
    )


def _studentize(
    values: Array, drawn: Array, slack: Array, draws: Draws, plan: Plan
) -> Sequence[Array]:
    """Return the fields of Differences from `bootstrap` to `high`, for the means of
    rows of values.

    They are by the symmetric bootstrap-t (Hall 1992, section 3.6).

    A trial counts against a hypothesis if the error of its mean, divided by its
    standard error, is at least as large as the observed error. The interval has the
    means that are not rejected. It is unbounded if too many trials draw equal values,
    which have no standard error, or if there are too few trials for its level. A
    difference other than 0 that is the same in all units has no p.

    Args:
        values: rows x units.
        drawn: The means in each trial: rows x trials.
        slack: The possible rounding error of each row's mean. Smaller numbers count as
            0.
    """
    units = draws.units
    value = values.mean(axis=1)
    least = np.maximum(slack**2, 1e-290)
    squares = (values - value[:, None]) ** 2
    variance = squares.mean(axis=1)
    variance[variance <= slack**2] = 0

    ratios = np.square(drawn - value[:, None])
    if units > STUDENTIZED:
        ratios /= np.maximum(variance * ((units - 1) / units), least)[:, None]
    elif units > 1:
        (variances,) = draws.sums(squares)
        variances /= units
        variances -= ratios
        ratios /= np.maximum(variances, least[:, None], out=variances)
    else:
        ratios[:] = inf

    def p_value(error: Array) -> Array:
        observed_ratios = (error / np.maximum(variance, least))[:, None]
        extreme = (ratios >= observed_ratios * (1 - _EQUAL)).sum(axis=1)
        p: Array = (extreme + 1) / (draws.trials + 1)
        return p

    observed = np.where(np.abs(value) <= slack, 0, value) ** 2
    margin = np.maximum(plan.equivalence / 100 - np.abs(value), 0) ** 2
    p = p_value(observed)
    equivalence = p_value(margin)
    half = _half_widths(ratios, variance, p, np.abs(value), plan)

    # Units that do not vary have no standard error: every other mean seems impossible.
    if units > 1:
        deviation = np.sqrt(variance * units / (units - 1))
        p = np.where((variance == 0) & (observed > 0), np.nan, p)
    else:
        deviation = np.full(len(value), np.nan)
    if units < intervals.FEWEST:
        equivalence = np.where(variance == 0, np.nan, equivalence)
    return p, deviation, equivalence / 2, value, value - half, value + half


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


def _slack(scores: Array) -> Array:
    """Return the possible rounding error of each system's mean, which grows with the
    additions.
    """
    largest = np.abs(scores).max(axis=1, initial=0)
    slack: Array = largest * _EQUAL * max(1, scores.shape[1] / 1000)
    return slack
