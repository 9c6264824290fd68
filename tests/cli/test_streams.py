"""Which output goes to which stream, and the end of interrupted runs."""

import os
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.conftest import DROP_IN, ROUGE_CLI, Program

LETTERS = "ahHbcdeflmMnpstr23wuUvxz"


@pytest.fixture
def pair(tmp_path: Path) -> Path:
    """Create a folder with one small text and a list that scores it against itself."""
    (tmp_path / "p").write_text("the cat sat on the mat\n")
    (tmp_path / "list").write_text("p p\n")
    return tmp_path


@pytest.mark.parametrize("option", ["-h", "-H", "--help"])
def test_help_is_complete(option: str, drop_in: Program) -> None:
    """Help names every option of the original, on stdout, with exit status 0 (QUIRKS 1)."""
    status, stdout, stderr = drop_in(option)

    assert (0, "") == (status, stderr)
    assert [] == [letter for letter in LETTERS if f"-{letter}" not in stdout.decode()]


def test_version_names_the_program(drop_in: Program) -> None:
    """`--version` names the program and the kernels."""
    stdout = drop_in("--version", environment={"ROUGE_CLI_KERNELS": "python"}).stdout

    assert stdout.startswith(b"ROUGE-1.5.5.pl of rouge-cli ")
    assert stdout.endswith(b", python kernels\n")


def test_debugging_output_is_the_same_every_time(pair: Path, drop_in: Program) -> None:
    """`-v` prints what the options mean, without the addresses of objects."""
    options = ["-vmsu", "-l9", "-n2", "-w1.2", "-24", "-t1", "-fB", "-zSPL", "list"]
    first, second = (drop_in(*options, cwd=pair).stderr for _ in range(2))

    assert first == second
    assert "tokenize = tokens" in first
    assert " at 0x" not in first + drop_in("-v", "-3", "HM", "-z", "SIMPLE", "list", cwd=pair).stderr


def test_a_reader_that_leaves_gets_no_traceback(pair: Path, program: Program) -> None:
    """If the reader of stdout has left, the run ends without a message."""
    command = f"'{DROP_IN}' -n 9999 -z SPL list | head -c 1"

    assert (b"-", "") == program("sh", "-c", command, cwd=pair)[1:]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_is_said(pair: Path, drop_in: Program) -> None:
    """A report that cannot be written is an error with a message."""
    with Path("/dev/full").open("wb") as full:
        status, _, stderr = drop_in("-n", "1", "-z", "SPL", "list", cwd=pair, stdout=full.fileno())

    assert status != 0
    assert "ROUGE-1.5.5.pl: cannot write the report: No space left on device\n" == stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("stderr", ["2>&-", "2>/dev/full"])
def test_a_report_outlives_its_messages(stderr: str, pair: Path, program: Program) -> None:
    """If stderr is closed or full the messages are lost, and the report is the same."""
    (pair / "p").write_text("\n")
    command = f"'{DROP_IN}' -n 1 -z SPL list"
    whole, without = (program("sh", "-c", text, cwd=pair) for text in (command, f"{command} {stderr}"))

    assert whole.stderr
    assert (0, whole.stdout) == without[:2]


def test_a_list_from_a_closed_stdin_is_an_error(pair: Path, program: Program) -> None:
    """A list from stdin that is closed is an error with a message."""
    command = f"'{DROP_IN}' -n 1 -z SPL - <&-"

    assert program("sh", "-c", command, cwd=pair)[1:] == (
        b"", "ROUGE-1.5.5.pl: stdin: cannot read the file list: Bad file descriptor\n"
    )  # fmt: skip


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
