#!/usr/bin/env python3
"""Measure whole processes of `rouge-cli score` on as many pairs as CNN/DailyMail's test set has."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

from measure import ROUGE_CLI, apart, by_kernels, cells, rounds, section

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
            for kernels, runs in by_kernels(command, count).items():
                shown = f"`{options}`" if options else "none"
                yield [shown, kernels, *cells(runs)]


if __name__ == "__main__":
    number = rounds(3)
    section("rouge-cli score", TEXT.format(number), COLUMNS, rows(number))
