#!/usr/bin/env python3
"""Measure `rouge-cli identify`: every set-up that it tries, on pairs of texts."""

import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from measure import KERNELS, ROUGE_CLI, apart, in_turn, measure, rounds, section, summed_up

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
            runs = {kernels: partial(measure, command, kernels=kernels) for kernels in KERNELS}
            for kernels, measurements in in_turn(runs, count).items():
                seconds, megabytes = summed_up(measurements)
                yield [f"{pairs:,}", kernels, f"{seconds:.2f} s", f"{megabytes:.0f} MB"]


if __name__ == "__main__":
    number = rounds(1)
    section("rouge-cli identify", TEXT.format(number), COLUMNS, rows(number))
