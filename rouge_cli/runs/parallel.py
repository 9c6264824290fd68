"""Divide the evals of a run among threads, processes or machines; the result is the same to the last bit.

Chunks of evals are scored separately, and their results are merged in order (`evaluation.collect` and
`merge`). The compiled program runs in threads, Python in processes. Machines are Dask workers. Processes
and machines are in `pools`.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from functools import partial

from rouge_cli import native
from rouge_cli.core import TYPE_CHECKING, EvalTask, NamedTuple, Notice, Notify, ignore_notice, once
from rouge_cli.errors import RougeError
from rouge_cli.runs.evaluation import MOST_AT_ONCE, Collected, Scorer, batches, collect, merge, workers
from rouge_cli.tasks.streams import PackedTasks

if TYPE_CHECKING:
    from concurrent.futures import Future
    from typing import TypeVar

    from rouge_cli.dialects._base import DialectRun
    from rouge_cli.runs.evaluation import Watch

    T = TypeVar("T")

PARTS_PER_WORKER = 4  # at least that many chunks for each worker, if the number of evals is known
AHEAD = 2  # waiting chunks per thread, so that no thread is idle while the main thread scores
MOST_PENDING = 8  # results per worker that may wait for an earlier result
MOST_JOBS = 1024
WORTH_THREADS = 2000  # texts; fewer take as long in one thread, which starts none and has one vocabulary
PACKED_TOGETHER = 16  # chunks of packed evals in a message to a machine
LONG = 10  # seconds of scoring after which a missing compiled extension is reported


class Work(NamedTuple):
    """How to score the evals of a run; it can be sent to another process."""

    # Makes the dialect from the number of uses of every path, and the function that receives notices.
    make: Callable[[Counter[str], Notify], DialectRun]
    systems: Sequence[str] | None  # None for all
    jackknife: bool = False

    def dialect(self, notify: Notify) -> DialectRun:
        """Return a dialect for averaging; raise UsageError for invalid options."""
        return self.make(Counter(), notify)

    def scorer(self, notify: Notify) -> Scorer:
        """Return the scorer of one thread."""
        uses: Counter[str] = Counter()
        return Scorer(self.make(uses, notify), uses, jackknife=self.jackknife)


class Part(NamedTuple):
    """The result of a worker for one chunk: the scores or an error, and the notices before it."""

    result: Collected | RougeError
    notices: Sequence[Notice]


def part(work: Work, tasks: Sequence[EvalTask]) -> Part:
    """Score a chunk of a run, in another process or on another machine."""
    return _Worker(work).score(tasks)


class _Worker:
    """Scores chunks of a run in one thread, all with the same scorer."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._scorer: Scorer | None = None
        self._notices: list[Notice] = []

    def score(self, tasks: Sequence[EvalTask]) -> Part:
        """Score a chunk."""
        self._notices = []
        try:
            if self._scorer is None:
                self._scorer = self._work.scorer(self._notify)
                self._notices.clear()  # the run has already reported notices about the options
            return Part(collect(tasks, self._work.systems, self._scorer, self._notify), self._notices)
        except RougeError as error:
            return Part(error, self._notices)
        except MemoryError:
            out_of_memory = RougeError("out of memory", remedy="try again with fewer jobs")
            return Part(out_of_memory, self._notices)

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
    """Score all evals of a run, and return the scores before averaging.

    Args:
        jobs: The number of workers; 0 for all cores.
        scheduler: The address of a Dask scheduler, or `local` to start one.
        watch: Passes batches on, to show progress.

    Raises:
        RougeError: An eval cannot be scored, a worker dies, or the scheduler cannot be reached.
    """
    notify = once(notify)  # every thread or process reads a shared text, and warns of it
    start = time.monotonic()
    if scheduler is None and workers(jobs) == 1:
        result = collect(tasks, work.systems, work.scorer(notify), notify, watch)
    else:
        result = _divided(work, tasks, notify, workers(jobs), scheduler, watch)
    seconds = time.monotonic() - start
    if seconds >= LONG and native.is_missed(work.dialect(ignore_notice).kernel_setup()):
        remark = f"scoring took {seconds:.0f} s without compiled kernels, which were not built"
        remedy = "install rouge-cli again with a C++ compiler at hand"
        silence = f"set {native.VARIABLE}={native.PYTHON} to suppress this warning"
        notify(Notice(f"{remark}; {remedy}, or {silence}"))
    return result


def _divided(  # noqa: PLR0913, PLR0917 - as `collected`
    work: Work, tasks: Iterable[EvalTask], notify: Notify, jobs: int, scheduler: str | None, watch: Watch
) -> Collected:
    # Invalid options raise here, not in every worker.
    scorer = work.scorer(notify)
    size = MOST_AT_ONCE
    if isinstance(tasks, Sequence):
        texts = sum(len(task.predictions) + len(task.references) for task in tasks[:1]) * len(tasks)
        if scorer.is_compiled and scheduler is None and texts < WORTH_THREADS:
            return collect(tasks, work.systems, scorer, notify, watch)
        size = max(1, min(size, -(-len(tasks) // (jobs * PARTS_PER_WORKER))))
    errors: list[RougeError] = []
    chunks = watch(_until_error(batches(tasks, size), errors))
    if scheduler is None and scorer.is_compiled:
        run = _on_threads(work, chunks, jobs, notify)
    else:
        from rouge_cli.runs import pools

        score = partial(part, work)
        if scheduler is None:
            run = pools.on_processes(score, chunks, jobs, notify)
        else:
            run = _on_machines(work, chunks, scheduler)
    with closing(run):
        merged = merge(_results(run, notify))
    if errors:
        raise errors[0]
    return merged


def _on_machines(
    work: Work, chunks: Iterable[Sequence[EvalTask]], scheduler: str
) -> Generator[Part, None, None]:
    """Score chunks on machines, several packed ones together: a message takes longer than their scores."""
    from rouge_cli.runs import pools

    with closing(pools.on_machines(partial(_score_all, work), grouped(chunks), scheduler)) as groups:
        for of_group in groups:
            yield from of_group


def grouped(chunks: Iterable[Sequence[EvalTask]]) -> Iterator[list[Sequence[EvalTask]]]:
    """Yield the chunks in groups, which end after a chunk that is not packed."""
    group = []
    for chunk in chunks:
        group.append(chunk)
        if len(group) == PACKED_TOGETHER or not isinstance(chunk, PackedTasks):
            yield group
            group = []
    if group:
        yield group


def _score_all(work: Work, group: Sequence[Sequence[EvalTask]]) -> list[Part]:
    worker = _Worker(work)
    return [worker.score(tasks) for tasks in group]


def _until_error(chunks: Iterable[T], errors: list[RougeError]) -> Iterator[T]:
    """Yield the chunks; append an error of their source to `errors`, to be raised after earlier errors."""
    try:
        yield from chunks
    except RougeError as error:
        errors.append(error)


def _on_threads(
    work: Work, chunks: Iterable[Sequence[EvalTask]], jobs: int, notify: Notify
) -> Generator[Part, None, None]:
    """Score chunks in threads; compiled code releases the interpreter lock.

    The main thread reads the chunks, and also scores: one more thread than cores would cost time. If the
    system refuses a thread, the run continues with the threads that it has, with a notice. The executor of
    `concurrent.futures` would fail.
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
        """Score waiting chunks in the main thread until at most that many are left."""
        with suppress(Empty):
            while waiting.qsize() > most and (item := waiting.get_nowait()):
                score(main_worker, *item)

    threads: list[Thread] = []
    pending: deque[Future[Part]] = deque()
    main_worker = _Worker(work)
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
    """Yield the scores of the parts in order; pass their notices on, and raise the first error."""
    for result, notices in parts:
        for notice in notices:
            notify(notice)
        if isinstance(result, RougeError):
            raise result
        yield result
