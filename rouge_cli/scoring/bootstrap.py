"""The original's bootstrap: the draws of evals, the sums of samples, and the interval.

Sample s seeds the 48-bit generator of the C library's `drand48` with s. The draws
depend only on the numbers of evals and samples, so one pass serves every metric and
system.
"""

from collections.abc import Sequence
from contextlib import suppress
from functools import reduce
from math import ceil, isnan
from operator import add

from rouge_cli.core import Estimate
from rouge_cli.scoring.perl_numbers import LARGE, Number, in_order
from rouge_cli.twins import twin

Columns = Sequence[Sequence[float]]

MULTIPLIER, INCREMENT, MODULUS = 0x5DEECE66D, 0xB, 1 << 48
SEEDS = 1 << 32  # a seed of the generator has 32 bits, like that of the first sample
SEED_LOW = 0x330E  # the lower 16 bits of a fresh state; the bits above are the seed

# In plain Python they take about as long as the import of numpy.
_ADDITIONS_WORTH_NUMPY = 2_000_000


def resampled_sums(
    columns: Columns, samples: float, seed: int = 0, jobs: int = 1
) -> list[list[float]]:
    """Return, for each column of n values and each sample, the sum of n values drawn
    with replacement.

    Values are added in the order of the draws, which are the same for all columns.

    Args:
        columns: Columns of the same length.
        samples: The number of samples. A fraction adds one sample to the integer part
            (QUIRKS 27).
        seed: 0 for the original's samples; any other seed for different samples.
        jobs: The number of threads of compiled code.
    """
    size = len(columns[0])
    times = ceil(samples)
    first = seed * times % SEEDS
    if any(_is_large(column, 1) for column in columns):
        numbers = [list(map(Number, column)) for column in columns]
        return [list(map(float, sums)) for sums in _sums(numbers, size, times, first)]
    return drawn_sums(columns, times, first, jobs)


@twin
def drawn_sums(
    columns: Columns,
    times: int,
    first: int,
    jobs: int = 1,  # noqa: ARG001 - threads of compiled code
) -> list[list[float]]:
    """Return the sums of `resampled_sums` for columns whose sums doubles hold.

    Args:
        times: The number of samples.
        first: The seed of the first sample; the next one has the next seed.
    """
    size = len(columns[0])
    if size * times * len(columns) >= _ADDITIONS_WORTH_NUMPY:
        with suppress(ImportError):  # without numpy it is only slower
            return _vector_sums(columns, size, times, first)
    return _sums(columns, size, times, first)


def estimates_of_means(
    columns: Columns, samples: float, confidence: float, seed: int = 0, jobs: int = 1
) -> list[Estimate]:
    """Return, for each column, the estimate of its mean from resampled means."""
    size = len(columns[0])
    times = ceil(samples)
    first = seed * times % SEEDS
    if not any(_is_large(column, samples) for column in columns):
        return drawn_estimates(columns, samples, confidence, first, jobs)

    estimates = []
    for column in columns:
        if _is_large(column, samples):
            numbers = list(map(Number.of_text, column))
            (sums,) = _sums([numbers], size, times, first)
            means = [total / size for total in sums]
            estimates.append(estimate(means, samples, confidence))
        else:
            estimates += drawn_estimates([column], samples, confidence, first, jobs)
    return estimates


@twin
def drawn_estimates(
    columns: Columns, samples: float, confidence: float, first: int, jobs: int = 1
) -> list[Estimate]:
    """Return the estimates of `estimates_of_means` for columns whose sums doubles
    hold.

    Args:
        first: The seed of the first sample.
    """
    size = len(columns[0])
    estimates = []
    for sums in drawn_sums(columns, ceil(samples), first, jobs):
        means = [total / size for total in sums]
        estimates.append(estimate(means, samples, confidence))
    return estimates


def estimate(values: Sequence[float], samples: float, confidence: float) -> Estimate:
    """Return the mean of the samples (not of the scores, QUIRKS 26) and their
    percentile interval.
    """
    ordered = sorted(values)
    if isinstance(values[0], Number):
        ordered = in_order(values)
    # Not sum(): since Python 3.12 it corrects rounding errors, unlike the original.
    total = reduce(add, ordered)
    if isnan(total):
        ordered = sorted(value for value in values if not isnan(value))
        ordered += filter(isnan, values)
    outside = samples * ((100 - confidence) / 2) / 100
    upper = int(samples - outside - 1)
    lower = int(outside)
    weight = samples - outside - 1 - upper

    def at(index: int) -> float:
        # As in the original (QUIRKS 27).
        return ordered[index] if index < len(ordered) else 0.0

    def between(index: int) -> float:
        return at(index) + (at(index + 1) - at(index)) * weight

    return Estimate(total / len(ordered), between(lower), between(upper))


def _is_large(column: Sequence[float], samples: float) -> bool:
    """Return True if a sum over that many samples of the column may need more than
    53 bits (QUIRKS 29).
    """
    return not max(column) * len(column) * samples < LARGE


def _sums(columns: Columns, size: int, times: int, first: int) -> list[list[float]]:
    """Return the sums sample by sample, since an addition can change the operands of
    Perl's numbers.

    Each sum starts with the first value drawn, not with zero.
    """
    sums: list[list[float]] = [[] for _ in columns]
    for sample in range(times):
        state = ((first + sample) % SEEDS << 16) + SEED_LOW
        drawn = []
        for _ in range(size):
            state = (state * MULTIPLIER + INCREMENT) % MODULUS
            drawn.append(int(state / MODULUS * size))
        for of_column, column in zip(sums, columns, strict=True):
            of_column.append(reduce(add, map(column.__getitem__, drawn)))
    return sums


def _vector_sums(
    columns: Columns, size: int, times: int, first: int
) -> list[list[float]]:
    """Return the sums of `_sums`, with the same operations on all samples and
    columns at once.
    """
    import numpy as np

    rows = np.array(columns, dtype=np.float64).T.copy()
    seeds = (np.uint64(first) + np.arange(times, dtype=np.uint64)) % np.uint64(SEEDS)
    states = (seeds << np.uint64(16)) + np.uint64(SEED_LOW)
    sums = np.zeros((times, len(columns)))
    multiplier = np.uint64(MULTIPLIER)
    increment = np.uint64(INCREMENT)
    for _ in range(size):
        # 64 bits may overflow here, but only the lower 48 are used, and they are right.
        states = (states * multiplier + increment) % np.uint64(MODULUS)
        drawn = (states / MODULUS * size).astype(np.intp)
        sums += rows[drawn]
    result: list[list[float]] = sums.T.tolist()
    return result
