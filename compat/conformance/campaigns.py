#!/usr/bin/env python3
"""Record what the original prints for the command lines of campaigns and wrappers.

usage: compat/conformance/campaigns.py > fixtures/rouge155/campaigns.jsonl

Only the live original writes these expectations. The command lines are those that
people use, without the wrappers' `-e D`, since the original is run with its data folder
anyway.
"""

from __future__ import annotations

import random
import sys

from cases import Case, evaluation, see
from execute import run_case
from original import Missing, find

LINES = {
    "duc2007-tac2008": (
        "-n 4 -w 1.2 -m -2 4 -u -c 95 -r 1000 -f A -p 0.5 -t 0 -a -d rouge.in"
    ),
    "basic-elements": "-m -a -d -3 HM simple.in",
    "duc2004-bytes": "-a -c 95 -b 665 -m -n 4 -w 1.2 rouge.in",
    "pyrouge": "-c 95 -2 -1 -U -r 1000 -n 4 -w 1.2 -a -m rouge.in",
    "pythonrouge": "-a -n 2 -2 4 -u -x -l 50 -m -s -f A -r 1000 -p 0.5 rouge.in",
    "sacrerouge": (
        "-n 4 -a -c 95 -r 1000 -p 0.5 -t 0 -d -m -2 4 -u -w 1.2 -f B rouge.in"
    ),
    "tilse": "-a -n 2 -x -f A -d -t 2 rouge.in",
    "bioasq": "-c 95 -2 4 -u -x -n 4 rouge.in 1",
    "n-twice": "-n 1 -n 2 -a rouge.in",
    "m-twice": "-m -n 1 -m -a rouge.in",
    "f-1": "-n 1 -f 1 -a rouge.in",
    "u-and-U": "-n 1 -2 4 -u -U -a rouge.in",
}
EVALS, PREDICTIONS, REFERENCES = 4, 3, 2
WORDS = [
    "the", "of", "and", "a", "in", "to", "was", "for", "on", "with", "rescuers", "rescued", "quickly",
    "running", "ran", "mice", "better", "well-known", "storm", "storms", "flooding", "floods", "coast",
    "coastal", "houses", "housing", "thousands", "evacuated", "evacuation", "2004",
]  # fmt: skip
ELEMENTS = ("subj", "obj", "mod", "of", "nil")


def files() -> dict[str, str]:
    """A small campaign: two settings files, summaries in SEE and basic elements in
    SIMPLE.
    """
    chance = random.Random("campaigns")
    made: dict[str, str] = {}
    evals: dict[str, list[str]] = {"SEE": [], "SIMPLE": []}
    for number in range(1, EVALS + 1):
        names = {"P": range(1, PREDICTIONS + 1), "M": "ABCDEFGH"[:REFERENCES]}
        paths = [
            {f"{of}": f"D{number:04}.{letter}.{of}" for of in names[letter]}
            for letter in names
        ]
        for name in (name for group in paths for name in group.values()):
            made[f"see/{name}.html"] = see(_sentences(chance))
            made[f"be/{name}.be"] = _elements(chance)
        for form, folder, suffix in (("SEE", "see", "html"), ("SIMPLE", "be", "be")):
            groups = (
                {of: f"{name}.{suffix}" for of, name in group.items()}
                for group in paths
            )
            evals[form].append(evaluation(f"D{number:04}", form, folder, *groups))
    for form, name in (("SEE", "rouge.in"), ("SIMPLE", "simple.in")):
        made[name] = "\n".join(
            ['<ROUGE_EVAL version="1.5.5">', *evals[form], "</ROUGE_EVAL>\n"]
        )
    return made


def _sentences(chance: random.Random) -> list[str]:
    sizes = (chance.randint(6, 25) for _ in range(1, chance.randint(4, 8)))
    return [" ".join(chance.choices(WORDS, k=size)).capitalize() for size in sizes]


def _elements(chance: random.Random) -> str:
    lines = [
        "|".join(
            [
                chance.choice(WORDS),
                chance.choice([*WORDS[:20], "nil"]),
                chance.choice(ELEMENTS),
            ]
        )
        for _ in range(chance.randint(10, 30))
    ]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Print one case per line."""
    original = find()
    if isinstance(original, Missing):
        print(original, file=sys.stderr)
        return 3
    for name, line in LINES.items():
        case = Case(f"campaign-{name}", files(), line.split())
        ran = run_case(original.command, case, timeout=60)
        stdout = ran.stdout.decode("latin-1")
        print(
            Case(
                case.id,
                case.files,
                case.argv,
                "ok" if ran.exit == 0 else "error",
                stdout,
            ).as_json()
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
