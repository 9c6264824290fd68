"""The evaluation loop: tasks x peers, through one dialect, into a report."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from rouge_cli.core import Notice, Report, Result
from rouge_cli.errors import RougeError
from rouge_cli.runs.scorer import Scorer, add_details
from rouge_cli.scoring.columns import Column, Columns, extend
from rouge_cli.tasks.streams import FEW, PackedTasks, lacking, numbers_of_models, parts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from rouge_cli.core import EvalTask, Notify
    from rouge_cli.dialects._base import DialectRun

    Watch = Callable[[Iterator[Sequence[EvalTask]]], Iterable[Sequence[EvalTask]]]

# A batch of compiled scoring.
MOST_AT_ONCE = 1000


class Collected(NamedTuple):
    """The scores of tasks before they are averaged; parts of a run add up to the whole.

    columns: (peer id, label) -> its evals. models: the numbers of models that evals had, each once, in
    ascending order. details: the dialect's.
    """

    columns: dict[tuple[str, str], Column]
    evals: int
    models: Sequence[int]
    details: Mapping[str, Any]


def evaluate(
    tasks: Iterable[EvalTask], peer_ids: Sequence[str] | None, dialect: DialectRun, notify: Notify
) -> Report:
    """Score the peers on all tasks, which may be a stream.

    peer_ids: the peers, in the report's order; None for all that the tasks have, in the order in which they
    appear. A peer that a task does not have is left out of that task, with a notice. The report holds a
    result for each peer and metric.
    """
    return finish(collect(tasks, peer_ids, Scorer(dialect), notify), peer_ids, dialect, notify)


def collect(
    tasks: Iterable[EvalTask],
    peer_ids: Sequence[str] | None,
    scorer: Scorer,
    notify: Notify,
    watch: Watch = iter,
) -> Collected:
    """Score the peers on the tasks, in their order: the part of the work that can be divided.

    watch: passes batches on as their turn comes, to show progress.
    """
    columns: dict[tuple[str, str], Column] = {}
    if not scorer.labels or (peer_ids is not None and not peer_ids):
        return Collected(columns, 0, (), {})
    by_peer: dict[str, Columns] = {}
    number = 0
    models: set[int] = set()
    if not scorer.is_compiled and isinstance(tasks, Sequence):
        scorer.expect(tasks, peer_ids)
    for batch in watch(batches(tasks, MOST_AT_ONCE if scorer.is_compiled else 1)):
        number += len(batch)
        models |= numbers_of_models(batch)
        missing = lacking(batch, peer_ids or ())
        scored = iter(batch if missing else ())
        for ids, results in scorer.score(batch, peer_ids):
            for task in islice(scored, len(ids)):
                for peer_id in missing:
                    if not task.peers.get(peer_id):
                        notify(_missing(task.eval_id, peer_id))
            for peer_id, by_label in results.items():
                rows = by_peer.get(peer_id)
                if rows is None:
                    labels = scorer.labels if isinstance(by_label, bytes) else by_label
                    rows = by_peer[peer_id] = Columns(len(labels), is_scored=scorer.is_scored)
                    columns.update(zip(((peer_id, label) for label in labels), rows.columns, strict=True))
                rows.append(ids, by_label)
    return Collected(columns, number, sorted(models), scorer.details())


def batches(tasks: Iterable[EvalTask], size: int) -> Iterator[Sequence[EvalTask]]:
    """Yield the tasks in batches of a size; packed tasks are batches of their own, unless they are few.

    Tasks before an error of their source come before it.
    """
    if isinstance(tasks, Sequence) and not isinstance(tasks, PackedTasks):
        yield from (tasks[start : start + size] for start in range(0, len(tasks), size))
        return
    batch: list[EvalTask] = []
    try:
        for part in parts(tasks):
            if not isinstance(part, PackedTasks):
                batch.append(part)
            elif len(part) < FEW:
                batch.extend(part)
            else:
                if batch:
                    yield batch
                    batch = []
                yield part
            if len(batch) >= size:
                yield batch
                batch = []
    except RougeError:
        if batch:
            yield batch
        raise
    if batch:
        yield batch


def merge(parts: Iterable[Collected]) -> Collected:
    """Merge the parts of one run, which come in its order."""
    columns: dict[tuple[str, str], Column] = {}
    evals = 0
    models: set[int] = set()
    details: dict[str, Any] = {}
    for part in parts:
        evals += part.evals
        models.update(part.models)
        extend(columns, part.columns)
        for name, value in part.details.items():
            details[name] = add_details(details[name], value) if name in details else value
    return Collected(columns, evals, sorted(models), details)


def workers(jobs: int) -> int:
    """Return the number of workers for a value of `-j`; 0 is for all cores."""
    return jobs or os.cpu_count() or 1


def finish(
    collected: Collected, peer_ids: Sequence[str] | None, dialect: DialectRun, notify: Notify, jobs: int = 1
) -> Report:
    """Average what was collected and return the report.

    jobs: the number of threads that may draw samples; 0 for all cores.
    """
    columns = collected.columns
    if peer_ids is not None:
        requested = {(peer_id, label): Column() for peer_id in peer_ids for label in dialect.labels}
        if not requested:
            return Report(())
        columns = {**requested, **columns}
    limits = [*collected.models[:1], *collected.models[-1:]]
    counted = {"evals": collected.evals, "models_per_eval": list(dict.fromkeys(limits))}
    details = {**counted, **collected.details}
    if peer_ids is None:
        sizes = {peer_id: len(evals) for (peer_id, _), evals in columns.items()}
        for peer_id, size in sizes.items():
            if size < collected.evals:
                remark = f"in {size} of {collected.evals} evals only, and averaged over these"
                notify(Notice(f"{peer_id}: {remark}"))
    averages = dialect.average(columns, workers(jobs))
    results = [Result(*key, averages[key], evals) for key, evals in columns.items()]
    return Report(results, details=details)


def _missing(eval_id: str, peer_id: str) -> Notice:
    return Notice(
        f"eval {eval_id}: no peer {peer_id}; it is averaged over the other evals",
        of_the_original=True,
    )
