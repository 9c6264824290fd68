"""The plan of a comparison: the evals that find a difference, and the stability of the
ranking.

Card et al. (2020, "With little power comes great responsibility") found that most
evaluations have too few examples for the differences that they report. Lin (2004,
"Looking for a few good metrics") asked how many samples keep a ranking.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from math import inf
from statistics import median

import numpy as np

from rouge_cli.core import Notify
from rouge_cli.results import planning as results
from rouge_cli.studies import draws, matrix, power
from rouge_cli.studies.matrix import Scores

_USUAL_SIZES = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)


def plan_comparison(
    matrices: Sequence[Scores], goal: results.Goal, notify: Notify
) -> results.Planning:
    """Plan the comparison of the systems of each metric's scores; see `compare` for
    errors.
    """
    tested = [matrix.pairs_to_test(scores, goal.baseline) for scores in matrices]
    comparisons = sum(map(len, tested))
    metrics: list[results.PlannedMetric] = []
    pairs: list[results.PlannedPair] = []
    stability: list[results.Stability] = []
    for scores, names in zip(matrices, tested, strict=True):
        matrix.remark(scores, goal.baseline, notify)
        by_pair: dict[tuple[int, int], results.PlannedPair] = {}
        for sample in matrix.samples(scores, goal.baseline):
            by_pair |= _plan_pairs(sample, scores, goal, comparisons)
            if len(sample.systems) == len(scores.systems):
                stability += _stability(sample, scores, goal)
        planned = [by_pair[pair] for pair in names]
        metrics.append(_summarize(scores, planned, goal, comparisons))
        pairs += planned
    return results.Planning(goal, metrics, pairs, stability)


def plan_without_data(goal: results.Assumption) -> results.AssumedPlanning:
    """Plan the comparison of two systems whose differences vary as assumed."""
    needed = power.units_needed(goal.detect / goal.sd, goal.level, goal.power)
    sizes = set(_USUAL_SIZES)
    if needed < inf:
        sizes.add(int(needed))
    planned = []
    for evals in sorted(sizes):
        detectable = power.detectable(evals, goal.level, goal.power) * goal.sd
        chance = power.power(goal.detect / goal.sd, evals, goal.level)
        planned.append(results.PlannedSize(evals, chance, detectable))
    return results.AssumedPlanning(goal, needed, planned)


def _plan_pairs(
    sample: matrix.Sample, scores: Scores, goal: results.Goal, comparisons: int
) -> Iterator[tuple[tuple[int, int], results.PlannedPair]]:
    """Yield the rows and the plan of each pair of a sample."""
    values = 100 * sample.resampled  # in points
    evals = int(sample.evals.sum())
    units = values.shape[1]

    def evals_needed(effect: float, level: float) -> float:
        needed = power.units_needed(effect, level, goal.power)
        return float(np.ceil(needed * evals / units))

    for first, second in sample.pairs:
        system = sample.systems[first]
        other = sample.systems[second]
        gaps = values[first] - values[second]

        deviation = inf
        chance = goal.level
        effect = inf
        detectable = 0.0
        if units > 1:
            deviation = float(gaps.std(ddof=1))
        if deviation > 0:
            effect = goal.detect / deviation
            detectable = power.detectable(units, goal.level, goal.power) * deviation
        if units > 1:
            chance = power.power(effect, units, goal.level)

        planned = results.PlannedPair(
            name=scores.name,
            system=scores.systems[system],
            other=scores.systems[other],
            evals=evals,
            clusters=units if scores.clusters else None,
            difference=float(gaps.mean()),
            deviation=deviation,
            power=chance,
            detectable=detectable,
            needed=evals_needed(effect, goal.level),
            needed_corrected=evals_needed(effect, goal.level / comparisons),
        )
        yield (system, other), planned


def _summarize(
    scores: Scores,
    pairs: Sequence[results.PlannedPair],
    goal: results.Goal,
    comparisons: int,
) -> results.PlannedMetric:
    """Return the plan of one metric: medians over its pairs."""
    corrected = []
    for pair in pairs:
        units = pair.clusters or pair.evals
        deviations = power.detectable(units, goal.level / comparisons, goal.power)
        corrected.append(deviations * pair.deviation)
    evals = [pair.evals for pair in pairs]
    deviations_of_pairs = [pair.deviation for pair in pairs]
    detectable = [pair.detectable for pair in pairs]
    needed = [pair.needed for pair in pairs]
    needed_corrected = [pair.needed_corrected for pair in pairs]
    smaller = [pair for pair in pairs if abs(pair.difference) < pair.detectable]
    return results.PlannedMetric(
        name=scores.name,
        pairs=len(pairs),
        comparisons=comparisons,
        evals=int(median(evals)),
        deviation=median(deviations_of_pairs),
        detectable=median(detectable),
        detectable_corrected=median(corrected),
        needed=median(needed),
        needed_all=max(needed_corrected),
        smaller=len(smaller),
    )


def _stability(
    sample: matrix.Sample, scores: Scores, goal: results.Goal
) -> Iterator[results.Stability]:
    """Yield the shares of subsets that keep the order of the systems, from small
    subsets to large ones.
    """
    values = sample.resampled
    units = values.shape[1]
    evals = int(sample.evals.sum())
    ranked = np.argsort(-values.mean(axis=1), kind="stable")
    first, second = np.array(list(combinations(ranked, 2))).T
    full = np.sign((values[first] - values[second]).mean(axis=1).round(12))[:, None]
    for exponent, step in product(range(7), (1, 2, 5)):
        size = step * 10**exponent
        if size >= units:
            break
        (sums,) = draws.Subsets(units, goal.trials, goal.seed, size).sums(values)
        # 1 for a pair in order, 0 for a pair in the other order, 1/2 for a tie.
        order = (np.sign((sums[first] - sums[second]).round(9)) * full + 1) / 2
        kept = order.mean(axis=1)
        has_ranking = (order > 0.5).all(axis=0)
        yield results.Stability(
            name=scores.name,
            evals=size * evals / units,
            kept=float(kept.mean()),
            least=float(kept.min()),
            ranking=float(has_ranking.mean()),
        )
