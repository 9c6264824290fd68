"""Words and sentences for drawn set-ups: few words, often repeated, with unusual bytes.

Each character is one byte. A sentence contains no line feed, which would end it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random


def pool(*lines: str) -> tuple[str, ...]:
    """Return the words of some lines."""
    return tuple(word for line in lines for word in line.split())


PLAIN = pool(
    "police kill gunman city court price storm market report leader week group"
    " island man",
    "y by sky syzygy oil tree eye a i x7 ab abc abcd bbb",
)

# In the stop list, or almost.
STOP = pool(
    "the of a to and in that for is on it he his who was as not an b'c i.e. us u.s off"
)

# In the exception lists: nouns, verbs, adjectives, adverbs; in several at once; mapped
# to itself.
IRREGULAR = pool(
    "geese men feet children leaves wolves went ran gone been is was had best better"
    " worse",
    "further testes involucra offer offers axes left lay lies saw felt ground found"
    " data",
)

# For each rule of the stemmer a word or two.
DERIVED = pool(
    "relational conditional rational valenci hesitanci digitizer conformabli radicalli",
    "differentli vileli analogousli vietnamization predication operator feudalism"
    " decisiveness",
    "hopefulness callousness formaliti sensitiviti sensibiliti triplicate formative"
    " formalize",
    "electriciti electrical hopeful goodness revival allowance inference airliner"
    " gyroscopic",
    "adjustable defensible irritant replacement adjustment dependent adoption homologou"
    " communism",
    "activate angulariti homologous effective bowdlerize probate rate cease controll"
    " roll caresses",
    "ponies ties caress cats feed agreed plastered bled motoring sing conflated"
    " troubled sized",
    "hopping tanned falling hissing fizzed failing filing happy sky crying dying skies"
    " apologi",
    "apology logi bli entli statement element cement ment ion tion sion lion mission"
    " eed ing ed",
)

SUFFIXES = pool(
    "s es ies sses ss ed eed ing y ly li ational tional enci anci izer bli alli entli"
    " eli ousli",
    "ization ation ator alism iveness fulness ousness aliti iviti biliti logi icate"
    " ative alize",
    "iciti ical ful ness al ance ence er ic able ible ant ement ment ent ou ism ate iti"
    " ous ive",
    "ize ion sion tion e ll le at bl iz",
)

# Hyphens, digits, apostrophes, markup; keys of the database that set-ups bring with
# them; then UTF-8, single bytes above 127, and control characters.
ODD = (
    *pool(
        "1 42 1998 3,000 $5 1st b2b x-ray co-operation twenty-one a-b -- - -a b- 7-7-7"
        " he's o'clock",
        "'tis ... ? !x! (so) [1] _x_ r&d &amp; &#65; 50% /// u.s. e.g. A1 XXL it's >>"
        " | a|b",
        "word1 word8",
    ),
    "cafÃ©",
    "été",
    "naïve",
    "Ã\x89cole",
    "â\x80\x94",
    "a\xa0b",
    "ÿþ",
    "\x00",
    "a\x00b",
    "\x85",
    "\x1c",
)

POOLS = (PLAIN, STOP, IRREGULAR, DERIVED, ODD)


def vocabulary(rng: Random) -> list[str]:
    """Draw a few words; a text made of them repeats itself, and so has many LCS
    ties.
    """
    size = rng.choice((2, 3, 4, 6, 8, 12, 20, 40))
    weights = [rng.choice((0, 1, 2, 4)) for _ in POOLS]
    if not any(weights):
        weights = [1] * len(POOLS)
    words = [rng.choice(pool) for pool in rng.choices(POOLS, weights, k=size)]
    return words + [invented(rng) for _ in range(rng.choice((0, 0, 1, 2, 4)))]


def invented(rng: Random) -> str:
    """Return a made-up word of letters with rules in the stemmer, with a known
    suffix or two.
    """
    stem = "".join(rng.choices("aeiouyybcdlmnrstxz3", k=rng.randint(0, 6)))
    return stem + "".join(rng.choices(SUFFIXES, k=rng.choice((0, 1, 1, 2)))) or "y"


def sentence(rng: Random, words: Sequence[str], length: int) -> str:
    """Return `length` words and the characters between and around them."""
    text = " " * rng.choice((0, 0, 0, 0, 0, 1, 2))
    for position in range(length):
        text += (separator(rng) if position else "") + cased(rng, rng.choice(words))
        text += rng.choice(",.;:!?") if rng.random() < 0.05 else ""
    return text + (" " if rng.random() < 0.1 else "")


def separator(rng: Random) -> str:
    """Return mostly a blank; else other white space, or a byte that only looks like
    it.
    """
    if rng.random() < 0.9:
        return " "
    return rng.choice(
        ("  ", "\t", "\v", "\f", "\r", " \t ", "-", " - ", "\xa0", "\x1f", "/")
    )


def cased(rng: Random, word: str) -> str:
    """Return the word, now and then capitalized or in capitals."""
    draw = rng.random()
    if draw < 0.1:
        return word[:1].upper() + word[1:] if word.isascii() else word
    return word.upper() if draw < 0.13 and word.isascii() else word


def sentences(rng: Random, words: Sequence[str], *, large: bool) -> list[str]:
    """Return a text: mostly 0 to 40 words, now and then some hundreds."""
    count = rng.choice((0, 1, 1, 1, 1, 2, 2, 2, 3, 3, 4, 6))
    longest = rng.choice((1, 3, 6, 12))
    if large:
        count, longest = rng.choice(((1, 300), (3, 80), (40, 8), (12, 25)))
    return [sentence(rng, words, rng.randint(0 if longest > 1 else 1, longest))
            for _ in range(count)]  # fmt: skip


def varied(rng: Random, words: Sequence[str], lines: Sequence[str]) -> list[str]:
    """Return a text that shares much with `lines`: the same, shuffled, cut, or with
    changed words.
    """
    result = list(lines)
    way = rng.randrange(5)
    if way == 1:
        rng.shuffle(result)
    elif way == 2:
        result = [
            " ".join(rng.sample(line.split(" "), line.count(" ") + 1))
            for line in result
        ]
    elif way == 3:
        result = [line[rng.randint(0, len(line)) :] for line in result]
    elif way == 4:
        result = [
            " ".join(
                word if rng.random() < 0.8 else rng.choice(words)
                for word in line.split(" ")
            )
            for line in result
        ]
    return result
