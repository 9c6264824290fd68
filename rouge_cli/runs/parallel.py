"""Divide the tasks of a run among threads, processes or machines; the result is the same to the last bit.

Scoring tasks is a map, whose results add up in the run's order (`evaluation.collect`, `merge`). A compiled
program runs in threads, a readable one in processes; machines are Dask's (both in `pools`).
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Sequence
from contextlib import closing, suppress
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from rouge_cli import native
from rouge_cli.core import Notice, ignore_notice, once
from rouge_cli.errors import RougeError
from rouge_cli.runs.evaluation import MOST_AT_ONCE, Collected, Scorer, batches, collect, merge, workers

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator
    from concurrent.futures import Future

    from rouge_cli.core import EvalTask, Notify
    from rouge_cli.dialects._base import DialectRun
    from rouge_cli.runs.evaluation import Watch

T = TypeVar("T")

# Tasks are divided into at least so many parts for each worker, if their number is known.
PARTS_PER_WORKER = 4
# Chunks that wait for each thread, so that none is idle while this one scores; and results that wait for an
# earlier one, for each worker.
AHEAD, MOST_PENDING = 2, 8
MOST_JOBS = 1024
LONG = 10  # seconds after which a missing compiled extension is worth a notice


class Work(NamedTuple):
    """How to score the tasks of a run; it can be sent to another process."""

    # Makes the dialect from the number of uses of each path and the function that receives notices.
    # peer_ids: None for all.
    make: Callable[[Counter[str], Notify], DialectRun]
    systems: Sequence[str] | None
    jackknife: bool = False

    def dialect(self, notify: Notify) -> DialectRun:
        """Return the dialect that averages; raise UsageError for invalid options."""
        return self.make(Counter(), notify)

    def scorer(self, notify: Notify) -> Scorer:
        """Return the scorer of one thread."""
        uses: Counter[str] = Counter()
        return Scorer(self.make(uses, notify), uses, jackknife=self.jackknife)


class Part(NamedTuple):
    """The result of a worker: the collected scores, or the error that ended it, and its notices."""

    collected: Collected | None
    notices: Sequence[Notice]
    error: RougeError | None


def part(work: Work, tasks: Sequence[EvalTask]) -> Part:
    """Score some tasks of a run in another process, or on another machine."""
    return _Worker(work).score(tasks)


class _Worker:
    """Scores parts of a run in one thread, with one scorer for all of them."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._scorer: Scorer | None = None
        self._notices: list[Notice] = []

    def score(self, tasks: Sequence[EvalTask]) -> Part:
        """Return the scored part."""
        self._notices = []
        try:
            if self._scorer is None:
                self._scorer = self._work.scorer(self._notify)
                self._notices.clear()  # the run has reported those of making a dialect
            collected = collect(tasks, self._work.systems, self._scorer, self._notify)
            return Part(collected, self._notices, None)
        except RougeError as error:
            return Part(None, self._notices, error)
        except MemoryError:
            out_of_memory = RougeError("out of memory", remedy="try again with fewer jobs")
            return Part(None, self._notices, out_of_memory)

    def _notify(self, notice: Notice) -> None:
        self._notices.append(notice)


def collected(  # noqa: PLR0913 - each is independent of the others
    work: Work,
    tasks: Iterable[EvalTask],
    notify: Notify,
    *,
    jobs: int = 1,
    scheduler: str | None = None,
    watch: Watch = iter,
) -> Collected:
    """Score all tasks and return what was collected.

    Args:
        jobs: The number of workers; 0 for all cores.
        scheduler: The address of Dask's, or `local` to start one.
        watch: Passes batches of tasks on as they are handed out, to show progress.

    Raises:
        RougeError: If a worker dies, or the scheduler cannot be reached.
    """
    notify = once(notify)  # threads and processes read a shared text each
    start = time.monotonic()
    result = _collected(work, tasks, notify, jobs=jobs, scheduler=scheduler, watch=watch)
    seconds = time.monotonic() - start
    if seconds >= LONG and native.is_missed(work.dialect(ignore_notice).kernel_setup()):
        notify(
            Notice(
                f"scoring took {seconds:.0f} s without compiled kernels, which were not built; "
                "install rouge-cli again with a C++ compiler at hand, "
                f"or set {native.VARIABLE}={native.PYTHON} to suppress this notice"
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
    watch: Watch,
) -> Collected:
    jobs = workers(jobs)
    if scheduler is None and jobs == 1:
        return collect(tasks, work.systems, work.scorer(notify), notify, watch)
    # An invalid set-up raises here, not in each worker.
    is_compiled = work.scorer(notify).is_compiled
    size = MOST_AT_ONCE
    if isinstance(tasks, Sequence):
        size = max(1, min(size, -(-len(tasks) // (jobs * PARTS_PER_WORKER))))
    errors: list[RougeError] = []
    chunks = watch(_until_error(batches(tasks, size), errors))
    if scheduler is not None:
        from rouge_cli.runs import pools

        run = pools.on_machines(partial(part, work), chunks, scheduler)
    elif is_compiled:
        run = _on_threads(work, chunks, jobs, notify)
    else:
        from rouge_cli.runs import pools

        run = pools.on_processes(partial(part, work), chunks, jobs, notify)
    with closing(run):
        merged = merge(_results(run, notify))
    if errors:
        raise errors[0]
    return merged


def _until_error(chunks: Iterable[T], errors: list[RougeError]) -> Iterator[T]:
    """Yield the chunks; hold back an error of their source, which comes after those of earlier chunks."""
    try:
        yield from chunks
    except RougeError as error:
        errors.append(error)


def _on_threads(
    work: Work, chunks: Iterable[Sequence[EvalTask]], jobs: int, notify: Notify
) -> Generator[Part, None, None]:
    """Score by compiled code, which releases the interpreter while it works.

    This thread, which reads the chunks, is one of the workers: with one more, cores and their caches would
    be shared. The executor of `concurrent.futures` is not used, since it fails if the system refuses a
    thread; the run goes on with those that it has, with a notice.
    """
    from concurrent.futures import Future
    from queue import Empty, SimpleQueue
    from threading import Thread

    waiting: SimpleQueue[tuple[Future[Part], Sequence[EvalTask]] | None] = SimpleQueue()

    def score(worker: _Worker, future: Future[Part], tasks: Sequence[EvalTask]) -> None:
        if future.set_running_or_notify_cancel():
            try:
                future.set_result(worker.score(tasks))
            except Exception as error:  # noqa: BLE001 - raised where the result is awaited
                future.set_exception(error)

    def serve() -> None:
        worker = _Worker(work)
        while item := waiting.get():
            score(worker, *item)

    def help_out(most: int) -> None:
        """Score waiting chunks until no more than that many are left for the other threads."""
        with suppress(Empty):
            while waiting.qsize() > most and (item := waiting.get_nowait()):
                score(own, *item)

    threads: list[Thread] = []
    pending: deque[Future[Part]] = deque()
    own = _Worker(work)
    try:
        for chunk in chunks:
            if len(threads) < jobs - 1:
                thread = Thread(target=serve)
                try:
                    thread.start()
                    threads.append(thread)
                except RuntimeError as reason:
                    jobs = len(threads) + 1
                    workers = "one thread" if jobs == 1 else f"{jobs} threads"
                    notify(Notice(f"cannot start more threads ({reason}); scoring in {workers}"))
            pending.append(Future())
            waiting.put((pending[-1], chunk))
            help_out(AHEAD * len(threads))
            while pending and (pending[0].done() or len(pending) > MOST_PENDING * jobs):
                yield pending.popleft().result()
        help_out(0)
        while pending:
            yield pending.popleft().result()
    finally:
        for future in pending:
            future.cancel()
        for _ in threads:
            waiting.put(None)
        for thread in threads:
            thread.join()


def _results(parts: Iterable[Part], notify: Notify) -> Iterator[Collected]:
    """Yield the collected results part by part; pass notices on, and raise the first error."""
    for scored in parts:
        for notice in scored.notices:
            notify(notice)
        if scored.error:
            raise scored.error
        if scored.collected:
            yield scored.collected
