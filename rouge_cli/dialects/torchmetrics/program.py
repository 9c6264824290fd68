"""Texts and scores as in torchmetrics' functional `rouge_score`."""

from __future__ import annotations

import re
from struct import pack, unpack
from typing import TYPE_CHECKING

from rouge_cli.core import Counts, Score, Text
from rouge_cli.metrics.lcs import Lcs
from rouge_cli.metrics.ngram import NGram
from rouge_cli.metrics.sentence_lcs import SentenceLcs
from rouge_cli.options import one_of
from rouge_cli.pairwise.program import Pairwise
from rouge_cli.scoring.formula import MEAN, Harmonic
from rouge_cli.text import porter_nltk
from rouge_cli.text.sentences import load_punkt
from rouge_cli.text.survey import survey

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Sequence

    from rouge_cli.core import Notify
    from rouge_cli.metrics import Metric
    from rouge_cli.options import Options

    Split = Callable[[str], Sequence[str]]

LCS, LSUM = "rougeL", "rougeLsum"
LABELS = (*(f"rouge{n}" for n in range(1, 10)), LCS, LSUM)
BEST, AVG = "best", "avg"
STEMMER = "nltk"


class Torchmetrics(Pairwise[Text]):
    """The dialect for one run."""

    lowers = True

    def __init__(self, options: Options, uses: Counter[str], notify: Notify) -> None:
        self._stems = one_of(options, "stemmer", "none", STEMMER) == STEMMER
        self._formula = SinglePrecision(one_of(options, "accumulate", BEST, AVG))
        super().__init__(options, uses, notify, survey)
        self._split = splitter(self.labels)

    def measure(self, label: str) -> tuple[Metric, Harmonic]:
        """Return the metric and formulas of a label."""
        return make_metric(label), self._formula

    def words(self, string: str) -> Sequence[Sequence[tuple[str, str]]]:
        """Return the tokens of each sentence that has any; all in one unless rougeLsum is requested."""
        return list(filter(None, (tokens(part, stems=self._stems) for part in self._split(string))))


class SinglePrecision(Harmonic):
    """R, P and F, computed in double precision and rounded to single."""

    def __init__(self, accumulate: str) -> None:
        super().__init__(MEAN if accumulate == AVG else BEST)

    def score(self, counts: Counts) -> Score:
        """Return the rounded figures of unrounded R and P."""
        if not counts.match:
            return Score(0.0, 0.0, 0.0)
        return Score(*map(round_to_single, super().score(counts)))

    def mean(self, figures: Sequence[float]) -> float:
        """Return the mean, with each step rounded to single precision."""
        total = 0.0
        for figure in figures:
            total = round_to_single(total + figure)
        return round_to_single(total / len(figures))


def make_metric(label: str) -> Metric:
    """Return the metric of a label."""
    if label in (LCS, LSUM):
        return SentenceLcs() if label == LCS else Lcs()
    return NGram(int(label[-1]))


def splitter(labels: Sequence[str]) -> Split:
    """Return a function that splits a text into sentences: punkt for rougeLsum, else one sentence.

    Raises RougeError if punkt's parameters are not installed.
    """
    return load_punkt() if LSUM in labels else lambda string: [string]


def tokens(string: str, *, stems: bool) -> list[tuple[str, str]]:
    """Return each run of a-z and 0-9 of the lower-cased text, and its counted form."""
    return [
        (token, porter_nltk.stem(token) if stems and len(token) > 3 else token)
        for token in re.findall("[a-z0-9]+", string.lower())
    ]


def round_to_single(value: float) -> float:
    """Return the value in single precision."""
    rounded: float = unpack("f", pack("f", value))[0]
    return rounded
