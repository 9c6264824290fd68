"""Profiles of languages, on sentences written for this test."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest
from case_tables import tabled

import rouge_cli
from rouge_cli.api import DialectName
from rouge_cli.errors import UsageError
from rouge_cli.text import languages, tokenizers
from rouge_cli.text.normalization import before

LINES = (Path(__file__).with_name("languages.txt")).read_text("utf-8").splitlines()
CASES = [
    [part.strip() for part in line.removeprefix("--language ").split(" | ")]
    for line in LINES[1:]
]
PROFILES = list(languages.profiles().values())


def tokens(code: str, text: str) -> list[str]:
    """Return the tokens of a text by the profile of a language; skip the test if a
    library is missing.
    """
    profile = languages.named(code)
    if profile.tokenizer in tokenizers.EXTRAS:
        for module in tokenizers.EXTRAS[profile.tokenizer][1]:
            if not importlib.util.find_spec(module.partition(".")[0]):
                pytest.skip(f"{module} is not installed")
    tokenize = before(profile.normalize, tokenizers.named(profile.tokenizer))
    return [token.decode() for token in tokenize(text.encode())]


def test_each_profile_has_a_case() -> None:
    """The file of sentences has the languages of the table, in its order."""
    assert [profile.code for profile in PROFILES] == [code for code, *_ in CASES]


@pytest.mark.parametrize(
    ("code", "sentence", "expected", "_other"), CASES, ids=lambda text: text[:10]
)
def test_a_profile_finds_the_words_that_a_reader_sees(
    code: str, sentence: str, expected: str, _other: str
) -> None:
    """The words of a sentence in each language, worked out by hand, in one case of
    letters.
    """
    assert expected.split() == tokens(code, sentence)


@pytest.mark.parametrize("code", [code for code, *_ in CASES if "-" not in code])
def test_the_language_of_a_sentence_is_guessed_by_its_letters(code: str) -> None:
    """A sentence with letters outside ASCII is taken for its own language or another
    of the script.
    """
    ((_, first, _, second),) = [case for case in CASES if case[0] == code]
    guessed = languages.guess(f"{first} {second}".encode())

    assert (guessed is None) == f"{first}{second}".isascii()
    assert (
        guessed is None
        or guessed.script == languages.named(code).script
        or code in {"zh", "ja"}
    )


def test_the_signature_repeats_a_profile_without_its_name() -> None:
    """The options of a profile are in the signature, which gives the same scores
    without the language.
    """
    texts = "Der GROSSE Bär schläft", ["Das große Bärchen schlief"]
    first = rouge_cli.score(*texts, "R1", language="de", stem=True, samples=0)
    second = rouge_cli.score(*texts, "R1", like=first.signature)

    assert "stemmer:snowball:german|" in first.signature
    assert (
        "normalize:typography+nfkc+casefold|tokenizer:unicode|sentences:newline|"
        in first.signature
    )
    assert (first.signature, first.to_dict()) == (second.signature, second.to_dict())


@pytest.mark.parametrize("dialect", ["rouge155", "google", "rouge2"])
def test_an_explicit_option_beats_the_profile(dialect: str) -> None:
    """A tokenizer of the user's own stays, and the rest is the profile's."""
    label = "rouge1" if dialect == "google" else "ROUGE-1"
    report = rouge_cli.score(
        "Größe",
        ["Größe"],
        label,
        dialect=DialectName(dialect),
        language="de",
        tokenizer="char",
        samples=0,
    )

    assert "tokenizer:char" in report.signature
    assert "normalize:typography+nfkc+casefold" in report.signature


def test_stop_words_and_sentences_are_those_of_the_language() -> None:
    """`iso:es` drops el and la; `split` divides as the profile names it."""
    options = languages.named("es").options(
        "rouge155", {"tokenizer": "", "normalize": "", "stop": "", "sentences": ""},
        {"stop": True, "sentences": "split"},
    )  # fmt: skip
    report = rouge_cli.score(
        "EL perro y la casa", ["perro"], "R1", language="es", stop="iso:es", samples=0
    )

    assert ("iso:es", "split:es") == (options["stop"], options["sentences"])
    assert 1 / 2 == report.to_dict()["system"]["ROUGE-1"]["precision"]


@tabled
def test_what_a_language_cannot_do_is_refused(
    name: str, options: dict[str, Any], message: str
) -> None:
    """Unknown languages and versions, parts that a language lacks, and dialects with
    their own words.
    """
    with pytest.raises(UsageError) as error:
        rouge_cli.score("a", ["a"], language=name, **options)

    assert str(error.value).startswith(message)


def test_turkish_dots_are_kept_in_either_case() -> None:
    """Dotted and dotless i are two letters in Turkish, composed or not; in other
    languages I is i.
    """
    score = rouge_cli.score(
        "ISI I\u0307PEK", ["\u0131s\u0131 ipek"], "R1", language="tr", samples=0
    )

    assert 1 == score.to_dict()["system"]["ROUGE-1"]["f"]
    assert ["isi"] == tokens("es", "ISI")
