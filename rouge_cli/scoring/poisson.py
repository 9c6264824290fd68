"""The Poisson bootstrap: in each sample, an eval occurs as often as it draws by itself.

The usual bootstrap draws n of n evals, and needs all of them at once. Here each eval
draws its number of occurrences in every sample from Poisson's distribution with the
mean 1, which the former approaches (Chamandy et al. 2012). A sample is then a few sums,
and the samples of parts of a run add up to those of the whole.

The draws of an eval depend on the run's seed and on the eval's ID, and on nothing else.
They are the words of SplitMix64 (Steele et al. 2014) from a state of these two: a word
is known by its place, so that no generator is kept. Sums are whole numbers of small
units, which have the same sum in any order.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from math import e, factorial

from rouge_cli.twins import twin

WORD = 1 << 64
STEP = 0x9E3779B97F4A7C15  # of SplitMix64
# FNV-1a's, for the bytes of an ID
FNV_START, FNV_PRIME = 0xCBF29CE484222325, 0x100000001B3
DRAW = 1 << 16  # four draws are made of a word


def _limits() -> list[int]:
    """Return the limits of draws: as many of them as a draw reaches, so often the eval
    occurs. Each is Poisson's chance of at most 0, 1, ... occurrences.
    """
    limits: list[int] = []
    chance = 0.0
    while round(chance * DRAW) < DRAW:
        chance += 1 / (e * factorial(len(limits)))
        limits.append(round(chance * DRAW))
    return limits[:-1]


LIMITS = _limits()


def mixed(word: int) -> int:
    """Return a word of 64 bits whose bits all depend on all bits of the word."""
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 % WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB % WORD
    return word ^ word >> 31


def key_of(eval_id: str, seed: int) -> int:
    """Return the state from which an eval draws."""
    word = FNV_START
    for byte in eval_id.encode("utf-8", "surrogatepass"):
        word = (word ^ byte) * FNV_PRIME % WORD
    return mixed(word ^ mixed(seed % WORD))


def occurrences(key: int, samples: int) -> list[int]:
    """Return how often the eval with this key occurs in each sample."""
    numbers: list[int] = []
    place = 0
    while len(numbers) < samples:
        place += 1
        word = mixed((key + place * STEP) % WORD)
        for _ in range(4):
            numbers.append(bisect_right(LIMITS, word % DRAW))
            word //= DRAW
    return numbers[:samples]


@twin
def add_draws(
    sums: array[int],
    keys: Sequence[int],
    columns: Sequence[Sequence[float]],
    units: float,
) -> array[int]:
    """Add evals to the sums of each sample, and return these.

    The first sample has every eval once: it shows what rounding to units changes.

    Args:
        sums: The number of evals in each sample, and then for each column its sum in
            each sample, in units.
        keys: Of the evals.
        columns: Finite numbers of the evals.
        units: How many make 1.

    Raises:
        OverflowError: A sum does not fit in 64 bits.
    """
    samples = len(sums) // (1 + len(columns))
    for place, key in enumerate(keys):
        numbers = [1]
        for column in columns:
            numbers.append(round(column[place] * units))
        for sample, drawn in enumerate(occurrences(key, samples)):
            times = drawn if sample else 1
            for index, number in enumerate(numbers):
                sums[index * samples + sample] += times * number
    return sums


@twin
def keys_of(ids: Sequence[str], seed: int) -> array[int]:
    """Return the keys of evals, as 64 bits each."""
    return array("Q", [key_of(eval_id, seed) for eval_id in ids])
