#!/usr/bin/env python3
"""Measure the profiles of languages on the Universal Declaration of Human Rights,
beside rouge-score-rs.

`languages.py --write` writes the table into docs/how-to/other-languages.md.
"""

import random
import re
import statistics
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from measure import LEFT_OUT, ROOT, alone, in_turn, rounds, section, times_faster
from pairs import TYPES, batch, timed

import rouge_cli
from rouge_cli.text import languages, tokenizers
from rouge_cli.text.normalization import before, normalize
from rouge_cli.text.tokens import tokens as classic
from rouge_cli.text.words import INVISIBLE

UDHR = ROOT.parent / "shared" / "golden" / "udhr"
PAGE = ROOT / "docs" / "how-to" / "other-languages.md"
TEXT = """
The share of letters that a profile counts, and ROUGE-1.5.5; whether its words are those of rouge-score-rs's
Unicode tokenizer; and how many times faster than it 1,000 pairs of 100 words are scored in one call, on one
core (rouge1, rouge2, rougeL, rougeLsum; medians of {} rounds in turn).
"""
COLUMNS = (
    *(
        "profile",
        "language",
        "letters counted",
        "by ROUGE-1.5.5",
        "words of rouge-score-rs",
    ),
    *("time per pair", "times faster", "stemmer", "stop words"),
)
WORDS, PAIRS = 100, 1000


def texts(text: str, tokens: int) -> tuple[list[str], list[str]]:
    """Return references and predictions: pieces of 100 tokens of a text that has so
    many tokens.
    """
    words = text.split()
    units, blank = (
        (words, " ") if len(words) > tokens / 2 else (list(" ".join(words)), "")
    )
    size, chance = round(WORDS * len(units) / tokens), random.Random(1)
    starts = (chance.randrange(len(units) - size) for _ in range(2 * PAIRS))
    pieces = [blank.join(units[start : start + size]) for start in starts]
    return pieces[:PAIRS], pieces[PAIRS:]


def row(profile: languages.Profile, text: str, count: int) -> list[str]:
    """Return the cells of a profile."""
    peer = import_module("rouge_score_rs.tokenizers").UnicodeTokenizer()
    words = before(profile.normalize, tokenizers.named(profile.tokenizer))(
        text.encode()
    )
    letters = sum(map(str.isalnum, text))
    counted = [
        sum(map(str.isalnum, b" ".join(some).decode()))
        for some in (words, classic(text.encode()))
    ]
    references, predictions = texts(text, len(words))
    scorers = {
        "peer": batch(
            import_module("rouge_score_rs").RougeScorer(TYPES, tokenizer=peer)
        ),
        "ours": lambda references, predictions: rouge_cli.score_rows(
            predictions,
            references,
            TYPES,
            dialect="google",
            language=profile.code,
            notify=lambda _: None,
        ),
    }
    runs = {
        name: partial(timed, score, references, predictions)
        for name, score in scorers.items()
    }
    times = in_turn(runs, count)
    return [
        f"`{profile.code}`",
        profile.name,
        *(f"{min(1.0, number / letters):.0%}" for number in counted),
        (
            "yes"
            if [word.decode() for word in words]
            == peer.tokenize(normalize(profile.normalize, text).translate(INVISIBLE))
            else "no"
        ),
        f"{statistics.median(times['ours']):.0f} us",
        times_faster(times["peer"], times["ours"]).strip("*"),
        "" if profile.stemmer == languages.NONE else profile.stemmer.join("``"),
        "" if profile.stop == languages.NONE else "yes",
    ]


def rows(count: int) -> Iterator[list[str]]:
    """Yield a row for each profile without a library."""
    for profile in languages.profiles().values():
        if profile.tokenizer not in tokenizers.EXTRAS:
            text = Path(UDHR, f"{profile.code}.txt").read_text("utf-8")
            yield alone("compiled", row, profile, text, count)


if __name__ == "__main__":
    if not (UDHR.is_dir() and find_spec("rouge_score_rs")):
        print(
            "no profiles of languages: no Declaration, or no rouge-score-rs",
            file=sys.stderr,
        )
        raise SystemExit(LEFT_OUT)
    if sys.argv[1:] == ["--write"]:
        printed = subprocess.run(
            [sys.executable, __file__], stdout=subprocess.PIPE, check=True, text=True
        )
        pattern = r"(?:\| `\w+` \| [^|]+ \| \d+% .*\n)+"
        (table,) = re.findall(pattern, printed.stdout)
        PAGE.write_text(
            re.sub(pattern, lambda _: table, PAGE.read_text("utf-8")), "utf-8"
        )
    else:
        number = rounds(5)
        command = "rouge_cli.score_rows(predictions, references, types, language=CODE)"
        without = "stemming, stop words, and profiles that need a library"
        section(
            "Profiles of languages",
            TEXT.format(number),
            command,
            without,
            COLUMNS,
            rows(number),
        )
