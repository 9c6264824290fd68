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


def pairs() -> list[tuple[str, str]]:
    """Pairs of texts of five lines, 100 words."""
    chance = random.Random(1)
    return [
        ("\n".join(one), "\n".join(other)) for one, other in texts(chance, PAIRS, sentences=5, words=20)
    ]


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
    everything = pairs()
    for stem in (False, True):
        scorers = {name: make(TYPES, use_stemmer=stem) for name, make in found.items()}
        for batch in (False, True):
            able = {name: one for name, one in scorers.items() if not batch or hasattr(one, "score_batch")}
            times: dict[str, list[float]] = {name: [] for name in able}
            for _ in range(ROUNDS):
                for name, scorer in able.items():
                    times[name].append(measured(scorer, everything[: SLOW.get(name, PAIRS)], batch=batch))
            medians = {name: statistics.median(one) for name, one in times.items()}
            for name, median in medians.items():
                program = f"{name}, {choice.name()}" if name == "ours" else name
                cells = [
                    program,
                    "batch" if batch else "loop",
                    "yes" if stem else "no",
                    f"{median:.1f} us",
                    f"{median / medians['ours']:.1f}",
                ]
                print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
