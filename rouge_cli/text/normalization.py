"""Normalization before tokenization: `none`, or steps joined by `+`, applied in this
order.

    korean      the dots between Korean words as blanks: the middle dot and the letter
                araea, which join words elsewhere
    typography  apostrophes and quotation marks of any shape as ' and ", Hebrew geresh
                and gershayim too, and the digits of all scripts as 0 to 9
    nfkc        compatibility characters as their plain forms: full-width letters,
                ligatures, circled digits
    thai        the vowel am of Thai and Lao as one character, as dictionaries have it,
                after nfkc has divided it
    turkic      lower case of I without and of İ with a dot, as in Turkish and
                Azerbaijani
    romanian    s and t with a cedilla as with a comma below
    arabic      Arabic without tatweel and vowel marks; alef with hamza, madda or wasla
                as bare alef, alef maksura and Persian yeh as yeh, Persian kaf as kaf:
                the normalization of Larkey et al. 2002, but for teh marbuta
    persian     Persian and Urdu without tatweel and vowel marks; Arabic yeh and alef
                maksura as Persian yeh, Arabic kaf as Persian kaf
    joiners     without zero-width joiners and non-joiners; the chillu letters of
                Malayalam as one character, as The Unicode Standard (12.9) recommends
    elision     a blank after an apostrophe between letters: l'arbre is two words, as in
                Moses' tokenizer for French, Italian and Catalan
    diacritics  letters without their accents and points: é as e, ü as u, vocalised
                Hebrew and Arabic as bare
    casefold    Unicode's full case folding: as lower case, and sharp s as ss

Normalization and lower case change characters and their number: `ﬁ` becomes two, an
accent none, and a decomposed letter and its accent one. To find tokens in the original
text, each piece of text that changes by itself keeps its place (`find_tokens`).
"""

import re
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


# The middle dots and the letter araea, which is a dot, too, outside of old texts.
_KOREAN_DOTS = str.maketrans(dict.fromkeys("\u00b7\u318d\u119e\u2027\u30fb\uff65", " "))

# Nikhahit, perhaps with a tone mark before or after it, and aa: the vowel am, which
# follows the tone mark. So in Thai, and in Lao.
_DIVIDED_AM = (
    (re.compile("\u0e4d([\u0e48-\u0e4b]?)\u0e32"), "\\1\u0e33"),
    (re.compile("([\u0e48-\u0e4b])\u0e4d\u0e32"), "\\1\u0e33"),
    (re.compile("\u0ecd([\u0ec8-\u0ecb]?)\u0eb2"), "\\1\u0eb3"),
    (re.compile("([\u0ec8-\u0ecb])\u0ecd\u0eb2"), "\\1\u0eb3"),
)


def _thai(text: str) -> str:
    """Return the text with the vowel am as one character."""
    for divided, whole in _DIVIDED_AM:
        text = divided.sub(whole, text)
    return text


_TYPOGRAPHY = {
    # Single quotation marks, the modifier letters turned comma and apostrophe, prime,
    # geresh, grave and acute accents that stand alone.
    **dict.fromkeys(
        map(ord, "\u2018\u2019\u201a\u201b\u02bb\u02bc\u2032\u05f3`\u00b4"), "'"
    ),
    # Double quotation marks, gershayim, double prime.
    **dict.fromkeys(map(ord, "\u201c\u201d\u201e\u201f\u2033\u05f4"), '"'),
}
_OTHER_DIGIT = re.compile(r"[^\W\D\x00-\x7f]")


def _typography(text: str) -> str:
    """Return the text with plain apostrophes, quotation marks and digits."""
    text = text.translate(_TYPOGRAPHY)
    if text.isascii():
        return text
    return _OTHER_DIGIT.sub(lambda digit: str(unicodedata.decimal(digit[0])), text)


_ROMANIAN = str.maketrans("\u015e\u015f\u0162\u0163", "\u0218\u0219\u021a\u021b")

# Tatweel, the vowel marks, and the small alef above a letter.
_UNWRITTEN = dict.fromkeys([0x640, *range(0x64B, 0x653), 0x670])
_ARABIC = {
    **_UNWRITTEN,
    **str.maketrans("\u0622\u0623\u0625\u0671", "\u0627" * 4),  # alefs
    **str.maketrans("\u0649\u06cc\u06a9", "\u064a\u064a\u0643"),  # yehs and kaf
}
_PERSIAN = {
    **_UNWRITTEN,
    **str.maketrans("\u0649\u064a\u0643", "\u06cc\u06cc\u06a9"),  # yehs and kaf
}

# Consonant, virama and zero-width joiner: a chillu letter.
_CHILLUS = {
    "\u0d15\u0d4d\u200d": "\u0d7f",
    "\u0d23\u0d4d\u200d": "\u0d7a",
    "\u0d28\u0d4d\u200d": "\u0d7b",
    "\u0d30\u0d4d\u200d": "\u0d7c",
    "\u0d32\u0d4d\u200d": "\u0d7d",
    "\u0d33\u0d4d\u200d": "\u0d7e",
}
_JOINERS = dict.fromkeys([0x200C, 0x200D])


def _without_joiners(text: str) -> str:
    """Return the text without zero-width joiners and non-joiners."""
    if "\u200d" in text:
        for divided, chillu in _CHILLUS.items():
            text = text.replace(divided, chillu)
    return text.translate(_JOINERS)


_ELIDED = re.compile(r"(?<=[^\W\d_])'(?=[^\W\d_])")


def _divide_elisions(text: str) -> str:
    """Return the text with a blank after an apostrophe between letters."""
    return _ELIDED.sub("' ", text)


STEPS: Mapping[str, Fold] = {
    "korean": lambda text: text.translate(_KOREAN_DOTS),
    "typography": _typography,
    "nfkc": partial(unicodedata.normalize, "NFKC"),
    "thai": _thai,
    "turkic": _turkic,
    "romanian": lambda text: text.translate(_ROMANIAN),
    "arabic": lambda text: text.translate(_ARABIC),
    "persian": lambda text: text.translate(_PERSIAN),
    "joiners": _without_joiners,
    "elision": _divide_elisions,
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
