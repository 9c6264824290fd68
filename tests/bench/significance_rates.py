#!/usr/bin/env python3
"""Calibrate the tests and the intervals of `compare`: how often they find differences
between systems that are equal, and how often intervals contain what they estimate.

`make calibrate` writes the tables into docs/how-to/significance.md. The rows "REALSumm"
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
from scipy import stats

from rouge_cli.results.comparison import Plan
from rouge_cli.studies import intervals, matrix, paired

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
FEW = (4, 5, 6, 7, 8, 10, 20, 50)
ABOUT_INTERVALS = f"""
Of {PAIRS:,} simulated pairs of equal systems: the median width of the 95% intervals of normal
differences, in widths of intervals by Student's t; the share of the intervals that contain what they
estimate, of differences and of means; and the share that is absent. Shares have the mean 1/3; of those
that are mostly 0, 60% are 0. With fewer than {intervals.FEWEST} evals, `compare` prints no interval.
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


def shares(random: Generator, pairs: int, evals: int) -> tuple[Array, Array]:
    """Return shares, as of ROUGE-1; their mean is 1/3."""
    return tuple(random.beta(2, 4, (pairs, evals)) for _ in "ab")  # type: ignore[return-value]


def mostly_zero(random: Generator, pairs: int, evals: int) -> tuple[Array, Array]:
    """Return shares of which 60% are 0, as of ROUGE-2; their mean is 0.1."""
    return tuple(
        np.where(
            random.random((pairs, evals)) < 0.6, 0, random.beta(2, 6, (pairs, evals))
        )
        for _ in "ab"
    )  # type: ignore[return-value]


def bootstrapped(
    first: Array, second: Array, evals: int
) -> tuple[paired.Differences, intervals.Drawn]:
    """Return the tests of pairs of systems, and how they were drawn.

    Intervals of too few evals are judged, too, as if there were enough.
    """
    scores = np.stack([first, second], axis=1).reshape(2 * len(first), evals)
    neighbours = [(row, row + 1) for row in range(0, len(scores), 2)]
    plan = Plan(trials=TRIALS)
    (result,) = paired.differences([matrix.Sample(scores, scores, neighbours)], plan)
    units = max(evals, intervals.FEWEST)
    return result, intervals.Drawn(units, "eval", plan.trials, plan.confidence)


def relative_width(evals: int, pairs: int = PAIRS) -> str:
    """Return the median width of an interval of a difference, in widths of the interval
    by Student's t.
    """
    first, second = normal(np.random.default_rng(SEED), pairs, evals)
    result, _ = bootstrapped(first, second, evals)
    error = (first - second).std(axis=1, ddof=1) / np.sqrt(evals)
    widths = (result.high - result.value) / (stats.t.ppf(0.975, evals - 1) * error)
    return f"{np.median(widths):.2f}"


def coverage(name: str, evals: int, pairs: int = PAIRS) -> list[str]:
    """Return two cells, for differences and for means: the share of intervals that
    contain what they estimate, and the share that is absent.
    """
    draw, mean = INTERVALS[name]
    first, second = draw(np.random.default_rng(SEED), pairs, evals)
    result, drawn = bootstrapped(first, second, evals)
    averages = np.stack([first, second], axis=1).reshape(2 * pairs, evals).mean(axis=1)
    differences = [
        intervals.of_difference(value, low, high, intervals.SCORES, drawn).estimate
        for value, low, high in zip(result.value, result.low, result.high, strict=True)
    ]
    means = [
        intervals.of_mean(value, low, high, intervals.SCORES, drawn).estimate
        for value, low, high in zip(averages, *result.means, strict=True)
    ]
    cells = []
    for estimates, truth in ((differences, 0.0), (means, mean)):
        ends = [
            (estimate.low, estimate.high)
            for estimate in estimates
            if estimate.low is not None and estimate.high is not None
        ]
        covered = [low <= truth <= high for low, high in ends]
        absent = 1 - len(ends) / len(estimates)
        cells.append(f"{np.mean(covered):.3f}, {absent:.1%} absent")
    return cells


def calibration_of_intervals() -> Iterator[list[str]]:
    """Yield a row for each small number of evals."""
    for evals in FEW:
        row = [f"{evals} evals", relative_width(evals)]
        for name in INTERVALS:
            row += coverage(name, evals)
        yield row


INTERVALS: dict[str, tuple[Callable[[Generator, int, int], tuple[Array, Array]], float]]
INTERVALS = {"shares": (shares, 1 / 3), "mostly 0": (mostly_zero, 0.1)}
COLUMNS_OF_INTERVALS = ["evals", "width: normal"]
for _name in INTERVALS:
    COLUMNS_OF_INTERVALS += [f"difference: {_name}", f"mean: {_name}"]


def write(tables: str) -> None:
    """Replace the tables in the pages."""
    for table in re.findall(r"(?:^\|.*\n)+", tables, flags=re.MULTILINE):
        head = re.escape(table.partition(":")[0])
        for path in (ROOT / name for name in PAGES):
            page = path.read_text("utf-8")
            path.write_text(
                re.sub(rf"^{head}:(?:.*\n\|)+.*\n", table, page, flags=re.MULTILINE),
                "utf-8",
            )


def main() -> None:
    """Print the tables."""
    command = "rouge_cli.studies.paired.differences(samples, plan)"
    section(
        "Tests between systems: calibration",
        ABOUT,
        command,
        "power, corrections for several pairs, and correlations",
        COLUMNS,
        calibration(),
    )
    section(
        "Tests between systems: intervals",
        ABOUT_INTERVALS,
        command,
        "averages of ROUGE-1.5.5, whose intervals are percentiles",
        COLUMNS_OF_INTERVALS,
        calibration_of_intervals(),
    )


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        command = [sys.executable, __file__]
        write(
            subprocess.run(command, capture_output=True, check=True, text=True).stdout
        )
    else:
        main()
