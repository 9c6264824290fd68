"""The tests' fork server: a program that it runs behaves as in a new process."""

import os
import sys
from pathlib import Path

import pytest
from everyday import sampled
from executable import PYTHON_PROGRAM

from tests.conftest import Program

BIN = Path(sys.executable).parent
DEMO = "fixtures/demo/settings.xml"
# A tokenizer that prints all that a program can find out about its process, and ends it in some way.
CURIOUS = """
import atexit, json, locale, os, random, resource, signal, sys, tempfile, threading, warnings
def words(text):
    return text.split()
streams = [
    (s.fileno(), s.encoding, s.errors, s.line_buffering, s.write_through, s.isatty(), s.buffer.seekable())
    for s in (sys.__stdin__, sys.__stdout__, sys.__stderr__)
]
held = {{number: signal.getsignal(number) for number in signal.valid_signals()}}
held.pop(signal.SIGINT)
mask = os.umask(0)
os.umask(mask)
print(json.dumps([
    sys.argv, sys.path, sys.prefix, str(sys.flags), sys.getfilesystemencoding(), streams, sys.stdin.read(),
    [kind for kind in warnings.filters if not kind[1] and kind[2].__module__ == "builtins"],
    repr(sorted(held.items())), signal.pthread_sigmask(signal.SIG_BLOCK, []) == set(), mask,
    [number for number in os.listdir("/proc/self/fd") if os.path.exists(f"/proc/self/fd/{{number}}")],
    os.getcwd(), sorted(os.environ.items()), os.getpgid(0) == os.getpgid(os.getppid()),
    [resource.getrlimit(number) for number in range(9)], threading.active_count(), tempfile.gettempdir(),
    locale.setlocale(locale.LC_ALL),
], default=str))
print("a message", file=sys.stderr)
atexit.register(print, "at the end")
threading.Timer(0.1, print, ["in a thread"]).start()
sys.stdout.write("without a line's end")
{}
"""
LINES = {
    "a report": f"rouge-cli score {DEMO}",
    "every eval": f"rouge-cli score {DEMO} --per-eval --format json -j 2",
    "a comparison": f"rouge-cli compare {DEMO}",
    "google": f"rouge-cli score {DEMO} --dialect google --stem",
    "stdin": "rouge-cli score - --input jsonl",
    "help": "rouge-cli --help",
    "no command": "rouge-cli",
    "an unknown command": "rouge-cli naïve \udcff",
    "a missing file": "rouge-cli score gone.jsonl",
    "the classic report": f"{PYTHON_PROGRAM} -n 2 -m -a {DEMO}",
    "debugging": f"{PYTHON_PROGRAM} -v -n 2 {DEMO}",
    "the classic help": f"{PYTHON_PROGRAM} -h",
    "no arguments": PYTHON_PROGRAM,
    "a missing file of settings": f"{PYTHON_PROGRAM} -a gòne.xml",
}
ENVIRONMENTS: dict[str, dict[str, str]] = {
    "readable": {"ROUGE_CLI_KERNELS": "python", "ROUGE_CLI_QUIET": "1"},
    "buffered": {"PYTHONUNBUFFERED": ""},
    "unbuffered": {"PYTHONUNBUFFERED": "1"},
    "no UTF-8": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
}
ENDS = {
    "nothing": "", "a number": "sys.exit(300)", "a word": "sys.exit('gone')",
    "an error": "raise KeyError('gone')", "an interrupt": "raise KeyboardInterrupt",
    "a signal": "os.kill(os.getpid(), signal.SIGTERM)", "at once": "os._exit(3)",
    "a closed stdout": "os.close(1)",
}  # fmt: skip


@pytest.mark.parametrize(
    ("line", "environment"),
    sampled(
        [*((line, "plain") for line in LINES), *(("an unknown command", name) for name in ENVIRONMENTS)], 4
    ),
)
def test_a_fork_prints_what_a_new_process_prints(
    line: str, environment: str, program: Program, root: Path
) -> None:
    """Status and both streams are the same, of reports and of errors, in any environment."""
    name, *words = LINES[line].split(" ")
    stdin = '{"prediction": "das schöne Haus", "reference": "das Haus"}\n'.encode()
    fork, new = (
        program(
            str(BIN / name), *words, cwd=root, environment=ENVIRONMENTS.get(environment), stdin=stdin,
            forked=forked,
        )
        for forked in (True, False)
    )  # fmt: skip

    assert new == fork


@pytest.mark.parametrize(
    ("end", "environment"),
    sampled([*((end, "plain") for end in ENDS), *(("nothing", name) for name in ENVIRONMENTS)], 4),
)
def test_a_fork_is_as_a_new_process(end: str, environment: str, program: Program, tmp_path: Path) -> None:
    """A program has the environment of a new process, and may end it in any way."""
    (tmp_path / "curious.py").write_text(CURIOUS.format(ENDS[end]))
    (tmp_path / "h").write_text("a b\n")
    words = ("score", "--hyp", "h", "--ref", "h", "--tokenizer", "curious:words", "-m", "R1")
    fork, new = (
        program(
            str(BIN / "rouge-cli"), *words, cwd=tmp_path, environment=ENVIRONMENTS.get(environment),
            stdin=b"typed", forked=forked,
        )
        for forked in (True, False)
    )  # fmt: skip

    assert b"typed" in new.stdout
    assert new == fork


@pytest.mark.parametrize("name", ["rouge-cli", PYTHON_PROGRAM])
def test_a_fork_without_a_reader(name: str, program: Program) -> None:
    """A fork's stdout is the descriptor that the test passes, even if it is closed at the other end."""
    reading, writing = os.pipe()
    os.close(reading)
    fork, new = (program(str(BIN / name), "-h", stdout=writing, forked=forked) for forked in (True, False))
    os.close(writing)

    assert new == fork
    assert new.status == 141
