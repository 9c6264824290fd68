"""The tasks of a run, divided among processes or machines; the result is the same to the last bit.

Scoring tasks is a map, and what it gives adds up in the run's order (`evaluation.collect`, `together`). The
machines are Dask's; processes have a pool of their own (`processes`).
"""

from __future__ import annotations

import os
import signal
from collections import Counter, deque
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from itertools import islice
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any, NamedTuple

from rouge_cli.core import EvalTask
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.evaluation import Collected, Jackknife, collect, jackknifed_paths, together

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator

    from rouge_cli.core import Dialect, Notice, Notify

LOCAL = "local"
# Seconds that a scheduler has to answer.
_PATIENCE = 10
# A stream's tasks go out by so many; fewer where there are few, that every process gets some.
MOST_AT_ONCE = 1000
PARTS_PER_WORKER = 4


class Work(NamedTuple):
    """How the tasks of a run are scored; it can be sent to another process.

    make: makes the dialect from how often each path is read, and who hears notices. peer_ids: None for all.
    """

    make: Callable[[Counter[str], Notify], Dialect]
    peer_ids: Sequence[str] | None
    jackknife: bool = False

    def dialect(self, tasks: Sequence[EvalTask], notify: Notify) -> Dialect:
        """The dialect for these tasks; for none of them, to average only."""
        uses: Counter[str] = Counter()
        paths = jackknifed_paths if self.jackknife else EvalTask.paths
        for task in tasks:
            uses.update(paths(task, task.peers if self.peer_ids is None else self.peer_ids))
        engine = self.make(uses, notify)
        return Jackknife(engine) if self.jackknife else engine


class Part(NamedTuple):
    """What a worker sends back: what it collected, or the error that ended it, and its notices."""

    collected: Collected | None
    notices: Sequence[Notice]
    error: RougeError | None


def part(work: Work, tasks: Sequence[EvalTask]) -> Part:
    """Score some tasks of a run: what a worker does."""
    heard: list[Notice] = []
    try:
        dialect = work.dialect(tasks, heard.append)
        heard.clear()  # what is said when a dialect is made, the run has said already
        return Part(collect(tasks, work.peer_ids, dialect, heard.append), heard, None)
    except RougeError as error:
        return Part(None, heard, error)
    except MemoryError:
        return Part(None, heard, RougeError("out of memory", remedy="try again with fewer jobs"))


def collected(  # noqa: PLR0913 - each says where or how
    work: Work,
    tasks: Iterable[EvalTask],
    notify: Notify,
    *,
    jobs: int = 1,
    scheduler: str | None = None,
    watch: Callable[[Iterable[EvalTask]], Iterable[EvalTask]] | None = None,
) -> Collected:
    """What scoring all tasks gives, by so many processes (0 for all cores), or on Dask's scheduler.

    scheduler: its address, or `local` for one of our own. watch: hands the tasks on as they go to be
    scored, to see how far the run is.
    Raises RougeError where a worker dies, or the scheduler cannot be reached.
    """
    jobs = jobs or os.cpu_count() or 1
    if scheduler is None and jobs == 1:
        dialect = work.dialect(tasks if isinstance(tasks, Sequence) else (), notify)
        return collect(watch(tasks) if watch else tasks, work.peer_ids, dialect, notify)
    work.dialect((), notify)  # what is wrong with the set-up is said here, not by each worker
    size = MOST_AT_ONCE
    if isinstance(tasks, Sequence):
        size = max(1, min(size, -(-len(tasks) // (jobs * PARTS_PER_WORKER))))
    chunks = _chunks(watch(tasks) if watch else tasks, size)
    with closing(_run(work, chunks, jobs, scheduler, notify)) as run:
        return together(_heard(run, notify))


def _run(
    work: Work, chunks: Iterable[Sequence[EvalTask]], jobs: int, scheduler: str | None, notify: Notify
) -> Generator[Part, None, None]:
    """Score the chunks elsewhere, in order."""
    if scheduler is not None:
        return _on_dask(work, chunks, scheduler)
    from rouge_cli import processes

    return processes.ordered(partial(part, work), chunks, jobs, notify)


def _heard(parts: Iterable[Part], notify: Notify) -> Iterator[Collected]:
    """The parts in order; notices are passed on, and the first error raised, as in one process."""
    for one in parts:
        for notice in one.notices:
            notify(notice)
        if one.error:
            raise one.error
        if one.collected:
            yield one.collected


def _on_dask(work: Work, chunks: Iterable[Sequence[EvalTask]], address: str) -> Generator[Part, None, None]:
    client = _client(address)
    with client:
        workers = max(len(client.scheduler_info()["workers"]), 1)
        pending: deque[Any] = deque()
        for chunk in chunks:
            pending.append(client.submit(part, work, chunk, pure=False))
            if len(pending) > 2 * workers:
                yield _gathered(pending.popleft())
        while pending:
            yield _gathered(pending.popleft())


def _client(address: str) -> Any:  # noqa: ANN401 - Dask's
    """Return a client of the scheduler; raise RougeError if nobody answers as a scheduler does.

    It connects in a thread of its own, since Dask waits for ever for some servers of other protocols, and
    takes what others send for the size of a message, for which there may not be enough memory.
    """
    try:
        from dask.distributed import Client
    except ImportError:
        raise UsageError(
            "a scheduler needs the library dask", remedy="pip install 'rouge-cli[dask]'"
        ) from None
    connect: Callable[[], Any] = partial(Client, address, timeout=_PATIENCE)
    if address == LOCAL:  # nobody else can connect, not even to the dashboard
        connect = partial(Client, processes=True, host="127.0.0.1", dashboard_address="127.0.0.1:0")
    answers: SimpleQueue[Any] = SimpleQueue()

    def answer() -> None:
        if os.name == "posix":  # its processes inherit this: they end with us, and without a traceback
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            answers.put(connect())
        except Exception as error:  # noqa: BLE001 - whatever it is, there is no client
            answers.put(error)

    Thread(target=answer, daemon=True).start()
    try:
        client = answers.get(timeout=3 * _PATIENCE)
    except Empty:
        client = TimeoutError(f"no answer in {3 * _PATIENCE} seconds")
    if isinstance(client, Exception):
        reason = str(client) or type(client).__name__
        remedy = "give the address that `dask scheduler` prints, or local"
        raise RougeError(f"cannot reach the scheduler {address}: {reason}", remedy=remedy) from None
    return client


def _gathered(future: Any) -> Part:  # noqa: ANN401 - Dask's
    try:
        found: Part = future.result()
    except Exception as error:
        raise RougeError(f"a worker of the scheduler failed: {error!r:.300}") from error
    return found


def _chunks(tasks: Iterable[EvalTask], size: int) -> Iterator[Sequence[EvalTask]]:
    rest = iter(tasks)
    while chunk := list(islice(rest, size)):
        yield chunk
