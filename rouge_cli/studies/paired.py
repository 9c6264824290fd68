"""Statistics of paired scores: randomization, the bootstrap, and clusters of evals.

A sample is an array of systems x units without gaps. A unit is an eval, or a cluster of
evals that are not independent. Samples with the same number of units share their random
draws. The sum of a pair over drawn units is the difference of two systems' sums. Fifty
systems, all pairs and 10,000 trials take half a second.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

import numpy as np

from rouge_cli.results.comparison import Plan
from rouge_cli.studies import signs, studentized
from rouge_cli.studies.draws import (
    Array,
    Draws,
    Exchanges,
    Watch,
    is_exact,
    parts,
)
from rouge_cli.studies.matrix import Sample
from rouge_cli.studies.studentized import EQUAL, Tested

_DIFFERENCES = 1 << 20  # of pairs, in memory at a time: 8 MB
_SUMS = 1 << 22  # of trials, of samples that are drawn together: 32 MB


class Differences(NamedTuple):
    """The results for a sample: arrays with an entry for each pair, and the
    intervals of the systems.
    """

    randomization: Array  # p-values of approximate randomization, two-sided
    # p-values of the paired bootstrap, two-sided, or of exchanges of signs for clusters
    # of unequal sizes; nan for a difference that is the same in all units
    bootstrap: Array
    # the standard deviation of the units' differences, nan for a single unit
    deviation: Array
    # p-values of the hypothesis that the systems differ by the margin or more; nan if a
    # few units do not vary
    equivalence: Array
    value: Array  # the mean difference over the evals, first minus second
    low: Array  # the lower end of its interval, -inf if there is none
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
    for (units, has_sizes), group in groupby(samples, key=lambda sample: sample.kind):
        batch = list(group)
        exchanges = Exchanges(units, plan.trials, plan.seed, watch)
        draws = Draws(units, plan.trials, plan.seed, watch)
        most_systems = max(len(sample.exchanged) for sample in batch)
        width = max(exchanges.trials, plan.trials) * most_systems
        for part in parts(len(batch), width, _SUMS):
            signed = exchanges.sums(*(sample.exchanged for sample in batch[part]))
            p_values = []
            for sample, sums in zip(batch[part], signed, strict=True):
                p_values.append(randomization(sample, exchanges, sums))
            if has_sizes:
                for sample, p in zip(batch[part], p_values, strict=True):
                    yield _of_unequal_clusters(p, sample, exchanges, plan)
                continue
            drawn = draws.sums(*(sample.resampled for sample in batch[part]))
            for sample, p, sums in zip(batch[part], p_values, drawn, strict=True):
                yield _bootstrapped(p, sample, draws, sums, plan)


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


def _bootstrapped(
    p: Array, sample: Sample, draws: Draws, sums: Array, plan: Plan
) -> Differences:
    """Return the p-values of randomization with the results of the bootstrap."""
    scores = sample.resampled
    slack = _slack(scores)

    def of_systems(part: slice) -> Tested:
        drawn = sums[part] / draws.units
        return studentized.tested(scores[part], drawn, slack[part], draws, plan)

    def of_pairs(part: slice) -> Tested:
        first, second = np.array(sample.pairs[part]).T
        gaps = scores[first] - scores[second]
        drawn = (sums[first] - sums[second]) / draws.units
        least = np.maximum(slack[first], slack[second])
        return studentized.tested(gaps, drawn, least, draws, plan)

    return _joined(p, sample, draws.trials, of_systems, of_pairs)


def _of_unequal_clusters(
    p: Array, sample: Sample, exchanges: Exchanges, plan: Plan
) -> Differences:
    """Return the p-values of randomization with intervals by exchanges of signs."""
    scores = sample.resampled
    exchanged = signs.Signs(sample.sizes, exchanges, plan)
    means = scores.mean(axis=1, keepdims=True)
    totals_of_clusters = scores - means * (1 - sample.sizes)
    (signed,) = exchanges.sums(totals_of_clusters)
    slack = _slack(totals_of_clusters) * exchanges.units

    def of_systems(part: slice) -> Tested:
        return exchanged.tested(scores[part], signed[part], slack[part])

    def of_pairs(part: slice) -> Tested:
        first, second = np.array(sample.pairs[part]).T
        gaps = scores[first] - scores[second]
        sums = signed[first] - signed[second]
        least = np.maximum(slack[first], slack[second])
        return exchanged.tested(gaps, sums, least)

    return _joined(p, sample, exchanges.trials, of_systems, of_pairs)


def _joined(
    p: Array,
    sample: Sample,
    trials: int,
    of_systems: Callable[[slice], Tested],
    of_pairs: Callable[[slice], Tested],
) -> Differences:
    """Return the results of all parts of the systems and of the pairs: few at a time,
    to save memory.
    """
    width = min(trials, _DIFFERENCES // 16)
    ends = np.empty((2, len(sample.resampled)))
    for part in parts(len(sample.resampled), width, _DIFFERENCES):
        systems = of_systems(part)
        ends[:, part] = systems.low, systems.high
    pairs = np.empty((len(Tested._fields), len(sample.pairs)))
    for part in parts(len(sample.pairs), width, _DIFFERENCES):
        pairs[:, part] = of_pairs(part)
    of_all_pairs = Tested(*pairs)
    return Differences(
        randomization=p,
        bootstrap=of_all_pairs.p,
        deviation=of_all_pairs.deviation,
        equivalence=of_all_pairs.equivalence,
        value=of_all_pairs.value,
        low=of_all_pairs.low,
        high=of_all_pairs.high,
        means=ends,
        units=sample.resampled.shape[1],
    )


def _slack(scores: Array) -> Array:
    """Return the possible rounding error of each system's mean, which grows with the
    additions.
    """
    largest = np.abs(scores).max(axis=1, initial=0)
    slack: Array = largest * EQUAL * max(1, scores.shape[1] / 1000)
    return slack
