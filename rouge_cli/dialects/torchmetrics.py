"""torchmetrics 1.9.0 (`rouge_score`, `ROUGEScore`): Google's rouge_score in single
precision.

Tokens, stemmer and metrics are rouge_score's. With several references, a key uses the
reference with the best F (`accumulate` best), or the mean over the references
(`accumulate` avg). Scores have about seven digits. rougeLsum ignores lines and splits
sentences with nltk's punkt (extra `punkt`).

A drop-in for Python code: import `ROUGEScore` and `rouge_score` from
rouge_cli.dialects.torchmetrics, instead of torchmetrics.text and
torchmetrics.functional.text. If torch is installed, scores are tensors, and
`ROUGEScore` is a Module: a Metric of torchmetrics if that is installed, too. Without
torch, scores are floats.
"""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from math import fsum
from struct import pack, unpack
from typing import Any

from rouge_cli.core import Counts, Score
from rouge_cli.dialects._base import StringRun, of_strings, texts_of
from rouge_cli.dialects.google import rouge_scorer, word_forms
from rouge_cli.metrics import Metric, count_all
from rouge_cli.options import one_of
from rouge_cli.scoring.formula import MEAN, Harmonic
from rouge_cli.tasks.ordering import ordered, refuse_sets
from rouge_cli.text import languages, sentences

LCS, LSUM = "rougeL", "rougeLsum"
LABELS = (*(f"rouge{n}" for n in range(1, 10)), LCS, LSUM)
BEST, AVG = "best", "avg"
STEMMER = "nltk"


class Torchmetrics(StringRun):
    """A run of the dialect."""

    lowers = True
    needs_sentences = False  # lines are ignored
    ascii_only = True

    def set_up(self) -> None:
        """Choose the stemmer and the sentences."""
        stems = one_of(self.options, "stemmer", "none", STEMMER) == STEMMER
        self.scorer = rouge_scorer.RougeScorer((), use_stemmer=stems)
        self._split: Callable[[str], Sequence[str]] = lambda string: [string]
        if LSUM in self.labels:
            self._split = sentences.load_punkt()

    def measure(self, label: str) -> tuple[Metric, Harmonic]:
        """Return the metric and the formulas of a label."""
        accumulate = one_of(self.options, "accumulate", BEST, AVG)
        return rouge_scorer.metric(label), SinglePrecision(accumulate)

    def words(self, string: str) -> Sequence[Sequence[tuple[str, str]]]:
        """Return the tokens of each sentence, without empty sentences.

        The text is one sentence unless rougeLsum is requested.
        """
        return list(filter(None, map(self.scorer.pairs, self._split(string))))


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
Strings = Any  # a string, or lists of strings
Means = dict[str, Any]  # key and measure -> a float; a tensor, if there is torch


class PlainMetric:
    """What ROUGEScore takes from torchmetrics' Metric, without torchmetrics."""

    update: Callable[[Strings, Strings], None]
    compute: Callable[[], Means]

    def __init__(self, **options: object) -> None:
        if options:
            raise TypeError(
                "ROUGEScore() got an unexpected keyword argument"
                f" {next(iter(options))!r}"
            )
        super().__init__()
        self._states: list[str] = []

    def add_state(self, name: str, default: list[float], **_: object) -> None:
        """Collect scores under a name."""
        self._states.append(name)
        setattr(self, name, default)

    def reset(self) -> None:
        """Discard all collected scores."""
        vars(self).update({name: [] for name in self._states})

    def forward(self, preds: Strings, target: Strings) -> Means:
        """Collect the scores of these predictions; return the means of only these
        scores.
        """
        before = {name: getattr(self, name) for name in self._states}
        self.reset()
        try:
            self.update(preds, target)
            return self.compute()
        finally:
            for name in self._states:
                setattr(self, name, [*before[name], *getattr(self, name)])

    __call__ = forward


class CollectedScores:
    """`torchmetrics.text.ROUGEScore`: collects scores and averages them.

    For rougeLsum nltk's punkt splits sentences. Without its data `update` raises
    OSError, as torchmetrics does without a connection.

    Args:
        normalizer: Returns the text to tokenize (default: lower case, with blanks for
            all characters but a-z and 0-9).
        tokenizer: Returns the tokens of the normalized text.
        accumulate: `best` for the target with the highest F, `avg` for the mean over
            targets.
        options: Those of torchmetrics' Metric.
    """

    add_state: Callable[..., None]  # of the other base class, as the next two
    reset: Callable[[], None]
    forward: Callable[[Strings, Strings], Means]
    is_differentiable = False
    higher_is_better = True
    full_state_update = False

    def __init__(
        self,
        use_stemmer: bool = False,  # noqa: FBT001, FBT002 - torchmetrics'
        normalizer: Callable[[str], str] | None = None,
        tokenizer: Callable[[str], Sequence[str]] | None = None,
        accumulate: str = BEST,
        rouge_keys: str | tuple[str, ...] = KEYS,
        **options: object,
    ) -> None:
        super().__init__(**options)
        self.use_stemmer = use_stemmer
        self.normalizer = normalizer
        self.tokenizer = tokenizer
        if isinstance(rouge_keys, str):
            rouge_keys = (rouge_keys,)
        self.rouge_keys = tuple(rouge_keys)
        for key in self.rouge_keys:
            if key not in LABELS:
                raise ValueError(
                    f"Got unknown rouge key {key}. Expected to be one of {list(LABELS)}"
                )
        if accumulate not in (AVG, BEST):
            expected = f"Expected to be one of {AVG, BEST}"
            raise ValueError(f"Got unknown accumulate value {accumulate}. {expected}")
        self.accumulate = accumulate
        self._names = []
        for key in self.rouge_keys:
            self._names += [f"{key}_{measure}" for measure in _MEASURES]
        for name in self._names:
            self.add_state(name, [], dist_reduce_fx=None)

    def update(self, preds: Strings, target: Strings) -> None:
        """Score each prediction against its target or list of targets, and collect the
        scores.

        As in torchmetrics the rest of the longer list is ignored. With `avg` a
        prediction without targets is ignored, too. As in torchmetrics each string in a
        tuple, an array or a Series of targets is read as a list of characters; there is
        a warning.

        Raises:
            ValueError: If an argument is a set.
            IndexError: With `best`, if a prediction has no targets.
        """
        refuse_sets(preds, target)
        for prediction, targets in _pairs_of(preds, target):
            if isinstance(targets, str) and targets:
                warnings.warn(
                    "targets are one string: each of its characters is a target",
                    stacklevel=2,
                )
            targets = ordered(targets)  # noqa: PLW2901 - any container
            if not targets:
                if self.accumulate == AVG:
                    continue
                raise IndexError("a prediction without targets")
            if not (self.normalizer or self.tokenizer):
                for string in (prediction, *targets):
                    languages.check_ascii_words(f"{__name__}.ROUGEScore", string)
            readings = [self._readings(string) for string in (prediction, *targets)]
            whole = texts_of(*[words for words, _ in readings])
            by_sentence = texts_of(*[parts for _, parts in readings])
            for key in self.rouge_keys:
                predicted, *texts = by_sentence if key == LSUM else whole
                (counts,) = count_all([rouge_scorer.metric(key)], texts, predicted)
                _, score = SinglePrecision(self.accumulate).combine(counts)
                for measure, value in zip(_MEASURES, score, strict=True):
                    getattr(self, f"{key}_{measure}").append(self._number(value))

    def compute(self) -> Means:
        """Return the means of all collected scores in single precision, or NaN
        without scores.
        """
        means = {}
        for name in sorted(self._names):
            values = list(map(float, getattr(self, name)))
            mean = math.nan
            if values:
                mean = round_to_single(fsum(values) / len(values))
            means[name] = self._number(mean)
        return means

    def _number(self, value: float) -> object:
        """Return a score as a tensor if there is torch."""
        tensor, _ = _torch()
        if tensor is None:
            return value
        return tensor(value, device=getattr(self, "device", None))

    def _readings(
        self, string: str
    ) -> tuple[Sequence[Sequence[str]], Sequence[Sequence[str]]]:
        """Return the words for all keys but rougeLsum, and those of its sentences (none
        if not requested).

        Raises:
            OSError: If rougeLsum needs punkt, and there is none of nltk's data nor of
                the extra `punkt`.
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
            words = list(map(word_forms.stem, words))
        return [word for word in words if isinstance(word, str) and word]


def _pairs_of(preds: Strings, target: Strings) -> Iterator[tuple[Any, Any]]:
    """Return the predictions, each with its targets; a list of strings has one target
    for each prediction, or all targets of a single prediction.
    """
    are_strings = isinstance(target, list) and all(
        isinstance(string, str) for string in target
    )
    if isinstance(target, str):
        target = [[target]]
    elif are_strings and isinstance(preds, str):
        target = [target]
    elif are_strings:
        target = [[string] for string in target]
    if isinstance(preds, str):
        preds = [preds]
    return zip(preds, target, strict=False)


def rouge_score(  # noqa: PLR0913, PLR0917 - torchmetrics'
    preds: Strings,
    target: Strings,
    accumulate: str = BEST,
    use_stemmer: bool = False,  # noqa: FBT001, FBT002 - torchmetrics'
    normalizer: Callable[[str], str] | None = None,
    tokenizer: Callable[[str], Sequence[str]] | None = None,
    rouge_keys: str | tuple[str, ...] = KEYS,
) -> Means:
    """Return the means that `torchmetrics.functional.text.rouge_score` returns, by
    key and measure.
    """
    metric = _torch()[1](use_stemmer, normalizer, tokenizer, accumulate, rouge_keys)
    return metric.forward(preds, target)


@cache
def _torch() -> tuple[Callable[..., object] | None, type[CollectedScores]]:
    """Return the function that makes a tensor, and the class ROUGEScore for the
    packages that there are.
    """
    tensor: Callable[..., object] | None = None
    others: tuple[type, ...] = (PlainMetric,)
    with suppress(ImportError):
        import torch

        tensor = torch.tensor
        others = (PlainMetric, torch.nn.Module)
        from torchmetrics import Metric

        others = (Metric,)
    names = {"__module__": __name__, "__doc__": CollectedScores.__doc__}
    return tensor, type("ROUGEScore", (CollectedScores, *others), names)


def __getattr__(name: str) -> type[CollectedScores]:
    """Return ROUGEScore; torch is imported at its first use, and not by the command."""
    if name == "ROUGEScore":
        return _torch()[1]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


DEFAULTS = {"metrics": ("rouge1", "rouge2", LCS), "stemmer": "none", "accumulate": BEST}
DIALECT = of_strings("torchmetrics", LABELS, Torchmetrics, DEFAULTS, STEMMER)
