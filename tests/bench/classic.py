#!/usr/bin/env python3
"""Measure whole processes of the drop-in and the live original in turn, and compare all outputs."""

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from measure import (
    KERNELS,
    LEFT_OUT,
    OURS,
    Measured,
    apart,
    in_turn,
    measure,
    rounds,
    section,
    summed_up,
    times_faster,
)
from original import Missing, find
from workloads import SMALL, W1, W2, Workload

COLUMNS = (
    "workload", "evals x systems x references", "sentences x words", "options",
    "original", *KERNELS, *(f"{kernels}, times faster" for kernels in KERNELS),
)  # fmt: skip
ROUNDS = 5


def programs(arguments: Sequence[str], folder: Path) -> dict[str, Callable[[], Measured]]:
    """Return the original, and the drop-in with both kernels; each writes a file of its name.

    The script ends if the original is not available.
    """
    original = find()
    if isinstance(original, Missing):
        print(f"no live original to measure: {original}", file=sys.stderr)
        raise SystemExit(LEFT_OUT)
    theirs = partial(measure, [*original.command, *arguments], folder / "original")
    ours = {kernels: partial(measure, [OURS, *arguments], folder / kernels, kernels) for kernels in KERNELS}
    return {"original": theirs, **ours}


def compared(workload: Workload, count: int, folder: Path) -> dict[str, list[Measured]]:
    """Return the runs of each program; raise SystemExit if their last outputs differ."""
    apart(f"write({workload!r}, Path({str(folder / workload.name)!r}))")
    settings = str(folder / workload.name / "settings.xml")
    every = programs([*workload.options.split(), settings], folder)
    for kernels in KERNELS:
        every[kernels]()  # fills caches of files and bytecode, and is not counted
    runs = in_turn(every, count)
    if len({(folder / name).read_bytes() for name in every}) > 1:
        raise SystemExit(f"{workload.name}: the outputs differ")
    return runs


def rows(count: int) -> Iterator[list[str]]:
    """Yield a row for each workload; the small one gets four times the rounds."""
    for workload in (W1, W2, SMALL):
        with tempfile.TemporaryDirectory() as folder:
            by_program = compared(workload, count * 4 if workload is SMALL else count, Path(folder))
        cells = ["{:.3f} s, {:.0f} MB".format(*summed_up(runs)) for runs in by_program.values()]
        theirs, *ours = ([run.seconds for run in runs] for runs in by_program.values())
        yield [
            workload.name, f"{workload.evals} x {workload.predictions} x {workload.references}",
            f"{workload.sentences} x {workload.words}", f"`{workload.options}`", *cells,
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
({count * 4} for the small workload). "Times faster" is the median of the ratios within a round. All outputs
were equal.
"""


if __name__ == "__main__":
    number = rounds(ROUNDS)
    section("Compared with the original", text(number), COLUMNS, rows(number))
