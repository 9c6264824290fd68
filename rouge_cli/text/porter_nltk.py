"""The Porter stemmer of Google's rouge_score: NLTK's, in its default mode.

Unlike Porter's paper, ROUGE-1.5.5 and Snowball, it has fixed stems for some words, `y` becomes `i`
only after a consonant, and step 2 has more suffixes. Rewritten from a description of its behaviour, since
importing nltk takes about a second; a test compares it with nltk itself over random words.
"""

from __future__ import annotations

from rouge_cli.text.porter import STEP_2, STEP_3, measure, shape

_FIXED = {
    "sky": "sky", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "news": "news",
    "inning": "inning", "innings": "inning", "outing": "outing", "outings": "outing",
    "canning": "canning", "cannings": "canning", "howe": "howe",
    "proceed": "proceed", "exceed": "exceed", "succeed": "succeed",
}  # fmt: skip
_PLURAL = {"sses": "ss", "ies": "i", "ss": "ss", "s": ""}
# `logi` is replaced by other conditions.
_STEP_2 = {ending: instead for ending, instead in STEP_2.items() if ending != "logi"} | {"fulli": "ful"}
_STEP_4 = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism",
    "ate", "iti", "ous", "ive", "ize",
)  # fmt: skip
# Most words have none of a step's endings, so all are tested at once.
_ENDINGS_2, _ENDINGS_3 = tuple(_STEP_2), tuple(STEP_3)


def stem(word: str) -> str:
    """Return the stem of a word in lower case; letters beyond ASCII are consonants."""
    if word in _FIXED:
        return _FIXED[word]
    if len(word) <= 2:
        return word
    word = _past_or_gerund(_plural(word))
    if word.endswith("y") and len(word) > 2 and shape(word)[-2] == "c":
        word = word[:-1] + "i"
    word = _step_2(word)
    if word.endswith(_ENDINGS_3):
        word = _replace(word, STEP_3)
    if word.endswith(_STEP_4):
        word = _step_4(word)
    if word.endswith("e"):
        rest = word[:-1]
        if measure(rest) > 1 or (measure(rest) == 1 and not _ends_cvc(rest)):
            word = rest
    if word.endswith("ll") and measure(word[:-1]) > 1:
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
        return word[:-1] if measure(word[:-3]) > 0 else word
    for ending in ("ed", "ing"):
        rest = word.removesuffix(ending)
        if word.endswith(ending) and "v" in shape(rest):
            return _repair(rest)
    return word


def _repair(rest: str) -> str:
    """Return the word that is left without `ed` or `ing`, repaired."""
    if rest.endswith(("at", "bl", "iz")):
        return rest + "e"
    if len(rest) > 1 and rest[-1] == rest[-2] and shape(rest)[-1] == "c":
        return rest if rest[-1] in "lsz" else rest[:-1]
    return rest + "e" if measure(rest) == 1 and _ends_cvc(rest) else rest


def _step_2(word: str) -> str:
    while word.endswith("alli") and measure(word[:-4]) > 0:
        word = word[:-2]
    if word.endswith(_ENDINGS_2):
        return _replace(word, _STEP_2)
    return word[:-1] if word.endswith("logi") and measure(word[:-3]) > 0 else word


def _replace(word: str, endings: dict[str, str]) -> str:
    """Replace the first ending that the word has, if enough precedes it."""
    for ending, instead in endings.items():
        if word.endswith(ending):
            rest = word.removesuffix(ending)
            return rest + instead if measure(rest) > 0 else word
    return word


def _step_4(word: str) -> str:
    for ending in _STEP_4:
        if word.endswith(ending):
            rest = word.removesuffix(ending)
            goes = measure(rest) > 1 and (ending != "ion" or rest.endswith(("s", "t")))
            return rest if goes else word
    return word


def _ends_cvc(word: str) -> bool:
    """Test for consonant, vowel, consonant other than w, x, y; or only a vowel and a consonant."""
    letters = shape(word)
    return letters == "vc" or (letters.endswith("cvc") and word[-1] not in "wxy")
