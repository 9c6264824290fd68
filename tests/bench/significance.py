#!/usr/bin/env python3
"""Are the tests of `compare` right, and fast: the tables of docs/significance.md.

usage: tests/bench/significance.py

Calibration: 1,000 pairs of equal systems, of which about 5% should get p < 0.05. Power: the same with a
true difference, which should be found the more often the more evals there are. Speed: 50 systems, 44 evals,
all pairs, 10,000 trials, both tests, median of five runs.
"""

from __future__ import annotations

import statistics
import time
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from rouge_cli.scoring import significance

if TYPE_CHECKING:
    from numpy.typing import NDArray

PAIRS, TRIALS, SEED = 1000, 2000, 1
EVALS = (5, 10, 20, 44, 100, 200)
DIFFERENCE = 0.02
ROUNDS = 5


def simulated(systems: int, evals: int, difference: float, seed: int = SEED) -> NDArray[np.float64]:
    """Scores like those of ROUGE: pairs of systems (rows 0 and 1, 2 and 3, ...) on topics of their own.

    Topics differ (0.08), and so does what a system makes of one (0.05, skewed). The first of each pair is
    better by the difference.
    """
    random = np.random.default_rng(seed)
    topics = random.normal(0.35, 0.08, (systems // 2, evals))
    noise = random.gamma(2, 0.05 / np.sqrt(2), (systems, evals))
    scores: NDArray[np.float64] = np.repeat(topics, 2, axis=0) + noise
    scores[::2] += difference
    return scores


def rates(evals: int, difference: float) -> tuple[float, float]:
    """How many of the pairs get p < 0.05, by randomization and by the paired bootstrap."""
    scores = simulated(2 * PAIRS, evals, difference)
    pairs = [(place, place + 1) for place in range(0, 2 * PAIRS, 2)]
    found = significance.differences(scores, pairs, TRIALS, SEED, 95)
    return float((found.randomization < 0.05).mean()), float((found.bootstrap < 0.05).mean())


def seconds() -> float:
    """What all pairs of 50 systems on 44 evals take, with 10,000 trials of both tests."""
    scores = simulated(50, 44, DIFFERENCE)
    pairs = list(combinations(range(50), 2))
    times = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        significance.differences(scores, pairs, 10_000, SEED, 95)
        times.append(time.perf_counter() - started)
    return statistics.median(times)


def main() -> None:
    """Print the tables."""
    head = "randomization, equal | bootstrap, equal"
    print(f"| evals | {head} | randomization, +{DIFFERENCE} | bootstrap, +{DIFFERENCE} |")
    print("| ---: | ---: | ---: | ---: | ---: |")
    for evals in EVALS:
        cells = [*rates(evals, 0), *rates(evals, DIFFERENCE)]
        print(f"| {evals} | {' | '.join(f'{cell:.3f}' for cell in cells)} |")
    print(f"\n50 systems, 44 evals, 1225 pairs, 10,000 trials, both tests: {seconds():.2f} s")


if __name__ == "__main__":
    main()
