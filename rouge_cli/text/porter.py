"""The Porter stemmer (Porter 1980), with the details of ROUGE-1.5.5.

The details matter, and every other stemmer differs somewhere (QUIRKS 11): `y` is a consonant at the start
of a word and after a vowel, else a vowel; any character other than a letter is a consonant; step 2 has
`bli` and `logi`; step 4 tries its suffixes in turn, each on the result of the one before. Tested with
`fixtures/rouge155/stems.tsv`, 12,633 words.
"""

from __future__ import annotations

from collections import defaultdict

STEP_2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize",
    "bli": "ble", "alli": "al", "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize",
    "ation": "ate", "ator": "ate", "alism": "al", "iveness": "ive", "fulness": "ful",
    "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble", "logi": "log",
}  # fmt: skip
STEP_3 = {
    "icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": "",
}  # fmt: skip
_STEP_4 = dict.fromkeys(
    ("al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ou", "ism", "ate", "iti",
     "ous", "ive", "ize"), "",
)  # fmt: skip
# For words without y: v for each vowel, c for any other character.
_LETTERS = defaultdict(lambda: "c", dict.fromkeys(map(ord, "aeiou"), "v"))


def stem(word: str) -> str:
    """Return the stem of a lower-case word; words of one or two characters stay as they are."""
    if len(word) < 3:
        return word
    word = _plural(word)
    word = _past_or_progressive(word)
    if word.endswith("y") and _has_vowel(word[:-1]):
        word = word[:-1] + "i"
    word = _replace(word, STEP_2, least_measure=1)
    word = _replace(word, STEP_3, least_measure=1)
    word = _residual(word)
    return _final_e(word)


def stem_of_bytes(word: bytes) -> bytes:
    """Return the stem of a word whose bytes are taken as characters."""
    return stem(word.decode("latin-1")).encode("latin-1")


def shape(stem: str) -> str:
    """Return `v` for each vowel of the stem, `y` after a consonant among them, `c` for the rest."""
    if "y" not in stem:
        return stem.translate(_LETTERS)
    letters = ""
    for character in stem:
        is_vowel = character in "aeiou" or (character == "y" and letters.endswith("c"))
        letters += "v" if is_vowel else "c"
    return letters


def measure(stem: str) -> int:
    """Return Porter's m: how often a consonant follows a vowel."""
    return shape(stem).count("vc")


def _has_vowel(stem: str) -> bool:
    return "v" in shape(stem)


def _ends_cvc(stem: str) -> bool:
    """Test Porter's *o, for stems whose only vowel is the last letter but one."""
    letters = shape(stem)
    return letters.endswith("cvc") and letters.count("v") == 1 and stem[-1] not in "wxy"


def _replace(word: str, rules: dict[str, str], *, least_measure: int) -> str:
    """Apply the rule of the longest suffix, if the measure of the rest is large enough."""
    for length in range(min(7, len(word)), 1, -1):
        suffix = word[-length:]
        if suffix in rules:
            left = word[:-length]
            return left + rules[suffix] if measure(left) >= least_measure else word
    return word


def _plural(word: str) -> str:
    """Apply step 1a."""
    if word.endswith(("sses", "ies")):
        return word[:-2]
    if word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


def _past_or_progressive(word: str) -> str:
    """Apply step 1b: remove eed, ed, ing, and repair what ed and ing leave."""
    if word.endswith("eed"):
        return word[:-1] if measure(word[:-3]) > 0 else word
    for suffix in ("ed", "ing"):
        left = word.removesuffix(suffix)
        if left != word:
            return _repair(left) if _has_vowel(left) else word
    return word


def _repair(left: str) -> str:
    if left.endswith(("at", "bl", "iz")):
        return left + "e"
    if len(left) > 1 and left[-1] == left[-2] and left[-1] not in "aeiouylsz":
        return left[:-1]
    return left + "e" if _ends_cvc(left) else left


def _residual(word: str) -> str:
    """Apply step 4: three passes in a row, each on the result of the one before (QUIRKS 11)."""
    word = _replace(word, _STEP_4, least_measure=2)
    word = _replace(word, {"ment": ""}, least_measure=2)
    if word.endswith("ent"):
        return _replace(word, {"ent": ""}, least_measure=2)
    if word.endswith(("sion", "tion")):
        return _replace(word, {"ion": ""}, least_measure=2)
    return word


def _final_e(word: str) -> str:
    """Apply step 5: remove a final e, and one of two final l."""
    if word.endswith("e"):
        left = word[:-1]
        if measure(left) > 1 or (measure(left) == 1 and not _ends_cvc(left)):
            word = left
    if word.endswith("ll") and measure(word) > 1:
        word = word[:-1]
    return word
