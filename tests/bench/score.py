#!/usr/bin/env python3
"""Measure whole processes of `rouge-cli score` on as many pairs as CNN/DailyMail's test set has."""

import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from measure import KERNELS, ROUGE_CLI, apart, in_turn, measure, rounds, section, summed_up

TEXT = """
11,490 pairs (the size of CNN/DailyMail's test set) of texts of three sentences of 18 words: ROUGE-1, 2 and
L with 1,000 samples, or Google's four types. Whole processes: medians of {} rounds.
"""
COLUMNS = ("options", "kernels", "time", "peak memory")
OPTIONS = ("", "-j 2", "--samples 0", "--dialect google", "--dialect google --samples 1000")


def rows(count: int) -> Iterator[list[str]]:
    """Yield a row for each set of options."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        apart(f"write_pairs(Path({name!r}), 11_490)")
        files = ["--hyp", str(folder / "hyp"), "--ref", str(folder / "ref"), "--sentences", "mark:<q>"]
        for options in OPTIONS:
            command = [ROUGE_CLI, "score", *files, *options.split()]
            runs = {kernels: partial(measure, command, kernels=kernels) for kernels in KERNELS}
            for kernels, measurements in in_turn(runs, count).items():
                seconds, megabytes = summed_up(measurements)
                shown = f"`{options}`" if options else "none"
                yield [shown, kernels, f"{seconds:.2f} s", f"{megabytes:.0f} MB"]


if __name__ == "__main__":
    number = rounds(3)
    section("rouge-cli score", TEXT.format(number), COLUMNS, rows(number))
