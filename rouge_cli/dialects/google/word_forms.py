"""The counted forms of words, stems or the words themselves, and the vocabularies that
number them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from rouge_cli.text import porter
from rouge_cli.text.tokens import Normalize, Normalizer, Vocabulary

# Caches of word forms outlive the scorers that share them. They are cleared beyond this
# number of forms.
MOST_FORMS = 200_000


SHORTEST_STEMMED = 4  # characters


# Scorers of a set-up share its vocabulary. If two threads add an entry at the same
# time, one entry is lost and built again.
_WORDS: dict[Normalize | None, Vocabulary] = {}


def vocabulary(form: Normalize | None) -> Vocabulary:
    """Return the vocabulary of a form for new texts; replace it if it has grown too
    large.
    """
    words = _WORDS.get(form)
    if words is None or len(words) + len(words.forms) > MOST_FORMS:
        words = _WORDS[form] = Vocabulary(form)
    return words


def encode(token: Any) -> Any:  # noqa: ANN401 - a custom tokenizer's strings; others have bytes
    """Return the bytes of a token that is not stemmed."""
    return token.encode("utf-8", "surrogatepass")


def stem(token: str) -> str:
    """Return the stem of a token of four or more characters; shorter ones are
    returned unchanged.
    """
    return porter.nltk_stem(token) if len(token) >= SHORTEST_STEMMED else token


class NltkStemmer:
    """The stems of tokens in ASCII; those of frequent words are kept."""

    __slots__ = ()
    # For compiled code, which has this stemmer
    is_of_nltk = True
    shortest = SHORTEST_STEMMED

    def __call__(self, token: bytes) -> bytes:
        """Return the stem."""
        return _stem(token)


@lru_cache(MOST_FORMS)
def _stem(token: bytes) -> bytes:
    return stem(token.decode("ascii")).encode("ascii")


STEMMING = Normalizer(frozenset(), NltkStemmer())
