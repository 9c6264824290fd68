#!/usr/bin/env python3
"""Write docs/reference/benchmarks.md: machine and versions, then the output of each
script in this folder.

usage: tests/bench/measure.py [ROUNDS]

A script here measures one thing and ends by `section(...)`, which prints a section of
the page: a title, a text that describes the measurement, the command, what is not
covered, and a table. A new file adds a section. Each also runs by itself:

    tests/bench/score.py [ROUNDS]

Scripts run in the order of their names, each in a process of its own; one without
output (workloads.py) adds no section. Exit status 3 leaves a section out, and stderr
names the missing part. Any other failure ends the run, and no page is written.

Machines are noisy: programs take turns (`in_turn`), times are medians, and the ratio
within a round is the most reliable figure.
"""

import os
import platform
import statistics
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timezone
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(
    0, str(ROOT / "compat" / "conformance")
)  # from which sections import the original
LEFT_OUT = 3

KERNELS = ("compiled", "python")
# The installation of `make bench`, if there is one; an editable installation starts
# more slowly.
_INSTALLED = ROOT / "build" / "installed" / "bin"
_BIN = _INSTALLED if _INSTALLED.exists() else Path(sys.executable).parent
PYTHON = str(_BIN / "python")
ROUGE_CLI = str(_BIN / "rouge-cli")
OURS = str(_BIN / "ROUGE-1.5.5.pl")
IN_PYTHON = str(_BIN / "ROUGE-1.5.5.py")  # the same without the executable

T = TypeVar("T")


class Measured(NamedTuple):
    """One run of a process: wall time, and peak memory of the process itself."""

    seconds: float
    megabytes: float


def measure(
    command: Sequence[str], output: Path = Path(os.devnull), kernels: str = "compiled"
) -> Measured:
    """Run a command to its end, its stdout in `output`; raise CalledProcessError if it
    fails.

    The caller's own memory must be small, because a child's peak memory includes its
    parent's at the fork.
    """
    environment = {**os.environ, "ROUGE_CLI_KERNELS": kernels}
    with output.open("wb") as stdout:
        started = time.perf_counter()
        process = subprocess.Popen(
            command, stdout=stdout, stderr=subprocess.DEVNULL, env=environment
        )
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return Measured(seconds, usage.ru_maxrss / 1024)


def in_turn(programs: Mapping[str, Callable[[], T]], rounds: int) -> dict[str, list[T]]:
    """Return each program's results, round by round: in a round, each runs once."""
    results: dict[str, list[T]] = {name: [] for name in programs}
    for _ in range(rounds):
        for name, run in programs.items():
            results[name].append(run())
    return results


def summed_up(runs: Sequence[Measured]) -> tuple[float, float]:
    """Return the median time, and the maximal memory."""
    return statistics.median(run.seconds for run in runs), max(
        run.megabytes for run in runs
    )


def cells(runs: Sequence[Measured]) -> list[str]:
    """Format the median time, and the maximal memory."""
    seconds, megabytes = summed_up(runs)
    return [f"{seconds:.2f} s", f"{megabytes:.0f} MB"]


def by_kernels(command: Sequence[str], rounds: int) -> dict[str, list[Measured]]:
    """Run a command with both kernels in turn."""
    return in_turn(
        {name: partial(measure, command, kernels=name) for name in KERNELS}, rounds
    )


def times_faster(theirs: Iterable[float], ours: Iterable[float]) -> str:
    """Format the median of the ratios within a round as a cell; both are times round
    by round.
    """
    return f"**{statistics.median(before / after for before, after in zip(theirs, ours, strict=True)):.1f}**"


def rounds(default: int) -> int:
    """Return the number of rounds on the command line."""
    return int(sys.argv[1]) if len(sys.argv) > 1 else default


def apart(call: str) -> None:
    """Call a function of workloads.py in another process, so that this one stays
    small.
    """
    subprocess.run(
        [sys.executable, "-c", f"from workloads import *; {call}"], cwd=HERE, check=True
    )


def alone(kernels: str, call: Callable[..., T], *arguments: object) -> T:
    """Run `call(*arguments)` in a new process with these kernels on one core.

    For measurements in process: `call` is a function of a script, and its result can be
    pickled.
    """
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    os.environ["ROUGE_CLI_KERNELS"] = kernels
    with ProcessPoolExecutor(1, get_context("spawn"), _on_one_core) as pool:
        return pool.submit(call, *arguments).result()


def _on_one_core() -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def rate(megabytes: float, runs: Sequence[Measured]) -> str:
    """Format the megabytes of texts per second of the median time."""
    return f"{megabytes / summed_up(runs)[0]:.1f} MB/s"


def section(
    title: str,
    text: str,
    command: str,
    without: str,
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
) -> None:
    """Print a section of the page, each row as soon as it is measured.

    Args:
        title: The heading.
        text: What is measured.
        command: The command or call that is measured, without the names of files.
        without: What the table does not cover.
        columns: The head of the table.
        rows: Its rows.
    """
    print(f"\n## {title}\n{text.strip()}\n")
    for line in (f"Command: `{command}`.", f"Not covered: {without}."):
        print(textwrap.fill(line, 100, break_long_words=False, break_on_hyphens=False))
    print()
    for cells in (columns, ["---"] * len(columns)):
        print(f"| {' | '.join(cells)} |", flush=True)
    for cells in rows:
        print(f"| {' | '.join(cells)} |", flush=True)


def main() -> None:
    """Run the sections and write the page."""
    page = heading()
    for script in sorted(HERE.glob("*.py")):
        if script.name != Path(__file__).name:
            page += printed([sys.executable, str(script), *sys.argv[1:]])
    (ROOT / "docs" / "reference" / "benchmarks.md").write_text(page, "utf-8")


def heading() -> str:
    """Return the beginning of the page."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text("utf-8").splitlines() if cpuinfo.is_file() else []
    processor = next(
        (line.partition(": ")[2] for line in lines if line.startswith("model name")), ""
    )
    machine = (
        f"{platform.system()} on {platform.machine()}, {os.cpu_count()} cores"
        f" {processor}".strip()
    )
    ours = subprocess.run(
        [ROUGE_CLI, "--version"], capture_output=True, check=True, text=True
    ).stdout.strip()
    return f"""\
# Benchmarks
Time and memory of rouge-cli, the original and similar programs, measured in one run.

Written by `make bench` on {datetime.now(timezone.utc).date()}: {machine};
{ours}; Python {platform.python_version()}. Programs took turns; a time is the median of its rounds.
"""


def printed(command: Sequence[str]) -> str:
    """Return the output of a command, and print it as it comes; return nothing if it
    ends with LEFT_OUT.
    """
    lines = []
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    ) as process:
        for line in process.stdout or ():
            print(line, end="", flush=True)
            lines.append(line)
    if process.returncode not in (0, LEFT_OUT):
        raise SystemExit(f"{command[1]} failed: {process.returncode}")
    return "" if process.returncode else "".join(lines)


if __name__ == "__main__":
    main()
