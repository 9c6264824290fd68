"""Notices on texts that lose points, in every dialect, with shares worked out by
hand.
"""

from typing import Any

import pytest

import rouge_cli
from rouge_cli.api import DialectName
from rouge_cli.text.survey import MARKS

DIALECTS = ("rouge155", "google", "rouge2")
GERMAN = (  # 33 letters, 22 of them in three words
    "Die Größe der Straße überraschte viele"
)
LINES, LINE = "the cat sat\nit slept\nit woke", "the cat sat. it slept. it woke."


def notices_of(
    predictions: Any,  # noqa: ANN401
    references: Any,  # noqa: ANN401
    dialect: str = "rouge155",
    **options: Any,  # noqa: ANN401
) -> list[str]:
    """Return the notices of a run on these texts, which are those of `score_rows`,
    too.
    """
    texts = [
        [text] if isinstance(text, str) else text for text in (predictions, references)
    ]
    options |= {"dialect": DialectName(dialect)}
    notices, of_rows = list[str](), list[str]()
    rouge_cli.score(
        *texts,
        samples=0,
        notify=lambda notice: notices.append(notice.message),
        **options,
    )
    rouge_cli.score_rows(
        *texts, notify=lambda notice: of_rows.append(notice.message), **options
    )
    assert notices == of_rows
    return notices


@pytest.mark.parametrize("dialect", ["rouge155", "google"])
def test_letters_that_are_not_read_are_named(dialect: str) -> None:
    """A text with a tenth of its letters in words that the tokenizer splits is
    named, with a remedy.
    """
    (notice,) = notices_of([GERMAN, "the cat"], ["the cat sat", "the cat"], dialect)

    assert (
        notice
        == "eval 1: words with letters outside ASCII are dropped or cut up by the"
        " tokenizer (67% of the letters are in such words, in 1 of 2 predictions and"
        " 0 of 2 references); use rouge-cli score --language de, or --tokenizer"
        " unicode"
    )


@pytest.mark.parametrize(
    "text",
    ["我们今天去公园看花然后回家 GPT 4", "Bugün güneşli bir gün, yürüyüşe çıktık"],
)
def test_other_languages_are_named_too(text: str) -> None:
    """Chinese with a few ASCII words, and Turkish, are named although they have
    tokens.
    """
    assert ["cut up" in notice for notice in notices_of(text, text)] == [True]


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("Beyoncé sang and the long audience of the evening cheered", {}), ("It’s “fine” — really… ☺", {}),
        (GERMAN, {"tokenizer": "unicode"}), ("Café olé déjà vu crème brûlée", {"normalize": "diacritics"}),
    ],
)  # fmt: skip
def test_text_that_is_read_gets_no_notice(text: str, options: dict[str, str]) -> None:
    """Names, curly quotes, a tokenizer for the letters, and letters converted to
    ASCII cause no notice.
    """
    assert [] == notices_of(text, text, **options)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("mark", [mark for mark in MARKS if mark != "<s>"])
def test_marks_in_texts_of_one_side_are_named(dialect: str, mark: str) -> None:
    """A literal sentence mark on one side is named with the mean number of sentences
    of each side.
    """
    marked = LINES.replace("\n", f" {mark} ")
    (beside_lines,) = notices_of([marked] * 2, [LINES] * 2, dialect)
    (beside_a_line,) = notices_of([LINE] * 2, [marked] * 2, dialect)

    assert (
        beside_lines
        == f"{mark} is in 2 of 2 predictions and 0 of 2 references; it is read as text"
        " and ends no sentence (sentences per text: 1.0 in predictions, 3.0 in"
        " references); put line feeds in its place in the predictions"
    )
    assert "0 of 2 predictions and 2 of 2 references" in beside_a_line
    assert f"use --sentences 'mark:{mark}'" in beside_a_line
    assert [] == notices_of([marked], [marked], dialect, sentences=f"mark:{mark}")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_marks_of_starts_are_named(dialect: str) -> None:
    """A mark at the start of texts, which counts as a word, is to be deleted."""
    (notice,) = notices_of([f"<s> {LINE}"] * 2, [LINE] * 2, dialect)

    assert notice.startswith(
        "<s> is in 2 of 2 predictions and 0 of 2 references; it is read as text"
    )
    assert notice.endswith("; delete it from the texts")


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("one_line", ["predictions", "references"])
def test_one_line_against_several_is_named(dialect: str, one_line: str) -> None:
    """Texts in one line against texts of several lines are named, on either side."""
    sides = ([LINE], [LINES]) if one_line == "predictions" else ([LINES], [LINE])
    counts = (
        "1.0 in predictions, 3.0 in references"
        if one_line == "predictions"
        else "3.0 in predictions, 1.0 in references"
    )
    (notice,) = notices_of(*sides, dialect)

    assert notice.startswith(
        f"every text of the {one_line} is one sentence, others have several"
        " (sentences per"
    )
    assert counts in notice
    assert (
        []
        == notices_of([LINES], [LINES], dialect)
        == notices_of([LINE], [LINE], dialect)
    )


def test_measures_that_join_the_lines_need_no_sentences() -> None:
    """If no measure uses sentences there is no notice about them."""
    assert [] == notices_of([LINE], [LINES], metrics="R1,R2,RSU4")
    assert [] == notices_of([LINE], [LINES], "google", metrics="rouge1,rougeL")


def test_a_mark_in_one_text_of_many_is_chance() -> None:
    """A backslash in one text of many causes no notice."""
    texts = ["it is in C:\\new folder", *["the cat sat"] * 10]

    assert [] == notices_of(texts, ["the cat sat"] * 11)
