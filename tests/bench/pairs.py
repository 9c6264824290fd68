#!/usr/bin/env python3
"""Measure Google's definition in process, pair by pair: ours and every peer that is installed, in turn.

Prints one row of a markdown table for each program. Run by measure.py, with either kernels.
"""

from __future__ import annotations

import os
import random
import statistics
import time
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from workloads import texts

from rouge_cli.kernels import choice

TYPES = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
PROGRAMS = {
    "ours": "rouge_cli.dialects.google.rouge_scorer",
    "rouge-score-rs": "rouge_score_rs.rouge_scorer",
    "rouge-score": "rouge_score.rouge_scorer",
}
PAIRS, ROUNDS = 2000, 5
SLOW = {"rouge-score": 100}  # so many pairs stand for all, or nobody would wait


def pairs(sentence_end: str) -> list[tuple[str, str]]:
    """Pairs of texts of five sentences, 100 words."""
    found = texts(random.Random(1), PAIRS, sentences=5, words=20)
    return [(sentence_end.join(one), sentence_end.join(other)) for one, other in found]


def measured(scorer: Any, some: list[tuple[str, str]], *, batch: bool) -> float:  # noqa: ANN401 - any package's
    """Microseconds a pair."""
    started = time.perf_counter()
    if batch:
        scorer.score_batch([target for target, _ in some], [prediction for _, prediction in some])
    else:
        for target, prediction in some:
            scorer.score(target, prediction)
    return (time.perf_counter() - started) / len(some) * 1e6


def main() -> None:
    """Measure all, in turn, on one core."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    found = {}
    for name, module in PROGRAMS.items():
        if find_spec(module.partition(".")[0]):
            found[name] = import_module(module).RougeScorer
    for lines, sentence_end in ((1, ". "), (5, "\n")):
        everything = pairs(sentence_end)
        for stem in (False, True):
            scorers = {name: make(TYPES, use_stemmer=stem) for name, make in found.items()}
            for batch in (False, True):
                able = {
                    name: one for name, one in scorers.items() if not batch or hasattr(one, "score_batch")
                }
                for name, median in medians(able, everything, batch=batch).items():
                    program = f"{name}, {choice.name()}" if name == "ours" else name
                    cells = [program, str(lines), "batch" if batch else "loop", "yes" if stem else "no"]
                    print(f"| {' | '.join(cells)} | {median[0]:.1f} us | {median[1]:.1f} |", flush=True)


def medians(
    scorers: dict[str, Any], some: list[tuple[str, str]], *, batch: bool
) -> dict[str, tuple[float, float]]:
    """Program -> microseconds a pair, and that by ours."""
    times: dict[str, list[float]] = {name: [] for name in scorers}
    for _ in range(ROUNDS):
        for name, scorer in scorers.items():
            times[name].append(measured(scorer, some[: SLOW.get(name, PAIRS)], batch=batch))
    found = {name: statistics.median(one) for name, one in times.items()}
    return {name: (median, median / found["ours"]) for name, median in found.items()}


if __name__ == "__main__":
    main()
