"""Laws of the embedded tagger and of synonyms, for any words."""

import lzma
import random
import re
from collections.abc import Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest
from compiled_runs import readable
from hypothesis import given
from hypothesis import strategies as st

from rouge_cli import data
from rouge_cli.data import wordnet
from rouge_cli.text import tagging

# Words in rules, words of either kind that WordNet has, punctuation and pieces, and any
# others.
KNOWN = [
    "the", "a", "to", "that", "her", "is", "was", "have", "do", "screen", "light", "works", "put",
    "broken",
]  # fmt: skip
PIECES = ["London", "I", "@", ",", ".", "s", "t", "DT", "END"]
WORD = st.sampled_from([*KNOWN, *PIECES]) | st.text(max_size=6)


@given(st.lists(WORD, max_size=12))
def test_every_word_has_a_tag(words: list[str]) -> None:
    """Each word gets one Penn tag, the same each time, and the words are unchanged."""
    tagger = tagging.named("embedded")
    before = list(words)
    (tags,) = tagger([words])

    assert len(words) == len(tags)
    assert set(tags).isdisjoint({"", "START", "END"})
    assert [tags] * 40 == tagger([tuple(words)] * 40)
    assert before == words


class Neighbour:
    """A condition as nltk's Feature."""

    def __init__(self, condition: tuple[Sequence[int], Sequence[str], bool]) -> None:
        self.condition = condition
        self.positions = (0,)

    def extract_property(self, tokens: Sequence[tuple[str, str]], index: int) -> bool:
        """Return True if the condition holds for the word at that index."""
        places, values, must_match = self.condition
        for at in (index + place for place in places):
            if 0 <= at < len(tokens):
                found = {tokens[at][0].lower(), tokens[at][1]}
            else:
                found = {"START" if at < 0 else "END"}
            if not found.isdisjoint(values):
                return must_match
        return not must_match


class Share:
    """The share that a rule requires, as nltk's Feature."""

    positions = (0,)

    def __init__(self, rule: tagging.Rule, lexicon: tagging.Lexicon) -> None:
        self.rule, self.lexicon = rule, lexicon

    def extract_property(self, tokens: Sequence[tuple[str, str]], index: int) -> bool:
        """Return True if the word's share is higher."""
        return (
            self.lexicon.shares(tokens[index][0]).get(self.rule.listed, 0)
            > self.rule.share
        )


@cache
def brill() -> Any:  # noqa: ANN401 - of nltk
    """Return nltk's Brill tagger with the same rules, after the same tags of single
    words.
    """
    from nltk.tag.brill import BrillTagger
    from nltk.tbl.rule import Rule

    lexicon = tagging.Lexicon(wordnet.load(""))
    rules = [
        Rule(
            "",
            rule.old,
            rule.tag,
            [
                *((Neighbour(condition), True) for condition in rule.conditions),
                *([(Share(rule, lexicon), True)] if rule.listed else []),
            ],
        )
        for rule in tagging.parse_rules()
    ]
    first = SimpleNamespace(
        tag=lambda words: [(word, lexicon.likeliest(word)) for word in words]
    )
    return BrillTagger(first, rules)


MENTIONED = sorted(
    set(filter(str.islower, re.split(r"[\s!|]+", " ".join(tagging.RULES))))
)


@pytest.mark.parametrize("size", [1, 2, 3, 8, 70])
def test_rules_are_applied_as_by_nltk(size: int) -> None:
    """Each rule changes the tags that it changes in nltk's Brill tagger, one rule
    after the other.
    """
    chance = random.Random(size)
    words = [
        *MENTIONED,
        *(word for word in KNOWN if word not in MENTIONED),
        "dogs",
        "walked",
        "running",
    ]
    sentences = [[chance.choice(words) for _ in range(size)] for _ in range(200)]
    tags = [[tag for _, tag in brill().tag(sentence)] for sentence in sentences]
    assert tags == tagging.named("embedded")(sentences)


@given(WORD, st.sampled_from("nva"), st.integers(0, 5))
def test_a_higher_limit_gives_no_more(word: str, pos: str, least: int) -> None:
    """Any word has synonyms or none, and a higher limit gives a subset."""
    ours = wordnet.load("")

    assert ours.synonyms(word, pos, least=least + 1) <= ours.synonyms(
        word, pos, least=least
    )


def readable_part(pos: str) -> wordnet.PartOfSpeech:
    """Return a part of speech of the package's WordNet, read by readable code."""
    short = lzma.decompress(data.read("wordnet-3.0.xz"))
    with readable():
        return wordnet.WordNet(short, "readable").parts[pos]


@pytest.mark.parametrize("pos", "nvar")
def test_compiled_code_looks_words_up_as_the_readable_program(
    pos: str,
    compiled: Any,  # noqa: ANN401
) -> None:
    """Both find the same base forms, counts, names and near words, also for what is
    not a word.
    """
    readable = readable_part(pos)
    part = compiled.WordNetPart(*readable.source)
    known = random.Random(pos).sample(sorted(readable.senses), 400)
    endings = b"", b"s", b"es", b"men", b"ies", b"ed", b"ing", b"er", b"est", b"ss"
    others = [
        b"",
        b"s",
        b"as",
        b"went",
        b"children",
        b"better",
        b"E=mc2",
        b"London",
        b"\xff",
    ]

    for word in [*(word + ending for word in known for ending in endings), *others]:
        assert readable.bases(word) == part.bases(word)
        assert (readable.count(word), readable.is_name(word)) == (
            part.count(word),
            part.is_name(word),
        )
        assert readable.by_program(word, pos) == {*part.by_program(word, pos)}
        for least in (0, 1, 4):
            assert {*readable.near(word, least)} == {*part.near(word, least)}
