"""Records that share an eval: those with one id, or those in the same place of several files."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from rouge_cli.core import Document
from rouge_cli.errors import RougeError
from rouge_cli.tasks.streams import PackedTasks

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rouge_cli.core import EvalTask
    from rouge_cli.tasks.streams import Stream


def distinct(tasks: Stream) -> Iterator[EvalTask | PackedTasks]:
    """Yield the stream's parts unchanged; raise RougeError for an id that occurs twice."""
    seen: dict[str, str | int] = {}  # ID -> its first place, or only the line
    for part in tasks.parts:
        if not isinstance(part, PackedTasks):
            _check_new(part, seen)
            yield part
        elif len({*part.ids}) == len(part) and seen.keys().isdisjoint(part.ids):
            seen.update(zip(part.ids, part.lines, strict=True))
            yield part
        else:
            for task in part:
                _check_new(task, seen)
                yield task


def _check_new(task: EvalTask, seen: dict[str, str | int]) -> None:
    before = seen.setdefault(task.eval_id, task.where)
    if isinstance(before, int):
        before = f"{task.where.rpartition(':')[0]}:{before}"
    if before is not task.where:
        raise _twice(task, next(iter(task.peers)), before)


def _twice(task: EvalTask, peer_id: str, before: str) -> RougeError:
    return RougeError(
        f"eval {task.eval_id} of system {peer_id} occurs twice; first at {before}",
        where=task.where,
    )


def group(tasks: Iterable[EvalTask]) -> Iterator[EvalTask]:
    """Merge the tasks with one id, in the order in which ids first occur; all are held in memory."""
    evals: dict[str, EvalTask] = {}
    for task in tasks:
        eval_ = evals.get(task.eval_id)
        evals[task.eval_id] = task if eval_ is None else _merge(eval_, task)
    yield from evals.values()


def _merge(first: EvalTask, second: EvalTask) -> EvalTask:
    """Merge two tasks of one eval, which must have the same models and no system in common."""
    for peer_id in second.peers:
        before = first.peers.get(peer_id)
        if isinstance(before, Document):
            raise _twice(second, peer_id, before.where)
    if _texts(first) != _texts(second):
        raise RougeError(
            f"eval {first.eval_id} has other references than at {first.where}",
            where=second.where,
            remedy="give all systems of an eval the same references, or score the records of each system "
            "by themselves with --per-eval, and compare what that saves",
        )
    return first._replace(peers={**first.peers, **second.peers})


def _texts(task: EvalTask) -> list[str | bytes]:
    return [source.data if isinstance(source, Document) else source for _, source in task.models]


def align(streams: Sequence[Iterator[EvalTask]], places: Sequence[str]) -> Iterator[EvalTask]:
    """Merge the tasks in the same place, and name them by their place.

    Raises RougeError if some files have more records than others.
    """
    for number, row in enumerate(zip_longest(*streams), 1):
        if None in row:
            more = next(task.where for task in row if task)
            raise RougeError(
                f"{number - 1} record{'' if number == 2 else 's'}, but {more} is another",
                where=places[row.index(None)],
                remedy="give all files the same records, or ids (--id-column)",
            )
        joined = row[0]._replace(eval_id=str(number))
        for task in row[1:]:
            joined = _merge(joined, task)
        yield joined
