"""Preparation of the sentences of a timeline's days for counting and comparing."""

from __future__ import annotations

import string
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from rouge_cli.core import Text
from rouge_cli.text import stemmers
from rouge_cli.text.tokens import tokens
from rouge_cli.text.vocabulary import Vocabulary, make_normalizer
from rouge_cli.text.word_lists import irregular_forms, stop_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from rouge_cli.core import Notify
    from rouge_cli.formats.timeline import Timeline

    # Each date with its day, in ascending order.
    Days = dict[date, "Day"]


class Day(NamedTuple):
    """A day of a timeline.

    text: its tokens, for counting matches. words: for computing costs, see QUIRKS 39.
    """

    text: Text
    words: Counter[str]


class DayTexts:
    """Prepares the texts of days; words are stemmed once."""

    def __init__(self, *, stem: bool, stop: bool, notify: Notify) -> None:
        self.normalize = make_normalizer(
            stop_words(None, notify) if stop else frozenset(),
            stemmers.RougeStemmer(irregular_forms(None, notify)) if stem else None,
            stemmers.SHORTEST_STEMMED,
        )
        self._vocabulary = Vocabulary(self.normalize)

    def days(self, timeline: Timeline) -> Days:
        """Return the timeline prepared for the metrics."""
        return {
            day: Day(Text(self._ids(sentences)), Counter(_words(sentences)))
            for day, sentences in sorted(timeline.items())
        }

    def _ids(self, sentences: Sequence[str]) -> list[int]:
        return [
            number
            for sentence in sentences
            for number in self._vocabulary.ids(tokens(sentence.encode("utf-8", "replace")))
        ]


def _words(sentences: Sequence[str]) -> Iterator[str]:
    """Split at white space and drop every token inside the string of ASCII punctuation (QUIRKS 39)."""
    for sentence in sentences:
        for word in sentence.split():
            if word not in string.punctuation:
                yield word
