#!/usr/bin/env python3
"""Write the example of the tutorial and of the demo page: 40 news stories, five
systems, human scores.

usage: docs/demo_data.py FOLDER

A story is a list of facts of decreasing importance. Its article tells all of them, and
each of two people summarizes the most important ones in words of their own. Systems
differ in what they select and in how they word it; `invent` also makes up facts. All
texts are generated, and no place or person in them exists.
"""

from __future__ import annotations

import csv
import json
import random
import sys
from pathlib import Path

STORIES, PEOPLE, FACTS = 40, 2, 9
PLACES = (
    "Ostby",
    "Marle",
    "Tarn Hill",
    "Velmouth",
    "Corran",
    "Sandeck",
    "Lower Brae",
    "Hestwick",
)
NAMES = (
    "Ada Holm",
    "Ben Osei",
    "Clara Voss",
    "Dan Reyes",
    "Eva Lindt",
    "Farid Nasser",
    "Grace Imre",
    "Hugo Pell",
)
ROLES = (
    "mayor",
    "chief engineer",
    "head of the school",
    "minister for transport",
    "director of the museum",
)
EVENTS = (
    "a flood closed the harbour",
    "the old bridge was closed",
    "a fire damaged the market hall",
    "the railway line was cut",
    "the hospital moved to a new building",
    "a strike stopped the ferries",
)
# Each fact in the words of the article, and as somebody else may put it.
TEMPLATES = (
    (
        "On {day}, {event} in {place}, the local council said.",
        "In {place}, {event} on {day}.",
    ),
    (
        "Repairs will cost {number} million crowns and take until {month}.",
        "The repairs, which cost {number} million crowns, will last until {month}.",
    ),
    (
        "{name}, the {role}, called it the worst damage in {years} years.",
        "It is the worst damage in {years} years, according to {role} {name}.",
    ),
    (
        "About {hundred} people had to leave their homes during the night.",
        "Some {hundred} residents were moved to safety overnight.",
    ),
    (
        "Schools in the north of {place} stay closed for the rest of the week.",
        "Pupils in northern {place} will have no lessons this week.",
    ),
    (
        "The government promised {half} million crowns of help for small firms.",
        "Small companies are to get {half} million crowns from the state.",
    ),
    (
        "Engineers had warned of the danger in a report {years} months earlier.",
        "A report had pointed to the risk {years} months before.",
    ),
    (
        "Bus lines {years} and {number} take another road until further notice.",
        "Two bus lines use a different route for now.",
    ),
    (
        "Volunteers collected food and blankets in the town hall.",
        "At the town hall, helpers gathered food and blankets.",
    ),
    (
        "The next meeting of the council is on the first of {month}.",
        "The council meets again on {month} 1.",
    ),
    (
        "Ticket prices stay the same, a spokesman of the company added.",
        "The company does not plan to raise its prices.",
    ),
)
# How many facts a system tells, how closely it follows their importance, and how often
# it rewords them.
SYSTEMS = {
    "lead": (3, 0.0, 0.0),
    "extract": (3, 2.0, 0.0),
    "abstract": (3, 2.5, 0.6),
    "long": (5, 1.0, 0.2),
    "invent": (3, 1.0, 0.3),
}

Fact = tuple[str, str]


def facts_of(chance: random.Random) -> list[Fact]:
    """Return the facts of a story, the most important first."""
    values = {
        "day": chance.choice(("Monday", "Tuesday", "Thursday", "Friday", "Sunday")),
        "month": chance.choice(("March", "May", "August", "October")),
        "event": chance.choice(EVENTS),
        "place": chance.choice(PLACES),
        "name": chance.choice(NAMES),
        "role": chance.choice(ROLES),
        "number": chance.randint(3, 48),
        "years": chance.randint(5, 40),
        "hundred": 100 * chance.randint(2, 30),
        "half": chance.randint(2, 9),
    }
    chosen = [0, *chance.sample(range(1, len(TEMPLATES)), FACTS - 1)]
    return [
        (TEMPLATES[at][0].format(**values), TEMPLATES[at][1].format(**values))
        for at in chosen
    ]


def select(
    chance: random.Random, facts: list[Fact], count: int, skill: float
) -> list[int]:
    """Return the places of the selected facts, in the order of the text."""
    order = sorted(
        range(len(facts)),
        key=lambda place: skill * place / len(facts) + chance.random(),
    )
    return sorted(order[:count])


def word(chance: random.Random, fact: Fact, rewording: float) -> str:
    """Return a fact in the article's words, or in others."""
    return fact[chance.random() < rewording]


def main(folder: Path) -> None:
    """Write run.jsonl and human.csv."""
    folder.mkdir(parents=True, exist_ok=True)
    chance = random.Random(2019)  # noqa: S311 - no secret
    rows, judged = [], []
    for number in range(1, STORIES + 1):
        facts, others = facts_of(chance), facts_of(chance)
        article = [fact[0] for fact in facts]
        # Only every third article begins with the most important facts.
        opening = (
            chance.sample(range(FACTS), FACTS) if number % 3 else list(range(FACTS))
        )
        references = [
            "\n".join(
                word(chance, facts[place], 0.5)
                for place in select(chance, facts, 3, 3.0)
            )
            for _ in range(PEOPLE)
        ]
        for system, (count, skill, rewording) in SYSTEMS.items():
            places = (
                sorted(opening[:count])
                if system == "lead"
                else select(chance, facts, count, skill)
            )
            sentences = [word(chance, facts[place], rewording) for place in places]
            if system == "invent":
                sentences[-1] = word(chance, chance.choice(others), 0.5)
            record = {
                "id": f"story-{number:02}",
                "system": system,
                "prediction": "\n".join(sentences),
            }
            article_text = "\n".join(article[place] for place in opening)
            rows.append({**record, "references": references, "article": article_text})
            quality = (
                5
                - sum(places) / len(places) / 2
                - (system == "invent")
                + chance.gauss(0, 0.5)
            )
            judged.append((record["id"], system, min(max(round(quality), 1), 5)))
    lines = (json.dumps(row) + "\n" for row in rows)
    (folder / "run.jsonl").write_text("".join(lines), encoding="ascii")
    with (folder / "human.csv").open("w", encoding="ascii", newline="") as human:
        table = csv.writer(human, lineterminator="\n")
        table.writerows([("eval", "system", "quality"), *judged])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
