"""The possible tags of an English word: from a list of function words, and from WordNet's counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rouge_cli import data
from rouge_cli.text import wordnet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Lexicon:
    """The possible tags of a word, with their shares: a model for UnigramTagger, computed word by word."""

    def __init__(self, database: wordnet.WordNet) -> None:
        self.function_words = dict(_function_words())
        self._database = database
        self._shares: dict[str, dict[str, float]] = {}

    def get(self, word: str) -> str | None:
        """Return the likeliest tag, for a capitalized word that of names; None if WordNet lacks it."""
        if word[:1].isupper():
            return "NNP"
        shares = self.shares(word)
        return max(shares, key=shares.__getitem__, default=None)

    def common(self, word: str) -> bool:
        """Return True if the word has a tag other than that of a name."""
        return word.lower() in self.function_words or bool(self.shares(word).keys() - {"NNP"})

    def shares(self, word: str) -> dict[str, float]:
        """Return the share of each tag that WordNet gives the word; the shares add up to 1."""
        key = word.lower()
        if key not in self._shares:
            weights: dict[str, float] = {}
            for tag, weight in self._weights(key):
                weights[tag] = weights.get(tag, 0) + weight
            total = sum(weights.values())
            self._shares[key] = {tag: weight / total for tag, weight in weights.items()}
        return self._shares[key]

    def _weights(self, word: str) -> Iterator[tuple[str, float]]:
        """Yield the expected frequency of each tag, if the word were as frequent as its base forms."""
        for pos, tags in _FORMS.items():
            for base in self._database.bases(word, pos):
                # A count of 0.5 for words that are in WordNet but were never tagged.
                seen = (self._database.count(base, pos) or 0) + 0.5
                for tag, share in tags(word, base):
                    is_name = tag == "NN" and self._database.is_name(base)
                    yield "NNP" if is_name else tag, seen * share


# The tags of an inflected word, and the share of each among all forms of the base form. The shares are
# rough: what matters is that a plural or a participle is rarer than its base form.


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
    if word.endswith("ed"):
        return [("VBD", 0.2), ("VBN", 0.19)]
    return [("VBD", 0.2)] if word in _PASTS else [("VBD", 0.2), ("VBN", 0.19)]


def _adjective(word: str, base: str) -> list[tuple[str, float]]:
    if word == base:
        return [("JJ", 1.0)]
    return [("JJS" if word.endswith("st") else "JJR", 1.0)]


_FORMS: dict[str, Callable[[str, str], list[tuple[str, float]]]] = {
    wordnet.NOUN: lambda word, base: [("NN", 0.7)] if word == base else [("NNS", 0.3)],
    wordnet.VERB: _verb,
    wordnet.ADJECTIVE: _adjective,
    wordnet.ADVERB: lambda _word, _base: [("RB", 1.0)],
}
# Verbs whose past looks like the base form; participles that are not also pasts; pasts that are not also
# participles. Other irregular verbs have one form for both (bought).
_UNCHANGED, _PARTICIPLES, _PASTS = (
    frozenset(words.split())
    for words in (
        "bet bid burst cast cost cut hit hurt let put quit read set shed shut split spread",
        "become begun come done drunk gone overcome run rung shrunk sprung sung sunk swum",
        """arose ate awoke bade became began bit blew bore broke came chose did drank drew drove fell
        flew forbade forgave forgot froze gave grew hid knew lay ran rang rode rose sang sank
        saw shook shrank slew spoke sprang stole strode strove swam swore threw took tore trod
        undertook went woke wore wove wrote""",
    )
)


def _function_words() -> Iterator[tuple[str, str]]:
    """Yield each function word with its tag."""
    for line in data.read("function_words.txt").decode().splitlines():
        if not line.startswith("#"):
            tag, *words = line.split()
            yield from ((word, tag) for word in words)
