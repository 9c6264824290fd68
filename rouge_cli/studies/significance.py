"""Significance tests and confidence intervals for systems that are scored on the same evals.

Scores are arrays of systems x evals, without gaps. All arrays with equally many evals share the same draws,
which are made once; sums over the drawn evals are products of matrices, and the sum of a pair is the
difference of two rows of such a product. Fifty systems, all pairs and 10,000 trials take about a second.
"""

from __future__ import annotations

from itertools import chain, count
from string import ascii_letters
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Pairs = Sequence[tuple[int, int]]
    Sample = tuple[Array, Pairs]
    Watch = Callable[[Iterable[slice]], Iterable[slice]]

# Numbers in one product, 64 MB of doubles; another size changes the rounding of its sums.
_NUMBERS = 1 << 23
# Numbers drawn at a time: 1 MB, which fits into the processor's cache.
_CACHED = 1 << 17
# Differences of pairs held at once: 8 MB.
_DIFFERENCES = 1 << 20
# The relative rounding error of a sum whose additions are in another order.
_EQUAL = 1e-12


class Differences(NamedTuple):
    """The results for a sample: an entry for each pair, and an interval for each system.

    value: the mean difference over the evals, first minus second. low, high: its interval by the paired
    bootstrap. bootstrap, randomization: p-values, two-sided. means: the ends of the intervals of the
    systems' own means, 2 x systems.
    """

    value: Array
    low: Array
    high: Array
    bootstrap: Array
    randomization: Array
    means: Array


def differences(
    samples: Iterable[Sample], trials: int, seed: int, confidence: float, watch: Watch = iter
) -> Iterator[Differences]:
    """Yield the results for each sample: scores, and the pairs of their rows to test.

    Consecutive samples with equally many evals share their draws.
    trials: the number of trials of each test. confidence: the interval's level in percent. watch: yields
    the steps as they are done, to show progress.
    """
    ends = [(100 - confidence) / 2, (100 + confidence) / 2]
    for batch in _batches(samples, trials):
        exchanged = randomization(batch, trials, seed, watch)
        resampled = resampled_means([scores for scores, _ in batch], trials, seed, watch)
        for (scores, pairs), means, p in zip(batch, resampled, exchanged, strict=True):
            value, low, high, bootstrap = np.empty((4, len(pairs)))
            # A difference within rounding counts as none: a pair of equal systems, resampled.
            slack = _slack(scores)
            for part in _parts(len(pairs), trials, _DIFFERENCES):
                first, second = np.array(pairs[part]).T
                value[part] = (scores[first] - scores[second]).mean(axis=1)
                drawn = means[first] - means[second]
                low[part], high[part] = np.percentile(drawn, ends, axis=1)
                least = np.maximum(slack[first], slack[second])[:, None]
                against = np.minimum((drawn <= least).sum(axis=1), (drawn >= -least).sum(axis=1))
                bootstrap[part] = np.minimum(1.0, 2 * (against + 1) / (trials + 1))
            yield Differences(value, low, high, bootstrap, p, np.percentile(means, ends, axis=1))


def resampled_means(samples: Sequence[Array], trials: int, seed: int, watch: Watch = iter) -> list[Array]:
    """Return the means of systems over evals drawn with replacement: systems x trials, for each sample.

    The paired bootstrap (Koehn 2004, "Statistical significance tests for machine translation evaluation").
    Its p-value is twice the share of the samples in which the better system does not win, each count plus
    one for the data themselves; so p is below 5% if the 95% percentile interval excludes 0.
    """
    evals = samples[0].shape[1]
    random = np.random.default_rng(seed)

    def count(weights: Array, _: int) -> None:
        drawn = random.integers(0, evals, weights.shape)
        drawn += np.arange(len(drawn))[:, None] * evals
        weights[:] = np.bincount(drawn.ravel(), minlength=drawn.size).reshape(drawn.shape)

    means = _sums(samples, trials, count, watch)
    for array in means:
        np.divide(array, evals, out=array)
    return means


def differences_of_f(
    parts: Sequence[Sample], alpha: float, trials: int, seed: int, confidence: float
) -> dict[str, Array]:
    """Return values and intervals, as in Differences, if averages are the F of mean R and mean P.

    parts: the recalls and the precisions, which see the draws of `differences`.
    """

    def f_measure(recall: Array, precision: Array) -> Array:
        weighted = (1 - alpha) * precision + alpha * recall
        return np.divide(recall * precision, weighted, out=np.zeros_like(weighted), where=weighted > 0)

    ends = [(100 - confidence) / 2, (100 + confidence) / 2]
    whole = f_measure(*(scores.mean(axis=1) for scores, _ in parts))
    means = f_measure(*resampled_means([scores for scores, _ in parts], trials, seed))
    value = np.array([whole[first] - whole[second] for first, second in parts[0][1]])
    drawn = [np.percentile(means[first] - means[second], ends) for first, second in parts[0][1]]
    low, high = np.reshape(drawn, (-1, 2)).T
    return {"value": value, "low": low, "high": high, "means": np.percentile(means, ends, axis=1)}


def randomization(samples: Sequence[Sample], trials: int, seed: int, watch: Watch = iter) -> list[Array]:
    """Return the p-values of each sample by approximate randomization, two-sided (Noreen 1989, chapter 2).

    Under the null hypothesis the scores of two systems in an eval can be exchanged, which flips the sign of
    the difference. p is the share of such exchanges whose difference is at least as large as the observed:
    (k + 1) / (trials + 1), or the share of all 2^n if these are at most as many as the trials.
    """
    evals = samples[0][0].shape[1]
    exact = is_exact(evals, trials)
    total = 1 << evals if exact else trials
    random = np.random.default_rng(seed)

    def exchange(weights: Array, start: int) -> None:
        if exact:
            bits = np.arange(start, start + len(weights))[:, None] >> np.arange(evals) & 1
        else:
            bits = random.integers(0, 2, weights.shape)
        np.multiply(bits, 2.0, out=weights)
        weights -= 1

    results = []
    drawn = _sums([scores for scores, _ in samples], total, exchange, watch)
    for (scores, pairs), sums in zip(samples, drawn, strict=True):
        observed, slack = scores.sum(axis=1), _slack(scores) * evals
        p = np.empty(len(pairs))
        for part in _parts(len(pairs), total, _DIFFERENCES):
            first, second = np.array(pairs[part]).T
            least = np.abs(observed[first] - observed[second]) - np.maximum(slack[first], slack[second])
            extreme = (np.abs(sums[first] - sums[second]) >= least[:, None]).sum(axis=1)
            p[part] = extreme / total if exact else (extreme + 1) / (total + 1)
        results.append(p)
    return results


def is_exact(evals: int, trials: int) -> bool:
    """Return True if randomization enumerates every exchange of so many evals."""
    return evals < 63 and 1 << evals <= trials


def holm(p: Array) -> Array:
    """Return p-values corrected so that 5% bounds the chance of any false alarm (Holm 1979)."""
    order = np.argsort(p)
    steps = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    corrected = np.empty_like(p)
    corrected[order] = np.minimum(steps, 1)
    return corrected


def benjamini_hochberg(p: Array) -> Array:
    """Return p-values corrected so that 5% bounds the expected share of false alarms (1995)."""
    order = np.argsort(p)[::-1]
    steps = np.minimum.accumulate(p[order] * len(p) / np.arange(len(p), 0, -1))
    corrected = np.empty_like(p)
    corrected[order] = np.minimum(steps, 1)
    return corrected


def letters(same: NDArray[np.bool_]) -> list[str]:
    """Return the compact letter display (Piepho 2004): systems share a letter unless they differ.

    same: systems x systems, in the order of the ranking: True if no difference was found. Each letter is a
    group of systems of which no two differ, and every such pair is in a group. Groups are extended in the
    ranking's order, in polynomial time; finding all maximal groups could take exponential time.
    """
    groups: list[list[int]] = []
    covered = np.eye(len(same), dtype=bool)
    for system in range(len(same)):
        others = [other for other in range(system + 1, len(same)) if same[system, other]]
        for other in others:
            if not covered[system, other]:
                groups.append(_grown([system, other], same))
                covered[np.ix_(groups[-1], groups[-1])] = True
        if not np.delete(same[system], system).any():
            groups.append([system])
    groups.sort()
    letters_of: list[list[str]] = [[] for _ in same]
    # a to z, A to Z, a2 and so on.
    names = (f"{letter}{number}" for number in chain([""], count(2)) for letter in ascii_letters)
    for letter, group in zip(names, groups, strict=False):
        for system in group:
            letters_of[system].append(letter)
    return ["".join(names) for names in letters_of]


def _grown(group: list[int], same: NDArray[np.bool_]) -> list[int]:
    """Return the group with all systems that can be added, the best first."""
    for system in range(len(same)):
        if system not in group and all(same[system, member] for member in group):
            group.append(system)
    return sorted(group)


def _slack(scores: Array) -> Array:
    """Return the rounding error in each system's mean; that of a pair is the larger of the two."""
    slack: Array = np.abs(scores).max(axis=1, initial=0) * _EQUAL
    return slack


def _batches(samples: Iterable[Sample], trials: int) -> Iterator[list[Sample]]:
    """Yield samples that share their draws, in batches limited by the size of their sums."""
    batch: list[Sample] = []
    rows = 0
    for scores, pairs in samples:
        rows += len(scores)
        evals = scores.shape[1]
        if batch and (evals != batch[0][0].shape[1] or rows * max(evals, trials) > _NUMBERS):
            yield batch
            batch, rows = [], len(scores)
        batch.append((scores, pairs))
    if batch:
        yield batch


def _sums(
    samples: Sequence[Array], trials: int, draw: Callable[[Array, int], None], watch: Watch
) -> list[Array]:
    """Return each sample's sums over evals with the drawn weights: systems x trials.

    draw: fills weights (trials x evals), given the number of the first trial. Each sample is a
    separate product, so that its sums do not depend on the samples beside it, not even in rounding.
    """
    evals = samples[0].shape[1]
    sums = [np.empty((len(scores), trials)) for scores in samples]
    weights = np.empty((0, evals))
    for part in watch(_parts(trials, evals, _NUMBERS)):
        size = part.stop - part.start
        weights = weights[:size] if len(weights) else np.empty((size, evals))
        for step in _parts(size, evals, _CACHED):
            draw(weights[step], part.start + step.start)
        for scores, total in zip(samples, sums, strict=True):
            total[:, part] = scores @ weights.T
    return sums


def _parts(total: int, width: int, most: int) -> Iterator[slice]:
    """Yield slices of 0..total rows of that width, each with at most `most` numbers."""
    size = max(1, most // max(width, 1))
    for start in range(0, total, size):
        yield slice(start, min(start + size, total))
