"""The setup of ROUGE-1.5.5: its options, the counted forms of words, and its
formulas.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import isnan
from typing import TYPE_CHECKING, NamedTuple

from rouge_cli.core import Counts, Notify
from rouge_cli.data.word_lists import irregular_forms, stop_words
from rouge_cli.metrics import Metric, _lcs
from rouge_cli.scoring.formula import BEST, SUM, Scored, Weighted, five_places, ratio
from rouge_cli.text import stemmers
from rouge_cli.text.survey import survey
from rouge_cli.text.tokens import Limit, Normalizer, tokens

if TYPE_CHECKING:
    from rouge_cli.text.normalization import Fold
    from rouge_cli.text.survey import Survey

FORMATS = ("see", "spl", "isi", "simple")

# The values of `-t`.
MEAN_OF_SCORES, MEAN_OF_COUNTS, TOTALS = 0, 1, 2


class Setup(NamedTuple):
    """The original's options for scoring with their defaults, and options that the
    original lacks.

    The default of an option that the original lacks is the original's behaviour.
    """

    metrics: Sequence[Metric] = ()
    stem: bool = False  # stem peers and models (`-m`)
    stem_models: bool = False  # stem only the models (`-M`, QUIRKS 21)
    drop_stop_words: bool = False
    limit: Limit | None = None
    best_model: bool = False
    alpha: float = 0.5  # the weight of precision in F: 1 is P, 0 is R
    averaging: int = MEAN_OF_SCORES  # one of the three constants above
    confidence: float = 95.0  # in percent
    # Number of bootstrap samples; 0 for the plain mean without an interval.
    samples: float = 1000.0
    data_folder: str | None = None  # folder of word lists; None for rouge-cli's lists
    seed: int = 0  # seed of the bootstrap
    # Splits a sentence into tokens.
    tokenize: Callable[[bytes], Sequence[bytes]] = tokens
    # Returns the stem of a word; None for Porter's stemmer with irregular forms, which
    # keeps short words.
    stemmer: Callable[[bytes], bytes] | None = None
    # Irregular form -> base form, for Porter's stemmer; None for the list of the data
    # folder.
    irregular: Mapping[bytes, bytes] | None = None
    stop_words: frozenset[bytes] | None = None  # None for the list of the data folder
    # Splits a text into sentences; None for the sentences of its input format.
    split: Callable[[bytes], Sequence[bytes]] | None = None
    survey: Survey = survey  # counts common causes of low scores in a text
    # Changes a text as `tokenize` does, for explanations; None for the original's
    # tokens.
    fold: Fold | None = None
    # The names of `tokenize`, of its normalization, and of `split`.
    tokenizer: str = "classic"
    normalize: str = "none"
    sentences: str = "newline"

    @property
    def averages_counts(self) -> bool:
        """True if evals have counts, and only their averages have scores."""
        return self.averaging != MEAN_OF_SCORES


class WordForms:
    """Functions from words to their counted forms in a setup."""

    def __init__(self, setup: Setup, notify: Notify) -> None:
        folder = setup.data_folder
        stop: frozenset[bytes] = frozenset()
        if setup.drop_stop_words:
            if setup.stop_words is None:
                stop = stop_words(folder, notify)
            else:
                stop = setup.stop_words

        needs_stems = setup.stem or setup.stem_models
        uses_irregular_forms = needs_stems and not setup.stemmer
        irregular = setup.irregular
        if irregular is None and folder is not None and uses_irregular_forms:
            irregular = irregular_forms(folder, notify)
        self.stem = setup.stemmer or stemmers.RougeStemmer(irregular)
        shortest = 0 if setup.stemmer else stemmers.SHORTEST_STEMMED

        # From a raw token to its counted form without and with stemming. The form of a
        # stop word is None; the function itself is None if it would change no token.
        self.plain = Normalizer(stop) if stop else None
        self.stemmed = self.plain
        if needs_stems:
            self.stemmed = Normalizer(stop, self.stem, shortest)


class Rounded(Weighted):
    """The original's formulas: R, P and F are rounded to five places, F after R and
    P (QUIRKS 25).
    """

    prediction_note = " (once per reference)"

    def __init__(self, setup: Setup, metric: Metric) -> None:
        super().__init__(setup.alpha, BEST if setup.best_model else SUM)
        self.root = metric.root
        self.written_root = metric.written_root
        self._rounds_rank = metric.rounds_rank
        self.compared = metric.rank_name
        if metric.rounds_rank:
            self.compared += " rounded to five places"

    def share(self, match: float, whole: float) -> float:
        """Return recall or precision; for ROUGE-W raised to the power of 1 / weight."""
        # Of floats: a division changes Perl's numbers, and the original divides no
        # counts that it prints.
        quotient = ratio(float(match), float(whole))
        return five_places(_lcs.power(quotient, 1 / self.root))

    def f(self, recall: float, precision: float) -> float:
        """Return the rounded F."""
        return five_places(super().f(recall, precision))

    def rank(self, counts: Counts) -> float:
        """Return the rank, rounded to five places except for ROUGE-L and ROUGE-W
        (QUIRKS 24).
        """
        return five_places(counts.rank) if self._rounds_rank else counts.rank

    def combine(self, pairs: Sequence[Counts]) -> Scored:
        """Return the counts and the score: of the best model (QUIRKS 23), or of the
        sums of counts.
        """
        if self.several == BEST:
            ranked = [pair for pair in pairs if not isnan(pair.rank)]
            pairs = [pair._replace(rank=self.rank(pair)) for pair in ranked]
        return super().combine(pairs)
