#!/usr/bin/env python3
"""Measure Google's definition in process, pair by pair: rouge-cli and every installed peer, in turn."""

import random
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from measure import KERNELS, alone, in_turn, rounds, section
from workloads import texts

TEXT = """
Time per pair for rouge1, rouge2, rougeL and rougeLsum of texts of 100 words in one line or five, on one
core: medians of {} rounds of 2,000 pairs (100 for rouge-score). A "loop" calls one scorer for each pair,
"constructed" makes a new scorer for each pair, and a "batch" is one call for all pairs. The last column is
the time divided by that of rouge-cli for the same lines, calls and stemming.
"""
COLUMNS = ("program", "lines", "calls", "stemming", "time per pair", "relative time")
TYPES = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
PROGRAMS = {
    "ours": "rouge_cli.dialects.google.rouge_scorer",
    "rouge-score-rs": "rouge_score_rs.rouge_scorer",
    "rouge-score": "rouge_score.rouge_scorer",
}
PAIRS = 2000
LOOP, CONSTRUCTED, BATCH = "loop", "constructed", "batch"
SLOW = {"rouge-score": 100}  # fewer pairs, so that a run ends in reasonable time


def pairs(sentence_end: str) -> list[tuple[str, str]]:
    """Return pairs of texts of five sentences, 100 words."""
    drawn = texts(random.Random(1), PAIRS, sentences=5, words=20)
    return [(sentence_end.join(target), sentence_end.join(prediction)) for target, prediction in drawn]


def measured(make: Callable[[], Any], some: list[tuple[str, str]], *, way: str) -> float:
    """Return microseconds per pair."""
    scorer = make()
    started = time.perf_counter()
    if way == CONSTRUCTED:
        for target, prediction in some:
            make().score(target, prediction)
    elif way == BATCH:
        scorer.score_batch([target for target, _ in some], [prediction for _, prediction in some])
    else:
        for target, prediction in some:
            scorer.score(target, prediction)
    return (time.perf_counter() - started) / len(some) * 1e6


def table(kernels: str, count: int) -> list[list[str]]:
    """Return the rows of all programs, with rouge-cli's kernels of this process."""
    cells = []
    scorers = {
        name: import_module(module).RougeScorer
        for name, module in PROGRAMS.items()
        if find_spec(module.partition(".")[0])
    }
    for lines, sentence_end in ((1, ". "), (5, "\n")):
        everything = pairs(sentence_end)
        for stem in (False, True):
            for way in (LOOP, CONSTRUCTED, BATCH):
                runs = {
                    name: partial(
                        measured, partial(make, TYPES, use_stemmer=stem),
                        everything[: SLOW.get(name, PAIRS)], way=way,
                    )
                    for name, make in scorers.items()
                    if way != BATCH or hasattr(make, "score_batch")
                }  # fmt: skip
                medians = {name: statistics.median(times) for name, times in in_turn(runs, count).items()}
                for name, median in medians.items():
                    program = f"rouge-cli, {kernels}" if name == "ours" else name
                    row = [program, str(lines), way, "yes" if stem else "no"]
                    cells.append([*row, f"{median:.1f} us", f"{median / medians['ours']:.1f}"])
    return cells


def rows(count: int) -> Iterator[list[str]]:
    """Yield all rows, for both kernels of rouge-cli."""
    for kernels in KERNELS:
        yield from alone(kernels, table, kernels, count)


if __name__ == "__main__":
    number = rounds(5)
    section("Google's definition, in process", TEXT.format(number), COLUMNS, rows(number))
