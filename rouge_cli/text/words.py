"""Words of any alphabet by Unicode's rules for word boundaries (UAX 29), as one regular
expression.

The rules use the property Word_Break (WB) of the library `regex`, whose own word
boundaries differ.
"""

import re
import unicodedata
from functools import lru_cache
from itertools import chain

import regex

from rouge_cli.text.normalization import INVISIBLE

__all__ = ["INVISIBLE", "characters", "has_letter_or_digit", "segments", "words"]

# The marks attached to a character (WB4).
_TAIL = r"[\p{WB=Extend}\p{WB=Format}\p{WB=ZWJ}]*+"
_LETTER = rf"[\p{{WB=ALetter}}\p{{WB=Hebrew_Letter}}]{_TAIL}"
_HEBREW = rf"\p{{WB=Hebrew_Letter}}{_TAIL}"
_NUMERIC = rf"\p{{WB=Numeric}}{_TAIL}"
_CONNECTOR = rf"\p{{WB=ExtendNumLet}}{_TAIL}"
_AFTER_HEBREW = r"(?<=\p{WB=Hebrew_Letter}[\p{WB=Extend}\p{WB=Format}\p{WB=ZWJ}]*)"
# _LETTERS: WB5 to WB7c without WB7a; _NUMBER: WB8, WB11, WB12; _RUN: WB5, WB9, WB10,
# WB13.
_LETTERS = (
    rf"{_LETTER}(?:(?:[\p{{WB=MidLetter}}\p{{WB=MidNumLet}}']{_TAIL})?{_LETTER}"
    rf"|(?=\"){_AFTER_HEBREW}\"{_TAIL}{_HEBREW})*+"
)
_NUMBER = rf"{_NUMERIC}(?:(?:[\p{{WB=MidNum}}\p{{WB=MidNumLet}}']{_TAIL})?{_NUMERIC})*+"
_RUN = rf"(?:(?:{_LETTERS}|{_NUMBER})++|(?:\p{{WB=Katakana}}{_TAIL})++)"
# WB13a, WB13b, and the quote after a Hebrew letter (WB7a).
_WORD = (
    rf"(?:(?:{_CONNECTOR})*+{_RUN}(?:(?:{_CONNECTOR})++{_RUN})*+(?:{_CONNECTOR})*+"
    rf"(?:(?='){_AFTER_HEBREW}'{_TAIL})?|(?:{_CONNECTOR})++)"
)
# With signs that are no longer pictographs in Unicode 17, such as U+2701; the tests are
# Unicode 15's.
_PICTOGRAPH = (
    r"[\p{Extended_Pictographic}\u2388\u2600-\u2605\u2607-\u2612\u2614-\u2685"
    r"\u2690-\u2705]"
)
# WB3 to WB3d, WB15 and WB16, WB999.
_SEGMENT = regex.compile(
    rf"(?s)\r\n|[\r\n\p{{WB=Newline}}]|(?:{_WORD}|\p{{WB=WSegSpace}}++{_TAIL}|\p{{WB=RI}}{_TAIL}\p{{WB=RI}}{_TAIL}"
    rf"|.{_TAIL})(?:(?<=\u200d)(?={_PICTOGRAPH})(?:{_WORD}|.{_TAIL}))*+"
)
has_letter_or_digit = regex.compile(r"[\p{L}\p{N}]").search
# Words of lower-case ASCII text, for `re`, which is ten times as fast as `regex`.
_ASCII_WORD = re.compile(
    r"_*[0-9a-z][0-9a-z_]*(?:(?:(?<=[a-z])[:.'](?=[a-z])|(?<=[0-9])[,;.'](?=[0-9]))[0-9a-z_]+)*"
)
_ZERO_WIDTH_JOINER = "\u200d".encode()
# Splits a string into user-perceived characters: each letter with its marks.
characters = regex.compile(r"(?V1)\X").findall


def segments(text: str) -> list[str]:
    """Split the text at every word boundary of UAX 29."""
    parts: list[str] = _SEGMENT.findall(text)
    return parts


def words(unit: bytes) -> list[bytes]:
    """Return the words of a sentence: the segments with a letter or digit, lower-cased
    and in NFC.

    Invisible characters are removed from them.
    """
    # The only character that can attach a sign to a space.
    if _ZERO_WIDTH_JOINER in unit:
        return list(_words.__wrapped__(unit))
    return list(chain.from_iterable(map(_words, unit.split(b" "))))


@lru_cache(maxsize=8192)
def _words(chunk: bytes) -> tuple[bytes, ...]:
    """Return the words of a piece of text between spaces."""
    text = chunk.decode("utf-8", "ignore").lower()
    if text.isascii():
        return tuple(word.encode() for word in _ASCII_WORD.findall(text))
    kept = []
    for segment in segments(unicodedata.normalize("NFC", text)):
        if has_letter_or_digit(segment):
            kept.append(segment.translate(INVISIBLE).encode())
    return tuple(kept)
