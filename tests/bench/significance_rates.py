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
from rouge_cli.studies import intervals, matrix, paired, power, skew

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
FEWER = 4000  # pairs, in the tables below
ABOUT_CLUSTERS = f"""
Of {FEWER:,} simulated pairs of equal systems whose evals lie in clusters (correlation 0.5 within a cluster): the
share with p below 0.05 by randomization, with p boot below 0.05, and the share of the 95% intervals that contain what
they estimate, of differences and of means. The effective number of clusters is the squared sum of their
sizes, divided by the sum of the squares. Skewed: effects of clusters have an exponential distribution in both
systems; unequal shapes: in one system only.
"""
ABOUT_SHAPES = f"""
Of {FEWER:,} simulated pairs of systems with equal means, of which only one has skewed scores: the share with p below
0.05 by randomization and by the bootstrap, the share of the 95% intervals that contain the difference, and
the share with p below 0.05 of which `compare` warns that the differences are skewed. Rare: one system has a high score in
10% of evals. Lognormal: differences have a skewness of 6. Normal: for comparison.
"""
ABOUT_ZEROS = f"""
Of {FEWER:,} simulated pairs of equal systems with scores of which the given share is 0: the share of the 95%
intervals that contain what they estimate, of differences and of means, and the share that is absent.
Where most are absent, the others are of samples with more scores than usual, and contain the mean more rarely.
"""
ABOUT_EQUIVALENCE = f"""
Of {FEWER:,} simulated pairs of systems that differ by exactly the margin: the share that is called equal, p below
0.05, which should be at most 0.05. Skewed differences have a long tail towards the margin, or away from it;
those of exponential distribution have a skewness of 2, lognormal ones of 6.
"""
ABOUT_POWER = f"""
Of {FEWER:,} simulated pairs of systems with normal differences of the size that `plan` promises to find in 80% of cases:
the share that randomization finds, and the bootstrap, p below 0.05.
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


SIZES_OF_CLUSTERS: dict[str, list[int]] = {
    "20, equal": [15] * 20,
    "20, 5 to 25": [5, 10, 15, 20, 25] * 4,
    "20, geometric": [max(1, round(60 * 0.8**place)) for place in range(20)],
    "20, Pareto": [max(1, round(5 * (20 / (place + 0.5)) ** 0.9)) for place in range(20)],
    "20, one has half": [152] + [8] * 19,
    "6, Pareto": [max(1, round(5 * (6 / (place + 0.5)) ** 0.9)) for place in range(6)],
    "6, one has half": [40] + [8] * 5,
}  # fmt: skip
COLUMNS_OF_CLUSTERS = ["clusters", "effective"]
for _shape in ("normal", "skewed", "unequal shapes"):
    for _figure in ("p", "p boot", "differences", "means"):
        COLUMNS_OF_CLUSTERS.append(f"{_figure}: {_shape}")


def effects(shape: str, random: Generator, clusters: int) -> Array:
    """Return the effects of clusters on both systems of each pair, of variance 1."""
    normal_effects = random.normal(0, 1, (2 * FEWER, clusters))
    if shape == "normal":
        return normal_effects
    skewed_effects = random.exponential(1, (2 * FEWER, clusters)) - 1
    if shape == "unequal shapes":
        skewed_effects[1::2] = normal_effects[1::2]
    return skewed_effects


def calibration_of_clusters() -> Iterator[list[str]]:
    """Yield a row for each selection of sizes of clusters."""
    for name, sizes in SIZES_OF_CLUSTERS.items():
        cluster_of_evals = np.repeat(np.arange(len(sizes)), sizes).tolist()
        cells = [name, f"{matrix.effective_clusters(cluster_of_evals):.1f}"]
        for shape in ("normal", "skewed", "unequal shapes"):
            random = np.random.default_rng(SEED)
            noise = random.normal(0, 1, (2 * FEWER, len(sizes))) / np.sqrt(sizes)
            means = effects(shape, random, len(sizes)) + noise
            # All evals of a cluster have its mean, which is all that the tests use.
            exchanged, resampled = matrix.by_cluster(
                np.repeat(means, sizes, axis=1), cluster_of_evals
            )
            neighbours = [(row, row + 1) for row in range(0, 2 * FEWER, 2)]
            sample = matrix.Sample(
                exchanged,
                resampled,
                neighbours,
                sizes=matrix.unequal_sizes(cluster_of_evals),
            )
            (result,) = paired.differences([sample], Plan(trials=TRIALS))
            low, high = result.means
            for figure in (
                result.randomization < 0.05,
                result.bootstrap < 0.05,
                (result.low <= 0) & (result.high >= 0),
                (low <= 0) & (high >= 0),
            ):
                cells.append(f"{figure.mean():.3f}")
        yield cells


def lognormal(random: Generator, shape: tuple[int, int]) -> Array:
    """Return skewed differences with the mean 0."""
    differences: Array = random.lognormal(0, 1, shape) - np.exp(0.5)
    return differences


def exponential(random: Generator, shape: tuple[int, int]) -> Array:
    """Return less skewed differences with the mean 0."""
    return random.exponential(1, shape) - 1


def rarely_high(random: Generator, shape: tuple[int, int]) -> Array:
    """Return the differences of a system with rare high scores from one without, with
    equal means.
    """
    high = np.where(random.random(shape) < 0.1, 0.9, 0.0)
    return high - 0.09 + random.normal(0, 0.05, shape)


SHAPES: dict[str, Callable[[Generator, tuple[int, int]], Array]] = {
    "normal": lambda random, shape: random.normal(0, 1, shape),
    "exponential": exponential,
    "lognormal": lognormal,
    "rare": rarely_high,
}
COLUMNS_OF_SHAPES = ["unequal shapes"]
for _shape in SHAPES:
    for _figure in ("p", "p boot", "covered", "warned"):
        COLUMNS_OF_SHAPES.append(f"{_figure}: {_shape}")


def calibration_of_shapes() -> Iterator[list[str]]:
    """Yield a row for each number of evals, of systems with unequal shapes."""
    for evals in (8, 20, 50, 100, 250):
        cells = [f"{evals} evals"]
        for draw in SHAPES.values():
            differences = draw(np.random.default_rng(SEED), (FEWER, evals))
            result, _ = bootstrapped(differences, np.zeros_like(differences), evals)
            found = result.randomization < 0.05
            warned = []
            for row in np.flatnonzero(found):
                gaps = differences[row]
                t = gaps.mean() / gaps.std(ddof=1) * np.sqrt(evals)
                skewness = skew.skewness(gaps) or 0
                is_skewed = abs(skewness) > skew.MOST * np.sqrt(evals)
                warned.append(is_skewed and abs(t) <= skew.FAR)
            for figure in (
                found,
                result.bootstrap < 0.05,
                (result.low <= 0) & (result.high >= 0),
                np.array(warned),
            ):
                cells.append(f"{figure.mean():.3f}")
        yield cells


ZEROS = (0.0, 0.3, 0.6, 0.95)
COLUMNS_OF_ZEROS = ["n"]
for _zeros in ZEROS:
    for _figure in ("differences", "means"):
        COLUMNS_OF_ZEROS.append(f"{_figure}: {_zeros:.0%} zeros")


def calibration_of_zeros() -> Iterator[list[str]]:
    """Yield a row for each number of evals, of scores of which many are 0."""

    def drawn(zeros: float) -> Callable[[Generator, int, int], tuple[Array, Array]]:
        def draw(random: Generator, pairs: int, evals: int) -> tuple[Array, Array]:
            shape = (2, pairs, evals)
            is_zero = random.random(shape) < zeros
            first, second = np.where(is_zero, 0, random.beta(2, 6, shape))
            return first, second

        return draw

    for evals in (4, 6, 10, 20, 50, 100, 200, 250):
        cells = [f"n = {evals}"]
        for zeros in ZEROS:
            INTERVALS["zeros"] = (drawn(zeros), (1 - zeros) / 4)
            cells += coverage("zeros", evals, FEWER)
            del INTERVALS["zeros"]
        yield cells


MARGINS: dict[str, Callable[[Generator, tuple[int, int]], Array]] = {
    "normal": SHAPES["normal"],
    "exponential, towards": exponential,
    "exponential, away": lambda random, shape: -exponential(random, shape),
    "lognormal, towards": lognormal,
    "lognormal, away": lambda random, shape: -lognormal(random, shape),
}


def calibration_of_equivalence() -> Iterator[list[str]]:
    """Yield a row for each number of evals, of systems that differ by the margin."""
    for evals in (6, 10, 20, 50, 100, 250):
        cells = [f"{evals} evals at the margin"]
        for draw in MARGINS.values():
            # The margin is so far that the other side is never near.
            margin = 40.0
            differences = margin + draw(np.random.default_rng(SEED), (FEWER, evals))
            scores = np.stack([differences, np.zeros_like(differences)], axis=1)
            scores = scores.reshape(2 * FEWER, evals)
            neighbours = [(row, row + 1) for row in range(0, 2 * FEWER, 2)]
            plan = Plan(trials=TRIALS, equivalence=100 * margin)
            sample = matrix.Sample(scores, scores, neighbours)
            (result,) = paired.differences([sample], plan)
            cells.append(f"{(result.equivalence < 0.05).mean():.3f}")
        yield cells


def calibration_of_power() -> Iterator[list[str]]:
    """Yield a row for each number of evals, of differences that `plan` promises."""
    for evals in (6, 7, 8, 10, 20, 50, 100, 250):
        effect = power.detectable(evals, 0.05, 0.8)
        noise = np.random.default_rng(SEED).normal(0, 1, (FEWER, evals))
        result, _ = bootstrapped(noise + effect, np.zeros_like(noise), evals)
        found = [result.randomization < 0.05, result.bootstrap < 0.05]
        yield [
            f"{evals} evals as planned",
            f"{effect:.2f}",
            *(f"{figure.mean():.3f}" for figure in found),
        ]


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
    for title, about, missing, columns, rows in (
        ("clusters of unequal sizes", ABOUT_CLUSTERS, "plans", COLUMNS_OF_CLUSTERS,
         calibration_of_clusters()),
        ("systems of unequal shapes", ABOUT_SHAPES, "what no eval shows",
         COLUMNS_OF_SHAPES, calibration_of_shapes()),
        ("intervals of many zeros", ABOUT_ZEROS, "shapes other than beta(2, 6)",
         COLUMNS_OF_ZEROS, calibration_of_zeros()),
        ("equivalence at the margin", ABOUT_EQUIVALENCE, "clusters",
         ["margin", *(f"p: {name}" for name in MARGINS)], calibration_of_equivalence()),
        ("power as planned", ABOUT_POWER, "differences that are not normal",
         ["planned", "SD", "p: randomization", "p: bootstrap"], calibration_of_power()),
    ):  # fmt: skip
        section(
            f"Tests between systems: {title}", about, command, missing, columns, rows
        )


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        command = [sys.executable, __file__]
        write(
            subprocess.run(command, capture_output=True, check=True, text=True).stdout
        )
    else:
        main()
