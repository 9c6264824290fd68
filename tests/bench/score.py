#!/usr/bin/env python3
"""Measure whole processes: `score` on as many pairs as CNN/DailyMail's test set has,
and `identify`.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path

from measure import ROUGE_CLI, apart, by_kernels, cells, rounds, section

TEXT = """
11,490 pairs (the size of CNN/DailyMail's test set) of texts of three sentences of 18 words with `<q>`
between them: ROUGE-1, 2 and L with 1,000 samples, or Google's four types. Whole processes: medians of {}
rounds.
"""
SEARCHES = """
A search of all set-ups in docs/how-to/identify.md for published ROUGE-1, 2 and L. Texts have three
sentences of 18 words, with `<q>` between them. Whole processes: medians of {} rounds.
"""
COLUMNS = ("options", "kernels", "time", "peak memory")
OPTIONS = (
    "",
    "-j 2",
    "--samples 0",
    "--dialect google",
    "--dialect google --samples 1000",
)


def rows(count: int) -> Iterator[list[str]]:
    """Yield a row for each set of options."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        apart(f"write_pairs(Path({name!r}), 11_490)")
        files = [
            "--pred",
            str(folder / "hyp"),
            "--ref",
            str(folder / "ref"),
            "--sentences",
            "mark:<q>",
        ]
        for options in OPTIONS:
            command = [ROUGE_CLI, "score", *files, *options.split()]
            for kernels, runs in by_kernels(command, count).items():
                shown = f"`{options}`" if options else "none"
                yield [shown, kernels, *cells(runs)]


def searches(count: int) -> Iterator[list[str]]:
    """Yield a row for each number of pairs and both kernels."""
    for pairs in (100, 1000):
        with tempfile.TemporaryDirectory() as name:
            apart(f"write_pairs(Path({name!r}), {pairs})")
            files = ["--pred", str(Path(name, "hyp")), "--ref", str(Path(name, "ref"))]
            command = [
                ROUGE_CLI,
                "identify",
                *files,
                "--published",
                "R1=40.09,R2=17.49,RL=37.54",
            ]
            for kernels, runs in by_kernels(command, count).items():
                yield [f"{pairs:,}", kernels, *cells(runs)]


if __name__ == "__main__":
    number = rounds(3)
    command = "rouge-cli score --pred FILE --ref FILE --sentences mark:<q> OPTIONS"
    without = "other inputs, sentences and tokenizers, and several references"
    section(
        "rouge-cli score", TEXT.format(number), command, without, COLUMNS, rows(number)
    )
    columns = ("pairs", *COLUMNS[1:])
    command = (
        "rouge-cli identify --pred FILE --ref FILE --published"
        " R1=40.09,R2=17.49,RL=37.54"
    )
    without = "other published metrics, and texts in other inputs"
    section(
        "rouge-cli identify",
        SEARCHES.format(rounds(1)),
        command,
        without,
        columns,
        searches(rounds(1)),
    )
