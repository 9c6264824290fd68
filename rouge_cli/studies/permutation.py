"""Permutation tests of two metrics: do they correlate equally well with the same human scores?

The tests are PERM-BOTH, PERM-SYS and PERM-INPUT of Deutsch, Dror and Roth (2021, "A statistical analysis of
summarization evaluation metrics using resampling methods"), with standardized scores.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rouge_cli.studies.coefficients import (
    CONSTANT,
    correlate_rows,
    correlate_samples,
    equalize_ties,
    mask_unpaired,
    parts,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rouge_cli.results.correlation import SweepPlan
    from rouge_cli.studies.matrix import Array

    # The scores of two metrics and of people, arrays of systems x evals; nan if one of them is missing
    Triple = tuple[Array, Array, Array]


class Swaps(NamedTuple):
    """What is exchanged in each trial: scores of a system and eval of which one is drawn, but not both."""

    systems: NDArray[np.bool_]  # trials x systems
    evals: NDArray[np.bool_]  # trials x evals


@lru_cache(maxsize=1)  # all pairs of metrics share them
def swaps(shape: tuple[int, ...], over: str, trials: int, seed: int) -> Swaps:
    """Return the draws of all trials; the first trial exchanges nothing."""
    random = np.random.default_rng(seed)
    systems, evals = (random.random((trials + 1, size)) > 0.5 for size in shape)
    systems &= over != "evals"
    evals &= over != "systems"
    systems[0] = evals[0] = False
    return Swaps(systems, evals)


def p_value(scores: Triple, level: str, plan: SweepPlan) -> float:
    """Return the two-sided p-value of two metrics."""
    drawn = swaps(scores[0].shape, plan.permute, plan.trials, plan.seed)
    found = differences(scores, level, plan.coefficient, drawn)
    return float(((np.abs(found[1:]) >= abs(found[0]) - CONSTANT).sum() + 1) / len(found))


def differences(scores: Triple, level: str, coefficient: str, drawn: Swaps) -> Array:
    """Return the first metric's correlation minus the second's, in each trial."""
    x, y, human = mask_unpaired(*scores)
    x, y = ((metric - np.nanmean(metric)) / np.nanstd(metric) for metric in (x, y))
    return {"system": _of_means, "summary": _in_evals, "pooled": _of_summaries}[level](
        (x, y, human), coefficient, drawn
    )


def _of_means(scores: Triple, coefficient: str, drawn: Swaps) -> Array:
    x, y, human = (metric[~np.isnan(metric).all(axis=1)] for metric in scores)
    systems = drawn.systems[:, ~np.isnan(scores[0]).all(axis=1)]
    gaps, sizes = np.nan_to_num(y - x), (~np.isnan(x)).sum(axis=1)
    moved = drawn.evals.astype(np.float64) @ gaps.T  # what the evals that are drawn add to the sums of x
    moved = np.where(systems, gaps.sum(axis=1) - moved, moved)
    people = np.broadcast_to(equalize_ties(np.nanmean(human, axis=1)), moved.shape)
    sums = np.nansum(x, axis=1) + moved, np.nansum(y, axis=1) - moved
    once = np.ones(len(x))
    first, second = (
        correlate_samples(equalize_ties(each / sizes), people, once, coefficient) for each in sums
    )
    return first - second


def _in_evals(scores: Triple, coefficient: str, drawn: Swaps) -> Array:
    present = (~np.isnan(scores[0].T)).astype(np.float64)
    x, y, human = (np.nan_to_num(metric.T) for metric in scores)
    # Correlations within evals depend on the systems that are drawn.
    systems, trials = np.unique(drawn.systems, axis=0, return_inverse=True)
    within = np.empty((2, len(systems), len(x)))
    for part in parts(len(systems), x.size):
        people = np.broadcast_to(human, (len(systems[part]), *human.shape))
        for found, pair in zip(within, ((y, x), (x, y)), strict=True):
            metric = np.where(systems[part, None, :], *pair)
            found[part] = correlate_samples(metric, people, present, coefficient)
    first, second = within[:, trials.reshape(-1)]
    # If an eval is drawn, the correlations within it are exchanged.
    pairs = (np.where(drawn.evals, second, first), np.where(drawn.evals, first, second))
    with np.errstate(invalid="ignore"):  # no eval has a correlation
        means: list[Array] = [np.nansum(pair, axis=1) / (~np.isnan(pair)).sum(axis=1) for pair in pairs]
    return means[0] - means[1]


def _of_summaries(scores: Triple, coefficient: str, drawn: Swaps) -> Array:
    rows, columns = np.nonzero(~np.isnan(scores[0]))
    x, y, human = (metric[rows, columns] for metric in scores)
    found = np.empty(len(drawn.systems))
    for part in parts(len(found), len(x)):
        is_exchanged = drawn.systems[part][:, rows] ^ drawn.evals[part][:, columns]
        people = np.ascontiguousarray(np.broadcast_to(human, is_exchanged.shape))
        exchanged = (np.where(is_exchanged, *pair) for pair in ((y, x), (x, y)))
        (first, _), (second, _) = (correlate_rows(metric, people, coefficient) for metric in exchanged)
        found[part] = first - second
    return found
