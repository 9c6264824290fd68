"""Thousands of notices are a few lines on stderr, so that a caller that ignores it does not block."""

import os
import subprocess
import sys
from itertools import takewhile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rouge_cli.cli.streams import Notices
from rouge_cli.core import Notice

BIN = Path(sys.executable).parent
SEE = '<html>\n<a name="1">[1]</a> <a href="#1" id=1>the cat sat</a>\n</html>\n'
FILES = 1000
# A pipe holds 64 KiB on Linux; the unread notices must fit easily.
MOST = 16 * 1024


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a file list of 1,000 SEE files that are read as SPL, and other inputs of these files."""
    folder = tmp_path_factory.mktemp("see")
    (folder / "model").write_text("the cat sat\n")
    (folder / "peers").mkdir()
    (folder / "models").mkdir()
    for number in range(FILES):
        # Unclosed, so that `convert` has something to report too.
        (folder / "peers" / f"{number:04}.html").write_text(SEE.replace("</a>\n", "\n"))
    (folder / "list").write_text("".join(f"peers/{number:04}.html model\n" for number in range(FILES)))
    evals = (
        f'<EVAL ID="{number}"><PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT><INPUT-FORMAT TYPE="SPL"/>'
        '<PEERS><P ID="1">model</P></PEERS><MODELS><M ID="A">model</M><M ID="A">model</M></MODELS></EVAL>'
        for number in range(FILES)
    )
    (folder / "twice.xml").write_text(f"<ROUGE-EVAL>{''.join(evals)}</ROUGE-EVAL>")
    return folder


DROP_IN = [str(BIN / "ROUGE-1.5.5.pl"), "-n", "1", "-x"]
ROUGE_CLI = str(BIN / "rouge-cli")
# Every program and command that can report on each of thousands of files or evals.
COMMANDS = {
    "drop-in, files": [*DROP_IN, "-z", "SPL", "list"],
    "drop-in, evals": [*DROP_IN, "twice.xml", "nosuch"],
    "drop-in, settings": [*DROP_IN, "-a", "twice.xml"],
    "score": [ROUGE_CLI, "score", "--read-as", "spl", "list", "-m", "R1"],
    "audit": [ROUGE_CLI, "audit", "twice.xml"],
    "identify": [ROUGE_CLI, "identify", "twice.xml", "--published", "R1=0.5", "--dialect", "google"],
    "convert": [ROUGE_CLI, "convert", "--from", "see", "--to", "spl", "--force", "-o", "out/", "peers"],
    "explain": [ROUGE_CLI, "explain", "twice.xml", "--eval", "1", "--peer-id", "1", "-m", "R1"],
}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] * (name in {"audit", "convert", "identify"}))
        for name in COMMANDS
    ],
)
def test_a_wrapper_that_ignores_stderr_need_not_wait(name: str, folder: Path) -> None:
    """A caller that reads stdout to its end and never stderr gets the report without blocking."""
    clean = {key: value for key, value in os.environ.items() if "ROUGE" not in key}
    with subprocess.Popen(
        COMMANDS[name], cwd=folder, env=clean, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout
        assert process.stderr
        try:
            assert process.wait(timeout=100) == 0
        except subprocess.TimeoutExpired:
            process.kill()
            pytest.fail("blocked by a pipe that nobody reads")
        stderr = process.stderr.read().decode()

    assert 0 < len(stderr) < MOST
    assert " more like " in stderr


@given(st.lists(st.text(max_size=300), max_size=400))
def test_any_notices_fit_a_pipe(messages: list[str]) -> None:
    """For any notices of any length, few bytes are printed, and every notice is counted."""
    printed: list[str] = []
    with Notices(printed.append) as notices:
        for message in messages:
            notices(Notice(message))
    rest = iter(messages)
    shown = len(list(takewhile(lambda line: line in rest, printed)))  # in their order
    omitted = [int(line.split("... and ")[1].split()[0]) for line in printed[shown:]]

    assert len(messages) == shown + sum(omitted)
    assert sum(len(line.encode("utf-8", "surrogateescape")) + 20 for line in printed) < MOST
