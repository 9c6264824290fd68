#!/usr/bin/env python3
"""Write the example of docs/how-to/significance.md: 44 topics, 50 systems, 4
references, and human scores.

usage: docs/how-to/significance_data.py FOLDER

A topic is a list of facts, each a phrase, of decreasing importance. A summary is made
of facts until it has 100 words: people select the important ones, systems by their
skill, and some systems rephrase facts. Human judges count facts, not words: `content`
is the share of importance that a summary has, with a judge's noise; `responsiveness` is
that in five steps. All texts are generated.
"""

from __future__ import annotations

import csv
import json
import random
import sys
from pathlib import Path

TOPICS, SYSTEMS, PEOPLE = 44, 50, 4
FACTS, WORDS = 40, 100
SYLLABLES = (
    "ba",
    "de",
    "fi",
    "go",
    "ku",
    "la",
    "me",
    "ni",
    "po",
    "ru",
    "sa",
    "te",
    "vi",
    "zo",
)
COMMON = ("the", "of", "in", "and", "a", "to", "was", "for", "on", "by")

Fact = tuple[str, ...]


def word(chance: random.Random) -> str:
    """Return a made-up word."""
    return "".join(chance.choices(SYLLABLES, k=chance.randint(2, 3)))


def phrase(chance: random.Random) -> Fact:
    """Return the words of a fact, with common ones between them."""
    return tuple(
        chance.choice(COMMON) if chance.random() < 0.4 else word(chance)
        for _ in range(chance.randint(4, 8))
    )


def summary(
    chance: random.Random, facts: list[Fact], skill: float, wording: float
) -> tuple[str, float]:
    """Return a summary of 100 words or a few more, and the share of importance in it.

    skill: how closely the selection follows importance. wording: the share of rephrased
    words.
    """
    importance = [1 / (rank + 2) for rank in range(len(facts))]
    order = sorted(
        range(len(facts)),
        key=lambda fact: -(skill * importance[fact] * 8 + chance.random()),
    )
    sentences: list[str] = []
    seen, words = 0.0, 0
    for fact in order:
        if words >= WORDS:
            break
        sentence = [
            word(chance) if chance.random() < wording else part for part in facts[fact]
        ]
        sentences.append(" ".join(sentence) + " .")
        words += len(sentence)
        seen += importance[fact]
    return "\n".join(sentences), seen / sum(importance)


def main() -> None:
    """Write texts.jsonl and human.csv."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    chance = random.Random(2004)  # noqa: S311 - no secret
    systems = {
        f"sys{number:02}": (chance.uniform(0.0, 1.0) ** 2, chance.uniform(0.15, 0.35))
        for number in range(1, SYSTEMS + 1)
    }
    with (
        (folder / "texts.jsonl").open("w", encoding="ascii") as texts,
        (folder / "human.csv").open("w", encoding="ascii", newline="") as human,
    ):
        judged = csv.writer(human, lineterminator="\n")
        judged.writerow(["eval", "system", "content", "responsiveness"])
        for topic in (f"D{number:02}" for number in range(1, TOPICS + 1)):
            facts = [phrase(chance) for _ in range(FACTS)]
            people = [summary(chance, facts, 1.6, 0.15) for _ in range(PEOPLE)]
            references = [text for text, _ in people]
            seen = {
                f"human {number}": share for number, (_, share) in enumerate(people, 1)
            }
            for system, (skill, wording) in systems.items():
                text, seen[system] = summary(chance, facts, skill, wording)
                record = {
                    "id": topic,
                    "system": system,
                    "prediction": text,
                    "references": references,
                }
                texts.write(json.dumps(record) + "\n")
            for system, share in seen.items():
                content = min(max(share + chance.gauss(0, 0.08), 0), 1)
                steps = min(max(round(1 + 5 * share + chance.gauss(0, 0.6)), 1), 5)
                judged.writerow([topic, system, f"{content:.3f}", steps])


if __name__ == "__main__":
    main()
