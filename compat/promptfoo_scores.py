"""Record the scores of promptfoo's assertion `rouge-n`: fixtures/others/promptfoo.jsonl.

    npm install --prefix DIR --ignore-scripts promptfoo@0.121.20
    python compat/promptfoo_scores.py DIR > fixtures/others/promptfoo.jsonl

promptfoo is a black box: its provider `echo` returns each text, the assertion compares
it with a reference, and the JSON output of `promptfoo eval` has the score with all its
digits. Nothing is sent: telemetry, updates and sharing are off, and `echo` needs no
network. Texts that promptfoo itself reads in another way are not recorded: templates
(`{{`), names of files (`file://`), and texts that it trims.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

CASES = 560
VOCABULARIES = (
    "a b",
    "a b c d A B",
    "it ended we left they came back home today",
    "the The THE cat cats Cat sat on mat running ran runs quickly",
    "don't can't DON'T cannot gonna wanna it's he'll we've I'd I'm dogs' 'tis d'ye o'c",
    "3 3.5 1,000 12:30 $5 5% 7th 1999 covid-19 U.S. e.g. Mr. Dr. a.m. No. #1 @you &",
    (
        "caf\u00e9 na\u00efve \u00c9t\u00e9 \u00df \u1e9e \u017f \u0130 I \u0131 i \u03a3"
        " \u039f\u0394\u039f\u03a3 \u03c3 \u03c2 \u041a\u043e\u0442 \u732b \u5750 \ud55c\uad6d"
        " \u0928\u092e\u0938\u094d\u0924\u0947 \U0001f600 e\u0301"
    ),
    "( ) [ ] { } < > \" '' `` -- ... ; : , . ! ? ?! - _ * / \\ | ~ ^ = +",
)
SEPARATORS = (
    *[" "] * 14,
    *[". "] * 3,
    *(", ", "! ", "? ", "; ", ": ", "  ", "\n", "\n\n", "\t", ".", ",", "-", "\u00a0"),
    *(
        "\u3000",
        "\u2028",
        "\x0b",
        "\x1c",
        "\x85",
        "\ufeff",
        "\u200b",
        "\r\n",
        '" ',
        " (",
    ),
)
SIZES = ((0, 1, 2, 3, 4, 5, 6, 8, 10, 15, 25, 40), (1, 3, 4, 4, 5, 5, 5, 4, 4, 4, 3, 2))
PAIRS = (
    ("it ended. we left.", "ended it. left we."),
    ("", "a"),
    ("a", ""),
    ("", ""),
    (".", "."),
    ("a", "A"),
    ("a", "b"),
    ("a.", "a"),
    ("The cat sat on the mat.", "the cat sat on the mat"),
    ("the the the", "the cat the"),
    ("One sentence. Two sentences. Three!", "One sentence. Two sentences. Three!"),
    ("It's here, isn't it?", "It is here, is it not?"),
    ("I can\u2019t go \u2013 sorry\u2026", "I can't go - sorry..."),
    ('He said "no" and "yes".', "He said 'no' and 'yes'."),
    ("12345", "12345"),
    ("\u0130", "i\u0307"),
)
QUIET = {
    "PROMPTFOO_DISABLE_TELEMETRY": "1",
    "PROMPTFOO_DISABLE_UPDATE": "1",
    "PROMPTFOO_DISABLE_REMOTE_GENERATION": "1",
    "PROMPTFOO_DISABLE_SHARING": "1",
}


def text(chance: random.Random, words: Sequence[str]) -> str:
    """Return a random text of up to 40 words."""
    (size,) = chance.choices(*SIZES)
    pieces = (chance.choice(words) + chance.choice(SEPARATORS) for _ in range(size))
    return "".join(pieces)


def changed(chance: random.Random, words: Sequence[str], original: str) -> str:
    """Return a text that shares much with another: words moved, left out, replaced, or
    written with other letters.
    """
    pieces = original.split(" ")
    for _ in range(chance.randint(0, 4)):
        place = chance.randrange(len(pieces))
        way = chance.randrange(4)
        if way == 0:
            pieces.insert(chance.randrange(len(pieces) + 1), pieces.pop(place))
        elif way == 1:
            pieces[place] = chance.choice(words)
        elif way == 2:
            pieces[place] = pieces[place].swapcase()
        elif len(pieces) > 1:
            del pieces[place]
    return " ".join(pieces)


def cases() -> Iterator[tuple[str, str]]:
    """Yield outputs, each with its reference."""
    yield from PAIRS
    chance = random.Random(20)
    for _ in range(CASES - len(PAIRS)):
        words = chance.choice(VOCABULARIES).split(" ")
        if chance.random() < 0.3:
            words = [*words, *chance.choice(VOCABULARIES).split(" ")]
        output = text(chance, words)
        if chance.random() < 0.6:
            yield output, changed(chance, words, output)
        else:
            yield output, text(chance, words)


def evaluated(folder: Path, pairs: Sequence[tuple[str, str]]) -> list[dict[str, Any]]:
    """Return promptfoo's results of the pairs, in their order."""
    tests = [
        {
            "description": str(number),
            "vars": {"text": output},
            "assert": [{"type": "rouge-n", "value": reference, "threshold": 0}],
        }
        for number, (output, reference) in enumerate(pairs)
    ]
    config = {"prompts": ["{{text}}"], "providers": ["echo"], "tests": tests}
    with tempfile.TemporaryDirectory() as place:
        names = Path(place, "config.json"), Path(place, "results.json")
        names[0].write_text(json.dumps(config), "utf-8")
        program = folder / "node_modules" / ".bin" / "promptfoo"
        words = ["eval", "-c", str(names[0]), "-o", str(names[1])]
        subprocess.run(
            [program, *words, "--no-cache", "--no-table", "--no-progress-bar"],
            check=False,  # it is 100 if an assertion fails, as of an empty text
            env={**os.environ, **QUIET, "PROMPTFOO_CONFIG_DIR": place},
            stdout=sys.stderr,
            cwd=place,
        )
        document = json.loads(names[1].read_text("utf-8"))
    results = document["results"]["results"]
    return sorted(results, key=lambda result: int(result["testCase"]["description"]))


def version(folder: Path, package: str) -> str:
    """Return the version of an installed package of npm."""
    text = (folder / "node_modules" / package / "package.json").read_text("utf-8")
    return str(json.loads(text)["version"])


def main() -> None:
    """Print the versions, then a case per line."""
    folder = Path(sys.argv[1]).resolve()
    words = ["/usr/bin/env", "node", "--version"]
    node = subprocess.run(words, capture_output=True, check=True)
    head = {
        "package": f"promptfoo {version(folder, 'promptfoo')}",
        "source": "npm",
        "licence": "MIT",
        "node": node.stdout.decode().strip().removeprefix("v"),
        "recorded_by": "compat/promptfoo_scores.py",
    }
    print(json.dumps(head))
    pairs = list(cases())
    skipped = 0
    for (output, reference), result in zip(
        pairs, evaluated(folder, pairs), strict=True
    ):
        response = result.get("response", {}).get("output")
        component = (result.get("gradingResult") or {}).get("componentResults") or [{}]
        value = component[0].get("assertion", {}).get("value")
        if response != output or value != reference:
            skipped += 1
            continue
        case = {
            "output": output,
            "reference": reference,
            "score": component[0]["score"],
        }
        if not component[0]["pass"]:
            case["reason"] = component[0]["reason"]
        print(json.dumps(case))
    print(f"{skipped} cases that promptfoo reads in another way", file=sys.stderr)


if __name__ == "__main__":
    main()
