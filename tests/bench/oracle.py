#!/usr/bin/env python3
"""Measure oracle labels: rouge-cli, and the greedy loop that people write with
rouge_score, in turn.
"""

import random
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from measure import KERNELS, alone, in_turn, rounds, section, times_faster
from workloads import texts

TEXT = """
Time per document, on one core, for documents of 30 sentences of 22 words and references of three
sentences: medians of {} rounds. The loop scores each sentence that could be added with rouge_score,
and adds the best, at most three; 10 documents, and 200 for compiled code. Its selections are those of
`--method greedy` of dialect google. The last column is the loop's time divided by that of the row.
"""
COLUMNS = ("program", "metric", "method", "time per document", "times faster")
FEW, MANY = 10, 200  # documents
METHODS = ("greedy", "beam", "exact", "presumm")
Documents = list[list[str]]


def corpus() -> tuple[Documents, list[str]]:
    """Return documents and their references."""
    documents, references = [], []
    for first, second in texts(random.Random(1), MANY, sentences=30, words=22):
        documents.append(list(second))
        references.append("\n".join(first[:3]))
    return documents, references


def loop(metric: str, documents: Documents, references: list[str]) -> list[list[int]]:
    """Return the selections of the loop."""
    scorer = import_module("rouge_score.rouge_scorer").RougeScorer([metric])
    selections = []
    for document, reference in zip(documents, references, strict=True):
        selection: list[int] = []
        highest = 0.0
        while len(selection) < 3:
            best, added = highest, -1
            for place in range(len(document)):
                if place in selection:
                    continue
                text = "\n".join(document[at] for at in sorted([*selection, place]))
                score = scorer.score(reference, text)[metric].fmeasure
                if score > best:
                    best, added = score, place
            if added < 0:
                break
            selection = sorted([*selection, added])
            highest = best
        selections.append(selection)
    return selections


def labels(
    metric: str, method: str, documents: Documents, references: list[str]
) -> list[list[int]]:
    """Return the selections of rouge-cli."""
    oracle = import_module("rouge_cli").oracle
    found = oracle(
        documents, references, metric=metric, method=method, dialect="google"
    )
    return [list(best.sentences) for best in found]


def timed(select: Callable[..., Any], number: int) -> float:
    """Return milliseconds per document."""
    documents, references = corpus()
    started = time.perf_counter()
    select(documents[:number], references[:number])
    return (time.perf_counter() - started) / number * 1e3


def table(kernels: str, count: int) -> list[list[str]]:
    """Return the rows of these kernels."""
    cells = []
    documents, references = corpus()
    documents, references = documents[:FEW], references[:FEW]
    is_compiled = kernels == "compiled"
    methods = METHODS if is_compiled else METHODS[:1]
    size = MANY if is_compiled else FEW
    for metric in ("rouge2", "rougeL"):
        loops = partial(loop, metric)
        # Warms both up, too
        same = labels(metric, "greedy", documents, references)
        assert loops(documents, references) == same
        runs: dict[str, Callable[[], float]] = {"loop": partial(timed, loops, FEW)}
        for method in methods:
            runs[method] = partial(timed, partial(labels, metric, method), size)
        times = in_turn(runs, count)
        for name, spent in times.items():
            program = (
                f"rouge-cli, {kernels}" if name in METHODS else "rouge-score, a loop"
            )
            faster = times_faster(times["loop"], spent)
            median = statistics.median(spent)
            cells.append([program, metric, name, f"{median:.2f} ms", faster])
    return cells


def rows(count: int) -> Iterator[list[str]]:
    """Yield all rows, for both kernels of rouge-cli."""
    for kernels in KERNELS:
        yield from alone(kernels, table, kernels, count)


if __name__ == "__main__":
    if not find_spec("rouge_score"):
        raise SystemExit(3)
    number = rounds(5)
    section(
        "Oracle labels, in process",
        TEXT.format(number),
        "rouge_cli.oracle(documents, references, metric=..., method=..., dialect='google')",
        "reading and writing files, more than one core, other budgets",
        COLUMNS,
        rows(number),
    )
