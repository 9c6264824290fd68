"""The module `rouge_score.scoring`, with a seed: scores and their aggregates.

The `mid` of an aggregate is the median of the resampled means, not the mean of the
scores.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from operator import index
from typing import TYPE_CHECKING, Any

from rouge_cli import native
from rouge_cli.core import NamedTuple
from rouge_cli.errors import require

if TYPE_CHECKING:
    from rouge_cli.native import _compiled

LCS_TYPES = ("rougeL", "rougeLsum")

_RESAMPLING = "rouge_score's resampling needs"
_Generator = Any  # numpy's module `random`, or a generator


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
    return (
        _NO_LCS
        if rouge_type in LCS_TYPES and not (reference and prediction)
        else _NO_MATCH
    )


_NO_LCS, _NO_MATCH = Score(0, 0, 0), Score(0.0, 0.0, 0.0)


def fmeasure(precision: float, recall: float) -> float:
    """Return the harmonic mean of precision and recall; 0 if both are 0."""
    return (
        2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0
    )


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
        self._outside = (1 - confidence_interval) / 2
        self._samples = n_samples
        self._seed = seed
        self._scores: dict[str, list[object]] = {}

    def add_scores(self, scores: Mapping[str, object]) -> None:
        """Add the scores of one item: type -> Score, another named tuple of numbers,
        or a number.
        """
        for kind, score in scores.items():
            self._scores.setdefault(kind, []).append(score)

    def aggregate(self) -> dict[str, AggregateScore]:
        """Return the aggregate of each type; all types draw from one stream, in order.

        As in rouge_score each result has the type of the first score that was added,
        and holds numpy's floats.

        Raises:
            TypeError: If that type cannot be called with the numbers, such as a plain
                tuple.
        """
        require(_RESAMPLING, "numpy", extra="stats")
        import numpy as np

        tables = {
            kind: np.array(scores, dtype=float) for kind, scores in self._scores.items()
        }
        # numpy adds a single column in a different order.
        are_rows = all(
            table.ndim == 2 and table.shape[1] > 1 for table in tables.values()
        )
        compiled = native.extension() if are_rows else None
        generator = (
            np.random if self._seed is None else np.random.RandomState(self._seed)
        )
        times = index(self._samples)
        aggregates = {}
        for kind, rows in tables.items():
            if compiled:
                means = _means(
                    compiled, generator, rows.ravel().tolist(), rows.shape[1], times
                )
                samples = np.reshape(means, (-1, rows.shape[1]))
            else:
                size = len(rows)
                samples = np.array(
                    [
                        rows[generator.choice(size, size)].mean(axis=0)
                        for _ in range(times)
                    ]
                )
            ends = np.percentile(
                samples, [100 * self._outside, 50, 100 * (1 - self._outside)], axis=0
            )
            make: Callable[..., object] = type(self._scores[kind][0])
            aggregates[kind] = AggregateScore(
                *(make(*np.atleast_1d(end)) for end in ends)
            )
        return aggregates


def mids_of_f(
    columns: Mapping[str, Sequence[float]], samples: int, seed: int
) -> dict[str, float] | None:
    """Return the F of each aggregate's mid, given all F by type; None without
    compiled draws.
    """
    require(_RESAMPLING, "numpy", extra="stats")
    import numpy as np

    if not (compiled := native.extension()):
        return None
    generator = np.random.RandomState(seed)
    return {
        kind: np.percentile(_means(compiled, generator, column, 1, samples), 50)
        for kind, column in columns.items()
    }


def _means(
    compiled: _compiled.Extension,
    generator: _Generator,
    values: Sequence[float],
    width: int,
    samples: int,
) -> Sequence[float]:
    """Return the means of samples of rows; the generator has the state that numpy's
    draws would leave.
    """
    import numpy as np

    name, key, place, *gauss = generator.get_state()
    words = np.asarray(key, np.uint32).tobytes()
    means, words, place = compiled.resampled_means(values, width, samples, words, place)
    generator.set_state((name, np.frombuffer(words, np.uint32), place, *gauss))
    return means
