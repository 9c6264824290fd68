#!/usr/bin/env python3
"""Measure `rouge-cli identify`: every set-up that it tries, on pairs of texts."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

from measure import ROUGE_CLI, apart, by_kernels, cells, rounds, section

TEXT = """
A search of all set-ups in docs/how-to/identify.md for published ROUGE-1, 2 and L. Texts have three
sentences of 18 words, with `<q>` between them. Whole processes: medians of {} rounds.
"""
COLUMNS = ("pairs", "kernels", "time", "peak memory")
PAIRS = (100, 1000)


def rows(count: int) -> Iterator[list[str]]:
    """Yield a row for each number of pairs and both kernels."""
    for pairs in PAIRS:
        with tempfile.TemporaryDirectory() as name:
            apart(f"write_pairs(Path({name!r}), {pairs})")
            files = ["--hyp", str(Path(name, "hyp")), "--ref", str(Path(name, "ref"))]
            command = [ROUGE_CLI, "identify", *files, "--published", "R1=40.09,R2=17.49,RL=37.54"]
            for kernels, runs in by_kernels(command, count).items():
                yield [f"{pairs:,}", kernels, *cells(runs)]


if __name__ == "__main__":
    number = rounds(1)
    section("rouge-cli identify", TEXT.format(number), COLUMNS, rows(number))
