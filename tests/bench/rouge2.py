#!/usr/bin/env python3
"""Measure ROUGE 2.0's measures with topics and synonyms, on pairs of 100 words.

The texts are drawn from WordNet's common words, by a fixed seed.

usage: tests/bench/rouge2.py [ROUNDS]
"""

import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

from measure import ROUGE_CLI, apart, cells, measure, rounds, section

PAIRS, WORDS = 1000, 100
TEXT = f"""
`rouge-cli score --dialect rouge2` on {PAIRS} pairs of {WORDS} words, with the embedded tagger and the
extract of WordNet. Whole processes: medians of {{}} rounds. The Java program is not measured, because it
requires a Stanford model and a WordNet folder that are not available here.
"""
COLUMNS = ("metrics", "time", "peak memory")
METRICS = (
    "ROUGE-1", "ROUGE-1+Synonyms", "ROUGE-Topic{NN|JJ}",
    "ROUGE-Topic{NN|JJ}+Synonyms,ROUGE-TopicUniq{NN|JJ}+Synonyms", "ROUGE-2+Synonyms,ROUGE-SU4+Synonyms",
)  # fmt: skip
COMMON = 1500
SEEDS = (
    "screen",
    "phone",
    "house",
    "dog",
    "person",
    "move",
    "good",
    "time",
    "work",
    "water",
    "idea",
)
FUNCTION_WORDS = (
    "the",
    "a",
    "of",
    "and",
    "to",
    "in",
    "is",
    "that",
    "it",
    "was",
    "for",
    "on",
)


def write_texts(folder: Path) -> None:
    """Write a line for each text: words with synonyms among them, and function words
    between.
    """
    from rouge_cli.data import wordnet

    database = wordnet.load("")
    chance = random.Random(0)
    words = dict.fromkeys(SEEDS)
    for word in SEEDS:
        for part in "nva":
            words.update(dict.fromkeys(sorted(database.synonyms(word, part))))
    for word in list(words):
        if len(words) < COMMON:
            words.update(dict.fromkeys(sorted(database.synonyms(word, "n"))))
    content = list(words)[:COMMON]
    for name in ("peers", "models"):
        lines = (
            " ".join(
                chance.choice(FUNCTION_WORDS if chance.random() < 0.45 else content)
                for _ in range(WORDS)
            )
            for _ in range(PAIRS)
        )
        (folder / name).write_text("".join(f"{line}\n" for line in lines), "utf-8")


def rows() -> Iterator[list[str]]:
    """Yield a row for each set of measures."""
    with tempfile.TemporaryDirectory() as folder:
        apart(f"import rouge2; rouge2.write_texts(Path({folder!r}))")
        words = [ROUGE_CLI, "score", "--dialect", "rouge2"]
        words += [
            "--hyp",
            str(Path(folder) / "peers"),
            "--ref",
            str(Path(folder) / "models"),
        ]
        for metrics in METRICS:
            runs = [measure([*words, "-m", metrics]) for _ in range(rounds(3))]
            shown = metrics.replace("|", "\\|").replace(",", ", ")
            yield [shown, *cells(runs)]


if __name__ == "__main__":
    command = "rouge-cli score RECORDS --dialect rouge2 -m METRICS"
    without = "the Java program, other taggers, and projects (rouge-cli rouge2)"
    section("ROUGE 2.0", TEXT.format(rounds(3)), command, without, COLUMNS, rows())
