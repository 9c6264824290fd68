"""The module `rouge_score.tokenize`: splits a text into tokens."""

from __future__ import annotations

import re
from typing import Any

NON_ALPHANUM_PATTERN = "[^a-z0-9]+"
NON_ALPHANUM_RE = re.compile(NON_ALPHANUM_PATTERN)
SPACES_PATTERN = r"\s+"
SPACES_RE = re.compile(SPACES_PATTERN)
VALID_TOKEN_PATTERN = "^[a-z0-9]+$"  # noqa: S105 - a word's
VALID_TOKEN_RE = re.compile(VALID_TOKEN_PATTERN)


def decode(text: object) -> str:
    """Decode bytes as UTF-8, as rouge_score does; raise TypeError for other types
    than bytes and str.
    """
    if isinstance(text, bytes):
        return text.decode()
    if not isinstance(text, str):
        raise TypeError(f"a text is a string, not {type(text).__name__}")
    return text


def tokenize(text: str, stemmer: Any) -> list[str]:  # noqa: ANN401 - nltk's, or anything with `stem`
    """Return the runs of a-z and 0-9 of the lower-cased text.

    Args:
        stemmer: An object with a method `stem`, called for tokens of four or more
            characters, or None. A stem with characters other than a-z and 0-9 is left
            out.
    """
    tokens: list[str] = re.findall("[a-z0-9]+", decode(text.lower()))
    if not stemmer:
        return tokens
    stems = [stemmer.stem(token) if len(token) > 3 else token for token in tokens]
    return [stem for stem in stems if VALID_TOKEN_RE.match(stem)]
