"""Pearson's, Spearman's and Kendall's (tau-b) coefficients, of many samples at a time.

Metric and human scores are arrays of systems x evals, nan if missing. Coefficients are
those of scipy to the last digit, with sums in the same order. In resampled
coefficients, a system that was drawn twice has weight 2, which gives the same number as
scipy on the expanded sample.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from math import sqrt
from typing import NamedTuple

import numpy as np

from rouge_cli.results.correlation import CorrelationPlan, Points
from rouge_cli.studies import draws
from rouge_cli.studies.draws import Array, Mask
from rouge_cli.twins import twin

Add = Callable[[Array], Array]  # sums of the last axis
CONSTANT = 1e-12  # a smaller relative spread is a rounding error
_CONSTANT = (
    "",
    "constant metric scores",
    "constant human scores",
    "constant metric and human scores",
)
_LEAST = 1e-280  # products of smaller numbers have lost digits
_FEW_POINTS = 500  # whose pairs are compared one by one
_NUMBERS = 1 << 22  # in arrays of systems x systems x evals: 32 MB


class Agreement(NamedTuple):
    """A correlation."""

    value: float  # nan if undefined
    # the number of points; on the summary level, the number of evals with a correlation
    points: int
    # why the value is nan, or what was left out; empty if nothing was left out
    reason: str = ""


def agreement(metric: Array, human: Array, level: str, coefficient: str) -> Agreement:
    """Return the correlation of two arrays of systems x evals, without summaries
    that lack either score.
    """
    metric, human = mask_unpaired(metric, human)
    if level == "summary":
        return _within_evals(metric, human, coefficient)
    if level == "system":
        x, y = means(metric, human)
        return correlation(x, y, coefficient)
    present = ~np.isnan(metric)
    return correlation(metric[present], human[present], coefficient)


def means(metric: Array, human: Array) -> tuple[Array, Array]:
    """Return the systems' means over the evals with both scores, leaving out systems
    without any.
    """
    metric, human = mask_unpaired(metric, human)
    some = ~np.isnan(metric).all(axis=1)
    by_metric = np.nanmean(metric[some], axis=1)
    by_people = np.nanmean(human[some], axis=1)
    return equalize_ties(by_metric), equalize_ties(by_people)


def correlation(x: Array, y: Array, coefficient: str) -> Agreement:
    """Return the correlation of two samples, or the reason why it is undefined."""
    (value,), (reason,) = correlate_rows(x[None], y[None], coefficient)
    return Agreement(float(value), len(x), reason)


def correlate_rows(x: Array, y: Array, coefficient: str) -> tuple[Array, Sequence[str]]:
    """Return the correlation of each row of x and y, and the reasons why some are
    undefined.
    """
    if x.shape[1] < 2:
        return np.full(len(x), np.nan), ["fewer than 2 points"] * len(x)
    functions = {"pearson": _pearson, "spearman": _spearman, "kendall": _kendall}
    with np.errstate(invalid="ignore", divide="ignore"):
        values = np.clip(functions[coefficient](x, y), -1, 1)

    x_is_constant = _are_constant(x)
    y_is_constant = _are_constant(y)
    numbers = (x_is_constant + 2 * y_is_constant).tolist()
    reasons = [_CONSTANT[number] for number in numbers]
    return np.where(x_is_constant | y_is_constant, np.nan, values), reasons


def _are_constant(scores: Array) -> Mask:
    """Return for each row if its scores are equal, apart from rounding errors."""
    constant: Mask = np.ptp(scores, axis=1) <= CONSTANT * np.abs(scores).max(axis=1)
    return constant


def _pearson(x: Array, y: Array) -> Array:
    """Return Pearson's r of each row."""
    x_units = _unit_gaps(x)
    y_units = _unit_gaps(y)
    values: Array = (x_units[:, None, :] @ y_units[:, :, None])[:, 0, 0]
    return values.round() if x.shape[1] == 2 else values


def _unit_gaps(scores: Array) -> Array:
    """Return the differences of each row from its mean, as a vector of length 1."""
    gaps = scores - scores.mean(axis=1, keepdims=True)
    largest = np.abs(gaps).max(axis=1, keepdims=True)
    lengths = largest * np.linalg.norm(gaps / largest, axis=1, keepdims=True)
    units: Array = gaps / lengths
    return units


def _spearman(x: Array, y: Array) -> Array:
    """Return Spearman's rho of each row."""
    # As real parts, by which complex numbers are ordered first.
    rows = np.arange(len(x))[:, None]
    x_ranks = _ranks((rows + 1j * x).ravel()).reshape(x.shape)
    y_ranks = _ranks((rows + 1j * y).ravel()).reshape(y.shape)
    ranks = np.stack([x_ranks, y_ranks], axis=1)
    ranks -= rows[:, None] * x.shape[1]  # exact, unlike the means of larger ranks
    ranks -= ranks.mean(axis=2, keepdims=True)
    covariances = ranks @ ranks.transpose(0, 2, 1) * (1 / (x.shape[1] - 1))
    deviations = np.sqrt(covariances.diagonal(axis1=1, axis2=2))
    values: Array = covariances[:, 1, 0] / deviations[:, 1] / deviations[:, 0]
    return values


def _kendall(x: Array, y: Array) -> Array:
    """Return Kendall's tau-b of each row."""
    if x.shape[1] > _FEW_POINTS:
        return kendall_of_many(x, y)

    first, second = np.triu_indices(x.shape[1], 1)
    sums = []
    for x_row, y_row in zip(x, y, strict=True):
        left = np.sign(x_row[first] - x_row[second])
        right = np.sign(y_row[first] - y_row[second])
        sums.append((left @ right, left @ left, right @ right))
    shared, of_x, of_y = np.array(sums).T
    values: Array = shared / np.sqrt(of_x) / np.sqrt(of_y)
    return values


@twin
def kendall_of_many(x: Array, y: Array) -> Array:
    """Return Kendall's tau-b of each row of many points."""
    from scipy import stats

    values = []
    for x_row, y_row in zip(x, y, strict=True):
        values.append(stats.kendalltau(x_row, y_row).statistic)
    return np.array(values)


def _within_evals(metric: Array, human: Array, coefficient: str) -> Agreement:
    """Return the mean of the correlations within evals; the reason counts evals
    without a correlation.
    """
    present = ~np.isnan(metric.T)
    values = np.empty(len(present))
    reasons = np.empty(len(present), dtype=object)
    for systems in np.unique(present, axis=0):
        evals = (present == systems).all(axis=1)
        x = np.ascontiguousarray(metric.T[evals][:, systems])
        y = np.ascontiguousarray(human.T[evals][:, systems])
        values[evals], reasons[evals] = correlate_rows(x, y, coefficient)

    undefined = np.isnan(values)
    kinds = sorted(Counter(reasons[undefined]).items())
    remarks = ", ".join(
        f"{count} of {len(present)} evals: {reason}" for reason, count in kinds
    )
    points = len(present) - int(undefined.sum())
    value = np.nan
    if points:
        value = float(np.mean(values[~undefined]))
    return Agreement(value, points, remarks)


def interval(
    points: Points, level: str, coefficient: str, plan: CorrelationPlan
) -> tuple[float, float, int]:
    """Return the bootstrap's percentile interval of a correlation, and the number of
    undefined samples.

    The ends are nan if no sample has a correlation. The result generalizes to what is
    resampled (Deutsch, Dror and Roth 2021, section 4).
    """
    metric, human = mask_unpaired(points.x, points.y)
    systems, evals = draws.of_both(
        metric.shape, plan.over, plan.samples, plan.seed, tuple(points.clusters)
    )
    values = BY_LEVEL[level](metric, human, systems, evals, coefficient)
    defined = values[~np.isnan(values)]
    if not len(defined):
        return np.nan, np.nan, plan.samples
    ends = [(100 - plan.confidence) / 2, (100 + plan.confidence) / 2]
    low, high = np.percentile(defined, ends).tolist()
    return low, high, plan.samples - len(defined)


def _system_level(
    metric: Array, human: Array, systems: Array, evals: Array, coefficient: str
) -> Array:
    """Return resampled correlations of the means, without systems that have none of
    the drawn evals.
    """
    present = (~np.isnan(metric)).astype(np.float64)
    sizes = evals @ present.T
    with np.errstate(invalid="ignore"):
        x = np.nan_to_num(evals @ np.nan_to_num(metric).T / sizes)
        y = np.nan_to_num(evals @ np.nan_to_num(human).T / sizes)
    weights = systems * (sizes > 0)
    return correlate_samples(equalize_ties(x), equalize_ties(y), weights, coefficient)


@twin
def summary_level(
    metric: Array, human: Array, systems: Array, evals: Array, coefficient: str
) -> Array:
    """Return resampled means of correlations within evals.

    Args:
        metric: Scores of systems x evals, nan if missing.
        human: The same of people.
        systems: How often each sample has each system: samples x systems.
        evals: The same of evals.
    """
    present = (~np.isnan(metric.T)).astype(np.float64)
    x = np.ascontiguousarray(np.nan_to_num(metric.T))
    y = np.ascontiguousarray(np.nan_to_num(human.T))
    values = np.empty((len(systems), len(x)))  # nan if undefined
    for some in draws.parts(len(x), len(metric) ** 2, _NUMBERS):
        for part in draws.parts(len(systems), x[some].size * len(metric), _NUMBERS):
            drawn = systems[part, None] * present[some]
            values[part, some] = correlate_samples(x[some], y[some], drawn, coefficient)
    with np.errstate(invalid="ignore"):
        weights = np.where(np.isnan(values), 0, evals)
        totals = (weights * np.nan_to_num(values)).sum(axis=1)
        averages: Array = totals / weights.sum(axis=1)
    return averages


@twin
def pooled_level(
    metric: Array, human: Array, systems: Array, evals: Array, coefficient: str
) -> Array:
    """Return resampled correlations of all summaries; `summary_level` has the
    arguments.
    """
    present = ~np.isnan(metric)
    x = metric[present]
    y = human[present]
    rows, columns = np.nonzero(present)
    add = _add_in_order if len(systems) > 1 else _sum
    values = np.empty(len(systems))
    for sample in range(len(systems)):
        weights = systems[sample, rows] * evals[sample, columns]
        if coefficient == "kendall":
            drawn = np.repeat(np.arange(len(x)), weights.astype(np.int64))
            values[sample] = correlation(x[drawn], y[drawn], coefficient).value
        elif coefficient == "spearman":
            x_ranks = _ranks(x, weights)
            y_ranks = _ranks(y, weights)
            values[sample] = _weighted_pearson(x_ranks, y_ranks, weights, add, add)
        else:
            values[sample] = _weighted_pearson(x, y, weights, add)
    return values


def _ranks(scores: Array, weights: Array | None = None) -> Array:
    """Return the ranks of points, each of which occurs once or that often; ties have
    the middle rank.
    """
    _, groups = np.unique(scores, return_inverse=True)
    sizes = np.bincount(groups, weights)
    ranks: Array = (np.cumsum(sizes) - sizes / 2)[groups]
    return ranks


BY_LEVEL: dict[str, Callable[[Array, Array, Array, Array, str], Array]] = {
    "system": _system_level,
    "summary": summary_level,
    "pooled": pooled_level,
}


def correlate_samples(x: Array, y: Array, weights: Array, coefficient: str) -> Array:
    """Return the correlation of each sample of few points; nan if undefined.

    Args:
        x, y: The coordinates of each point: arrays of one shape, whose last axis is the
            points.
        weights: How often each point occurs, in a shape that can be broadcast.
    """
    if coefficient == "pearson":
        return _weighted_pearson(x, y, weights)
    if coefficient == "spearman":
        x_ranks = _weighted_ranks(x, weights)
        y_ranks = _weighted_ranks(y, weights)
        return _weighted_pearson(x_ranks, y_ranks, weights)

    first, second = np.triu_indices(x.shape[-1], 1)
    drawn = weights[..., first] * weights[..., second]
    left = np.sign(x[..., first] - x[..., second])
    right = np.sign(y[..., first] - y[..., second])
    # Concordant minus discordant pairs, and pairs with different x and with different
    # y, for tau-b
    shared = (drawn * (left * right)).sum(axis=-1)
    of_x = (drawn * np.abs(left)).sum(axis=-1)
    of_y = (drawn * np.abs(right)).sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        ratios = shared / np.sqrt(of_x * of_y)
    values: Array = np.clip(np.where((of_x > 0) & (of_y > 0), ratios, np.nan), -1, 1)
    return values


def _weighted_ranks(scores: Array, weights: Array) -> Array:
    """Return the ranks of few points that occur that often; ties have the middle
    rank, and ranks begin with a half.
    """
    signs = np.sign(scores[..., :, None] - scores[..., None, :])
    ranks: Array = ((signs + 1) / 2 @ weights[..., None])[..., 0]
    return ranks


_sum: Add = partial(np.sum, axis=-1)


def _add_in_order(values: Array) -> Array:
    """Return the sums of rows, added number by number; numpy adds halves of rows."""
    sums: Array = np.cumsum(values, axis=-1)[..., -1]
    return sums


def _weighted_pearson(
    x: Array, y: Array, weights: Array, add: Add = _sum, add_products: Add = _sum
) -> Array:
    """Return Pearson's r of points with weights, the last axis; the functions add
    scores and products.
    """
    x_size = CONSTANT * np.abs(x).max(axis=-1, initial=0)
    y_size = CONSTANT * np.abs(y).max(axis=-1, initial=0)
    total = weights.sum(axis=-1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        x = x - add(weights * x)[..., None] / total
        y = y - add(weights * y)[..., None] / total
        shared = add_products(weights * x * y)
        left = add_products(weights * x * x)
        right = add_products(weights * y * y)
        enough = (left > x_size**2) & (right > y_size**2)
        ratios = np.where(enough, shared / np.sqrt(left * right), np.nan)
    # Rounding errors may exceed the limits.
    values: Array = np.clip(ratios, -1, 1)
    return values


def williams(
    first: float, second: float, between: float, points: int
) -> tuple[float, float]:
    """Return t and p (two-sided) of Williams' test for two metrics with the same human
    scores.

    Both are nan for fewer than 4 points and for perfect agreement. The test is from
    Williams (1959, "The comparison of regression variables"), the formula from Steiger
    (1980, equation 7), with n - 3 degrees of freedom. Graham and Baldwin (2014)
    introduced it to the evaluation of metrics.

    Args:
        first, second: The correlations of the metrics with the human scores.
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
    """Make means equal if they differ only by rounding errors, which would change
    ranks.
    """
    size = np.abs(means).max(initial=0)
    if not size > _LEAST:
        return means
    return np.round(means, int(11 - np.ceil(np.log10(size))))
