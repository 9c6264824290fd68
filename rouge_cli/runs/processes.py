"""Processes that score chunks of a run: at most one a chunk, and none outlives its parent.

The pool of `concurrent.futures` is not used, since its processes share pipes and locks: it hangs if one of
them is killed within a message, or cannot be started, and its locks need /dev/shm. Here each has a pipe.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import warnings
from contextlib import ExitStack, suppress
from multiprocessing import get_all_start_methods, get_context, parent_process
from multiprocessing.connection import wait
from pickle import UnpicklingError
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from rouge_cli.core import Notice
from rouge_cli.errors import RougeError
from rouge_cli.io.interrupts import Cleanup

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

    from rouge_cli.core import Notify

C = TypeVar("C")
R = TypeVar("R")

# Descriptors reserved for files when a process is started.
_SPARE = 12
# How many chunks for each process may be scored ahead of the one whose result is awaited.
_AHEAD = 3


def ordered(
    score: Callable[[C], R], chunks: Iterable[C], most: int, notify: Notify
) -> Generator[R, None, None]:
    """Yield the result of each chunk, in order, scored by at most that many processes.

    Without any process the chunks are scored in this one, with a notice.
    Raises RougeError if a process dies.
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
    """Processes with their pipes, and the number of the chunk that each works on."""

    def __init__(self, score: Callable[[C], R], most: int, notify: Notify) -> None:
        self._score = score
        self._most = most
        self._notify = notify
        # A forked process has everything imported already; other platforms use their default method.
        self._context: Any = get_context("fork" if "fork" in get_all_start_methods() else None)
        self._processes: list[BaseProcess] = []
        self._idle: list[Connection] = []
        self._busy: dict[Any, int] = {}

    @property
    def is_busy(self) -> bool:
        """Return True if a chunk is being scored."""
        return bool(self._busy)

    @property
    def is_full(self) -> bool:
        """Return True if no process is free and none can be added."""
        return self.is_busy and not self._idle and len(self._processes) >= self._most

    def submit(self, number: int, chunk: C) -> dict[int, R]:
        """Give the chunk to a process that is not busy; without processes, return its result."""
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
        """Wait for results, and return them by the number of their chunk."""
        results = {}
        ready: list[Any] = wait(list(self._busy))
        for pipe in ready:
            try:
                results[self._busy[pipe]] = pipe.recv()
            except (EOFError, OSError, UnpicklingError):
                raise _died() from None
            del self._busy[pipe]
            self._idle.append(pipe)
        return results

    def close(self) -> None:
        """Terminate all processes; their remaining work is not needed."""
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
                ours, theirs = self._context.Pipe()
            process = self._context.Process(target=_serve, args=(self._score, theirs), daemon=True)
            with warnings.catch_warnings():
                # Python 3.12 warns of forks beside threads. Ours waits in a read, and holds no lock.
                warnings.simplefilter("ignore", DeprecationWarning)
                process.start()
        except OSError as reason:
            self._most = len(self._processes)
            workers = "one process" if self._most == 0 else f"{self._most + 1} processes"
            self._notify(Notice(f"cannot start more processes ({reason.strerror}); scoring in {workers}"))
            return
        theirs.close()
        self._processes.append(process)
        self._idle.append(ours)


def _died() -> RougeError:
    return RougeError(
        "a worker process died (killed, or out of memory)", remedy="try again with fewer jobs"
    )


def _serve(score: Callable[[C], R], pipe: Connection) -> None:
    """Score chunks from the pipe until it closes; the main function of a process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches every process; one message is enough
    with suppress(RuntimeError):  # without threads it ends after its chunk
        threading.Thread(target=_end_with_parent, daemon=True).start()
    # A reader of stdout waits until every process that holds it has closed it.
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream, number in ((sys.__stdin__, 0), (sys.__stdout__, 1)):
        if stream is not None:
            os.dup2(nothing, number)
    parent: Any = parent_process()
    while parent.sentinel not in wait([pipe, parent.sentinel]):
        pipe.send(score(pipe.recv()))


def _end_with_parent() -> None:
    parent = parent_process()
    if parent:
        parent.join()
    os._exit(1)
