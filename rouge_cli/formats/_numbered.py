"""Numbered sentences of SEE and ISI of which ROUGE-1.5.5 reads nothing, or only a part.

The original program reads a sentence only if its line is written exactly as the
format's, and skips everything else as decoration. So a sentence with an attribute too
many is lost without a word. `find_unread` counts such sentences, and names the first.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

MOST_SHOWN = 30  # characters of a file in a message


class Unread(NamedTuple):
    """The sentences of a file that are not read as a whole."""

    sentences: int  # all sentences with text, read or not
    unread: int  # of which nothing is read
    cut: int  # of which the beginning is read
    line: int  # of the first that is not read as a whole, from 1
    cause: str  # why it is not
    example: str  # a sentence as the format requires it


class SentenceShape(NamedTuple):
    """How a format writes a sentence, and how to recognize an attempt at one."""

    example: str
    sentence: re.Pattern[bytes]  # as the original reads it; group 1 is the text
    opening: re.Pattern[bytes]  # the beginning of anything meant as a sentence
    parts: Sequence[tuple[re.Pattern[bytes], str]]  # of a sentence, in order
    empty: re.Pattern[bytes]  # an opening without text, which loses nothing
    cut: re.Pattern[bytes]  # follows the text of a sentence whose rest is lost


def find_unread(data: bytes, shape: SentenceShape) -> Unread | None:
    """Return the sentences that are not read as a whole; None if there are none."""
    read = {match.start(): match for match in shape.sentence.finditer(data)}
    sentences = 0
    unread: list[int] = []
    cut: list[int] = []
    for opening in shape.opening.finditer(data):
        start = opening.start()
        match = read.get(start)
        if match is None and shape.empty.match(data, start):
            continue
        sentences += 1
        if match is None:
            unread.append(start)
        elif shape.cut.match(data, match.end()):
            cut.append(start)
    if not unread and not cut:
        return None
    first = min(unread + cut)
    line = data.count(b"\n", 0, first) + 1
    if first in read:
        rest = _shown(data[read[first].end() :])
        cause = f"only its text before {rest} is read"
    else:
        cause = _cause(data, first, shape)
    return Unread(sentences, len(unread), len(cut), line, cause, shape.example)


def _cause(data: bytes, start: int, shape: SentenceShape) -> str:
    """Return why the sentence that begins here is not read."""
    before = data[data.rfind(b"\n", 0, start) + 1 : start]
    if before:
        return f"{_shown(before)} stands before it on the line"
    for pattern, form in shape.parts:
        part = pattern.match(data, start)
        if part is None:
            return f"it has {_shown(data[start:])} in place of {form}"
        start = part.end()
    return f"it is not written as {shape.example}"


def _shown(data: bytes) -> str:
    """Return the first line of some bytes for a message, shortened and in quotes."""
    line = data.partition(b"\n")[0].decode("utf-8", "replace")
    if not line:
        return "the end of the line"
    return repr(line if len(line) <= MOST_SHOWN else f"{line[: MOST_SHOWN - 3]}...")
