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
ROUGE_CLI = str(Path(sys.executable).with_name("rouge-cli"))
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


def _apart(call: str) -> None:
    """Make data in another process: what a child may be said to use includes what its parent uses."""
    code = f"from pathlib import Path; from workloads import *; {call}"
    subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parent, check=True)


def score_rows(folder: Path) -> list[str]:
    """Lines on `rouge-cli score` over as many pairs as CNN/DailyMail's test set has; medians of 3 runs."""
    _apart(f"write_pairs(Path({str(folder)!r}), 11_490)")
    arguments = [
        "score",
        "--hyp",
        str(folder / "hyp"),
        "--ref",
        str(folder / "ref"),
        "--sentences",
        "mark:<q>",
    ]
    lines = []
    for options in ("", "-j 2", "--samples 0", "--dialect google", "--dialect google --samples 1000"):
        for kernels in KERNELS:
            runs = [
                measure([ROUGE_CLI, *arguments, *options.split()], folder / "out", kernels)
                for _ in range(3)
            ]
            seconds = statistics.median(one.seconds for one in runs)
            peak = max(one.megabytes for one in runs)
            lines.append(f"| `{options or 'as it is'}` | {kernels} | {seconds:.2f} s | {peak:.0f} MB |")
            print(lines[-1], flush=True)
    return lines


def long_rows(folder: Path) -> list[str]:
    """Lines on two texts of one long line each, compiled."""
    lines = []
    for words in (20_000, 100_000):
        _apart(f"write_long(Path({str(folder)!r}), {words})")
        for options in ("-n 2 -x", "", "-x -2 4 -u", "-x -2 -1", "-x -w 1.2"):
            command = [*OURS, *options.split(), "-z", "SPL", str(folder / f"list{words}")]
            run = measure(command, folder / "out", "compiled")
            lines.append(
                f"| {words} | `{options or 'ROUGE-L'}` | {run.seconds:.2f} s | {run.megabytes:.0f} MB |"
            )
            print(lines[-1], flush=True)
    return lines


def pair_rows() -> list[str]:
    """Lines on Google's definition, by the script that measures it in process."""
    lines = []
    for kernels in KERNELS:
        script = str(Path(__file__).with_name("pairs.py"))
        environment = {**os.environ, "ROUGE_CLI_KERNELS": kernels}
        printed = subprocess.run(
            [sys.executable, script], env=environment, capture_output=True, check=True, text=True
        ).stdout
        print(printed, flush=True)
        lines += printed.splitlines()
    return lines


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
        pairs, scored, long = pair_rows(), score_rows(Path(folder)), long_rows(Path(folder))
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
        + """

## Google's definition, in process
2,000 pairs of 100 words in one line or five; rouge1, rouge2, rougeL, rougeLsum; one core; medians of 5
rounds in turn (of 100 pairs for rouge-score). The last column is a program's time by that of ours there.

| program | lines | way | stemming | a pair | times ours |
| --- | --- | --- | --- | --- | --- |
"""
        + "\n".join(pairs)
        + """

## rouge-cli score
11,490 pairs (the size of CNN/DailyMail's test set) of three sentences of 18 words; ROUGE-1, 2 and L, and
the four of Google's; 1,000 samples for ROUGE-1.5.5. Whole processes, medians of 3.

| options | kernels | time | peak memory |
| --- | --- | --- | --- |
"""
        + "\n".join(scored)
        + """

## Long texts
Two texts of one line each, through the drop-in, compiled, one run.

| words | options | time | peak memory |
| --- | --- | --- | --- |
"""
        + "\n".join(long)
        + "\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
