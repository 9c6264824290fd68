"""Comparison of systems: differences, intervals, p-values and a ranking with letters.

The input is scores of single evals. Graham (2015) found that most papers compare systems by ROUGE without a
test. Two systems are compared on the evals that both have.

The tests get arrays of systems x evals, without gaps. All arrays with equally many evals share the same
draws, which are made once; sums over the drawn evals are products of matrices, and the sum of a pair is the
difference of two rows of such a product. Fifty systems, all pairs and 10,000 trials take about a second.
"""

from __future__ import annotations

from itertools import chain, combinations, count
from string import ascii_letters
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rouge_cli.core import Estimate, Notice
from rouge_cli.errors import RougeError
from rouge_cli.results._tables import list_names, pluralize
from rouge_cli.results.comparison import ComparedPair, Comparison, Gap, Plan, Standing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from rouge_cli.core import Notify
    from rouge_cli.studies.matrix import Array, Scores

    Pairs = Sequence[tuple[int, int]]
    Sample = tuple[Array, Pairs]
    Watch = Callable[[Iterable[slice]], Iterable[slice]]

FEW = 5
WIDEST = 5  # evals listed for a pair


class _Group(NamedTuple):
    """Systems with scores in the same evals of one matrix, and the pairs of them to test there."""

    matrix: int  # its place
    evals: NDArray[np.bool_]  # a mask
    systems: list[int]  # systems, pairs: rows of the matrix
    pairs: list[tuple[int, int]]

    def sample(self, scores: Scores) -> tuple[Array, list[tuple[int, int]]]:
        """Return the scores, systems x evals, and the pairs of their rows."""
        rows = {system: row for row, system in enumerate(self.systems)}
        values = np.ascontiguousarray(scores.values[self.systems][:, self.evals])
        return values, [(rows[system], rows[other]) for system, other in self.pairs]


def compare(matrices: Sequence[Scores], plan: Plan, notify: Notify, watch: Watch = iter) -> Comparison:
    """Test the systems of each metric's scores, and correct over all tests.

    Args:
        watch: Yields the steps of the tests as they are done, to show progress.

    Raises:
        RougeError: For fewer than two systems, and if two of them share no eval.
    """
    return compare_families([matrices], plan, notify, watch)[0]


def compare_families(
    families: Sequence[Sequence[Scores]], plan: Plan, notify: Notify, watch: Watch = iter
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


def _correct(pairs: Sequence[ComparedPair], plan: Plan, notify: Notify) -> list[ComparedPair]:
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


def _remark_on_least(pairs: Sequence[ComparedPair], plan: Plan, notify: Notify) -> None:
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


def _pairs_to_test(scores: Scores, plan: Plan) -> list[tuple[int, int]]:
    """Return the pairs to test: each system with the baseline, or all pairs, the better first."""
    ranked = scores.ranking()
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
    matrices: Sequence[Scores], plan: Plan, watch: Watch
) -> tuple[list[list[ComparedPair]], list[dict[int, tuple[float, float]]]]:
    """Return each matrix's pairs in order, and the intervals of systems' own means by matrix and row."""
    groups = [group for place, scores in enumerate(matrices) for group in _groups(place, scores, plan)]
    groups.sort(key=lambda group: int(group.evals.sum()))  # equally many evals share their draws
    samples = (group.sample(matrices[group.matrix]) for group in groups)
    results = differences(samples, plan.trials, plan.seed, plan.confidence, watch)
    tested: dict[tuple[int, int, int], ComparedPair] = {}
    intervals: list[dict[int, tuple[float, float]]] = [{} for _ in matrices]
    for group, result in zip(groups, results, strict=True):
        scores, evals = matrices[group.matrix], int(group.evals.sum())
        if scores.parts:
            parts = [group.sample(scores._replace(values=values)) for values in scores.parts[:2]]
            of_f = differences_of_f(parts, scores.parts[2], *plan[1:4])
            result = result._replace(**of_f)  # noqa: PLW2901 - of other means
        exact = is_exact(evals, plan.trials)
        sizes, means = (~np.isnan(scores.values)).sum(axis=1).tolist(), scores.means()
        figures = zip(*(column.tolist() for column in result[:5]), strict=True)
        for (system, other), (plain, low, high, bootstrap, randomization) in zip(
            group.pairs, figures, strict=True
        ):
            # Averages over other evals than the pair's do not give its difference.
            value = means[system] - means[other] if sizes[system] == sizes[other] == evals else plain
            names = scores.name, scores.systems[system], scores.systems[other]
            tested[group.matrix, system, other] = ComparedPair(
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
    scores: Scores, pairs: Sequence[ComparedPair], intervals: Mapping[int, tuple[float, float]], plan: Plan
) -> Iterator[Standing]:
    ranked, means = scores.ranking(), scores.means()
    letters = [""] * len(ranked)
    if plan.baseline is None:
        place = {scores.systems[system]: rank for rank, system in enumerate(ranked)}
        same = np.ones((len(ranked), len(ranked)), dtype=bool)
        for pair in pairs:
            if pair.name == scores.name and pair.randomization_corrected < plan.level:
                row, column = place[pair.system], place[pair.other]
                same[row, column] = same[column, row] = False
        letters = letter_groups(same)
    for system, letter in zip(ranked, letters, strict=True):
        name, mean = scores.systems[system], means[system]
        rank = 1 + sum(other > mean for other in means)
        evals = int((~np.isnan(scores.values[system])).sum())
        estimate, is_human = Estimate(mean, *intervals[system]), name in scores.humans
        yield Standing(scores.name, name, rank, estimate, evals, letter, is_human)


# Numbers in one product, 64 MB of doubles; another size changes the rounding of its sums.
_NUMBERS = 1 << 23
# Numbers drawn at a time: 1 MB, which fits into the processor's cache.
_CACHED = 1 << 17
# Differences of pairs held at once: 8 MB.
_DIFFERENCES = 1 << 20
# The relative rounding error of a sum whose additions are in another order.
_EQUAL = 1e-12


class Differences(NamedTuple):
    """The results for a sample: an entry for each pair, and an interval for each system."""

    value: Array  # the mean difference over the evals, first minus second
    low: Array  # low, high: its interval by the paired bootstrap
    high: Array
    bootstrap: Array  # bootstrap, randomization: p-values, two-sided
    randomization: Array
    means: Array  # the ends of the intervals of the systems' own means, 2 x systems


def differences(
    samples: Iterable[Sample], trials: int, seed: int, confidence: float, watch: Watch = iter
) -> Iterator[Differences]:
    """Yield the results for each sample: scores, and the pairs of their rows to test.

    Consecutive samples with equally many evals share their draws.

    Args:
        trials: The number of trials of each test.
        confidence: The interval's level in percent.
        watch: Yields the steps as they are done, to show progress.
    """
    ends = [(100 - confidence) / 2, (100 + confidence) / 2]
    for batch in _batches(samples, trials):
        exchanged = randomization(batch, trials, seed, watch)
        resampled = resampled_means([scores for scores, _ in batch], trials, seed, watch)
        for (scores, pairs), means, p in zip(batch, resampled, exchanged, strict=True):
            value, low, high, bootstrap = np.empty((4, len(pairs)))
            # A difference within rounding counts as none: a pair of equal systems, resampled.
            slack = _slack(scores)
            for part in _parts(len(pairs), trials, _DIFFERENCES):
                first, second = np.array(pairs[part]).T
                value[part] = (scores[first] - scores[second]).mean(axis=1)
                drawn = means[first] - means[second]
                low[part], high[part] = np.percentile(drawn, ends, axis=1)
                least = np.maximum(slack[first], slack[second])[:, None]
                against = np.minimum((drawn <= least).sum(axis=1), (drawn >= -least).sum(axis=1))
                bootstrap[part] = np.minimum(1.0, 2 * (against + 1) / (trials + 1))
            yield Differences(value, low, high, bootstrap, p, np.percentile(means, ends, axis=1))


def resampled_means(samples: Sequence[Array], trials: int, seed: int, watch: Watch = iter) -> list[Array]:
    """Return the means of systems over evals drawn with replacement: systems x trials, for each sample.

    The paired bootstrap (Koehn 2004, "Statistical significance tests for machine translation evaluation").
    Its p-value is twice the share of the samples in which the better system does not win, each count plus
    one for the data themselves; so p is below 5% if the 95% percentile interval excludes 0.
    """
    evals = samples[0].shape[1]
    random = np.random.default_rng(seed)

    def count(weights: Array, _: int) -> None:
        drawn = random.integers(0, evals, weights.shape)
        drawn += np.arange(len(drawn))[:, None] * evals
        weights[:] = np.bincount(drawn.ravel(), minlength=drawn.size).reshape(drawn.shape)

    means = _sums(samples, trials, count, watch)
    for array in means:
        np.divide(array, evals, out=array)
    return means


def differences_of_f(
    parts: Sequence[Sample], alpha: float, trials: int, seed: int, confidence: float
) -> dict[str, Array]:
    """Return values and intervals, as in Differences, if averages are the F of mean R and mean P.

    Args:
        parts: The recalls and the precisions, which see the draws of `differences`.
    """

    def f_measure(recall: Array, precision: Array) -> Array:
        weighted = (1 - alpha) * precision + alpha * recall
        return np.divide(recall * precision, weighted, out=np.zeros_like(weighted), where=weighted > 0)

    ends = [(100 - confidence) / 2, (100 + confidence) / 2]
    whole = f_measure(*(scores.mean(axis=1) for scores, _ in parts))
    means = f_measure(*resampled_means([scores for scores, _ in parts], trials, seed))
    value = np.array([whole[first] - whole[second] for first, second in parts[0][1]])
    drawn = [np.percentile(means[first] - means[second], ends) for first, second in parts[0][1]]
    low, high = np.reshape(drawn, (-1, 2)).T
    return {"value": value, "low": low, "high": high, "means": np.percentile(means, ends, axis=1)}


def randomization(samples: Sequence[Sample], trials: int, seed: int, watch: Watch = iter) -> list[Array]:
    """Return the p-values of each sample by approximate randomization, two-sided (Noreen 1989, chapter 2).

    Under the null hypothesis the scores of two systems in an eval can be exchanged, which flips the sign of
    the difference. p is the share of such exchanges whose difference is at least as large as the observed:
    (k + 1) / (trials + 1), or the share of all 2^n if these are at most as many as the trials.
    """
    evals = samples[0][0].shape[1]
    exact = is_exact(evals, trials)
    total = 1 << evals if exact else trials
    random = np.random.default_rng(seed)

    def exchange(weights: Array, start: int) -> None:
        if exact:
            bits = np.arange(start, start + len(weights))[:, None] >> np.arange(evals) & 1
        else:
            bits = random.integers(0, 2, weights.shape)
        np.multiply(bits, 2.0, out=weights)
        weights -= 1

    results = []
    drawn = _sums([scores for scores, _ in samples], total, exchange, watch)
    for (scores, pairs), sums in zip(samples, drawn, strict=True):
        observed, slack = scores.sum(axis=1), _slack(scores) * evals
        p = np.empty(len(pairs))
        for part in _parts(len(pairs), total, _DIFFERENCES):
            first, second = np.array(pairs[part]).T
            least = np.abs(observed[first] - observed[second]) - np.maximum(slack[first], slack[second])
            extreme = (np.abs(sums[first] - sums[second]) >= least[:, None]).sum(axis=1)
            p[part] = extreme / total if exact else (extreme + 1) / (total + 1)
        results.append(p)
    return results


def is_exact(evals: int, trials: int) -> bool:
    """Return True if randomization enumerates every exchange of so many evals."""
    return evals < 63 and 1 << evals <= trials


def holm(p: Array) -> Array:
    """Return p-values corrected so that 5% bounds the chance of any false alarm (Holm 1979)."""
    order = np.argsort(p)
    steps = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    corrected = np.empty_like(p)
    corrected[order] = np.minimum(steps, 1)
    return corrected


def benjamini_hochberg(p: Array) -> Array:
    """Return p-values corrected so that 5% bounds the expected share of false alarms (1995)."""
    order = np.argsort(p)[::-1]
    steps = np.minimum.accumulate(p[order] * len(p) / np.arange(len(p), 0, -1))
    corrected = np.empty_like(p)
    corrected[order] = np.minimum(steps, 1)
    return corrected


CORRECTIONS: dict[str, Callable[[Array], Array]] = {
    "none": np.copy,
    "holm": holm,
    "bh": benjamini_hochberg,
}


def letter_groups(same: NDArray[np.bool_]) -> list[str]:
    """Return the compact letter display (Piepho 2004): systems share a letter unless they differ.

    Args:
        same: Systems x systems, in the order of the ranking: True if no difference was found. Each letter
            is a group of systems of which no two differ, and every such pair is in a group. Groups are
            extended in the ranking's order, in polynomial time; finding all maximal groups could take
            exponential time.
    """
    groups: list[list[int]] = []
    covered = np.eye(len(same), dtype=bool)
    for system in range(len(same)):
        others = [other for other in range(system + 1, len(same)) if same[system, other]]
        for other in others:
            if not covered[system, other]:
                groups.append(_grown([system, other], same))
                covered[np.ix_(groups[-1], groups[-1])] = True
        if not np.delete(same[system], system).any():
            groups.append([system])
    groups.sort()
    letters_of: list[list[str]] = [[] for _ in same]
    # a to z, A to Z, a2 and so on.
    names = (f"{letter}{number}" for number in chain([""], count(2)) for letter in ascii_letters)
    for letter, group in zip(names, groups, strict=False):
        for system in group:
            letters_of[system].append(letter)
    return ["".join(names) for names in letters_of]


def _grown(group: list[int], same: NDArray[np.bool_]) -> list[int]:
    """Return the group with all systems that can be added, the best first."""
    for system in range(len(same)):
        if system not in group and all(same[system, member] for member in group):
            group.append(system)
    return sorted(group)


def _slack(scores: Array) -> Array:
    """Return the rounding error in each system's mean; that of a pair is the larger of the two."""
    slack: Array = np.abs(scores).max(axis=1, initial=0) * _EQUAL
    return slack


def _batches(samples: Iterable[Sample], trials: int) -> Iterator[list[Sample]]:
    """Yield samples that share their draws, in batches limited by the size of their sums."""
    batch: list[Sample] = []
    rows = 0
    for scores, pairs in samples:
        rows += len(scores)
        evals = scores.shape[1]
        if batch and (evals != batch[0][0].shape[1] or rows * max(evals, trials) > _NUMBERS):
            yield batch
            batch, rows = [], len(scores)
        batch.append((scores, pairs))
    if batch:
        yield batch


def _sums(
    samples: Sequence[Array], trials: int, draw: Callable[[Array, int], None], watch: Watch
) -> list[Array]:
    """Return each sample's sums over evals with the drawn weights: systems x trials.

    Args:
        draw: Fills weights (trials x evals), given the number of the first trial. Each sample is a separate
            product, so that its sums do not depend on the samples beside it, not even in rounding.
    """
    evals = samples[0].shape[1]
    sums = [np.empty((len(scores), trials)) for scores in samples]
    weights = np.empty((0, evals))
    for part in watch(_parts(trials, evals, _NUMBERS)):
        size = part.stop - part.start
        weights = weights[:size] if len(weights) else np.empty((size, evals))
        for step in _parts(size, evals, _CACHED):
            draw(weights[step], part.start + step.start)
        for scores, total in zip(samples, sums, strict=True):
            total[:, part] = scores @ weights.T
    return sums


def _parts(total: int, width: int, most: int) -> Iterator[slice]:
    """Yield slices of 0..total rows of that width, each with at most `most` numbers."""
    size = max(1, most // max(width, 1))
    for start in range(0, total, size):
        yield slice(start, min(start + size, total))
