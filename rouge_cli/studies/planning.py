"""A plan of an evaluation: the evals that find a difference, and the stability of the ranking.

Card et al. (2020, "With little power comes great responsibility") found that most evaluations have too few
examples for the differences that they report. Lin (2004, "Looking for a few good metrics") asked how many
samples keep a ranking.
"""

from __future__ import annotations

from math import inf
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from rouge_cli.core import Notify
from rouge_cli.results.comparison import Goal, Plan, PlannedMetric, PlannedPair, Planning, Stability
from rouge_cli.studies import matrix, paired

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rouge_cli.studies.matrix import Scores


def plan(matrices: Sequence[Scores], goal: Goal, notify: Notify) -> Planning:
    """Plan the comparison of the systems of each metric's scores.

    Raises:
        RougeError: If there are fewer than two systems, or if two systems have no eval in common.
    """
    request = Plan(goal.baseline, trials=goal.trials, seed=goal.seed, level=goal.level)
    tested = [matrix.pairs_to_test(scores, request) for scores in matrices]
    comparisons = sum(map(len, tested))
    metrics: list[PlannedMetric] = []
    pairs: list[PlannedPair] = []
    stability: list[Stability] = []
    for scores, names in zip(matrices, tested, strict=True):
        matrix.remark(scores, request, notify)
        by_pair: dict[tuple[int, int], PlannedPair] = {}
        for group in matrix.groups(0, scores, request):
            by_pair |= dict(zip(group.pairs, _plan_group(group, scores, goal, comparisons), strict=True))
            if len(group.systems) == len(scores.systems):
                stability += _stability(group.sample(scores), scores, request)
        planned = [by_pair[pair] for pair in names]
        metrics.append(_summarize(scores, planned, goal, comparisons))
        pairs += planned
    return Planning(goal, metrics, pairs, stability)


def _plan_group(group: matrix.Group, scores: Scores, goal: Goal, comparisons: int) -> Iterator[PlannedPair]:
    """Yield the plans of the pairs of a group."""
    sample, evals = group.sample(scores), int(group.evals.sum())
    values = 100 * sample.resampled  # in points
    units = values.shape[1]
    for (first, second), (system, other) in zip(sample.pairs, group.pairs, strict=True):
        gaps = values[first] - values[second]
        deviation = float(gaps.std(ddof=1)) if units > 1 else inf
        effect = goal.detect / deviation if deviation > 0 else inf
        needed = [
            float(np.ceil(paired.units_needed(effect, level, goal.power) * evals / units))
            for level in (goal.level, goal.level / comparisons)
        ]
        yield PlannedPair(
            scores.name, scores.systems[system], scores.systems[other],
            evals, units if scores.clusters else None, float(gaps.mean()), deviation,
            paired.power(effect, units, goal.level) if units > 1 else goal.level,
            paired.detectable(units, goal.level, goal.power) * deviation if deviation > 0 else 0.0, *needed,
        )  # fmt: skip


def _summarize(scores: Scores, pairs: Sequence[PlannedPair], goal: Goal, comparisons: int) -> PlannedMetric:
    corrected = [
        paired.detectable(pair.clusters or pair.evals, goal.level / comparisons, goal.power)
        * pair.deviation
        for pair in pairs
    ]
    return PlannedMetric(
        scores.name, len(pairs), comparisons, int(median(pair.evals for pair in pairs)),
        median(pair.deviation for pair in pairs), median(pair.detectable for pair in pairs),
        median(corrected), median(pair.needed for pair in pairs),
        max(pair.needed_corrected for pair in pairs),
        sum(abs(pair.difference) < pair.detectable for pair in pairs),
    )  # fmt: skip


def _stability(sample: paired.Sample, scores: Scores, request: Plan) -> Iterator[Stability]:
    """Yield the shares of subsets that keep the order of the systems, from small subsets to large ones."""
    values = sample.resampled
    units, ranked = values.shape[1], np.argsort(-values.mean(axis=1), kind="stable")
    evals = int((~np.isnan(scores.values)).all(axis=0).sum())
    first, second = np.array([(a, b) for place, a in enumerate(ranked) for b in ranked[place + 1 :]]).T
    full = np.sign((values[first] - values[second]).mean(axis=1).round(12))[:, None]
    for size in (step * 10**power for power in range(7) for step in (1, 2, 5)):
        if size < units:
            sums = paired.Subsets(units, request, size).sums(values)
            order = (np.sign((sums[first] - sums[second]).round(9)) * full + 1) / 2
            kept, whole = order.mean(axis=1), (order > 0.5).all(axis=0)
            shares = float(kept.mean()), float(kept.min()), float(whole.mean())
            yield Stability(scores.name, size * evals / units, *shares)
