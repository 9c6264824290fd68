"""Comparison of systems: differences, intervals, p-values and a ranking with letters.

The input is scores of single evals. Graham (2015) found that most papers compare
systems by ROUGE without a test. Two systems are compared on the evals that both have.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rouge_cli.core import Estimate, Notice
from rouge_cli.errors import RougeError
from rouge_cli.results._tables import list_names, pluralize
from rouge_cli.results.comparison import Comparison, Gap, Pair, Plan, Standing
from rouge_cli.studies import significance

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from rouge_cli.core import Notify
    from rouge_cli.studies.matrix import Scores

FEW = 5
WIDEST = 5  # evals listed for a pair
CORRECTIONS: dict[str, Callable[[NDArray[np.float64]], NDArray[np.float64]]] = {
    "none": np.copy,
    "holm": significance.holm,
    "bh": significance.benjamini_hochberg,
}


class _Group(NamedTuple):
    """Systems with scores in the same evals of one matrix, and the pairs of them to test there.

    matrix: its place. evals: a mask. systems, pairs: rows of the matrix.
    """

    matrix: int
    evals: NDArray[np.bool_]
    systems: list[int]
    pairs: list[tuple[int, int]]

    def sample(self, scores: Scores) -> tuple[NDArray[np.float64], list[tuple[int, int]]]:
        """Return the scores, systems x evals, and the pairs of their rows."""
        rows = {system: row for row, system in enumerate(self.systems)}
        values = np.ascontiguousarray(scores.values[self.systems][:, self.evals])
        return values, [(rows[system], rows[other]) for system, other in self.pairs]


def compare(
    matrices: Sequence[Scores], plan: Plan, notify: Notify, watch: significance.Watch = iter
) -> Comparison:
    """Test the systems of each metric's scores, and correct over all tests.

    watch: yields the steps of the tests as they are done, to show progress.
    Raises RougeError for fewer than two systems, and if two of them share no eval.
    """
    return compare_families([matrices], plan, notify, watch)[0]


def compare_families(
    families: Sequence[Sequence[Scores]], plan: Plan, notify: Notify, watch: significance.Watch = iter
) -> list[Comparison]:
    """Compare each family by itself, like `compare`, with shared draws."""
    matrices = [scores for family in families for scores in family]
    for scores in matrices:
        if len(scores.systems) < 2:
            raise RougeError("one system alone cannot be compared", remedy="give the scores of two")
        _remark(scores, plan, notify)
    tested, intervals = _test_pairs(matrices, plan, watch)
    comparisons = []
    start = 0
    for family in families:
        places = range(start, start := start + len(family))
        pairs = _correct([pair for place in places for pair in tested[place]], plan, notify)
        standings = [
            standing
            for place in places
            for standing in _standings(matrices[place], pairs, intervals[place], plan)
        ]
        comparisons.append(Comparison(plan, standings, pairs))
    return comparisons


def _correct(pairs: Sequence[Pair], plan: Plan, notify: Notify) -> list[Pair]:
    """Return the pairs with their p-values corrected over all of them."""
    _remark_on_least(pairs, plan, notify)
    correct = CORRECTIONS[plan.correction]
    randomization = correct(np.array([pair.randomization for pair in pairs]))
    bootstrap = correct(np.array([pair.bootstrap for pair in pairs]))
    return [
        pair._replace(randomization_corrected=float(randomized), bootstrap_corrected=float(bootstrapped))
        for pair, randomized, bootstrapped in zip(pairs, randomization, bootstrap, strict=True)
    ]


def _remark(scores: Scores, plan: Plan, notify: Notify) -> None:
    """Report which evals systems lack, and whether there are too few for any test."""
    present = ~np.isnan(scores.values)
    for system, has in zip(scores.systems, present, strict=True):
        lacking = [eval_id for eval_id, present in zip(scores.evals, has, strict=True) if not present]
        if lacking:
            lack = f"no {scores.name} in {len(lacking)} of {len(has)} evals"
            notify(
                Notice(
                    f"{system}: {lack} ({list_names(lacking)}); each pair is compared on the evals of both"
                )
            )
    fewest = int(
        min((present[first] & present[other]).sum() for first, other in _pairs_to_test(scores, plan))
    )
    if fewest < FEW:
        least = "" if fewest < 1 else f"; randomization cannot give p below {2 / 2**fewest:g}"
        notify(
            Notice(
                f"{scores.name}: only {pluralize(fewest, 'eval')}, too few for powerful tests, and for "
                f"accurate p-values and intervals of the bootstrap{least}"
            )
        )


def _remark_on_least(pairs: Sequence[Pair], plan: Plan, notify: Notify) -> None:
    """Warn if randomization cannot give any pair a corrected p below the level.

    Holm's smallest p is the smallest p times their number; without a correction, and by `bh`, it is that p.
    """
    times = len(pairs) if plan.correction == "holm" else 1
    drawn = [pair for pair in pairs if not pair.exact]
    least = 1 / (plan.trials + 1) if drawn else 2 / 2 ** max(pair.evals for pair in pairs)
    if times * least < plan.level or all(pair.evals < FEW for pair in pairs):
        return
    corrected = f"corrected over {pluralize(times, 'comparison')}, " if times > 1 else ""
    few = f"{plan.trials} trials" if drawn else pluralize(max(pair.evals for pair in pairs), "eval")
    # The bootstrap's smallest p is twice as large.
    remedies = [f"--trials {int(2 * times / plan.level)}" if drawn else "more evals"]
    remedies += ["--baseline"] if times > 1 and plan.baseline is None else []
    remedies += ["--correction bh"] if times > 1 else []
    limit = f"{corrected}{few} cannot give p below {min(times * least, 1):.2g}"
    notify(Notice(f"{limit}: use {' or '.join(remedies)}"))


def _rank(scores: Scores) -> list[int]:
    """Return the systems, best first; ties keep their order."""
    means = scores.means()
    return sorted(range(len(means)), key=lambda place: -means[place])


def _pairs_to_test(scores: Scores, plan: Plan) -> list[tuple[int, int]]:
    """Return the pairs to test: each system with the baseline, or all pairs, the better first."""
    ranked = _rank(scores)
    if plan.baseline is None:
        return list(combinations(ranked, 2))
    if plan.baseline not in scores.systems:
        raise RougeError(
            f"the baseline {plan.baseline} has no {scores.name}", remedy="choose a metric with -m LABEL"
        )
    baseline = scores.systems.index(plan.baseline)
    return [(system, baseline) for system in ranked if system != baseline]


def _groups(matrix: int, scores: Scores, plan: Plan) -> Iterator[_Group]:
    """Yield each system with its own evals, and each chosen pair with the evals of both."""
    present = ~np.isnan(scores.values)
    groups: dict[bytes, tuple[set[int], list[tuple[int, int]]]] = {}
    for system, row in enumerate(present):
        groups.setdefault(row.tobytes(), (set(), []))[0].add(system)
    for system, other in _pairs_to_test(scores, plan):
        shared = present[system] & present[other]
        if not shared.any():
            raise RougeError(
                f"{scores.systems[system]} and {scores.systems[other]} have no eval in common",
                remedy="leave one out: name the others with --system",
            )
        systems, pairs = groups.setdefault(shared.tobytes(), (set(), []))
        systems.update((system, other))
        pairs.append((system, other))
    for evals, (systems, pairs) in groups.items():
        yield _Group(matrix, np.frombuffer(evals, dtype=bool), sorted(systems), pairs)


def _test_pairs(
    matrices: Sequence[Scores], plan: Plan, watch: significance.Watch
) -> tuple[list[list[Pair]], list[dict[int, tuple[float, float]]]]:
    """Return each matrix's pairs in order, and the intervals of systems' own means by matrix and row."""
    groups = [group for place, scores in enumerate(matrices) for group in _groups(place, scores, plan)]
    groups.sort(key=lambda group: int(group.evals.sum()))  # equally many evals share their draws
    samples = (group.sample(matrices[group.matrix]) for group in groups)
    results = significance.differences(samples, plan.trials, plan.seed, plan.confidence, watch)
    tested: dict[tuple[int, int, int], Pair] = {}
    intervals: list[dict[int, tuple[float, float]]] = [{} for _ in matrices]
    for group, result in zip(groups, results, strict=True):
        scores, evals = matrices[group.matrix], int(group.evals.sum())
        if scores.parts:
            parts = [group.sample(scores._replace(values=values)) for values in scores.parts[:2]]
            of_f = significance.differences_of_f(parts, scores.parts[2], *plan[1:4])
            result = result._replace(**of_f)  # noqa: PLW2901 - of other means
        exact = significance.is_exact(evals, plan.trials)
        sizes, means = (~np.isnan(scores.values)).sum(axis=1).tolist(), scores.means()
        figures = zip(*(column.tolist() for column in result[:5]), strict=True)
        for (system, other), (plain, low, high, bootstrap, randomization) in zip(
            group.pairs, figures, strict=True
        ):
            # Averages over other evals than the pair's do not give its difference.
            value = means[system] - means[other] if sizes[system] == sizes[other] == evals else plain
            names = scores.name, scores.systems[system], scores.systems[other]
            tested[group.matrix, system, other] = Pair(
                *names, evals, Estimate(value, low, high),
                randomization, randomization, bootstrap, bootstrap, exact=exact,
                widest=_widest(scores, group.evals, system, other),
            )  # fmt: skip
        for system, low, high in zip(group.systems, *result.means.tolist(), strict=True):
            if evals == sizes[system]:
                intervals[group.matrix][system] = low, high
    pairs = [
        [tested[place, system, other] for system, other in _pairs_to_test(scores, plan)]
        for place, scores in enumerate(matrices)
    ]
    return pairs, intervals


def _widest(scores: Scores, evals: NDArray[np.bool_], system: int, other: int) -> list[Gap]:
    """Return the evals with the largest gaps above 0 between two systems, ties in the order of evals."""
    places = np.flatnonzero(evals)
    gaps = scores.values[system, places] - scores.values[other, places]
    order = np.argsort(-np.abs(gaps), kind="stable")[:WIDEST]
    return [Gap(scores.evals[places[place]], float(gaps[place])) for place in order if gaps[place]]


def _standings(
    scores: Scores, pairs: Sequence[Pair], intervals: Mapping[int, tuple[float, float]], plan: Plan
) -> Iterator[Standing]:
    ranked, means = _rank(scores), scores.means()
    letters = [""] * len(ranked)
    if plan.baseline is None:
        place = {scores.systems[system]: rank for rank, system in enumerate(ranked)}
        same = np.ones((len(ranked), len(ranked)), dtype=bool)
        for pair in pairs:
            if pair.name == scores.name and pair.randomization_corrected < plan.level:
                row, column = place[pair.system], place[pair.other]
                same[row, column] = same[column, row] = False
        letters = significance.letters(same)
    for system, letter in zip(ranked, letters, strict=True):
        name, mean = scores.systems[system], means[system]
        rank = 1 + sum(other > mean for other in means)
        evals = int((~np.isnan(scores.values[system])).sum())
        estimate, is_human = Estimate(mean, *intervals[system]), name in scores.humans
        yield Standing(scores.name, name, rank, estimate, evals, letter, is_human)
