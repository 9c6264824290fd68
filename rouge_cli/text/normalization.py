"""Normalization before tokenization: `none`, or steps joined by `+`, applied in this
order.

    nfkc        compatibility characters as their plain forms: full-width letters,
                ligatures, circled digits
    turkic      lower case of I without and of İ with a dot, as in Turkish and
                Azerbaijani
    diacritics  letters without their accents and points: é as e, ü as u, vocalised
                Hebrew and Arabic as bare
    casefold    Unicode's full case folding: as lower case, and sharp s as ss

Normalization and lower case change characters and their number: `ﬁ` becomes two, an
accent none, and a decomposed letter and its accent one. To find tokens in the original
text, each piece of text that changes by itself keeps its place (`find_tokens`).
"""

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial

from rouge_cli.errors import UsageError, suggestion

# What is done to a text before it is compared with its tokens.
Fold = Callable[[str], str]
NONE = "none"
# Invisible format characters: soft hyphen, marks of direction, word joiner, byte order
# mark.
INVISIBLE = dict.fromkeys(
    [
        0xAD,
        0x61C,
        0x180E,
        0x200E,
        0x200F,
        *range(0x202A, 0x202F),
        *range(0x2060, 0x2070),
        0xFEFF,
    ]
)
# Combining classes of accents (overlays, attached, above, below) and of Hebrew and
# Arabic points. Vowel signs, viramas, tone marks and the voicing of kana have others:
# without them it is another letter.
_ACCENTS = frozenset((1, *range(10, 37), *range(200, 241)))


def _without_accents(text: str) -> str:
    """Return the text without accents and points; its letters are composed."""
    if text.isascii():
        return text
    letters = []
    for letter in unicodedata.normalize("NFD", text):
        if unicodedata.combining(letter) not in _ACCENTS:
            letters.append(letter)
    return unicodedata.normalize("NFC", "".join(letters))


def _turkic(text: str) -> str:
    """Return the text with the capitals I in lower case, as in Turkish."""
    composed = unicodedata.normalize("NFC", text)
    return composed.translate({ord("I"): "\u0131", 0x130: "i"})


STEPS: Mapping[str, Fold] = {
    "nfkc": partial(unicodedata.normalize, "NFKC"),
    "turkic": _turkic,
    "diacritics": _without_accents,
    "casefold": str.casefold,
}


def canonical(name: str) -> str:
    """Return the steps in the order of their application; raise UsageError for
    unknown ones.
    """
    steps = name.replace(",", "+").split("+")
    for step in steps:
        if step not in (NONE, *STEPS):
            remedy = suggestion(step, [NONE, *STEPS, "nfkc+diacritics"])
            raise UsageError(f"unknown normalization {step!r}", remedy=remedy)
    if NONE in steps and len(set(steps)) > 1:
        raise UsageError(
            f"normalize is {name!r}", remedy="give none alone, or the steps without it"
        )
    return "+".join(step for step in STEPS if step in steps) or NONE


def normalize(name: str, text: str) -> str:
    """Return the text normalized by the steps of a canonical name."""
    for step in name.split("+"):
        if step != NONE:
            text = STEPS[step](text)
    return text


def before(
    name: str, tokenize: Callable[[bytes], Sequence[bytes]]
) -> Callable[[bytes], Sequence[bytes]]:
    """Return the tokenizer with normalization before it; the tokenizer itself for
    `none`.
    """
    if name == NONE:
        return tokenize

    def normalize_first(unit: bytes) -> Sequence[bytes]:
        text = normalize(name, unit.decode("utf-8", "ignore"))
        return tokenize(text.encode())

    return normalize_first


_ASCII_LOWER = {ord(letter): letter.lower() for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}


def folded(tokenizer: str, steps: str, text: str) -> str:
    """Return a text as a tokenizer, after the steps of a normalization, changes it
    to find tokens.
    """
    text = normalize(steps, text)
    if tokenizer == "classic":
        return text.translate(_ASCII_LOWER)
    # Sigma is the same at the end of a word and within.
    text = text.lower().replace("\u03c2", "\u03c3")
    if tokenizer == "google":
        return text
    text = unicodedata.normalize("NFC", text)
    if tokenizer in ("unicode", "zh") and not text.isascii():
        return text.translate(INVISIBLE)
    return text


def with_places(text: str, fold: Fold) -> tuple[str, Sequence[int], Sequence[int]]:
    """Return the folded text, and the start and end of each character's source in the
    text's UTF-8.

    Characters that fold together have the same start and end.

    Args:
        fold: Changes a part of the text as it changes the whole, unless an accent or a
            part of a syllable is cut off.
    """
    if text.isascii():
        return fold(text), range(len(text)), range(1, len(text) + 1)
    fold = lru_cache(maxsize=4096)(fold)
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    end = 0
    for source in _divide(text, fold):
        piece = fold(source)
        start, end = end, end + len(source.encode("utf-8", "surrogateescape"))
        pieces.append(piece)
        starts += [start] * len(piece)
        ends += [end] * len(piece)
    return "".join(pieces), starts, ends


def find_tokens(
    data: bytes, fold: Fold, tokens: Iterable[str]
) -> list[tuple[int, int]]:
    """Return (start, end) of each token in a text; tokens are in the text's order.

    Start and end are equal for a token that the text does not contain, or that shares
    its only character with the previous token.
    """
    text, starts, ends = with_places(data.decode("utf-8", "surrogateescape"), fold)
    places = []
    at = end = 0
    for token in map(fold, tokens):
        first = text.find(token, at)
        start = end
        if token and first >= 0:
            at = first + len(token)
            start, end = max(end, starts[first]), ends[at - 1]
        places.append((start, end))
    return places


def _fold_together(cluster: str, character: str, fold: Fold) -> bool:
    """Return True if a character changes with the characters before it."""
    if character.isascii() and cluster.isascii():
        return False
    first = unicodedata.normalize("NFKD", character)[0]
    if unicodedata.combining(first):
        return True
    return fold(cluster + character) != fold(cluster) + fold(character)


def _divide(text: str, fold: Fold) -> Sequence[str]:
    """Divide a text into the smallest parts that fold alone; a dropped accent
    follows its letter.
    """
    clusters: list[str] = []
    for character in text:
        if clusters and _fold_together(clusters[-1], character, fold):
            clusters[-1] += character
        else:
            clusters.append(character)
    parts: list[str] = []
    for cluster in clusters:
        pieces = list(map(fold, cluster))
        if "".join(pieces) != fold(cluster):
            parts.append(cluster)
            continue
        for place, (character, piece) in enumerate(zip(cluster, pieces, strict=True)):
            if place and not piece:
                parts[-1] += character
            else:
                parts.append(character)
    return parts
