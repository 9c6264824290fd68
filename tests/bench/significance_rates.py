#!/usr/bin/env python3
"""Calibrate the tests of `compare`: how often they find differences between systems
that are equal.

`make calibrate` writes the table into docs/how-to/significance.md. The rows "REALSumm"
draw from the paired differences of REALSumm's published ROUGE-2 F, centred for each
pair of systems. Without the data, they are left out.
"""

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import combinations

import numpy as np
from measure import ROOT, section
from numpy.typing import NDArray

from rouge_cli.results.comparison import Plan
from rouge_cli.studies import matrix, paired

Array = NDArray[np.float64]
Generator = np.random.Generator

REALSUMM = ROOT.parent / "shared" / "golden" / "realsumm" / "abstractive.jsonl"
PAIRS, TRIALS, SEED = 16_000, 2000, 1
SIZES = (5, 10, 20, 50, 100, 1000)
NAMES = ("normal", "skewed", "tied", "REALSumm")
COLUMNS = ("evals", *(f"{p}: {name}" for p in ("p", "p boot") for name in NAMES))
ABOUT = f"""
How often equal systems differ: the share of {PAIRS:,} simulated pairs with p below 0.05 by randomization,
and by the bootstrap, whose 95% interval then excludes 0. It should be 0.05, with a standard error of
{(0.05 * 0.95 / PAIRS) ** 0.5:.4f}. A star: `compare` warns that randomization finds fewer differences,
since there are few evals or many ties. REALSumm: differences of its 12 systems in ROUGE-2 F, drawn from
its 100 documents.
"""
PAGES = ("docs/reference/benchmarks.md", "docs/how-to/significance.md")


def normal(random: Generator, pairs: int, evals: int) -> tuple[Array, Array]:
    """Return normal scores of pairs of systems, on topics of different difficulty."""
    topics = random.normal(0.35, 0.08, (pairs, evals))
    return tuple(topics + random.normal(0, 0.05, (pairs, evals)) for _ in "ab")  # type: ignore[return-value]


def skewed(random: Generator, pairs: int, evals: int) -> tuple[Array, Array]:
    """Return scores with skewed deviations."""
    topics = random.normal(0.35, 0.08, (pairs, evals))
    return tuple(topics + random.gamma(1, 0.05, (pairs, evals)) for _ in "ab")  # type: ignore[return-value]


def tied(random: Generator, pairs: int, evals: int) -> tuple[Array, Array]:
    """Return scores in four steps, of which many are equal."""
    return tuple(random.integers(0, 4, (pairs, evals)) / 4 for _ in "ab")  # type: ignore[return-value]


def realsumm(random: Generator, pairs: int, evals: int) -> tuple[Array, Array]:
    """Return differences of REALSumm's systems, drawn from those of 100 documents."""
    differences = realsumm_differences()
    differences -= differences.mean(axis=1, keepdims=True)
    drawn = (
        random.integers(0, len(differences), (pairs, 1)),
        random.integers(0, 100, (pairs, evals)),
    )
    return differences[drawn], np.zeros((pairs, evals))


def realsumm_differences() -> Array:
    """Return the differences in ROUGE-2 F of each pair of systems in each document."""
    scores: dict[str, list[float]] = {}
    for line in REALSUMM.read_text("utf-8").splitlines():
        record = json.loads(line)
        scores.setdefault(record["system"], []).append(
            record["published"]["ROUGE-2"]["f"]
        )
    return np.array([np.subtract(*pair) for pair in combinations(scores.values(), 2)])


POPULATIONS: dict[str, Callable[[Generator, int, int], tuple[Array, Array]]] = {
    "normal": normal, "skewed": skewed, "tied": tied, "REALSumm": realsumm,
}  # fmt: skip


def rates(name: str, evals: int, pairs: int = PAIRS) -> tuple[str, str]:
    """Return the shares of pairs with p < 0.05 by randomization, with its star, and
    by the bootstrap.
    """
    if name == "REALSumm" and not REALSUMM.is_file():
        return "-", "-"
    first, second = POPULATIONS[name](np.random.default_rng(SEED), pairs, evals)
    scores = np.stack([first, second], axis=1).reshape(2 * pairs, evals)
    neighbours = [(row, row + 1) for row in range(0, 2 * pairs, 2)]
    (result,) = paired.differences(
        [matrix.Sample(scores, scores, neighbours)], Plan(trials=TRIALS)
    )
    attained = [
        paired.attained_level(row, 0.05, TRIALS) for row in (first - second)[:100]
    ]
    star = "*" if np.mean(attained) < 0.9 * 0.05 else ""
    return (
        f"{(result.randomization < 0.05).mean():.3f}{star}",
        f"{(result.bootstrap < 0.05).mean():.3f}",
    )


def calibration() -> Iterator[list[str]]:
    """Yield a row for each number of evals."""
    for evals in SIZES:
        by_name = [rates(name, evals) for name in NAMES]
        yield [
            str(evals),
            *(rate for by_test in zip(*by_name, strict=True) for rate in by_test),
        ]


def write(table: str) -> None:
    """Replace the table in the pages."""
    rows = [line for line in table.splitlines() if line.startswith("|")]
    for path in (ROOT / name for name in PAGES):
        page = path.read_text("utf-8")
        path.write_text(
            re.sub(
                r"\| evals \| p: .*?\n\n",
                "\n".join(rows) + "\n\n",
                page,
                flags=re.DOTALL,
            ),
            "utf-8",
        )


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        write(
            subprocess.run(
                [sys.executable, __file__], capture_output=True, check=True, text=True
            ).stdout
        )
    else:
        command = "rouge_cli.studies.paired.differences(samples, plan)"
        without = "power, corrections for several pairs, and correlations"
        section(
            "Tests between systems: calibration",
            ABOUT,
            command,
            without,
            COLUMNS,
            calibration(),
        )
