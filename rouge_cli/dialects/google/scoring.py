"""Scores, and what a set of them comes to: `rouge_score.scoring`, with a seed.

The aggregate's `mid` is the median of the resampled means, not the mean of the scores.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# A matrix of row numbers: one row a sample.
Draws = Any


class Score(NamedTuple):
    """Precision, recall and F of one prediction, each in 0..1."""

    precision: float
    recall: float
    fmeasure: float


class BaseScorer:
    """What scores a prediction against a target."""

    def score(self, target: str, prediction: str) -> dict[str, Score]:
        """Type -> score."""
        raise NotImplementedError


def fmeasure(precision: float, recall: float) -> float:
    """The harmonic mean of precision and recall; 0 where both are."""
    return 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0


class AggregateScore(NamedTuple):
    """Three scores: the interval's lower end, the median of the resampled means, the upper end."""

    low: Any
    mid: Any
    high: Any


class BootstrapAggregator:
    """Collects scores, type by type, and aggregates them by resampling.

    seed: draws what rouge_score draws after `numpy.random.seed(seed)`; None draws from numpy's global
    generator as rouge_score does, so that a script which seeds it gets the same figures.
    Raises ValueError for a confidence interval outside 0..1 or no samples.
    """

    def __init__(
        self, confidence_interval: float = 0.95, n_samples: int = 1000, seed: int | None = None
    ) -> None:
        if confidence_interval < 0 or confidence_interval > 1:
            raise ValueError("confidence_interval must be in range [0, 1]")
        if n_samples <= 0:
            raise ValueError("n_samples must be positive")
        self._outside = (1 - confidence_interval) / 2
        self._samples = n_samples
        self._seed = seed
        self._scores: dict[str, list[Any]] = {}

    def add_scores(self, scores: Mapping[str, Any]) -> None:
        """Add one item's scores, type -> Score (or any tuple of numbers, or a number)."""
        for kind, score in scores.items():
            self._scores.setdefault(kind, []).append(score)

    def aggregate(self) -> dict[str, AggregateScore]:
        """Type -> aggregate; the types draw one after the other from one stream."""
        import numpy as np

        draw = np.random if self._seed is None else np.random.RandomState(self._seed)
        return {kind: self._aggregate(scores, draw, np) for kind, scores in self._scores.items()}

    def _aggregate(self, scores: Sequence[Any], draw: Any, np: Any) -> AggregateScore:  # noqa: ANN401 - numpy's
        rows = np.array(scores, dtype=float)
        size = len(rows)
        means = np.array([rows[draw.choice(size, size)].mean(axis=0) for _ in range(self._samples)])
        ends = np.percentile(means, [100 * self._outside, 50, 100 * (1 - self._outside)], axis=0)
        first = scores[0]
        return AggregateScore(*(_like(first, end.tolist()) for end in ends))


def _like(example: Any, value: Any) -> Any:  # noqa: ANN401 - whatever was added
    """The figures as what was added: a Score, another named tuple, a number."""
    if isinstance(example, tuple):
        make = getattr(type(example), "_make", type(example))
        return make(value)
    return value
