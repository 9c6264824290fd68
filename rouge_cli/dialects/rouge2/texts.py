"""From text to tagged words, by ROUGE 2.0's normalization.

Both definitions make every run of digits one `@`, lower-case, and take `! . " ' ; : ,` for blanks; all else
stays in the word. The paper's reads UTF-8 and has no empty words; the Java program's (`program_lines`)
reads bytes as Latin-1 and has empty tokens (QUIRKS 46).
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

from rouge_cli.core import Memo
from rouge_cli.errors import RougeError
from rouge_cli.io import decoding, files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from rouge_cli.core import Document

_MARKS = str.maketrans(dict.fromkeys("!.\"';:,", " "))
_LINE_ENDS = re.compile(r"\r\n|\r|\n")
_BLANKS = re.compile(r"[ \t\n\v\f\r]+")  # white space in Java's regular expressions


class Word(NamedTuple):
    """A word to compare, and its Penn tag; empty if it has none."""

    word: str
    tag: str = ""


Lines = list[list[Word]]


class Reading(Memo):
    """A text as read: its words line by line, without tags, or with those that it came with."""

    __slots__ = ("lines",)

    def __init__(self, lines: Lines) -> None:
        super().__init__()
        self.lines = lines


def words(text: str) -> list[str]:
    """Return the words of a line in the paper's definition."""
    return re.sub(r"\d+", " @ ", fold(text)).translate(_MARKS).split()


def fold(text: str) -> str:
    """Return the text in lower case, its accents composed."""
    return unicodedata.normalize("NFC", text.lower())


def program_words(text: str) -> list[str]:
    """Return a line's tokens as the Java program has them: the first is empty after a leading separator."""
    return _split(re.sub("[0-9]+", " @ ", text).lower().translate(_MARKS))


def _split(line: str) -> list[str]:
    """Split the line as Java does: an empty line is one empty token, trailing ones are dropped."""
    fields = _BLANKS.split(line)
    while len(fields) > 1 and not fields[-1]:
        fields.pop()
    return fields if fields != [""] or not line else []


def paper_lines(
    document: Document, units: Iterable[bytes], tokenize: Callable[[str], Sequence[str]], *, tagged: bool
) -> Lines:
    """Read a document's sentences; raise RougeError if bytes are not UTF-8 or an item has no tag."""
    files.as_text(document.data, document.where, decoding.UTF8)  # reports the line that is not UTF-8
    lines = []
    for number, unit in enumerate(units, 1):
        line = files.as_text(unit, document.where, decoding.UTF8).decode()
        place = f"{document.where}: sentence {number}"
        lines.append(
            _read_tagged(line, place, tokenize) if tagged else [Word(word) for word in tokenize(line)]
        )
    return lines


def program_lines(document: Document, *, tagged: bool) -> Lines:
    """Return a document's lines as the program reads them; tagged text has no empty tokens."""
    lines = _LINE_ENDS.split(document.data.decode("latin-1"))
    if not lines[-1]:
        lines.pop()
    if tagged:
        texts = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
        return [_read_tagged(text, f"{document.where}:{number}", program_words) for number, text in texts]
    return [[Word(word) for word in program_words(line)] for line in lines]


def _read_tagged(line: str, place: str, tokenize: Callable[[str], Sequence[str]]) -> list[Word]:
    """Return the words of a line of `word_TAG`; an item that is split keeps its tag for all its words."""
    words = []
    for item in line.split():
        surface, bar, tag = item.rpartition("_")
        if not bar or not tag:
            raise RougeError(
                f"{item!r} has no tag", where=place, remedy="tagged text is written word_TAG word_TAG ..."
            )
        words += [Word(word, tag) for word in tokenize(surface) if word]
    return words


def dictionary(
    data: bytes, path: str, tokenize: Callable[[str], Sequence[str]]
) -> dict[str, frozenset[str]]:
    """Read synonyms by word from a text with a group of words a line; `#` begins a comment.

    Words are separated by white space or commas; one that is in several groups has the synonyms of all.
    Raises RougeError for an entry that is not a single word in texts, and for a file without a group.
    """
    synonyms: dict[str, set[str]] = {}
    for number, line in enumerate(files.as_text(data, path).decode().splitlines(), 1):
        group = set(_members(line.partition("#")[0], f"{path}:{number}", tokenize))
        for word in group:
            synonyms.setdefault(word, set()).update(group - {word})
    if not synonyms:
        raise RougeError("no group of synonyms in it", where=path, remedy="write a group of words a line")
    return {word: frozenset(others) for word, others in synonyms.items()}


def _members(line: str, place: str, tokenize: Callable[[str], Sequence[str]]) -> Iterator[str]:
    for member in line.replace(",", " ").split():
        words = tokenize(member)
        if len(words) != 1:
            raise RougeError(
                f"{member!r} is {len(words)} words in a text, and cannot be a synonym",
                where=place,
                remedy="write single words, separated by blanks",
            )
        yield words[0]
