"""Texts and scores as in torchmetrics' functional `rouge_score`."""

from __future__ import annotations

import re
from itertools import chain
from struct import pack, unpack
from typing import TYPE_CHECKING

from rouge_cli.core import Counts, Score, Text
from rouge_cli.metrics.lcs import Lcs
from rouge_cli.metrics.ngram import NGram
from rouge_cli.metrics.sentence_lcs import SentenceLcs
from rouge_cli.options import one_of
from rouge_cli.pairwise.program import Pairwise
from rouge_cli.scoring import formula
from rouge_cli.text import porter_nltk
from rouge_cli.text.sentences import load_punkt
from rouge_cli.text.survey import survey
from rouge_cli.text.vocabulary import Forms

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Mapping, Sequence

    from rouge_cli.core import Notify
    from rouge_cli.metrics._metric import Metric
    from rouge_cli.options import Options
    from rouge_cli.pairwise.program import Scored

    Split = Callable[[str], Sequence[str]]

LCS, LSUM = "rougeL", "rougeLsum"
LABELS = (*(f"rouge{n}" for n in range(1, 10)), LCS, LSUM)
BEST, AVG = "best", "avg"
STEMMER = "nltk"


class Torchmetrics(Pairwise[Text]):
    """The dialect for one run."""

    def __init__(self, options: Options, uses: Counter[str], notify: Notify) -> None:
        super().__init__(options, uses, notify, survey)
        self._stems = one_of(options, "stemmer", "none", STEMMER) == STEMMER
        self._accumulate = one_of(options, "accumulate", BEST, AVG)
        self._metrics: Sequence[Metric] = list(map(make_metric, self.labels))
        self._split = splitter(self.labels)
        self._forms = Forms()

    def prepare(self, string: str) -> Text:
        """Return the tokens of a text, in sentences if rougeLsum is requested."""
        sentences = [
            [self._forms[form.encode()] for _, form in sentence]
            for sentence in tokens_by_sentence(string, self._split, stems=self._stems)
        ]
        return Text(list(chain.from_iterable(sentences)), sentences, forms=self._forms.by_number)

    def is_empty(self, text: Text) -> bool:
        """Return True if the text has no token."""
        return text.empty

    def scores(self, models: Sequence[Text], peer: Text) -> Mapping[str, Scored]:
        """Return, by label, the scores against the model with the best F, or their means."""
        by_label = {}
        for label, metric in zip(self.labels, self._metrics, strict=True):
            by_label[label] = accumulate([metric.count(model, peer) for model in models], self._accumulate)
        return by_label


def accumulate(counts: Sequence[Counts], how: str) -> Scored:
    """Return the score against the model with the highest F, or the mean of the scores."""
    scores = list(map(score_counts, counts))
    if how == BEST or len(scores) == 1:
        return max(zip(counts, scores, strict=True), key=lambda pair: pair[1].f)
    return formula.average(counts), Score(*map(single_mean, zip(*scores, strict=True)))


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


def tokens_by_sentence(string: str, split: Split, *, stems: bool) -> list[list[tuple[str, str]]]:
    """Return the tokens, as `tokens` does, of each sentence that has any."""
    return list(filter(None, (tokens(sentence, stems=stems) for sentence in split(string))))


def tokens(string: str, *, stems: bool) -> list[tuple[str, str]]:
    """Return each run of a-z and 0-9 of the lower-cased text, and its counted form."""
    return [
        (token, porter_nltk.stem(token) if stems and len(token) > 3 else token)
        for token in re.findall("[a-z0-9]+", string.lower())
    ]


def score_counts(counts: Counts) -> Score:
    """Return R, P and F, computed in double precision and rounded to single."""
    if not counts.match:
        return Score(0.0, 0.0, 0.0)
    recall, precision = counts.match / counts.model, counts.match / counts.peer
    f = 2 * precision * recall / (precision + recall)
    return Score(round_to_single(recall), round_to_single(precision), round_to_single(f))


def round_to_single(value: float) -> float:
    """Return the value in single precision."""
    rounded: float = unpack("f", pack("f", value))[0]
    return rounded


def single_mean(figures: Sequence[float]) -> float:
    """Return the mean, with each step rounded to single precision."""
    total = 0.0
    for figure in figures:
        total = round_to_single(total + figure)
    return round_to_single(total / len(figures))
