"""Pools that score chunks of a run in order: processes, or the workers of a Dask scheduler.

At most one process per chunk is started, and no process outlives its parent. Every process has its own
pipe. In the pool of `concurrent.futures`, processes share pipes and locks: it hangs if a process is killed
while it sends a message, or cannot be started, and its locks need /dev/shm.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import warnings
from collections import deque
from contextlib import ExitStack, suppress
from functools import partial
from multiprocessing import (
    active_children,
    get_all_start_methods,
    get_context,
    parent_process,
    resource_tracker,
)
from multiprocessing.connection import Connection, wait
from pickle import UnpicklingError
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from rouge_cli.core import Notice, Notify
from rouge_cli.errors import RougeError, require
from rouge_cli.io.interrupts import Cleanup

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable
    from multiprocessing.context import DefaultContext
    from multiprocessing.process import BaseProcess

    from dask.distributed import Client, Future


C = TypeVar("C")
R = TypeVar("R")

_SPARE = 12  # file descriptors that must be left for files when a process is started
_AHEAD = 3  # the most chunks per process that are scored ahead of the next result
LOCAL = "local"
_PATIENCE = 10  # seconds to wait for a scheduler's answer


def on_processes(
    score: Callable[[C], R], chunks: Iterable[C], most: int, notify: Notify
) -> Generator[R, None, None]:
    """Yield the results of the chunks in order, scored by at most that many processes.

    If no process can be started, this process scores the chunks, with a notice.

    Raises:
        RougeError: A process dies.
    """
    pool = _Pool(score, most, notify)
    results: dict[int, R] = {}
    following = 0
    with Cleanup(pool.close):
        try:
            for number, chunk in enumerate(chunks):
                results.update(pool.submit(number, chunk))
                while pool.is_full or number - following >= _AHEAD * most or following in results:
                    if following in results:
                        yield results.pop(following)
                        following += 1
                    else:
                        results.update(pool.receive())
            while pool.is_busy or results:
                if following in results:
                    yield results.pop(following)
                    following += 1
                else:
                    results.update(pool.receive())
        finally:
            pool.close()


class _Pool(Generic[C, R]):
    """Processes with their pipes; a busy pipe has the number of the chunk that its process scores."""

    def __init__(self, score: Callable[[C], R], most: int, notify: Notify) -> None:
        self._score = score
        self._most = most
        self._notify = notify
        # A forked process has already imported everything. Other platforms use their default method.
        method = "fork" if "fork" in get_all_start_methods() else None
        self._context = cast("DefaultContext", get_context(method))
        self._processes: list[BaseProcess] = []
        self._idle: list[Connection] = []
        self._busy: dict[Connection, int] = {}

    @property
    def is_busy(self) -> bool:
        """True if a chunk is being scored."""
        return bool(self._busy)

    @property
    def is_full(self) -> bool:
        """True if no process is idle and none can be added."""
        return self.is_busy and not self._idle and len(self._processes) >= self._most

    def submit(self, number: int, chunk: C) -> dict[int, R]:
        """Send the chunk to an idle process; without processes, score it here and return its result."""
        if not self._idle and len(self._processes) < self._most:
            self._start()
        if not self._idle:
            return {number: self._score(chunk)}
        pipe = self._idle.pop()
        self._busy[pipe] = number
        try:
            pipe.send(chunk)
        except OSError:
            raise _died() from None
        return {}

    def receive(self) -> dict[int, R]:
        """Wait for results, and return chunk number -> result."""
        results = {}
        for pipe in cast("list[Connection]", wait(list(self._busy))):
            try:
                results[self._busy[pipe]] = pipe.recv()
            except (EOFError, OSError, UnpicklingError):
                raise _died() from None
            del self._busy[pipe]
            self._idle.append(pipe)
        return results

    def close(self) -> None:
        """Kill all processes; the results of their chunks are not needed."""
        for process in self._processes:
            process.kill()
        for process in self._processes:
            process.join()
        for pipe in (*self._idle, *self._busy):
            pipe.close()
        self._processes, self._idle, self._busy = [], [], {}

    def _start(self) -> None:
        try:
            with ExitStack() as spare:
                for _ in range(_SPARE):
                    spare.enter_context(open(os.devnull, "rb"))
                own_end, process_end = self._context.Pipe()
            process = self._context.Process(target=_serve, args=(self._score, process_end), daemon=True)
            with warnings.catch_warnings():
                # Python 3.12 warns of forks beside threads. Our thread blocks in a read and holds no lock.
                warnings.simplefilter("ignore", DeprecationWarning)
                process.start()
        except OSError as reason:
            self._most = len(self._processes)
            workers = "one process" if self._most == 0 else f"{self._most + 1} processes"
            self._notify(Notice(f"cannot start more processes ({reason.strerror}); scoring in {workers}"))
            return
        process_end.close()
        self._processes.append(process)
        self._idle.append(own_end)


def _died() -> RougeError:
    return RougeError(
        "a worker process died (killed, or out of memory)", remedy="try again with fewer jobs"
    )


def _serve(score: Callable[[C], R], pipe: Connection) -> None:
    """Score chunks from the pipe until it closes: the main function of a process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches every process; one message is enough
    with suppress(RuntimeError):  # if no thread can be started, the process ends after its chunk
        threading.Thread(target=_end_with_parent, daemon=True).start()
    # A reader of stdout waits until all processes have closed it.
    null_device = os.open(os.devnull, os.O_RDWR)
    for stream, number in ((sys.__stdin__, 0), (sys.__stdout__, 1)):
        if stream is not None:
            os.dup2(null_device, number)
    parent = cast("BaseProcess", parent_process())
    while parent.sentinel not in wait([pipe, parent.sentinel]):
        pipe.send(score(pipe.recv()))


def _end_with_parent() -> None:
    parent = parent_process()
    if parent:
        parent.join()
    os._exit(1)


def on_machines(function: Callable[[C], R], chunks: Iterable[C], address: str) -> Generator[R, None, None]:
    """Yield the results of the function for the chunks in order, computed by the scheduler's workers.

    Args:
        address: The address of the scheduler, or LOCAL to start one on this machine.

    Raises:
        RougeError: The scheduler cannot be reached, or a worker fails.
    """
    with Cleanup(_kill_processes), _client(address) as client:
        workers = max(len(client.scheduler_info()["workers"]), 1)
        pending: deque[Future[R]] = deque()
        for chunk in chunks:
            pending.append(client.submit(function, chunk, pure=False))
            if len(pending) > 2 * workers:
                yield _result_of(pending.popleft())
        while pending:
            yield _result_of(pending.popleft())


def _client(address: str) -> Client:
    """Return a client of the scheduler; raise RougeError if no scheduler answers.

    It connects in another thread. If the address is that of another kind of server, Dask may wait forever,
    or take the answer for the size of a message, which may exceed the memory.
    """
    if address == LOCAL:
        # After an error the scheduler ends first. Its workers, and the process that removes their
        # semaphores, would print tracebacks.
        os.environ.setdefault("DASK_LOGGING__DISTRIBUTED", "critical")
        os.environ.setdefault("PYTHONWARNINGS", "ignore:resource_tracker")
    require("a scheduler needs", "dask", "distributed", extra="dask")
    from dask.distributed import Client

    connect: Callable[[], Client] = partial(Client, address, timeout=_PATIENCE)
    if address == LOCAL:
        import logging

        for name in ("distributed.client", "tornado.application"):  # these have their own levels
            logging.getLogger(name).setLevel(logging.CRITICAL)
        # No other machine can connect, not even to the dashboard.
        connect = partial(Client, processes=True, host="127.0.0.1", dashboard_address="127.0.0.1:0")
    from queue import Empty, SimpleQueue
    from threading import Thread

    answers: SimpleQueue[Client | Exception] = SimpleQueue()
    client: Client | Exception

    def answer() -> None:
        if os.name == "posix":  # Ctrl-C ends the scheduler's processes without tracebacks
            resource_tracker.ensure_running()  # started first, since it unblocks interrupts
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            answers.put(connect())
        except Exception as error:  # noqa: BLE001 - any error means that there is no client
            answers.put(error)

    try:
        Thread(target=answer, daemon=True).start()
        client = answers.get(timeout=3 * _PATIENCE)
    except RuntimeError as error:  # the system refuses a thread
        client = error
    except Empty:
        client = TimeoutError(f"no answer in {3 * _PATIENCE} seconds")
    if isinstance(client, Exception):
        reason = str(client) or type(client).__name__
        remedy = "give the address that `dask scheduler` prints, or local"
        raise RougeError(f"cannot reach the scheduler {address}: {reason}", remedy=remedy) from None
    return client


def _kill_processes() -> None:
    """Kill the processes of a local scheduler, some of which may still be importing modules."""
    for process in active_children():
        process.kill()


def _result_of(future: Future[R]) -> R:
    try:
        return future.result()
    except Exception as error:
        raise RougeError(f"a worker of the scheduler failed: {error!r:.300}") from error
