"""Scores as arrays of systems x evals, for tests and correlations, and the pairs of
systems to test.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, combinations, compress
from math import fsum, nan
from typing import NamedTuple

import numpy as np

from rouge_cli import plugins, signature
from rouge_cli.core import Average, Notice, Notify, Report, Result
from rouge_cli.errors import RougeError, shown
from rouge_cli.results.base import figure, pluralize
from rouge_cli.scoring.columns import are_scored, ids_of, scores_of
from rouge_cli.studies.draws import Array, Mask, number_clusters
from rouge_cli.studies.intervals import SCORES, Possible
from rouge_cli.tasks import system_names

_DIALECTS = "rouge_cli.dialects"
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
    averages: Sequence[
        float
    ] = ()  # as `score` prints them, nan if undefined; empty for plain means
    # Recalls, precisions and alpha, if the average F is computed from mean recall and
    # mean precision
    parts: tuple[Array, Array, float] | None = None
    clusters: Sequence[
        str
    ] = ()  # the cluster of each eval; empty if evals are independent

    @property
    def unit(self) -> str:
        """What is independent: an eval or a cluster of evals."""
        return "cluster" if self.clusters else "eval"

    def units(self, evals: Mask) -> int:
        """Return the number of units in a selection of evals."""
        return (
            len(set(compress(self.clusters, evals)))
            if self.clusters
            else int(evals.sum())
        )

    def means(self) -> list[float]:
        """Return the systems' averages; the plain mean over evals with a score for
        an undefined average.
        """
        for system, row in zip(self.systems, self.values, strict=True):
            if np.isnan(row).all():
                raise RougeError(f"{system} has no finite {self.name}")
        plain = np.nanmean(self.values, axis=1)
        averages = np.array(self.averages) if self.averages else plain
        return [float(mean) for mean in np.where(np.isnan(averages), plain, averages)]

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
    ids_of_results = (ids_of(result.evals) for result in report.results)
    if any(
        _WITHOUT in "\n".join(ids) and any(map(_JACKKNIFED.search, ids))
        for ids in ids_of_results
    ):
        notify(Notice("the jackknifed evals of each topic are averaged into one eval"))

    def by_system(label: str, letter: str) -> dict[str, Topics]:
        return {
            row.system: _by_topic(row, letter)
            for row in report.results
            if row.label == label
        }

    by_column = {column: by_system(*column) for column in columns}
    # The same evals for every metric, so that metrics can be compared.
    lists = {
        id(ids): ids for rows in by_column.values() for ids, _ in rows.values()
    }  # metrics share them
    evals = list(dict.fromkeys(chain(*lists.values())))
    cluster_of = {
        _topic(eval_id): cluster for eval_id, cluster in (clusters or {}).items()
    }
    if clusters is not None and (
        missing := [eval_id for eval_id in evals if eval_id not in cluster_of]
    ):
        raise RougeError(
            f"no cluster of eval {shown(missing, 5)}", remedy="name each eval's cluster"
        )

    def table(rows: Mapping[str, Topics]) -> Array:
        values = [
            (
                scores
                if ids == evals
                else list(map(dict(zip(ids, scores, strict=True)).get, evals))
            )
            for ids, scores in rows.values()
        ]
        return np.array(values, np.float64).reshape(
            len(rows), len(evals)
        )  # None becomes nan

    of_evals = (
        [cluster_of[eval_id] for eval_id in evals] if clusters is not None else ()
    )
    alpha, matrices = _alpha_of_means(report.signature), []
    for (label, letter), rows in by_column.items():
        of_label = [result for result in report.results if result.label == label]
        averages = [
            (
                figure(result.average, letter).value
                if isinstance(result.average, Average)
                else nan
            )
            for result in of_label
        ]
        people = frozenset(
            result.system for result in of_label if _is_person(result, humans)
        )
        parts = None
        if alpha is not None and letter == "F" and not np.isnan(averages).any():
            parts = table(by_system(label, "R")), table(by_system(label, "P")), alpha
        name, values = f"{label} {letter}", table(rows)
        matrices.append(
            Scores(name, list(rows), evals, values, people, averages, parts, of_evals)
        )
    return matrices


def _by_topic(result: Result, letter: str) -> Topics:
    """Return the evals and their scores, jackknifed evals averaged."""
    if not result.evals:
        what = f"no scores of single evals for {result.system}, {result.label}"
        raise RougeError(what, remedy="score with --per-eval")
    if not are_scored(result.evals):
        what = f"{result.label} has only counts, which cannot be compared"
        raise RougeError(what, remedy="select other metrics with -m LABEL")
    ids, scores = ids_of(result.evals), scores_of(result.evals, "RPF".index(letter))
    if len({*ids}) < len(ids):
        repeated, _ = Counter(ids).most_common(1)[0]
        raise RougeError(
            f"eval {repeated} of system {result.system} has {result.label} twice"
        )
    if (large := np.abs(scores) > _MOST).any():
        place = int(large.argmax())
        raise RougeError(
            f"eval {ids[place]} of system {result.system}: {scores[place]:g} is not a"
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
    system, ids = result.system, ids_of(result.evals)
    is_known = system in humans or system.startswith(HUMAN)
    return is_known or all(
        eval_id == f"{_topic(eval_id)}{_WITHOUT}{system}" for eval_id in ids
    )


def _alpha_of_means(signed: str) -> float | None:
    """Return alpha if the signature's dialect computes average F from mean R and
    mean P, else None.
    """
    fields = signature.fields(signed)
    name, alpha = fields.get("dialect", ""), nan
    with suppress(KeyError, ValueError):
        alpha = float(fields["alpha"])
    is_known = 0 <= alpha <= 1 and plugins.is_known(_DIALECTS, name)
    return (
        alpha
        if is_known and plugins.module(_DIALECTS, name).DIALECT.averages_f_of_means
        else None
    )


def _topic(eval_id: str) -> str:
    return _JACKKNIFED.sub(r"\1", eval_id) if _WITHOUT in eval_id else eval_id


def remark(scores: Scores, baseline: str | None, notify: Notify) -> None:
    """Warn about missing scores and about few evals; raise RougeError if there is
    only one system.
    """
    if len(scores.systems) < 2:
        raise RougeError(
            "one system alone cannot be compared", remedy="give the scores of two"
        )
    present = ~np.isnan(scores.values)
    for system, has in zip(scores.systems, present, strict=True):
        if missing := [scores.evals[place] for place in np.flatnonzero(~has).tolist()]:
            what = (
                f"no {scores.name} in {len(missing)} of {len(has)} evals"
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
        least = (
            ""
            if fewest < 1
            else f"; randomization cannot give p below {2 / 2**fewest:g}"
        )
        few = "too few for powerful tests and for narrow intervals"
        notify(
            Notice(
                f"{scores.name}: only {pluralize(fewest, scores.unit)}, {few}{least}"
            )
        )


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
        by_evals.setdefault(row.tobytes(), (set(), []))[0].add(system)
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
    for mask, (systems, pairs) in by_evals.items():
        yield _sample(scores, np.frombuffer(mask, dtype=bool), sorted(systems), pairs)


def _sample(
    scores: Scores,
    evals: Mask,
    systems: Sequence[int],
    pairs: Iterable[tuple[int, int]],
) -> Sample:
    """Return the scores of these systems in these evals, or in their clusters."""

    def select(values: Array) -> Array:
        return np.ascontiguousarray(values[systems][:, evals])

    exchanged = resampled = select(scores.values)
    if scores.parts:
        recalls, precisions, alpha = scores.parts
        resampled = linearize_f(select(recalls), select(precisions), alpha)
    if scores.clusters:
        clusters = list(compress(scores.clusters, evals))
        exchanged, _ = by_cluster(exchanged, clusters)
        _, resampled = by_cluster(resampled, clusters)
    rows = {system: row for row, system in enumerate(systems)}
    tested = [(rows[system], rows[other]) for system, other in pairs]
    return Sample(exchanged, resampled, tested, systems, evals)


def by_cluster(scores: Array, clusters: Sequence[object]) -> tuple[Array, Array]:
    """Return `exchanged` and `resampled` of a sample whose units are clusters of evals.

    Clusters are exchanged and drawn as a whole. `resampled` has the mean over evals as
    its mean, and the deviations that make up the cluster-robust standard error of a
    mean, sum(n_c (mean_c - mean))^2.

    Args:
        scores: systems x evals.
        clusters: The cluster of each eval.
    """
    number, places = number_clusters(clusters)
    share = number / len(places)
    sums = share * np.array([np.bincount(places, row) for row in scores])
    return sums, sums + scores.mean(axis=1, keepdims=True) * (
        1 - share * np.bincount(places)
    )


def linearize_f(recalls: Array, precisions: Array, alpha: float) -> Array:
    """Return systems x evals whose means are the F of mean recall and mean precision
    (delta method).

    Recalls and precisions are systems x evals, too; alpha is the weight of precision in
    F.
    """
    recall, precision = (
        scores.mean(axis=1, keepdims=True) for scores in (recalls, precisions)
    )
    weighted = (1 - alpha) * precision + alpha * recall
    slopes = (
        np.divide(
            weight * mean**2,
            weighted**2,
            out=np.zeros_like(weighted),
            where=weighted > 0,
        )
        for weight, mean in ((1 - alpha, precision), (alpha, recall))
    )
    linear: Array = sum(
        slope * scores
        for slope, scores in zip(slopes, (recalls, precisions), strict=True)
    )
    return linear
