"""Part-of-speech taggers by name: `embedded`, which needs no further data, and `nltk`.

`embedded` first gives a word its most likely tag, by a list of function words, shapes
of words, WordNet's frequencies of parts of speech, and endings for words that WordNet
lacks. Then Brill transformations (1992), written by hand, correct tags by neighbouring
words. docs/explanation/tagging.md reports the accuracy.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import NamedTuple

from rouge_cli import data
from rouge_cli.data import wordnet
from rouge_cli.errors import RougeError, UsageError, suggestion
from rouge_cli.twins import twin

# Maps the words of sentences, in lower case and without punctuation or as in a text, to
# as many Penn tags.
Tag = Callable[[Sequence[Sequence[str]]], list[list[str]]]
NAMES = ("embedded", "nltk")
# Only the last characters of longer words are tagged; whole words could take seconds.
LONGEST = 100
_LINES = data.read("tag_rules.txt").decode().splitlines()
LISTS = dict(line.split(" = ") for line in _LINES if " = " in line and line[0] != "#")


def _patterns() -> dict[str, list[tuple[str, str]]]:
    """Return SHAPE or ENDING -> its tags with the patterns of their words."""
    by_kind: dict[str, list[tuple[str, str]]] = {}
    for name, pattern in LISTS.items():
        if " " in name:
            kind, tag = name.split()
            by_kind.setdefault(kind, []).append((tag, pattern))
    return by_kind


def _any_of(patterns: Sequence[tuple[str, str]]) -> re.Pattern[str]:
    """Return one pattern of all, with a group for each."""
    return re.compile("|".join([f"({pattern})" for _, pattern in patterns]))


_OF_KIND = _patterns()
_ANY = {kind: _any_of(patterns) for kind, patterns in _OF_KIND.items()}
RULES = [line.format_map(LISTS) for line in _LINES if " > " in line and line[0] != "#"]
AROUND = 3  # positions before and after a sentence, where rules look, too


@cache
def named(name: str) -> Tag:
    """Return the tagger of that name, cached; UsageError if there is none,
    RougeError without data.
    """
    check(name)
    if name == "nltk":
        from nltk.tag.perceptron import PerceptronTagger

        try:
            tagger = PerceptronTagger()
        except LookupError:
            remedy = "python -m nltk.downloader averaged_perceptron_tagger_eng"
            raise RougeError("nltk's tagger has no data", remedy=remedy) from None

        def tag_by_nltk(sentences: Sequence[Sequence[str]]) -> list[list[str]]:
            tagged = []
            for words in sentences:
                tagged.append([tag for _, tag in tagger.tag(list(words))])
            return tagged

        return tag_by_nltk

    lexicon = Lexicon(wordnet.load(""))
    tag = brill(list(parse_rules()), lexicon)

    def tag_sentences(sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        tagged = []
        for sentence in sentences:
            ends = [word[-LONGEST:] for word in sentence]
            tagged.append(tag(lexicon.uncapitalize(ends)))
        return tagged

    return tag_sentences


@twin
def brill(rules: Sequence[Rule], lexicon: Lexicon) -> Callable[[list[str]], list[str]]:
    """Return the function from the words of a sentence to their tags by these rules."""
    return partial(_tag, rules, lexicon, cache(lexicon.likeliest))


def check(name: str) -> None:
    """Raise UsageError for an unknown tagger."""
    if name not in NAMES:
        raise UsageError(
            f"unknown tagger {name!r}", remedy=suggestion(name, list(NAMES))
        )


def _match(kind: str, word: str) -> str:
    """Return the tag of the first pattern of this kind that matches the whole word;
    empty if none does.
    """
    match = _ANY[kind].fullmatch(word)
    if match is None:
        return ""
    tag, _ = _OF_KIND[kind][(match.lastindex or 0) - 1]
    return tag


class Lexicon:
    """The possible tags of words, with their shares, computed word by word."""

    def __init__(self, database: wordnet.WordNet) -> None:
        self.function_words: dict[str, str] = {}
        for line in data.read("function_words.txt").decode().splitlines():
            tag, *words = line.split()
            if tag[:1] != "#":
                self.function_words |= dict.fromkeys(words, tag)
        self._database = database
        self._shares: dict[str, dict[str, float]] = {}

    def uncapitalize(self, words: list[str]) -> list[str]:
        """Lower-case words with a meaningless capital: first in a sentence, or if
        all words have one.
        """
        joined = "\n".join(words)
        if joined == joined.lower():
            return words
        letters = [word for word in words if word[:1].isalpha() and word != "I"]
        if len(letters) > 1 and all(word[0].isupper() for word in letters):
            return [word.lower() for word in words]

        read = []
        for word in words:
            read.append("i" if word == "I" else word)
        if letters:
            first = letters[0].lower()
            if first in self.function_words or self.shares(first).keys() - {"NNP"}:
                read[read.index(letters[0])] = first
        return read

    def likeliest(self, word: str) -> str:
        """Return the likeliest tag of a word by itself; with a capital it is a name."""
        tag = self.function_words.get(word) or _match("SHAPE", word)
        if tag:
            return tag
        if word[:1].isupper():
            return "NNP"
        shares = self.shares(word)
        if shares:
            return max(shares, key=shares.__getitem__)
        return _match("ENDING", word) or "NN"

    def shares(self, word: str) -> dict[str, float]:
        """Return the share of each tag that WordNet gives the word; the shares add
        up to 1.
        """
        lower = word.lower()
        if lower not in self._shares:
            # The expected frequency of each tag, if the word were as frequent as its
            # base forms.
            weights: dict[str, float] = {}
            key = wordnet.key(word)
            for pos, tags in _FORMS.items():
                part = self._database.parts[pos]
                for base in part.bases(key):
                    # A count of 0.5 for words that are in WordNet but were never
                    # tagged.
                    seen = part.count(base) + 0.5
                    for tag, share in tags(lower, wordnet.text(base)):
                        own = "NNP" if tag == "NN" and part.is_name(base) else tag
                        weights[own] = weights.get(own, 0) + seen * share
            total = sum(weights.values())
            self._shares[lower] = {tag: weights[tag] / total for tag in weights}
        return self._shares[lower]


# The tags of an inflected word, and the share of each among all forms of the base form.
# The shares are rough: what matters is that a plural or a participle is rarer than its
# base form.


def _noun(word: str, base: str) -> list[tuple[str, float]]:
    return [("NN", 0.7)] if word == base else [("NNS", 0.3)]


def _adjective(word: str, base: str) -> list[tuple[str, float]]:
    if word == base:
        return [("JJ", 1.0)]
    return [("JJS", 1.0)] if word.endswith("st") else [("JJR", 1.0)]


def _adverb(_word: str, _base: str) -> list[tuple[str, float]]:
    return [("RB", 1.0)]


def _verb(word: str, base: str) -> list[tuple[str, float]]:
    if word.endswith("ing") and word != base:
        return [("VBG", 0.15)]
    if word == base:
        past = [("VBD", 0.06), ("VBN", 0.06)] if word in _UNCHANGED else []
        return [("VB", 0.25), *past]
    if word.endswith("s"):
        return [("VBZ", 0.15)]
    if word in _PARTICIPLES or word.endswith(("wn", "en", "rn")):
        return [("VBN", 0.2)]
    return [("VBD", 0.2)] if word in _PASTS else [("VBD", 0.2), ("VBN", 0.19)]


_UNCHANGED = frozenset(LISTS["UNCHANGED"].split())
_PARTICIPLES = frozenset(LISTS["PARTICIPLES"].split())
_PASTS = frozenset(LISTS["PASTS"].split())
_FORMS: dict[str, Callable[[str, str], list[tuple[str, float]]]] = {
    wordnet.NOUN: _noun,
    wordnet.VERB: _verb,
    wordnet.ADJECTIVE: _adjective,
    wordnet.ADVERB: _adverb,
}


class Rule(NamedTuple):
    """A rule for one old tag."""

    old: str
    tag: str
    # Places, counted from the word, and tags and words; True if one of the places must
    # have one of these, False if none may.
    conditions: Sequence[tuple[Sequence[int], Sequence[str], bool]]
    # The tag that the lexicon must give the word with more than this share; empty if it
    # does not matter.
    listed: str
    share: float

    def applies(
        self, at: int, tags: Sequence[str], words: Sequence[str], lexicon: Lexicon
    ) -> bool:
        """Return True if the tag at that index changes."""
        for places, values, must_match in self.conditions:
            # Tags, and words in lower case, so that no word equals a tag.
            around = set()
            for place in places:
                around.add(tags[at + place])
                around.add(words[at + place].lower())
            if around.isdisjoint(values) == must_match:
                return False
        if not self.listed:
            return True
        return lexicon.shares(words[at]).get(self.listed, 0) > self.share


def _tag(
    rules: Sequence[Rule],
    lexicon: Lexicon,
    likeliest: Callable[[str], str],
    sentence: list[str],
) -> list[str]:
    """Return the likeliest tags of the words, corrected by one rule after the other."""
    words = [*[""] * AROUND, *sentence, *[""] * AROUND]
    tags = [*["START"] * AROUND, *map(likeliest, sentence), *["END"] * AROUND]
    for rule in rules:
        places = [at for at, tag in enumerate(tags) if tag == rule.old]
        # All places first: a rule sees the tags as they were before it.
        changed = [at for at in places if rule.applies(at, tags, words, lexicon)]
        for at in changed:
            tags[at] = rule.tag
    return tags[AROUND:-AROUND]


def parse_rules() -> Iterator[Rule]:
    """Yield RULES, one for each old tag."""
    for line in RULES:
        change, *written = line.split(" | ")
        old, _, new = change.partition(" > ")
        tag, _, share = new.partition(" ")
        # The lexicon does not distinguish the infinitive from the present.
        listed = "VB" if tag == "VBP" else tag
        if any(condition.startswith("0 ") for condition in written):
            listed = ""
        conditions = []
        for condition in written:
            places, first, *others = condition.split()
            at = list(map(int, places.split(",")))
            values = [first.removeprefix("!"), *others]
            conditions.append((at, values, not first.startswith("!")))
        for before in old.split():
            if before != tag:
                yield Rule(before, tag, conditions, listed, float(share or 0))
