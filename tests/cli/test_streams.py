"""Which output goes to which stream, and the end of interrupted runs."""

import os
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.conftest import DROP_IN, ROUGE_CLI

LETTERS = "ahHbcdeflmMnpstr23wuUvxz"


@pytest.fixture
def pair(tmp_path: Path) -> Path:
    """Create a folder with one small text and a list that scores it against itself."""
    (tmp_path / "p").write_text("the cat sat on the mat\n")
    (tmp_path / "list").write_text("p p\n")
    return tmp_path


def test_an_interrupt_ends_cleanly(pair: Path) -> None:
    """Ctrl-C ends a long run with status 130, one line, and no report."""
    (pair / "p").write_text("a b " * 30_000)
    running = subprocess.Popen(
        [DROP_IN, "-v", "-x", "-2", "4", "-n", "500", "-z", "SPL", "list"],
        cwd=pair, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    assert running.stderr
    os.read(running.stderr.fileno(), 1)  # it has started
    time.sleep(0.3)
    running.send_signal(signal.SIGINT)
    stdout, stderr = running.communicate(timeout=60)

    assert (130, b"") == (running.returncode, stdout)
    assert stderr.endswith(b"ROUGE-1.5.5.pl: interrupted\n")
    assert b"Traceback" not in stderr


@pytest.mark.parametrize("command", [["score", "--hyp", "a", "--ref", "a"], ["explain", "a", "a"]])
def test_a_terminal_gets_colours(command: list[str], tmp_path: Path) -> None:
    """Reports have colours on a terminal, and neither in a pipe nor in a file."""
    (tmp_path / "a").write_text("the cat sat on the mat\n")
    shown = on_terminal([ROUGE_CLI, *command, "--quiet"], tmp_path)
    on_terminal([ROUGE_CLI, *command, "--quiet", "-o", "file"], tmp_path)
    piped = subprocess.run(
        [ROUGE_CLI, *command, "--quiet"], cwd=tmp_path, stdout=subprocess.PIPE, check=True
    )

    assert b"\x1b[" in shown
    assert b"\x1b[" not in piped.stdout
    assert (tmp_path / "file").read_bytes() == piped.stdout


def on_terminal(command: list[str], folder: Path) -> bytes:
    """Return what a command prints on a terminal."""
    ours, theirs = os.openpty()
    environment = os.environ | {"TERM": "xterm-256color", "NO_COLOR": ""}
    with subprocess.Popen(command, cwd=folder, stdout=theirs, env=environment) as running:
        os.close(theirs)
        printed = b""
        with suppress(OSError):  # the end of a terminal is an error on Linux
            while data := os.read(ours, 65536):
                printed += data
        os.close(ours)
        assert 0 == running.wait()
    return printed
