#!/usr/bin/env python3
"""Test any ROUGE-1.5.5.pl, this project's or the original, on golden cases.

    python compat/conformance/run.py compat/ROUGE-1.5.5.pl
    python compat/conformance/run.py compat/ROUGE-1.5.5.pl --random 1000 --keep /tmp/failing
    python compat/conformance/run.py "$(python compat/conformance/original.py)" --original
    python compat/conformance/run.py .venv/bin/ROUGE-1.5.5.pl --random 1000 --ordinary --answers 900

Without --random: the golden cases (the project's fixtures, or --cases). With --random:
that many drawn set-ups, each of which the live original runs first (and the files of
--cases, if any). With --answers: how many cases the executable answers itself. Exit
code: 0 all passed, 1 something failed, 2 wrong usage, 3 the original was required but
is not available.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from cases import Case, CaseError, load
from execute import Run, keep_case, parse_command, run_case
from judge import judge
from original import Missing, find
from setups import draw

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "rouge155"
DEFAULT_CASES = tuple(
    FIXTURES / name
    for name in ("targeted.jsonl", "random.jsonl.bz2", "exact.jsonl.bz2")
)


# With it the executable ends with this status where it would become the program in
# Python, so that every other answer is its own.
HANDOVER = "ROUGE_CLI_HANDOVER"
NOT_HANDED_OVER = 126


class Verdict(NamedTuple):
    """A case that was run: `complaint` is None if it passed."""

    case: Case
    run: Run
    complaint: str | None


Job = Callable[[], Verdict]


def check(command: Sequence[str], case: Case, options: argparse.Namespace) -> Verdict:
    """Run one case and judge it."""
    run = run_case(command, case, options.timeout)
    if is_handed_over(run, options):
        return Verdict(case, run, None)
    return Verdict(case, run, judge(case, run, original=options.original))


def is_handed_over(run: Run, options: argparse.Namespace) -> bool:
    """Return True if the executable left the run to the program in Python."""
    return options.answers is not None and run.exit == NOT_HANDED_OVER


def check_drawn(
    command: Sequence[str],
    truth: Sequence[str],
    index: int,
    options: argparse.Namespace,
) -> Verdict:
    """Draw one set-up, run the original for the expected result, and compare the
    program with it.
    """
    case = draw(options.seed, index, heavy=options.heavy, plain=options.ordinary)
    run = run_case(truth, case, options.timeout)
    if run.exit is None:
        return Verdict(
            replace(case, outcome="error"), run, "the original is out of time"
        )
    case = replace(case, outcome=classify(run), stdout=run.stdout.decode("latin-1"))
    return check(command, case, options)


def classify(run: Run) -> str:
    """Return the outcome that a run of the original represents."""
    if b"Illegal division by zero" in run.stderr:
        return "crash"
    return "error" if run.exit else "ok"


def run_jobs(jobs: Sequence[Job], workers: int) -> Iterator[Verdict]:
    """Yield the verdicts in the order of the jobs, as they arrive."""
    with ThreadPoolExecutor(workers) as pool:
        futures: list[Future[Verdict]] = [pool.submit(job) for job in jobs]
        try:
            for future in futures:
                yield future.result()
        except BaseException:
            # For example on Ctrl-C: do not start the cases that still wait.
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def report(
    verdicts: Iterator[Verdict], command: Sequence[str], options: argparse.Namespace
) -> int:
    """Print failures as they occur and the summary at the end; return the number of
    failures.
    """
    outcomes: Counter[str] = Counter()
    failed = 0
    answered = 0
    for verdict in verdicts:
        outcomes[verdict.case.outcome] += 1
        answered += not is_handed_over(verdict.run, options)
        if options.record:
            with options.record.open("a", encoding="utf-8") as record:
                record.write(verdict.case.as_json() + "\n")
        if verdict.complaint is not None:
            failed += 1
            print(f"{verdict.case.id}: {verdict.complaint}", flush=True)
            if options.keep:
                keep_case(
                    options.keep / verdict.case.id, command, verdict.case, verdict.run
                )
    total = sum(outcomes.values())
    print(
        "outcomes: "
        + (", ".join(f"{n} {name}" for name, n in outcomes.most_common()) or "none")
    )
    print(f"{total - failed} passed, {failed} failed")
    if options.answers is not None:
        print(f"{answered} answered by the executable, {total - answered} handed over")
        if answered < options.answers:
            print(f"fewer than {options.answers} answered")
            failed += 1
    return failed


def golden_jobs(command: Sequence[str], options: argparse.Namespace) -> list[Job]:
    """Return one job for each selected golden case."""
    paths = options.cases or ([] if draws(options) else DEFAULT_CASES)
    return [
        partial(check, command, case, options) for path in paths for case in load(path)
    ]


def random_jobs(
    command: Sequence[str], truth: Sequence[str], options: argparse.Namespace
) -> list[Job]:
    """Return one job for each set-up to draw."""
    indexes = options.only or range(options.random or 0)
    return [partial(check_drawn, command, truth, index, options) for index in indexes]


def draws(options: argparse.Namespace) -> bool:
    """Return True if set-ups are to be drawn, also if their number is 0."""
    return options.random is not None or options.only is not None


def _positive(word: str) -> int:
    number = int(word)
    if number < 1:
        raise argparse.ArgumentTypeError("has to be at least 1")
    return number


def parse_options(argv: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("program", metavar="PROGRAM", help="command line of the program, as one word")
    add("--data", metavar="DATA", help="run PROGRAM with -e DATA")
    add(
        "--original",
        action="store_true",
        help="ask no more of errors and crashes than an exit code",
    )
    add(
        "--cases",
        nargs="+",
        type=Path,
        metavar="FILE",
        help="golden cases, .jsonl or .jsonl.bz2",
    )
    add("--random", type=int, metavar="N", help="draw N set-ups, 0 to N-1 of the seed")
    add(
        "--seed",
        default="1",
        metavar="S",
        help="any word; names a series of set-ups (default: 1)",
    )
    add(
        "--heavy",
        action="store_true",
        help="draw long texts, scored with heavy weights of ROUGE-W",
    )
    add(
        "--ordinary",
        action="store_true",
        help="draw ordinary content, in place of unusual",
    )
    add(
        "--answers",
        type=int,
        metavar="N",
        help=f"let the executable hand nothing over ({HANDOVER}=fail), and fail unless"
        " it answers N cases",
    )
    add(
        "--only",
        nargs="+",
        type=int,
        metavar="INDEX",
        help="draw these set-ups of the seed",
    )
    add(
        "--require-original",
        action="store_true",
        help="fail (3) when the original is missing",
    )
    add(
        "--jobs",
        type=_positive,
        default=os.cpu_count() or 1,
        metavar="J",
        help="cases at a time",
    )
    add("--timeout", type=float, default=120, metavar="SECONDS", help="for each case")
    add("--keep", type=Path, metavar="DIR", help="leave failing cases in DIR/ID")
    add(
        "--record",
        type=Path,
        metavar="FILE",
        help="append the cases run to FILE, as golden cases",
    )
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the cases that the command line selects."""
    options = parse_options(argv)
    if options.answers is not None:
        os.environ[HANDOVER] = "fail"
    try:
        command = parse_command(options.program, options.data)
        jobs = golden_jobs(command, options)
    except (CaseError, ValueError) as problem:
        print(f"run.py: {problem}", file=sys.stderr)
        return 2
    wanted = options.random or options.only or options.require_original
    original = find() if wanted else None
    if isinstance(original, Missing):
        print(original, file=sys.stderr)
        if options.require_original:
            return 3
        print("The random set-ups are skipped.", file=sys.stderr)
        if not jobs:
            return 0
    elif original is not None:
        jobs += random_jobs(command, original.command, options)
    failed = report(run_jobs(jobs, options.jobs), command, options)
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
