"""From tagged words to the forms that a measure compares: tags, topics, stop words, stems, in this order.

A form is the word, or its stem. With synonyms its senses come with it: the words and parts
of speech by which synonyms are looked up.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from rouge_cli.dialects.rouge2.labels import TOPIC, L, N
from rouge_cli.dialects.rouge2.texts import Word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rouge_cli.dialects.rouge2.labels import Measure
    from rouge_cli.dialects.rouge2.texts import Lines, Reading

# The beginnings of Penn tags, and the parts of speech that have synonyms in WordNet.
_PARTS = {"NN": "n", "JJ": "a", "VB": "v"}


class Form(NamedTuple):
    """A form to compare, with its senses (word, part of speech); none if no synonyms are used.

    A part of speech is `n`, `v`, `a`, or empty if WordNet has no synonyms of it.
    """

    form: str
    senses: tuple[tuple[str, str], ...] = ()


class Preprocessing(NamedTuple):
    """The preprocessing steps that measures request.

    tag: maps the words of a sentence to their Penn tags; None if texts come with tags. stop: stop words.
    stem: maps a word to its stem. program: True for the Java program's definitions instead of the paper's.
    """

    tag: Callable[[Sequence[str]], Sequence[str]] | None
    stop: frozenset[str]
    stem: Callable[[str], str]
    program: bool = False


def forms(text: Reading, measure: Measure, preprocessing: Preprocessing) -> list[list[Form]]:
    """Return the forms that the measure compares, line by line; cached with the text."""
    kind = measure.kind if measure.kind in (TOPIC, L) else N
    key = measure._replace(kind=kind, size=None, once=False)
    return text.once(_program_forms if preprocessing.program else _paper_forms, key, preprocessing)


def _tagged(text: Reading, preprocessing: Preprocessing) -> Lines:
    if preprocessing.tag is None:
        return text.lines
    lines = []
    for line in text.lines:
        words = [word for word, _ in line if word]
        lines.append(list(map(Word, words, preprocessing.tag(words))) if words else [])
    return lines


def _lines(text: Reading, measure: Measure, preprocessing: Preprocessing) -> Lines:
    """Return the words, with tags if the measure uses them."""
    return text.once(_tagged, preprocessing) if measure.needs_tags else text.lines


def _paper_forms(text: Reading, measure: Measure, preprocessing: Preprocessing) -> list[list[Form]]:
    """Return the words whose tag begins as requested, in any case; they match whatever their tags."""
    topics = tuple(measure.tags.upper().split("|"))
    stop = preprocessing.stop if measure.stop else frozenset()
    return [
        [
            _form(word, measure, preprocessing)
            for word in line
            if (measure.kind != TOPIC or word.tag.upper().startswith(topics)) and word.word not in stop
        ]
        for line in _lines(text, measure, preprocessing)
    ]


def _program_forms(text: Reading, measure: Measure, preprocessing: Preprocessing) -> list[list[Form]]:
    """Return topics selected by a regular expression on `word_tag`, in which they match (QUIRKS 48, 49)."""
    # The program lower-cases tags, so an expression in capitals finds nothing there; here it does.
    found_in = re.compile(measure.tags, re.IGNORECASE).search
    glued = measure.kind == (L if measure.synonyms else TOPIC)
    return [
        [
            Form(f"{form.form}_{word.tag.lower()}") if glued else form
            for word in _unstopped(line, measure, preprocessing)
            if measure.kind != TOPIC or found_in(f"{word.word}_{word.tag.lower()}")
            for form in [_form(word, measure, preprocessing)]
        ]
        for line in _lines(text, measure, preprocessing)
    ]


def _unstopped(line: Sequence[Word], measure: Measure, preprocessing: Preprocessing) -> Iterator[Word]:
    """Yield the words left; for an untagged line of stop words only, one empty token (QUIRKS 47)."""
    left = [
        word for word in line if not measure.stop or word.word.partition("_")[0] not in preprocessing.stop
    ]
    if line and not left and not measure.needs_tags:
        left = [Word("")]
    return iter(left)


def _form(word: Word, measure: Measure, preprocessing: Preprocessing) -> Form:
    form = preprocessing.stem(word.word) if measure.stem else word.word
    return Form(form, ((word.word, _PARTS.get(word.tag[:2].upper(), "")),) if measure.synonyms else ())
