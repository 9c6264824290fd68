"""The tasks of a run, divided among processes or machines; the result is the same to the last bit.

Scoring tasks is a map, and what it gives adds up in the run's order (`evaluation.collect`, `together`). The
machines are Dask's; processes have a pool of their own (`processes`).
"""

from __future__ import annotations

import os
import signal
import time
from collections import Counter, deque
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from rouge_cli import native
from rouge_cli.core import Notice, ignore_notice
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.runs.evaluation import MOST_AT_ONCE, Collected, batches, collect, together, workers
from rouge_cli.runs.scorer import Scorer

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator
    from concurrent.futures import Future

    from rouge_cli.core import Dialect, EvalTask, Notify

LOCAL = "local"
# Seconds that a scheduler has to answer.
_PATIENCE = 10
# A stream's tasks go out by so many; fewer where there are few, that every process gets some.
PARTS_PER_WORKER = 4
LONG = 10  # seconds from which on compiled kernels are worth a notice


class Work(NamedTuple):
    """How the tasks of a run are scored; it can be sent to another process.

    make: makes the dialect from how often each path is read, and who hears notices. peer_ids: None for all.
    """

    make: Callable[[Counter[str], Notify], Dialect]
    peer_ids: Sequence[str] | None
    jackknife: bool = False

    def dialect(self, notify: Notify) -> Dialect:
        """Return the dialect that averages; raises UsageError for options that make no sense."""
        return self.make(Counter(), notify)

    def scorer(self, notify: Notify) -> Scorer:
        """Return what scores for one thread."""
        uses: Counter[str] = Counter()
        return Scorer(self.make(uses, notify), uses, jackknife=self.jackknife)


class Part(NamedTuple):
    """What a worker sends back: what it collected, or the error that ended it, and its notices."""

    collected: Collected | None
    notices: Sequence[Notice]
    error: RougeError | None


def part(work: Work, tasks: Sequence[EvalTask]) -> Part:
    """Score some tasks of a run in a process of its own, or on another machine."""
    return _Worker(work).score(tasks)


class _Worker:
    """What one thread scores with."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._scorer: Scorer | None = None
        self._notices: list[Notice] = []

    def score(self, tasks: Sequence[EvalTask]) -> Part:
        """Score some tasks of the run."""
        self._notices = []
        try:
            if self._scorer is None:
                self._scorer = self._work.scorer(self._notify)
                self._notices.clear()  # what is reported when a dialect is made, the run has reported
            collected = collect(tasks, self._work.peer_ids, self._scorer, self._notify)
            return Part(collected, self._notices, None)
        except RougeError as error:
            return Part(None, self._notices, error)
        except MemoryError:
            out_of_memory = RougeError("out of memory", remedy="try again with fewer jobs")
            return Part(None, self._notices, out_of_memory)

    def _notify(self, notice: Notice) -> None:
        self._notices.append(notice)


def collected(  # noqa: PLR0913 - each is a place or a way
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
    start = time.monotonic()
    result = _collected(work, tasks, notify, jobs=jobs, scheduler=scheduler, watch=watch)
    seconds = time.monotonic() - start
    if seconds >= LONG and native.is_missed(work.dialect(ignore_notice)):
        notify(
            Notice(
                f"scoring took {seconds:.0f} s without compiled kernels, which were not built; "
                "install rouge-cli again with a C++ compiler at hand, "
                f"or set {native.VARIABLE}={native.PYTHON} against this notice"
            )
        )
    return result


def _collected(  # noqa: PLR0913
    work: Work,
    tasks: Iterable[EvalTask],
    notify: Notify,
    *,
    jobs: int,
    scheduler: str | None,
    watch: Callable[[Iterable[EvalTask]], Iterable[EvalTask]] | None,
) -> Collected:
    jobs = workers(jobs)
    if scheduler is None and jobs == 1:
        return collect(watch(tasks) if watch else tasks, work.peer_ids, work.scorer(notify), notify)
    is_compiled = work.scorer(
        notify
    ).is_compiled  # what is wrong with the set-up is raised here, not by each worker
    size = MOST_AT_ONCE
    if isinstance(tasks, Sequence):
        size = max(1, min(size, -(-len(tasks) // (jobs * PARTS_PER_WORKER))))
    chunks = batches(watch(tasks) if watch else tasks, size)
    if scheduler is not None:
        run = _on_dask(work, chunks, scheduler)
    elif is_compiled:
        run = _on_threads(work, chunks, jobs)
    else:
        from rouge_cli.runs import processes

        run = processes.ordered(partial(part, work), chunks, jobs, notify)
    with closing(run):
        return together(_heard(run, notify))


def _on_threads(work: Work, chunks: Iterable[Sequence[EvalTask]], jobs: int) -> Generator[Part, None, None]:
    """Score by compiled code, which lets go of the interpreter while it works."""
    from concurrent.futures import ThreadPoolExecutor
    from queue import SimpleQueue

    idle: SimpleQueue[_Worker] = SimpleQueue()
    workers = [_Worker(work) for _ in range(jobs)]
    for worker in workers:
        idle.put(worker)

    def score(tasks: Sequence[EvalTask]) -> Part:
        worker = idle.get()
        try:
            return worker.score(tasks)
        finally:
            idle.put(worker)

    with ThreadPoolExecutor(jobs) as pool:
        pending: deque[Future[Part]] = deque()
        try:
            for chunk in chunks:
                pending.append(pool.submit(score, chunk))
                if len(pending) > 2 * jobs:
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
        finally:
            for future in pending:
                future.cancel()


def _heard(parts: Iterable[Part], notify: Notify) -> Iterator[Collected]:
    """Yield the parts in order; pass notices on, and raise the first error, as in one process."""
    for scored in parts:
        for notice in scored.notices:
            notify(notice)
        if scored.error:
            raise scored.error
        if scored.collected:
            yield scored.collected


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
    from queue import Empty, SimpleQueue
    from threading import Thread

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
        scored: Part = future.result()
    except Exception as error:
        raise RougeError(f"a worker of the scheduler failed: {error!r:.300}") from error
    return scored
