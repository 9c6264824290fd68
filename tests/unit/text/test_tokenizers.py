"""Tokenizers: expected tokens are worked out by hand from Unicode's rules and
ROUGE-1.5.5's.
"""

import importlib.util
import sys
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from case_tables import tabled
from hypothesis import given
from hypothesis import strategies as st

import rouge_cli
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.text import normalization, tokenizers, words

WORD_BREAKS = (
    Path(__file__).resolve().parents[3] / "fixtures" / "unicode" / "WordBreakTest.txt"
)


def tokens(name: str, text: str) -> list[str]:
    """Return the tokens as strings."""
    return [token.decode() for token in tokenizers.named(name)(text.encode())]


@tabled
def test_unicode_finds_the_words_of_any_alphabet(
    text: str, expected: list[str]
) -> None:
    """Words with their marks are whole and lower-cased, and punctuation gives no
    token.
    """
    assert expected == tokens("unicode", text)


@tabled
def test_char_takes_every_letter_with_its_marks(text: str, expected: list[str]) -> None:
    """A token is a letter or digit as a reader sees it, with its marks."""
    assert expected == tokens("char", text)


def test_composed_and_decomposed_letters_are_the_same() -> None:
    """Composed and decomposed accents give the same tokens."""
    assert ["café"] == tokens("unicode", "café")
    assert tokens("unicode", "Café") == tokens(
        "unicode", unicodedata.normalize("NFD", "CAFÉ")
    )


def test_whitespace_changes_nothing() -> None:
    """Tokenized text stays unchanged, including case and punctuation."""
    assert ["The", "cat", "'s", "mat", "."] == tokens(
        "whitespace", " The cat 's  mat .\n"
    )


def test_classic_is_the_originals() -> None:
    """With the tokenizer `classic` only ASCII letters and digits count."""
    assert ["caf", "t", "is", "2"] == tokens("classic", "café-T is 2")


def test_a_tokenizer_of_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """MODULE:FUNCTION in the folder of the data is called with each sentence."""
    (tmp_path / "mine_of_mine.py").write_text(
        "def halves(text):\n    return [text[:2], text[2:]]\n"
    )
    monkeypatch.chdir(tmp_path)

    assert ["ab", "cdé"] == tokens("mine_of_mine:halves", "abcdé")


@tabled
def test_unknown_tokenizers_are_refused(name: str, message: str) -> None:
    """An unknown tokenizer is refused with a list of the known ones, before anything
    is read.
    """
    with pytest.raises(UsageError, match="tokenizer") as error:
        tokenizers.named(name)

    assert str(error.value).startswith(message)


def test_a_tokenizer_that_fails_is_named() -> None:
    """An error in a user's tokenizer is reported with one message, with the text
    that caused it.
    """
    with pytest.raises(
        RougeError, match="tokenizer json:loads failed on b'x y': JSONDecodeError"
    ):
        tokens("json:loads", "x y")


def test_segments_are_unicodes() -> None:
    """Every line of Unicode's WordBreakTest.txt is split as the file prescribes."""
    wrong = []
    lines = [
        line.partition("#")[0].strip(" \t÷")
        for line in WORD_BREAKS.read_text("utf-8").splitlines()
    ]
    for line in filter(None, lines):
        codes = [segment.replace("×", " ").split() for segment in line.split("÷")]
        expected = [
            "".join(chr(int(code, 16)) for code in segment) for segment in codes
        ]
        if words.segments("".join(expected)) != expected:
            wrong.append(line)

    assert [] == wrong
    assert 1823 == len(list(filter(None, lines)))


@given(
    st.lists(
        st.characters()
        | st.sampled_from(
            [*"aZ9_:.,;'\"- \n\r\t", *"\u00ad\u0308\u200d\u200f\u202fℹאカΣ🇩🛑À中"]
        )
    )
)
def test_the_short_ways_to_words_change_nothing(characters: list[str]) -> None:
    """The faster ways, by chunks and by an expression for ASCII, give the same words
    as whole segments.
    """
    text = "".join(
        character for character in characters if not 0xD800 <= ord(character) < 0xE000
    )
    composed = unicodedata.normalize("NFC", text.lower())
    expected = [
        segment
        for segment in words.segments(composed)
        if words.has_letter_or_digit(segment)
    ]

    assert words.words(text.encode()) == [
        segment.translate(words.INVISIBLE).encode() for segment in expected
    ]


@tabled
def test_quotes_and_invisible_characters_are_no_part_of_words(
    text: str, expected: list[str]
) -> None:
    """A word is the same after a quote, and with invisible characters (QUIRKS 67)."""
    assert expected == tokens("unicode", text)


@pytest.mark.parametrize(
    ("name", "library", "text", "expected"),
    [
        ("jieba", "jieba", "我们去GPT公园。", ["我们", "去", "gpt", "公园"]),
        (
            "ja-mecab",
            "MeCab",
            "今日は\nいい天気です。\0NHK",
            ["今日", "は", "いい", "天気", "です", "nhk"],
        ),
        pytest.param(
            *(
                "ko-kiwi",
                "kiwipiepy",
                "고양이가\0집에서 NHK!",
                ["고양이", "가", "집", "에서", "nhk"],
            ),
            # its model takes seconds; the profile ko-words has it in everyday runs
            marks=pytest.mark.slow,
        ),
        (
            "th-newmm",
            "pythainlp",
            "แมวนอนในบ้าน 2024",
            ["แมว", "นอน", "ใน", "บ้าน", "2024"],
        ),
        ("vi-pyvi", "pyvi", "Trường đại học\0Hà Nội.", ["trường", "đại_học", "hà_nội"]),
        (
            "ko-mecab",
            "mecab_ko",
            "오늘은 날씨가 좋습니다.",
            ["오늘", "은", "날씨", "가", "좋", "습니다"],
        ),
    ],
)
def test_segmenters_by_language(
    name: str,
    library: str,
    text: str,
    expected: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Chinese, Japanese and Korean are split by their libraries; the error for a
    missing one names pip.
    """
    if importlib.util.find_spec(library):
        assert expected == tokens(name, text)
    monkeypatch.setitem(sys.modules, library, None)

    with pytest.raises(RougeError) as error:
        tokenizers.named(name)

    assert f"tokenizer {name} needs the library {library}; " in str(error.value)
    assert f"pip install 'rouge-cli[{tokenizers.EXTRAS[name][0]}]'" in str(error.value)


def test_zh_takes_chinese_characters_one_by_one() -> None:
    """The name zh means the same as in sacrebleu: characters of Chinese, words of
    other text.
    """
    assert ["我", "们", "爱", "gpt", "4"] == tokens("zh", "我们爱GPT 4。")


@tabled
def test_normalization(steps: str, text: str, expected: str) -> None:
    """Accents are removed, letters and vowel signs stay, compatibility forms become
    plain (QUIRKS 68).
    """
    assert expected == normalization.normalize(steps, text)
    decomposed = normalization.normalize(steps, unicodedata.normalize("NFD", text))
    assert expected == unicodedata.normalize("NFC", decomposed)


def test_normalizations_have_one_name() -> None:
    """Steps in any order have one name in the signature, and unknown steps are
    refused.
    """
    assert "nfkc+diacritics" == normalization.canonical("diacritics,nfkc")
    for name in ("nfc", "", "none+nfkc"):
        with pytest.raises(UsageError, match="normaliz"):
            normalization.canonical(name)


@pytest.mark.parametrize("dialect", ["rouge155", "google", "rouge2"])
def test_a_function_is_a_tokenizer(dialect: Any) -> None:  # noqa: ANN401 - a literal of dialects
    """Every dialect with tokenizers takes a function, whose tokens count as those of a
    tokenizer by name.
    """
    texts = ["A b, c.", "x y"], ["a b c", "x, y"]

    def scores(tokenizer: Any) -> object:  # noqa: ANN401 - a name or a function
        return rouge_cli.score(
            *texts, dialect=dialect, tokenizer=tokenizer, samples=0
        ).to_dict()

    assert scores(lambda text: text.split()) == scores("whitespace")
    assert scores(lambda text: list(text.replace(" ", ""))) != scores("whitespace")


def test_every_function_of_python_takes_a_function() -> None:
    """`score_rows`, `explain`, `compare`, `Accumulator` and `sweep` take a function
    where they take the name of a tokenizer.
    """
    options: Any = {"tokenizer": str.split}
    (row,) = rouge_cli.score_rows(["A b,"], ["a b,"], "R1", **options)
    pair = rouge_cli.explain("A b,", "a b,", "R1", **options)
    batches = rouge_cli.Accumulator("R1", samples=0, **options)
    batches.add("A b,", "a b,")
    systems = {"a": ["A b,", "c"], "b": ["x", "c"], "c": ["x", "y"]}
    compared = rouge_cli.compare(systems, ["a b,", "c"], "R1", notify=print, **options)
    swept = rouge_cli.sweep(
        systems,
        ["a b,", "c"],
        human={"a": 3, "b": 2, "c": 1},
        grid={"metric": ["R1"], "tokenizer": [options["tokenizer"], "unicode"]},
    )

    assert row["ROUGE-1.f"] == 0.5
    assert "recall = match / reference = 1 / 2 = 0.50000" in pair.to_text()
    average: Any = batches.report()["system"]
    assert average["R1"].f == 0.5
    assert abs(compared.pairs[0].difference.value) == 0.25
    assert {variant.settings["tokenizer"] for variant in swept.variants} == {
        "callable:builtins.str.split",
        "unicode",
    }


def test_the_signature_of_a_function_is_not_replayed() -> None:
    """A signature names the function and says that it is one; to repeat it, the caller
    passes the function again.
    """
    report = rouge_cli.score("a b", "a b", "R1", tokenizer=str.split, samples=0)
    with pytest.raises(UsageError) as error:
        rouge_cli.score("a b", "a b", like=report.signature)
    again = rouge_cli.score("a b", "a b", like=report.signature, tokenizer=str.split)

    assert "|tokenizer:callable:builtins.str.split|" in report.signature
    assert str(error.value) == (
        "the signature names the tokenizer builtins.str.split, a Python function, which"
        " cannot be found by its name; pass the function itself: tokenizer=FUNCTION in"
        " Python, --tokenizer MODULE:FUNCTION on the command line"
    )
    assert again.signature == report.signature
