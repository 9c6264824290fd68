"""Scores as arrays of systems x evals, for tests and correlations, and the pairs of
systems to test.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, combinations, compress, islice
from math import fsum, nan
from operator import le
from typing import NamedTuple

import numpy as np

from rouge_cli import dialects, plugins, signature
from rouge_cli.core import Average, Notice, Notify, Report, Result
from rouge_cli.errors import RougeError, shown
from rouge_cli.results import lengths
from rouge_cli.results.lengths import Lengths
from rouge_cli.results.printed import figure, pluralize
from rouge_cli.scoring.columns import are_scored, ids_of, scores_of
from rouge_cli.studies.draws import Array, Mask, Places, number_clusters
from rouge_cli.studies.intervals import FEWEST, SCORES, Possible
from rouge_cli.tasks import system_names

Topics = tuple[Sequence[str], Sequence[float]]  # evals, all different, and their scores
_MOST = 1e15  # the squares of larger scores overflow, or lose digits in a sum
FEW = 5  # fewer evals give a warning
HUMAN = "human "  # the prefix that `runs.evaluation` gives systems that are people
# The name that `settings --jackknife` gives the eval of a topic without one of its
# references.
_WITHOUT = ".without-"
_JACKKNIFED = re.compile(rf"\A(.+){re.escape(_WITHOUT)}(.+)\Z", re.DOTALL)


class Scores(NamedTuple):
    """The scores of systems in evals, by one measure of one metric."""

    name: str  # the metric's label with R, P or F
    systems: Sequence[str]
    evals: Sequence[str]
    values: Array  # systems x evals, nan if a system has no score
    humans: frozenset[str] = frozenset()  # the systems that are people
    # as `score` prints them, nan if undefined; empty for plain means
    averages: Sequence[float] = ()
    # Recalls, precisions and alpha, if the average F is computed from mean recall and
    # mean precision
    parts: tuple[Array, Array, float] | None = None
    # the cluster of each eval; empty if evals are independent
    clusters: Sequence[str] = ()
    lengths: Mapping[str, Lengths] = {}  # of each system's texts, if they are known

    @property
    def unit(self) -> str:
        """What is independent: an eval or a cluster of evals."""
        return "cluster" if self.clusters else "eval"

    def units(self, evals: Mask) -> int:
        """Return the number of units in a selection of evals."""
        if self.clusters:
            return len(set(compress(self.clusters, evals)))
        return int(evals.sum())

    def means(self) -> list[float]:
        """Return the systems' averages; the plain mean over evals with a score for
        an undefined average.
        """
        for system, row in zip(self.systems, self.values, strict=True):
            if np.isnan(row).all():
                raise RougeError(f"{system} has no finite {self.name}")

        plain = np.nanmean(self.values, axis=1)
        if not self.averages:
            return [float(mean) for mean in plain]
        averages = np.array(self.averages)
        printed = np.where(np.isnan(averages), plain, averages)
        return [float(mean) for mean in printed]

    def sizes(self) -> list[int]:
        """Return the systems' numbers of evals with a score."""
        sizes: list[int] = (~np.isnan(self.values)).sum(axis=1).tolist()
        return sizes

    def possible(self) -> Possible:
        """Return the possible scores: 0 to 1 if all scores are, else all numbers."""
        values = self.values[~np.isnan(self.values)]
        is_share = values.min() >= SCORES.low and values.max() <= SCORES.high + 1e-9
        return SCORES if is_share else Possible()

    def ranking(self) -> list[int]:
        """Return the rows of the systems, best first; ties keep their order."""
        means = self.means()
        return sorted(range(len(means)), key=lambda row: -means[row])


class Sample(NamedTuple):
    """The scores of systems in the same units, and the pairs of systems to test."""

    # systems x units: two systems may exchange these without changing other units
    exchanged: Array
    resampled: Array  # systems x units, whose means are the systems' averages
    pairs: Sequence[tuple[int, int]]  # of rows
    systems: Sequence[int] = ()  # their rows in the matrix of scores
    evals: Mask = np.ones(0, dtype=bool)  # the evals in the columns of that matrix
    # the numbers of evals in clusters of unequal sizes, divided by their mean; empty
    # for units of equal sizes
    sizes: Array = np.ones(0)

    @property
    def kind(self) -> tuple[int, bool]:
        """What samples that share draws have in common: the number of units, and
        whether these are clusters of unequal sizes.
        """
        return self.exchanged.shape[1], len(self.sizes) > 0


def of_report(
    report: Report,
    columns: Sequence[tuple[str, str]],
    humans: Iterable[str],
    notify: Notify,
    clusters: Mapping[str, str] | None = None,
) -> list[Scores]:
    """Return the scores of a report, one matrix for each column: a label and R, P or F.

    The jackknifed evals of a topic are averaged into one eval. They share most of their
    references, so separate evals would make every test too confident.

    Args:
        humans: Systems that are people, in addition to people named in the report or by
            jackknifing.
        clusters: Eval -> its cluster; None if evals are independent.

    Raises:
        RougeError: If the report has no scores of single evals, or if an eval has no
            cluster.
    """
    humans = {*humans, *system_names.humans(report)}
    if _is_jackknifed(report):
        notify(Notice("the jackknifed evals of each topic are averaged into one eval"))

    by_column = {}
    for label, letter in columns:
        by_column[label, letter] = _by_system(report, label, letter)
    evals = _all_evals(by_column.values())
    cluster_of_evals: Sequence[str] = ()
    if clusters is not None:
        cluster_of_evals = _clusters_of(evals, clusters)

    of_systems = lengths.of_report(report)
    alpha = _alpha_of_means(report.signature)
    matrices = []
    for (label, letter), rows in by_column.items():
        of_label = [result for result in report.results if result.label == label]
        averages = [_printed_average(result, letter) for result in of_label]
        people = frozenset(
            result.system for result in of_label if _is_person(result, humans)
        )

        parts = None
        if alpha is not None and letter == "F" and not np.isnan(averages).any():
            recalls = _table(_by_system(report, label, "R"), evals)
            precisions = _table(_by_system(report, label, "P"), evals)
            parts = (recalls, precisions, alpha)

        scores = Scores(
            name=f"{label} {letter}",
            systems=list(rows),
            evals=evals,
            values=_table(rows, evals),
            humans=people,
            averages=averages,
            parts=parts,
            clusters=cluster_of_evals,
            lengths=of_systems,
        )
        matrices.append(scores)
    return matrices


def _is_jackknifed(report: Report) -> bool:
    """Return True if a result has a jackknifed eval."""
    for result in report.results:
        ids = ids_of(result.evals)
        # One search in all IDs is faster than a pattern for each.
        if _WITHOUT in "\n".join(ids) and any(map(_JACKKNIFED.search, ids)):
            return True
    return False


def _by_system(report: Report, label: str, letter: str) -> dict[str, Topics]:
    """Return system -> its evals and their scores, by one measure of one metric."""
    return {
        result.system: _by_topic(result, letter)
        for result in report.results
        if result.label == label
    }


def _all_evals(columns: Iterable[Mapping[str, Topics]]) -> list[str]:
    """Return the evals of any system in any column: every metric gets the same evals,
    so that metrics can be compared.
    """
    # Metrics share their lists of evals, so each list is read once.
    lists: dict[int, Sequence[str]] = {}
    for rows in columns:
        for ids, _ in rows.values():
            lists[id(ids)] = ids
    return list(dict.fromkeys(chain(*lists.values())))


def _clusters_of(evals: Sequence[str], clusters: Mapping[str, str]) -> list[str]:
    """Return the cluster of each eval; raise RougeError if an eval has none."""
    cluster_of = {_topic(eval_id): cluster for eval_id, cluster in clusters.items()}
    missing = [eval_id for eval_id in evals if eval_id not in cluster_of]
    if missing:
        raise RougeError(
            f"no cluster of eval {shown(missing, 5)}", remedy="name each eval's cluster"
        )
    return [cluster_of[eval_id] for eval_id in evals]


def _table(rows: Mapping[str, Topics], evals: Sequence[str]) -> Array:
    """Return systems x evals, nan if a system has no score in an eval."""
    values: list[Sequence[float | None]] = []
    for ids, scores in rows.values():
        if ids == evals:
            values.append(scores)
        else:
            score_of = dict(zip(ids, scores, strict=True))
            values.append([score_of.get(eval_id) for eval_id in evals])
    # None becomes nan.
    return np.array(values, np.float64).reshape(len(rows), len(evals))


def _printed_average(result: Result, letter: str) -> float:
    """Return the average of a result by a measure; nan if it has only counts."""
    if isinstance(result.average, Average):
        return figure(result.average, letter).value
    return nan


def _by_topic(result: Result, letter: str) -> Topics:
    """Return the evals and their scores, jackknifed evals averaged."""
    if not result.evals:
        what = f"no scores of single evals for {result.system}, {result.label}"
        raise RougeError(what, remedy="score with --per-eval")
    if not are_scored(result.evals):
        what = f"{result.label} has only counts, which cannot be compared"
        remedy = "score with --average macro, or select other metrics with -m LABEL"
        raise RougeError(what, remedy=remedy)

    ids = ids_of(result.evals)
    scores = scores_of(result.evals, "RPF".index(letter))
    if len({*ids}) < len(ids):
        repeated, _ = Counter(ids).most_common(1)[0]
        raise RougeError(
            f"eval {repeated} of system {result.system} has {result.label} twice"
        )
    large = np.abs(scores) > _MOST
    if large.any():
        index = int(large.argmax())
        raise RougeError(
            f"eval {ids[index]} of system {result.system}: {scores[index]:g} is not a"
            " score"
        )

    if _WITHOUT not in "\n".join(ids):
        return ids, scores
    topics: dict[str, list[float]] = {}
    for eval_id, value in zip(ids, scores, strict=True):
        topics.setdefault(_topic(eval_id), []).append(value)
    return list(topics), [fsum(values) / len(values) for values in topics.values()]


def _is_person(result: Result, humans: Collection[str]) -> bool:
    """Return True for a person, who is scored only in evals without the own
    reference if jackknifed.
    """
    system = result.system
    if system in humans or system.startswith(HUMAN):
        return True
    return all(
        eval_id == f"{_topic(eval_id)}{_WITHOUT}{system}"
        for eval_id in ids_of(result.evals)
    )


def _alpha_of_means(signed: str) -> float | None:
    """Return alpha if the signature's dialect computes average F from mean R and
    mean P, else None.
    """
    fields = signature.fields(signed)
    name = fields.get("dialect", "")
    alpha = nan
    with suppress(KeyError, ValueError):
        alpha = float(fields["alpha"])
    if not 0 <= alpha <= 1 or not plugins.is_known(dialects.__name__, name):
        return None
    return alpha if dialects.named(name).averages_f_of_means else None


def _topic(eval_id: str) -> str:
    """Return the topic of a jackknifed eval; other evals are their own topics."""
    if _WITHOUT not in eval_id:
        return eval_id
    return _JACKKNIFED.sub(r"\1", eval_id)


def remark(scores: Scores, baseline: str | None, notify: Notify) -> None:
    """Warn about missing scores and about few evals; raise RougeError if there is
    only one system.
    """
    if len(scores.systems) < 2:
        raise RougeError(
            "one system alone cannot be compared", remedy="give the scores of two"
        )
    present = ~np.isnan(scores.values)
    for system, has_score in zip(scores.systems, present, strict=True):
        missing = [scores.evals[index] for index in np.flatnonzero(~has_score).tolist()]
        if missing:
            what = (
                f"no {scores.name} in {len(missing)} of {len(has_score)} evals"
                f" ({shown(missing, 5)})"
            )
            notify(
                Notice(f"{system}: {what}; each pair is compared on the evals of both")
            )

    pairs = pairs_to_test(scores, baseline)
    fewest = min(
        scores.units(present[first] & present[other]) for first, other in pairs
    )
    if fewest < FEW:
        least = ""
        if fewest > 0:
            least = f"; randomization cannot give p below {2 / 2**fewest:g}"
        few = "too few for powerful tests and for narrow intervals"
        units = pluralize(fewest, scores.unit)
        notify(Notice(f"{scores.name}: only {units}, {few}{least}"))
    if scores.clusters:
        _remark_on_sizes(scores, notify)


def _remark_on_sizes(scores: Scores, notify: Notify) -> None:
    """Warn if few clusters have most evals."""
    sizes = Counter(scores.clusters)
    effective = effective_clusters(scores.clusters)
    if len(sizes) < FEWEST or effective >= FEWEST:
        return
    name, largest = sizes.most_common(1)[0]
    share = largest / len(scores.clusters)
    what = (
        f"cluster {name} has {share:.0%} of the evals, so that {len(sizes)} clusters"
        f" tell as much as {effective:.1f} of equal sizes"
    )
    notify(Notice(f"{scores.name}: {what}; expect wide intervals"))


def pairs_to_test(scores: Scores, baseline: str | None) -> list[tuple[int, int]]:
    """Return the pairs to test: each system with the baseline, or all pairs, the
    better system first.
    """
    ranked = scores.ranking()
    if baseline is None:
        return list(combinations(ranked, 2))
    if baseline not in scores.systems:
        remedy = "choose a metric with -m LABEL"
        raise RougeError(f"the baseline {baseline} has no {scores.name}", remedy=remedy)
    other = scores.systems.index(baseline)
    return [(system, other) for system in ranked if system != other]


def samples(scores: Scores, baseline: str | None) -> Iterator[Sample]:
    """Yield samples: each system with all its evals, and each pair to test with the
    evals of both.
    """
    present = ~np.isnan(scores.values)
    by_evals: dict[bytes, tuple[set[int], list[tuple[int, int]]]] = {}
    for system, row in enumerate(present):
        systems, _ = by_evals.setdefault(row.tobytes(), (set(), []))
        systems.add(system)

    for system, other in pairs_to_test(scores, baseline):
        shared = present[system] & present[other]
        if not shared.any():
            what = (
                f"{scores.systems[system]} and {scores.systems[other]} have no eval in"
                " common"
            )
            raise RougeError(
                what, remedy="leave one out: name the others with --system"
            )
        systems, pairs = by_evals.setdefault(shared.tobytes(), (set(), []))
        systems.update((system, other))
        pairs.append((system, other))

    columns = _in_order(scores.evals)
    for mask, (systems, pairs) in by_evals.items():
        evals = np.frombuffer(mask, dtype=bool)
        yield _sample(scores, columns[evals[columns]], sorted(systems), pairs)


def _in_order(evals: Sequence[str]) -> Places:
    """Return the columns of the evals in the order of their IDs, so that draws and p do
    not depend on the order of records: short IDs first, which orders numbers.
    """
    keys = [(len(eval_id), eval_id) for eval_id in evals]
    columns = np.arange(len(keys))
    if all(map(le, keys, islice(keys, 1, None))):
        return columns
    return np.array(sorted(columns.tolist(), key=keys.__getitem__), dtype=np.intp)


def _sample(
    scores: Scores,
    columns: Places,
    systems: Sequence[int],
    pairs: Iterable[tuple[int, int]],
) -> Sample:
    """Return the scores of these systems in the evals of these columns, or in their
    clusters.
    """

    def select(values: Array) -> Array:
        return np.ascontiguousarray(values[systems][:, columns])

    exchanged = resampled = select(scores.values)
    if scores.parts:
        recalls, precisions, alpha = scores.parts
        resampled = linearize_f(select(recalls), select(precisions), alpha)
    sizes = np.ones(0)
    if scores.clusters:
        clusters = [scores.clusters[column] for column in columns.tolist()]
        exchanged, _ = by_cluster(exchanged, clusters)
        _, resampled = by_cluster(resampled, clusters)
        sizes = unequal_sizes(clusters)
    evals = np.zeros(len(scores.evals), dtype=bool)
    evals[columns] = True
    rows = {system: row for row, system in enumerate(systems)}
    tested = [(rows[system], rows[other]) for system, other in pairs]
    return Sample(
        exchanged=exchanged,
        resampled=resampled,
        pairs=tested,
        systems=systems,
        evals=evals,
        sizes=sizes,
    )


def unequal_sizes(clusters: Sequence[object]) -> Array:
    """Return the numbers of evals in the clusters, divided by their mean; empty if all
    are equal.
    """
    _, cluster_of_evals = number_clusters(clusters)
    numbers = np.bincount(cluster_of_evals)
    if (numbers == numbers[0]).all():
        return np.ones(0)
    sizes: Array = numbers / numbers.mean()
    return sizes


def effective_clusters(clusters: Sequence[object]) -> float:
    """Return how many clusters of equal sizes would tell as much as these: the squared
    sum of their sizes, divided by the sum of the squares (Kish 1965).
    """
    _, cluster_of_evals = number_clusters(clusters)
    numbers = np.bincount(cluster_of_evals).astype(np.float64)
    return float(numbers.sum() ** 2 / np.square(numbers).sum())


def by_cluster(scores: Array, clusters: Sequence[object]) -> tuple[Array, Array]:
    """Return `exchanged` and `resampled` of a sample whose units are clusters of evals.

    Clusters are exchanged and drawn as a whole. `resampled` has the mean over evals as
    its mean, and the deviations that make up the cluster-robust standard error of a
    mean, sum(n_c (mean_c - mean))^2.

    Args:
        scores: systems x evals.
        clusters: The cluster of each eval.
    """
    number, cluster_of_evals = number_clusters(clusters)
    share = number / len(cluster_of_evals)
    sums = share * np.array([np.bincount(cluster_of_evals, row) for row in scores])
    means = scores.mean(axis=1, keepdims=True)
    return sums, sums + means * (1 - share * np.bincount(cluster_of_evals))


def linearize_f(recalls: Array, precisions: Array, alpha: float) -> Array:
    """Return systems x evals whose means are the F of mean recall and mean precision
    (delta method).

    Recalls and precisions are systems x evals, too; alpha is the weight of precision in
    F.
    """
    recall = recalls.mean(axis=1, keepdims=True)
    precision = precisions.mean(axis=1, keepdims=True)
    weighted = (1 - alpha) * precision + alpha * recall

    def slope(numerator: Array) -> Array:
        slopes: Array = np.zeros_like(weighted)
        np.divide(numerator, weighted**2, out=slopes, where=weighted > 0)
        return slopes

    of_recall = slope((1 - alpha) * precision**2)
    of_precision = slope(alpha * recall**2)
    linear: Array = of_recall * recalls + of_precision * precisions
    return linear
