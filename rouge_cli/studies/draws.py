"""Random draws: which evals, clusters, systems or references a trial of a study has.

All draws come from the default generator of numpy with the study's seed, for every
kernel and machine. Units are drawn with replacement, their scores are exchanged, or
subsets are drawn. A trial is a row of weights of the units, so that sums over drawn
units are products of matrices. The sums of many units are looked up: a digit of random
bits selects how often each of a few units occurs.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import ceil, sqrt

import numpy as np
from numpy.typing import NDArray

from rouge_cli.core import EvalTask
from rouge_cli.twins import twin

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]
Places = NDArray[np.intp]
Watch = Callable[[Iterable[slice]], Iterable[slice]]
# How often each of a few units occurs, as digits of a number: the number for each value
# of random bits, and cumulative probabilities of all numbers for larger values.
Occurrences = tuple[NDArray[np.uint16], Array]

# Numbers drawn at a time, for the processor's cache: 4 MB. Products of fewer rows are
# rounded otherwise.
_NUMBERS = 1 << 19
CACHED = 1 << 17  # numbers at a time: 1 MB, which fits into the processor's cache
# Weights of at most so many units are needed again, for the variances of trials.
STUDENTIZED = 200


class Draws:
    """How often each unit occurs in each trial, drawn with replacement."""

    def __init__(
        self, units: int, trials: int, seed: int = 0, watch: Watch = iter
    ) -> None:
        self.units = units
        self.trials = trials
        self._seed = seed
        self._watch = watch
        # Weights that are needed again.
        self._drawn: list[tuple[slice, NDArray[np.int16]]] = []
        self._are_many = units > STUDENTIZED

    def fill(self, weights: Array, random: np.random.Generator, _: int) -> None:
        """Fill trials x units with weights, given the number of the first trial."""
        drawn = random.integers(0, self.units, weights.shape)
        drawn += np.arange(len(drawn))[:, None] * self.units
        times = np.bincount(drawn.ravel(), minlength=drawn.size)
        weights[:] = times.reshape(drawn.shape)

    def sums(self, *samples: Array) -> list[Array]:
        """Return the sums of the rows of each sample with the drawn weights: rows x
        trials.
        """
        if self._are_many:
            return self._look_up(samples)
        totals = [np.empty((len(scores), self.trials)) for scores in samples]
        for part, weights in self._parts():
            for total, scores in zip(totals, samples, strict=True):
                total[:, part] = scores @ weights.T
        return totals

    def _occurrences(self) -> Occurrences:
        """Return how often each of a few units occurs for each value of random bits."""
        return _poisson(1 - 7 / sqrt(self.units))

    def _look_up(self, samples: Sequence[Array]) -> list[Array]:
        """Return what `sums` returns, for many units."""
        # The last column counts units.
        scores = np.vstack([*samples, np.ones(self.units)]).T.copy()
        sums = np.zeros((self.trials, scores.shape[1]))
        numbers, chances = self._occurrences()
        drawn = sums_of(np.random.default_rng(self._seed))
        steps = list(parts(self.units, 1, 64 * ceil(_NUMBERS / self.trials)))
        for part in self._watch(steps):
            drawn.add(scores[part], sums, numbers, chances)
        if len(chances):
            drawn.complete(scores, sums)
        else:
            # Units that are not selected change their sign.
            sums += sums - scores.sum(axis=0)

        ends = np.cumsum([len(sample) for sample in samples])
        return np.split(sums.T[:-1].copy(), ends[:-1])

    def _parts(self) -> Iterator[tuple[slice, Array]]:
        """Yield the trials step by step, with the weights of all units in each."""
        if self._drawn:
            for part, drawn in self._drawn:
                yield part, drawn.astype(np.float64)
            return

        random = np.random.default_rng(self._seed)
        rows = 8 * ceil(_NUMBERS / (8 * max(self.units, 1)))
        # The last step is longer.
        ends = [*range(0, max(self.trials - rows, 0) + 1, rows), self.trials]
        block = np.empty((min(2 * rows, self.trials), self.units))
        for part in self._watch([slice(start, end) for start, end in pairwise(ends)]):
            weights = block[: part.stop - part.start]
            self.fill(weights, random, part.start)
            if self.units <= STUDENTIZED:
                self._drawn.append((part, weights.astype(np.int16)))
            yield part, weights


class Exchanges(Draws):
    """The sign of each unit in each trial; every combination once if trials suffice."""

    def __init__(
        self, units: int, trials: int, seed: int = 0, watch: Watch = iter
    ) -> None:
        self.exact = is_exact(units, trials)
        if self.exact:
            trials = 1 << units
        super().__init__(units, trials, seed, watch)

    def fill(self, weights: Array, random: np.random.Generator, start: int) -> None:
        """Fill trials x units with 1 and -1."""
        if self.exact:
            numbers = np.arange(start, start + len(weights))
            bits = numbers[:, None] >> np.arange(self.units) & 1
        else:
            bits = random.integers(0, 2, weights.shape)
        np.multiply(bits, 2.0, out=weights)
        weights -= 1

    def _occurrences(self) -> Occurrences:
        """Return numbers that have a bit for each of eight units."""
        return np.arange(256, dtype=np.uint16), np.empty(0)


def is_exact(units: int, trials: int) -> bool:
    """Return True if that many trials suffice for every exchange of that many units."""
    return units < 63 and 1 << units <= trials


class Subsets(Draws):
    """Subsets of a number of units, drawn without replacement: 1 for a unit in it,
    else 0.
    """

    def __init__(self, units: int, trials: int, seed: int, size: int) -> None:
        super().__init__(units, trials, seed)
        self._size = size
        self._are_many = False  # units depend on each other

    def fill(self, weights: Array, random: np.random.Generator, _: int) -> None:
        """Fill trials x units with 1 and 0."""
        ranks = random.random(weights.shape)
        last = self._size - 1
        limits = np.partition(ranks, last, axis=1)[:, last, None]
        weights[:] = ranks <= limits


@lru_cache(maxsize=1)
def _poisson(mean: float) -> Occurrences:
    """Return how often each of four units occurs if the numbers have Poisson
    distributions.

    Such numbers, given their total, are those of as many draws with replacement. So the
    units that are still missing in a trial can be drawn one by one.
    """
    chances = np.cumprod([1, *(mean / np.arange(1, 16))])
    of_two = np.outer(chances, chances).ravel() / chances.sum() ** 2
    shares = np.outer(of_two, of_two).ravel() * (1 << 16)
    whole = shares.astype(np.int64)
    rare = np.cumsum(shares - whole)
    return np.repeat(np.arange(1 << 16, dtype=np.uint16), whole), rare / rare[-1]


class Sums:
    """Sums of drawn units. Units are drawn by the numbers of the generator."""

    def __init__(self, random: np.random.Generator) -> None:
        self._random = random

    def add(
        self, scores: Array, sums: Array, numbers: NDArray[np.uint16], chances: Array
    ) -> None:
        """Add scores (units x columns) to trials x columns, as often as they occur
        in each trial.
        """
        # The units of a number, and the bits of each.
        if len(chances):
            size = 4
            bits = 4
        else:
            size = 8
            bits = 1
        half = 1 << size * bits // 2
        shifts = np.arange(0, size * bits // 2, bits)
        times = np.arange(half)[:, None] >> shifts & (1 << bits) - 1

        def sums_of_half(units: Array) -> Array:
            of_half: Array = sum(map(np.multiply.outer, times.T, units))
            return of_half

        for start in range(0, len(scores), size * size):
            words = self._random.bit_generator.random_raw(len(sums)).astype("<u8")
            drawn = words.view(f"<u{8 // size}").reshape(-1, size)
            rare = drawn >= len(numbers)
            drawn[~rare] = numbers[drawn[~rare]]
            drawn[rare] = np.searchsorted(
                chances, self._random.random(rare.sum()), "right"
            )

            units = np.zeros((size * size, scores.shape[1]))
            units[: len(scores) - start] = scores[start : start + len(units)]
            groups = units.reshape(size, 2, size // 2, -1)
            for (low_units, high_units), selected in zip(groups, drawn.T, strict=True):
                low = sums_of_half(low_units)
                high = sums_of_half(high_units)
                sums += low[selected % half] + high[selected // half]

    def complete(self, scores: Array, sums: Array) -> None:
        """Draw units for each trial until it has as many as there are; the last
        column counts them.
        """
        missing = np.maximum(len(scores) - sums[:, -1], 0).astype(np.int64)
        for part in parts(len(sums), len(scores), _NUMBERS):
            drawn = self._random.integers(0, len(scores), missing[part].sum())
            trials = np.repeat(np.arange(len(missing[part])), missing[part])
            columns = [
                np.bincount(trials, column[drawn], len(missing[part]))
                for column in scores.T
            ]
            sums[part] += np.array(columns).T


@twin
def sums_of(random: np.random.Generator) -> Sums:
    """Return the sums of units that a generator draws."""
    return Sums(random)


def number_clusters(clusters: Sequence[object]) -> tuple[int, list[int]]:
    """Return the number of clusters, and the number of the cluster of each eval."""
    numbers = {name: number for number, name in enumerate(dict.fromkeys(clusters))}
    return len(numbers), [numbers[name] for name in clusters]


def parts(total: int, width: int, most: int) -> Iterator[slice]:
    """Yield slices of `total` rows of that width; a slice has at most `most`
    numbers.
    """
    size = max(1, most // max(width, 1))
    for start in range(0, total, size):
        yield slice(start, min(start + size, total))


@lru_cache(maxsize=1)  # all levels and coefficients share them
def of_both(
    shape: tuple[int, ...],
    over: str,
    trials: int,
    seed: int,
    clusters: tuple[str, ...] = (),
) -> tuple[Array, Array]:
    """Return how often trials have each system (trials x systems) and each eval (trials
    x evals).

    Args:
        shape: The numbers of systems and evals.
        over: What is drawn, with replacement: evals, systems or both.
        clusters: The cluster of each eval, if clusters are drawn as a whole.
    """
    random = np.random.default_rng(seed)
    number_of_systems, number_of_evals = shape
    number, unit_of_evals = number_clusters(clusters or range(number_of_evals))

    systems = np.ones((trials, number_of_systems))
    if over != "evals":
        systems = _draw_times(random, number_of_systems, trials)
    units = np.ones((trials, number))
    if over != "systems":
        units = _draw_times(random, number, trials)
    return systems, units.take(unit_of_evals, axis=1)


def _draw_times(random: np.random.Generator, size: int, trials: int) -> Array:
    """Draw as many units as there are, with replacement; return how often each trial
    has each unit.
    """
    times = random.multinomial(size, np.full(size, 1 / size), trials)
    return times.astype(np.float64)


@lru_cache(maxsize=1)  # all pairs of metrics share them
def swaps(
    shape: tuple[int, ...], over: str, trials: int, seed: int
) -> tuple[Mask, Mask]:
    """Return what two metrics exchange: trials x systems, trials x evals; nothing in
    the first trial.

    They exchange the scores of a system in an eval if one of the two is drawn, but not
    both.
    """
    random = np.random.default_rng(seed)
    number_of_systems, number_of_evals = shape
    systems = random.random((trials + 1, number_of_systems)) > 0.5
    evals = random.random((trials + 1, number_of_evals)) > 0.5
    systems &= over != "evals"
    evals &= over != "systems"
    systems[0] = False
    evals[0] = False
    return systems, evals


def of_references(
    tasks: Sequence[EvalTask], over: str, trials: int, seed: int
) -> Iterator[list[EvalTask]]:
    """Yield the tasks of each trial: each has as many of its references as it has, with
    replacement.

    Args:
        over: As in `Plan`; if evals are drawn, too, tasks are also drawn with
            replacement.
    """
    random = np.random.default_rng(seed)

    def draw(size: int) -> Sequence[int]:
        if not size:
            return []
        indices: list[int] = random.integers(0, size, size).tolist()
        return indices

    for _ in range(trials):
        indices_of_tasks: Sequence[int] = range(len(tasks))
        if over != "references":
            indices_of_tasks = draw(len(tasks))
        drawn = []
        for number, index in enumerate(indices_of_tasks):
            task = tasks[index]
            texts = [text for _, text in task.references]
            indices = draw(len(texts))
            references = [
                (str(name), texts[reference]) for name, reference in enumerate(indices)
            ]
            drawn.append(task._replace(eval_id=str(number), references=references))
        yield drawn
