"""ROUGE-1.5.5's tokens, and the limit to a summary's first words or bytes.

Tokens are runs of ASCII letters and digits, lower-cased; every other byte separates. A hyphen separates,
too: the original puts blanks around it and then drops tokens that do not start with a letter or digit. So
does every byte of a non-ASCII character (QUIRKS 7).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

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


class Limit(NamedTuple):
    """The first `most` words or bytes; 0 means no limit.

    Words are separated by white space, before any cleaning; white space at the start of a sentence
    counts as one (empty) word, as when Perl splits a string.
    """

    most: float
    in_words: bool

    def length(self, sentence: bytes) -> int:
        """Return the sentence's length in words or bytes."""
        return len(fields(sentence)) if self.in_words else len(sentence)

    def cut(self, sentence: bytes, left: float) -> bytes:
        """Return the sentence's first `left` words or bytes, rounded up; but at least one word."""
        if self.in_words:
            return b" ".join(fields(sentence)[: max(int(left), 1)])
        return sentence[: int(left)]


def first_reading(sentences: Sequence[bytes], limit: Limit | None) -> Sequence[bytes]:
    """Return whole sentences while the sum of their lengths is below the limit, then the rest of it."""
    return _within(sentences, limit, adds=True)


def second_reading(sentences: Sequence[bytes], limit: Limit | None) -> Sequence[bytes]:
    """Cut each sentence by itself at a byte limit, as ROUGE-L and ROUGE-W read (QUIRKS 8)."""
    return _within(sentences, limit, adds=limit is not None and limit.in_words)


def _within(sentences: Sequence[bytes], limit: Limit | None, *, adds: bool) -> Sequence[bytes]:
    """Return the sentences within a limit; adds: True if their lengths add up, False if each has it."""
    if limit is None or not limit.most:
        return sentences
    within: list[bytes] = []
    total = 0
    for sentence in sentences:
        length = limit.length(sentence)
        if total + length >= limit.most:
            within.append(limit.cut(sentence, limit.most - total))
            break
        within.append(sentence)
        total += length * adds
    return within
