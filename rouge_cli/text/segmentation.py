"""Texts whose words a tokenizer does not find: written without blanks between words, or
cut at their vowel signs; and lines that hold several sentences.

Everything here works on samples of a run, or on the texts of a Python program, and only
on texts with letters outside ASCII or with several sentences. It changes no score.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

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
_find_syllabic = re.compile(f"[{_SYLLABIC}]").findall
_find_ideographic = re.compile(f"[{_IDEOGRAPHIC}]").findall
has_unspaced_letters = re.compile(f"[{_SYLLABIC}{_IDEOGRAPHIC}]").search
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
may_be_faulty = re.compile(f"[{_SIGNS}{_SYLLABIC}{_IDEOGRAPHIC}]").search


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
    words = [word for word in text.split() if has_unspaced_letters(word)]
    return len(words) > 1 and not fault(words)


def _syllables(token: str) -> float:
    """Return the approximate number of syllables in scripts without blanks."""
    syllabic = len(_find_syllabic(token)) / LETTERS_OF_A_SYLLABLE
    return len(_find_ideographic(token)) + syllabic


def _is_sign(character: str) -> bool:
    """Return True for a mark that combines with the letter before it."""
    import unicodedata  # most texts never get here

    return unicodedata.category(character)[0] == "M"


# An end of a sentence inside a line: the word before it, a blank before the mark (in
# tokenized text), and the first letter after it.
_END = re.compile(
    r"""(\w+)["'\u2019\u201d)\]]*(\s?)[.!?\u061f\u06d4\u0964]+["'\u2019\u201d)\]]*\s+"""
    r"""(?=["'\u2018\u201c(\[`]*(\w))"""
)
_FULL_STOP = re.compile("[\u3002\uff01\uff1f][\u201d\u2019\u300d\u300f]*\\s*(?=\\w)")
# Letters of an abbreviation with a capital, such as Sept.; few sentences end in one.
LONGEST_ABBREVIATION = 4


def number_of_sentences(line: str) -> int:
    """Return about how many sentences a line holds; rather too few than too many.

    An initial, or a short word with a capital before the mark (Mr., Prof., U.S.), ends
    no sentence, and a small letter after it begins none.
    """
    number = 1
    for end in _END.finditer(line):
        before, blank, after = end.groups()
        is_abbreviation = len(before) == 1 or (
            before[0].isupper() and len(before) <= LONGEST_ABBREVIATION
        )
        if blank or not (is_abbreviation or after.islower() or after.isdigit()):
            number += 1
    return number + len(_FULL_STOP.findall(line))


def is_line_of_sentences(units: Sequence[bytes]) -> bool:
    """Return True if a text is one line that holds several sentences."""
    lines = [unit for unit in units if unit.strip()]
    if len(lines) != 1:
        return False
    return number_of_sentences(lines[0].decode("utf-8", "replace")) > 1
