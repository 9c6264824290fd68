"""The module `rouge_score.tokenize`: splits a text into tokens.

`tokenize` looks up the patterns at each call, since programs replace them.
"""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

from rouge_cli.dialects.google.patches import watch

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


# The part of the library `six` that rouge_score uses, under its names.
six = SimpleNamespace(ensure_str=decode, iteritems=lambda mapping: mapping.items())


def tokenize(text: str | bytes, stemmer: Any) -> list[str]:  # noqa: ANN401 - nltk's, or anything with `stem`
    """Return the runs of a-z and 0-9 of the lower-cased text.

    Bytes are lower-cased before they are decoded, so that letters beyond ASCII keep
    their case.

    Args:
        stemmer: An object with a method `stem`, called for tokens of four or more
            characters, or None. A stem with characters other than a-z and 0-9 is left
            out.
    """
    string = six.ensure_str(text.lower())
    tokens = SPACES_RE.split(NON_ALPHANUM_RE.sub(" ", string))
    forms = tokens
    if stemmer:
        forms = []
        for token in tokens:
            is_long = len(token) > 3
            forms.append(six.ensure_str(stemmer.stem(token)) if is_long else token)
    return [form for form in forms if VALID_TOKEN_RE.match(form)]


def words(text: str) -> list[str]:
    """Return the tokens of a string without stemmer, whatever a program replaced."""
    return re.findall("[a-z0-9]+", text.lower())


watch(__name__, "NON_ALPHANUM_RE", "SPACES_RE", "VALID_TOKEN_RE", "six", "tokenize")
