#!/usr/bin/env python3
"""Measure `rouge-cli identify`: every set-up that it tries, on pairs of texts."""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from measure import KERNELS, ROUGE_CLI, apart, in_turn, measure, rounds, section, summed_up

if TYPE_CHECKING:
    from collections.abc import Iterator

TEXT = """
Published ROUGE-1, 2 and L of pairs of three sentences of 18 words, with `<q>` between them: all set-ups
of docs/how-to/identify.md. Whole processes, medians of {} rounds.
"""
COLUMNS = ("pairs", "kernels", "time", "peak memory")
PAIRS = (100, 1000)


def rows(count: int) -> Iterator[list[str]]:
    """A row for each number of pairs and each kernels."""
    for pairs in PAIRS:
        with tempfile.TemporaryDirectory() as name:
            apart(f"write_pairs(Path({name!r}), {pairs})")
            files = ["--hyp", str(Path(name, "hyp")), "--ref", str(Path(name, "ref"))]
            command = [ROUGE_CLI, "identify", *files, "--published", "R1=40.09,R2=17.49,RL=37.54"]
            runs = {kernels: partial(measure, command, kernels=kernels) for kernels in KERNELS}
            for kernels, found in in_turn(runs, count).items():
                seconds, megabytes = summed_up(found)
                yield [f"{pairs:,}", kernels, f"{seconds:.2f} s", f"{megabytes:.0f} MB"]


if __name__ == "__main__":
    number = rounds(1)
    section("rouge-cli identify", TEXT.format(number), COLUMNS, rows(number))
