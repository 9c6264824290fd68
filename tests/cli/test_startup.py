"""Tools and profilers that watch a run from its start to its end."""

import os
import subprocess
import sys
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from everyday import sampled
from executable import PYTHON_PROGRAM

BIN = Path(sys.executable).parent
PROGRAMS = {
    "rouge-cli": [str(BIN / "rouge-cli"), "formats"],
    "drop-in": [str(BIN / PYTHON_PROGRAM), "-n", "1", "-a", "fixtures/demo/settings.xml"],
}
# What tools do that a `.pth` file or `sitecustomize` starts before a program.
TOOLS = {
    "exit callback": "import atexit; atexit.register(print, 'the end', file=sys.stderr)",
    "thread": (
        "import threading, time\n"
        "def report():\n"
        "    while threading.main_thread().is_alive(): time.sleep(0.01)\n"
        "    print('the end', file=sys.stderr)\n"
        "threading.Thread(target=report).start()"
    ),
    "trace function": "sys.settrace(eval('lambda *_: None', {})); end = End()",
    "profile function": "sys.setprofile(eval('lambda *_: None', {})); end = End()",
    "nothing": "end = End()",
}
AT_END = """
import os, sys
class End:
    def __del__(self, write=os.write):
        write(2, b"the end" + bytes([10]))
"""


@cache
def plain(program: str, root: Path) -> bytes:
    """Return what a program prints without a tool."""
    return subprocess.run(PROGRAMS[program], cwd=root, capture_output=True, check=True).stdout


@pytest.mark.parametrize(("program", "tool"), sampled(product(PROGRAMS, TOOLS), 2))  # each tool every day
def test_a_tool_sees_the_end(program: str, tool: str, root: Path, tmp_path: Path) -> None:
    """A program that coverage or another tool watches ends in Python's ordinary way, any other at once."""
    (tmp_path / "sitecustomize.py").write_text(AT_END + TOOLS[tool])
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    watched = subprocess.run(PROGRAMS[program], cwd=root, env=environment, capture_output=True, check=True)

    assert plain(program, root)
    assert plain(program, root) == watched.stdout
    assert (b"" if tool == "nothing" else b"the end\n") == watched.stderr


PROFILERS = {
    "-m cProfile": b"function calls",
    "-m trace --count --summary -C {folder}": b"lines   cov%",
    "-X importtime": b"rouge_cli",
}


@pytest.mark.parametrize(("program", "words"), sampled(product(PROGRAMS, PROFILERS), 2))
def test_profilers_print_their_tables(program: str, words: str, root: Path, tmp_path: Path) -> None:
    """Profilers of Python run both programs, and print what they have counted in a whole run."""
    command = [sys.executable, *words.format(folder=tmp_path).split(), *PROGRAMS[program]]
    ended = subprocess.run(command, cwd=root, capture_output=True, check=True)

    assert ended.stdout
    assert PROFILERS[words] in ended.stdout + ended.stderr
