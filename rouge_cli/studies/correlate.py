"""Correlation of metrics with human scores, the evidence by which ROUGE itself was justified.

Lin (2004, section 6) and TAC's AESOP task correlate means of systems; the other levels, and what to
resample for intervals, are those of Deutsch, Dror and Roth (2021). This module computes no ROUGE scores.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from rouge_cli.core import Estimate, Notice
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.results._tables import list_names
from rouge_cli.results.correlation import (
    ALL_PEERS,
    SYSTEMS_ONLY,
    Correlation,
    Correlations,
    Plan,
    Points,
    Williams,
)
from rouge_cli.studies import correlation
from rouge_cli.studies.matrix import HUMAN

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from rouge_cli.core import Notify
    from rouge_cli.studies.correlation import Array
    from rouge_cli.studies.matrix import Scores
    from rouge_cli.tasks.judgements import Judgements


def correlate(
    matrices: Sequence[Scores], judgements: Sequence[Judgements], plan: Plan, notify: Notify
) -> Correlations:
    """Correlate every metric with every human measure, with people among the systems and without them.

    Raises RougeError if metric and human scores have no summary in common, UsageError if whole
    systems were judged and their level is not selected.
    """
    notices: dict[Notice, None] = {}  # several pairs of measures may give the same notice
    points = [
        group
        for measure in judgements
        for scores in matrices
        for group in _populations(_points(scores, measure, notices.setdefault))
    ]
    for notice in notices:
        notify(notice)
    if "system" not in plan.levels and any(group.whole_systems for group in points):
        raise UsageError(
            f"human scores of whole systems, and no summaries for level {plan.levels[0]}",
            remedy="use --level system",
        )
    correlations = [row for group in points for row in _correlations(group, plan)]
    tests = [
        _williams(first, second)
        for first, second in combinations(points, 2)
        if (first.human, first.peers) == (second.human, second.peers)
    ]
    return Correlations(plan, correlations, tests, points)


def _points(scores: Scores, measure: Judgements, notify: Notify) -> Points:
    """Return both scores of the systems that have human ones, in the metric's order."""
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
        raise RougeError(
            f"no summary has both {scores.name} and human {measure.name}",
            remedy=f"names must be the same: scores have eval {scores.evals[0]!r} of system "
            f"{scores.systems[0]!r}, people judged eval {next(iter(evals))!r} of "
            f"{next(iter(measure.scores))!r}",
        )
    return Points(
        scores.name,
        measure.name,
        ALL_PEERS,
        list(names),
        x,
        y,
        scores.humans & set(names),
        whole_systems=whole,
    )


def _human_name(system: str, scores: Scores, measure: Judgements) -> str | None:
    """Return the system's name among the human scores, which for a person may be the model's ID alone."""
    bare = system.removeprefix(HUMAN)
    if system in measure.scores:
        return system
    return bare if bare in measure.scores and bare not in scores.systems else None


def _remark(scores: Scores, measure: Judgements, names: dict[str, str], notify: Notify) -> None:
    """Report which systems and evals have only one of the scores."""
    human, metric = f"no human {measure.name}", f"human {measure.name} without {scores.name}"
    _left_out([system for system in scores.systems if system not in names], human, notify)
    unknown = [system for system in measure.scores if system not in names.values()]
    _left_out(unknown, metric, notify)
    judged = dict.fromkeys(eval_id for name in names.values() for eval_id in measure.scores[name])
    if None not in judged and not judged.keys().isdisjoint(scores.evals):
        _left_out([f"eval {eval_id}" for eval_id in scores.evals if eval_id not in judged], human, notify)
        _left_out([f"eval {eval_id}" for eval_id in judged if eval_id not in scores.evals], metric, notify)


def _left_out(names: Sequence[str], lacking: str, notify: Notify) -> None:
    if names:
        notify(Notice(f"left out ({lacking}): {list_names(names)}"))


def _populations(points: Points) -> Iterator[Points]:
    """Yield the points, and those without people if there are any."""
    yield points
    if points.humans:
        keep = [place for place, system in enumerate(points.systems) if system not in points.humans]
        systems = [points.systems[place] for place in keep]
        yield points._replace(
            peers=SYSTEMS_ONLY, systems=systems, x=points.x[keep], y=points.y[keep], humans=frozenset()
        )


def _correlations(points: Points, plan: Plan) -> Iterator[Correlation]:
    for level in plan.levels:
        if points.whole_systems and level != "system":
            continue
        for coefficient in plan.coefficients:
            agreed = correlation.agreement(points.x, points.y, level, coefficient)
            low, high, undefined = np.nan, np.nan, 0
            if plan.samples and not np.isnan(agreed.value):
                how = level, coefficient, plan.over, plan.samples, plan.seed, plan.confidence
                low, high, undefined = correlation.interval(points.x, points.y, *how)
            ends = (None, None) if np.isnan(low) else (low, high)
            yield Correlation(
                *points[:3],
                level,
                coefficient,
                Estimate(agreed.value, *ends),
                agreed.points,
                undefined,
                agreed.reason,
            )


def system_means(points: Points) -> tuple[list[str], Array, Array]:
    """Return the systems that have both scores in some eval, and their means over those evals."""
    some: NDArray[np.bool_] = np.any(_both(points.x, points.y), axis=1, keepdims=True)[:, 0]
    systems = [system for system, has in zip(points.systems, some, strict=True) if has]
    return systems, *correlation.means(points.x, points.y)


def _both(*scores: Array) -> NDArray[np.bool_]:
    defined: NDArray[np.bool_] = np.logical_not(np.isnan(np.stack(scores)).any(axis=0))
    return defined


def _williams(first: Points, second: Points) -> Williams:
    """Return the test on the systems and evals that have all three scores."""
    shared = [system for system in first.systems if system in second.systems]
    left = [first.systems.index(system) for system in shared]
    right = [second.systems.index(system) for system in shared]
    x, y, z = first.x[left], first.y[left], second.x[right]
    x, y, z = (np.where(_both(x, y, z), scores, np.nan) for scores in (x, y, z))
    firsts, human = correlation.means(x, y)
    others, _ = correlation.means(z, y)
    r_first, r_second, r_between = (
        correlation.correlation(a, b, "pearson").value
        for a, b in ((firsts, human), (others, human), (firsts, others))
    )
    t, p = correlation.williams(r_first, r_second, r_between, len(firsts))
    reason = ""
    if np.isnan(t):
        undefined = (
            "constant scores"
            if np.isnan([r_first, r_second, r_between]).any()
            else "metrics that agree completely"
        )
        reason = "fewer than 4 systems" if len(firsts) < 4 else undefined
    names = first.human, first.peers, first.metric, second.metric
    return Williams(*names, r_first, r_second, r_between, len(firsts), t, p, reason)
