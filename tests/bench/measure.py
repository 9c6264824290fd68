#!/usr/bin/env python3
"""Measure whole processes, ours and the live original in turn, and write docs/benchmarks.md.

usage: tests/bench/measure.py [ROUNDS]

Machines are noisy: the programs take turns, medians are quoted, and what counts is the ratio within a
round. Every run's output is compared, so that no figure is of a wrong result.
"""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import datetime, timezone
from pathlib import Path
from typing import NamedTuple

from workloads import SMALL, W1, W2, Workload, write

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "compat" / "conformance"))

from original import Missing, find  # noqa: E402 - after the path to it is known

import rouge_cli  # noqa: E402 - as above

COLUMNS = (
    "workload", "evals x peers x models", "sentences x words", "options",
    "original", "compiled", "python", "compiled, times faster", "python, times faster",
)  # fmt: skip
OURS = [str(Path(sys.executable).with_name("ROUGE-1.5.5.pl"))]
KERNELS = ("compiled", "python")  # in the order of Round


class Measured(NamedTuple):
    """One run of a process: wall time, and peak memory of the process itself."""

    seconds: float
    megabytes: float


class Round(NamedTuple):
    """One run each: the original, ours with compiled and with readable kernels."""

    original: Measured
    compiled: Measured
    python: Measured


def measure(command: list[str], output: Path, kernels: str) -> Measured:
    """Run a command to its end; raises where it fails."""
    environment = {**os.environ, "ROUGE_CLI_KERNELS": kernels}
    with output.open("wb") as stdout:
        started = time.perf_counter()
        process = subprocess.Popen(command, stdout=stdout, stderr=subprocess.DEVNULL, env=environment)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return Measured(seconds, usage.ru_maxrss / 1024)


def rounds(workload: Workload, theirs: list[str], count: int, folder: Path) -> list[Round]:
    """`count` rounds of all programs in turn, after one of ours that is not counted."""
    settings = str(write(workload, folder / workload.name))
    arguments = [*workload.options.split(), settings]
    outputs = [folder / "original", *(folder / kernels for kernels in KERNELS)]
    for kernels in KERNELS:
        measure([*OURS, *arguments], outputs[1], kernels)
    found = []
    for _ in range(count):
        original = measure([*theirs, *arguments], outputs[0], "")
        ours = [
            measure([*OURS, *arguments], output, kernels)
            for kernels, output in zip(KERNELS, outputs[1:], strict=True)
        ]
        found.append(Round(original, *ours))
        if len({output.read_bytes() for output in outputs}) > 1:
            raise SystemExit(f"{workload.name}: the outputs differ")
    return found


def row(workload: Workload, found: list[Round]) -> str:
    """A line of the table."""
    cells = [
        workload.name,
        f"{workload.evals} x {workload.peers} x {workload.models}",
        f"{workload.sentences} x {workload.words}",
        f"`{workload.options}`",
    ]
    for runs in zip(*found, strict=True):
        seconds = statistics.median(one.seconds for one in runs)
        cells.append(f"{seconds:.3f} s, {max(one.megabytes for one in runs):.0f} MB")
    for name in ("compiled", "python"):
        ratio = statistics.median(one.original.seconds / getattr(one, name).seconds for one in found)
        cells.append(f"**{ratio:.1f}**")
    return f"| {' | '.join(cells)} |"


def perl() -> str:
    """Perl's version."""
    command = ["perl", "-e", "print $^V"]
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout


def main(arguments: list[str]) -> int:
    """Measure all workloads and write the table."""
    original = find()
    if isinstance(original, Missing):
        print(f"no live original to measure against: {original}", file=sys.stderr)
        return 3
    count = int(arguments[0]) if arguments else 5
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        for workload in (W1, W2, SMALL):
            repeats = count * 4 if workload is SMALL else count
            lines.append(row(workload, rounds(workload, original.command, repeats, Path(folder))))
            print(lines[-1], flush=True)
    today = datetime.now(timezone.utc).date()
    (ROOT / "docs" / "benchmarks.md").write_text(
        f"""\
# Benchmarks
Written by `make bench` on {today}: {platform.machine()}, {os.cpu_count()} cores, {platform.system()};
rouge-cli {rouge_cli.__version__} on Python {platform.python_version()}, the original on Perl {perl()}.
Whole processes, start to exit, in turn; medians of {count} rounds ({count * 4} of the small one) and peak
memory, and the median of the ratios within a round. All outputs were equal.

| {" | ".join(COLUMNS)} |
|{" --- |" * len(COLUMNS)}
"""
        + "\n".join(lines)
        + "\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
