"""Pools that score chunks of a run in order: threads, processes, or the workers of a
Dask scheduler.

At most one process per chunk is started, and no process outlives its parent. Every
process has its own pipe, on which a thread waits. In the pool of `concurrent.futures`,
processes share pipes and locks: it hangs if a process is killed while it sends a
message, or cannot be started, and its locks need /dev/shm. Its pool of threads fails if
the system refuses a thread.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable
from contextlib import ExitStack, suppress
from functools import partial
from multiprocessing import get_all_start_methods, get_context, parent_process
from pickle import UnpicklingError
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from rouge_cli.core import Notice, Notify
from rouge_cli.errors import RougeError, require
from rouge_cli.io.interrupts import Cleanup

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import DefaultContext
    from multiprocessing.process import BaseProcess

    from dask.distributed import Client

C = TypeVar("C")
R = TypeVar("R")

_SPARE = 12  # file descriptors that must be left for files when a process is started
# Chunks per thread, so that no thread is idle while the main thread scores
_WAITING = 2
LOCAL = "local"
_PATIENCE = 10  # seconds to wait for a scheduler's answer


class Outcome(Generic[R]):
    """The result or the error of work in another thread: `concurrent.futures` takes
    long to import.
    """

    def __init__(self) -> None:
        self._settled = threading.Event()
        self._result: R | None = None
        self._error: Exception | None = None

    def settle(self, work: Callable[[], R]) -> None:
        """Do the work; an error is raised where the result is awaited."""
        try:
            self._result = work()
        except Exception as error:  # noqa: BLE001 - as above
            self._error = error
        self._settled.set()

    def done(self) -> bool:
        """Return True if there is a result or an error."""
        return self._settled.is_set()

    def result(self, timeout: float | None = None) -> R:
        """Wait so many seconds for the result, or without end, and return it."""
        if not self._settled.wait(timeout):
            raise TimeoutError
        if self._error:
            raise self._error
        return cast("R", self._result)


class Threads(Generic[C, R]):
    """Threads that score chunks, for compiled code, which releases the interpreter
    lock.

    The main thread reads the chunks, and also scores: one more thread than cores would
    cost time.

    Args:
        make: Makes a worker, in the thread, process or machine where it scores.
        most: The most workers.
    """

    _names = "thread", "threads"
    _ahead = 8  # the most chunks per worker that wait for an earlier result

    def __init__(
        self, make: Callable[[], Callable[[C], R]], most: int, notify: Notify
    ) -> None:
        self._make = make
        self._own = make()  # the worker of the main thread
        self._most = most
        self._notify = notify
        self._waiting: SimpleQueue[tuple[Outcome[R], C] | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []

    def run(self, chunks: Iterable[C]) -> Generator[R, None, None]:
        """Yield the results of the chunks in order; chunks are not read far ahead of
        the results.
        """
        pending: deque[Outcome[R]] = deque()
        with Cleanup(self._kill), ExitStack() as stack:
            stack.callback(self._close)
            most = self._ahead * self._workers()
            for chunk in chunks:
                pending.append(self._submit(chunk))
                while pending and (len(pending) > most or pending[0].done()):
                    yield self._result(pending.popleft())
            while pending:
                yield self._result(pending.popleft())

    def _workers(self) -> int:
        return self._most

    def _submit(self, chunk: C) -> Outcome[R]:
        """Let a worker score the chunk. If the system refuses another worker, there
        is a notice.
        """
        if len(self._threads) < self._most - 1:
            try:
                thread = threading.Thread(target=self._serve, args=(self._start(),))
                thread.start()
                self._threads.append(thread)
            except (OSError, RuntimeError) as reason:
                self._most = len(self._threads) + 1
                one, several = self._names
                workers = f"one {one}" if self._most == 1 else f"{self._most} {several}"
                why = getattr(reason, "strerror", reason)
                self._notify(
                    Notice(f"cannot start more {several} ({why}); scoring in {workers}")
                )
        future: Outcome[R] = Outcome()
        self._waiting.put((future, chunk))
        self._help_out(_WAITING * len(self._threads))
        return future

    def _result(self, future: Outcome[R]) -> R:
        if not future.done():
            self._help_out(0)
        return future.result()

    def _start(self) -> Callable[[C], R]:
        return self._make()

    def _serve(self, worker: Callable[[C], R]) -> None:
        while item := self._waiting.get():
            future, chunk = item
            future.settle(partial(worker, chunk))

    def _help_out(self, most: int) -> None:
        """Score waiting chunks in the main thread until at most that many are left."""
        with suppress(Empty):
            while self._waiting.qsize() > most and (item := self._waiting.get_nowait()):
                future, chunk = item
                future.settle(partial(self._own, chunk))

    def _kill(self) -> None:
        """End at an interrupt what would outlive this process."""

    def _close(self) -> None:
        """End all workers; the results of their chunks are not needed."""
        with suppress(Empty):
            while True:
                self._waiting.get_nowait()
        for _ in self._threads:
            self._waiting.put(None)
        for thread in self._threads:
            thread.join()


class Processes(Threads[C, R]):
    """Processes. The main thread scores only if none can be started."""

    _names = "process", "processes"
    _ahead = 3

    def __init__(
        self, make: Callable[[], Callable[[C], R]], most: int, notify: Notify
    ) -> None:
        super().__init__(make, most + 1, notify)
        # A forked process has already imported everything. Other platforms use their
        # default method.
        method = "fork" if "fork" in get_all_start_methods() else None
        self._context = cast("DefaultContext", get_context(method))
        self._processes: list[BaseProcess] = []

    def _start(self) -> Callable[[C], R]:
        """Start a process, and return a function that lets it score a chunk."""
        with ExitStack() as spare:
            for _ in range(_SPARE):
                spare.enter_context(open(os.devnull, "rb"))
            pipe, process_end = self._context.Pipe()
        process = self._context.Process(
            target=_serve, args=(self._make, process_end), daemon=True
        )
        with warnings.catch_warnings():
            # Python 3.12 warns of forks beside threads. Ours block in a read and hold
            # no lock.
            warnings.simplefilter("ignore", DeprecationWarning)
            process.start()
        process_end.close()
        self._processes.append(process)

        def score(chunk: C) -> R:
            try:
                pipe.send(chunk)
                result: R = pipe.recv()
            except (EOFError, OSError, UnpicklingError):
                what = "a worker process died (killed, or out of memory)"
                raise RougeError(what, remedy="try again with fewer jobs") from None
            return result

        return score

    def _help_out(self, most: int) -> None:
        if not self._threads:
            super()._help_out(most)

    def _kill(self) -> None:
        for process in self._processes:
            process.kill()

    def _close(self) -> None:
        self._kill()
        for process in self._processes:
            process.join()
        super()._close()


def _serve(make: Callable[[], Callable[[C], R]], pipe: Connection) -> None:
    """Score chunks from the pipe until it closes: the main function of a process."""
    from multiprocessing.connection import wait  # imports tempfile and sockets

    # Ctrl-C reaches every process; one message is enough
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # If no thread can be started, the process ends after its chunk.
    with suppress(RuntimeError):
        threading.Thread(target=_end_with_parent, daemon=True).start()
    # A reader of stdout waits until all processes have closed it.
    null_device = os.open(os.devnull, os.O_RDWR)
    for stream, number in ((sys.__stdin__, 0), (sys.__stdout__, 1)):
        if stream is not None:
            os.dup2(null_device, number)
    worker, parent = make(), cast("BaseProcess", parent_process())
    while parent.sentinel not in wait([pipe, parent.sentinel]):
        pipe.send(worker(pipe.recv()))


def _end_with_parent() -> None:
    if parent := parent_process():
        parent.join()
    os._exit(1)


class Machines(Threads[C, R]):
    """The workers of the Dask scheduler at an address; LOCAL starts one on this
    machine.
    """

    _ahead = 2

    def __init__(
        self, make: Callable[[], Callable[[C], R]], address: str, notify: Notify
    ) -> None:
        super().__init__(make, 0, notify)
        self._address = address
        self._client: Any = None
        self._restore: Callable[[], None] = lambda: None
        self.number = 1  # of workers, once they are connected

    def _workers(self) -> int:
        self._client = _client(self._address)
        self._restore = _log_as_notices(self._notify)
        workers = self._client.scheduler_info()["workers"]
        self.number = max(len(workers), 1)
        return self.number

    def everywhere(
        self, function: Callable[..., Any], *arguments: Iterable[Any]
    ) -> list[Any]:
        """Call a function with each of the arguments, on any machine; return the
        results in order.
        """
        futures = self._client.map(function, *map(list, arguments), pure=False)
        results: list[Any] = self._client.gather(futures)
        return results

    def on_each(self, function: Callable[..., Any], *arguments: Any) -> list[Any]:  # noqa: ANN401 - of any function
        """Call a function on every machine; return the results."""
        return list(self._client.run(function, *arguments).values())

    def _submit(self, chunk: C) -> Outcome[R]:
        # The machine gets a copy of the worker
        future: Outcome[R] = self._client.submit(self._own, chunk, pure=False)
        return future

    def _result(self, future: Outcome[R]) -> R:
        try:
            return future.result()
        except Exception as error:
            raise RougeError(
                f"a worker of the scheduler failed: {error!r:.300}"
            ) from error

    def _kill(self) -> None:
        """Kill the processes of a local scheduler, also those that it is starting."""
        from multiprocessing import util

        import psutil  # as Dask does

        # Dask has no call that stops its threads from starting more processes, and a
        # process whose parent ends while it starts prints a traceback. Without this
        # function, none starts any more.
        vars(util).pop("spawnv_passfds", None)
        for process in psutil.Process().children():
            with suppress(psutil.Error):  # it has ended
                if "--multiprocessing-fork" in process.cmdline():
                    process.kill()

    def _close(self) -> None:
        if self._client:
            self._client.close()
        self._restore()


def _log_as_notices(notify: Notify) -> Callable[[], None]:
    """Let what Dask logs or warns of become notices, which --quiet leaves out; return a
    function that ends this.
    """
    import logging

    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: notify(  # type: ignore[method-assign]
        Notice(f"Dask: {record.getMessage()}")
    )
    loggers = [
        logging.getLogger(name)
        for name in logging.root.manager.loggerDict
        if name.partition(".")[0] in {"distributed", "tornado", "asyncio"}
    ]
    before = [(logger, logger.handlers, logger.propagate) for logger in loggers]
    for logger in loggers:
        logger.handlers, logger.propagate = [handler], False
    shown = warnings.showwarning

    def note(message: Warning | str, *_: object, **__: object) -> None:
        notify(Notice(f"Dask: {message}"))

    warnings.showwarning = note

    def restore() -> None:
        warnings.showwarning = shown
        for logger, handlers, propagate in before:
            logger.handlers, logger.propagate = handlers, propagate

    return restore


def _client(address: str) -> Client:
    """Return a client of the scheduler; raise RougeError if no scheduler answers.

    It connects in another thread. If the address is that of another kind of server,
    Dask may wait forever, or take the answer for the size of a message, which may
    exceed the memory.
    """
    if address == LOCAL:
        # After an error the scheduler ends first. Its workers, and the process that
        # removes their semaphores, would print tracebacks.
        os.environ.setdefault("DASK_LOGGING__DISTRIBUTED", "critical")
        os.environ.setdefault("PYTHONWARNINGS", "ignore:resource_tracker")
    require("a scheduler needs", "dask", "distributed", extra="dask")
    from multiprocessing import resource_tracker

    from dask.distributed import Client

    connect: Callable[[], Client] = partial(Client, address, timeout=_PATIENCE)
    if address == LOCAL:
        import logging

        for name in (
            "distributed.client",
            "tornado.application",
        ):  # these have their own levels
            logging.getLogger(name).setLevel(logging.CRITICAL)
        # No other machine can connect, not even to the dashboard.
        connect = partial(
            Client, processes=True, host="127.0.0.1", dashboard_address="127.0.0.1:0"
        )
    client: Outcome[Client] = Outcome()

    def answer() -> None:
        # Ctrl-C ends the scheduler's processes without tracebacks
        if os.name == "posix":
            # started first, since it unblocks interrupts
            resource_tracker.ensure_running()
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        client.settle(connect)

    try:
        threading.Thread(target=answer, daemon=True).start()
        return client.result(None if address == LOCAL else 3 * _PATIENCE)
    except Exception as error:  # noqa: BLE001 - any error means that there is no client
        # RuntimeError: the system refuses a thread
        is_late = not client.done() and not isinstance(error, RuntimeError)
        reason = (
            f"no answer in {3 * _PATIENCE} seconds"
            if is_late
            else str(error) or type(error).__name__
        )
        remedy = "give the address that `dask scheduler` prints, or local"
        raise RougeError(
            f"cannot reach the scheduler {address}: {reason}", remedy=remedy
        ) from None
