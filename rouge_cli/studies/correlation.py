"""Correlation of metrics with human scores, the evidence that justifies a metric.

Lin (2004, section 6) and TAC's AESOP task correlate means of systems. Deutsch, Dror and
Roth (2021, "A statistical analysis of summarization evaluation metrics using resampling
methods") add two levels, and they resample evals, systems or both for intervals:

- system: correlation of the systems' means over evals;
- summary: correlation over the systems of an eval, then the mean over evals;
- pooled: correlation of all summaries as one sample.

Two metrics are compared by Williams' test, and by their permutation tests with
standardized scores: PERM-BOTH, PERM-SYS and PERM-INPUT.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import combinations

import numpy as np

from rouge_cli.core import Estimate, Notice, Notify
from rouge_cli.errors import RougeError, UsageError, shown
from rouge_cli.results import correlation as results
from rouge_cli.results.correlation import Points, SweepPlan
from rouge_cli.studies import coefficients, draws
from rouge_cli.studies.draws import Array, Mask
from rouge_cli.studies.matrix import HUMAN, Scores
from rouge_cli.tasks.judgements import Judgements

# The scores of two metrics and of people, arrays of systems x evals; nan if one of them
# is missing
Triple = tuple[Array, Array, Array]


def correlate(
    matrices: Sequence[Scores],
    judgements: Sequence[Judgements],
    plan: results.CorrelationPlan,
    notify: Notify,
    watch: Callable[[Sequence[Points]], Iterable[Points]] = iter,
) -> results.Correlations:
    """Correlate every metric with every human measure, with and without people among
    the systems.

    See `points_of` and `levels_of` for errors.
    """
    if matrices and matrices[0].clusters:
        plan = plan._replace(clusters=len(set(matrices[0].clusters)))
    notices: dict[
        Notice, None
    ] = {}  # several pairs of measures may give the same warning
    points = [
        group
        for measure in judgements
        for scores in matrices
        for group in _populations(points_of(scores, measure, notices.setdefault))
    ]
    for notice in notices:
        notify(notice)
    correlations = [
        row for group in watch(points) for row in _correlations(group, plan)
    ]
    tests = [
        williams_of(first, second)
        for first, second in combinations(points, 2)
        if (first.human, first.summarizers) == (second.human, second.summarizers)
    ]
    return results.Correlations(plan, correlations, tests, points)


def levels_of(points: Points, levels: Sequence[str]) -> list[str]:
    """Return the levels that have scores; raise UsageError for whole systems without
    the system level.
    """
    if points.whole_systems and "system" not in levels:
        what = (
            f"human scores are of whole systems, but level {levels[0]} needs scores of"
            " summaries"
        )
        raise UsageError(what, remedy="use --level system")
    return ["system"] if points.whole_systems else list(levels)


def points_of(scores: Scores, measure: Judgements, notify: Notify) -> Points:
    """Return both scores of the systems that were judged; raise RougeError if no
    summary has both.
    """
    names = {}
    for system in scores.systems:
        bare = system.removeprefix(
            HUMAN
        )  # people may be named without the prefix, by the reference's ID
        if system in measure.scores or (
            bare in measure.scores and bare not in scores.systems
        ):
            names[system] = system if system in measure.scores else bare
    _remark(scores, measure, names, notify)
    whole = all(None in by_eval for by_eval in measure.scores.values())
    y = np.full((len(names), len(scores.evals)), np.nan)
    for row, name in zip(y, names.values(), strict=True):
        by_eval = measure.scores[name]
        row[:] = [
            by_eval.get(None if whole else eval_id, np.nan) for eval_id in scores.evals
        ]
    x = scores.values[[scores.systems.index(system) for system in names]]
    if not (~np.isnan(x) & ~np.isnan(y)).any():
        evals = next(iter(measure.scores.values()))
        scored = f"scores have eval {scores.evals[0]!r} of system {scores.systems[0]!r}"
        judged_eval = "" if whole else f"eval {next(iter(evals))!r} of "
        by_people = f"people judged {judged_eval}system {next(iter(measure.scores))!r}"
        remedy = f"names must be the same: {scored}, {by_people}"
        raise RougeError(
            f"no summary has both {scores.name} and human {measure.name}", remedy=remedy
        )
    people = scores.humans & set(names)
    return results.Points(
        scores.name,
        measure.name,
        results.ALL_SUMMARIZERS,
        list(names),
        x,
        y,
        people,
        whole_systems=whole,
        clusters=scores.clusters,
    )


def _remark(
    scores: Scores, measure: Judgements, names: dict[str, str], notify: Notify
) -> None:
    """Warn about systems and evals with only one of the scores."""
    human, metric = (
        f"no human {measure.name}",
        f"human {measure.name} without {scores.name}",
    )
    left_out: list[tuple[str, Collection[str | None], Collection[str | None], str]] = [
        ("", scores.systems, names, human),
        ("", measure.scores, names.values(), metric),
    ]
    judged = dict.fromkeys(
        eval_id for name in names.values() for eval_id in measure.scores[name]
    )
    if None not in judged and not judged.keys().isdisjoint(scores.evals):
        left_out += [
            ("eval ", scores.evals, judged, human),
            ("eval ", judged, scores.evals, metric),
        ]
    for prefix, candidates, present, lacking in left_out:
        missing = [f"{prefix}{name}" for name in candidates if name not in present]
        if missing:
            notify(Notice(f"left out ({lacking}): {shown(missing, 5)}"))


def _populations(points: Points) -> Iterator[Points]:
    """Yield all points with the means of systems; if there are people, then the
    points without them.
    """
    rows = np.flatnonzero(~np.isnan(points.x + points.y).all(axis=1)).tolist()
    means = zip(
        *(scores.tolist() for scores in coefficients.means(points.x, points.y)),
        strict=True,
    )
    yield points._replace(
        means=dict(zip((points.systems[row] for row in rows), means, strict=True))
    )
    if points.humans:
        keep = [
            place
            for place, system in enumerate(points.systems)
            if system not in points.humans
        ]
        systems = [points.systems[place] for place in keep]
        without = points._replace(summarizers=results.SYSTEMS_ONLY, humans=frozenset())
        yield from _populations(
            without._replace(systems=systems, x=points.x[keep], y=points.y[keep])
        )


def _correlations(
    points: Points, plan: results.CorrelationPlan
) -> Iterator[results.Correlation]:
    for level in levels_of(points, plan.levels):
        for coefficient in plan.coefficients:
            result = coefficients.agreement(points.x, points.y, level, coefficient)
            value, undefined = Estimate(result.value), 0
            if plan.samples and not np.isnan(result.value):
                low, high, undefined = coefficients.interval(
                    points, level, coefficient, plan
                )
                value = value if np.isnan(low) else Estimate(result.value, low, high)
            names = *points[:3], level, coefficient
            yield results.Correlation(
                *names, value, result.points, undefined, result.reason
            )


def scores_of_both(first: Points, second: Points) -> tuple[Array, Array, Array]:
    """Return the scores of both metrics, and the human scores, of the systems that
    have all three.
    """
    shared = [system for system in first.systems if system in second.systems]
    left = [first.systems.index(system) for system in shared]
    right = [second.systems.index(system) for system in shared]
    return first.x[left], second.x[right], first.y[left]


def williams_of(first: Points, second: Points) -> results.Williams:
    """Return the test on the systems and evals that have all three scores."""
    x, z, y = coefficients.mask_unpaired(*scores_of_both(first, second))
    firsts, human = coefficients.means(x, y)
    others, _ = coefficients.means(z, y)
    pairs = ((firsts, human), (others, human), (firsts, others))
    r_first, r_second, r_between = (
        coefficients.correlation(*pair, "pearson").value for pair in pairs
    )
    t, p = coefficients.williams(r_first, r_second, r_between, len(firsts))
    reason = ""
    if np.isnan(t):
        is_constant = np.isnan([r_first, r_second, r_between]).any()
        reason = "constant scores" if is_constant else "metrics that agree completely"
        reason = "fewer than 4 systems" if len(firsts) < 4 else reason
    names = first.human, first.summarizers, first.metric, second.metric
    return results.Williams(
        *names, r_first, r_second, r_between, len(firsts), t, p, reason
    )


def p_value(scores: Triple, level: str, plan: SweepPlan) -> float:
    """Return the two-sided p-value of two metrics."""
    drawn = draws.swaps(scores[0].shape, plan.permute, plan.trials, plan.seed)
    found = differences(scores, level, plan.coefficient, drawn)
    return float(
        ((np.abs(found[1:]) >= abs(found[0]) - coefficients.CONSTANT).sum() + 1)
        / len(found)
    )


def differences(
    scores: Triple, level: str, coefficient: str, drawn: tuple[Mask, Mask]
) -> Array:
    """Return the first metric's correlation minus the second's, in each trial."""
    x, y, human = coefficients.mask_unpaired(*scores)
    x, y = ((metric - np.nanmean(metric)) / np.nanstd(metric) for metric in (x, y))
    return {"system": _of_means, "summary": _in_evals, "pooled": _of_summaries}[level](
        (x, y, human), coefficient, drawn
    )


def _of_means(scores: Triple, coefficient: str, drawn: tuple[Mask, Mask]) -> Array:
    x, y, human = (metric[~np.isnan(metric).all(axis=1)] for metric in scores)
    systems = drawn[0][:, ~np.isnan(scores[0]).all(axis=1)]
    gaps, sizes = np.nan_to_num(y - x), (~np.isnan(x)).sum(axis=1)
    moved = (
        drawn[1].astype(np.float64) @ gaps.T
    )  # what the evals that are drawn add to the sums of x
    moved = np.where(systems, gaps.sum(axis=1) - moved, moved)
    people = np.broadcast_to(
        coefficients.equalize_ties(np.nanmean(human, axis=1)), moved.shape
    )
    sums = np.nansum(x, axis=1) + moved, np.nansum(y, axis=1) - moved
    once = np.ones(len(x))
    means = (coefficients.equalize_ties(of_metric / sizes) for of_metric in sums)
    first, second = (
        coefficients.correlate_samples(x, people, once, coefficient) for x in means
    )
    return first - second


def _in_evals(scores: Triple, coefficient: str, drawn: tuple[Mask, Mask]) -> Array:
    present = (~np.isnan(scores[0].T)).astype(np.float64)
    x, y, human = (np.nan_to_num(metric.T) for metric in scores)
    # Correlations within evals depend on the systems that are drawn.
    systems, trials = np.unique(drawn[0], axis=0, return_inverse=True)
    within = np.empty((2, len(systems), len(x)))
    for part in draws.parts(len(systems), x.size, draws.CACHED):
        people = np.broadcast_to(human, (len(systems[part]), *human.shape))
        for found, pair in zip(within, ((y, x), (x, y)), strict=True):
            metric = np.where(systems[part, None, :], *pair)
            found[part] = coefficients.correlate_samples(
                metric, people, present, coefficient
            )
    first, second = within[:, trials.reshape(-1)]
    # If an eval is drawn, the correlations within it are exchanged.
    pairs = (np.where(drawn[1], second, first), np.where(drawn[1], first, second))
    with np.errstate(invalid="ignore"):  # no eval has a correlation
        means: list[Array] = [
            np.nansum(pair, axis=1) / (~np.isnan(pair)).sum(axis=1) for pair in pairs
        ]
    return means[0] - means[1]


def _of_summaries(scores: Triple, coefficient: str, drawn: tuple[Mask, Mask]) -> Array:
    rows, columns = np.nonzero(~np.isnan(scores[0]))
    x, y, human = (metric[rows, columns] for metric in scores)
    found = np.empty(len(drawn[0]))
    for part in draws.parts(len(found), len(x), draws.CACHED):
        is_exchanged = drawn[0][part][:, rows] ^ drawn[1][part][:, columns]
        people = np.ascontiguousarray(np.broadcast_to(human, is_exchanged.shape))
        exchanged = (np.where(is_exchanged, *pair) for pair in ((y, x), (x, y)))
        (first, _), (second, _) = (
            coefficients.correlate_rows(metric, people, coefficient)
            for metric in exchanged
        )
        found[part] = first - second
    return found
