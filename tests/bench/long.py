#!/usr/bin/env python3
"""Measure the drop-in on two texts of one long line each."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

from measure import OURS, apart, cells, measure, section

TEXT = "Two texts of one line each, scored once by the compiled drop-in."
COLUMNS = ("words", "options", "time", "peak memory")
OPTIONS = ("-n 2 -x", "", "-x -2 4 -u", "-x -2 -1", "-x -w 1.2")


def rows() -> Iterator[list[str]]:
    """Yield a row for each length and metric."""
    with tempfile.TemporaryDirectory() as folder:
        for words in (20_000, 100_000):
            apart(f"write_long(Path({folder!r}), {words})")
            for options in OPTIONS:
                run = measure(
                    [
                        OURS,
                        *options.split(),
                        "-z",
                        "SPL",
                        str(Path(folder) / f"list{words}"),
                    ]
                )
                yield [str(words), f"`{options or 'ROUGE-L'}`", *cells([run])]


if __name__ == "__main__":
    without = "several systems or references, stemming, and texts of several sentences"
    section(
        "Long texts",
        TEXT,
        "ROUGE-1.5.5.pl OPTIONS -z SPL LIST",
        without,
        COLUMNS,
        rows(),
    )
