"""Survey of texts for common causes of low scores, and the warnings about them.

The causes are letters outside ASCII, which are dropped, and marks that are read as
words (see `marks`). Letters are surveyed while texts are read (in compiled code by
`survey.hpp`); the numbers are added over a run.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from rouge_cli.core import Notice
from rouge_cli.text import marks, normalization

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import TypedDict

    from rouge_cli.text.marks import Mark

    # The sentences of a text to its numbers, as `survey` returns them.
    Survey = Callable[[Sequence[bytes]], "Numbers"]

    class Tally(TypedDict):
        """The texts of a side (predictions or references), as in reports."""

        texts: int
        sentences: int
        bytes: int
        examined: int  # texts that were examined for marks
        marks: Mapping[str, Mark]
        # The numbers of texts that lose many letters in the tokenizer, and of letters
        # in these; the first text.
        cut_up: Mapping[str, Any]


class Numbers(NamedTuple):
    """The numbers of one text, or the sums over the texts of a side.

    The fields after `bytes` are 0 for a text that is not cut up by the tokenizer.
    Compiled code has a struct with the same names (`TextTally` in `program.hpp`).
    """

    texts: int = 0
    sentences: int = 0
    bytes: int = 0
    cut_up: int = 0  # texts that lose many letters in the tokenizer
    long_texts: int = 0  # of these, the texts that matter by themselves
    letters: int = 0  # of texts that are cut up: all
    cut: int = 0  # in words that are cut up
    dropped: int = 0  # outside ASCII

    def plus(self, other: Numbers) -> Numbers:
        """Return the sums of both."""
        return Numbers(
            texts=self.texts + other.texts,
            sentences=self.sentences + other.sentences,
            bytes=self.bytes + other.bytes,
            cut_up=self.cut_up + other.cut_up,
            long_texts=self.long_texts + other.long_texts,
            letters=self.letters + other.letters,
            cut=self.cut + other.cut,
            dropped=self.dropped + other.dropped,
        )


# In place of a code of a language: somebody has put blanks between the words.
SEPARATED = "words"


class CutText(NamedTuple):
    """A text that is cut up by a tokenizer."""

    where: str
    # The codes of its languages; empty if they are unknown, and SEPARATED if blanks
    # separate the words of a language that has none.
    languages: str


NO_TEXT = CutText("", "")

# Warn if at least 1 in SHARE letters, and at least FEWEST_CUT letters of a text or run,
# are lost.
FEWEST_CUT, SHARE = 10, 10
# Warn if at least 1 in 50 texts of a side is affected; fewer may only contain foreign
# names.
ONE_IN = 50
# Letters and digits of other alphabets, approximately: without punctuation, symbols and
# pictographs.
_WORDS = (
    "[0-9A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u1fff\u2c00-\u2dff\u3005-\u3007\u3040-\ud7ff\uf900-\ufdff\ufe70-\ufefc"
    "\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff66-\uffdc\U00010000-\U0001efff\U00020000-\U0003ffff]+"
)

SIDES = PREDICTIONS, REFERENCES = "predictions", "references"
SOURCES = "sources"  # what was summarized; not part of a tally
ROLES = "system", "reference"  # before a name in messages


def survey(
    units: Sequence[bytes], *, ascii_only: bool = True, normalize: str = "none"
) -> Numbers:
    """Return the numbers of one text with these sentences.

    A text is cut up if a tenth of its letters is dropped, or is in words that are cut
    up and at least FEWEST_CUT, which matters by itself. One without ASCII letters is
    reported for having no tokens instead. No text is cut up unless the tokenizer drops
    all letters outside ASCII (`ascii_only`).
    """
    text = b"\n".join(units)
    whole = Numbers(texts=1, sentences=len(units), bytes=sum(map(len, units)))
    if not ascii_only or text.isascii():
        return whole
    decoded = text.decode("utf-8", "replace")
    words = re.findall(_WORDS, normalization.normalize(normalize, decoded))
    letters = sum(map(len, words))
    cut = sum(len(word) for word in words if not word.isascii())
    dropped = sum(not letter.isascii() for letter in "".join(words))
    is_long = cut >= FEWEST_CUT and cut * SHARE >= letters
    is_cut_up = is_long or dropped * SHARE >= letters > 0
    if not is_cut_up or not re.search(rb"[0-9A-Za-z]", text):
        return whole
    return whole._replace(
        cut_up=1, long_texts=int(is_long), letters=letters, cut=cut, dropped=dropped
    )


def record(numbers: Numbers, first_cut: CutText = NO_TEXT) -> Tally:
    """Return a tally for reports, given the first text that is cut up."""
    return {
        "texts": numbers.texts,
        "sentences": numbers.sentences,
        "bytes": numbers.bytes,
        "examined": 0,
        "marks": {},
        "cut_up": {
            "texts": numbers.cut_up,
            "long": numbers.long_texts,
            "letters": numbers.letters,
            "cut": numbers.cut,
            "dropped": numbers.dropped,
            "first": first_cut.where,
            "language": first_cut.languages,
        },
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
    letters = sum(part["letters"] for part in parts)
    cut = sum(part["cut"] for part in parts)
    dropped = sum(part["dropped"] for part in parts)
    is_long = any(part["long"] for part in parts)
    are_many = any(side["cut_up"]["texts"] * ONE_IN >= side["texts"] for side in sides)
    if not (letters and are_many and (is_long or dropped >= FEWEST_CUT)):
        return ""

    of_predictions, of_references = parts
    where = of_predictions["first"] or of_references["first"]
    code = of_predictions["language"] or of_references["language"]
    ways = way(code, has_tokenizers=has_tokenizers)
    if not code:
        ways += ", or char"
    elif code != SEPARATED:
        ways += ", or --tokenizer unicode"
    texts = _by_side([part["texts"] for part in parts], sides, names)
    return (
        f"{where}: words with letters outside ASCII are dropped or cut up by the"
        f" tokenizer ({cut / letters:.0%} of the letters are in such words, in"
        f" {texts}); use rouge-cli score {ways}"
    )


def way(codes: str, *, has_tokenizers: bool = True) -> str:
    """Return the options that find the words of a text, given its languages as in
    `CutText`.

    Args:
        has_tokenizers: True if the dialect has the option --tokenizer; the others need
            another dialect, too.
    """
    dialect = "" if has_tokenizers else "--dialect google "
    if codes == SEPARATED:
        return f"{dialect}--tokenizer whitespace"
    if not codes:
        return f"{dialect}--tokenizer unicode"
    return f"{dialect}--language {codes}"


def _by_side(
    texts: Sequence[int], sides: Sequence[Tally], names: tuple[str, str] = SIDES
) -> str:
    """Return the numbers of texts by side, such as `3 of 4 predictions and 1 of 8
    references`.
    """
    shares = []
    for number, side, name in zip(texts, sides, names, strict=True):
        shares.append(f"{number} of {side['texts']} {name}")
    return " and ".join(shares)


NULS = (
    "NUL bytes, as in UTF-16; name the encoding (rouge-cli score --encoding utf-16-le),"
    " or save it as UTF-8"
)
NOTHING_READ = {side: record(Numbers()) for side in SIDES}


# Mean bytes of texts; longer texts of one line probably have several sentences.
LONG = 200
# Mean sentences per text; with more, texts usually have several sentences.
SEVERAL = 1.5
ONE_LINE = (
    "every text is one line, which the measures of sentences (ROUGE-L) take for one"
    " sentence; if there are several in it, say how to find them: --sentences mark:<q>"
    " (or another mark), or --sentences split"
)

PER_TEXT = "sentences per text: {:.1f} in predictions, {:.1f} in references"


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
    message = cut_up_message(details, has_tokenizers="tokenizer" in options)
    if message:
        yield Notice(message)

    means = [side["sentences"] / side["texts"] for side in sides]
    most = max(means)
    marked = list(sides[0]["marks"])
    has_ends = any(_ends_sentences(mark, sides) for mark in marked)
    how = ""
    if needs_sentences and not has_ends:
        how = str(options.get("sentences", ""))
    are_long = all(side["bytes"] > LONG * side["texts"] for side in sides)
    if how == "newline" and most <= 1 and are_long:
        yield Notice(ONE_LINE)

    if not marked and most <= SEVERAL:
        return
    per_text = PER_TEXT.format(*means)
    for mark in marked:
        message = _mark_message(mark, sides, means, needs_sentences=needs_sentences)
        if message:
            yield Notice(message)

    has_one_sentence = min(means) <= 1 and most > SEVERAL
    if has_one_sentence and (how == "newline" or how.startswith("mark:")):
        side = SIDES[means[0] > 1]
        yield Notice(
            f"every text of the {side} is one sentence, others have several"
            f" ({per_text}); if there are several in a line, write one sentence a line"
            " on both sides, or use --sentences split"
        )


def _mark_message(
    mark: str,
    sides: Sequence[Tally],
    means: Sequence[float],
    *,
    needs_sentences: bool,
) -> str:
    """Return the warning about a mark; empty if it changes no word and no sentence.

    Args:
        sides: The tallies of predictions and references.
        means: The mean number of sentences of a text, by side.
    """
    both = [side["marks"].get(mark, marks.NOWHERE) for side in sides]
    is_end = _ends_sentences(mark, sides)
    changes_words = any(of_side["words"] for of_side in both)
    if not changes_words and not (is_end and needs_sentences):
        return ""
    counted = []
    for name, side, of_side in zip(SIDES, sides, both, strict=True):
        first = "the first " if side["examined"] < side["texts"] else ""
        counted.append(f"{of_side['texts']} of {first}{side['examined']} {name}")
    what = f"{mark} is in {' and '.join(counted)}; it is read as text"
    shares = []
    for name, of_side in zip(SIDES, both, strict=True):
        if of_side["words"]:
            share = max(of_side["words"] / of_side["of"], 0.01)
            shares.append(f"{share:.0%} of the words of these {name}")
    if shares:
        what += f" ({' and '.join(shares)})"
    if not is_end:
        return f"{what}; {marks.remedy_of(mark) or marks.deletion_of(mark)}"
    what += f" and ends no sentence ({PER_TEXT.format(*means)})"
    has_lines = any(
        mean > SEVERAL and not of_side["texts"]
        for mean, of_side in zip(means, both, strict=True)
    )
    if has_lines:
        marked_side = SIDES[not both[0]["texts"]]
        return f"{what}; put line feeds in its place in the {marked_side}"
    return f"{what}; {marks.division_at(mark)}"


def _ends_sentences(mark: str, sides: Sequence[Tally]) -> bool:
    """Return True if a mark stands between the sentences of texts."""
    if marks.remedy_of(mark):
        return False
    both = [side["marks"].get(mark, marks.NOWHERE) for side in sides]
    texts = sum(of_side["texts"] for of_side in both)
    between = sum(of_side["between"] for of_side in both)
    at_ends = sum(of_side["at_ends"] for of_side in both)
    times = sum(of_side["times"] for of_side in both)
    return between * 2 >= texts and at_ends >= marks.AT_ENDS * times


def _sides(details: Mapping[str, object]) -> Sequence[Tally]:
    """Return the tallies of predictions and references; empty unless both sides were
    surveyed.
    """
    sides: list[Any] = []
    for name in SIDES:
        tally: Any = details.get(name)
        if not (tally and tally.get("texts") and "marks" in tally):
            return []
        sides.append(tally)
    return sides


def add_details(first: Any, second: Any) -> Any:  # noqa: ANN401 - as in JSON
    """Add the details of two parts of a run: numbers are added, lists of names are
    merged, and mappings are added name by name.
    """
    if isinstance(first, dict):
        return _add_mappings(first, second)
    if isinstance(first, list):
        return list(dict.fromkeys([*first, *second]))
    return first + second


def _add_mappings(
    first: Mapping[str, Any], second: Mapping[str, Any]
) -> dict[str, Any]:
    """Add mappings name by name; a name that only one of them has is kept.

    The strings of a mapping belong together, as the place and the language of a text:
    they are those of the first mapping, if it has any that is not empty.
    """
    strings = [value for value in first.values() if isinstance(value, str)]
    added = {**first, **second}
    for name, value in first.items():
        if isinstance(value, str):
            if any(strings):
                added[name] = value
        elif name in second:
            added[name] = add_details(value, second[name])
    return added
