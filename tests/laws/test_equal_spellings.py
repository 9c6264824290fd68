"""Texts that every reader of a language takes for the same have equal words there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import rouge_cli
from rouge_cli import dialects, plugins
from rouge_cli.api import DialectName
from rouge_cli.core import Notice
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


WITH_TOKENIZERS = [
    name
    for name in plugins.names(dialects.__name__)
    if "tokenizer" in dialects.named(name).defaults
]


def score(
    first: str, second: str, language: str | None, dialect: str = "rouge155"
) -> float:
    """Return ROUGE-1 of a pair; skip the test without the language's library."""
    label = "rouge1" if dialect == "google" else "ROUGE-1"
    try:
        report = rouge_cli.score(
            first,
            second,
            label,
            dialect=DialectName(dialect),
            language=language,
            samples=0,
            notify=lambda _: None,
        )
    except RougeError as error:
        pytest.skip(str(error))
    return report["system"][label].f


@pytest.mark.parametrize("dialect", WITH_TOKENIZERS)
@pytest.mark.parametrize("code", PROFILES)
def test_equal_texts_have_equal_words(code: str, dialect: str) -> None:
    """A profile takes the spellings of a text for the same words, in every dialect
    that has profiles, and never fewer than the dialect does without it.
    """
    for profile, first, second in PAIRS:
        if profile == code:
            assert score(first, second, code, dialect) == 1.0, (first, second)


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


@pytest.mark.parametrize("dialect", ["rouge155", "rouge2"])
def test_letters_that_normalization_keeps_are_not_called_dropped(dialect: str) -> None:
    """A warning of dropped letters is about the normalized text, in each dialect that
    has the classic tokenizer.
    """
    by_steps = {}
    for steps in ("none", "diacritics"):
        notices: list[Notice] = []
        rouge_cli.score(
            "élève été",
            "élève été mangé",
            "ROUGE-1",
            dialect=DialectName(dialect),
            tokenizer="classic",
            normalize=steps,
            samples=0,
            notify=notices.append,
        )
        by_steps[steps] = bool(notices)

    assert by_steps == {"none": True, "diacritics": False}
