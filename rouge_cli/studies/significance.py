"""Comparison of systems: differences, intervals, p-values and a ranking with letters.

Graham (2015) found that most papers compare systems by ROUGE without a test. The input is scores of single
evals. Two systems are compared on the evals that both have.

The tests get arrays of systems x evals without gaps. Arrays with the same number of evals share their
random draws. Sums over drawn evals are products of matrices, and the sum of a pair is the difference of two
rows of the product. Fifty systems, all pairs and 10,000 trials take about a second.
"""

from __future__ import annotations

from itertools import chain, combinations, count, islice
from string import ascii_letters
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rouge_cli.core import Estimate, Notice, Notify
from rouge_cli.errors import RougeError
from rouge_cli.results._tables import list_names, pluralize
from rouge_cli.results.comparison import ComparedPair, Comparison, Gap, Plan, Standing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from rouge_cli.studies.matrix import Array, Scores

    Pairs = Sequence[tuple[int, int]]
    Sample = tuple[Array, Pairs]
    Watch = Callable[[Iterable[slice]], Iterable[slice]]

FEW = 5  # fewer evals give a warning
WIDEST = 5  # evals listed for a pair


class _Group(NamedTuple):
    """Systems with scores in the same evals of one matrix, and the pairs to test on these evals."""

    matrix: int  # the index of the matrix
    evals: NDArray[np.bool_]  # a mask of its evals
    systems: list[int]  # rows of the matrix
    pairs: list[tuple[int, int]]  # pairs of rows

    def sample(self, scores: Scores) -> tuple[Array, list[tuple[int, int]]]:
        """Return the scores (systems x evals), and the pairs of rows to test."""
        rows = {system: row for row, system in enumerate(self.systems)}
        values = np.ascontiguousarray(scores.values[self.systems][:, self.evals])
        return values, [(rows[system], rows[other]) for system, other in self.pairs]


def compare(matrices: Sequence[Scores], plan: Plan, notify: Notify, watch: Watch = iter) -> Comparison:
    """Test the systems of each metric's scores, and correct over all tests; `watch` shows progress.

    Raises:
        RougeError: If there are fewer than two systems, or if two systems have no eval in common.
    """
    return compare_families([matrices], plan, notify, watch)[0]


def compare_families(
    families: Sequence[Sequence[Scores]], plan: Plan, notify: Notify, watch: Watch = iter
) -> list[Comparison]:
    """Compare each family separately, like `compare`; all families share the random draws."""
    matrices = [scores for family in families for scores in family]
    for scores in matrices:
        if len(scores.systems) < 2:
            raise RougeError("one system alone cannot be compared", remedy="give the scores of two")
        _remark(scores, plan, notify)
    tested, intervals = _test_pairs(matrices, plan, watch)
    comparisons = []
    results = zip(tested, intervals, strict=True)
    for family in families:
        of_family = list(islice(results, len(family)))
        pairs = _correct([pair for pairs, _ in of_family for pair in pairs], plan, notify)
        standings = [
            standing
            for scores, (_, ends) in zip(family, of_family, strict=True)
            for standing in _standings(scores, pairs, ends, plan)
        ]
        comparisons.append(Comparison(plan, standings, pairs))
    return comparisons


def _correct(pairs: Sequence[ComparedPair], plan: Plan, notify: Notify) -> list[ComparedPair]:
    """Return the pairs with their p-values corrected over all of them."""
    _remark_on_least(pairs, plan, notify)
    correct = CORRECTIONS[plan.correction]
    randomization = correct(np.array([pair.randomization for pair in pairs])).tolist()
    bootstrap = correct(np.array([pair.bootstrap for pair in pairs])).tolist()
    return [
        pair._replace(randomization_corrected=randomized, bootstrap_corrected=resampled)
        for pair, randomized, resampled in zip(pairs, randomization, bootstrap, strict=True)
    ]


def _remark(scores: Scores, plan: Plan, notify: Notify) -> None:
    """Warn about systems without a score in some evals, and about few evals."""
    present = ~np.isnan(scores.values)
    for system, has in zip(scores.systems, present, strict=True):
        missing = [eval_id for eval_id, present in zip(scores.evals, has, strict=True) if not present]
        if missing:
            what = f"no {scores.name} in {len(missing)} of {len(has)} evals ({list_names(missing)})"
            notify(Notice(f"{system}: {what}; each pair is compared on the evals of both"))
    pairs = _pairs_to_test(scores, plan)
    fewest = int(min((present[first] & present[other]).sum() for first, other in pairs))
    if fewest < FEW:
        least = "" if fewest < 1 else f"; randomization cannot give p below {2 / 2**fewest:g}"
        few = "too few for powerful tests, and for accurate p-values and intervals of the bootstrap"
        notify(Notice(f"{scores.name}: only {pluralize(fewest, 'eval')}, {few}{least}"))


def _remark_on_least(pairs: Sequence[ComparedPair], plan: Plan, notify: Notify) -> None:
    """Warn if randomization cannot give any pair a corrected p below the level.

    Holm's correction multiplies the smallest p by the number of comparisons. `bh` may leave it unchanged.
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
    """Return the pairs to test: each system with the baseline, or all pairs, the better system first."""
    ranked = scores.ranking()
    if plan.baseline is None:
        return list(combinations(ranked, 2))
    if plan.baseline not in scores.systems:
        remedy = "choose a metric with -m LABEL"
        raise RougeError(f"the baseline {plan.baseline} has no {scores.name}", remedy=remedy)
    baseline = scores.systems.index(plan.baseline)
    return [(system, baseline) for system in ranked if system != baseline]


def _groups(matrix: int, scores: Scores, plan: Plan) -> Iterator[_Group]:
    """Yield groups: each system with all its evals, and each pair to test with the evals of both."""
    present = ~np.isnan(scores.values)
    groups: dict[bytes, tuple[set[int], list[tuple[int, int]]]] = {}
    for system, row in enumerate(present):
        groups.setdefault(row.tobytes(), (set(), []))[0].add(system)
    for system, other in _pairs_to_test(scores, plan):
        shared = present[system] & present[other]
        if not shared.any():
            what = f"{scores.systems[system]} and {scores.systems[other]} have no eval in common"
            raise RougeError(what, remedy="leave one out: name the others with --system")
        systems, pairs = groups.setdefault(shared.tobytes(), (set(), []))
        systems.update((system, other))
        pairs.append((system, other))
    for evals, (systems, pairs) in groups.items():
        yield _Group(matrix, np.frombuffer(evals, dtype=bool), sorted(systems), pairs)


def _test_pairs(
    matrices: Sequence[Scores], plan: Plan, watch: Watch
) -> tuple[list[list[ComparedPair]], list[dict[int, tuple[float, float]]]]:
    """Return the tested pairs of each matrix in order, and for each matrix row -> interval of its mean."""
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
            result = result._replace(**of_f)  # noqa: PLW2901 - other means, the same tests
        exact = is_exact(evals, plan.trials)
        sizes, means = (~np.isnan(scores.values)).sum(axis=1).tolist(), scores.means()
        results_of_pairs = zip(*(column.tolist() for column in result[:5]), strict=True)
        for (system, other), (plain, low, high, bootstrap, randomization) in zip(
            group.pairs, results_of_pairs, strict=True
        ):
            # If a system has more evals than the pair, its average does not give the pair's difference.
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
    """Return the evals with the largest differences between two systems, without differences of 0."""
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


_NUMBERS = 1 << 23  # in one product: 64 MB of doubles. Another size changes the rounding of sums.
_CACHED = 1 << 17  # numbers drawn at a time: 1 MB, which fits into the processor's cache
_DIFFERENCES = 1 << 20  # of pairs, in memory at a time: 8 MB
_EQUAL = 1e-12  # the relative rounding error of a sum if the order of additions changes


class Differences(NamedTuple):
    """The results for a sample: arrays with an entry for each pair, and the intervals of the systems."""

    value: Array  # the mean difference over the evals, first minus second
    low: Array  # the lower end of its interval by the paired bootstrap
    high: Array  # the upper end
    bootstrap: Array  # p-values of the paired bootstrap, two-sided
    randomization: Array  # p-values of approximate randomization, two-sided
    means: Array  # the ends of the intervals of the systems' means, 2 x systems


def differences(
    samples: Iterable[Sample], trials: int, seed: int, confidence: float, watch: Watch = iter
) -> Iterator[Differences]:
    """Yield the results for each sample: scores (systems x evals) and the pairs of rows to test.

    Consecutive samples with the same number of evals share their draws. The confidence is in percent;
    `watch` yields the steps as they are done, to show progress.
    """
    ends = [(100 - confidence) / 2, (100 + confidence) / 2]
    for batch in _batches(samples, trials):
        exchanged = randomization(batch, trials, seed, watch)
        resampled = resampled_means([scores for scores, _ in batch], trials, seed, watch)
        for (scores, pairs), means, p in zip(batch, resampled, exchanged, strict=True):
            value, low, high, bootstrap = np.empty((4, len(pairs)))
            # Resampled differences of equal systems may not be exactly 0, so rounding errors count as 0.
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
    """Return, for each sample, the means of systems over evals drawn with replacement: systems x trials.

    This is the paired bootstrap (Koehn 2004, "Statistical significance tests for machine translation
    evaluation"). Its p-value is twice the share of trials in which the better system does not win. Both
    numbers of the share include the data themselves, as one more trial. So p is below 5% if the 95%
    percentile interval excludes 0.
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
    """Return fields of Differences for averages that are the F of mean R and mean P.

    Args:
        parts: The recalls and the precisions. They get the same draws as in `differences`.
        alpha: The weight of precision in F.
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
    """Return the two-sided p-values of each sample by approximate randomization (Noreen 1989, chapter 2).

    Under the null hypothesis, the scores of two systems in an eval can be exchanged, which changes the sign
    of their difference. p is the share of exchanges whose difference is at least as large as the observed
    difference: (k + 1) / (trials + 1). If there are at most as many exchanges as trials, all 2^n exchanges
    are enumerated, and p is their share.
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
    """Return True if randomization enumerates every exchange of that many evals."""
    return evals < 63 and 1 << evals <= trials


def holm(p: Array) -> Array:
    """Return p-values corrected so that p < 5% bounds the probability of any false positive (Holm 1979)."""
    order = np.argsort(p)
    steps = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    return np.minimum(steps, 1)[np.argsort(order)]


def benjamini_hochberg(p: Array) -> Array:
    """Return p-values corrected so that p < 5% bounds the false discovery rate (1995)."""
    order = np.argsort(p)[::-1]
    steps = np.minimum.accumulate(p[order] * len(p) / np.arange(len(p), 0, -1))
    return np.minimum(steps, 1)[np.argsort(order)]


CORRECTIONS: dict[str, Callable[[Array], Array]] = {"none": np.copy, "holm": holm, "bh": benjamini_hochberg}


def letter_groups(same: NDArray[np.bool_]) -> list[str]:
    """Return the compact letter display (Piepho 2004): systems share a letter unless they differ.

    Each letter stands for a group of systems of which no two differ, and every such pair is in a group.
    Groups are extended in the order of the ranking, in polynomial time. To find all maximal groups could
    take exponential time.

    Args:
        same: Systems x systems, in the order of the ranking; True if no difference was found.
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
    """Return the possible rounding error of each system's mean."""
    slack: Array = np.abs(scores).max(axis=1, initial=0) * _EQUAL
    return slack


def _batches(samples: Iterable[Sample], trials: int) -> Iterator[list[Sample]]:
    """Yield batches of samples that share their draws; the size of their sums limits a batch."""
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
    """Return, for each sample, the sums over evals with drawn weights: systems x trials.

    Each sample is a separate product, so that its sums and their rounding do not depend on other samples.
    `draw` fills an array of weights (trials x evals), given the number of the first trial.
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
    """Yield slices of `total` rows of that width; a slice has at most `most` numbers."""
    size = max(1, most // max(width, 1))
    for start in range(0, total, size):
        yield slice(start, min(start + size, total))
