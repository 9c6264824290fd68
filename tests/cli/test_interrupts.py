"""Ctrl-C ends both programs at once with 130 and one line: during imports, in long
loops, and twice.
"""

import os
import resource
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest
from running import PATIENCE, wait_for_work

from rouge_cli import twins
from tests.conftest import DROP_IN, ROUGE_CLI

# A run whose single call of a compiled kernel takes a minute or more.
LONG = {
    "rouge-cli": [
        ROUGE_CLI,
        "score",
        "--hyp",
        "long",
        "--ref",
        "other",
        "-m",
        "RW-1.2",
        "--quiet",
    ],
    "ROUGE-1.5.5.pl": [DROP_IN, "-x", "-w", "1.2", "-z", "SPL", "list"],
}
QUICK = [ROUGE_CLI, "score", "--hyp", "h", "--ref", "h", "--samples", "0"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Write two texts of one long line that differ in the last word, and a list that
    scores one against the other.
    """
    words = " ".join(str(number % 9973) for number in range(80_000))
    for name in ("long", "other"):
        (tmp_path / name).write_text(f"{words} {name}\n")
    (tmp_path / "list").write_text("long other\n")
    return tmp_path


@pytest.mark.skipif(twins.kernels() != "compiled", reason="no compiled kernels here")
@pytest.mark.parametrize("times", [pytest.param(1, marks=pytest.mark.slow), 3])
@pytest.mark.parametrize("program", LONG)
def test_a_compiled_loop_is_interrupted_at_once(
    program: str, times: int, folder: Path
) -> None:
    """Ctrl-C, once or more, ends a run and its process within a compiled loop of
    minutes.
    """
    running = subprocess.Popen(
        LONG[program],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    wait_for_work(running.pid)
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    for _ in range(times):
        os.killpg(running.pid, signal.SIGINT)
    stdout, stderr = running.communicate(timeout=60)

    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before < 5
    assert (130, b"", f"{program}: interrupted\n") == (
        running.returncode,
        stdout,
        stderr.decode(),
    )


def test_an_interrupt_that_is_ignored_stays_ignored(tmp_path: Path) -> None:
    """If the shell ignores Ctrl-C, as for background jobs of a script, a run is not
    ended by it.
    """
    (tmp_path / "h").write_text("a b c d e f g h i j\n" * 600_000)
    running = subprocess.Popen(
        QUICK, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_IGN),  # noqa: PLW1509
    )  # fmt: skip
    while running.poll() is None:
        running.send_signal(signal.SIGINT)
        time.sleep(0.02)
    stdout, _ = running.communicate(timeout=PATIENCE)

    assert running.returncode == 0
    assert b"ROUGE-1" in stdout


def test_progress_is_erased_before_the_message() -> None:
    """The line of the progress is cleared first, so that the message has a line of its
    own.
    """
    script = (
        "import os, signal; from rouge_cli.io import interrupts\n"
        "interrupts.install('rouge-cli')\n"
        "erase = lambda: os.write(2, b'[erased]')\n"
        "with interrupts.Cleanup(erase, is_first=True):\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    signal.pause()\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, check=False
    )

    assert (130, b"[erased]rouge-cli: interrupted\n") == (
        ended.returncode,
        ended.stderr,
    )
