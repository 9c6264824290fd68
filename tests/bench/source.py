#!/usr/bin/env python3
"""Measure the measures of the source: fragments and novel bigrams of articles, beside a
loop as scripts have it.
"""

import random
import re
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise

from measure import alone, in_turn, rounds, section, times_faster

import rouge_cli

TEXT = """
Coverage, density and novel-2 of {} predictions of 60 words, of which most are copied from sources of 700
words, in one process on one core: medians of {{}} rounds in turn. The loop is Figure 3 of Grusky et al. (2018)
in Python, and sets of bigrams, as scripts have them. All values agreed.
"""
COLUMNS = ("metrics", "loop", "rouge-cli", "times faster")
PAIRS = 200
LABELS = ["coverage", "density", "novel-2-types"]


def texts() -> tuple[list[str], list[str]]:
    """Return sources and predictions."""
    draw = random.Random(1)
    words = [f"w{number}" for number in range(5000)]
    weights = [1 / rank for rank in range(1, len(words) + 1)]
    sources = []
    predictions = []
    for _ in range(PAIRS):
        source = draw.choices(words, weights, k=700)
        prediction = draw.choices(words, weights, k=20)
        for _ in range(5):
            start = draw.randrange(690)
            prediction[10:10] = source[start : start + 8]
        sources.append(" ".join(source))
        predictions.append(" ".join(prediction))
    return sources, predictions


def as_scripts_do(sources: Sequence[str], predictions: Sequence[str]) -> list[float]:
    """Return the mean values by plain loops."""
    sums = [0.0] * len(LABELS)
    for source_text, text in zip(sources, predictions, strict=True):
        source = re.findall("[a-z0-9]+", source_text.lower())
        summary = re.findall("[a-z0-9]+", text.lower())
        lengths = []
        i = j = 0
        while i < len(summary):
            longest = 0
            while j < len(source):
                if summary[i] == source[j]:
                    i2, j2 = i, j
                    while summary[i2] == source[j2]:
                        i2, j2 = i2 + 1, j2 + 1
                        if i2 == len(summary) or j2 == len(source):
                            break
                    longest = max(longest, i2 - i)
                    j = j2
                else:
                    j += 1
            lengths.append(longest)
            i, j = i + max(longest, 1), 0
        bigrams = set(pairwise(summary))
        novel = bigrams - set(pairwise(source))
        sums[0] += sum(lengths) / len(summary)
        sums[1] += sum(length * length for length in lengths) / len(summary)
        sums[2] += len(novel) / len(bigrams)
    return [total / len(predictions) for total in sums]


def ours(sources: Sequence[str], predictions: Sequence[str]) -> list[float]:
    """Return the mean values of rouge-cli."""
    results = rouge_cli.score(
        predictions,
        sources,
        LABELS,
        sources=sources,
        dialect="google",
        notify=lambda _: None,
    )
    return [scores["f"] for scores in results.to_dict()["system"].values()]


def seconds(call: Callable[[], list[float]]) -> float:
    """Return the time of a call."""
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


def rows(count: int) -> list[list[str]]:
    """Return the row of the table, measured in this process."""
    sources, predictions = texts()
    calls = {
        "loop": partial(as_scripts_do, sources, predictions),
        "ours": partial(ours, sources, predictions),
    }
    expected, values = [call() for call in calls.values()]
    for first, second in zip(expected, values, strict=True):
        if abs(first - second) > 1e-9:
            raise SystemExit(f"other values: {expected} {values}")
    timed = in_turn(
        {name: partial(seconds, call) for name, call in calls.items()}, count
    )
    cells = [f"{sorted(times)[len(times) // 2]:.2f} s" for times in timed.values()]
    faster = times_faster(timed["loop"], timed["ours"])
    return [[", ".join(LABELS), *cells, faster]]


if __name__ == "__main__":
    number = rounds(5)
    section(
        "Measures of the source",
        TEXT.format(PAIRS).format(number),
        "rouge_cli.score(predictions, references, sources=sources)",
        "resampling, stemming, reading of files, and other programs",
        COLUMNS,
        alone("compiled", rows, number),
    )
