"""Survey of texts for common causes of low scores, and the warnings about them.

The causes are letters outside ASCII, which are dropped, and sentence marks that are
read as text. Texts are surveyed while they are read (in compiled code by `survey.hpp`);
the numbers are added over a run.
"""

from __future__ import annotations

from rouge_cli.core import TYPE_CHECKING, Notice

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any, TypedDict

    # The sentences of a text to its tally, as `survey` returns it.
    Survey = Callable[[Sequence[bytes]], Sequence[int]]

    class Tally(TypedDict):
        """The texts of a side (predictions or references), as in reports."""

        texts: int
        sentences: int
        bytes: int
        marks: Mapping[str, int]
        cut_up: Mapping[str, Any]  # what OF_CUT_UP names


# Common marks of sentence ends in files, and of the ends of texts.
MARKS = ("<q>", "\\n", "<br>", "<n>", "<s>", "</s>", "[SEP]")
_MARKS = [mark.encode() for mark in MARKS]
# Warn if at least 1 in SHARE letters, and at least FEWEST_CUT letters of a text or run,
# are lost.
FEWEST_CUT, SHARE = 10, 10
# warn if at least 1 in 50 texts of a side is affected; fewer may only contain foreign
# names
ONE_IN = 50
# Letters and digits of other alphabets, approximately: without punctuation, symbols and
# pictographs.
_WORDS = (
    "[0-9A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u1fff\u2c00-\u2dff\u3005-\u3007\u3040-\ud7ff\uf900-\ufdff\ufe70-\ufefc"
    "\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff66-\uffdc\U00010000-\U0001efff\U00020000-\U0003ffff]+"
)
# The length of a tally, and in it the index of texts that are cut up.
SIZE, CUT_UP = len(MARKS) + 8, len(MARKS) + 3
# The numbers of texts that lose many letters in the tokenizer, and of letters in these;
# the first text.
OF_CUT_UP = ("texts", "long", "letters", "cut", "dropped", "first", "language")
_UNCUT: dict[str, Any] = {
    **dict.fromkeys(OF_CUT_UP[:-2], 0),
    "first": "",
    "language": "",
}
_UNMARKED = dict.fromkeys(MARKS, 0)
_WHOLE, UNSURVEYED = (0,) * (SIZE - CUT_UP), (1,) + (0,) * (SIZE - 1)
SIDES = PREDICTIONS, REFERENCES = "predictions", "references"
ROLES = "system", "reference"  # before a name in messages


def survey(
    units: Sequence[bytes], *, ascii_only: bool = True, normalize: str = "none"
) -> Sequence[int]:
    """Return the tally of one text with these sentences.

    It is 1, the numbers of sentences and bytes, 1 for each of MARKS in the text, 1 if
    it is cut up, 1 if it matters by itself, its letters, those in words that are cut
    up, and those that are dropped. The last four are 0 unless it is cut up: a tenth of
    its letters is dropped, or is in such words and at least FEWEST_CUT, which matters
    by itself. One without ASCII letters is reported for having no tokens instead. No
    text is cut up unless the tokenizer drops all other letters (`ascii_only`).
    """
    text = b"\n".join(units)
    counted = [
        1,
        len(units),
        sum(map(len, units)),
        *[int(mark in text) for mark in _MARKS],
    ]
    if not ascii_only or text.isascii():
        return (*counted, *_WHOLE)
    import re  # most texts never get here

    from rouge_cli.text import normalization

    words = re.findall(
        _WORDS, normalization.normalize(normalize, text.decode("utf-8", "replace"))
    )
    letters = sum(map(len, words))
    cut = sum(len(word) for word in words if not word.isascii())
    dropped = sum(not letter.isascii() for word in words for letter in word)
    is_long = cut >= FEWEST_CUT and cut * SHARE >= letters
    if re.search(rb"[0-9A-Za-z]", text) and (is_long or dropped * SHARE >= letters > 0):
        return (*counted, 1, int(is_long), letters, cut, dropped)
    return (*counted, *_WHOLE)


def record(numbers: Sequence[int], first_cut: tuple[str, str] = ("", "")) -> Tally:
    """Return a tally for reports, given the place and the language of the first text
    that is cut up.
    """
    texts, sentences, size, *others = numbers
    marks, cut_up = _UNMARKED.copy(), _UNCUT.copy()
    if any(others) or any(first_cut):  # few texts have any
        marks = dict(zip(MARKS, numbers[3:CUT_UP], strict=True))
        cut_up = dict(zip(OF_CUT_UP, (*numbers[CUT_UP:], *first_cut), strict=True))
    return {
        "texts": texts,
        "sentences": sentences,
        "bytes": size,
        "marks": marks,
        "cut_up": cut_up,
    }


def cut_up_message(
    details: Mapping[str, object],
    *,
    has_tokenizers: bool = True,
    names: tuple[str, str] = SIDES,
) -> str:
    """Return the warning about a run whose texts lose many letters, or an empty string.

    Args:
        details: The details of a report.
        has_tokenizers: True if the dialect has the option --tokenizer.
        names: What the message calls predictions and references.
    """
    sides = _sides(details)
    parts = [side["cut_up"] for side in sides]
    if not any(part["texts"] for part in parts):
        return ""
    letters, cut, dropped = (
        sum(part[name] for part in parts) for name in ("letters", "cut", "dropped")
    )
    is_long = any(part["long"] for part in parts)
    many = any(
        part["texts"] * ONE_IN >= side["texts"]
        for part, side in zip(parts, sides, strict=True)
    )
    if not (letters and many and (is_long or dropped >= FEWEST_CUT)):
        return ""
    where, code = (parts[0][name] or parts[1][name] for name in ("first", "language"))
    from rouge_cli.text import languages  # most runs never get here

    way = languages.way(code, has_tokenizers=has_tokenizers)
    if code == languages.SEPARATED:
        ways = way
    else:
        ways = f"{way}, or {'--tokenizer unicode' if code else 'char'}"
    texts = _by_side([part["texts"] for part in parts], sides, names)
    return (
        f"{where}: words with letters outside ASCII are dropped or cut up by the"
        f" tokenizer ({cut / letters:.0%} of the letters are in such words, in"
        f" {texts}); use rouge-cli score {ways}"
    )


def _by_side(
    texts: Sequence[int], sides: Sequence[Tally], names: tuple[str, str] = SIDES
) -> str:
    """Return the numbers of texts by side, such as `3 of 4 predictions and 1 of 8
    references`.
    """
    counted = zip(texts, sides, names, strict=True)
    return " and ".join(
        f"{number} of {side['texts']} {name}" for number, side, name in counted
    )


NULS = (
    "NUL bytes, as in UTF-16; name the encoding (rouge-cli score --encoding utf-16-le),"
    " or save it as UTF-8"
)
NOTHING_READ = {side: record([0] * SIZE) for side in SIDES}


LONG = (
    200  # mean bytes of texts; longer texts of one line probably have several sentences
)
SEVERAL = (
    1.5  # mean sentences per text; with more, texts usually have several sentences
)
ONE_MARKED = 10  # warn of a mark in at least 1 text in 10; fewer may be coincidence
ONE_LINE = (
    "every text is one line, which the measures of sentences (ROUGE-L) take for one"
    " sentence; if there are several in it, say how to find them: --sentences mark:<q>"
    " (or another mark), or --sentences split"
)


def remarks(
    details: Mapping[str, object],
    options: Mapping[str, object],
    *,
    needs_sentences: bool,
) -> Iterator[Notice]:
    """Yield warnings about ignored letters, marks and sentences, given a report's
    details and options.
    """
    sides = _sides(details)
    if not sides:
        return
    predictions, references = sides
    is_cut_up = predictions["cut_up"]["texts"] or references["cut_up"]["texts"]
    if is_cut_up and (
        message := cut_up_message(details, has_tokenizers="tokenizer" in options)
    ):
        yield Notice(message)
    means = [side["sentences"] / side["texts"] for side in sides]
    most = max(means)
    found = (
        MARKS
        if any(predictions["marks"].values()) or any(references["marks"].values())
        else ()
    )
    marked = [
        mark
        for mark in found
        if any(side["marks"][mark] * ONE_MARKED >= side["texts"] for side in sides)
    ]
    how = str(options.get("sentences", "")) if needs_sentences and not marked else ""
    if (
        how == "newline"
        and most <= 1
        and all(side["bytes"] > LONG * side["texts"] for side in sides)
    ):
        yield Notice(ONE_LINE)
    if not marked and most <= SEVERAL:
        return
    per_text = "sentences per text: {:.1f} in predictions, {:.1f} in references".format(
        *means
    )
    for mark in marked:
        texts = [side["marks"][mark] for side in sides]
        remedy = f"use --sentences 'mark:{mark}'"
        if mark == "<s>":  # the start of a text or sentence
            remedy = "delete it from the texts"
        elif any(
            mean > SEVERAL and not number
            for mean, number in zip(means, texts, strict=True)
        ):
            remedy = f"put line feeds in its place in the {SIDES[not texts[0]]}"
        what = (
            f"{mark} is in {_by_side(texts, sides)}; it is read as text and ends no"
            " sentence"
        )
        yield Notice(f"{what} ({per_text}); {remedy}")
    if (how == "newline" or how.startswith("mark:")) and min(means) <= 1:
        side = SIDES[means[0] > 1]
        yield Notice(
            f"every text of the {side} is one sentence, others have several"
            f" ({per_text}); if there are several in a line, write one sentence a line"
            " on both sides, or use --sentences split"
        )


def is_unremarkable(tallies: Iterable[Sequence[int]]) -> bool:
    """Return True if `remarks` yields nothing for these tallies of both sides,
    whatever the options.
    """
    return not any(
        any(numbers[3:])
        or numbers[1] > SEVERAL * numbers[0]
        or numbers[2] > LONG * numbers[0]
        for numbers in tallies
    )


def _sides(details: Mapping[str, object]) -> Sequence[Tally]:
    """Return the tallies of predictions and references; empty unless both sides were
    surveyed.
    """
    found: list[Any] = [details.get(side) for side in SIDES]
    sides = [side for side in found if side and side.get("texts") and "marks" in side]
    return sides if len(sides) == len(SIDES) else []
