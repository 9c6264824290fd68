"""Decide whether a program's run of a case is correct.

A judge returns None if the run is correct, else one line that describes the error.
"""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cases import Case
    from execute import Run

# One message, optionally with a few lines of usage. Notices may precede it: at most one
# for each file of the case; those that differ only in numbers count once.
MAX_ERROR_LINES = 8

_DASHES = "-" * 45
_DOTS = "." * 45
_NUMBER = r"-?\d+\.\d{5}"
_AVERAGE = r"(?P<head>.* ROUGE-.*) Average_{}: {n} \(.*%-conf\.int\. {n} - {n}\)"
_AVERAGES = [re.compile(_AVERAGE.format(letter, n=_NUMBER)) for letter in "RPF"]
# integers that are too large are printed as doubles
_COUNT = r"-?(?:\d+|\d(?:\.\d+)?e[+]\d+|Inf|NaN)"
_COUNTS = re.compile(
    rf"(?P<head>.* ROUGE-.*) M_count: {_COUNT} P_count: {_COUNT} H_count: {_COUNT}"
)
_EVAL = re.compile(r"(?P<head>.* ROUGE-.*) Eval .* R:\S+ P:\S+ F:\S+")


def judge(case: Case, run: Run, *, original: bool = False) -> str | None:
    """Compare a run with a case.

    `original`: the program is the original itself, whose refusals may print part of a
    report and which may crash; then only a non-zero exit is required.
    """
    if run.exit is None:
        return "out of time"
    if case.outcome == "ok":
        return _judge_ok(case, run, original=original)
    if original:
        return None if run.exit else f"{case.outcome} expected, but the exit code is 0"
    return (
        _judge_error(case, run) if case.outcome == "error" else _judge_crash(case, run)
    )


def _judge_ok(case: Case, run: Run, *, original: bool) -> str | None:
    if run.exit != 0:
        return f"exit code {run.exit} instead of 0: {_last_line(run.stderr)}"
    got = run.stdout.decode("latin-1")
    if got != case.stdout:
        return _first_difference(case.stdout, got)
    return None if original else _traceback(run)


def _judge_error(case: Case, run: Run) -> str | None:
    """Check a refusal: nothing printed, one clear message, no traceback."""
    if run.exit == 0:
        return "error expected, but the exit code is 0"
    if run.exit is not None and run.exit < 0:
        return f"error expected, but killed by signal {-run.exit}"
    if run.stdout:
        return f"error expected, but {len(run.stdout)} bytes were printed"
    if not run.stderr.strip():
        return "error without a message on stderr"
    lines = len(
        {re.sub(rb"\d+", b"", line) for line in run.stderr.strip().splitlines()}
    )
    if lines > MAX_ERROR_LINES + len(case.files):
        return f"error message of {lines} lines: {_last_line(run.stderr)}"
    return _traceback(run)


def _judge_crash(case: Case, run: Run) -> str | None:
    """If the original divides by zero, require a complete report and a notice on
    stderr.

    The report must begin with what the original printed before it stopped.
    """
    if run.exit != 0:
        return f"exit code {run.exit} where a report is due: {_last_line(run.stderr)}"
    got = run.stdout.decode("latin-1")
    if not got.startswith(case.stdout):
        return _first_difference(case.stdout, got, start_only=True)
    if not run.stderr.strip():
        return "no notice on stderr of what the original cannot do"
    return _incomplete(got) or _traceback(run)


def _traceback(run: Run) -> str | None:
    return "a traceback on stderr" if b"Traceback" in run.stderr else None


def _last_line(stderr: bytes) -> str:
    lines = stderr.decode("latin-1").strip().splitlines()
    return repr(lines[-1][:160]) if lines else "nothing on stderr"


def _first_difference(expected: str, got: str, *, start_only: bool = False) -> str:
    """Return the first line in which two outputs differ, both ways."""
    left, right = expected.split("\n"), got.split("\n")
    if start_only:
        right = [*right[: len(left) - 1], ""]
    for number, (expected_line, got_line) in enumerate(zip_longest(left, right), 1):
        if expected_line != got_line:
            return (
                f"line {number}: expected {_shown(expected_line)} / got"
                f" {_shown(got_line)}"
            )
    return "the outputs differ"


def _shown(line: str | None) -> str:
    return "nothing" if line is None else repr(line)


def _incomplete(report: str) -> str | None:
    """Return what a report lacks: each block is complete, and every system has the
    same measures.
    """
    if not report.endswith("\n"):
        return "incomplete report: it does not end with a line end"
    blocks = report[:-1].split(_DASHES + "\n")
    if blocks[0] or len(blocks) < 2:
        return "incomplete report: it does not start with a line of dashes"
    tags: dict[str, list[str]] = {}
    for block in blocks[1:]:
        head = _block_head(block.rstrip("\n").split("\n"))
        if head is None:
            return f"incomplete report: a block is not whole: {block[:80]!r}"
        system, _, tag = head.rpartition(" ROUGE-")
        tags.setdefault(system, []).append(tag)
    if len({tuple(names) for names in tags.values()}) != 1:
        return "incomplete report: not every system has the same measures"
    if not any(tag.startswith("W-") for names in tags.values() for tag in names):
        return "incomplete report: no ROUGE-W, which is what the original dies of"
    return None


def _block_head(lines: list[str]) -> str | None:
    """Return SYSTEM TAG of a complete block: averages or counts, then optionally
    evaluations.
    """
    if _DOTS in lines:
        cut = lines.index(_DOTS)
        lines, details = lines[:cut], lines[cut + 1 :]
    else:
        details = []
    patterns = [_COUNTS] if len(lines) == 1 else _AVERAGES
    matches = [
        pattern.fullmatch(line) for pattern, line in zip(patterns, lines, strict=False)
    ]
    matches += [_EVAL.fullmatch(line) for line in details]
    heads = {match["head"] if match else None for match in matches}
    if len(lines) != len(patterns) or len(heads) != 1:
        return None
    return heads.pop()
