"""The tasks of a run, divided among processes or machines; the result is the same to the last bit.

Scoring tasks is a map, and what it gives adds up in the run's order (`evaluation.collect`, `together`). The
processes are `concurrent.futures`', the machines Dask's: we write no scheduler.
"""

from __future__ import annotations

import os
import signal
from collections import Counter, deque
from collections.abc import Sequence
from contextlib import closing, contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from rouge_cli.core import EvalTask
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.evaluation import Collected, Jackknife, collect, jackknifed_paths, together

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator
    from concurrent.futures import Future

    from rouge_cli.core import Dialect, Notice, Notify

LOCAL = "local"
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
    run = _on_processes(work, chunks, jobs) if scheduler is None else _on_dask(work, chunks, scheduler)
    with closing(run):
        return together(_heard(run, notify))


def _heard(parts: Iterable[Part], notify: Notify) -> Iterator[Collected]:
    """The parts in order; notices are passed on, and the first error raised, as in one process."""
    for one in parts:
        for notice in one.notices:
            notify(notice)
        if one.error:
            raise one.error
        if one.collected:
            yield one.collected


def _on_processes(
    work: Work, chunks: Iterable[Sequence[EvalTask]], jobs: int
) -> Generator[Part, None, None]:
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_all_start_methods, get_context

    # A fork has everything imported already; where there is none, the platform's way must do.
    context = get_context("fork" if "fork" in get_all_start_methods() else None)
    with _interrupts_held() as check:
        try:
            pool = ProcessPoolExecutor(jobs, context, initializer=_leave_interrupts_to_us)
        except (OSError, OverflowError, ValueError) as reason:
            raise _without_processes(jobs, reason) from None
        pending: deque[Any] = deque()
        try:
            for chunk in chunks:
                check()
                pending.append(pool.submit(part, work, chunk))
                if len(pending) > 2 * jobs:
                    yield _waited(pending.popleft(), check)
            while pending:
                yield _waited(pending.popleft(), check)
        except OSError as reason:
            raise _without_processes(jobs, reason) from None
        except BrokenProcessPool:
            # Before 3.12 a pool whose worker died while tasks were on their way to it never ends, unless
            # what writes to that worker is told that nobody reads (CPython's issue 94777).
            pool._call_queue._reader.close()  # type: ignore[attr-defined] # noqa: SLF001
            raise RougeError(
                "a worker process died (killed, or out of memory)", remedy="try again with fewer jobs"
            ) from None
        finally:
            # Also after an error or Ctrl-C: what runs is waited for, since a pool whose workers are killed
            # may hang; what has not begun is dropped.
            for future in pending:
                future.cancel()
            pool.shutdown()


def _without_processes(jobs: int, reason: Exception) -> RougeError:
    """Return the error of a system that refuses processes, or what they need."""
    why = (reason.strerror if isinstance(reason, OSError) else None) or reason
    return RougeError(f"cannot start {jobs!s:.40} processes ({why})", remedy="try again with fewer jobs")


def _waited(future: Future[Part], check: Callable[[], None]) -> Part:
    """The future's result; Ctrl-C is heard while it is waited for."""
    from concurrent.futures import wait

    while not wait([future], timeout=0.2).done:
        check()
    return future.result()


@contextmanager
def _interrupts_held() -> Iterator[Callable[[], None]]:
    """Ctrl-C raises where the check is called, and not while a pool holds one of its locks."""
    heard: list[int] = []

    def check() -> None:
        if heard:
            raise KeyboardInterrupt

    try:
        before = signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    except ValueError:  # not in the main thread, which is not ours then
        yield lambda: None
        return
    try:
        yield check
    finally:
        signal.signal(signal.SIGINT, before)


def _leave_interrupts_to_us() -> None:
    """Ctrl-C reaches every process; one message is enough."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _on_dask(work: Work, chunks: Iterable[Sequence[EvalTask]], address: str) -> Generator[Part, None, None]:
    try:
        from dask.distributed import Client
    except ImportError:
        raise UsageError(
            "a scheduler needs the library dask", remedy="pip install 'rouge-cli[dask]'"
        ) from None
    try:
        connect: Any = Client  # which is not typed
        client = connect(processes=True) if address == LOCAL else connect(address, timeout=10)
    except (OSError, ValueError) as error:
        raise RougeError(f"cannot reach the scheduler {address}: {error}") from None
    with client:
        workers = max(len(client.scheduler_info()["workers"]), 1)
        pending: deque[Any] = deque()
        for chunk in chunks:
            pending.append(client.submit(part, work, chunk, pure=False))
            if len(pending) > 2 * workers:
                yield _gathered(pending.popleft())
        while pending:
            yield _gathered(pending.popleft())


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
