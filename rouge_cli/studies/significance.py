"""Comparison of systems: differences, intervals, p-values and a ranking with letters.

Graham (2015) found that most papers compare systems by ROUGE without a test. The input
is scores of single evals. Two systems are compared on the evals that both have.

A plan states the evals that find a difference, and the stability of the ranking. Card
et al. (2020, "With little power comes great responsibility") found that most
evaluations have too few examples for the differences that they report. Lin (2004,
"Looking for a few good metrics") asked how many samples keep a ranking.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, count
from math import inf, isnan, nan
from statistics import median
from string import ascii_letters
from typing import Any

import numpy as np

from rouge_cli.core import EvalTask, Notice, Notify, ignore_notice
from rouge_cli.errors import RougeError
from rouge_cli.results import comparison as results
from rouge_cli.results.base import pluralize
from rouge_cli.results.comparison import ComparedPair, Plan
from rouge_cli.results.scores import averages_of
from rouge_cli.runs import assembly
from rouge_cli.studies import draws, intervals, matrix, paired
from rouge_cli.studies.draws import Array, Mask, Watch
from rouge_cli.studies.matrix import Scores

_PAIRS = 20  # of a sample, whose ties are examined
POWER = 0.8  # with which `ComparedPair.detectable` is found
WIDEST = 5  # evals listed for a pair


def compare(
    matrices: Sequence[Scores], plan: Plan, notify: Notify, watch: Watch = iter
) -> results.Comparison:
    """Test the systems of each metric's scores, and correct over all tests; `watch`
    shows progress.

    Raises:
        RougeError: If there are fewer than two systems, or if two systems have no eval
            in common.
    """
    return corrected(uncorrected(matrices, plan, notify, watch), notify)


def uncorrected(
    matrices: Sequence[Scores], plan: Plan, notify: Notify, watch: Watch = iter
) -> results.Comparison:
    """Return what `compare` corrects; rankings have no letters yet."""
    for scores in matrices:
        matrix.remark(scores, plan.baseline, notify)
    if intervals.rank_of_end(plan.confidence, plan.trials) < 1:
        least = intervals.trials_needed(plan.confidence)
        trials = f"{pluralize(plan.trials, 'trial')} cannot give"
        what = f"{trials} intervals of {plan.confidence:g}%, and none is printed"
        notify(Notice(f"{what}: use --trials {least}"))
    tests = [
        (scores, sample)
        for scores in matrices
        for sample in matrix.samples(scores, plan.baseline)
    ]
    tests.sort(
        key=lambda test: test[1].exchanged.shape[1]
    )  # equally many units share draws
    for scores in matrices:
        _remark_on_ties(
            scores, [sample for of, sample in tests if of is scores], plan, notify
        )
    pairs: dict[tuple[str, str, str], ComparedPair] = {}
    ends: dict[tuple[str, int], tuple[float, float]] = {}  # by metric and system
    differences = paired.differences([sample for _, sample in tests], plan, watch)
    for (scores, sample), result in zip(tests, differences, strict=True):
        pairs |= {pair[:3]: pair for pair in _compared(scores, sample, result, plan)}
        sizes = scores.sizes()
        for system, low, high in zip(
            sample.systems, *result.means.tolist(), strict=True
        ):
            if sizes[system] == sample.evals.sum():
                ends[scores.name, system] = low, high
    standings = [
        standing for scores in matrices for standing in _standings(scores, ends, plan)
    ]
    ordered = [
        pairs[scores.name, scores.systems[system], scores.systems[other]]
        for scores in matrices
        for system, other in matrix.pairs_to_test(scores, plan.baseline)
    ]
    return results.Comparison(plan, standings, ordered)


def corrected(comparison: results.Comparison, notify: Notify) -> results.Comparison:
    """Return the comparison with p-values corrected over all its pairs, and the
    letters that follow.
    """
    plan, pairs = comparison.plan, comparison.pairs
    _remark_on_least(pairs, plan, notify)
    tests = ["randomization", "bootstrap"]
    if plan.equivalence:
        tests.append("equivalence")
    for test in tests:
        p_values = _correct([getattr(pair, test) for pair in pairs], plan.correction)
        fields: list[dict[str, Any]] = [{f"{test}_corrected": p} for p in p_values]
        pairs = [
            pair._replace(**changed)
            for pair, changed in zip(pairs, fields, strict=True)
        ]
    pairs = [pair._replace(answer=_answer(pair, plan.level)) for pair in pairs]
    comparison = comparison._replace(pairs=pairs)
    if (
        plan.baseline is not None
    ):  # there are no groups, since not all pairs were tested
        return comparison
    metrics = map(comparison.of_metric, comparison.names())
    return comparison._replace(
        standings=[standing for metric in metrics for standing in _lettered(metric)]
    )


def _correct(p_values: Sequence[float], correction: str) -> list[float]:
    """Return corrected p-values; those of comparisons without a p are nan, but these
    comparisons count.
    """
    p = np.array(p_values)
    corrected = CORRECTIONS[correction](np.where(np.isnan(p), 1, p))
    values: list[float] = np.where(np.isnan(p), np.nan, corrected).tolist()
    return values


def over_references(
    comparison: results.Comparison, tasks: Sequence[EvalTask]
) -> results.Comparison:
    """Return the comparison with the share of draws of references that change the order
    of each pair.

    Rankings by ROUGE depend on the references (Casola et al. 2025). Each eval gets as
    many references as it has, drawn with replacement, and texts are scored again as the
    comparison's signature states. If evals are drawn, too, so are they. Pairs by saved
    scores of other metrics remain without a share.

    Args:
        comparison: A comparison of these texts, signed.
        tasks: The texts, in memory.

    Raises:
        RougeError: If no eval has several references.
    """
    plan = comparison.plan
    if all(len(task.references) < 2 for task in tasks):
        raise RougeError(
            "no eval has several references to draw from", remedy="compare over evals"
        )
    dialect, options = assembly.like_options(comparison.signature)
    options |= {"samples": "0"} if "samples" in options else {}
    run, kept = assembly.prepared(dialect, options), np.zeros(len(comparison.pairs))
    for drawn in draws.of_references(tasks, plan.over, plan.draws, plan.seed):
        report = assembly.make_report(
            *assembly.scored(drawn, run, ignore_notice), ignore_notice
        )
        names = {pair.name for pair in comparison.pairs}
        means = {name: averages_of(report, *name.rsplit(" ", 1)) for name in names}
        for place, pair in enumerate(comparison.pairs):
            first, second = (
                means[pair.name].get(system) for system in (pair.system, pair.other)
            )
            gap = first.value - second.value if first and second else nan
            kept[place] += np.sign(gap) * np.sign(pair.difference.value)
    shares = [
        None if isnan(share) else share
        for share in ((1 - kept / plan.draws) / 2).tolist()
    ]
    pairs = zip(comparison.pairs, shares, strict=True)
    return comparison._replace(
        pairs=[pair._replace(reordered=share) for pair, share in pairs]
    )


def _answer(pair: ComparedPair, level: float) -> str | None:
    """Return the answer of the test of equivalence, by corrected p-values; None
    without that test.
    """
    if pair.equivalence_corrected is None:
        return None
    if pair.equivalence_corrected < level:  # false for nan, of a few equal units
        return "equal"
    answer = "better" if pair.difference.value > 0 else "worse"
    return answer if pair.randomization_corrected < level else "unknown"


def _remark_on_least(pairs: Sequence[ComparedPair], plan: Plan, notify: Notify) -> None:
    """Warn if randomization cannot give any pair a corrected p below the level.

    Holm's correction multiplies the smallest p by the number of comparisons. `bh` may
    leave it unchanged.
    """
    times = len(pairs) if plan.correction == "holm" else 1
    drawn = [pair for pair in pairs if not pair.exact]
    units = max(pair.units for pair in pairs)
    least = 1 / (plan.trials + 1) if drawn else 2 / 2**units
    if times * least < plan.level or all(pair.units < matrix.FEW for pair in pairs):
        return
    corrected = (
        f"corrected over {pluralize(times, 'comparison')}, " if times > 1 else ""
    )
    noun = "eval" if pairs[0].clusters is None else "cluster"
    few = f"{plan.trials} trials" if drawn else pluralize(units, noun)
    remedies = [f"--trials {int(times / plan.level)}" if drawn else f"more {noun}s"]
    remedies += ["--baseline"] if times > 1 and plan.baseline is None else []
    remedies += ["--correction bh"] if times > 1 else []
    limit = f"{corrected}{few} cannot give p below {min(times * least, 1):.2g}"
    notify(Notice(f"{limit}: use {' or '.join(remedies)}"))


def _remark_on_ties(
    scores: Scores, samples: Sequence[matrix.Sample], plan: Plan, notify: Notify
) -> None:
    """Warn if randomization finds fewer differences between equal systems than the
    level allows.
    """
    attained = []
    for sample in samples:
        for first, second in sample.pairs[:_PAIRS]:
            gaps = sample.exchanged[first] - sample.exchanged[second]
            if len(gaps) > matrix.FEW and gaps.any():
                attained.append(paired.attained_level(gaps, plan.level, plan.trials))
    if attained and (usual := median(attained)) < 0.9 * plan.level:
        what = (
            f"few {scores.unit}s or ties: randomization gives equal systems p <"
            f" {plan.level:g} in"
        )
        notify(
            Notice(
                f"{scores.name}: {what} {usual:.1%} of cases, and overlooks some"
                " differences"
            )
        )


def _compared(
    scores: Scores, sample: matrix.Sample, result: paired.Differences, plan: Plan
) -> Iterator[ComparedPair]:
    """Yield the pairs of a sample, not corrected."""
    evals, units = int(sample.evals.sum()), result.units
    drawn, possible = _drawn(scores, units, plan), scores.possible()
    detectable, places = (
        paired.detectable(units, plan.level, POWER),
        np.flatnonzero(sample.evals),
    )
    sizes, means = scores.sizes(), scores.means()
    by_pair = zip(*(column.tolist() for column in result[:7]), strict=True)
    for (first, second), numbers in zip(sample.pairs, by_pair, strict=True):
        system, other = sample.systems[first], sample.systems[second]
        p, bootstrap, deviation, equivalence, plain, low, high = numbers
        # If a system has more evals than the pair, its average does not give the pair's
        # difference.
        value = (
            means[system] - means[other]
            if sizes[system] == sizes[other] == evals
            else plain
        )
        gaps = (scores.values[system] - scores.values[other])[sample.evals]
        order = np.argsort(-np.abs(gaps), kind="stable")[:WIDEST]
        widest = [
            results.Gap(scores.evals[places[at]], float(gaps[at]))
            for at in order
            if gaps[at]
        ]
        estimate, reason = intervals.of_difference(value, low, high, possible, drawn)
        yield results.ComparedPair(
            scores.name,
            scores.systems[system],
            scores.systems[other],
            evals,
            estimate,
            randomization=p,
            randomization_corrected=p,
            bootstrap=bootstrap,
            bootstrap_corrected=bootstrap,
            exact=draws.is_exact(units, plan.trials),
            clusters=units if scores.clusters else None,
            deviation=deviation if units > 1 else None,
            effect=value / deviation if deviation > 0 else None,
            superiority=float(((np.sign(gaps) + 1) / 2).mean()),
            detectable=detectable * deviation if deviation > 0 else None,
            equivalence=equivalence if plan.equivalence else None,
            widest=widest,
            no_interval=reason,
        )


def _drawn(scores: Scores, units: int, plan: Plan) -> intervals.Drawn:
    """Return how the bootstrap of so many units was drawn."""
    return intervals.Drawn(units, scores.unit, plan.trials, plan.confidence)


def _standings(
    scores: Scores, ends: Mapping[tuple[str, int], tuple[float, float]], plan: Plan
) -> Iterator[results.Standing]:
    """Yield the ranking by one metric, given the ends of intervals by the bootstrap."""
    means, sizes, possible = scores.means(), scores.sizes(), scores.possible()
    present = ~np.isnan(scores.values)
    for system in scores.ranking():
        name, mean = scores.systems[system], means[system]
        low, high = ends[scores.name, system]
        drawn = _drawn(scores, scores.units(present[system]), plan)
        estimate, reason = intervals.of_mean(mean, low, high, possible, drawn)
        yield results.Standing(
            scores.name,
            name,
            rank=1 + sum(other > mean for other in means),
            mean=estimate,
            evals=sizes[system],
            letters="",
            human=name in scores.humans,
            no_interval=reason,
        )


def _lettered(comparison: results.Comparison) -> Iterator[results.Standing]:
    """Yield the ranking by one metric with the letters of groups."""
    places = {
        standing.system: place for place, standing in enumerate(comparison.standings)
    }
    same = np.ones((len(places), len(places)), dtype=bool)
    for pair in comparison.pairs:
        if pair.randomization_corrected < comparison.plan.level:
            first, second = places[pair.system], places[pair.other]
            same[first, second] = same[second, first] = False
    for standing, letters in zip(
        comparison.standings, letter_groups(same), strict=True
    ):
        yield standing._replace(letters=letters)


def holm(p: Array) -> Array:
    """Return p-values corrected so that p < 5% bounds the probability of any false
    positive (Holm 1979).
    """
    order = np.argsort(p)
    steps = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    return np.minimum(steps, 1)[np.argsort(order)]


def benjamini_hochberg(p: Array) -> Array:
    """Return p-values corrected so that p < 5% bounds the false discovery rate
    (1995).
    """
    order = np.argsort(p)[::-1]
    steps = np.minimum.accumulate(p[order] * len(p) / np.arange(len(p), 0, -1))
    return np.minimum(steps, 1)[np.argsort(order)]


CORRECTIONS: dict[str, Callable[[Array], Array]] = {
    "none": np.copy,
    "holm": holm,
    "bh": benjamini_hochberg,
}


def letter_groups(same: Mask) -> list[str]:
    """Return the compact letter display (Piepho 2004): systems share a letter unless
    they differ.

    Each letter stands for a group of systems of which no two differ, and every such
    pair is in a group. Groups are extended in the order of the ranking, in polynomial
    time. To find all maximal groups could take exponential time. `same` is systems x
    systems in this order: True if no difference was found.
    """
    groups: list[list[int]] = []
    covered = np.eye(len(same), dtype=bool)
    for system in range(len(same)):
        others = [
            other for other in range(system + 1, len(same)) if same[system, other]
        ]
        for other in others:
            if not covered[system, other]:
                groups.append(_grown([system, other], same))
                covered[np.ix_(groups[-1], groups[-1])] = True
        if not np.delete(same[system], system).any():
            groups.append([system])
    groups.sort()
    letters_of: list[list[str]] = [[] for _ in same]
    # a to z, A to Z, a2 and so on.
    names = (
        f"{letter}{number}"
        for number in chain([""], count(2))
        for letter in ascii_letters
    )
    for letter, group in zip(names, groups, strict=False):
        for system in group:
            letters_of[system].append(letter)
    return ["".join(names) for names in letters_of]


def _grown(group: list[int], same: Mask) -> list[int]:
    """Return the group with all systems that can be added, the best first."""
    for system in range(len(same)):
        if system not in group and all(same[system, member] for member in group):
            group.append(system)
    return sorted(group)


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


def _plan_pairs(
    sample: matrix.Sample, scores: Scores, goal: results.Goal, comparisons: int
) -> Iterator[tuple[tuple[int, int], results.PlannedPair]]:
    """Yield the rows and the plan of each pair of a sample."""
    values, evals = 100 * sample.resampled, int(sample.evals.sum())  # in points
    units = values.shape[1]
    for first, second in sample.pairs:
        system, other = sample.systems[first], sample.systems[second]
        gaps = values[first] - values[second]
        deviation = float(gaps.std(ddof=1)) if units > 1 else inf
        effect = goal.detect / deviation if deviation > 0 else inf
        needed = [
            float(
                np.ceil(paired.units_needed(effect, level, goal.power) * evals / units)
            )
            for level in (goal.level, goal.level / comparisons)
        ]
        yield (
            (system, other),
            results.PlannedPair(
                scores.name,
                scores.systems[system],
                scores.systems[other],
                evals,
                units if scores.clusters else None,
                float(gaps.mean()),
                deviation,
                paired.power(effect, units, goal.level) if units > 1 else goal.level,
                paired.detectable(units, goal.level, goal.power) * deviation
                if deviation > 0
                else 0.0,
                *needed,
            ),
        )


def _summarize(
    scores: Scores,
    pairs: Sequence[results.PlannedPair],
    goal: results.Goal,
    comparisons: int,
) -> results.PlannedMetric:
    corrected = [
        paired.detectable(
            pair.clusters or pair.evals, goal.level / comparisons, goal.power
        )
        * pair.deviation
        for pair in pairs
    ]
    return results.PlannedMetric(
        scores.name,
        len(pairs),
        comparisons,
        int(median(pair.evals for pair in pairs)),
        median(pair.deviation for pair in pairs),
        median(pair.detectable for pair in pairs),
        median(corrected),
        median(pair.needed for pair in pairs),
        max(pair.needed_corrected for pair in pairs),
        sum(abs(pair.difference) < pair.detectable for pair in pairs),
    )


def _stability(
    sample: matrix.Sample, scores: Scores, goal: results.Goal
) -> Iterator[results.Stability]:
    """Yield the shares of subsets that keep the order of the systems, from small
    subsets to large ones.
    """
    values = sample.resampled
    units, ranked = values.shape[1], np.argsort(-values.mean(axis=1), kind="stable")
    evals = int(sample.evals.sum())
    first, second = np.array(
        [(a, b) for place, a in enumerate(ranked) for b in ranked[place + 1 :]]
    ).T
    full = np.sign((values[first] - values[second]).mean(axis=1).round(12))[:, None]
    for size in (step * 10**power for power in range(7) for step in (1, 2, 5)):
        if size < units:
            (sums,) = draws.Subsets(units, goal.trials, goal.seed, size).sums(values)
            order = (np.sign((sums[first] - sums[second]).round(9)) * full + 1) / 2
            kept, whole = order.mean(axis=1), (order > 0.5).all(axis=0)
            shares = float(kept.mean()), float(kept.min()), float(whole.mean())
            yield results.Stability(scores.name, size * evals / units, *shares)
