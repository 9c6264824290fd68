"""Record what `nltk.sent_tokenize(text.strip())` returns, as goldens:
fixtures/punkt/english.jsonl.

    NLTK_DATA=FOLDER python compat/punkt_sentences.py > fixtures/punkt/english.jsonl

FOLDER contains `tokenizers/punkt_tab` of nltk_data (the PyPI package llama-index-core
has a copy, in its folder `_static/nltk_cache`). Run it with a Python that has nltk and
not rouge-cli. The first line has the version of nltk, and checksums of the parameters'
files.
"""

from __future__ import annotations

import json
import random
import sys
from hashlib import sha256

import nltk

CASES = 400
SEED = 16
WORDS = (
    *("the", "The", "a", "of", "cat", "Cat", "sat", "ran", "He", "She", "It", "we", "We", "in", "and"),
    *("And", "London", "Bank", "Party", "Smith", "Dr.", "Mr.", "Mrs.", "Prof.", "U.S.", "U.N.", "U.K."),
    *("e.g.", "i.e.", "etc.", "vs.", "No.", "no.", "Fig.", "p.m.", "a.m.", "Jan.", "Nov.", "J.", "B."),
    *("K.", "St.", "Inc.", "Corp.", "Co.", "Ltd.", "Ph.D.", "3.5", "1.", "2.", "10", "$5.2", "1990s."),
    *("7,", "says:", "said,", "asked?", "Yes!", "never...", "well...", "(see)", "[1]", "(It", "was.)"),
    *('"Go."', "'No!'", "``Run.''", "\u201cStay.\u201d", "caf\xe9.", "na\xefve", "\u732b\u3002"),
    *("\u2026", "--", "-", "...", ".", "!", "?", "?!", "<q>", 'end."', "end.)", "www.nltk.org", "a.b.c"),
    *("x.Y", "mid.Next", "IBM.", "NATO.", "I.", "II.", "IV.", "A.B.", "van", "However,", "But"),
    *("Monday.", "gov't.", "approx.", "dept.", "Gen.", "Sen.", "Gov."),
)  # fmt: skip
SPACES = (*[" "] * 14, "  ", "\n", "\n\n", "\t", "\u00a0", "\r\n", "")
FILES = (
    "abbrev_types.txt",
    "collocations.tab",
    "ortho_context.tab",
    "sent_starters.txt",
)
PLAIN = (
    "",
    " ",
    "One.",
    "no end",
    (
        "Dr. J. B. Smith of the U.S. Navy arrived at 5 p.m. on Monday. He left again."
        " Did he? Yes!"
    ),
    '"I came," he said. "I saw." (She did not.) It cost $3.50... They paid.',
    "the first line ends here\nand the second. Here is a third\n\nthe fourth.",
    "Prices rose 2.5 percent in Nov. The Fed. Reserve met. See Fig. 3. No. 4 is next.",
    (
        "U.S. President J. Doe met E.U. leaders in St. Petersburg, Fla. They talked."
        " i.e. nothing happened."
    ),
)


def text(chance: random.Random) -> str:
    """Return a random text, of up to 60 words."""
    return "".join(
        chance.choice(WORDS) + chance.choice(SPACES)
        for _ in range(chance.randint(1, 60))
    )


def main() -> None:
    """Write the goldens to stdout."""
    chance = random.Random(SEED)
    sums = {}
    for name in FILES:
        with nltk.data.find(f"tokenizers/punkt_tab/english/{name}").open(
            encoding="utf-8"
        ) as file:
            sums[name] = sha256(
                "\n".join(sorted(file.read().splitlines())).encode()
            ).hexdigest()
    json.dump({"nltk": nltk.__version__, "parameters": sums}, sys.stdout)
    for case in (*PLAIN, *(text(chance) for _ in range(CASES))):
        print()
        json.dump(
            {"text": case, "sentences": nltk.sent_tokenize(case.strip())}, sys.stdout
        )
    print()


if __name__ == "__main__":
    main()
