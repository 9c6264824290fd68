"""torchmetrics 1.9.0 (`rouge_score`, `ROUGEScore`): Google's rouge_score in single precision.

Tokens, stemmer and metrics are rouge_score's. With several references, a key uses the reference with the
best F (`accumulate` best), or the mean over the references (`accumulate` avg). Scores have about seven
digits. rougeLsum ignores lines and splits sentences with nltk's punkt (extra `punkt`).

A drop-in for Python code, without torch: import `ROUGEScore` and `rouge_score` from
rouge_cli.dialects.torchmetrics instead of torchmetrics.text and torchmetrics.functional.text. Scores are
floats, not tensors.
"""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import fsum
from struct import pack, unpack
from typing import Any

from rouge_cli.core import Counts, Score
from rouge_cli.dialects._base import StringRun, of_strings, texts_of
from rouge_cli.dialects.google import rouge_scorer, tokenize
from rouge_cli.metrics import Metric
from rouge_cli.options import one_of
from rouge_cli.scoring.formula import MEAN, Harmonic
from rouge_cli.tasks.containers import ordered, refuse_sets
from rouge_cli.text import sentences, survey

LCS, LSUM = "rougeL", "rougeLsum"
LABELS = (*(f"rouge{n}" for n in range(1, 10)), LCS, LSUM)
BEST, AVG = "best", "avg"
STEMMER = "nltk"


class Torchmetrics(StringRun):
    """A run of the dialect."""

    lowers = True
    needs_sentences = False  # lines are ignored
    surveyed = staticmethod(survey.survey)

    def set_up(self) -> None:
        """Choose the stemmer and the sentences."""
        stems = one_of(self.options, "stemmer", "none", STEMMER) == STEMMER
        self._form = rouge_scorer.stem if stems else str
        self._split: Callable[[str], Sequence[str]] = lambda string: [string]
        if LSUM in self.labels:
            self._split = sentences.load_punkt()

    def measure(self, label: str) -> tuple[Metric, Harmonic]:
        """Return the metric and the formulas of a label."""
        return rouge_scorer.metric(label), SinglePrecision(one_of(self.options, "accumulate", BEST, AVG))

    def words(self, string: str) -> Sequence[Sequence[tuple[str, str]]]:
        """Return the tokens of each sentence, without empty sentences.

        The text is one sentence unless rougeLsum is requested.
        """
        words = (tokenize.tokenize(part, None) for part in self._split(string))
        return [[(word, self._form(word)) for word in sentence] for sentence in words if sentence]


class SinglePrecision(Harmonic):
    """R, P and F, computed in double precision and rounded to single."""

    def __init__(self, accumulate: str) -> None:
        super().__init__(MEAN if accumulate == AVG else BEST)

    def score(self, counts: Counts) -> Score:
        """Return R, P and F; only the results are rounded."""
        if not counts.match:
            return Score(0.0, 0.0, 0.0)
        return Score(*map(round_to_single, super().score(counts)))

    def mean(self, figures: Sequence[float]) -> float:
        """Return the mean, with each step rounded to single precision."""
        total = 0.0
        for value in figures:
            total = round_to_single(total + value)
        return round_to_single(total / len(figures))


def round_to_single(value: float) -> float:
    """Return the value in single precision."""
    rounded: float = unpack("f", pack("f", value))[0]
    return rounded


KEYS = ("rouge1", "rouge2", LCS, LSUM)
_MEASURES = ("recall", "precision", "fmeasure")


@dataclass(eq=False)
class ROUGEScore:
    """`torchmetrics.text.ROUGEScore`: collects scores and averages them.

    For rougeLsum nltk's punkt splits sentences. Without its data `update` raises OSError, as torchmetrics
    does without a connection.

    Args:
        normalizer: Returns the text to tokenize (default: lower case, with blanks for all characters but
            a-z and 0-9).
        tokenizer: Returns the tokens of the normalized text.
        accumulate: `best` for the target with the highest F, `avg` for the mean over targets.
    """

    use_stemmer: bool = False
    normalizer: Callable[[str], str] | None = None
    tokenizer: Callable[[str], Sequence[str]] | None = None
    accumulate: str = BEST
    rouge_keys: str | tuple[str, ...] = KEYS

    def __post_init__(self) -> None:
        self.rouge_keys = (self.rouge_keys,) if isinstance(self.rouge_keys, str) else tuple(self.rouge_keys)
        for key in self.rouge_keys:
            if key not in LABELS:
                raise ValueError(f"Got unknown rouge key {key}. Expected to be one of {list(LABELS)}")
        if self.accumulate not in (AVG, BEST):
            expected = f"Expected to be one of {AVG, BEST}"
            raise ValueError(f"Got unknown accumulate value {self.accumulate}. {expected}")
        self.reset()

    def reset(self) -> None:
        """Discard all collected scores."""
        names = [f"{key}_{measure}" for key in self.rouge_keys for measure in _MEASURES]
        self._scores: dict[str, list[float]] = {name: [] for name in names}

    def update(self, preds: Any, target: Any) -> None:  # noqa: ANN401 - a string, or lists of them
        """Score each prediction against its target or list of targets, and collect the scores.

        As in torchmetrics the rest of the longer list is ignored. With `avg` a prediction without targets
        is ignored, too. As in torchmetrics each string in a tuple, an array or a Series of targets is read
        as a list of characters; there is a warning.

        Raises:
            ValueError: If an argument is a set.
            IndexError: With `best`, if a prediction has no targets.
        """
        refuse_sets(preds, target)
        if isinstance(target, list) and all(isinstance(string, str) for string in target):
            target = [target] if isinstance(preds, str) else [[string] for string in target]
        preds = [preds] if isinstance(preds, str) else preds
        target = [[target]] if isinstance(target, str) else target
        for prediction, targets in zip(preds, target, strict=False):
            if isinstance(targets, str) and targets:
                warnings.warn("targets are one string: each of its characters is a target", stacklevel=2)
            targets = ordered(targets)  # noqa: PLW2901 - any container
            if not targets:
                if self.accumulate == AVG:
                    continue
                raise IndexError("a prediction without targets")
            by_use = list(zip(*map(self._readings, (prediction, *targets)), strict=True))
            for key in self.rouge_keys:
                predicted, *texts = texts_of(*by_use[key == LSUM])
                counts = [rouge_scorer.metric(key).count(text, predicted) for text in texts]
                _, score = SinglePrecision(self.accumulate).combine(counts)
                for measure, value in zip(_MEASURES, score, strict=True):
                    self._scores[f"{key}_{measure}"].append(value)

    def compute(self) -> dict[str, float]:
        """Return the means of all collected scores in single precision, or NaN without scores."""
        return {
            name: round_to_single(fsum(values) / len(values)) if values else math.nan
            for name, values in sorted(self._scores.items())
        }

    def forward(self, preds: Any, target: Any) -> dict[str, float]:  # noqa: ANN401 - as above
        """Collect the scores of these predictions; return the means of only these scores."""
        before, self._scores = self._scores, {name: [] for name in self._scores}
        try:
            self.update(preds, target)
            return self.compute()
        finally:
            self._scores = {name: [*before[name], *values] for name, values in self._scores.items()}

    __call__ = forward

    def _readings(self, string: str) -> tuple[Sequence[Sequence[str]], Sequence[Sequence[str]]]:
        """Return the words for all keys but rougeLsum, and those of its sentences (none if not requested).

        Raises:
            OSError: If rougeLsum needs punkt, and there is none of nltk's data nor of the extra `punkt`.
        """
        try:
            parts = sentences.sent_tokenize(string) if LSUM in self.rouge_keys else ()
        except LookupError as missing:
            raise OSError(f"rougeLsum: {missing}, or use other rouge_keys") from None
        return [self._words(string)], list(map(self._words, parts))

    def _words(self, string: str) -> list[str]:
        if callable(self.normalizer):
            string = self.normalizer(string)
        else:
            string = re.sub("[^a-z0-9]+", " ", string.lower())
        words = self.tokenizer(string) if callable(self.tokenizer) else string.split()
        refuse_sets(words)
        if self.use_stemmer:
            words = list(map(rouge_scorer.stem, words))
        return [word for word in words if isinstance(word, str) and word]


def rouge_score(  # noqa: PLR0913, PLR0917 - torchmetrics'
    preds: Any,  # noqa: ANN401 - a string, or a list of strings
    target: Any,  # noqa: ANN401 - a string, or lists of them
    accumulate: str = BEST,
    use_stemmer: bool = False,  # noqa: FBT001, FBT002 - torchmetrics'
    normalizer: Callable[[str], str] | None = None,
    tokenizer: Callable[[str], Sequence[str]] | None = None,
    rouge_keys: str | tuple[str, ...] = KEYS,
) -> dict[str, float]:
    """Return the means that `torchmetrics.functional.text.rouge_score` returns, by key and measure."""
    return ROUGEScore(use_stemmer, normalizer, tokenizer, accumulate, rouge_keys)(preds, target)


DEFAULTS = {"metrics": ("rouge1", "rouge2", LCS), "stemmer": "none", "accumulate": BEST}
DIALECT = of_strings("torchmetrics", LABELS, Torchmetrics, DEFAULTS, STEMMER)
