"""Dask's schedulers: the parts of a run go to their workers, and the results come back in order."""

from __future__ import annotations

import logging
import os
import signal
from collections import deque
from functools import partial
from multiprocessing import active_children, resource_tracker
from typing import TYPE_CHECKING, Any, TypeVar

from rouge_cli.errors import RougeError, require
from rouge_cli.io.interrupts import Cleanup

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

T = TypeVar("T")
S = TypeVar("S")

LOCAL = "local"
_PATIENCE = 10  # seconds that a scheduler has to answer


def ordered(function: Callable[[T], S], chunks: Iterable[T], address: str) -> Generator[S, None, None]:
    """Yield the results of the function for the chunks, in order, from the scheduler's workers.

    address: the scheduler's, or LOCAL to start one on this machine.
    Raises RougeError if the scheduler cannot be reached, or a worker fails.
    """
    with Cleanup(_kill_processes), _client(address) as client:
        workers = max(len(client.scheduler_info()["workers"]), 1)
        pending: deque[Any] = deque()
        for chunk in chunks:
            pending.append(client.submit(function, chunk, pure=False))
            if len(pending) > 2 * workers:
                yield _result(pending.popleft())
        while pending:
            yield _result(pending.popleft())


def _client(address: str) -> Any:  # noqa: ANN401 - Dask's
    """Return a client of the scheduler; raise RougeError if no scheduler answers.

    It connects in another thread: Dask waits forever for servers of some other protocols, and takes the
    answers of others for the size of a message, which may exceed the memory.
    """
    if address == LOCAL:
        # Workers whose scheduler has ended, as after an error, would print tracebacks.
        os.environ.setdefault("DASK_LOGGING__DISTRIBUTED", "critical")
        # So would the process that removes their semaphores.
        os.environ.setdefault("PYTHONWARNINGS", "ignore:resource_tracker")
    require("a scheduler needs", "dask", "distributed", extra="dask")
    from dask.distributed import Client

    if address == LOCAL:
        for name in ("distributed.client", "tornado.application"):  # which have levels of their own
            logging.getLogger(name).setLevel(logging.CRITICAL)
    connect: Callable[[], Any] = partial(Client, address, timeout=_PATIENCE)
    if address == LOCAL:  # no other machine can connect, not even to the dashboard
        connect = partial(Client, processes=True, host="127.0.0.1", dashboard_address="127.0.0.1:0")
    from queue import Empty, SimpleQueue
    from threading import Thread

    answers: SimpleQueue[Any] = SimpleQueue()

    def answer() -> None:
        if os.name == "posix":  # its processes end with this one, and without a traceback
            resource_tracker.ensure_running()  # which unblocks interrupts in its thread
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


def _result(future: Any) -> Any:  # noqa: ANN401 - Dask's
    try:
        return future.result()
    except Exception as error:
        raise RougeError(f"a worker of the scheduler failed: {error!r:.300}") from error
