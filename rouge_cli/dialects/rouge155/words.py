"""The forms of words that are counted: without stop words, stemmed if the set-up requires it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rouge_cli.text import stemmers
from rouge_cli.text.vocabulary import make_normalizer
from rouge_cli.text.word_lists import irregular_forms, stop_words

if TYPE_CHECKING:
    from rouge_cli.core import Notify
    from rouge_cli.dialects.rouge155.program import Setup


class WordForms:
    """Functions from words to their counted forms in a set-up.

    stem: returns a word's stem. plain, stemmed: return the counted form of a raw token without and with
    stemming, None for a stop word; themselves None if they would change no token. common: the one of the
    two that applies to all texts, unless -M is set (QUIRKS 21).
    """

    __slots__ = ("common", "plain", "stem", "stemmed")

    def __init__(self, setup: Setup, notify: Notify) -> None:
        folder = setup.data_folder
        stop: frozenset[bytes] = frozenset()
        if setup.drop_stop_words:
            stop = stop_words(folder, notify) if setup.stop_words is None else setup.stop_words
        needs_stems = setup.stem or setup.stem_models
        irregular = setup.irregular
        if irregular is None:
            irregular = irregular_forms(folder, notify) if needs_stems and not setup.stemmer else {}
        self.stem = setup.stemmer or stemmers.RougeStemmer(irregular)
        shortest = 0 if setup.stemmer else stemmers.SHORTEST_STEMMED
        self.plain = make_normalizer(stop)
        self.stemmed = make_normalizer(stop, self.stem, shortest) if needs_stems else self.plain
        self.common = self.stemmed if setup.stem else self.plain
