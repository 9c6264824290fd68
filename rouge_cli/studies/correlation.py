"""Correlation of metrics with human scores, the evidence that justifies a metric.

Lin (2004, section 6) and TAC's AESOP task correlate means of systems. Deutsch, Dror and Roth (2021, "A
statistical analysis of summarization evaluation metrics using resampling methods") add two levels, and they
resample evals, systems or both for intervals:

- system: correlation of the systems' means over evals;
- summary: correlation over the systems of an eval, then the mean over evals;
- pooled: correlation of all summaries as one sample.

Metric and human scores are arrays of systems x evals, nan if missing. scipy computes Pearson's, Spearman's
and Kendall's (tau-b) coefficients. Resampled coefficients are computed here, many at a time: a system that
was drawn twice has weight 2, which gives the same number as scipy on the expanded sample.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import combinations
from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rouge_cli.core import Estimate, Notice, Notify
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.results._tables import list_names
from rouge_cli.results.correlation import (
    ALL_SUMMARIZERS,
    SYSTEMS_ONLY,
    Correlation,
    CorrelationPlan,
    Correlations,
    Points,
    Williams,
)
from rouge_cli.studies.matrix import HUMAN, Scores

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from rouge_cli.studies.matrix import Array
    from rouge_cli.tasks.judgements import Judgements


def correlate(
    matrices: Sequence[Scores], judgements: Sequence[Judgements], plan: CorrelationPlan, notify: Notify
) -> Correlations:
    """Correlate every metric with every human measure, with and without people among the systems.

    Raises:
        RougeError: If no summary has both a metric's score and a human score.
        UsageError: If whole systems were judged, but the system level is not selected.
    """
    if matrices and matrices[0].clusters:
        plan = plan._replace(clusters=len(set(matrices[0].clusters)))
    notices: dict[Notice, None] = {}  # several pairs of measures may give the same warning
    points = [
        group
        for measure in judgements
        for scores in matrices
        for group in _populations(_points(scores, measure, notices.setdefault))
    ]
    points = [group._replace(means=_means_of_systems(group)) for group in points]
    for notice in notices:
        notify(notice)
    if "system" not in plan.levels and any(group.whole_systems for group in points):
        what = f"human scores are of whole systems, but level {plan.levels[0]} needs scores of summaries"
        raise UsageError(what, remedy="use --level system")
    correlations = [row for group in points for row in _correlations(group, plan)]
    tests = [
        _williams(first, second)
        for first, second in combinations(points, 2)
        if (first.human, first.summarizers) == (second.human, second.summarizers)
    ]
    return Correlations(plan, correlations, tests, points)


def _points(scores: Scores, measure: Judgements, notify: Notify) -> Points:
    """Return the metric's and the human scores of the systems that were judged, in the metric's order."""
    judged = {system: _human_name(system, scores, measure) for system in scores.systems}
    names = {system: name for system, name in judged.items() if name is not None}
    _remark(scores, measure, names, notify)
    whole = all(None in by_eval for by_eval in measure.scores.values())
    y = np.full((len(names), len(scores.evals)), np.nan)
    for row, name in zip(y, names.values(), strict=True):
        by_eval = measure.scores[name]
        row[:] = [by_eval.get(None if whole else eval_id, np.nan) for eval_id in scores.evals]
    x = scores.values[[scores.systems.index(system) for system in names]]
    if not (~np.isnan(x) & ~np.isnan(y)).any():
        evals = next(iter(measure.scores.values()))
        scored = f"scores have eval {scores.evals[0]!r} of system {scores.systems[0]!r}"
        by_people = f"people judged eval {next(iter(evals))!r} of system {next(iter(measure.scores))!r}"
        remedy = f"names must be the same: {scored}, {by_people}"
        raise RougeError(f"no summary has both {scores.name} and human {measure.name}", remedy=remedy)
    people = scores.humans & set(names)
    return Points(
        scores.name, measure.name, ALL_SUMMARIZERS, list(names), x, y, people,
        whole_systems=whole, clusters=scores.clusters,
    )  # fmt: skip


def _human_name(system: str, scores: Scores, measure: Judgements) -> str | None:
    """Return the system's name in the human scores, None if it has none.

    A person may be named there without the prefix of people, by the reference's ID.
    """
    bare = system.removeprefix(HUMAN)
    if system in measure.scores:
        return system
    return bare if bare in measure.scores and bare not in scores.systems else None


def _remark(scores: Scores, measure: Judgements, names: dict[str, str], notify: Notify) -> None:
    """Warn about systems and evals with only one of the scores."""
    human, metric = f"no human {measure.name}", f"human {measure.name} without {scores.name}"
    left_out: list[tuple[str, Collection[str | None], Collection[str | None], str]] = [
        ("", scores.systems, names, human),
        ("", measure.scores, names.values(), metric),
    ]
    judged = dict.fromkeys(eval_id for name in names.values() for eval_id in measure.scores[name])
    if None not in judged and not judged.keys().isdisjoint(scores.evals):
        left_out += [("eval ", scores.evals, judged, human), ("eval ", judged, scores.evals, metric)]
    for prefix, candidates, present, lacking in left_out:
        missing = [f"{prefix}{name}" for name in candidates if name not in present]
        if missing:
            notify(Notice(f"left out ({lacking}): {list_names(missing)}"))


def _populations(points: Points) -> Iterator[Points]:
    """Yield all points; if there are people, then the points without them."""
    yield points
    if points.humans:
        keep = [place for place, system in enumerate(points.systems) if system not in points.humans]
        systems, x, y = [points.systems[place] for place in keep], points.x[keep], points.y[keep]
        yield points._replace(summarizers=SYSTEMS_ONLY, systems=systems, x=x, y=y, humans=frozenset())


def _correlations(points: Points, plan: CorrelationPlan) -> Iterator[Correlation]:
    for level in plan.levels:
        if points.whole_systems and level != "system":
            continue
        for coefficient in plan.coefficients:
            result = agreement(points.x, points.y, level, coefficient)
            low, high, undefined = np.nan, np.nan, 0
            if plan.samples and not np.isnan(result.value):
                low, high, undefined = interval(points, level, coefficient, plan)
            ends = (None, None) if np.isnan(low) else (low, high)
            value = Estimate(result.value, *ends)
            names = *points[:3], level, coefficient
            yield Correlation(*names, value, result.points, undefined, result.reason)


def _means_of_systems(points: Points) -> dict[str, tuple[float, float]]:
    rows = np.flatnonzero(~np.isnan(points.x + points.y).all(axis=1)).tolist()
    pairs = zip(*(scores.tolist() for scores in means(points.x, points.y)), strict=True)
    return dict(zip((points.systems[row] for row in rows), pairs, strict=True))


def _williams(first: Points, second: Points) -> Williams:
    """Return the test on the systems and evals that have all three scores."""
    shared = [system for system in first.systems if system in second.systems]
    left = [first.systems.index(system) for system in shared]
    right = [second.systems.index(system) for system in shared]
    x, y, z = _mask_unpaired(first.x[left], first.y[left], second.x[right])
    firsts, human = means(x, y)
    others, _ = means(z, y)
    pairs = ((firsts, human), (others, human), (firsts, others))
    r_first, r_second, r_between = (correlation(*pair, "pearson").value for pair in pairs)
    t, p = williams(r_first, r_second, r_between, len(firsts))
    reason = ""
    if np.isnan(t):
        is_constant = np.isnan([r_first, r_second, r_between]).any()
        reason = "constant scores" if is_constant else "metrics that agree completely"
        reason = "fewer than 4 systems" if len(firsts) < 4 else reason
    names = first.human, first.summarizers, first.metric, second.metric
    return Williams(*names, r_first, r_second, r_between, len(firsts), t, p, reason)


CONSTANT = 1e-12  # a smaller relative spread is a rounding error
_LEAST = 1e-280  # products of smaller numbers have lost digits
_FEW_SCORES = 64  # different scores by people, as of a scale
_NUMBERS = 1 << 22  # in arrays of trials x systems x systems and of trials x summaries: 32 MB of doubles


class Agreement(NamedTuple):
    """A correlation."""

    value: float  # nan if undefined
    points: int  # the number of points; on the summary level, the number of evals with a correlation
    reason: str = ""  # why the value is nan, or what was left out; empty if nothing was left out


def agreement(metric: Array, human: Array, level: str, coefficient: str) -> Agreement:
    """Return the correlation of two arrays of systems x evals, without summaries that lack either score."""
    metric, human = _mask_unpaired(metric, human)
    if level == "summary":
        return _within_evals(metric, human, coefficient)
    if level == "system":
        return correlation(*means(metric, human), coefficient)
    present = ~np.isnan(metric)
    return correlation(metric[present], human[present], coefficient)


def means(metric: Array, human: Array) -> tuple[Array, Array]:
    """Return the systems' means over the evals with both scores, leaving out systems without any."""
    metric, human = _mask_unpaired(metric, human)
    some = ~np.isnan(metric).all(axis=1)
    return _equalize_ties(np.nanmean(metric[some], axis=1)), _equalize_ties(np.nanmean(human[some], axis=1))


def correlation(x: Array, y: Array, coefficient: str) -> Agreement:
    """Return the correlation of two samples, computed by scipy, or the reason why it is undefined."""
    from scipy import stats

    if len(x) < 2:
        return Agreement(np.nan, len(x), "fewer than 2 points")
    samples = {"metric": x, "human": y}.items()
    constant = [name for name, values in samples if np.ptp(values) <= CONSTANT * np.abs(values).max()]
    if constant:
        return Agreement(np.nan, len(x), f"constant {' and '.join(constant)} scores")
    function = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}
    return Agreement(float(np.clip(function[coefficient](x, y).statistic, -1, 1)), len(x))


def interval(
    points: Points, level: str, coefficient: str, plan: CorrelationPlan
) -> tuple[float, float, int]:
    """Return the bootstrap's percentile interval of a correlation, and the number of undefined samples.

    The ends are nan if no sample has a correlation. The result generalizes to what is resampled (Deutsch,
    Dror and Roth 2021, section 4).
    """
    metric, human = _mask_unpaired(points.x, points.y)
    trials = plan.samples
    by_system, by_eval = draws(metric.shape, plan.over, trials, plan.seed, tuple(points.clusters))
    in_a_sample = metric.size if level == "pooled" else metric.shape[1]
    size = max(1, _NUMBERS // max(len(metric) ** 2, in_a_sample))
    parts = [slice(start, start + size) for start in range(0, trials, size)]
    resample = _RESAMPLED[level]
    values = np.concatenate(
        [resample(metric, human, by_system[part], by_eval[part], coefficient) for part in parts]
    )
    defined = values[~np.isnan(values)]
    if not len(defined):
        return np.nan, np.nan, trials
    ends = [(100 - plan.confidence) / 2, (100 + plan.confidence) / 2]
    low, high = np.percentile(defined, ends).tolist()
    return low, high, trials - len(defined)


@lru_cache(maxsize=1)  # all levels and coefficients share them
def draws(
    shape: tuple[int, ...], over: str, trials: int, seed: int, clusters: tuple[str, ...] = ()
) -> tuple[Array, Array]:
    """Return how often samples contain each system (trials x systems) and each eval (trials x evals).

    Args:
        shape: The numbers of systems and evals.
        clusters: The cluster of each eval, if clusters are drawn as a whole.
    """
    random = np.random.default_rng(seed)
    numbers = {name: number for number, name in enumerate(dict.fromkeys(clusters or range(shape[1])))}
    places = [numbers[name] for name in clusters or range(shape[1])]
    systems, evals = (
        random.multinomial(size, np.full(size, 1 / size), trials).astype(np.float64)
        if drawn
        else np.ones((trials, size))
        for size, drawn in zip((shape[0], len(numbers)), (over != "evals", over != "systems"), strict=True)
    )
    return systems, evals[:, places]


def weighted_correlation(x: Array, y: Array, weights: Array, coefficient: str) -> Array:
    """Return the correlation of each sample of the points; nan if undefined.

    Args:
        x: The first coordinate of the points, or a row of coordinates for each sample.
        y: The second coordinate, in the same shape.
        weights: How often each point occurs in each sample: samples x points.
    """
    if coefficient == "kendall":
        x, y = _signs(x), _signs(y)
        shared, left, right = (
            (_product(pairs, weights) * weights).sum(axis=-1) for pairs in (x * y, x * x, y * y)
        )
        enough = (left > 0) & (right > 0)
    else:
        if coefficient == "spearman":
            x, y = _ranks(x, weights), _ranks(y, weights)
        sizes = [CONSTANT * np.abs(product).max(axis=-1, initial=0) for product in (x, y)]
        total = weights.sum(axis=-1, keepdims=True)
        with np.errstate(invalid="ignore"):
            x = x - (weights * x).sum(axis=-1, keepdims=True) / total
            y = y - (weights * y).sum(axis=-1, keepdims=True) / total
        shared = (weights * x * y).sum(axis=-1)
        left, right = (weights * x * x).sum(axis=-1), (weights * y * y).sum(axis=-1)
        enough = (left > sizes[0] ** 2) & (right > sizes[1] ** 2)
    with np.errstate(invalid="ignore", divide="ignore"):
        correlations: Array = np.where(enough, shared / np.sqrt(left * right), np.nan)
    return np.clip(correlations, -1, 1)  # rounding errors may exceed the limits


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
    from scipy import stats

    spread = 1 - first**2 - second**2 - between**2 + 2 * first * second * between
    if points < 4 or not spread > CONSTANT:
        return np.nan, np.nan
    mean = (first + second) / 2
    below = 2 * spread * (points - 1) / (points - 3) + mean**2 * (1 - between) ** 3
    t = (first - second) * sqrt((points - 1) * (1 + between) / below)
    return t, float(2 * stats.t.sf(abs(t), points - 3))


def _mask_unpaired(*scores: Array) -> tuple[Array, ...]:
    """Return the arrays with nan wherever a score of any array is missing."""
    missing = np.isnan(np.stack(scores)).any(axis=0)
    return tuple(np.where(missing, np.nan, array) for array in scores)


def _within_evals(metric: Array, human: Array, coefficient: str) -> Agreement:
    """Return the mean of the correlations within evals; the reason counts evals without a correlation."""
    values, reasons = [], []
    for x, y in zip(metric.T, human.T, strict=True):
        present = ~np.isnan(x)
        value, _, reason = correlation(x[present], y[present], coefficient)
        if np.isnan(value):
            reasons.append(reason)
        else:
            values.append(value)
    kinds = sorted(Counter(reasons).items())
    remarks = ", ".join(f"{count} of {len(metric.T)} evals: {reason}" for reason, count in kinds)
    return Agreement(float(np.mean(values)) if values else np.nan, len(values), remarks)


def _system_level(metric: Array, human: Array, systems: Array, evals: Array, coefficient: str) -> Array:
    """Return resampled correlations of the means, without systems that have none of the drawn evals."""
    present = (~np.isnan(metric)).astype(np.float64)
    sizes = evals @ present.T
    with np.errstate(invalid="ignore"):
        x, y = (np.nan_to_num(evals @ np.nan_to_num(scores).T / sizes) for scores in (metric, human))
    return weighted_correlation(_equalize_ties(x), _equalize_ties(y), systems * (sizes > 0), coefficient)


def _summary_level(metric: Array, human: Array, systems: Array, evals: Array, coefficient: str) -> Array:
    """Return resampled means of correlations within evals."""
    columns = [
        weighted_correlation(np.nan_to_num(x), np.nan_to_num(y), systems * ~np.isnan(x), coefficient)
        for x, y in zip(metric.T, human.T, strict=True)
    ]
    values = np.stack(columns, axis=1)
    with np.errstate(invalid="ignore"):
        weights = np.where(np.isnan(values), 0, evals)
        means: Array = (weights * np.nan_to_num(values)).sum(axis=1) / weights.sum(axis=1)
    return means


def _pooled_level(metric: Array, human: Array, systems: Array, evals: Array, coefficient: str) -> Array:
    """Return resampled correlations of all summaries.

    For Kendall's tau there are too many pairs to compare at once. If people use few different scores, pairs
    are counted by score; else scipy computes it sample by sample.
    """
    present = ~np.isnan(metric)
    x, y = metric[present], human[present]
    times = (systems[:, :, None] * evals[:, None, :])[:, present]
    if coefficient != "kendall":
        return weighted_correlation(x, y, times, coefficient)
    if len(np.unique(y)) <= _FEW_SCORES:
        return _taus(x, y, times)
    samples = (np.repeat(np.arange(len(x)), row) for row in times.astype(np.int64))
    return np.array([correlation(x[drawn], y[drawn], coefficient).value for drawn in samples])


def _taus(x: Array, y: Array, times: Array) -> Array:
    """Return Kendall's tau-b of each sample of points, of which y has few different values.

    A point is concordant with the points below it in both coordinates. It is discordant with those that are
    below it in x and above it in y.
    """
    order = np.argsort(x, kind="stable")
    x, (values, levels) = x[order], np.unique(y[order], return_inverse=True)
    first = np.flatnonzero(np.diff(x, prepend=np.nan) != 0)  # of each group of ties
    group = np.repeat(np.arange(len(first)), np.diff(first, append=len(x)))
    taus = np.full(len(times), np.nan)
    for sample, weights in enumerate(times[:, order]):
        by_value = np.zeros((len(first), len(values)))  # group of ties in x, value of y -> points
        np.add.at(by_value, (group, levels), weights)
        tied_x, tied_y, size = by_value.sum(axis=1), by_value.sum(axis=0), weights.sum()
        ends = x[first][tied_x > 0][[0, -1]], values[tied_y > 0][[0, -1]]
        if size < 2 or any(high - low <= CONSTANT * max(abs(low), abs(high)) for low, high in ends):
            continue
        before = np.cumsum(by_value, axis=0) - by_value
        below = np.cumsum(before, axis=1) - before
        above = before.sum(axis=1, keepdims=True) - below - before
        pairs, *ties = (
            size * (size - 1) / 2,
            *((tied * (tied - 1) / 2).sum() for tied in (tied_x, tied_y)),
        )
        tau = (by_value * (below - above)).sum() / np.sqrt(pairs - ties[0]) / np.sqrt(pairs - ties[1])
        taus[sample] = min(1.0, max(-1.0, tau))
    return taus


_RESAMPLED = {"system": _system_level, "summary": _summary_level, "pooled": _pooled_level}


def _equalize_ties(means: Array) -> Array:
    """Make means equal if they differ only by rounding errors, which would change ranks."""
    size = np.abs(means).max(initial=0)
    if not size > _LEAST:
        return means
    return np.round(means, int(11 - np.ceil(np.log10(size))))


def _signs(values: Array) -> Array:
    """Return the sign of the difference of each pair of points, as 1, 0 or -1."""
    signs: Array = np.sign(values[..., :, None] - values[..., None, :])
    return signs


def _ranks(values: Array, weights: Array) -> Array:
    """Return the rank of each point in each sample, up to a constant; ties have the middle rank."""
    if values.ndim > 1:
        return _product((_signs(values) + 1) / 2, weights)
    order = np.argsort(values, kind="stable")
    first = np.flatnonzero(np.diff(values[order], prepend=np.nan) != 0)  # of each group of ties
    sizes = np.add.reduceat(weights[:, order], first, axis=1)
    middles = np.cumsum(sizes, axis=1) - sizes / 2
    ranks = np.empty_like(weights)
    ranks[:, order] = np.repeat(middles, np.diff(first, append=len(values)), axis=1)
    return ranks


def _product(pairs: Array, weights: Array) -> Array:
    """Return the product of each row's matrix and weights; one matrix for all rows is much faster."""
    sums: Array = weights @ pairs.T if pairs.ndim == 2 else (pairs @ weights[..., None])[..., 0]
    return sums
