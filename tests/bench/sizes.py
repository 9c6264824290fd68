#!/usr/bin/env python3
"""Measure what grows how: time against the number of pairs, the words of a line, and the number of systems.

Draws docs/reference/benchmarks-size.svg, also when it runs by itself; the page's table is then of
another run.
"""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from classic import compared
from measure import KERNELS, ROOT, rounds, section, times_faster
from workloads import W1, Workload

if TYPE_CHECKING:
    from collections.abc import Iterator

    # What grows -> program -> (size, seconds), the smallest first.
    Curves = dict[str, dict[str, list[tuple[int, float]]]]

PICTURE = ROOT / "docs" / "reference" / "benchmarks-size.svg"
TEXT = f"""
![Time against size: the original, ours in plain Python, ours compiled]({PICTURE.name})

Whole processes with W1's options, `{W1.options}`; medians of {{}} rounds, all outputs equal.
Pairs: a peer and a model of five sentences of 20 words each. Words per line: one pair, one line each.
Systems: 5 evals of two models, five sentences of 20 words.
"""
COLUMNS = ("what grows", "size", "original", *KERNELS, *(f"{kernels}, times faster" for kernels in KERNELS))
SIZES = {
    "pairs": (1, 10, 100, 1000),
    "words per line": (10, 100, 300, 1000, 3000),
    "systems": (1, 3, 10, 30, 100),
}
# Program -> its name in the picture, colour and marker; by Okabe and Ito, for eyes of every kind.
LOOKS = {
    "original": ("ROUGE-1.5.5.pl (Perl)", "#D55E00", "s"),
    "python": ("ours, plain Python", "#0072B2", "o"),
    "compiled": ("ours, compiled", "#000000", "^"),
}


def workload(what: str, size: int) -> Workload:
    """So many of what grows, in a workload where little else costs time."""
    name = f"{what.replace(' ', '-')}-{size}"
    return {
        "pairs": Workload(name, size, 1, 1, 5, 20, W1.options),
        "words per line": Workload(name, 1, 1, 1, 1, size, W1.options),
        "systems": Workload(name, 5, size, 2, 5, 20, W1.options),
    }[what]


def rows(count: int, curves: Curves) -> Iterator[list[str]]:
    """A row for each size; `curves` takes the medians."""
    for what, sizes in SIZES.items():
        curves[what] = {name: [] for name in LOOKS}
        for size in sizes:
            with tempfile.TemporaryDirectory() as folder:
                found = compared(workload(what, size), count, Path(folder))
            times = {name: [run.seconds for run in runs] for name, runs in found.items()}
            medians = {name: statistics.median(some) for name, some in times.items()}
            for name, median in medians.items():
                curves[what][name].append((size, median))
            yield [
                what,
                f"{size:,}",
                *(f"{median:.3f} s" for median in medians.values()),
                *(times_faster(times["original"], times[kernels]) for kernels in KERNELS),
            ]


def draw(curves: Curves) -> None:
    """Write the picture: a panel for each thing that grows, all with the same scale of time."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    # Without salt and date, equal numbers would give different files.
    with mpl.rc_context({"font.size": 8, "svg.hashsalt": PICTURE.name}):
        figure = Figure(figsize=(7.2, 2.8), layout="constrained")
        panels = figure.subplots(1, len(curves), sharey=True)
        for panel, (what, by_program) in zip(panels, curves.items(), strict=True):
            for program, (label, colour, marker) in LOOKS.items():
                panel.loglog(
                    *zip(*by_program[program], strict=True), color=colour, marker=marker, label=label
                )
            panel.set_xlabel(what)
            panel.grid(color="0.9")
            panel.xaxis.set_major_formatter("{x:,.0f}")
            panel.yaxis.set_major_formatter("{x:g}")
        panels[0].set_ylabel("seconds")
        figure.legend(*panels[0].get_legend_handles_labels(), loc="outside upper center", ncols=len(LOOKS))
        figure.savefig(PICTURE, metadata={"Date": None})


if __name__ == "__main__":
    number = rounds(3)
    measured: Curves = {}
    section("Cost against size", TEXT.format(number), COLUMNS, rows(number, measured))
    draw(measured)
