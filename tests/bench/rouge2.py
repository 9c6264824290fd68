"""ROUGE 2.0 with topics and synonyms: the time of 1,000 pairs of 100 words, whole process.

    .venv/bin/python tests/bench/rouge2.py [PAIRS [WORDS]]

The texts are drawn from WordNet's common words, by a fixed seed. The Java program is not run here: it
needs a Stanford model and a WordNet folder, so that no claim is made beside it.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROUGE_CLI = str(Path(sys.executable).with_name("rouge-cli"))
METRICS = (
    "ROUGE-1+Synonyms",
    "ROUGE-Topic{NN|JJ}",
    "ROUGE-Topic{NN|JJ}+Synonyms,ROUGE-TopicUniq{NN|JJ}+Synonyms",
    "ROUGE-2+Synonyms,ROUGE-SU4+Synonyms",
)
COMMON = 1500


def texts(pairs: int, words: int) -> tuple[str, str]:
    """As many lines of as many words, twice, in sentences of 20 words with function words between."""
    from rouge_cli.text import wordnet

    database = wordnet.load()
    chance = random.Random(0)
    seeds = ["screen", "phone", "house", "dog", "person", "move", "good", "time", "work", "water", "idea"]
    known = dict.fromkeys(seeds)
    for word in known.copy():
        for part in "nva":
            known.update(dict.fromkeys(sorted(database.synonyms(word, part))))
    for word in list(known):
        if len(known) < COMMON:
            known.update(dict.fromkeys(sorted(database.synonyms(word, "n"))))
    content = list(known)[:COMMON]
    function = ["the", "a", "of", "and", "to", "in", "is", "that", "it", "was", "for", "on"]

    def line() -> str:
        return " ".join(
            chance.choice(function if chance.random() < 0.45 else content) for _ in range(words)
        )

    return tuple("".join(line() + "\n" for _ in range(pairs)) for _ in range(2))  # type: ignore[return-value]


def main() -> None:
    """Print a line for each set of metrics."""
    pairs, words = (int(word) for word in (*sys.argv[1:], "1000", "100")[:2])
    with tempfile.TemporaryDirectory() as folder:
        for name, text in zip(("hyp", "ref"), texts(pairs, words), strict=True):
            Path(folder, name).write_text(text)
        for metrics in METRICS:
            start = time.perf_counter()
            subprocess.run(
                [ROUGE_CLI, "score", "--dialect", "rouge2", "--hyp", "hyp", "--ref", "ref", "-m", metrics],
                cwd=folder,
                check=True,
                capture_output=True,
            )
            print(f"{time.perf_counter() - start:6.2f} s  {pairs} pairs of {words} words  {metrics}")


if __name__ == "__main__":
    main()
