"""Texts that every reader of a language takes for the same have equal words there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import rouge_cli
from rouge_cli.errors import RougeError
from rouge_cli.text import languages

LINES = Path(__file__).with_name("equal_spellings.txt").read_text("utf-8").splitlines()
PROFILES = list(languages.profiles())
ESCAPE = re.compile(r"\\u([0-9a-f]{4})")


def _pairs() -> list[tuple[str, str, str]]:
    """Return the pairs of each profile, with those of all."""
    pairs = []
    for line in LINES:
        if line.startswith("#"):
            continue
        plain = ESCAPE.sub(lambda escape: chr(int(escape[1], 16)), line)
        code, first, second = (part.strip() for part in plain.split(" | "))
        for profile in PROFILES if code == "*" else [code]:
            pairs.append((profile, first, second))
    return pairs


PAIRS = _pairs()


def score(first: str, second: str, language: str | None) -> float:
    """Return ROUGE-1 of a pair; skip the test without the language's library."""
    try:
        report = rouge_cli.score(
            first, second, "R1", language=language, samples=0, notify=lambda _: None
        )
    except RougeError as error:
        pytest.skip(str(error))
    return report["R1"].f


@pytest.mark.parametrize(("code", "first", "second"), PAIRS)
def test_equal_texts_have_equal_words(code: str, first: str, second: str) -> None:
    """A profile takes two spellings of a text for the same words."""
    assert score(first, second, code) == 1.0


@pytest.mark.parametrize(("code", "first", "second"), PAIRS)
def test_to_name_a_language_is_never_worse(code: str, first: str, second: str) -> None:
    """Equal texts score with their language named at least as high as without it."""
    assert score(first, second, code) >= score(first, second, None)


def test_each_script_has_pairs_of_its_own() -> None:
    """The profiles of every script are tried with texts of that script."""
    tried = set()
    for code, first, _ in PAIRS:
        script = languages.profiles()[code].script
        if languages.share_of_script(first, script):
            tried.add(script)

    assert tried == {profile.script for profile in languages.profiles().values()}


@pytest.mark.parametrize(
    ("code", "text", "noun"),
    [
        ("fr", "l’arbre", "arbre"),
        ("it", "dell'albero", "albero"),
        ("ca", "l’arbre", "arbre"),
    ],
)
def test_elided_words_are_words(code: str, text: str, noun: str) -> None:
    """An elided article and its noun are two words, of which either can match alone."""
    assert score(text, noun, code) == 0.66667
