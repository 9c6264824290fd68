"""Agreement with people on which of two systems, or summaries, is better.

Two accuracies, which shared tasks of translation report beside correlations:

- accuracy: the share of pairs that metric and people order alike. A tie is a verdict,
  too: right if both have one. Scores of a metric that differ by at most an epsilon are
  tied, and the epsilon is that with the highest accuracy (Deutsch, Foster and Freitag
  2023, "Ties matter", acc_eq with tie calibration).
- soft-accuracy: 1 minus the mean difference of two p-values over all pairs of systems:
  that the first is better by the metric, and by people (Thompson, Mathur, Deutsch and
  Khayrallah 2024, "Improving statistical significance in human evaluation of automatic
  metrics via soft pairwise accuracy"). Without significant differences, the order of
  two systems is a coin toss to both, so that a difference hardly counts.

Metric and human scores are arrays of systems x evals, nan if missing.
"""

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from rouge_cli.results.correlation import ACCURACIES, SOFT, Points
from rouge_cli.studies import coefficients
from rouge_cli.studies.coefficients import Agreement
from rouge_cli.studies.draws import Array, number_clusters

# Exchanges of soft accuracy: all if there are no more, else as many random ones
EXCHANGES = 1024
_MOST_POINTS = 3000  # of which all pairs are kept
_EQUAL = 1e-12  # accuracies, and differences of means, that rounding may make differ


def agreement(points: Points, level: str, coefficient: str, seed: int) -> Agreement:
    """Return the correlation or the accuracy of a metric on a level.

    Args:
        seed: The seed of the exchanges of soft accuracy.
    """
    if coefficient not in ACCURACIES:
        return coefficients.agreement(points.x, points.y, level, coefficient)
    if coefficient == SOFT:
        return _soft(points, level, seed)

    metric, human = coefficients.mask_unpaired(points.x, points.y)
    samples = [(x, y) for x, y in _samples(metric, human, level) if len(x) > 1]
    if not samples:
        return Agreement(np.nan, 0, "fewer than 2 points")
    number = len(samples) if level == "summary" else len(samples[0][0])
    if level == "pooled" and number > _MOST_POINTS:
        return Agreement(np.nan, number, f"more than {_MOST_POINTS} summaries")
    value, epsilon = tie_calibrated(samples)
    tied = ""
    if epsilon:
        tied = f"tied: scores that differ by at most {epsilon:.6g}"
    return Agreement(value, number, tied)


def _samples(metric: Array, human: Array, level: str) -> Iterator[tuple[Array, Array]]:
    """Yield the scores that are compared with each other on a level."""
    if level == "system":
        yield coefficients.means(metric, human)
    elif level == "pooled":
        present = ~np.isnan(metric)
        yield metric[present], human[present]
    else:
        for x, y in zip(metric.T, human.T, strict=True):
            present = ~np.isnan(x)
            yield x[present], y[present]


def tie_calibrated(samples: Sequence[tuple[Array, Array]]) -> tuple[float, float]:
    """Return the highest mean accuracy over samples of points, and the least epsilon
    that has it.

    Args:
        samples: Scores of the metric and of people, at least two points in each.
    """
    gaps, gains, base = [], [], 0.0
    for x, y in samples:
        first, second = np.triu_indices(len(x), 1)
        by_metric = x[first] - x[second]
        by_people = np.sign(y[first] - y[second])
        is_tie = by_people == 0
        is_ordered = ~is_tie & (np.sign(by_metric) == by_people)
        weight = 1 / len(first) / len(samples)
        base += weight * is_ordered.sum()
        gaps.append(np.abs(by_metric))
        # What a pair adds once it is a tie
        gains.append(weight * (is_tie.astype(float) - is_ordered))

    gap = coefficients.equalize_ties(np.concatenate(gaps))
    gain = np.concatenate(gains)
    epsilons, groups = np.unique(np.append(gap, 0.0), return_inverse=True)
    accuracies = base + np.cumsum(np.bincount(groups[:-1], gain, len(epsilons)))
    best = int(np.flatnonzero(accuracies >= accuracies.max() - _EQUAL)[0])
    return float(min(accuracies[best], 1.0)), float(epsilons[best])


def _soft(points: Points, level: str, seed: int) -> Agreement:
    """Return the soft accuracy of systems, or why there is none."""
    if level != "system":
        return Agreement(np.nan, 0, "of systems only")
    if points.whole_systems:
        return Agreement(np.nan, len(points.systems), "people judged whole systems")
    metric, human = coefficients.mask_unpaired(points.x, points.y)
    some = ~np.isnan(metric).all(axis=1)
    metric, human = metric[some], human[some]
    if len(metric) < 2:
        return Agreement(np.nan, len(metric), "fewer than 2 points")
    clusters = points.clusters or [str(place) for place in range(metric.shape[1])]
    number, units = number_clusters(clusters)
    signs = exchanges(number, seed)[:, units]
    gaps = np.abs(_chances(metric, signs) - _chances(human, signs))
    return Agreement(float(1 - gaps.mean()), len(metric), "")


def exchanges(units: int, seed: int) -> Array:
    """Return which units two systems exchange in each trial, as signs: trials x units.

    They are all exchanges of few units, else random ones.
    """
    if 2**units <= EXCHANGES:
        return np.array(list(product((1.0, -1.0), repeat=units)))
    random = np.random.default_rng(seed)
    return random.choice([1.0, -1.0], (EXCHANGES, units))


def _chances(scores: Array, signs: Array) -> Array:
    """Return for each pair of systems the one-sided p of a paired permutation test
    that the first is better: how often exchanged scores have a larger difference. An
    equal difference counts half, so that the order of systems does not matter.
    """
    first, second = np.triu_indices(len(scores), 1)
    chances = np.empty(len(first))
    for place, (left, right) in enumerate(zip(first, second, strict=True)):
        gaps = np.nan_to_num(scores[left] - scores[right])
        size = _EQUAL * max(np.abs(gaps).sum(), np.finfo(float).tiny)
        beyond = signs @ gaps - gaps.sum()
        larger = (beyond > size).sum()
        equal = (np.abs(beyond) <= size).sum()
        chances[place] = (larger + equal / 2) / len(signs)
    return chances
