#!/usr/bin/env python3
"""Measure Google's definition in process, pair by pair: ours and every peer that is installed, in turn."""

from __future__ import annotations

import random
import statistics
import time
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from measure import KERNELS, alone, in_turn, rounds, section
from workloads import texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

TEXT = """
2,000 pairs of 100 words in one line or five; rouge1, rouge2, rougeL, rougeLsum; one core; medians of {}
rounds in turn (of 100 pairs for rouge-score). In a loop the scorer is kept; or one is constructed for each
pair. The last column is a program's time by that of ours there.
"""
COLUMNS = ("program", "lines", "way", "stemming", "a pair", "times ours")
TYPES = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
PROGRAMS = {
    "ours": "rouge_cli.dialects.google.rouge_scorer",
    "rouge-score-rs": "rouge_score_rs.rouge_scorer",
    "rouge-score": "rouge_score.rouge_scorer",
}
PAIRS = 2000
LOOP, CONSTRUCTED, BATCH = "loop", "constructed", "batch"
SLOW = {"rouge-score": 100}  # so many pairs stand for all, or nobody would wait


def pairs(sentence_end: str) -> list[tuple[str, str]]:
    """Pairs of texts of five sentences, 100 words."""
    found = texts(random.Random(1), PAIRS, sentences=5, words=20)
    return [(sentence_end.join(one), sentence_end.join(other)) for one, other in found]


def measured(make: Callable[[], Any], some: list[tuple[str, str]], *, way: str) -> float:
    """Microseconds a pair."""
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
    """The rows beside ours with the kernels that run in this process."""
    cells = []
    found = {
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
                        measured,
                        partial(make, TYPES, use_stemmer=stem),
                        everything[: SLOW.get(name, PAIRS)],
                        way=way,
                    )
                    for name, make in found.items()
                    if way != BATCH or hasattr(make, "score_batch")
                }
                medians = {name: statistics.median(times) for name, times in in_turn(runs, count).items()}
                for name, median in medians.items():
                    program = f"{name}, {kernels}" if name == "ours" else name
                    row = [program, str(lines), way, "yes" if stem else "no"]
                    cells.append([*row, f"{median:.1f} us", f"{median / medians['ours']:.1f}"])
    return cells


def rows(count: int) -> Iterator[list[str]]:
    """All rows, beside the one and the other kernels."""
    for kernels in KERNELS:
        yield from alone(kernels, table, kernels, count)


if __name__ == "__main__":
    number = rounds(5)
    section("Google's definition, in process", TEXT.format(number), COLUMNS, rows(number))
