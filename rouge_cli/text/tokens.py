"""ROUGE-1.5.5's tokens, the limit to a summary's first words or bytes, and the ids of
word forms.

Tokens are runs of ASCII letters and digits, lower-cased; every other byte separates. A
hyphen separates, too: the original puts blanks around it and then drops tokens that do
not start with a letter or digit. So does every byte of a non-ASCII character (QUIRKS
7). Everything after reading works on integer ids.
"""

from _thread import allocate_lock
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple


class Normalizer(NamedTuple):
    """Maps a raw token to its counted form: None for a stop word, else its stem."""

    stop: frozenset[bytes]
    stem: Callable[[bytes], bytes] | None = None  # None to keep every form
    shortest: int = 0  # tokens of fewer bytes stay as they are

    def __call__(self, raw: bytes) -> bytes | None:
        """Return the form, or None."""
        if raw in self.stop:
            return None
        return raw if self.stem is None or len(raw) < self.shortest else self.stem(raw)


# A raw token to its counted form, or None if it is dropped (a stop word).
Normalize = Normalizer | Callable[[bytes], "bytes | None"]
Stem = Callable[[bytes], bytes]  # a word to its stem
# A sentence, as bytes in UTF-8, to its tokens.
Tokenize = Callable[[bytes], Sequence[bytes]]
# A text, in which LF joins the sentences of the input format, to its sentences.
Split = Callable[[bytes], Sequence[bytes]]


def _clean(byte: int) -> int:
    """Return an ASCII letter in lower case, a digit, or a blank for other bytes."""
    character = chr(byte)
    if character.isascii() and character.isalnum():
        return ord(character.lower())
    return ord(" ")


_CLEAN = bytes(map(_clean, range(256)))


def tokens(sentence: bytes) -> list[bytes]:
    """Return the tokens of one sentence, in order."""
    return sentence.translate(_CLEAN).split()


def fields(line: bytes) -> list[bytes]:
    """Split the line at white space as Perl does: with a leading empty field,
    without trailing ones.
    """
    words = line.split()
    if words and line[:1].isspace():
        words.insert(0, b"")
    return words


class Limit(NamedTuple):
    """The first `most` words or bytes; 0 means no limit.

    Words are separated by white space, before any cleaning; white space at the start of
    a sentence counts as one (empty) word, as when Perl splits a string.
    """

    most: float
    in_words: bool


def both_readings(
    sentences: Sequence[bytes], limit: Limit | None
) -> tuple[Sequence[bytes], Sequence[bytes]]:
    """Return the sentences of the whole text, and of ROUGE-L and ROUGE-W; one object
    unless they differ.

    The first reading has whole sentences up to the limit, and cuts the sentence that
    reaches it. The second cuts each sentence by itself at a byte limit (QUIRKS 8).
    """
    if limit is None or not limit.most:
        return sentences, sentences
    first = _within(sentences, limit, adds=True)
    return first, first if limit.in_words else _within(sentences, limit, adds=False)


def _within(sentences: Sequence[bytes], limit: Limit, *, adds: bool) -> Sequence[bytes]:
    """Return the sentences within a limit on the whole text (`adds`) or on each;
    keep at least a word.
    """
    within: list[bytes] = []
    total = 0
    for sentence in sentences:
        words = fields(sentence) if limit.in_words else []
        length = len(words) if limit.in_words else len(sentence)
        if total + length >= limit.most:
            left = int(limit.most - total)
            if limit.in_words:
                within.append(b" ".join(words[: max(left, 1)]))
            else:
                within.append(sentence[:left])
            break
        within.append(sentence)
        if adds:
            total += length
    return within


DROPPED = -1
_ONE_THREAD = allocate_lock()


class Forms(dict[bytes | str, int]):
    """Ids by word form, in the order of first occurrence; a string has the id of its
    bytes in UTF-8.
    """

    def __init__(self) -> None:
        super().__init__()
        self.by_number: list[bytes] = []  # id -> word form

    def __missing__(self, form: bytes | str) -> int:
        data = form.encode("utf-8", "surrogatepass") if isinstance(form, str) else form
        with _ONE_THREAD:  # two threads would assign the same number
            number = self.setdefault(data, len(self.by_number))
            if number == len(self.by_number):
                self.by_number.append(data)
            return self.setdefault(form, number)


class Vocabulary(dict[bytes, int]):
    """Ids by raw token; each raw token is normalized once, at its first look-up.

    Several vocabularies (stemmed and not, for example) may share `forms`, so that ids
    agree.
    """

    def __init__(self, normalize: Normalize | None, forms: Forms | None = None) -> None:
        super().__init__()
        self.normalize = normalize
        self.forms = Forms() if forms is None else forms
        self._drops = False  # True once a token was dropped

    def __missing__(self, raw: bytes) -> int:
        form = raw if self.normalize is None else self.normalize(raw)
        if form is None:
            self._drops = True
        number = DROPPED if form is None else self.forms[form]
        self[raw] = number
        return number

    def ids(self, raw_tokens: Iterable[bytes]) -> list[int]:
        """Return the ids of the tokens that are not dropped, in order."""
        numbers = list(map(self.__getitem__, raw_tokens))
        if not self._drops:
            return numbers
        return [number for number in numbers if number != DROPPED]
