"""Notices on texts that lose points, in every dialect, with shares worked out by
hand.
"""

from typing import Any

import pytest

import rouge_cli
from rouge_cli import twins
from rouge_cli.api import DialectName

DIALECTS = ("rouge155", "google", "rouge2")
GERMAN = (  # 33 letters, 22 of them in three words
    "Die Größe der Straße überraschte viele"
)
# Marks between sentences, that are words of no language.
MARKS = (
    "<q>", "\\n", "<br>", "<n>", "<s>", "</s>", "[SEP]", "<t>", "</t>", "</S>", "<S_SEP>",
    "[X_SEP]", "<eos>", "<pad>", "<unk>", "[CLS]", "[unused2]", "<extra_id_0>",
    "<|endoftext|>", "<|im_end|>", "##SENT##", "|||", "story_separator_special_tag",
    "NEWLINE_CHAR", "@highlight", "&lt;q&gt;", "<br />", "<p>", "<think>", "__eou__",
    '<p class="a">', "[/INST]", "<0x0A>", "<｜end▁of▁sentence｜>",
)  # fmt: skip
WORDS = ("cat", "dog", "rat", "hen", "fox", "owl")
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
    # Many of these tests have the same texts on both sides, of which doubts.py warns.
    return [notice for notice in notices if "has its own texts" not in notice]


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
@pytest.mark.parametrize("mark", MARKS)
def test_marks_in_texts_of_one_side_are_named(dialect: str, mark: str) -> None:
    """A mark between sentences of one side is named with its share of the words and
    the mean number of sentences of each side.
    """
    marked = LINES.replace("\n", f" {mark} ")
    (beside_lines,) = notices_of([marked] * 2, [LINES] * 2, dialect)
    (beside_a_line,) = notices_of([LINE] * 2, [marked] * 2, dialect)

    assert beside_lines.startswith(
        f"{mark} is in 2 of 2 predictions and 0 of 2 references; it is read as text"
    )
    is_no_word = mark == "|||" and dialect != "rouge2"
    assert is_no_word is ("% of the words of these predictions" not in beside_lines)
    assert beside_lines.endswith(
        " and ends no sentence (sentences per text: 1.0 in predictions, 3.0 in"
        " references); put line feeds in its place in the predictions"
    )
    assert "0 of 2 predictions and 2 of 2 references" in beside_a_line
    assert f"use --sentences 'mark:{mark}'" in beside_a_line
    assert [] == notices_of([marked], [marked], dialect, sentences=f"mark:{mark}")


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("mark", MARKS)
def test_marks_in_the_texts_are_named(mark: str, side: int) -> None:
    """A mark within most texts is named, on either side, or on both alike; the
    sentences are not blamed.
    """
    plain = [f"the {word} sat on the mat. it slept." for word in WORDS]
    marked = [text.replace(" on", f" {mark} on") for text in plain]
    sides = (marked, plain) if side == 0 else (plain, marked)
    of_side = f"{len(plain)} of {len(plain)} {('predictions', 'references')[side]}"
    needs_words = mark != "|||"

    for texts in (sides, (marked, marked)):
        notices = notices_of(*texts)
        assert needs_words is bool(notices)
        for notice in notices:
            assert notice.startswith(f"{mark} is in ")
            assert of_side in notice
            assert "of the words of these" in notice
            assert notice.endswith((" /g')", "(html.unescape in Python)", "/Ig')"))
    assert [] == notices_of(plain, plain)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("mark", ["<s>", "[CLS]", "<pad>", "<|im_start|>", "<think>"])
def test_marks_of_starts_are_named(dialect: str, mark: str) -> None:
    """A mark at the start of texts, which counts as a word, is to be deleted."""
    for number in (1, 2, 9):
        (notice,) = notices_of([f"{mark} {LINE}"] * number, [LINE] * number, dialect)

        assert notice.startswith(
            f"{mark} is in {number} of {number} predictions and 0 of {number}"
            " references; it is read as text ("
        )
        assert "; delete it from the texts (sed 's/" in notice


@pytest.mark.parametrize(
    ("text", "mark", "remedy"),
    [
        ("un@@ believ@@ able it is", "@@", "(sed 's/@@ //g')"),
        ("un ##believ ##able it is", "##", "(sed 's/ ##//g')"),
        ("Ġun believ able Ġit Ġis", "Ġ", "with the model's tokenizer"),
        ("▁un believ able ▁it ▁is", "▁", "with the model's tokenizer"),
        ("it -LRB- a cat -RRB- is", "-LRB-", "(sed 's/-lrb-/(/Ig; s/-rrb-/)/Ig')"),
        ("it &quot;is&quot; AT&amp;T", "&quot;", "(html.unescape in Python)"),
        ("it&#39;s AT&amp;T&#39;s", "&#39;", "(html.unescape in Python)"),
    ],
)
def test_joints_and_escapes_have_their_own_remedies(
    text: str, mark: str, remedy: str
) -> None:
    """Word pieces, brackets and entities are named with what puts them right."""
    plain = ["unbelievable it is"] * 2
    for predictions, references in (([text] * 2, plain), (plain, [text] * 2)):
        (notice,) = notices_of(predictions, references, metrics="R1")

        assert notice.startswith(f"{mark} is in ")
        assert notice.endswith(remedy)


def test_opening_and_closing_marks_are_one_mark() -> None:
    """`<t>` and `</t>` are named together, with a remedy for each."""
    text = "<t> the cat sat . </t> <t> it slept . </t>"
    (notice,) = notices_of([text] * 3, [LINE] * 3, metrics="R1")

    assert notice.startswith("<t> ... </t> is in 3 of 3 predictions")
    assert "(44% of the words of these predictions)" in notice
    assert notice.endswith("(sed 's/<t>/ /g'), and use --sentences 'mark:</t>'")


@pytest.mark.parametrize(
    "texts",
    [
        ["The tag <br> breaks a line. It has no end."],
        ["Use <br> to break a line.", *["The cat sat."] * 9],
        [f"It is known [{number}] that cats sleep [1]." for number in range(9)],
        [f"Call read_{word}(path) and write_{word}." for word in ("a", "b", "c", "d")],
        [f"@{word} thank you! #{word}" for word in ("ann", "bob", "cat")],
        ["If a < b and c > d then a[i] is [the cat](http://cat).", "1 || 2"],
        ["Sparklines ▁▂▃▄ are short. ▁"],
        ["Ġorġ u Ġanni marru Ħal Għaxaq", "Ġurnata sabiħa fil-Ġnien"],
        [r"Let $x \neq y$ and \nu \in \mathbb{N}, so \nabla f = 0."] * 5,
        ["the_DT cat_NN sat_VBD", "the_DT dog_NN ran_VBD", "the_DT rain_NN fell_VBD"],
        ["AT&T and R&D; Q&A, well-known -- or not"] * 3,
        ["Mail <ann@example.org> or see <http://a.org/x>.", "Ask <bob@b.org>."],
        ["C:\\new\\names of files"] * 3,
        ["## Heading\n\nIssue ##12 is closed. # x", "## Other\n\nText"] * 2,
    ],
)
def test_ordinary_texts_have_no_marks(texts: list[str]) -> None:
    """A text about HTML or programs, with citations, formulas or names is ordinary."""
    other = ["the cat sat on the mat"] * len(texts)
    for sides in ((texts, other), (other, texts), (texts, texts)):
        notices = notices_of(*sides, metrics="R1")
        assert not any("it is read as text" in notice for notice in notices)


@pytest.mark.parametrize("mark", ["<q>", "NEWLINE_CHAR", "[X_SEP]"])
def test_marks_as_often_as_sentences_end_are_named(mark: str) -> None:
    """A mark in a fifth of the texts is named if it stands where sentences end, and
    not if it stands within sentences.
    """
    ends = LINE.replace(". ", f". {mark} ")
    within = LINE.replace(" s", f" {mark} s").replace(" w", f" {mark} w")
    others = [LINE] * 20
    (notice,) = notices_of([ends] * 5 + others, [LINE] * 25)

    assert notice.startswith(f"{mark} is in 5 of 25 predictions and 0 of 25 ref")
    assert notice.endswith(f"use --sentences 'mark:{mark}'")
    assert [] == notices_of([within] * 5 + others, [LINE] * 25)


def test_a_mark_of_one_system_of_many_is_named() -> None:
    """A mark in the texts of one system is named however many systems there are."""
    systems = {f"s{number}": [LINE] * 9 for number in range(30)}
    notices: list[str] = []
    rouge_cli.score(
        systems | {"marked": [f"{LINE} <eos>"] * 9},
        [LINE] * 9,
        samples=0,
        notify=lambda notice: notices.append(notice.message),
    )

    (notice,) = [notice for notice in notices if "has its own texts" not in notice]
    assert notice.startswith("<eos> is in 9 of 279 predictions and 0 of 9 ref")


@pytest.mark.parametrize("readable", [False, True])
def test_the_first_texts_are_examined(
    readable: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A notice says that only the first 1,000 texts of a side were examined."""
    if readable:
        monkeypatch.setattr(twins, "extension", lambda: None)
    marked, others = [f"{LINE} <eos>"] * 700, [LINE] * 700
    (notice,) = notices_of(marked + others, others * 2)

    assert notice.startswith(
        "<eos> is in 700 of the first 1000 predictions and 0 of the first 1000 ref"
    )
    assert [] == notices_of(others * 2 + marked, others * 2 + others)


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
