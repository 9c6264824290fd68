"""Programs that run beside a test: what a busy machine delays is waited for."""

import os
import time
from collections.abc import Callable
from pathlib import Path

PATIENCE = 60  # seconds in which any machine has done what takes a second


def wait_until(is_so: Callable[[], object]) -> None:
    """Return when it is so; fail if it is not for long."""
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)


def wait_for_work(process: int, seconds: float = 0.4) -> None:
    """Return when the process has used that much CPU time; fail if it has ended
    before.
    """

    def has_worked() -> bool:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        assert fields[0] != "Z", "it ended too early to be interrupted"
        return int(fields[11]) > seconds * os.sysconf("SC_CLK_TCK")

    wait_until(has_worked)
