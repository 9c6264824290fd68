#!/usr/bin/env python3
"""Measure whole processes of the drop-in and the live original in turn, and compare
all outputs.
"""

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from measure import (
    IN_PYTHON,
    LEFT_OUT,
    OURS,
    Measured,
    apart,
    in_turn,
    measure,
    rate,
    rounds,
    section,
    summed_up,
    times_faster,
)
from original import Missing, find
from workloads import SMALL, W1, W2, Workload

# Column -> the program and its kernels. "Compiled" is the executable.
PROGRAMS = {
    "compiled": (OURS, "compiled"),
    "without the executable": (IN_PYTHON, "compiled"),
    "python": (OURS, "python"),
}
COLUMNS = (
    "workload", "evals x systems x references", "sentences x words", "options",
    "original", *PROGRAMS, "compiled, MB/s", *(f"{name}, times faster" for name in PROGRAMS),
)  # fmt: skip
ROUNDS = 5


def programs(
    arguments: Sequence[str], folder: Path
) -> dict[str, Callable[[], Measured]]:
    """Return the original, and the drop-in in each way; each writes a file of its name.

    The script ends if the original is not available.
    """
    original = find()
    if isinstance(original, Missing):
        print(f"no live original to measure: {original}", file=sys.stderr)
        raise SystemExit(LEFT_OUT)
    theirs = partial(measure, [*original.command, *arguments], folder / "original")
    ours = {
        name: partial(measure, [program, *arguments], folder / name, kernels)
        for name, (program, kernels) in PROGRAMS.items()
    }
    return {"original": theirs, **ours}


def compared(workload: Workload, count: int, folder: Path) -> dict[str, list[Measured]]:
    """Return the runs of each program; raise SystemExit if their last outputs
    differ.
    """
    apart(f"write({workload!r}, Path({str(folder / workload.name)!r}))")
    settings = str(folder / workload.name / "settings.xml")
    every = programs([*workload.options.split(), settings], folder)
    for name in PROGRAMS:
        every[name]()  # fills caches of files and bytecode, and is not counted
    runs = in_turn(every, count)
    if len({(folder / name).read_bytes() for name in every}) > 1:
        raise SystemExit(f"{workload.name}: the outputs differ")
    return runs


def rows(count: int) -> Iterator[list[str]]:
    """Yield a row for each workload; the small one gets four times the rounds."""
    for workload in (W1, W2, SMALL):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            by_program = compared(
                workload, count * 4 if workload is SMALL else count, folder
            )
            megabytes = (
                sum(file.stat().st_size for file in folder.rglob("*.html")) / 1e6
            )
        cells = [
            "{:.3f} s, {:.0f} MB".format(*summed_up(runs))
            for runs in by_program.values()
        ]
        theirs, *ours = ([run.seconds for run in runs] for runs in by_program.values())
        yield [
            workload.name, f"{workload.evals} x {workload.predictions} x {workload.references}",
            f"{workload.sentences} x {workload.words}", f"`{workload.options}`", *cells,
            rate(megabytes, by_program["compiled"]),
            *(times_faster(theirs, times) for times in ours),
        ]  # fmt: skip


def perl() -> str:
    """Return Perl's version."""
    command = ["perl", "-e", "print $^V"]
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout


def text(count: int) -> str:
    """Return the text above the table."""
    return f"""
Wall time and peak memory of whole processes, the original on Perl {perl()}: medians of {count} rounds
({count * 4} for the small workload). Compiled is the executable, "without the executable" is
`ROUGE-1.5.5.py`, and python has the readable kernels. "Times faster" is the median of the ratios within a
round. All outputs were equal.
"""


if __name__ == "__main__":
    number = rounds(ROUNDS)
    without = (
        "formats besides SEE, limits, several threads, and an original in other Perls"
    )
    command = "ROUGE-1.5.5.pl OPTIONS settings.xml"
    section(
        "Compared with the original",
        text(number),
        command,
        without,
        COLUMNS,
        rows(number),
    )
