"""Commands that run without the extras: all have a case, and a short run starts
without slow modules.
"""

import re
import subprocess
import sys
from pathlib import Path

import case_files
import pytest
from click import Context

from rouge_cli import native
from rouge_cli.cli.main import group
from tests.conftest import ROOT

LIGHT = (case_files.FOLDER / "light_install.txt").read_text("utf-8")


@pytest.mark.parametrize("name", group.list_commands(Context(group)))
def test_every_command_is_light_or_names_its_extra(name: str) -> None:
    """Each command has its case in `cases/light_install.txt`, in which Python lacks
    every extra.
    """
    lists = re.findall(r"^--- commands\n(.*?)^\$ ", LIGHT, re.MULTILINE | re.DOTALL)
    tried = {line.split()[0] for commands in lists for line in commands.splitlines()}
    tried.update(re.findall(r"^\$ light/run rouge-cli (\S+)", LIGHT, re.MULTILINE))

    assert name in tried, f"{name}: no case of tests/cli/cases/light_install.txt has it"


# Function of __main__, and a command line -> modules that take more time to import than
# a short run has.
SLOW = {
    ("rouge155", "-n 4 -w 1.2 -m -2 4 -u -a fixtures/demo/settings.xml"): (
        "asyncio click dataclasses email http inspect json logging nltk numbers"
        " numpy pandas rich scipy signal unittest"
    ),
    (
        "rouge_cli",
        "score run.jsonl",
    ): "csv dataclasses hashlib logging numbers rouge_cli.reports.html",
    (
        "rouge_cli",
        "score run.jsonl --dialect google",
    ): "csv dataclasses hashlib logging numbers",
}


@pytest.mark.skipif(
    native.extension() is None, reason="the readable kernels need more modules"
)
@pytest.mark.parametrize(("function", "words"), SLOW)
def test_a_short_run_starts_without_slow_modules(
    function: str, words: str, tmp_path: Path
) -> None:
    """ROUGE-1.5.5.py imports no module that takes milliseconds, and rouge-cli little
    besides click.
    """
    (tmp_path / "fixtures").symlink_to(ROOT / "fixtures")
    (tmp_path / "run.jsonl").write_text(
        '{"prediction": "the cats sat", "reference": "a cat sat"}\n'
    )
    lines = (
        f"import os, sys; sys.path[:] = {[str(ROOT), *sys.path]}",
        "import click" if function == "rouge_cli" else "",
        f"before, sys.argv[1:], leave = set(sys.modules), {words.split()}, os._exit",
        "def report(status):",
        (
            f"    slow = set({SLOW[function, words].split()}) & sys.modules.keys() -"
            " before"
        ),
        "    print(status, sorted(slow), file=sys.stderr, flush=True); leave(0)",
        "os._exit = report",
        f"from rouge_cli.__main__ import {function}; {function}()",
    )
    ended = subprocess.run(
        [sys.executable, "-S", "-c", "\n".join(lines)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )

    assert "0 []\n" == ended.stderr
    assert "rouge" in ended.stdout.lower()
