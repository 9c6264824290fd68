#!/usr/bin/env python3
"""Measure time against the number of pairs, the words of a line, and the number of
systems.

The script also writes docs/reference/benchmarks-size.svg. If it runs by itself, the
picture and the table of the page come from different runs.
"""

import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path

from classic import compared
from measure import KERNELS, ROOT, rounds, section, times_faster
from workloads import W1, Workload

# Variable -> program -> (size, seconds), the smallest first.
Curves = dict[str, dict[str, list[tuple[int, float]]]]

PICTURE = ROOT / "docs" / "reference" / "benchmarks-size.svg"
TEXT = f"""
![Time against size: the original, rouge-cli in plain Python, rouge-cli compiled]({PICTURE.name})

Whole processes with W1's options, `{W1.options}`: medians of {{}} rounds. All outputs were equal.
Pairs: a prediction and a reference, both of five sentences of 20 words. Words per line: one pair of
texts of one line. Systems: 5 evals of two references, five sentences of 20 words.
"""
COLUMNS = (
    "variable",
    "size",
    "original",
    *KERNELS,
    *(f"{kernels}, times faster" for kernels in KERNELS),
)
SIZES = {
    "pairs": (1, 10, 100, 1000),
    "words per line": (10, 100, 300, 1000, 3000),
    "systems": (1, 3, 10, 30, 100),
}
# Program -> its name in the picture, colour and marker; colours by Okabe and Ito, for
# colour-blind readers.
LOOKS = {
    "original": ("ROUGE-1.5.5.pl (Perl)", "#D55E00", "s"),
    "compiled": ("rouge-cli, compiled", "#000000", "^"),
    "python": ("rouge-cli, plain Python", "#0072B2", "o"),
}


def workload(what: str, size: int) -> Workload:
    """Return a workload of that size in one variable, in which little else costs
    time.
    """
    name = f"{what.replace(' ', '-')}-{size}"
    return {
        "pairs": Workload(name, size, 1, 1, 5, 20, W1.options),
        "words per line": Workload(name, 1, 1, 1, 1, size, W1.options),
        "systems": Workload(name, 5, size, 2, 5, 20, W1.options),
    }[what]


def rows(count: int, curves: Curves) -> Iterator[list[str]]:
    """Yield a row for each size, and collect the medians in `curves`."""
    for what, sizes in SIZES.items():
        curves[what] = {name: [] for name in LOOKS}
        for size in sizes:
            with tempfile.TemporaryDirectory() as folder:
                by_program = compared(workload(what, size), count, Path(folder))
            times = {name: [run.seconds for run in by_program[name]] for name in LOOKS}
            medians = {name: statistics.median(some) for name, some in times.items()}
            for name, median in medians.items():
                curves[what][name].append((size, median))
            yield [
                what, f"{size:,}", *(f"{median:.3f} s" for median in medians.values()),
                *(times_faster(times["original"], times[kernels]) for kernels in KERNELS),
            ]  # fmt: skip


def draw(curves: Curves) -> None:
    """Write the picture: a panel for each variable, all with the same time axis."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    # Without salt and date, equal numbers would give different files.
    with mpl.rc_context({"font.size": 8, "svg.hashsalt": PICTURE.name}):
        figure = Figure(figsize=(7.2, 2.8), layout="constrained")
        panels = figure.subplots(1, len(curves), sharey=True)
        for panel, (what, by_program) in zip(panels, curves.items(), strict=True):
            for program, (label, colour, marker) in LOOKS.items():
                panel.loglog(
                    *zip(*by_program[program], strict=True),
                    color=colour,
                    marker=marker,
                    label=label,
                )
            panel.set_xlabel(what)
            panel.grid(color="0.9")
            panel.xaxis.set_major_formatter("{x:,.0f}")
            panel.yaxis.set_major_formatter("{x:g}")
        panels[0].set_ylabel("seconds")
        figure.legend(
            *panels[0].get_legend_handles_labels(),
            loc="outside upper center",
            ncols=len(LOOKS),
        )
        figure.savefig(PICTURE, metadata={"Date": None})


if __name__ == "__main__":
    number = rounds(3)
    measured: Curves = {}
    without = "other options, inputs besides SEE, and more than one thread"
    command = f"ROUGE-1.5.5.pl {W1.options} settings.xml"
    section(
        "Cost against size",
        TEXT.format(number),
        command,
        without,
        COLUMNS,
        rows(number, measured),
    )
    draw(measured)
