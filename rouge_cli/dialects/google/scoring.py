"""The module `rouge_score.scoring`, with a seed: scores and their aggregates.

The `mid` of an aggregate is the median of the resampled means, not the mean of the
scores.
"""

from __future__ import annotations

import collections
from abc import ABC, abstractmethod
from builtins import range  # noqa: A004, UP029 - a name that programs can replace
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from operator import index
from types import ModuleType
from typing import Any, NamedTuple

from rouge_cli.dialects.google.patches import REPLACED, library, watch
from rouge_cli.dialects.google.tokenize import six
from rouge_cli.errors import require
from rouge_cli.twins import twin

LCS_TYPES = ("rougeL", "rougeLsum")

_RESAMPLING = "rouge_score's resampling needs"
_Generator = Any  # numpy's module `random`, or a generator
_Array = Any  # numpy's
_Numpy = Any  # the module


class Score(NamedTuple):
    """Precision, recall and F of one prediction, each in 0..1."""

    precision: float
    recall: float
    fmeasure: float


class BaseScorer(ABC):
    """The interface of scorers."""

    @abstractmethod
    def score(self, target: str, prediction: str) -> dict[str, Score]:
        """Return the score of the prediction against the target for each type."""
        raise NotImplementedError


def make_score(
    rouge_type: str, reference: float, prediction: float, match: float = 0
) -> Score:
    """Return precision, recall and F, not rounded; 0 / 0 counts as 0.

    For an empty text rougeL and rougeLsum return the integer 0, as rouge_score does.
    """
    if match:
        precision, recall = match / prediction, match / reference
        return Score(precision, recall, 2 * precision * recall / (precision + recall))
    is_empty = not (reference and prediction)
    return _NO_LCS if is_empty and rouge_type in LCS_TYPES else _NO_MATCH


_NO_LCS, _NO_MATCH = Score(0, 0, 0), Score(0.0, 0.0, 0.0)


def fmeasure(precision: float, recall: float) -> float:
    """Return the harmonic mean of precision and recall; 0 if both are 0."""
    if precision + recall > 0:
        return 2 * precision * recall / (precision + recall)
    return 0.0


class AggregateScore(NamedTuple):
    """An aggregate: the lower end of the interval, the median of the resampled
    means, the upper end.
    """

    low: Any
    mid: Any
    high: Any


class BootstrapAggregator:
    """Collects scores, type by type, and aggregates them by resampling.

    Args:
        seed: Draws as rouge_score does after `numpy.random.seed(seed)`. None draws from
            numpy's global generator, as rouge_score does: a script that seeds the
            generator gets the same numbers.

    Raises:
        ValueError: If the confidence interval is outside 0..1, or if there are no
            samples.
    """

    def __init__(
        self,
        confidence_interval: float = 0.95,
        n_samples: int = 1000,
        seed: int | None = None,
    ) -> None:
        if confidence_interval < 0 or confidence_interval > 1:
            raise ValueError("confidence_interval must be in range [0, 1]")
        if n_samples <= 0:
            raise ValueError("n_samples must be positive")
        self._n_samples = n_samples
        self._confidence_interval = confidence_interval
        self._seed = seed
        self._scores: dict[str, list[object]] = collections.defaultdict(list)

    # rouge_score's pickles have neither. The generator is that of the seed.
    _seed: int | None = None
    _generator: _Generator | None = None

    def add_scores(self, scores: Mapping[str, object]) -> None:
        """Add the scores of one item: type -> Score, another named tuple of numbers,
        or a number.
        """
        for kind, score in scores.items():
            self._scores[kind].append(score)

    def aggregate(self) -> dict[str, AggregateScore]:
        """Return the aggregate of each type; all types draw from one stream, in order.

        As in rouge_score each result has the type of the first score that was added,
        and holds numpy's floats.

        Raises:
            TypeError: If that type cannot be called with the numbers, such as a plain
                tuple.
        """
        require(_RESAMPLING, "numpy", extra="stats")
        np = _numpy()
        if self._seed is not None:
            self._generator = np.random.RandomState(self._seed)
        aggregates = {}
        for kind, scores in six.iteritems(self._scores):
            table = np.vstack(tuple(scores)) if REPLACED else _table(scores)
            ends = self._bootstrap_resample(table)
            make: Callable[..., object] = type(scores[0])
            low, mid, high = (make(*ends[place]) for place in range(3))
            aggregates[kind] = AggregateScore(low, mid, high)
        return aggregates

    def _bootstrap_resample(self, matrix: _Array) -> _Array:
        """Return the lower end, the median and the upper end of the means of samples
        of rows, for each column.
        """
        np = _numpy()
        outside = (1 - self._confidence_interval) / 2
        levels = [100 * outside, 50, 100 * (1 - outside)]
        times = index(self._n_samples)
        generator = np.random if self._generator is None else self._generator
        # What a program has replaced is looked up again for each sample.
        draw = sample_means.readable if REPLACED else sample_means
        samples = draw(generator, matrix, times, np)
        ends: _Array = np.percentile(samples, levels, axis=0)
        return ends


def _table(scores: Sequence[object]) -> _Array:
    """Return what numpy's `vstack` returns, in a third of its time."""
    table: _Array = _numpy().array(scores)
    return table.reshape(len(scores), -1)


def _numpy() -> Any:  # noqa: ANN401 - a module
    """Return numpy, or what a program put into its place."""
    return library(__name__, "np", "numpy")


@twin
def sample_means(
    generator: _Generator, matrix: _Array, times: int, np: _Numpy
) -> _Array:
    """Return the means of `times` samples of rows, for each column.

    Args:
        generator: What draws; it has the state afterwards that its draws leave.
        matrix: A number in each row and column.
        np: The module numpy, or what a program put into its place.
    """
    size, _ = matrix.shape
    samples = []
    for _ in range(times):
        rows = matrix[generator.choice(np.arange(size), size=size)]
        samples.append(np.mean(rows, axis=0))
    return np.array(samples)


def mids_of_f(
    columns: Mapping[str, Sequence[float]], samples: int, seed: int
) -> dict[str, float]:
    """Return the F of each aggregate's mid, given all F by type."""
    require(_RESAMPLING, "numpy", extra="stats")
    import numpy as np

    generator = np.random.RandomState(seed)
    mids: dict[str, float] = {}
    for kind, column in columns.items():
        # Two columns, since numpy adds up a single one in another order.
        matrix = np.column_stack([column, column]).astype(float)
        means = sample_means(generator, matrix, samples, np)
        mids[kind] = np.percentile(means[:, 0], 50)
    return mids


def __getattr__(name: str) -> ModuleType:
    """Import numpy at its first use, which programs replace under this name."""
    if name == "np":
        return import_module("numpy")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


watch(
    __name__,
    *("AggregateScore", "Score", "collections", "fmeasure", "np", "range", "six"),
)
