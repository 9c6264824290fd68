"""Tokenizers: expected tokens are worked out by hand from Unicode's rules and ROUGE-1.5.5's."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

import pytest

from rouge_cli.errors import RougeError, UsageError
from rouge_cli.text import tokenizers

if TYPE_CHECKING:
    from pathlib import Path


def tokens(name: str, text: str) -> list[str]:
    """The tokens, as strings."""
    return [token.decode() for token in tokenizers.named(name)(text.encode())]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Привет, мир!", ["привет", "мир"]),
        ("هذه قطة صغيرة.", ["هذه", "قطة", "صغيرة"]),
        ("हिन्दी में लिखा है।", ["हिन्दी", "में", "लिखा", "है"]),
        ("Das Mädchen isst Äpfel", ["das", "mädchen", "isst", "äpfel"]),
        ("Don't stop-it at 3.14", ["don't", "stop", "it", "at", "3.14"]),
        ("我爱 you", ["我", "爱", "you"]),
        ("— … 。", []),
    ],
)
def test_unicode_finds_the_words_of_any_alphabet(text: str, expected: list[str]) -> None:
    """Words with their marks are whole, lower-cased, and punctuation is none."""
    assert expected == tokens("unicode", text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("今天天气很好。", ["今", "天", "天", "气", "很", "好"]),
        ("GPT 4。", ["g", "p", "t", "4"]),
        ("हिन्दी", ["हि", "न्दी"]),
    ],
)
def test_char_takes_every_letter_with_its_marks(text: str, expected: list[str]) -> None:
    """A token is what a reader sees as one character, if it is a letter or digit."""
    assert expected == tokens("char", text)


def test_composed_and_decomposed_letters_are_the_same() -> None:
    """How an accent is encoded makes no difference."""
    assert ["café"] == tokens("unicode", "café")
    assert tokens("unicode", "Café") == tokens("unicode", unicodedata.normalize("NFD", "CAFÉ"))


def test_whitespace_changes_nothing() -> None:
    """Tokenized text stays as it is, case and punctuation too."""
    assert ["The", "cat", "'s", "mat", "."] == tokens("whitespace", " The cat 's  mat .\n")


def test_classic_is_the_originals() -> None:
    """By the name `classic` only ASCII letters and digits count."""
    assert ["caf", "t", "is", "2"] == tokens("classic", "café-T is 2")


def test_a_tokenizer_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MODULE:FUNCTION beside the data is called with each sentence."""
    (tmp_path / "mine_of_mine.py").write_text("def halves(text):\n    return [text[:2], text[2:]]\n")
    monkeypatch.chdir(tmp_path)

    assert ["ab", "cdé"] == tokens("mine_of_mine:halves", "abcdé")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("unicod", "unknown tokenizer 'unicod'; did you mean unicode?"),
        ("no_such_module:f", "tokenizer no_such_module:f: No module named 'no_such_module'"),
        ("json:no_such", "tokenizer json:no_such: module 'json' has no attribute 'no_such'"),
    ],
)
def test_unknown_tokenizers_are_refused(name: str, message: str) -> None:
    """A name that is none is answered with those that are, before anything is read."""
    with pytest.raises(UsageError, match="tokenizer") as error:
        tokenizers.named(name)

    assert str(error.value).startswith(message)


def test_a_tokenizer_that_fails_is_named() -> None:
    """An error in a tokenizer of the user's own is one message, with the text that it failed on."""
    with pytest.raises(RougeError, match="tokenizer json:loads failed on b'x y': JSONDecodeError"):
        tokens("json:loads", "x y")
