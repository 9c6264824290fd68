"""Scores as arrays of systems x evals, for tests and correlations, and the pairs of systems to test."""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import combinations, compress
from math import fsum, nan
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rouge_cli import dialects, plugins, signature
from rouge_cli.core import Average, Notice, Notify, Report, Result
from rouge_cli.errors import RougeError, shown
from rouge_cli.results.base import pluralize
from rouge_cli.scoring.columns import are_scored, ids_of, scores_of
from rouge_cli.studies import paired
from rouge_cli.tasks import system_names

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from rouge_cli.results.comparison import Plan
    from rouge_cli.studies.draws import Array, Mask


_MOST = 1e15  # the squares of larger scores overflow, or lose digits in a sum
FEW = 5  # fewer evals give a warning
HUMAN = "human "  # the prefix that `runs.evaluation` gives systems that are people
# The name that `settings --jackknife` gives the eval of a topic without one of its references.
_JACKKNIFED = re.compile(r"\A(.+)\.without-(.+)\Z", re.DOTALL)


class Scores(NamedTuple):
    """The scores of systems in evals, by one measure of one metric."""

    name: str  # the metric's label with R, P or F
    systems: Sequence[str]
    evals: Sequence[str]
    values: Array  # systems x evals, nan if a system has no score
    humans: frozenset[str] = frozenset()  # the systems that are people
    averages: Sequence[float] = ()  # as `score` prints them, nan if undefined; empty for plain means
    # Recalls, precisions and alpha, if the average F is computed from mean recall and mean precision
    parts: tuple[Array, Array, float] | None = None
    clusters: Sequence[str] = ()  # the cluster of each eval; empty if evals are independent

    @property
    def unit(self) -> str:
        """What is independent: an eval or a cluster of evals."""
        return "cluster" if self.clusters else "eval"

    def units(self, evals: Mask) -> int:
        """Return the number of units in a selection of evals."""
        return len(set(compress(self.clusters, evals))) if self.clusters else int(evals.sum())

    def means(self) -> list[float]:
        """Return the systems' averages; the plain mean over evals with a score for an undefined average."""
        for system, row in zip(self.systems, self.values, strict=True):
            if np.isnan(row).all():
                raise RougeError(f"{system} has no finite {self.name}")
        plain = np.nanmean(self.values, axis=1)
        averages = np.array(self.averages) if self.averages else plain
        return [float(mean) for mean in np.where(np.isnan(averages), plain, averages)]

    def ranking(self) -> list[int]:
        """Return the rows of the systems, best first; ties keep their order."""
        means = self.means()
        return sorted(range(len(means)), key=lambda row: -means[row])


def of_report(
    report: Report,
    columns: Sequence[tuple[str, str]],
    humans: Iterable[str],
    notify: Notify,
    clusters: Mapping[str, str] | None = None,
) -> list[Scores]:
    """Return the scores of a report, one matrix for each column: a label and R, P or F.

    The jackknifed evals of a topic are averaged into one eval. They share most of their references, so
    separate evals would make every test too confident.

    Args:
        humans: Systems that are people, in addition to people named in the report or by jackknifing.
        clusters: Eval -> its cluster; None if evals are independent.

    Raises:
        RougeError: If the report has no scores of single evals, or if an eval has no cluster.
    """
    humans = {*humans, *system_names.humans(report)}
    if any(_topic(eval_id) != eval_id for result in report.results for eval_id in ids_of(result.evals)):
        notify(Notice("the jackknifed evals of each topic are averaged into one eval"))

    def by_system(label: str, letter: str) -> dict[str, dict[str, float]]:
        return {
            result.system: _by_eval(result, letter) for result in report.results if result.label == label
        }

    by_column = {column: by_system(*column) for column in columns}
    alpha = _alpha_of_means(report.signature)
    # The same evals for every metric, so that metrics can be compared.
    evals = dict.fromkeys(
        _topic(eval_id) for rows in by_column.values() for row in rows.values() for eval_id in row
    )
    by_topic = {_topic(eval_id): cluster for eval_id, cluster in (clusters or {}).items()}
    if clusters is not None and (missing := [eval_id for eval_id in evals if eval_id not in by_topic]):
        raise RougeError(f"no cluster of eval {shown(missing, 5)}", remedy="name each eval's cluster")
    matrices = []
    for (label, letter), rows in by_column.items():
        averages = [
            result.average["RPF".index(letter)].value if isinstance(result.average, Average) else nan
            for result in report.results
            if result.label == label
        ]
        scores = _scores(f"{label} {letter}", rows, list(evals), humans)._replace(averages=averages)
        if alpha is not None and letter == "F" and not np.isnan(averages).any():
            recalls, precisions = (
                _scores(part, by_system(label, part), list(evals), ()).values for part in "RP"
            )
            scores = scores._replace(parts=(recalls, precisions, alpha))
        if clusters is not None:
            scores = scores._replace(clusters=[by_topic[eval_id] for eval_id in evals])
        matrices.append(scores)
    return matrices


def _by_eval(result: Result, letter: str) -> dict[str, float]:
    if not result.evals:
        raise RougeError(
            f"no scores of single evals for {result.system}, {result.label}", remedy="score with --per-eval"
        )
    if not are_scored(result.evals):
        what = f"{result.label} has only counts, which cannot be compared"
        raise RougeError(what, remedy="select other metrics with -m LABEL")
    by_eval: dict[str, float] = {}
    scores = scores_of(result.evals, "RPF".index(letter))
    for eval_id, value in zip(ids_of(result.evals), scores, strict=True):
        if eval_id in by_eval:
            raise RougeError(f"eval {eval_id} of system {result.system} has {result.label} twice")
        if abs(value) > _MOST:
            raise RougeError(f"eval {eval_id} of system {result.system}: {value:g} is not a score")
        by_eval[eval_id] = value
    return by_eval


def _scores(
    name: str, by_system: Mapping[str, Mapping[str, float]], evals: Sequence[str], humans: Collection[str]
) -> Scores:
    rows, people = [], []
    for system, by_eval in by_system.items():
        topics: dict[str, list[float]] = {}
        for eval_id, value in by_eval.items():
            topics.setdefault(_topic(eval_id), []).append(value)
        means = {topic: fsum(values) / len(values) for topic, values in topics.items()}
        rows.append([means.get(eval_id, np.nan) for eval_id in evals])
        # People are scored only in evals without their own reference.
        jackknifed = all(eval_id == f"{_topic(eval_id)}.without-{system}" for eval_id in by_eval)
        if system in humans or system.startswith(HUMAN) or jackknifed:
            people.append(system)
    values = np.array(rows).reshape(len(rows), len(evals))
    return Scores(name, list(by_system), evals, values, frozenset(people))


def _alpha_of_means(signed: str) -> float | None:
    """Return alpha if the signature's dialect computes average F from mean R and mean P, else None."""
    fields = signature.fields(signed)
    name, alpha = fields.get("dialect", ""), nan
    with suppress(KeyError, ValueError):
        alpha = float(fields["alpha"])
    is_known = 0 <= alpha <= 1 and plugins.is_known(dialects.__name__, name)
    return alpha if is_known and dialects.named(name).averages_f_of_means else None


def _topic(eval_id: str) -> str:
    return _JACKKNIFED.sub(r"\1", eval_id) if ".without-" in eval_id else eval_id


class Group(NamedTuple):
    """Systems with scores in the same evals of one matrix, and the pairs to test on these evals."""

    matrix: int  # the index of the matrix
    evals: Mask  # a mask of its evals
    systems: list[int]  # rows of the matrix
    pairs: list[tuple[int, int]]  # pairs of rows

    def sample(self, scores: Scores) -> paired.Sample:
        """Return the scores of the units, and the pairs of rows to test."""

        def select(values: Array) -> Array:
            return np.ascontiguousarray(values[self.systems][:, self.evals])

        rows = {system: row for row, system in enumerate(self.systems)}
        pairs = [(rows[system], rows[other]) for system, other in self.pairs]
        exchanged = resampled = select(scores.values)
        if scores.parts:
            recalls, precisions, alpha = scores.parts
            resampled = paired.linearize_f(select(recalls), select(precisions), alpha)
        if scores.clusters:
            clusters = list(compress(scores.clusters, self.evals))
            exchanged, _ = paired.by_cluster(exchanged, clusters)
            _, resampled = paired.by_cluster(resampled, clusters)
        return paired.Sample(exchanged, resampled, pairs)


def remark(scores: Scores, plan: Plan, notify: Notify) -> None:
    """Warn about systems without a score in some evals, and about few evals.

    Raises:
        RougeError: If there are fewer than two systems.
    """
    if len(scores.systems) < 2:
        raise RougeError("one system alone cannot be compared", remedy="give the scores of two")
    present = ~np.isnan(scores.values)
    for system, has in zip(scores.systems, present, strict=True):
        missing = [eval_id for eval_id, present in zip(scores.evals, has, strict=True) if not present]
        if missing:
            what = f"no {scores.name} in {len(missing)} of {len(has)} evals ({shown(missing, 5)})"
            notify(Notice(f"{system}: {what}; each pair is compared on the evals of both"))
    pairs = pairs_to_test(scores, plan)
    fewest = min(scores.units(present[first] & present[other]) for first, other in pairs)
    if fewest < FEW:
        least = "" if fewest < 1 else f"; randomization cannot give p below {2 / 2**fewest:g}"
        few = "too few for powerful tests and for narrow intervals"
        notify(Notice(f"{scores.name}: only {pluralize(fewest, scores.unit)}, {few}{least}"))


def pairs_to_test(scores: Scores, plan: Plan) -> list[tuple[int, int]]:
    """Return the pairs to test: each system with the baseline, or all pairs, the better system first."""
    ranked = scores.ranking()
    if plan.baseline is None:
        return list(combinations(ranked, 2))
    if plan.baseline not in scores.systems:
        remedy = "choose a metric with -m LABEL"
        raise RougeError(f"the baseline {plan.baseline} has no {scores.name}", remedy=remedy)
    baseline = scores.systems.index(plan.baseline)
    return [(system, baseline) for system in ranked if system != baseline]


def groups(matrix: int, scores: Scores, plan: Plan) -> Iterator[Group]:
    """Yield groups: each system with all its evals, and each pair to test with the evals of both."""
    present = ~np.isnan(scores.values)
    by_evals: dict[bytes, tuple[set[int], list[tuple[int, int]]]] = {}
    for system, row in enumerate(present):
        by_evals.setdefault(row.tobytes(), (set(), []))[0].add(system)
    for system, other in pairs_to_test(scores, plan):
        shared = present[system] & present[other]
        if not shared.any():
            what = f"{scores.systems[system]} and {scores.systems[other]} have no eval in common"
            raise RougeError(what, remedy="leave one out: name the others with --system")
        systems, pairs = by_evals.setdefault(shared.tobytes(), (set(), []))
        systems.update((system, other))
        pairs.append((system, other))
    for evals, (systems, pairs) in by_evals.items():
        yield Group(matrix, np.frombuffer(evals, dtype=bool), sorted(systems), pairs)
