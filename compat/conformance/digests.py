#!/usr/bin/env python3
"""Golden digests: what the original printed for ordinary set-ups that are drawn again.

    python compat/conformance/digests.py 1200 fixtures/rouge155/ordinary.tsv

runs the live original on the first set-ups that it can score until there are so many;
where it stops, as at a division by zero, there is nothing to record. A line has the number of the set-up,
the SHA-256 of its files and command line, and that of the original's stdout. The
set-ups themselves would take 10 MB. If the first digest differs from that of the
set-up drawn now, the drawing has changed: record again.
"""

from __future__ import annotations

import hashlib
import json
import sys
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from execute import run_case
from original import Missing, find
from setups import draw

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cases import Case

SEED = "answered"
TIMEOUT = 600  # seconds


class Digest(NamedTuple):
    """Digests of an ordinary set-up, and of the original's report on it."""

    number: int  # of the set-up
    setup: str
    report: str

    def case(self) -> Case:
        """Draw the set-up again; raise ValueError if it is no longer the same."""
        case = draw(SEED, self.number, plain=True)
        if of_setup(case) != self.setup:
            raise ValueError(
                f"set-up {self.number} is drawn otherwise than when the original ran;"
                " record the digests again"
            )
        return case


def of_setup(case: Case) -> str:
    """Return the digest of a set-up's files and command line."""
    content = json.dumps([sorted(case.files.items()), list(case.argv)])
    return hashlib.sha256(content.encode()).hexdigest()


def load(path: Path) -> list[Digest]:
    """Load recorded digests."""
    digests = []
    for line in path.read_text("ascii").splitlines():
        index, setup, report = line.split("\t")
        digests.append(Digest(int(index), setup, report))
    return digests


def main(arguments: Sequence[str]) -> int:
    """Record the digests of so many set-ups in a file."""
    if len(arguments) != 2 or not arguments[0].isdecimal():
        print("usage: digests.py NUMBER FILE", file=sys.stderr)
        return 2
    original = find()
    if isinstance(original, Missing):
        print(original, file=sys.stderr)
        return 3
    lines: list[str] = []
    for index in count():
        if len(lines) == int(arguments[0]):
            break
        case = draw(SEED, index, plain=True)
        run = run_case(original.command, case, TIMEOUT)
        if run.exit != 0:
            print(f"{case.id}: the original ended with {run.exit}", file=sys.stderr)
            continue
        report = hashlib.sha256(run.stdout).hexdigest()
        lines.append(f"{index}\t{of_setup(case)}\t{report}\n")
    Path(arguments[1]).write_text("".join(lines), "ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
