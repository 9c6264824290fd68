"""Integer ids of word forms, so that everything after reading works on integers."""

from __future__ import annotations

from _thread import allocate_lock
from itertools import chain
from typing import TYPE_CHECKING

from rouge_cli.core import Text
from rouge_cli.text.tokens import tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    # A raw token to its counted form, or None if it is dropped (a stop word).
    Normalize = Callable[[bytes], "bytes | None"]
    # A word to its stem.
    Stem = Callable[[bytes], bytes]
    # One sentence to its raw tokens.
    Tokenize = Callable[[bytes], Sequence[bytes]]

DROPPED = -1
_ONE_THREAD = allocate_lock()


class Forms(dict[bytes, int]):
    """Ids by word form, in the order of first occurrence.

    by_number: id -> word form.
    """

    def __init__(self) -> None:
        super().__init__()
        self.by_number: list[bytes] = []

    def __missing__(self, form: bytes) -> int:
        with _ONE_THREAD:  # two forms that come at once would get one number
            if form not in self:
                self[form] = len(self.by_number)
                self.by_number.append(form)
            return self[form]


class Vocabulary(dict[bytes, int]):
    """Ids by raw token; each raw token is normalized once, at its first look-up.

    Several vocabularies (stemmed and not, for example) may share `forms`, so that ids agree.
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
        return [number for number in numbers if number != DROPPED] if self._drops else numbers


class Normalizer:
    """Maps a raw token to its counted form: None for a stop word, else its stem.

    stem: None to keep every form. shortest: tokens of fewer bytes stay as they are.
    """

    __slots__ = ("shortest", "stem", "stop")

    def __init__(self, stop: frozenset[bytes], stem: Stem | None = None, shortest: int = 0) -> None:
        self.stop = stop
        self.stem = stem
        self.shortest = shortest

    def __call__(self, raw: bytes) -> bytes | None:
        """Return the form, or None."""
        if raw in self.stop:
            return None
        return raw if self.stem is None or len(raw) < self.shortest else self.stem(raw)


def make_normalizer(
    stop: frozenset[bytes], stem: Stem | None = None, shortest: int = 0
) -> Normalizer | None:
    """Return the normalizer for a vocabulary, or None if it would change no token."""
    return Normalizer(stop, stem, shortest) if stop or stem else None


def text(
    whole: Vocabulary,
    first: Sequence[bytes] | None,
    by_sentence: Vocabulary,
    second: Sequence[bytes],
    tokenize: Tokenize = tokens,
) -> Text:
    """Return the text whose sentences are the units of `second`.

    The whole text is the tokens of `first`, or of `second` again if that is None. whole, by_sentence: the
    vocabularies of the two readings.
    """
    sentences = [by_sentence.ids(tokenize(unit)) for unit in second]
    if first is None and whole is by_sentence:
        ids = list(chain.from_iterable(sentences))
    else:
        units = second if first is None else first
        ids = [number for unit in units for number in whole.ids(tokenize(unit))]
    return Text(ids, sentences, forms=whole.forms.by_number)
