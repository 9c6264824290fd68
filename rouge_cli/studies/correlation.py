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

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations

import numpy as np

from rouge_cli.core import Estimate, Notice, Notify
from rouge_cli.errors import RougeError, UsageError, shown
from rouge_cli.results import correlation as results
from rouge_cli.results.correlation import ACCURACIES, Points, SweepPlan
from rouge_cli.studies import accuracies, coefficients, draws
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

    # Several pairs of measures may give the same warning.
    notices: dict[Notice, None] = {}
    populations: list[Points] = []
    for measure in judgements:
        for scores in matrices:
            points = points_of(scores, measure, notices.setdefault)
            populations += _populations(points)
    for notice in notices:
        notify(notice)

    correlations: list[results.Correlation] = []
    for points in watch(populations):
        correlations += _correlations(points, plan)

    tests = []
    for first, second in combinations(populations, 2):
        if first.human == second.human and first.summarizers == second.summarizers:
            tests.append(williams_of(first, second))
    return results.Correlations(plan, correlations, tests, populations)


def levels_of(points: Points, levels: Sequence[str]) -> list[str]:
    """Return the levels that have scores; raise UsageError for whole systems without
    the system level.
    """
    if not points.whole_systems:
        return list(levels)
    if "system" not in levels:
        what = (
            f"human scores are of whole systems, but level {levels[0]} needs scores of"
            " summaries"
        )
        raise UsageError(what, remedy="use --level system")
    return ["system"]


def points_of(scores: Scores, measure: Judgements, notify: Notify) -> Points:
    """Return both scores of the systems that were judged; raise RougeError if no
    summary has both.
    """
    names = _judged_names(scores, measure)
    _remark(scores, measure, names, notify)

    whole = all(None in by_eval for by_eval in measure.scores.values())
    y = np.full((len(names), len(scores.evals)), np.nan)
    for row, name in zip(y, names.values(), strict=True):
        by_eval = measure.scores[name]
        if whole:
            row[:] = by_eval.get(None, np.nan)
        else:
            row[:] = [by_eval.get(eval_id, np.nan) for eval_id in scores.evals]
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

    return results.Points(
        metric=scores.name,
        human=measure.name,
        summarizers=results.ALL_SUMMARIZERS,
        systems=list(names),
        x=x,
        y=y,
        humans=scores.humans & set(names),
        whole_systems=whole,
        clusters=scores.clusters,
    )


def _judged_names(scores: Scores, measure: Judgements) -> dict[str, str]:
    """Return each system that was judged -> its name in the judgements.

    Judgements may name people without the prefix, by the ID of their references.
    """
    names = {}
    for system in scores.systems:
        bare = system.removeprefix(HUMAN)
        if system in measure.scores:
            names[system] = system
        elif bare in measure.scores and bare not in scores.systems:
            names[system] = bare
    return names


def _remark(
    scores: Scores, measure: Judgements, names: dict[str, str], notify: Notify
) -> None:
    """Warn about systems and evals with only one of the scores."""

    def warn(reason: str, missing: Sequence[str]) -> None:
        if missing:
            notify(Notice(f"left out ({reason}): {shown(missing, 5)}"))

    no_human = f"no human {measure.name}"
    no_metric = f"human {measure.name} without {scores.name}"
    judged_systems = names.values()
    warn(no_human, [name for name in scores.systems if name not in names])
    warn(no_metric, [name for name in measure.scores if name not in judged_systems])

    judged: dict[str | None, None] = {}
    for name in judged_systems:
        judged |= dict.fromkeys(measure.scores[name])
    if None in judged or judged.keys().isdisjoint(scores.evals):
        return
    scored = set(scores.evals)
    warn(no_human, [f"eval {name}" for name in scores.evals if name not in judged])
    warn(no_metric, [f"eval {name}" for name in judged if name not in scored])


def _populations(points: Points) -> Iterator[Points]:
    """Yield all points with the means of systems; if there are people, then the
    points without them.
    """
    scored = np.flatnonzero(~np.isnan(points.x + points.y).all(axis=1)).tolist()
    by_metric, by_people = coefficients.means(points.x, points.y)
    pairs = zip(by_metric.tolist(), by_people.tolist(), strict=True)
    systems = [points.systems[row] for row in scored]
    yield points._replace(means=dict(zip(systems, pairs, strict=True)))

    if points.humans:
        rows = [
            row
            for row, system in enumerate(points.systems)
            if system not in points.humans
        ]
        without_people = points._replace(
            summarizers=results.SYSTEMS_ONLY,
            humans=frozenset(),
            systems=[points.systems[row] for row in rows],
            x=points.x[rows],
            y=points.y[rows],
        )
        yield from _populations(without_people)


def _correlations(
    points: Points, plan: results.CorrelationPlan
) -> Iterator[results.Correlation]:
    """Yield the correlations on each level, by each coefficient."""
    for level in levels_of(points, plan.levels):
        for coefficient in plan.coefficients:
            result = accuracies.agreement(points, level, coefficient, plan.seed)
            value = Estimate(result.value)
            undefined = 0
            has_interval = plan.samples and coefficient not in ACCURACIES
            if has_interval and not np.isnan(result.value):
                low, high, undefined = coefficients.interval(
                    points, level, coefficient, plan
                )
                if not np.isnan(low):
                    value = Estimate(result.value, low, high)
            yield results.Correlation(
                metric=points.metric,
                human=points.human,
                summarizers=points.summarizers,
                level=level,
                coefficient=coefficient,
                value=value,
                points=result.points,
                undefined=undefined,
                reason=result.reason,
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
    r_first = coefficients.correlation(firsts, human, "pearson").value
    r_second = coefficients.correlation(others, human, "pearson").value
    r_between = coefficients.correlation(firsts, others, "pearson").value
    t, p = coefficients.williams(r_first, r_second, r_between, len(firsts))

    reason = ""
    if np.isnan(t):
        if len(firsts) < 4:
            reason = "fewer than 4 systems"
        elif np.isnan([r_first, r_second, r_between]).any():
            reason = "constant scores"
        else:
            reason = "metrics that agree completely"
    return results.Williams(
        human=first.human,
        summarizers=first.summarizers,
        first=first.metric,
        second=second.metric,
        r_first=r_first,
        r_second=r_second,
        r_between=r_between,
        systems=len(firsts),
        t=t,
        p=p,
        reason=reason,
    )


def p_value(scores: Triple, level: str, plan: SweepPlan) -> float:
    """Return the two-sided p-value of two metrics."""
    drawn = draws.swaps(scores[0].shape, plan.permute, plan.trials, plan.seed)
    gaps = differences(scores, level, plan.coefficient, drawn)
    observed = abs(gaps[0])
    extreme = np.abs(gaps[1:]) >= observed - coefficients.CONSTANT
    return float((extreme.sum() + 1) / len(gaps))


def differences(
    scores: Triple, level: str, coefficient: str, drawn: tuple[Mask, Mask]
) -> Array:
    """Return the first metric's correlation minus the second's, in each trial."""
    x, y, human = coefficients.mask_unpaired(*scores)
    standardized = (_standardize(x), _standardize(y), human)
    of_level = {"system": _of_means, "summary": _in_evals, "pooled": _of_summaries}
    return of_level[level](standardized, coefficient, drawn)


def _standardize(scores: Array) -> Array:
    """Return scores with mean 0 and standard deviation 1."""
    standardized: Array = (scores - np.nanmean(scores)) / np.nanstd(scores)
    return standardized


def _of_means(scores: Triple, coefficient: str, drawn: tuple[Mask, Mask]) -> Array:
    """Return the differences on the system level."""
    x, y, human = scores
    drawn_systems, drawn_evals = drawn
    has_scores = ~np.isnan(x).all(axis=1)
    x = x[has_scores]
    y = y[has_scores]
    human = human[has_scores]
    drawn_systems = drawn_systems[:, has_scores]

    # What the evals that are drawn add to the sums of x.
    gaps = np.nan_to_num(y - x)
    moved = drawn_evals.astype(np.float64) @ gaps.T
    moved = np.where(drawn_systems, gaps.sum(axis=1) - moved, moved)

    sizes = (~np.isnan(x)).sum(axis=1)
    x_means = coefficients.equalize_ties((np.nansum(x, axis=1) + moved) / sizes)
    y_means = coefficients.equalize_ties((np.nansum(y, axis=1) - moved) / sizes)
    human_means = coefficients.equalize_ties(np.nanmean(human, axis=1))
    people = np.broadcast_to(human_means, moved.shape)
    once = np.ones(len(x))
    first = coefficients.correlate_samples(x_means, people, once, coefficient)
    second = coefficients.correlate_samples(y_means, people, once, coefficient)
    return first - second


def _in_evals(scores: Triple, coefficient: str, drawn: tuple[Mask, Mask]) -> Array:
    """Return the differences on the summary level."""
    x, y, human = scores
    drawn_systems, drawn_evals = drawn
    present = (~np.isnan(x.T)).astype(np.float64)
    x = np.nan_to_num(x.T)
    y = np.nan_to_num(y.T)
    human = np.nan_to_num(human.T)

    # Correlations within evals depend on the systems that are drawn.
    systems, trials = np.unique(drawn_systems, axis=0, return_inverse=True)
    within = np.empty((2, len(systems), len(x)))
    for part in draws.parts(len(systems), x.size, draws.CACHED):
        people = np.broadcast_to(human, (len(systems[part]), *human.shape))
        is_exchanged = systems[part, None, :]
        x_exchanged = np.where(is_exchanged, y, x)
        y_exchanged = np.where(is_exchanged, x, y)
        within[0, part] = coefficients.correlate_samples(
            x_exchanged, people, present, coefficient
        )
        within[1, part] = coefficients.correlate_samples(
            y_exchanged, people, present, coefficient
        )
    first, second = within[:, trials.reshape(-1)]

    # If an eval is drawn, the correlations within it are exchanged.
    of_x = np.where(drawn_evals, second, first)
    of_y = np.where(drawn_evals, first, second)
    return _means_of_defined(of_x) - _means_of_defined(of_y)


def _means_of_defined(correlations: Array) -> Array:
    """Return the mean of each row without nan; nan for a row of nan."""
    with np.errstate(invalid="ignore"):  # 0 / 0 is nan
        means: Array = np.nansum(correlations, axis=1) / (~np.isnan(correlations)).sum(
            axis=1
        )
    return means


def _of_summaries(scores: Triple, coefficient: str, drawn: tuple[Mask, Mask]) -> Array:
    """Return the differences on the level of all summaries."""
    x, y, human = scores
    drawn_systems, drawn_evals = drawn
    rows, columns = np.nonzero(~np.isnan(x))
    x = x[rows, columns]
    y = y[rows, columns]
    human = human[rows, columns]
    gaps = np.empty(len(drawn_systems))
    for part in draws.parts(len(gaps), len(x), draws.CACHED):
        systems_of_points = drawn_systems[part][:, rows]
        evals_of_points = drawn_evals[part][:, columns]
        is_exchanged = systems_of_points ^ evals_of_points
        people = np.ascontiguousarray(np.broadcast_to(human, is_exchanged.shape))
        x_exchanged = np.where(is_exchanged, y, x)
        y_exchanged = np.where(is_exchanged, x, y)
        first, _ = coefficients.correlate_rows(x_exchanged, people, coefficient)
        second, _ = coefficients.correlate_rows(y_exchanged, people, coefficient)
        gaps[part] = first - second
    return gaps
