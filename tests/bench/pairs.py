#!/usr/bin/env python3
"""Measure Google's definition in process, pair by pair: rouge-cli and every
installed peer, in turn.
"""

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
TOKENIZERS = """
Time per pair for rouge1, rouge2, rougeL and rougeLsum of texts of 100 words in five lines, without
stemming, on one core: medians of {} rounds of 2,000 pairs (100 for rouge-score and for own tokenizers),
which are one batch for every program that has batches. For unicode and char, texts have letters outside
ASCII; rouge-score-rs normalizes and folds their case first, rouge-cli normalizes (nfkc). "Own" is a Python
object with a method `tokenize`. rouge-rust has neither rougeLsum nor other tokenizers. The last column is
the time divided by that of rouge-cli for the same tokenizer.
"""
COLUMNS = ("program", "lines", "calls", "stemming", "time per pair", "relative time")
TYPES = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
PROGRAMS = {
    "ours": "rouge_cli.dialects.google.rouge_scorer",
    "rouge-score-rs": "rouge_score_rs.rouge_scorer",
    "rouge-score": "rouge_score.rouge_scorer",
}
PAIRS = 2000
PLAIN, OWN = "a-z, 0-9", "own"
NAMED = {
    "unicode": "UnicodeTokenizer",
    "char": "CharacterTokenizer",
}  # rouge-cli's name -> rouge-score-rs's
Score = Callable[[list[str], list[str]], object]  # of references and predictions
LOOP, CONSTRUCTED, BATCH = "loop", "constructed", "batch"
SLOW = {"rouge-score": 100}  # fewer pairs, so that a run ends in reasonable time


def pairs(sentence_end: str) -> list[tuple[str, str]]:
    """Return pairs of texts of five sentences, 100 words."""
    drawn = texts(random.Random(1), PAIRS, sentences=5, words=20)
    return [
        (sentence_end.join(target), sentence_end.join(prediction))
        for target, prediction in drawn
    ]


def measured(
    make: Callable[[], Any], some: list[tuple[str, str]], *, way: str
) -> float:
    """Return microseconds per pair."""
    scorer = make()
    started = time.perf_counter()
    if way == CONSTRUCTED:
        for target, prediction in some:
            make().score(target, prediction)
    elif way == BATCH:
        scorer.score_batch(
            [target for target, _ in some], [prediction for _, prediction in some]
        )
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
                medians = {
                    name: statistics.median(times)
                    for name, times in in_turn(runs, count).items()
                }
                for name, median in medians.items():
                    program = f"rouge-cli, {kernels}" if name == "ours" else name
                    row = [program, str(lines), way, "yes" if stem else "no"]
                    cells.append(
                        [*row, f"{median:.1f} us", f"{median / medians['ours']:.1f}"]
                    )
    return cells


class Own:
    """A user's tokenizer."""

    def tokenize(self, text: str) -> list[str]:
        """Return the words."""
        return text.lower().split()


def batch(scorer: Any) -> Score:  # noqa: ANN401 - of any program
    """Return a function that scores all pairs, in one call if the program has such a
    call.
    """
    if hasattr(scorer, "score_batch"):
        score: Score = scorer.score_batch
        return score
    return lambda references, predictions: list(
        map(scorer.score, references, predictions)
    )


def ours(references: list[str], predictions: list[str], *, tokenizer: str) -> object:
    """Score with a tokenizer that has a name in rouge-cli."""
    import rouge_cli

    options = {"tokenizer": tokenizer, "normalize": "nfkc"}
    return rouge_cli.score_rows(predictions, references, dialect="google", **options)  # type: ignore[arg-type]


def scorers() -> Iterator[tuple[str, str, Score]]:
    """Yield tokenizer, program and function, of every installed program; rouge-cli
    is the first.
    """
    for name, module in PROGRAMS.items():
        if find_spec(module.partition(".")[0]):
            make = import_module(module).RougeScorer
            yield PLAIN, name, batch(make(TYPES))
            yield OWN, name, batch(make(TYPES, tokenizer=Own()))
    for tokenizer, kind in NAMED.items():
        yield tokenizer, "ours", partial(ours, tokenizer=tokenizer)
        if find_spec("rouge_score_rs"):
            peer = import_module("rouge_score_rs.tokenizers")
            make = import_module("rouge_score_rs").RougeScorer
            yield (
                tokenizer,
                "rouge-score-rs",
                batch(make(TYPES, tokenizer=getattr(peer, kind)())),
            )
    if find_spec("fast_rouge"):
        yield PLAIN, "rouge-rust", import_module("fast_rouge").score_batch


def tokenizers(count: int) -> list[list[str]]:
    """Return a row for each tokenizer and program."""
    cells = []
    every = list(scorers())
    for tokenizer in (PLAIN, *NAMED, OWN):
        texts = [
            [text.replace("e", "\xe9") if tokenizer in NAMED else text for text in side]
            for side in zip(*pairs("\n"), strict=True)
        ]
        size = sum(len(text.encode()) for side in texts for text in side) / PAIRS
        runs = {}
        for name, score in (
            (name, score) for kind, name, score in every if kind == tokenizer
        ):
            most = 100 if tokenizer == OWN else SLOW.get(name, PAIRS)
            runs[name] = partial(timed, score, *(side[:most] for side in texts))
        medians = {
            name: statistics.median(times)
            for name, times in in_turn(runs, count).items()
        }
        for name, median in medians.items():
            speed = f"{size / median:.1f} MB/s"  # bytes per microsecond
            program = "rouge-cli" if name == "ours" else name
            cells.append(
                [
                    tokenizer,
                    program,
                    f"{median:.1f} us",
                    speed,
                    f"{median / medians['ours']:.1f}",
                ]
            )
    return cells


def timed(score: Score, references: list[str], predictions: list[str]) -> float:
    """Return microseconds per pair, after a call that fills caches."""
    score(references, predictions)
    started = time.perf_counter()
    score(references, predictions)
    return (time.perf_counter() - started) / len(references) * 1e6


def rows(count: int) -> Iterator[list[str]]:
    """Yield all rows, for both kernels of rouge-cli."""
    for kernels in KERNELS:
        yield from alone(kernels, table, kernels, count)


if __name__ == "__main__":
    number = rounds(5)
    command = "RougeScorer(types, use_stemmer=...).score(target, prediction)"
    without = (
        "imports, several references, resampling, other tokenizers, and more than one"
        " core"
    )
    section(
        "Google's definition, in process",
        TEXT.format(number),
        command,
        without,
        COLUMNS,
        rows(number),
    )
    command = "RougeScorer(types, tokenizer=...).score_batch(references, predictions)"
    without = (
        "single calls, stemming, tokenizers that no peer has, and more than one core"
    )
    columns = (
        "tokenizer",
        "program",
        "time per pair",
        "texts per second",
        "relative time",
    )
    section(
        "Tokenizers, in process", TOKENIZERS.format(number), command, without, columns,
        alone("compiled", tokenizers, number),
    )  # fmt: skip
