#!/usr/bin/env python3
"""Measure `compare` and `correlate`."""

import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
from measure import ROUGE_CLI, cells, in_turn, measure, rounds, section
from numpy.typing import NDArray

SPEED = """
Saved scores of one metric. `compare` runs both tests with 10,000 trials; `correlate` computes three
coefficients on three levels, with 1,000 samples for intervals. Whole processes: medians of {} rounds.
"""
COLUMNS = ("command", "systems", "evals", "time", "peak memory")
SIZES = ((10, 44), (50, 44), (200, 44), (50, 400))
SEED = 1
DIFFERENCE = 0.02


def simulated(
    systems: int, evals: int, difference: float, seed: int = SEED
) -> NDArray[np.float64]:
    """Return scores like those of ROUGE: pairs of systems (rows 0 and 1, 2 and 3, ...),
    each on own topics.

    Standard deviations are 0.08 between topics and 0.05 (skewed) between systems on a
    topic. The first of each pair is better by the difference.
    """
    random = np.random.default_rng(seed)
    topics = random.normal(0.35, 0.08, (systems // 2, evals))
    noise = random.gamma(2, 0.05 / np.sqrt(2), (systems, evals))
    scores: NDArray[np.float64] = np.repeat(topics, 2, axis=0) + noise
    scores[::2] += difference
    return scores


def write(systems: int, evals: int, scores: Path, human: Path) -> None:
    """Write simulated scores as `rouge-cli score` saves them, and human scores of
    the same summaries.
    """
    values = simulated(systems, evals, DIFFERENCE).tolist()
    cells = [
        (place, f"s{row}", value)
        for row, some in enumerate(values)
        for place, value in enumerate(some)
    ]
    lines = [
        f"{place},{system},ROUGE-2,{value:.5f}\n" for place, system, value in cells
    ]
    scores.write_text("eval,system,metric,f\n" + "".join(lines), "ascii")
    judged = [
        f"{place},{system},{round(value * 10)}\n" for place, system, value in cells
    ]
    human.write_text("eval,system,score\n" + "".join(judged), "ascii")


def speed(count: int) -> Iterator[list[str]]:
    """Yield a row for each size and command."""
    for systems, evals in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            scores, human = Path(folder, "scores.csv"), Path(folder, "human.csv")
            write(systems, evals, scores, human)
            compare, correlate = (
                [ROUGE_CLI, name, str(scores)] for name in ("compare", "correlate")
            )
            runs = {
                "`compare`, all pairs": partial(measure, [*compare, "--format", "csv"]),
                "`correlate`": partial(measure, [*correlate, str(human)]),
            }
            for name, measurements in in_turn(runs, count).items():
                yield [name, str(systems), str(evals), *cells(measurements)]


if __name__ == "__main__":
    number = rounds(3)
    command = "rouge-cli compare SCORES; rouge-cli correlate SCORES HUMAN"
    without = "scoring of texts, several metrics, and plots"
    section(
        "Tests between systems: speed",
        SPEED.format(number),
        command,
        without,
        COLUMNS,
        speed(number),
    )
