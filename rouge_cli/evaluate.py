"""The loop that every evaluation is: tasks x peers, through one dialect, into a report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rouge_cli.core import EvalResult, Notice, Report, Result

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rouge_cli.core import Dialect, EvalTask, Notify


def evaluate(
    tasks: Sequence[EvalTask], peer_ids: Sequence[str], dialect: Dialect, notify: Notify
) -> Report:
    """Score the peers on all tasks.

    A peer that a task does not have is left out of that task, with a notice. The report holds a result
    for each peer and metric, peers in the order given.
    """
    columns: dict[tuple[str, str], list[EvalResult]] = {
        (peer_id, label): [] for peer_id in peer_ids for label in dialect.labels
    }
    if not columns:
        return Report(())
    for task in tasks:
        for peer_id in peer_ids:
            if not task.peers.get(peer_id):
                notify(_missing(task, peer_id))
        for peer_id, by_label in dialect.score(task, peer_ids).items():
            for label, result in by_label.items():
                columns[peer_id, label].append(result)
    averages = dialect.average(columns)
    return Report([Result(*key, averages[key], evals) for key, evals in columns.items()])


def _missing(task: EvalTask, peer_id: str) -> Notice:
    return Notice(
        f"eval {task.eval_id}: no peer {peer_id}; it is averaged over the other evals",
        of_the_original=True,
    )
