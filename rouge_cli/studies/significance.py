"""Comparison of systems: differences, intervals, p-values and a ranking with letters.

Graham (2015) found that most papers compare systems by ROUGE without a test. The input
is scores of single evals. Two systems are compared on the evals that both have.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, count
from math import isnan, nan
from statistics import median
from string import ascii_letters
from typing import Any

import numpy as np

from rouge_cli.core import EvalTask, Notice, Notify, ignore_notice
from rouge_cli.errors import RougeError
from rouge_cli.results import comparison as results
from rouge_cli.results import lengths
from rouge_cli.results.comparison import ComparedPair, Plan
from rouge_cli.results.lengths import Lengths
from rouge_cli.results.printed import pluralize
from rouge_cli.results.scores import averages_of
from rouge_cli.runs import assembly
from rouge_cli.studies import draws, intervals, matrix, paired, power, skew
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
    of_systems: Mapping[str, Lengths] = matrices[0].lengths if matrices else {}
    difference = lengths.differ(of_systems)
    if difference:
        notify(Notice(difference))
    if intervals.rank_of_end(plan.confidence, plan.trials) < 1:
        least = intervals.trials_needed(plan.confidence)
        trials = f"{pluralize(plan.trials, 'trial')} cannot give"
        what = f"{trials} intervals of {plan.confidence:g}%, and none is printed"
        notify(Notice(f"{what}: use --trials {least}"))

    tests = []
    for scores in matrices:
        for sample in matrix.samples(scores, plan.baseline):
            tests.append((scores, sample))

    def kind(test: tuple[Scores, matrix.Sample]) -> tuple[int, bool]:
        _, sample = test
        return sample.kind

    # Consecutive samples of the same kind share draws.
    tests.sort(key=kind)
    for scores in matrices:
        samples = [sample for tested, sample in tests if tested is scores]
        _remark_on_ties(scores, samples, plan, notify)

    pairs: dict[tuple[str, str, str], ComparedPair] = {}
    ends: dict[tuple[str, int], tuple[float, float]] = {}  # by metric and system
    differences = paired.differences([sample for _, sample in tests], plan, watch)
    for (scores, sample), result in zip(tests, differences, strict=True):
        for pair in _compared(scores, sample, result, plan):
            pairs[pair.name, pair.system, pair.other] = pair
        sizes = scores.sizes()
        lows, highs = result.means.tolist()
        for system, low, high in zip(sample.systems, lows, highs, strict=True):
            if sizes[system] == sample.evals.sum():
                ends[scores.name, system] = (low, high)

    standings: list[results.Standing] = []
    ordered = []
    for scores in matrices:
        standings += _standings(scores, ends, plan)
        for system, other in matrix.pairs_to_test(scores, plan.baseline):
            names = (scores.name, scores.systems[system], scores.systems[other])
            ordered.append(pairs[names])
    return results.Comparison(plan, standings, ordered, lengths=of_systems)


def corrected(comparison: results.Comparison, notify: Notify) -> results.Comparison:
    """Return the comparison with p-values corrected over all its pairs, and the
    letters that follow.
    """
    plan = comparison.plan
    pairs = comparison.pairs
    _remark_on_least(pairs, plan, notify)

    tests = ["randomization", "bootstrap"]
    if plan.equivalence:
        tests.append("equivalence")
    for test in tests:
        p_values = _correct([getattr(pair, test) for pair in pairs], plan.correction)
        corrected_pairs = []
        for pair, p in zip(pairs, p_values, strict=True):
            field: dict[str, Any] = {f"{test}_corrected": p}
            corrected_pairs.append(pair._replace(**field))
        pairs = corrected_pairs
    pairs = [pair._replace(answer=_answer(pair, plan.level)) for pair in pairs]
    comparison = comparison._replace(pairs=pairs)
    for name in comparison.names():
        skew.remark(comparison.of_metric(name).pairs, plan, notify)

    # With a baseline there are no groups, since not all pairs were tested.
    if plan.baseline is not None:
        return comparison
    standings: list[results.Standing] = []
    for name in comparison.names():
        standings += _lettered(comparison.of_metric(name))
    return comparison._replace(standings=standings)


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
    if "samples" in options:
        options["samples"] = "0"
    run = assembly.prepared(dialect, options)

    # For each pair, the draws that keep its order minus the draws that change it.
    balance = np.zeros(len(comparison.pairs))
    names = {pair.name for pair in comparison.pairs}
    for drawn in draws.of_references(tasks, plan.over, plan.draws, plan.seed):
        scored_run, scores = assembly.scored(drawn, run, ignore_notice)
        report = assembly.make_report(scored_run, scores, ignore_notice)
        means = {}
        for name in names:
            label, letter = name.rsplit(" ", 1)
            means[name] = averages_of(report, label, letter)
        for index, pair in enumerate(comparison.pairs):
            first = means[pair.name].get(pair.system)
            second = means[pair.name].get(pair.other)
            gap = nan
            if first and second:
                gap = first.value - second.value
            balance[index] += np.sign(gap) * np.sign(pair.difference.value)

    shares = ((1 - balance / plan.draws) / 2).tolist()
    pairs = []
    for pair, share in zip(comparison.pairs, shares, strict=True):
        reordered = None if isnan(share) else share
        pairs.append(pair._replace(reordered=reordered))
    return comparison._replace(pairs=pairs)


def _answer(pair: ComparedPair, level: float) -> str | None:
    """Return the answer of the test of equivalence, by corrected p-values; None
    without that test.
    """
    if pair.equivalence_corrected is None:
        return None
    if pair.equivalence_corrected < level:  # false for nan, of a few equal units
        return "equal"
    if not pair.randomization_corrected < level:  # true for nan
        return "unknown"
    return "better" if pair.difference.value > 0 else "worse"


def _remark_on_least(pairs: Sequence[ComparedPair], plan: Plan, notify: Notify) -> None:
    """Warn if randomization cannot give any pair a corrected p below the level.

    Holm's correction multiplies the smallest p by the number of comparisons. `bh` may
    leave it unchanged.
    """
    times = len(pairs) if plan.correction == "holm" else 1
    drawn = [pair for pair in pairs if not pair.exact]
    units = max(pair.units for pair in pairs)
    noun = "eval" if pairs[0].clusters is None else "cluster"
    if drawn:
        least = 1 / (plan.trials + 1)
        few = f"{plan.trials} trials"
        remedies = [f"--trials {int(times / plan.level)}"]
    else:
        least = 2 / 2**units
        few = pluralize(units, noun)
        remedies = [f"more {noun}s"]
    if times * least < plan.level or all(pair.units < matrix.FEW for pair in pairs):
        return

    corrected = ""
    if times > 1:
        corrected = f"corrected over {pluralize(times, 'comparison')}, "
        if plan.baseline is None:
            remedies.append("--baseline")
        remedies.append("--correction bh")
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
    if not attained:
        return

    usual = median(attained)
    if usual < 0.9 * plan.level:
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
    evals = int(sample.evals.sum())
    units = result.units
    clusters = units if scores.clusters else None
    effective = None
    if len(sample.sizes):
        effective = float(units**2 / np.square(sample.sizes).sum())
    drawn = _drawn(scores, units, plan)
    possible = scores.possible()
    detectable_deviations = power.detectable(units, plan.level, POWER)
    sizes = scores.sizes()
    means = scores.means()
    for index, (first, second) in enumerate(sample.pairs):
        system = sample.systems[first]
        other = sample.systems[second]
        gaps = (scores.values[system] - scores.values[other])[sample.evals]

        # If a system has more evals than the pair, its average does not give the pair's
        # difference.
        value = float(result.value[index])
        if sizes[system] == sizes[other] == evals:
            value = means[system] - means[other]
        low = float(result.low[index])
        high = float(result.high[index])
        bounds = intervals.of_difference(value, low, high, possible, drawn)

        deviation = float(result.deviation[index])
        effect = None
        detectable = None
        if deviation > 0:
            effect = value / deviation
            detectable = detectable_deviations * deviation
        unit_gaps = sample.resampled[first] - sample.resampled[second]
        randomization = float(result.randomization[index])
        bootstrap = float(result.bootstrap[index])
        equivalence = None
        if plan.equivalence:
            equivalence = float(result.equivalence[index])
        yield results.ComparedPair(
            name=scores.name,
            system=scores.systems[system],
            other=scores.systems[other],
            evals=evals,
            difference=bounds.estimate,
            randomization=randomization,
            randomization_corrected=randomization,
            bootstrap=bootstrap,
            bootstrap_corrected=bootstrap,
            exact=draws.is_exact(units, plan.trials),
            clusters=clusters,
            deviation=deviation if units > 1 else None,
            effect=effect,
            superiority=float(((np.sign(gaps) + 1) / 2).mean()),
            detectable=detectable,
            equivalence=equivalence,
            widest=_widest(gaps, scores, sample.evals),
            no_interval=bounds.reason,
            effective_clusters=effective,
            skewness=skew.skewness(unit_gaps),
            rests_on=skew.rests_on(unit_gaps),
        )


def _widest(gaps: Array, scores: Scores, evals: Mask) -> list[results.Gap]:
    """Return the evals of a pair with the largest differences, apart from 0."""
    columns = np.flatnonzero(evals)
    widest = []
    for index in np.argsort(-np.abs(gaps), kind="stable")[:WIDEST]:
        if gaps[index]:
            eval_id = scores.evals[columns[index]]
            widest.append(results.Gap(eval_id, float(gaps[index])))
    return widest


def _drawn(scores: Scores, units: int, plan: Plan) -> intervals.Drawn:
    """Return how the bootstrap of so many units was drawn."""
    return intervals.Drawn(
        units=units,
        unit=scores.unit,
        trials=plan.trials,
        confidence=plan.confidence,
    )


def _standings(
    scores: Scores, ends: Mapping[tuple[str, int], tuple[float, float]], plan: Plan
) -> Iterator[results.Standing]:
    """Yield the ranking by one metric, given the ends of intervals by the bootstrap."""
    means = scores.means()
    sizes = scores.sizes()
    possible = scores.possible()
    present = ~np.isnan(scores.values)
    for system in scores.ranking():
        name = scores.systems[system]
        mean = means[system]
        low, high = ends[scores.name, system]
        drawn = _drawn(scores, scores.units(present[system]), plan)
        bounds = intervals.of_mean(mean, low, high, possible, drawn)
        yield results.Standing(
            name=scores.name,
            system=name,
            rank=1 + sum(other > mean for other in means),
            mean=bounds.estimate,
            evals=sizes[system],
            letters="",
            human=name in scores.humans,
            no_interval=bounds.reason,
        )


def _lettered(comparison: results.Comparison) -> Iterator[results.Standing]:
    """Yield the ranking by one metric with the letters of groups."""
    rows = {standing.system: row for row, standing in enumerate(comparison.standings)}
    same = np.ones((len(rows), len(rows)), dtype=bool)
    for pair in comparison.pairs:
        if pair.randomization_corrected < comparison.plan.level:
            first = rows[pair.system]
            second = rows[pair.other]
            same[first, second] = False
            same[second, first] = False

    groups = letter_groups(same)
    for standing, letters in zip(comparison.standings, groups, strict=True):
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

    letters_of = [""] * len(same)
    for letter, group in zip(_letters(), groups, strict=False):
        for system in group:
            letters_of[system] += letter
    return letters_of


def _letters() -> Iterator[str]:
    """Yield a to z, A to Z, a2 and so on."""
    for number in chain([""], count(2)):
        for letter in ascii_letters:
            yield f"{letter}{number}"


def _grown(group: list[int], same: Mask) -> list[int]:
    """Return the group with all systems that can be added, the best first."""
    for system in range(len(same)):
        if system not in group and all(same[system, member] for member in group):
            group.append(system)
    return sorted(group)
