"""Is one system better than another: tests and intervals on their scores of the same evals.

Scores are an array of systems x evals, without gaps. Every system sees the same draws, so that a draw's
sums are one product of matrices, and those of a pair the difference of two columns of it; fifty systems,
all pairs and 10,000 trials take about a second.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Pairs = Sequence[tuple[int, int]]
    Watch = Callable[[Iterable[slice]], Iterable[slice]]

# How many numbers one step may hold: 64 MB of doubles.
_NUMBERS = 1 << 23
# Sums that are equal but for the order of their additions, relative to the largest that there could be.
_EQUAL = 1e-12
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Differences(NamedTuple):
    """What is known of pairs of systems, an entry for each pair.

    value: the mean difference over the evals, first minus second. low, high: its interval by the paired
    bootstrap. bootstrap, randomization: p-values, two-sided.
    """

    value: Array
    low: Array
    high: Array
    bootstrap: Array
    randomization: Array


def differences(  # noqa: PLR0913, PLR0917 - each says how
    scores: Array, pairs: Pairs, trials: int, seed: int, confidence: float, watch: Watch = iter
) -> Differences:
    """Everything about these pairs (rows of `scores`).

    trials: of either test. confidence: the interval's level in percent. watch: hands the steps on as they
    are done, to show progress.
    """
    means = resampled_means(scores, trials, seed, watch)
    # What is not above rounding is no difference: a pair of equal systems, resampled.
    slack = _slack(scores)
    low, high, p = np.empty(len(pairs)), np.empty(len(pairs)), np.empty(len(pairs))
    value = np.empty(len(pairs))
    ends = [(100 - confidence) / 2, (100 + confidence) / 2]
    for part, one, other in _blocks(pairs, trials):
        value[part] = (scores[one] - scores[other]).mean(axis=1)
        drawn = means[one] - means[other]
        low[part], high[part] = np.percentile(drawn, ends, axis=1)
        least = np.maximum(slack[one], slack[other])[:, None]
        against = np.minimum((drawn <= least).sum(axis=1), (drawn >= -least).sum(axis=1))
        p[part] = np.minimum(1.0, 2 * (against + 1) / (trials + 1))
    return Differences(value, low, high, p, randomization(scores, pairs, trials, seed, watch))


def resampled_means(scores: Array, trials: int, seed: int, watch: Watch = iter) -> Array:
    """Systems x trials: the mean of each system over evals drawn with replacement, the same for all.

    The paired bootstrap (Koehn 2004, "Statistical significance tests for machine translation evaluation").
    Its p-value is twice the share of the samples in which the better system does not win, each count with
    one added for the data themselves; so p is below 5% where the 95% percentile interval excludes 0.
    """
    evals = scores.shape[1]
    random = np.random.default_rng(seed)
    found = np.empty((len(scores), trials))
    for part in watch(_parts(trials, evals)):
        drawn = random.integers(0, evals, (part.stop - part.start, evals))
        drawn += np.arange(len(drawn))[:, None] * evals
        times = np.bincount(drawn.ravel(), minlength=drawn.size).reshape(drawn.shape)
        found[:, part] = scores @ times.T.astype(np.float64) / evals
    return found


def randomization(scores: Array, pairs: Pairs, trials: int, seed: int, watch: Watch = iter) -> Array:
    """The p-values of approximate randomization, two-sided (Noreen 1989, chapter 2).

    If two systems are equal, their scores in an eval might as well be exchanged, which turns the sign of
    the difference. p is the share of such exchanges whose difference is no smaller than the observed:
    (k + 1) / (trials + 1), or of all 2^n where these are no more than the trials.
    """
    evals = scores.shape[1]
    exact = is_exact(evals, trials)
    total = 1 << evals if exact else trials
    random = np.random.default_rng(seed)
    sums = np.empty((len(scores), total))
    for part in watch(_parts(total, evals)):
        if exact:
            bits = np.arange(part.start, part.stop)[:, None] >> np.arange(evals) & 1
        else:
            bits = random.integers(0, 2, (part.stop - part.start, evals))
        sums[:, part] = scores @ (2.0 * bits.T - 1)
    observed, slack = scores.sum(axis=1), _slack(scores) * evals
    p = np.empty(len(pairs))
    for part, one, other in _blocks(pairs, total):
        least = np.abs(observed[one] - observed[other]) - np.maximum(slack[one], slack[other])
        extreme = (np.abs(sums[one] - sums[other]) >= least[:, None]).sum(axis=1)
        p[part] = extreme / total if exact else (extreme + 1) / (total + 1)
    return p


def is_exact(evals: int, trials: int) -> bool:
    """Whether randomization tries every exchange of so many evals."""
    return evals < 63 and 1 << evals <= trials


def holm(p: Array) -> Array:
    """The p-values corrected for their number: below 5%, the chance of any false alarm is (Holm 1979)."""
    order = np.argsort(p)
    steps = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    corrected = np.empty_like(p)
    corrected[order] = np.minimum(steps, 1)
    return corrected


def benjamini_hochberg(p: Array) -> Array:
    """The p-values corrected so that, below 5%, at most 5% of the alarms are false (1995)."""
    order = np.argsort(p)[::-1]
    steps = np.minimum.accumulate(p[order] * len(p) / np.arange(len(p), 0, -1))
    corrected = np.empty_like(p)
    corrected[order] = np.minimum(steps, 1)
    return corrected


def letters(same: NDArray[np.bool_]) -> list[str]:
    """The compact letter display (Piepho 2004): two systems share a letter if they are not told apart.

    same: systems x systems, in the order of the ranking: whether no difference was found. Each letter is a
    group of systems of which no two differ, and every such pair is in a group; groups are grown in the
    ranking's order, which takes time that is polynomial where all largest groups need not.
    """
    groups: list[list[int]] = []
    covered = np.eye(len(same), dtype=bool)
    for one in range(len(same)):
        others = [other for other in range(one + 1, len(same)) if same[one, other]]
        for other in others:
            if not covered[one, other]:
                groups.append(_grown([one, other], same))
                covered[np.ix_(groups[-1], groups[-1])] = True
        if not np.delete(same[one], one).any():
            groups.append([one])
    groups.sort()
    named: list[list[str]] = [[] for _ in same]
    for letter, group in zip(_names(), groups, strict=False):
        for system in group:
            named[system].append(letter)
    return ["".join(one) for one in named]


def _grown(group: list[int], same: NDArray[np.bool_]) -> list[int]:
    """The group with all that can be added, the best first."""
    for system in range(len(same)):
        if system not in group and all(same[system, member] for member in group):
            group.append(system)
    return sorted(group)


def _names() -> Iterator[str]:
    """The letters a to z, A to Z, a2 and so on."""
    yield from _LETTERS
    number = 2
    while True:
        yield from (f"{letter}{number}" for letter in _LETTERS)
        number += 1


def _slack(scores: Array) -> Array:
    """What is rounding in a mean of each system; that of a pair is the larger of the two."""
    found: Array = np.abs(scores).max(axis=1, initial=0) * _EQUAL
    return found


def _parts(total: int, width: int) -> Iterator[slice]:
    """0..total in parts of so many rows of that width as may be held at once."""
    size = max(1, _NUMBERS // max(width, 1))
    for start in range(0, total, size):
        yield slice(start, min(start + size, total))


def _blocks(pairs: Pairs, width: int) -> Iterator[tuple[slice, list[int], list[int]]]:
    """The pairs in such parts: their places, their first and their second systems."""
    for part in _parts(len(pairs), width):
        block = list(islice(pairs, part.start, part.stop))
        yield part, [one for one, _ in block], [other for _, other in block]
