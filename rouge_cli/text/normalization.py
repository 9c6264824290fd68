"""Normalization before tokenization: `none`, `nfkc`, `diacritics`, or several joined by `+`.

nfkc         compatibility characters as their plain forms: full-width letters, ligatures, circled digits
diacritics   letters without their accents and points: é as e, ü as u, vocalised Hebrew and Arabic as bare
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from rouge_cli import plugins
from rouge_cli.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

NONE = "none"
STEPS = ("nfkc", "diacritics")
# Combining classes of accents (overlays, attached, above, below) and of Hebrew and Arabic points. Vowel
# signs, viramas, tone marks and the voicing of kana have others: without them it is another letter.
_ACCENTS = frozenset((1, *range(10, 37), *range(200, 241)))


def canonical(name: str) -> str:
    """Return the steps in the order of their application; raise UsageError for unknown ones."""
    steps = name.replace(",", "+").split("+")
    for step in steps:
        if step not in (NONE, *STEPS):
            raise UsageError(
                f"unknown normalization {step!r}",
                remedy=plugins.suggestion(step, [NONE, *STEPS, "nfkc+diacritics"]),
            )
    if NONE in steps and len(set(steps)) > 1:
        raise UsageError(f"normalize is {name!r}", remedy="give none alone, or the steps without it")
    return "+".join(step for step in STEPS if step in steps) or NONE


def normalize(name: str, text: str) -> str:
    """Return the text normalized by the steps of a canonical name."""
    if name == NONE or text.isascii():
        return text
    steps = name.split("+")
    if "nfkc" in steps:
        text = unicodedata.normalize("NFKC", text)
    if "diacritics" in steps:
        letters = unicodedata.normalize("NFD", text)
        bare = "".join(letter for letter in letters if unicodedata.combining(letter) not in _ACCENTS)
        text = unicodedata.normalize("NFC", bare)
    return text


def before(name: str, tokenize: Callable[[bytes], Sequence[bytes]]) -> Callable[[bytes], Sequence[bytes]]:
    """Return the tokenizer with normalization before it; the tokenizer itself for `none`."""
    if name == NONE:
        return tokenize
    return lambda unit: tokenize(normalize(name, unit.decode("utf-8", "ignore")).encode())
