"""PyPI's rouge-score-rs, a third implementation: what Google's rouge_score and ours
print.
"""

import json
import random
from pathlib import Path
from typing import Any

import pytest

import rouge_cli
from rouge_cli.dialects.google import RougeScorer
from rouge_cli.text import languages, tokenizers
from rouge_cli.text.normalization import before, normalize
from rouge_cli.text.words import INVISIBLE
from tests.laws.test_language_laws import CODES, texts_of

GOLDEN = Path(__file__).resolve().parents[2] / "fixtures" / "google" / "cases.json"
TYPES = ["rouge1", "rouge2", "rouge4", "rougeL", "rougeLsum"]
# Alphabets whose texts repeat words, so that matches are clipped and subsequences tie.
ALPHABETS = (
    "a b", "a b c d", " ".join(f"w{number}" for number in range(25)),
    "the The cat cats running agreement happily ties skies proceed relational news don't 3.5 e-mail U.S.",
    "naïve Zürich Кот кот İ ſ Kelvin 猫 坐 é É ß the cat cats ran _ ½ ²",
)  # fmt: skip
SPACES = (" ", " ", " ", " ", "  ", "\n", ", ", ". ", "\n\n", "\t", "-")


@pytest.fixture
def theirs() -> Any:  # noqa: ANN401 - a module
    """Return the package."""
    return pytest.importorskip("rouge_score_rs").rouge_scorer


@pytest.fixture
def their_words() -> Any:  # noqa: ANN401 - a function
    """Return the function of the package that divides a text into words of any
    alphabet.
    """
    return pytest.importorskip("rouge_score_rs.tokenizers").UnicodeTokenizer().tokenize


def text(chance: random.Random, alphabet: list[str]) -> str:
    """Return a random text of up to 40 words."""
    return "".join(
        chance.choice(alphabet) + chance.choice(SPACES)
        for _ in range(chance.randint(0, 40))
    )


def figures(scores: Any) -> list[tuple[float, ...]]:  # noqa: ANN401 - either package's
    """Return precision, recall and F of each type."""
    return [
        (scores[kind].precision, scores[kind].recall, scores[kind].fmeasure)
        for kind in TYPES
    ]


def test_rouge_score_rs_is_rouge_score(theirs: Any) -> None:  # noqa: ANN401
    """Every golden case of rouge_score has its scores from rouge-score-rs, with and
    without stemming.
    """
    golden = json.loads(GOLDEN.read_text("utf-8"))
    scored = 0
    for case in golden["cases"]:
        for mode, stem in (("plain", False), ("stem", True)):
            scorer = theirs.RougeScorer(golden["rouge_types"], use_stemmer=stem)
            scores = scorer.score_multi(case["references"], case["prediction"])
            for label, expected in case["expected"][mode].items():
                score = scores[label]
                figures = [score.precision, score.recall, score.fmeasure]
                assert pytest.approx(expected, abs=1e-9) == figures
            scored += 1

    assert scored == 240


@pytest.mark.slow
@pytest.mark.parametrize("stem", [False, True])
@pytest.mark.parametrize("alphabet", range(len(ALPHABETS)))
def test_random_texts_are_scored_alike(
    theirs: Any,  # noqa: ANN401
    alphabet: int,
    *,
    stem: bool,
) -> None:
    """Thousands of random texts, also beyond ASCII, have the scores of
    rouge-score-rs.
    """
    chance = random.Random(f"{alphabet} {stem}")
    words = ALPHABETS[alphabet].split(" ")
    both = theirs.RougeScorer(TYPES, use_stemmer=stem), RougeScorer(TYPES, stem)
    for _ in range(1000):
        target, prediction, other = (text(chance, words) for _ in range(3))
        expected, ours = (figures(scorer.score(target, prediction)) for scorer in both)
        for pair in zip(expected, ours, strict=True):
            assert pytest.approx(pair[0], abs=1e-12) == pair[1], (target, prediction)
        best, ours = (
            figures(scorer.score_multi([target, other], prediction)) for scorer in both
        )
        for pair in zip(best, ours, strict=True):
            assert pytest.approx(pair[0], abs=1e-12) == pair[1], (
                target,
                other,
                prediction,
            )


@pytest.mark.slow
def test_unicode_words_are_scored_alike(theirs: Any) -> None:  # noqa: ANN401
    """`--tokenizer unicode` has the scores of the package's tokenizer by UAX 29, in
    many scripts.

    The words are equal under its normalization (NFKC, case folding) and ours (NFC,
    lower case).
    """
    tokenizer = pytest.importorskip("rouge_score_rs.tokenizers").UnicodeTokenizer()
    scorer = theirs.RougeScorer(TYPES, tokenizer=tokenizer)
    chance = random.Random(24)
    scripts = (
        "naïve Zürich É é don't 3.50 e-mail U.S. 3,4 a_b x:y can’t l’été",
        "Кот кот сидел на коврике Ёлка", "γάτα Γάτα κάθεται το χαλί", "חתול ישב על צה״ל",
        "قطة جلست على ٣٫٥",
        "고양이 앉았다 매트 위에", "猫坐在垫子上 我喜欢猫 カタカナ ひらがな", "बिल्ली बैठी है",
        "🐱 👍🏽 👨‍👩‍👧 cat 🇩🇪",
    )  # fmt: skip
    alphabets = [script.split() for script in scripts] + [" ".join(scripts).split()]
    for number in range(2000):
        words = alphabets[number % len(alphabets)]
        target, prediction = text(chance, words), text(chance, words)
        (ours,) = rouge_cli.score_rows(
            [prediction],
            [target],
            TYPES,
            dialect="google",
            tokenizer="unicode",
            notify=lambda _: None,
        )
        expected = [
            figure
            for scores in figures(scorer.score(target, prediction))
            for figure in scores
        ]
        names = [
            f"{kind}.{name}" for kind in TYPES for name in ("precision", "recall", "f")
        ]
        assert pytest.approx(expected, abs=1e-12) == [ours[name] for name in names], (
            target,
            prediction,
        )


# First letters of 20 scripts, and how many follow.
LETTERS = {
    0x61: 26, 0xE0: 160, 0x3B1: 30, 0x430: 32, 0x561: 38, 0x5D0: 27, 0x627: 36, 0x904: 54, 0x985: 53,
    0xA05: 53, 0xA85: 53, 0xB85: 53, 0xC05: 53, 0xD05: 53, 0xD85: 66, 0x10D0: 33, 0x1200: 347,
    0x3041: 86, 0x4E00: 20902, 0xAC00: 11172,
}  # fmt: skip
OF_ALL_SCRIPTS = (
    "aZ09_.,:;'\"-\n ()\u2019\ufb01\uff21\u00bd\u30ab\u30fc\u00df\u0130\u03a3"
)
MARKS = "\u0301\u0308\u05b8\u064e\u093e\u0cbe\u3099"


@pytest.mark.slow
def test_unicode_words_are_those_of_another_program(
    their_words: Any,  # noqa: ANN401
) -> None:
    """`unicode` after `nfkc+casefold` finds its UnicodeTokenizer's words in 10,000
    texts of 20 scripts.

    Aside from invisible characters (QUIRKS 67) and marks that stand alone, which are
    not words here.
    """
    chance = random.Random(0)
    our_words = before("nfkc+casefold", tokenizers.named("unicode"))
    for number in range(10_000):
        first, size = [*LETTERS.items()][number % len(LETTERS)]
        letters = [
            letter
            for letter in map(chr, range(first, first + size))
            if letter.isalpha()
        ]
        kinds = [letters, letters, [*letters[:40], *OF_ALL_SCRIPTS, *MARKS], [" "]]
        text = "".join(
            chance.choice(chance.choice(kinds)) for _ in range(chance.randint(0, 40))
        )
        expected = [word for word in their_words(text) if any(map(str.isalnum, word))]
        assert expected == [word.decode() for word in our_words(text.encode())], repr(
            text
        )


@pytest.mark.parametrize("code", [code for code in CODES if code not in {"az", "tr"}])
def test_the_words_of_a_profile_are_those_of_another_program(
    their_words: Any,  # noqa: ANN401
    code: str,
) -> None:
    """Each profile without a library has the words that its UnicodeTokenizer finds in
    the normalized text; it keeps no Turkic i.
    """
    profile, text = languages.named(code), "\n".join(texts_of(code))
    tokenize = before(profile.normalize, tokenizers.named(profile.tokenizer))
    words = [word.decode() for word in tokenize(text.encode())]

    normalized = normalize(profile.normalize, text)

    assert words == their_words(normalized.translate(INVISIBLE))
