"""The loop that every evaluation is: tasks x peers, through one dialect, into a report."""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING, Any, NamedTuple

from rouge_cli.core import Column, Columns, Counts, EvalResult, Notice, Report, Result, Score
from rouge_cli.scoring import formula

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rouge_cli.core import Average, Dialect, EvalTask, Notify


class Collected(NamedTuple):
    """What scoring tasks gives before anything is averaged; parts of a run add up to the whole.

    columns: (peer id, label) -> its evals. models: how many models evals had. details: the dialect's.
    """

    columns: dict[tuple[str, str], Column]
    evals: int
    models: Sequence[int]
    details: Mapping[str, Any]


def evaluate(
    tasks: Iterable[EvalTask], peer_ids: Sequence[str] | None, dialect: Dialect, notify: Notify
) -> Report:
    """Score the peers on all tasks, which may be a stream.

    peer_ids: the peers, in the report's order; None for all that the tasks have, in the order in which they
    appear. A peer that a task does not have is left out of that task, with a notice. The report holds a
    result for each peer and metric.
    """
    return finish(collect(tasks, peer_ids, dialect, notify), peer_ids, dialect, notify)


def collect(
    tasks: Iterable[EvalTask], peer_ids: Sequence[str] | None, dialect: Dialect, notify: Notify
) -> Collected:
    """Score the peers on the tasks, in their order: the part of the work that can be divided."""
    columns: dict[tuple[str, str], Column] = {}
    if not dialect.labels or (peer_ids is not None and not peer_ids):
        return Collected(columns, 0, (), {})
    by_peer: dict[str, Columns] = {}
    number = 0
    models: set[int] = set()
    for task in tasks:
        number += 1
        models.add(len(task.models))
        for peer_id in peer_ids or ():
            if not task.peers.get(peer_id):
                notify(_missing(task, peer_id))
        asked = task.peers if peer_ids is None else peer_ids
        for peer_id, by_label in dialect.score(task, asked).items():
            found = by_peer.get(peer_id)
            if found is None:
                found = by_peer[peer_id] = Columns(len(by_label))
                columns.update(zip(((peer_id, label) for label in by_label), found.columns, strict=True))
            found.append(by_label)
    return Collected(columns, number, sorted(models), dialect.details())


def together(parts: Iterable[Collected]) -> Collected:
    """The parts of one run, in its order, as one."""
    columns: dict[tuple[str, str], Column] = {}
    evals = 0
    models: set[int] = set()
    details: dict[str, Any] = {}
    for part in parts:
        evals += part.evals
        models.update(part.models)
        for key, column in part.columns.items():
            columns.setdefault(key, Column()).extend(column)
        for name, value in part.details.items():
            details[name] = _sum(details[name], value) if name in details else value
    return Collected(columns, evals, sorted(models), details)


def finish(
    collected: Collected, peer_ids: Sequence[str] | None, dialect: Dialect, notify: Notify
) -> Report:
    """Average what was collected, into a report."""
    columns = collected.columns
    if peer_ids is not None:
        asked = {(peer_id, label): Column() for peer_id in peer_ids for label in dialect.labels}
        if not asked:
            return Report(())
        columns = {**asked, **columns}
    limits = [*collected.models[:1], *collected.models[-1:]]
    found = {"evals": collected.evals, "models_per_eval": list(dict.fromkeys(limits))}
    details = {**found, **collected.details}
    if peer_ids is None:
        sizes = {peer_id: len(evals) for (peer_id, _), evals in columns.items()}
        for peer_id, size in sizes.items():
            if size < collected.evals:
                said = f"in {size} of {collected.evals} evals only, and averaged over these"
                notify(Notice(f"{peer_id}: {said}"))
    averages = dialect.average(columns)
    results = [Result(*key, averages[key], evals) for key, evals in columns.items()]
    return Report(results, details=details)


def _sum(one: Any, other: Any) -> Any:  # noqa: ANN401 - numbers, names, and mappings of them
    """Details of two parts: numbers add up, names are each there once, of two texts the first counts."""
    if isinstance(one, dict):
        return {**other, **{name: _sum(value, other.get(name, 0)) for name, value in one.items()}}
    if isinstance(one, str):
        return one or other
    return list(dict.fromkeys([*one, *other])) if isinstance(one, list) else one + other


class Jackknife:
    """A dialect that scores each peer against M sets of M - 1 models (Lin 2004, section 2.1).

    A peer's result is the mean of the M; so that people can be compared with it on equal terms, each model
    is a peer too, scored against the others. An eval with one model is scored as it is, and has no human.
    A set's models are combined as the dialect does: the paper takes the best of them, the campaigns added
    their counts.
    """

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._humans: dict[str, None] = {}
        self.labels = dialect.labels

    def score(self, task: EvalTask, peer_ids: Iterable[str]) -> Mapping[str, Mapping[str, EvalResult]]:
        """The means of the peers that are asked for, and the models as peers."""
        asked = [peer_id for peer_id in peer_ids if task.peers.get(peer_id)]
        if len(task.models) < 2 or not asked:
            return self._dialect.score(task, asked)
        found: dict[str, list[Mapping[str, EvalResult]]] = {peer_id: [] for peer_id in asked}
        for left_out, (model_id, source) in enumerate(task.models):
            human = f"human {model_id}"  # systems may be called by numbers too
            self._humans[human] = None
            models = [model for place, model in enumerate(task.models) if place != left_out]
            subset = task._replace(models=models, peers={**task.peers, human: source})
            for peer_id, by_label in self._dialect.score(subset, [*asked, human]).items():
                found.setdefault(peer_id, []).append(by_label)
        return {
            peer_id: {label: _mean([one[label] for one in sets]) for label in self.labels}
            for peer_id, sets in found.items()
        }

    def average(
        self, columns: Mapping[tuple[str, str], Column]
    ) -> Mapping[tuple[str, str], Average | Counts]:
        """The dialect's."""
        return self._dialect.average(columns)

    def details(self) -> Mapping[str, Any]:
        """The dialect's, and the IDs of those peers that are people."""
        return {**self._dialect.details(), "humans": list(self._humans)}


def jackknifed_paths(task: EvalTask, peer_ids: Iterable[str]) -> Iterable[str]:
    """The paths that Jackknife reads, as often as it does."""
    asked = list(peer_ids)
    sets = len(task.models)
    if sets < 2:
        return task.paths(asked)
    # Each peer once a set; each model in the M - 1 sets that it is in, and once as a peer.
    return (path for path in task.paths(asked) for _ in range(sets))


def _mean(results: Sequence[EvalResult]) -> EvalResult:
    """The mean of the scores, where they were made, and of the counts."""
    scores = [one.score for one in results if one.score]
    mean = (
        Score(*(fsum(figures) / len(scores) for figures in zip(*scores, strict=True))) if scores else None
    )
    counts = formula.average([one.counts for one in results])
    size = len(results)
    own = None if counts.peer_match is None else counts.peer_match / size
    means = Counts(counts.model / size, counts.peer / size, counts.match / size, peer_match=own)
    return EvalResult(results[0].eval_id, means, mean)


def _missing(task: EvalTask, peer_id: str) -> Notice:
    return Notice(
        f"eval {task.eval_id}: no peer {peer_id}; it is averaged over the other evals",
        of_the_original=True,
    )
