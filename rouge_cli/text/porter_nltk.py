"""The Porter stemmer of Google's rouge_score: NLTK's, in its default mode.

Unlike Porter's paper, ROUGE-1.5.5 and Snowball, it has fixed stems for some words, `y` becomes `i`
only after a consonant, and step 2 has more suffixes. Rewritten from a description of its behaviour, since
importing nltk takes about a second; a test compares it with nltk itself over random words.
"""

from __future__ import annotations

from collections import defaultdict

_FIXED = {
    "sky": "sky", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "news": "news",
    "inning": "inning", "innings": "inning", "outing": "outing", "outings": "outing",
    "canning": "canning", "cannings": "canning", "howe": "howe",
    "proceed": "proceed", "exceed": "exceed", "succeed": "succeed",
}  # fmt: skip
_PLURAL = {"sses": "ss", "ies": "i", "ss": "ss", "s": ""}
_STEP_2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize", "bli": "ble",
    "alli": "al", "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize", "ation": "ate",
    "ator": "ate", "alism": "al", "iveness": "ive", "fulness": "ful", "ousness": "ous", "aliti": "al",
    "iviti": "ive", "biliti": "ble", "fulli": "ful",
}  # fmt: skip
_STEP_3 = {
    "icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": "",
}  # fmt: skip
_STEP_4 = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism",
    "ate", "iti", "ous", "ive", "ize",
)  # fmt: skip
# For words without y: a for each vowel, b for any other character.
_LETTERS = defaultdict(lambda: "b", dict.fromkeys(map(ord, "aeiou"), "a"))
# Most words have none of a step's endings, so all are tested at once.
_ENDINGS_2, _ENDINGS_3 = tuple(_STEP_2), tuple(_STEP_3)


def stem(word: str) -> str:
    """Return the stem of a word in lower case; letters beyond ASCII are consonants."""
    if word in _FIXED:
        return _FIXED[word]
    if len(word) <= 2:
        return word
    word = _past_or_gerund(_plural(word))
    if word.endswith("y") and len(word) > 2 and not _is_vowel(word, len(word) - 2):
        word = word[:-1] + "i"
    word = _step_2(word)
    if word.endswith(_ENDINGS_3):
        word = _replace(word, _STEP_3)
    if word.endswith(_STEP_4):
        word = _step_4(word)
    if word.endswith("e"):
        rest = word[:-1]
        if _measure(rest) > 1 or (_measure(rest) == 1 and not _ends_cvc(rest)):
            word = rest
    if word.endswith("ll") and _measure(word[:-1]) > 1:
        word = word[:-1]
    return word


def _plural(word: str) -> str:
    if not word.endswith("s"):
        return word
    if len(word) == 4 and word.endswith("ies"):
        return word[:-1]
    for ending, instead in _PLURAL.items():
        if word.endswith(ending):
            return word.removesuffix(ending) + instead
    return word


def _past_or_gerund(word: str) -> str:
    if not word.endswith(("ed", "ing")):
        return word
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for ending in ("ed", "ing"):
        rest = word.removesuffix(ending)
        if word.endswith(ending) and any(_is_vowel(rest, place) for place in range(len(rest))):
            return _repaired(rest)
    return word


def _repaired(rest: str) -> str:
    """Return the word that is left without `ed` or `ing`, repaired."""
    if rest.endswith(("at", "bl", "iz")):
        return rest + "e"
    if len(rest) > 1 and rest[-1] == rest[-2] and not _is_vowel(rest, len(rest) - 1):
        return rest if rest[-1] in "lsz" else rest[:-1]
    return rest + "e" if _measure(rest) == 1 and _ends_cvc(rest) else rest


def _step_2(word: str) -> str:
    while word.endswith("alli") and _measure(word[:-4]) > 0:
        word = word[:-2]
    if word.endswith(_ENDINGS_2):
        return _replace(word, _STEP_2)
    return word[:-1] if word.endswith("logi") and _measure(word[:-3]) > 0 else word


def _replace(word: str, endings: dict[str, str]) -> str:
    """Replace the first ending that the word has, if enough precedes it."""
    for ending, instead in endings.items():
        if word.endswith(ending):
            rest = word.removesuffix(ending)
            return rest + instead if _measure(rest) > 0 else word
    return word


def _step_4(word: str) -> str:
    for ending in _STEP_4:
        if word.endswith(ending):
            rest = word.removesuffix(ending)
            goes = _measure(rest) > 1 and (ending != "ion" or rest.endswith(("s", "t")))
            return rest if goes else word
    return word


def _is_vowel(word: str, place: int) -> bool:
    """Return True for a, e, i, o, u, and for `y` after a consonant."""
    if word[place] != "y":
        return word[place] in "aeiou"
    return place > 0 and not _is_vowel(word, place - 1)


def _measure(stem: str) -> int:
    """Return how often a vowel is directly followed by a consonant."""
    if "y" in stem:
        letters = "".join("a" if _is_vowel(stem, place) else "b" for place in range(len(stem)))
    else:
        letters = stem.translate(_LETTERS)
    return letters.count("ab")


def _ends_cvc(word: str) -> bool:
    """Test for consonant, vowel, consonant other than w, x, y; or only a vowel and a consonant."""
    size = len(word)
    if size < 2 or not _is_vowel(word, size - 2) or _is_vowel(word, size - 1):
        return False
    return size == 2 or (size > 2 and not _is_vowel(word, size - 3) and word[-1] not in "wxy")
