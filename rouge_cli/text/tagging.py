"""Part-of-speech taggers by name: `embedded`, which needs no further data, and `nltk`.

`embedded` is nltk's sequential taggers over what comes with the package: a list of function words, shapes,
how often WordNet saw a word as each part of speech, endings for words that WordNet does not have; and then
nltk's transformations (Brill's, but written by hand) about neighbours. docs/explanation/tagging.md reports
its accuracy.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from rouge_cli import plugins
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.text import wordnet
from rouge_cli.text.tag_lexicon import Lexicon
from rouge_cli.text.tag_rules import make_rules

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

NAMES = ("embedded", "nltk")
# Only the end of longer words is tagged; with these nltk takes up to five seconds.
LONGEST = 100


class Tagger(NamedTuple):
    """Tags the words of a sentence.

    name: for the signature. tag: maps the words of a sentence, in lower case and without punctuation or as
    in a text, to as many Penn tags.
    """

    name: str
    tag: Callable[[Sequence[str]], list[str]]


@cache
def named(name: str) -> Tagger:
    """Return the tagger of that name, cached.

    Raises UsageError for an unknown name, RougeError if nltk's data is missing.
    """
    check(name)
    if name == "embedded":
        return Tagger(name, _embedded_tagger())
    return Tagger(name, _perceptron())


def check(name: str) -> None:
    """Raise UsageError for an unknown tagger."""
    if name not in NAMES:
        raise UsageError(f"unknown tagger {name!r}", remedy=plugins.suggestion(name, list(NAMES)))


def _perceptron() -> Callable[[Sequence[str]], list[str]]:
    """Return nltk's averaged perceptron, if its data is installed."""
    from nltk.tag.perceptron import PerceptronTagger

    try:
        tagger = PerceptronTagger()
    except LookupError:
        raise RougeError(
            "nltk's tagger has no data", remedy="python -m nltk.downloader averaged_perceptron_tagger_eng"
        ) from None
    return lambda words: [tag for _, tag in tagger.tag(list(words))]


def _embedded_tagger() -> Callable[[Sequence[str]], list[str]]:
    """Return the tagger of function words and marks, shapes, WordNet, endings, and then the rules."""
    from nltk.tag.brill import BrillTagger
    from nltk.tag.sequential import DefaultTagger, RegexpTagger, UnigramTagger

    lexicon = Lexicon(wordnet.load())
    by_ending = RegexpTagger(ENDINGS, backoff=DefaultTagger("NN"))
    by_wordnet = UnigramTagger(model=lexicon, backoff=by_ending)
    by_shape = RegexpTagger(SHAPES, backoff=by_wordnet)
    by_list = UnigramTagger(model={**lexicon.function_words, **MARKS}, backoff=by_shape)
    tagger = BrillTagger(by_list, list(make_rules(lexicon)))

    def tag(words: Sequence[str]) -> list[str]:
        ends = [word[-LONGEST:] for word in words]
        return [tag for _, tag in tagger.tag(_uncapitalize(ends, lexicon))]

    return tag


def _whole(*patterns: tuple[str, str]) -> list[tuple[str, str]]:
    """Return patterns for whole words; nltk's match only the beginning."""
    return [(rf"(?:{pattern})\Z", tag) for pattern, tag in patterns]


MARKS = {
    mark: tag
    for tag, marks in {
        ",": ",",
        ":": ": ; - -- \u2026 \u2013 \u2014",
        "``": "`` \u201c \u2018",
        "''": "'' \" \u201d",
        "-LRB-": "( [ {",
        "-RRB-": ") ] }",
        "$": "$ \u20ac \u00a3",
    }.items()
    for mark in marks.split()
}
# The shapes of words, tried before WordNet: numbers, ends of sentences, sounds.
SHAPES = _whole(
    (r"[-+]?[0-9@][0-9.,:/@-]*", "CD"),
    (r"[0-9]+(?:st|nd|rd|th|s)", "JJ"),
    (r"[.?!]+", "."),
    (r"(?:h+m+|mm+|m+h+m+|u+[hm]+|e+r+m*|a+h+|a+w+|o+h+|o+ps|w+o+w+|y+a+y+|(?:ha|he){2,}h?)", "UH"),
)
# Endings of words that WordNet lacks.
ENDINGS = _whole(
    (r".+-(?:like|based|free|old|wide|friendly|shaped|minded|\w+ed|\w+ing)", "JJ"),
    (r".+(?:able|ible|ful|less|ous|ious|ive|ish|ical|ic|esque|ary|al)", "JJ"),
    (r".+ly", "RB"),
    (r".+(?:ness|ment|tion|sion|ity|ism|ist|ship|hood|ance|ence|er|or)", "NN"),
    (r".+ing", "VBG"),
    (r".+ed", "VBN"),
    (r".+[^siu']s", "NNS"),
)


def _uncapitalize(words: Sequence[str], lexicon: Lexicon) -> list[str]:
    """Lower-case words with a meaningless capital: first in a sentence, or if all words have one."""
    letters = [word for word in words if word[:1].isalpha() and word != "I"]
    if len(letters) > 1 and all(word[0].isupper() for word in letters):
        return [word.lower() for word in words]
    read = ["i" if word == "I" else word for word in words]
    if letters and lexicon.common(letters[0]):
        first = read.index(letters[0])
        read[first] = read[first].lower()
    return read
