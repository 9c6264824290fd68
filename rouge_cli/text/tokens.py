"""ROUGE-1.5.5's tokens: runs of ASCII letters and digits, lower-cased; every other byte separates.

A hyphen separates too: the original puts blanks around it and then drops tokens that do not start with a
letter or digit. So does every byte of a non-ASCII character (QUIRKS 7).
"""

from __future__ import annotations

_CLEAN = bytes(ord(chr(byte).lower() if byte < 128 and chr(byte).isalnum() else " ") for byte in range(256))


def tokens(sentence: bytes) -> list[bytes]:
    """Return the tokens of one sentence, in order."""
    return sentence.translate(_CLEAN).split()


def fields(line: bytes) -> list[bytes]:
    """Split the line at white space as Perl does: with a leading empty field, without trailing ones."""
    words = line.split()
    if words and line[:1].isspace():
        words.insert(0, b"")
    return words
