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
    from collections.abc import Callable, Sequence

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


def _tag(text: Reading, preprocessing: Preprocessing) -> Lines:
    if preprocessing.tag is None:
        return text.lines
    lines = []
    for line in text.lines:
        words = [word for word, _ in line if word]
        lines.append(list(map(Word, words, preprocessing.tag(words))) if words else [])
    return lines


def lines(text: Reading, measure: Measure, preprocessing: Preprocessing) -> Lines:
    """Return the words line by line, with tags if the measure looks at them."""
    return text.once(_tag, preprocessing) if measure.needs_tags else text.lines


def _paper_forms(text: Reading, measure: Measure, preprocessing: Preprocessing) -> list[list[Form]]:
    """Topics are those whose tag begins as asked, in any case; words match by word, whatever their tags."""
    why_dropped = dropping(measure, preprocessing)
    return [
        [_form(word, measure, preprocessing) for word in line if not why_dropped(word)]
        for line in lines(text, measure, preprocessing)
    ]


def _program_forms(text: Reading, measure: Measure, preprocessing: Preprocessing) -> list[list[Form]]:
    """Topics are found by a regular expression in `word_tag`, and match by it (QUIRKS 48, 49)."""
    glued = measure.kind == (L if measure.synonyms else TOPIC)
    why_dropped = dropping(measure, preprocessing)
    forms_by_line = []
    for line in lines(text, measure, preprocessing):
        left = [word for word in line if not why_dropped(word)]
        if line and not left and not measure.needs_tags:  # stop words only: one empty token (QUIRKS 47)
            left = [Word("")]
        made = [(word, _form(word, measure, preprocessing)) for word in left]
        forms_by_line.append(
            [Form(f"{form.form}_{word.tag.lower()}") if glued else form for word, form in made]
        )
    return forms_by_line


def dropping(measure: Measure, preprocessing: Preprocessing) -> Callable[[Word], str]:
    """Return a function from a word to the reason why a measure drops it; empty if the word counts."""
    program = preprocessing.program
    stop = preprocessing.stop if measure.stop else frozenset()
    topics = tuple(measure.tags.upper().split("|"))
    # The program lower-cases tags, so that an expression in capitals finds nothing; ours finds it.
    found_in = re.compile(measure.tags, re.IGNORECASE).search if program else None

    def why_dropped(word: Word) -> str:
        if (word.word.partition("_")[0] if program else word.word) in stop:
            return "stop word"
        if measure.kind != TOPIC:
            return ""
        if found_in:
            return "" if found_in(f"{word.word}_{word.tag.lower()}") else "no topic"
        return "" if word.tag.upper().startswith(topics) else "no topic"

    return why_dropped


def _form(word: Word, measure: Measure, preprocessing: Preprocessing) -> Form:
    form = preprocessing.stem(word.word) if measure.stem else word.word
    return Form(form, ((word.word, _PARTS.get(word.tag[:2].upper(), "")),) if measure.synonyms else ())
