"""Ctrl-C ends both programs at once with 130 and one line: during imports, in long loops, and twice."""

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from rouge_cli import native
from tests.conftest import DROP_IN, ROUGE_CLI

# A run whose single call of a compiled kernel takes a minute or more.
LONG = {
    "rouge-cli": [ROUGE_CLI, "score", "--hyp", "long", "--ref", "long", "-m", "RW-1.2", "--quiet"],
    "ROUGE-1.5.5.pl": [DROP_IN, "-x", "-w", "1.2", "-z", "SPL", "list"],
}
QUICK = [ROUGE_CLI, "score", "--hyp", "h", "--ref", "h", "--samples", "0"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Write a text of one long line, and a list that scores it against itself."""
    (tmp_path / "long").write_text(" ".join(str(number % 9973) for number in range(80_000)) + "\n")
    (tmp_path / "list").write_text("long long\n")
    return tmp_path


@pytest.mark.skipif(native.kernels() != "compiled", reason="no compiled kernels here")
@pytest.mark.parametrize("times", [pytest.param(1, marks=pytest.mark.slow), 3])
@pytest.mark.parametrize("program", LONG)
def test_a_compiled_loop_is_interrupted_at_once(program: str, times: int, folder: Path) -> None:
    """Ctrl-C, once or more, ends a run and its process within a compiled loop of minutes."""
    running = subprocess.Popen(
        LONG[program], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    wait_for_work(running.pid)
    start = time.monotonic()
    for _ in range(times):
        os.killpg(running.pid, signal.SIGINT)
    stdout, stderr = running.communicate(timeout=60)

    assert time.monotonic() - start < 5
    assert (130, b"", f"{program}: interrupted\n") == (running.returncode, stdout, stderr.decode())


def wait_for_work(process: int, seconds: float = 0.4) -> None:
    """Return when the process has used that much CPU time; fail if it has ended before."""
    tick = os.sysconf("SC_CLK_TCK")
    user = 0
    while user <= seconds * tick:
        time.sleep(0.02)
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        state, user = fields[0], int(fields[11])
        assert state != "Z", "it ended too early to be interrupted"


def test_an_interrupt_that_is_ignored_stays_ignored(tmp_path: Path) -> None:
    """If the shell ignores Ctrl-C, as for background jobs of a script, a run is not ended by it."""
    (tmp_path / "h").write_text("a b c d e f g h i j\n" * 600_000)
    running = subprocess.Popen(
        ["sh", "-c", "trap '' INT; exec \"$@\"", "sh", *QUICK],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    wait_for_work(running.pid, 0.15)
    running.send_signal(signal.SIGINT)
    stdout, _ = running.communicate(timeout=120)

    assert running.returncode == 0
    assert b"ROUGE-1" in stdout
