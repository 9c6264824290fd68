"""Pearson's, Spearman's and Kendall's (tau-b) coefficients, of many samples at a time.

Metric and human scores are arrays of systems x evals, nan if missing. Coefficients are those of scipy to
the last digit, with sums in the same order. In resampled coefficients, a system that was drawn twice has
weight 2, which gives the same number as scipy on the expanded sample.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rouge_cli import native
from rouge_cli.studies import draws

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from rouge_cli.results.correlation import CorrelationPlan, Points
    from rouge_cli.studies.draws import Array, Places

CONSTANT = 1e-12  # a smaller relative spread is a rounding error
_LEAST = 1e-280  # products of smaller numbers have lost digits
_FEW_SCORES = 64  # different scores by people, as of a scale
_FEW_POINTS = 500  # whose pairs are compared one by one
_NUMBERS = 1 << 22  # in arrays of systems x systems x evals: 32 MB
_CACHED = 1 << 17  # numbers in arrays of samples x points: 1 MB, which fit into the processor's cache


class Agreement(NamedTuple):
    """A correlation."""

    value: float  # nan if undefined
    points: int  # the number of points; on the summary level, the number of evals with a correlation
    reason: str = ""  # why the value is nan, or what was left out; empty if nothing was left out


def agreement(metric: Array, human: Array, level: str, coefficient: str) -> Agreement:
    """Return the correlation of two arrays of systems x evals, without summaries that lack either score."""
    metric, human = mask_unpaired(metric, human)
    if level == "summary":
        return _within_evals(metric, human, coefficient)
    if level == "system":
        return correlation(*means(metric, human), coefficient)
    present = ~np.isnan(metric)
    return correlation(metric[present], human[present], coefficient)


def means(metric: Array, human: Array) -> tuple[Array, Array]:
    """Return the systems' means over the evals with both scores, leaving out systems without any."""
    metric, human = mask_unpaired(metric, human)
    some = ~np.isnan(metric).all(axis=1)
    return equalize_ties(np.nanmean(metric[some], axis=1)), equalize_ties(np.nanmean(human[some], axis=1))


def correlation(x: Array, y: Array, coefficient: str) -> Agreement:
    """Return the correlation of two samples, or the reason why it is undefined."""
    (value,), (reason,) = correlate_rows(x[None], y[None], coefficient)
    return Agreement(float(value), len(x), reason)


_CONSTANT = ("", "constant metric scores", "constant human scores", "constant metric and human scores")


def correlate_rows(x: Array, y: Array, coefficient: str) -> tuple[Array, Sequence[str]]:
    """Return the correlation of each row of x and y, and the reasons why some are undefined."""
    if x.shape[1] < 2:
        return np.full(len(x), np.nan), ["fewer than 2 points"] * len(x)
    function = {"pearson": _pearson, "spearman": _spearman, "kendall": _kendall}[coefficient]
    constant = [np.ptp(scores, axis=1) <= CONSTANT * np.abs(scores).max(axis=1) for scores in (x, y)]
    reasons = [_CONSTANT[number] for number in (constant[0] + 2 * constant[1]).tolist()]
    with np.errstate(invalid="ignore", divide="ignore"):
        values = np.clip(function(x, y), -1, 1)
    return np.where(constant[0] | constant[1], np.nan, values), reasons


def _pearson(x: Array, y: Array) -> Array:
    units = []
    for scores in (x, y):
        gaps = scores - scores.mean(axis=1, keepdims=True)
        largest = np.abs(gaps).max(axis=1, keepdims=True)
        units.append(gaps / (largest * np.linalg.norm(gaps / largest, axis=1, keepdims=True)))
    values: Array = (units[0][:, None, :] @ units[1][:, :, None])[:, 0, 0]
    return values.round() if x.shape[1] == 2 else values


def _spearman(x: Array, y: Array) -> Array:
    ranks = np.stack([_rank_rows(x), _rank_rows(y)], axis=1)
    ranks -= ranks.mean(axis=2, keepdims=True)
    covariances = ranks @ ranks.transpose(0, 2, 1) * (1 / (x.shape[1] - 1))
    deviations = np.sqrt(covariances.diagonal(axis1=1, axis2=2))
    values: Array = covariances[:, 1, 0] / deviations[:, 1] / deviations[:, 0]
    return values


def _kendall(x: Array, y: Array) -> Array:
    if x.shape[1] <= _FEW_POINTS:
        first, second = np.triu_indices(x.shape[1], 1)
        signs = ([np.sign(row[first] - row[second]) for row in pair] for pair in zip(x, y, strict=True))
        pairs = np.array([(left @ right, left @ left, right @ right) for left, right in signs])
        values: Array = pairs[:, 0] / np.sqrt(pairs[:, 1]) / np.sqrt(pairs[:, 2])
        return values
    if len(np.unique(y)) <= _FEW_SCORES:
        return np.concatenate(
            [_tau_counter(*pair)(np.ones((x.shape[1], 1))) for pair in zip(x, y, strict=True)]
        )
    from scipy import stats

    return np.array([stats.kendalltau(*pair).statistic for pair in zip(x, y, strict=True)])


def _rank_rows(rows: Array) -> Array:
    """Return the rank of each number in its row, up to a constant; ties have the middle rank."""
    pairs = zip(rows, np.sort(rows, axis=1), strict=True)
    return np.array([np.searchsorted(s, row) + np.searchsorted(s, row, "right") for row, s in pairs]) / 2


def _within_evals(metric: Array, human: Array, coefficient: str) -> Agreement:
    """Return the mean of the correlations within evals; the reason counts evals without a correlation."""
    present = ~np.isnan(metric.T)
    values, reasons = np.empty(len(present)), np.empty(len(present), dtype=object)
    for systems in np.unique(present, axis=0):
        evals = (present == systems).all(axis=1)
        x, y = (np.ascontiguousarray(scores.T[evals][:, systems]) for scores in (metric, human))
        values[evals], reasons[evals] = correlate_rows(x, y, coefficient)
    undefined = np.isnan(values)
    kinds = sorted(Counter(reasons[undefined]).items())
    remarks = ", ".join(f"{count} of {len(present)} evals: {reason}" for reason, count in kinds)
    points = len(present) - int(undefined.sum())
    return Agreement(float(np.mean(values[~undefined])) if points else np.nan, points, remarks)


def interval(
    points: Points, level: str, coefficient: str, plan: CorrelationPlan
) -> tuple[float, float, int]:
    """Return the bootstrap's percentile interval of a correlation, and the number of undefined samples.

    The ends are nan if no sample has a correlation. The result generalizes to what is resampled (Deutsch,
    Dror and Roth 2021, section 4).
    """
    metric, human = mask_unpaired(points.x, points.y)
    drawn = draws.of_both(metric.shape, plan.over, plan.samples, plan.seed, tuple(points.clusters))
    values = BY_LEVEL[level](metric, human, *drawn, coefficient)
    defined = values[~np.isnan(values)]
    if not len(defined):
        return np.nan, np.nan, plan.samples
    ends = [(100 - plan.confidence) / 2, (100 + plan.confidence) / 2]
    low, high = np.percentile(defined, ends).tolist()
    return low, high, plan.samples - len(defined)


def _system_level(metric: Array, human: Array, systems: Array, evals: Array, coefficient: str) -> Array:
    """Return resampled correlations of the means, without systems that have none of the drawn evals."""
    present = (~np.isnan(metric)).astype(np.float64)
    sizes = evals @ present.T
    with np.errstate(invalid="ignore"):
        x, y = (np.nan_to_num(evals @ np.nan_to_num(scores).T / sizes) for scores in (metric, human))
    return correlate_samples(equalize_ties(x), equalize_ties(y), systems * (sizes > 0), coefficient)


def _summary_level(metric: Array, human: Array, systems: Array, evals: Array, coefficient: str) -> Array:
    """Return resampled means of correlations within evals."""
    chunks = parts(metric.shape[1], len(metric) ** 2, _NUMBERS)
    values = np.hstack([_in_evals(metric[:, p], human[:, p], systems, coefficient) for p in chunks])
    with np.errstate(invalid="ignore"):
        weights = np.where(np.isnan(values), 0, evals)
        averages: Array = (weights * np.nan_to_num(values)).sum(axis=1) / weights.sum(axis=1)
    return averages


def _in_evals(metric: Array, human: Array, systems: Array, coefficient: str) -> Array:
    """Return the correlations within evals: samples x evals, nan if undefined."""
    present = ~np.isnan(metric)
    x, y = np.nan_to_num(metric), np.nan_to_num(human)
    values = np.empty((len(systems), x.shape[1]))
    if coefficient != "kendall" and (compiled := native.extension()):
        compiled.correlate_within_evals(coefficient, x, y, present.astype(np.float64), systems, values)
        return values
    if coefficient == "kendall":
        first, second = np.triu_indices(len(x), 1)
        both, drawn = present[first] & present[second], systems[:, first] * systems[:, second]
        left, right = (np.sign(scores[first] - scores[second]) * both for scores in (x, y))
        return _tau(*(drawn @ pairs for pairs in (left * right, np.abs(left), np.abs(right))))
    # How often the second system's score is lower, for ranks: systems x systems x evals
    lower = [(np.sign(scores[:, None] - scores) + 1) / 2 * present for scores in (x, y)]
    for part in parts(len(systems), metric.size):
        # In memory, systems come first: sums over systems are sums of long rows.
        weights = systems[part].T[:, :, None] * (1 if present.all() else present[:, None, :])
        pair = [scores[:, None, :] for scores in (x, y)]
        pair = [systems[part] @ times for times in lower] if coefficient == "spearman" else pair
        points = (np.moveaxis(scores, 0, -1) for scores in (*pair, weights))
        values[part] = _weighted_pearson(sum_rows, *points)
    return values


def _pooled_level(metric: Array, human: Array, systems: Array, evals: Array, coefficient: str) -> Array:
    """Return resampled correlations of all summaries.

    For Kendall's tau there are too many pairs to compare at once. If people use few different scores, pairs
    are counted by score; else scipy computes it sample by sample.
    """
    present = ~np.isnan(metric)
    x, y = metric[present], human[present]
    is_counted = coefficient != "kendall" or len(np.unique(y)) <= _FEW_SCORES
    if is_counted and len(systems) > 1 and (compiled := native.extension()):
        found = np.empty(len(systems))
        compiled.correlate_pooled(coefficient, metric, human, systems, np.ascontiguousarray(evals), found)
        return found
    rows, columns = np.nonzero(present)
    # In memory, points come first: gathered weights and sums over points are long rows.
    times = (systems[part].T[rows] * evals[part].T[columns] for part in parts(len(systems), max(len(x), 1)))
    values: Iterable[Array]
    if coefficient == "pearson":
        values = (_weighted_pearson(_sum, x, y, weights.T) for weights in times)
    elif coefficient == "spearman":
        rank_x, rank_y = _ranker(x), _ranker(y)
        values = (
            _weighted_pearson(_sum, rank_x(weights).T, rank_y(weights).T, weights.T) for weights in times
        )
    elif is_counted:
        values = map(_tau_counter(x, y), times)
    else:
        samples = (np.repeat(np.arange(len(x)), row) for part in times for row in part.T.astype(np.int64))
        values = [np.array([correlation(x[drawn], y[drawn], coefficient).value for drawn in samples])]
    return np.concatenate(list(values))


BY_LEVEL = {"system": _system_level, "summary": _summary_level, "pooled": _pooled_level}


def correlate_samples(x: Array, y: Array, weights: Array, coefficient: str) -> Array:
    """Return the correlation of each sample of few points; nan if undefined.

    Args:
        x: The first coordinate of each point: an array whose last axis is the points.
        y: The second coordinate, in the same shape.
        weights: How often each point occurs, in a shape that can be broadcast.
    """
    if coefficient == "pearson":
        return _weighted_pearson(_sum, x, y, weights)
    if coefficient == "spearman":
        signs = (np.sign(scores[..., :, None] - scores[..., None, :]) for scores in (x, y))
        x, y = (((sign + 1) / 2 @ weights[..., None])[..., 0] for sign in signs)
        return _weighted_pearson(_sum, x, y, weights)
    first, second = np.triu_indices(x.shape[-1], 1)
    drawn = weights[..., first] * weights[..., second]
    left, right = (np.sign(scores[..., first] - scores[..., second]) for scores in (x, y))
    pairs = (left * right, np.abs(left), np.abs(right))
    return _tau(*((drawn * counted).sum(axis=-1) for counted in pairs))


def _weighted_pearson(add: Callable[[Array], Array], x: Array, y: Array, weights: Array) -> Array:
    sizes = [CONSTANT * np.abs(scores).max(axis=-1, initial=0) for scores in (x, y)]
    total = weights.sum(axis=-1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        x = x - add(weights * x)[..., None] / total
        y = y - add(weights * y)[..., None] / total
        of_x, of_y = weights * x, weights * y
        shared, left, right = add(of_x * y), add(of_x * x), add(of_y * y)
        enough = (left > sizes[0] ** 2) & (right > sizes[1] ** 2)
        values: Array = np.clip(np.where(enough, shared / np.sqrt(left * right), np.nan), -1, 1)
    return values  # clipped, since rounding errors may exceed the limits


def _sum(values: Array) -> Array:
    sums: Array = values.sum(axis=-1)
    return sums


def sum_rows(values: Array) -> Array:
    """Return the sums over the last axis, which is the first in memory, with additions in numpy's order."""
    rows, size = np.moveaxis(values, -1, 0), values.shape[-1]
    if size < 8:
        return _sum(values)
    if size > 128:
        half = size // 2 - size // 2 % 8
        return sum_rows(values[..., :half]) + sum_rows(values[..., half:])
    sums, whole = rows[:8], size - size % 8
    for start in range(8, whole, 8):
        sums = sums + rows[start : start + 8]
    while len(sums) > 1:
        sums = sums[::2] + sums[1::2]
    total: Array = sums[0]
    for row in rows[whole:]:
        total = total + row
    return total


def _tau(shared: Array, left: Array, right: Array) -> Array:
    """Return tau-b: concordant minus discordant pairs by those with different x and with different y."""
    with np.errstate(invalid="ignore", divide="ignore"):
        ratios = shared / np.sqrt(left * right)
    values: Array = np.clip(np.where((left > 0) & (right > 0), ratios, np.nan), -1, 1)
    return values


def _ranker(scores: Array) -> Callable[[Array], Array]:
    """Return a function from weights (points x samples) to ranks; ties have the middle rank."""
    order = np.argsort(scores, kind="stable")
    is_first = np.diff(scores[order], prepend=np.nan) != 0  # of each group of ties
    first, groups = np.flatnonzero(is_first), np.empty(len(scores), dtype=np.intp)
    groups[order] = np.cumsum(is_first) - 1

    def ranks(weights: Array) -> Array:
        sizes = _sum_groups(weights[order], first)
        return (np.cumsum(sizes, axis=0) - sizes / 2)[groups]

    return ranks


def _sum_groups(rows: Array, first: Places) -> Array:
    """Return the sums of groups of rows, given the index of the first row of each group."""
    sums: Array = rows if len(first) == len(rows) else np.add.reduceat(rows, first, axis=0)
    return sums


def _tau_counter(x: Array, y: Array) -> Callable[[Array], Array]:
    """Return a function from weights (points x samples) to Kendall's tau-b; y has few different values.

    For each value of y, pairs with points of higher values are concordant if the other point has a higher
    x, too, and discordant if it has a lower x.
    """
    values, levels = np.unique(y, return_inverse=True)
    steps = []
    for level in range(len(values)):
        lower, higher = np.flatnonzero(levels == level), np.flatnonzero(levels > level)
        lower = lower[np.argsort(x[lower])]
        below, up_to = (np.searchsorted(x[lower], x[higher], side) for side in ("left", "right"))
        steps.append((lower, higher, below, up_to))
    order = np.argsort(x, kind="stable")
    first = np.flatnonzero(np.diff(x[order], prepend=np.nan) != 0)

    def taus(weights: Array) -> Array:
        balance = np.zeros(weights.shape[1])
        for lower, higher, below, up_to in steps:
            sums = np.zeros((len(lower) + 1, weights.shape[1]))
            np.cumsum(weights[lower], axis=0, out=sums[1:])
            balance += (weights[higher] * (sums[below] + sums[up_to] - sums[-1])).sum(axis=0)
        size = weights.sum(axis=0)
        tied_x = _sum_groups(weights[order], first)
        tied_y = np.stack([weights[lower].sum(axis=0) for lower, *_ in steps])
        pairs = size * (size - 1) / 2
        x_differs, y_differs = (pairs - (tied * (tied - 1) / 2).sum(axis=0) for tied in (tied_x, tied_y))
        is_constant = size < 2
        for coordinates, tied in ((x[order][first], tied_x), (values, tied_y)):
            low = coordinates[(tied > 0).argmax(axis=0)]
            high = coordinates[::-1][(tied[::-1] > 0).argmax(axis=0)]
            is_constant |= high - low <= CONSTANT * np.maximum(np.abs(low), np.abs(high))
        with np.errstate(invalid="ignore", divide="ignore"):
            ratios = balance / np.sqrt(x_differs) / np.sqrt(y_differs)
        return np.where(is_constant, np.nan, np.clip(ratios, -1, 1))

    return taus


def parts(total: int, numbers: int, most: int | None = None) -> Iterator[slice]:
    """Yield slices of about the same size of a total of items, each of which has that many numbers."""
    size = max(16, (most or _CACHED) // max(numbers, 1))
    ends = np.linspace(0, total, max(1, -(-total // size)) + 1).astype(int).tolist()
    return (slice(*part) for part in pairwise(ends))


def williams(first: float, second: float, between: float, points: int) -> tuple[float, float]:
    """Return t and p (two-sided) of Williams' test for two metrics with the same human scores.

    Both are nan for fewer than 4 points and for perfect agreement. The test is from Williams (1959, "The
    comparison of regression variables"), the formula from Steiger (1980, equation 7), with n - 3 degrees of
    freedom. Graham and Baldwin (2014) introduced it to the evaluation of metrics.

    Args:
        first: The correlation of one metric with the human scores.
        second: The correlation of the other metric with the human scores.
        between: The correlation of the metrics.
        points: The number of systems.
    """
    from scipy import special

    spread = 1 - first**2 - second**2 - between**2 + 2 * first * second * between
    if points < 4 or not spread > CONSTANT:
        return np.nan, np.nan
    mean = (first + second) / 2
    below = 2 * spread * (points - 1) / (points - 3) + mean**2 * (1 - between) ** 3
    t = (first - second) * sqrt((points - 1) * (1 + between) / below)
    return t, float(2 * special.stdtr(points - 3, -abs(t)))


def mask_unpaired(*scores: Array) -> tuple[Array, ...]:
    """Return the arrays with nan wherever a score of any array is missing."""
    missing = np.isnan(np.stack(scores)).any(axis=0)
    return tuple(np.where(missing, np.nan, array) for array in scores)


def equalize_ties(means: Array) -> Array:
    """Make means equal if they differ only by rounding errors, which would change ranks."""
    size = np.abs(means).max(initial=0)
    if not size > _LEAST:
        return means
    return np.round(means, int(11 - np.ceil(np.log10(size))))
