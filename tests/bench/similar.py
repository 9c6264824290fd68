#!/usr/bin/env python3
"""Measure how long it takes to find all similar texts: by `rouge_cli.similar`, and by
scoring all pairs with rouge-cli and every installed peer.
"""

import random
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from itertools import accumulate
from typing import Any

from measure import in_turn, rounds, section

TEXT = """
Time to find all pairs of texts with ROUGE-L F of at least 0.7, on all cores. Texts have 10 to 20 words of a
vocabulary of 20,000 in the proportions of Zipf's law; one in ten is another text with one word replaced.
`similar` runs whole, from strings to pairs. Scoring each text with each would take too long: {:,} pairs of
these texts are scored (5,000 by rouge-score and plain-rougel), and the time for all pairs is
extrapolated. Medians of {} rounds; the last column is the time divided by that of `similar` for as many texts.
"""
COLUMNS = ("texts", "program", "way", "pairs", "time", "relative time")
SIZES = (5_518, 52_000)
PAIRS = 100_000
SLOW = {"rouge-score": 5_000, "plain-rougel": 5_000}
THRESHOLD = 0.7
Score = Callable[[list[str], list[str]], object]


def texts(number: int) -> list[str]:
    """Return texts, one in ten of them nearly equal to another."""
    chance = random.Random(1)
    words = [f"w{number}" for number in range(20_000)]
    weights = list(accumulate(1 / rank for rank in range(1, len(words) + 1)))
    made: list[str] = []
    for _ in range(number):
        if made and chance.random() < 0.1:
            changed = chance.choice(made).split()
            changed[chance.randrange(len(changed))] = chance.choice(words)
        else:
            size = chance.randint(10, 20)
            changed = chance.choices(words, cum_weights=weights, k=size)
        made.append(" ".join(changed))
    return made


def found(some: list[str]) -> float:
    """Return the seconds that `similar` takes."""
    import rouge_cli

    started = time.perf_counter()
    rouge_cli.similar(some, threshold=THRESHOLD, dialect="google")
    return time.perf_counter() - started


def brute_force(score: Score, some: list[str], number: int) -> float:
    """Return the seconds that scoring all pairs takes, from so many pairs."""
    chance = random.Random(2)
    first, second = (chance.choices(some, k=number) for _ in range(2))
    started = time.perf_counter()
    score(first, second)
    seconds = time.perf_counter() - started
    return seconds / number * all_pairs(len(some))


def all_pairs(number: int) -> int:
    """Return the number of pairs of so many texts."""
    return number * (number - 1) // 2


def scorers() -> Iterator[tuple[str, Score]]:
    """Yield the name and a function of all pairs, of every installed program."""
    ours = import_module("rouge_cli.dialects.google.rouge_scorer")
    yield "rouge-cli", ours.RougeScorer(["rougeL"]).score_batch
    if find_spec("rouge_score_rs"):
        peer = import_module("rouge_score_rs.rouge_scorer")
        yield "rouge-score-rs", peer.RougeScorer(["rougeL"]).score_batch
    if find_spec("plain_rougel"):
        plain = import_module("plain_rougel").RougeLScorer()
        yield "plain-rougel", plain.compute_rouge_l_batch
    if find_spec("rouge_score"):
        scorer = import_module("rouge_score.rouge_scorer").RougeScorer(["rougeL"])
        yield "rouge-score", partial(one_by_one, scorer)


def one_by_one(scorer: Any, first: list[str], second: list[str]) -> None:  # noqa: ANN401
    """Score each pair by a call of its own."""
    for target, prediction in zip(first, second, strict=True):
        scorer.score(target, prediction)


def rows(count: int) -> Iterator[list[str]]:
    """Yield a row for each size and program."""
    for size in SIZES:
        some = texts(size)
        runs: dict[str, Callable[[], float]] = {"similar": partial(found, some)}
        for name, score in scorers():
            number = SLOW.get(name, PAIRS)
            runs[name] = partial(brute_force, score, some, number)
        medians = {}
        for name, measured in in_turn(runs, count).items():
            medians[name] = statistics.median(measured)
        for name, seconds in medians.items():
            is_ours = name == "similar"
            yield [
                f"{size:,}",
                "rouge-cli" if is_ours else name,
                "`similar`" if is_ours else "all pairs",
                f"{all_pairs(size):,}",
                f"{seconds:,.2f} s",
                f"{seconds / medians['similar']:,.1f}",
            ]


if __name__ == "__main__":
    count = rounds(3)
    section(
        "Similar texts",
        TEXT.format(PAIRS, count),
        'rouge_cli.similar(texts, dialect="google", threshold=0.7)',
        "longer texts, and scores of which only some texts have few rare words",
        COLUMNS,
        rows(count),
    )
