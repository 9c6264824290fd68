"""The Porter stemmer (Porter 1980), with the details of ROUGE-1.5.5, and with those of
nltk.

The details of ROUGE-1.5.5 matter, and every other stemmer differs somewhere (QUIRKS
11): `y` is a consonant at the start of a word and after a vowel, else a vowel; any
character other than a letter is a consonant; step 2 has `bli` and `logi`; step 4 tries
its suffixes in turn, each on the result of the one before. Tested with
`fixtures/rouge155/stems.tsv`, 12,633 words.

Google's rouge_score has nltk's stemmer in its default mode: there are fixed stems for
some words, `y` becomes `i` only after a consonant, and step 2 has more suffixes. It was
rewritten from a description of its behaviour, since importing nltk takes about a
second; a test compares it with nltk itself.
"""

from collections import defaultdict
from collections.abc import Callable
from functools import lru_cache

from rouge_cli.twins import twin

_STEP_2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize",
    "bli": "ble", "alli": "al", "entli": "ent", "eli": "e", "ousli": "ous",
    "ization": "ize", "ation": "ate", "ator": "ate", "alism": "al", "iveness": "ive",
    "fulness": "ful", "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble",
    "logi": "log",
}  # fmt: skip
_STEP_3 = {
    "icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic",
    "ful": "", "ness": "",
}  # fmt: skip
_STEP_4 = dict.fromkeys(
    ("al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ou", "ism",
     "ate", "iti", "ous", "ive", "ize"), "",
)  # fmt: skip
# For words without y: v for each vowel, c for any other character.
_LETTERS = defaultdict(lambda: "c", dict.fromkeys(map(ord, "aeiou"), "v"))


def stem(word: str) -> str:
    """Return the stem of a lower-case word; words of one or two characters stay as
    they are.
    """
    if len(word) < 3:
        return word
    word = _past_or_progressive(_plural(word), _repair)
    if word.endswith("y") and "v" in _shape(word[:-1]):
        word = word[:-1] + "i"
    word = _replace(word, _STEP_2, least_measure=1)
    word = _replace(word, _STEP_3, least_measure=1)
    # Step 4: three passes in a row, each on the result of the one before (QUIRKS 11).
    word = _replace(word, _STEP_4, least_measure=2)
    word = _replace(word, {"ment": ""}, least_measure=2)
    if word.endswith(("ent", "sion", "tion")):
        word = _replace(word, {"ent": "", "ion": ""}, least_measure=2)
    return _final_e(word)


def _shape(stem: str) -> str:
    """Return `v` for each vowel of the stem, `y` after a consonant among them, `c`
    for the rest.
    """
    if "y" not in stem:
        return stem.translate(_LETTERS)
    letters = ""
    for character in stem:
        is_vowel = character in "aeiou" or (character == "y" and letters.endswith("c"))
        letters += "v" if is_vowel else "c"
    return letters


def _measure(stem: str) -> int:
    """Return Porter's m: how often a consonant follows a vowel."""
    return _shape(stem).count("vc")


def _ends_cvc(stem: str) -> bool:
    """Test Porter's *o, for stems whose only vowel is the last letter but one."""
    letters = _shape(stem)
    return letters.endswith("cvc") and letters.count("v") == 1 and stem[-1] not in "wxy"


def _replace(word: str, rules: dict[str, str], *, least_measure: int) -> str:
    """Apply the rule of the longest suffix, if the measure of the rest is large
    enough.
    """
    for length in range(min(7, len(word)), 1, -1):
        suffix = word[-length:]
        if suffix in rules:
            left = word[:-length]
            return left + rules[suffix] if _measure(left) >= least_measure else word
    return word


def _plural(word: str) -> str:
    """Apply step 1a."""
    if word.endswith(("sses", "ies")):
        return word[:-2]
    if word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


def _past_or_progressive(word: str, repair: Callable[[str], str]) -> str:
    """Apply step 1b: remove eed, ed, ing, and repair what ed and ing leave."""
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    if not word.endswith(("ed", "ing")):
        return word
    left = word[: -2 if word.endswith("ed") else -3]
    return repair(left) if "v" in _shape(left) else word


def _repair(left: str) -> str:
    if left.endswith(("at", "bl", "iz")):
        return left + "e"
    if len(left) > 1 and left[-1] == left[-2] and left[-1] not in "aeiouylsz":
        return left[:-1]
    return left + "e" if _ends_cvc(left) else left


def _final_e(word: str) -> str:
    """Apply step 5: remove a final e, and one of two final l."""
    if word.endswith("e"):
        left = word[:-1]
        if _measure(left) > 1 or (_measure(left) == 1 and not _ends_cvc(left)):
            word = left
    if word.endswith("ll") and _measure(word) > 1:
        word = word[:-1]
    return word


# The stemmer of nltk.
_NLTK_FIXED = {
    "sky": "sky", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie",
    "news": "news", "inning": "inning", "innings": "inning", "outing": "outing",
    "outings": "outing",    "canning": "canning", "cannings": "canning", "howe": "howe",
    "proceed": "proceed", "exceed": "exceed", "succeed": "succeed",
}  # fmt: skip
_NLTK_STEP_2 = {**_STEP_2, "fulli": "ful"}
del _NLTK_STEP_2["logi"]  # replaced by other conditions
_NLTK_STEP_4 = {**_STEP_4, "ment": "", "ent": "", "ion": ""}
# Most words have none of a step's endings, so all are tested at once.
_NLTK_ENDINGS_2, _NLTK_ENDINGS_3, _NLTK_ENDINGS_4 = map(
    tuple, (_NLTK_STEP_2, _STEP_3, _NLTK_STEP_4)
)


@twin
def nltk_stem(word: str) -> str:
    """Return the stem of a word in lower case; letters beyond ASCII are consonants."""
    if word in _NLTK_FIXED:
        return _NLTK_FIXED[word]
    if len(word) <= 2:
        return word
    plural = word[:-1] if len(word) == 4 and word.endswith("ies") else _plural(word)
    if plural.endswith("ied"):
        word = plural[:-1] if len(plural) == 4 else plural[:-2]
    else:
        word = _past_or_progressive(plural, _nltk_repair)
    if word.endswith("y") and len(word) > 2 and _shape(word)[-2] == "c":
        word = word[:-1] + "i"
    while word.endswith("alli") and _measure(word[:-4]) > 0:
        word = word[:-2]
    if word.endswith(_NLTK_ENDINGS_2):
        word = _replace(word, _NLTK_STEP_2, least_measure=1)
    elif word.endswith("logi") and _measure(word[:-3]) > 0:
        word = word[:-1]
    if word.endswith(_NLTK_ENDINGS_3):
        word = _replace(word, _STEP_3, least_measure=1)
    if word.endswith(_NLTK_ENDINGS_4) and (
        not word.endswith("ion") or word.endswith(("sion", "tion"))
    ):
        word = _replace(word, _NLTK_STEP_4, least_measure=2)
    return word if word.endswith("e") and _shape(word) == "vcv" else _final_e(word)


def _nltk_repair(rest: str) -> str:
    """Repair as ROUGE does, and also a double y that is a consonant, and a vowel
    with a consonant.
    """
    if rest.endswith("yy") and _shape(rest).endswith("c"):
        return rest[:-1]
    return rest + "e" if _shape(rest) == "vc" else _repair(rest)


class PorterStemmer:
    """nltk's stemmer as an object; the stems of frequent words are cached."""

    def stem(self, word: str) -> str:
        """Return the stem of a word."""
        return _cached_nltk_stem(word.lower())


@lru_cache(200_000)
def _cached_nltk_stem(word: str) -> str:
    return nltk_stem(word)
