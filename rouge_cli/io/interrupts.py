"""Ctrl-C ends a command at once: one line on stderr, exit status 130, nothing left
behind.

Python raises KeyboardInterrupt when its main thread runs Python again, which is late
during a long compiled loop, and a traceback while modules are imported. This module is
imported before all others.
"""

from __future__ import annotations

import _thread
import os
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import signal
    from collections.abc import Callable
    from typing import NoReturn
else:
    import _signal as signal  # without the enums of `signal`

STATUS = 130
_PATIENCE = 0.2  # seconds that the main thread has to end the process itself

_beforehand: list[Callable[[], object]] = []  # before the message
_cleanups: list[Callable[[], object]] = []
_first = _thread.allocate_lock()


def install(program: str) -> None:
    """Let Ctrl-C end this process, with the program's name in the message.

    An ignored interrupt stays ignored (nohup, background jobs of a script), and the
    handler of a calling program stays.
    """
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return
    signal.signal(signal.SIGINT, lambda *_: _end(program))
    try:
        reading, writing = os.pipe()
        os.set_blocking(writing, False)
        signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
        _thread.start_new_thread(_watch, (reading, program))
    except (AttributeError, OSError, RuntimeError, ValueError):
        pass  # without descriptors or threads, or on Windows: compiled loops end first


class Cleanup:
    """Call the action if an interrupt ends the process within the `with` block.

    Args:
        action: What is done.
        is_first: Do it before the message, as erasing a line on the terminal.
    """

    def __init__(self, action: Callable[[], object], *, is_first: bool = False) -> None:
        self._action = action
        self._actions = _beforehand if is_first else _cleanups

    def __enter__(self) -> None:
        self._actions.append(self._action)

    def __exit__(self, *_: object) -> None:
        self._actions.remove(self._action)


def _watch(reading: int, program: str) -> None:
    """Watch for an interrupt, and end the process if its main thread is busy in a
    compiled loop.
    """
    while os.read(reading, 1) != bytes([signal.SIGINT]):
        pass
    time.sleep(_PATIENCE)
    if _first.locked():  # it is ending the process, on a busy machine
        time.sleep(10 * _PATIENCE)
    _end(program)


def _end(program: str) -> NoReturn:
    if _first.acquire(blocking=False):  # a second Ctrl-C does not wait for the first
        for action in (
            *_beforehand,
            lambda: os.write(2, f"{program}: interrupted\n".encode()),
            *_cleanups,
        ):
            try:  # noqa: SIM105 - contextlib takes time to import
                action()
            except Exception:  # noqa: BLE001, PERF203, S110 - the others are as important
                pass
    os._exit(STATUS)
