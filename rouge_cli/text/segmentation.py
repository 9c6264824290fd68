"""Texts whose words a tokenizer does not find: written without blanks between words, or
cut at their vowel signs; and lines that hold several sentences.

Everything here works on samples of a run, or on the texts of a Python program
(`languages.check_words`, `LineWatch`), and only on texts with letters outside ASCII or
with several sentences. It changes no score.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from rouge_cli.errors import warn_once

# Letters of scripts that write no blanks between words, approximately: of Unicode's
# line breaking classes SA (South-East Asian) and ID (ideographic), and hiragana, but
# not katakana, whose runs are words.
_SYLLABIC = (
    "\u0e00-\u0eff\u0f40-\u0fbc\u1000-\u109f\u1780-\u17d3\u1950-\u19df"
    "\u1a20-\u1aad\uaa60-\uaadf"
)
_IDEOGRAPHIC = (
    "\u3005-\u3007\u3041-\u3096\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
_UNSPACED = f"[{_SYLLABIC}{_IDEOGRAPHIC}]"
# A South-East Asian syllable has about three letters and signs, an ideograph is one.
LETTERS_OF_A_SYLLABLE = 3
# The mean of words, in syllables: about 1.6 in Chinese and in Thai. A single token may
# be a name, so that it must be longer.
MOST_SYLLABLES, MOST_IN_ONE = 3, 4.4
# Report tokens that begin with a vowel sign if at least 1 token in 10 does.
ONE_CUT = 10
UNSPACED = "the text has no blanks between words, and its tokens are whole clauses"
CUT = "words are cut at their vowel signs"
# Letters of scripts that have faults: the above, and those with vowel signs.
_SIGNS = "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0900-\u0dff"
_FAULTY = f"[{_SIGNS}{_SYLLABIC}{_IDEOGRAPHIC}]"

MOST_PAIRS, FEWEST_PAIRS = 20, 5  # that are looked at; of sentences, for a warning
SENTENCES_IN_LINES = (
    "most predictions and targets are one line of several sentences, and a line is one"
    " sentence for rougeLsum, as in rouge_score, so that rougeLsum equals rougeL; put a"
    ' line feed after each sentence ("\\n".join(nltk.sent_tokenize(text))), or use'
    " RougeScorer(..., split_summaries=True)"
)


def may_be_faulty(text: str) -> bool:
    """Return True if a text has letters of scripts without blanks, or vowel signs."""
    return not text.isascii() and re.search(_FAULTY, text) is not None


def fault(tokens: Iterable[str]) -> str:
    """Return what is wrong with the tokens of a text: UNSPACED, CUT, or an empty
    string.

    Tokens are UNSPACED if they are too long for words, and CUT if some begin with a
    sign that belongs to the letter before. Tokens of scripts with blanks are never
    UNSPACED.
    """
    sizes = []
    number = cut = 0
    for token in tokens:
        number += 1
        if token.isascii():
            continue
        if _is_sign(token[0]):
            cut += 1
        size = _syllables(token)
        if size:
            sizes.append(size)
    if cut * ONE_CUT >= number > 0:
        return CUT
    most = MOST_IN_ONE if len(sizes) == 1 else MOST_SYLLABLES
    return UNSPACED if sum(sizes) > most * len(sizes) else ""


def are_words_separated(text: str) -> bool:
    """Return True if somebody has put blanks between the words of a text in a script
    without blanks.
    """
    words = [word for word in text.split() if re.search(_UNSPACED, word)]
    return len(words) > 1 and not fault(words)


def _syllables(token: str) -> float:
    """Return the approximate number of syllables in scripts without blanks."""
    syllabic = len(re.findall(f"[{_SYLLABIC}]", token)) / LETTERS_OF_A_SYLLABLE
    return len(re.findall(f"[{_IDEOGRAPHIC}]", token)) + syllabic


def _is_sign(character: str) -> bool:
    """Return True for a mark that combines with the letter before it."""
    return unicodedata.category(character)[0] == "M"


# An end of a sentence inside a line: marks, quotes, blanks, and the first letter of the
# next. Repeats are limited, so that the search takes no longer on absurd lines.
_END = (
    r"""[.!?\u061f\u06d4\u0964]{1,9}["'\u2019\u201d)\]]{0,4}\s{1,9}"""
    r"""(?=["'\u2018\u201c(\[`]{0,4}(\w))"""
)
_FULL_STOP = "[\u3002\uff01\uff1f][\u201d\u2019\u300d\u300f]{0,4}\\s{0,9}(?=\\w)"
_CLOSING = "\"'\u2019\u201d)]"
# Characters of a line that are read, and of a word.
MOST_READ, LONGEST_WORD = 10_000, 40
# Letters of an abbreviation with a capital, such as Sept.; few sentences end in one.
LONGEST_ABBREVIATION = 4


def number_of_sentences(line: str) -> int:
    """Return about how many sentences a line holds; rather too few than too many.

    An initial, or a short word with a capital before the mark (Mr., Prof., U.S.), ends
    no sentence, and a small letter after it begins none.
    """
    line = line[:MOST_READ]
    number = 1 + len(re.findall(_FULL_STOP, line))
    for end in re.finditer(_END, line):
        start, after = end.start(), end[1]
        before = line[max(0, start - LONGEST_WORD) : start]
        word = re.split(r"[\s.!?]", before.rstrip())[-1].strip(_CLOSING)
        is_abbreviation = len(word) == 1 or (
            word[:1].isupper() and len(word) <= LONGEST_ABBREVIATION
        )
        is_apart = before[-1:].isspace()  # in tokenized text
        if is_apart or not (is_abbreviation or after.islower() or after.isdigit()):
            number += 1
    return number


def is_line_of_sentences(units: Sequence[bytes]) -> bool:
    """Return True if a text is one line that holds several sentences."""
    lines = [unit for unit in units if unit.strip()]
    if len(lines) != 1:
        return False
    return number_of_sentences(lines[0].decode("utf-8", "replace")) > 1


class LineWatch:
    """Looks at the first pairs of a process whose lines are taken for sentences, and
    warns once if most are one line of several sentences on both sides.
    """

    def __init__(self) -> None:
        self.is_looking = True
        self._looked_at = 0
        self._of_sentences = 0

    def look(self, entry: str, target: object, prediction: object) -> None:
        """Look at a pair that a program scores by itself, perhaps in a loop."""
        self._looked_at += 1
        if _share_lines(target, prediction):
            self._of_sentences += 1
        if self._of_sentences >= FEWEST_PAIRS:
            self.is_looking = False
            warn_once("sentences in lines", f"{entry}: {SENTENCES_IN_LINES}")
        elif self._looked_at >= MOST_PAIRS:
            self.is_looking = False

    def look_at_all(
        self, entry: str, targets: Sequence[object], predictions: Sequence[object]
    ) -> None:
        """Look at the first of the pairs that a program scores in one call."""
        self.is_looking = False
        first = list(zip(targets, predictions, strict=False))[:MOST_PAIRS]
        of_sentences = 0
        for target, prediction in first:
            if _share_lines(target, prediction):
                of_sentences += 1
        if 2 * of_sentences > len(first):
            warn_once("sentences in lines", f"{entry}: {SENTENCES_IN_LINES}")


def _share_lines(target: object, prediction: object) -> bool:
    """Return True if sentences share a line in both texts of a pair. The first of a
    list of targets stands for all.
    """
    if isinstance(target, list) and target:
        target = target[0]
    for text in (target, prediction):
        if not isinstance(text, str):
            return False
        lines = text.encode("utf-8", "replace").split(b"\n")
        if not is_line_of_sentences(lines):
            return False
    return True
