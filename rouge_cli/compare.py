"""Is system A better than B: differences, intervals, p-values and a ranking with letters.

Works on scores of single evals, which nothing here computes. Graham (2015) found that most papers compare
systems by ROUGE without a test. Two systems are held against each other on the evals that both have.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rouge_cli.core import Estimate, Notice
from rouge_cli.errors import RougeError
from rouge_cli.scoring import significance
from rouge_cli.scoring.matrix import named

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from rouge_cli.core import Notify
    from rouge_cli.scoring.matrix import Scores

FEW = 5
CORRECTIONS: dict[str, Callable[[NDArray[np.float64]], NDArray[np.float64]]] = {
    "none": np.copy,
    "holm": significance.holm,
    "bh": significance.benjamini_hochberg,
}


class Plan(NamedTuple):
    """How systems are compared.

    baseline: what every other system is held against; None for all pairs. trials: of either test.
    confidence: of the intervals, in percent. level: below it, a corrected p tells two systems apart.
    """

    baseline: str | None = None
    trials: int = 10_000
    seed: int = 0
    confidence: float = 95.0
    correction: str = "holm"
    level: float = 0.05


class Standing(NamedTuple):
    """A system in the ranking by one metric.

    mean: over its own evals, with its bootstrap interval. letters: the groups of systems that are not told
    apart, by the corrected p of randomization; empty where not all pairs were tested.
    """

    name: str
    system: str
    rank: int
    mean: Estimate
    evals: int
    letters: str
    human: bool


class Pair(NamedTuple):
    """Two systems by one metric, on the evals that both have.

    difference: system minus other, in the mean, with its interval. The p-values are two-sided, and come as
    they are and corrected over all pairs and metrics of the comparison. exact: whether randomization tried
    every exchange.
    """

    name: str
    system: str
    other: str
    evals: int
    difference: Estimate
    randomization: float
    randomization_corrected: float
    bootstrap: float
    bootstrap_corrected: float
    exact: bool


class Comparison(NamedTuple):
    """Rankings, best first, and pairs, in the order of the rankings; metric by metric."""

    plan: Plan
    standings: Sequence[Standing]
    pairs: Sequence[Pair]


def compare(
    matrices: Sequence[Scores], plan: Plan, notify: Notify, watch: significance.Watch = iter
) -> Comparison:
    """Test the systems of each metric's scores, and correct over all of them.

    watch: hands the steps of the tests on as they are done, to show progress.
    Raises RougeError where there are not two systems, or where two of them share no eval.
    """
    pairs: list[Pair] = []
    for scores in matrices:
        if len(scores.systems) < 2:
            raise RougeError("one system alone cannot be compared", remedy="give the scores of two")
        _remark(scores, plan, notify)
        pairs.extend(_pairs(scores, plan, watch))
    _remark_on_least(pairs, plan, notify)
    correct = CORRECTIONS[plan.correction]
    randomization = correct(np.array([pair.randomization for pair in pairs]))
    bootstrap = correct(np.array([pair.bootstrap for pair in pairs]))
    pairs = [
        pair._replace(randomization_corrected=float(one), bootstrap_corrected=float(other))
        for pair, one, other in zip(pairs, randomization, bootstrap, strict=True)
    ]
    standings = [one for scores in matrices for one in _standings(scores, pairs, plan)]
    return Comparison(plan, standings, pairs)


def _remark(scores: Scores, plan: Plan, notify: Notify) -> None:
    """Say which evals systems lack, and when there are too few for any test."""
    present = ~np.isnan(scores.values)
    for system, has in zip(scores.systems, present, strict=True):
        lacking = [eval_id for eval_id, one in zip(scores.evals, has, strict=True) if not one]
        if lacking:
            said = f"no {scores.name} in {len(lacking)} of {len(has)} evals"
            notify(Notice(f"{system}: {said} ({named(lacking)}); pairs use those of both"))
    fewest = int(min((present[one] & present[other]).sum() for one, other in _chosen(scores, plan)))
    if fewest < FEW:
        least = "" if fewest < 1 else f"; randomization cannot give p below {2 / 2**fewest:g}"
        notify(
            Notice(
                f"{scores.name}: {_evals(fewest)} only, too few for tests to find much, and for "
                f"bootstrapped p and intervals to be right{least}"
            )
        )


def _remark_on_least(pairs: Sequence[Pair], plan: Plan, notify: Notify) -> None:
    """Say when randomization cannot give any pair a corrected p below the level.

    Holm's least is the least p times their number; without a correction, and by `bh`, it is that p itself.
    """
    times = len(pairs) if plan.correction == "holm" else 1
    drawn = [pair for pair in pairs if not pair.exact]
    least = 1 / (plan.trials + 1) if drawn else 2 / 2 ** max(pair.evals for pair in pairs)
    if times * least < plan.level or all(pair.evals < FEW for pair in pairs):
        return
    corrected = f"corrected over {comparisons(times)}, " if times > 1 else ""
    few = f"{plan.trials} trials" if drawn else _evals(max(pair.evals for pair in pairs))
    # The bootstrap's least p is twice as large.
    remedies = [f"--trials {int(2 * times / plan.level)}" if drawn else "more evals"]
    remedies += ["--baseline"] if times > 1 and plan.baseline is None else []
    remedies += ["--correction bh"] if times > 1 else []
    said = f"{corrected}{few} cannot give p below {min(times * least, 1):.2g}"
    notify(Notice(f"{said}: use {' or '.join(remedies)}"))


def comparisons(number: int) -> str:
    """How many comparisons, in words."""
    return f"{number} comparison{'' if number == 1 else 's'}"


def _evals(number: int) -> str:
    return f"{number} eval{'' if number == 1 else 's'}"


def _ranked(scores: Scores) -> list[int]:
    """The systems, best first; those that are equal in their order."""
    means = _means(scores)
    return sorted(range(len(means)), key=lambda place: -means[place])


def _means(scores: Scores) -> list[float]:
    for system, row in zip(scores.systems, scores.values, strict=True):
        if np.isnan(row).all():
            raise RougeError(f"{system} has no {scores.name} that is a number")
    return [float(mean) for mean in np.nanmean(scores.values, axis=1)]


def _chosen(scores: Scores, plan: Plan) -> list[tuple[int, int]]:
    """The pairs to be tested: each system and the baseline, or all, the better first."""
    ranked = _ranked(scores)
    if plan.baseline is None:
        return list(combinations(ranked, 2))
    if plan.baseline not in scores.systems:
        raise RougeError(f"the baseline {plan.baseline} has no {scores.name}", remedy="choose by -m LABEL")
    baseline = scores.systems.index(plan.baseline)
    return [(one, baseline) for one in ranked if one != baseline]


def _pairs(scores: Scores, plan: Plan, watch: significance.Watch) -> list[Pair]:
    """The pairs in order; those that share the same evals are tested in one go."""
    present = ~np.isnan(scores.values)
    chosen = _chosen(scores, plan)
    groups: dict[bytes, list[tuple[int, int]]] = {}
    for one, other in chosen:
        groups.setdefault((present[one] & present[other]).tobytes(), []).append((one, other))
    found: dict[tuple[int, int], Pair] = {}
    for key, group in groups.items():
        shared = np.frombuffer(key, dtype=bool)
        if not shared.any():
            names = " and ".join(scores.systems[place] for place in group[0])
            raise RougeError(
                f"{names} have no eval in common",
                remedy="leave one out: name the others by --system",
            )
        found.update(zip(group, _tested(scores, group, shared, plan, watch), strict=True))
    return [found[pair] for pair in chosen]


def _tested(
    scores: Scores,
    group: Sequence[tuple[int, int]],
    shared: NDArray[np.bool_],
    plan: Plan,
    watch: significance.Watch,
) -> Iterator[Pair]:
    systems = sorted({place for pair in group for place in pair})
    places = {system: place for place, system in enumerate(systems)}
    values = np.ascontiguousarray(scores.values[systems][:, shared])
    rows = [(places[one], places[other]) for one, other in group]
    found = significance.differences(values, rows, plan.trials, plan.seed, plan.confidence, watch)
    evals = int(shared.sum())
    exact = significance.is_exact(evals, plan.trials)
    for (one, other), (value, low, high, bootstrap, randomization) in zip(
        group, zip(*(figures.tolist() for figures in found), strict=True), strict=True
    ):
        difference = Estimate(value, low, high)
        names = scores.name, scores.systems[one], scores.systems[other]
        yield Pair(
            *names, evals, difference, randomization, randomization, bootstrap, bootstrap, exact=exact
        )


def _standings(scores: Scores, pairs: Sequence[Pair], plan: Plan) -> Iterator[Standing]:
    ranked, means = _ranked(scores), _means(scores)
    letters = [""] * len(ranked)
    if plan.baseline is None:
        place = {scores.systems[system]: rank for rank, system in enumerate(ranked)}
        same = np.ones((len(ranked), len(ranked)), dtype=bool)
        for pair in pairs:
            if pair.name == scores.name and pair.randomization_corrected < plan.level:
                one, other = place[pair.system], place[pair.other]
                same[one, other] = same[other, one] = False
        letters = significance.letters(same)
    ends = _intervals(scores, plan)
    for system, letter in zip(ranked, letters, strict=True):
        name, mean = scores.systems[system], means[system]
        rank = 1 + sum(other > mean for other in means)
        evals = int((~np.isnan(scores.values[system])).sum())
        yield Standing(
            scores.name, name, rank, Estimate(mean, *ends[system]), evals, letter, name in scores.humans
        )


def _intervals(scores: Scores, plan: Plan) -> list[tuple[float, float]]:
    """The interval of each system's own mean."""
    ends = [(100 - plan.confidence) / 2, (100 + plan.confidence) / 2]
    present = ~np.isnan(scores.values)
    groups: dict[bytes, list[int]] = {}
    for place, row in enumerate(present):
        groups.setdefault(row.tobytes(), []).append(place)
    found: dict[int, tuple[float, float]] = {}
    for group in groups.values():
        values = np.ascontiguousarray(scores.values[group][:, present[group[0]]])
        means = significance.resampled_means(values, plan.trials, plan.seed)
        low, high = np.percentile(means, ends, axis=1).tolist()
        found.update(zip(group, zip(low, high, strict=True), strict=True))
    return [found[place] for place in range(len(present))]
