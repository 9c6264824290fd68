"""The examples of the documentation's pages are run."""

import os
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Any

import pages
import pytest

from tests.conftest import ROOT, Program

FOLDERS = ("tutorials", "how-to", "reference", "explanation")
PAGES = ["README.md", "compat/README.md", "docs/index.md"]
PAGES += [
    f"docs/{path.parent.name}/{path.name}"
    for name in FOLDERS
    for path in sorted((ROOT / "docs" / name).glob("*.md"))
]
# Trials, plots and machines, which take long.
SLOW = {"docs/how-to/significance.md"}
SLOW_PYTHON = {"docs/how-to/many-machines.md", "docs/how-to/significance.md"}
# A client's command, and whether it is installed.
CLIENT, HAS_CLIENT = "pyrouge_set_rouge_path", find_spec("pyrouge") is not None
# Packages that examples import, which no environment of the project has.
ABSENT = {"from sacrerouge.metrics import Rouge", "from pyspark.sql import DataFrame"}


PROGRAMS = {
    name: str(Path(sys.executable).with_name(name))
    for name in ("rouge-cli", "ROUGE-1.5.5.pl")
}
QUOTED = re.compile(r"""'[^']*'|"[^"$`\\]*\"""")


def words(line: str) -> list[str]:
    """Return a command line's words if it runs a program of ours and nothing else,
    or a shell's with it.
    """
    name, *rest = shlex.split(line)
    is_alone = name in PROGRAMS and re.fullmatch(
        r"[\w\s=,:./@+-]+", QUOTED.sub("", line)
    )
    return [PROGRAMS[name], *rest] if is_alone else ["sh", "-c", line]


def text(page: str) -> str:
    """Return the page's text."""
    return (ROOT / page).read_text("utf-8")


def having(blocks: Callable[[str], Sequence[object]], slow: set[str]) -> list[Any]:
    """Return the pages that have such blocks."""
    pages = (page for page in PAGES if blocks(text(page)))
    return [
        pytest.param(page, marks=pytest.mark.slow if page in slow else ())
        for page in pages
    ]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Create a folder that looks like the checkout to the commands of a page, and is
    writable.
    """
    for name in ("compat", "docs", "fixtures", "tests"):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "build").mkdir()
    return tmp_path


@pytest.mark.parametrize("page", having(pages.console_blocks, SLOW))
def test_every_command_prints_what_its_page_shows(
    page: str, checkout: Path, program: Program
) -> None:
    """A page's commands run from top to bottom, succeed, and print the lines below
    them.
    """
    path = [
        Path(sys.executable).parent,
        *(Path(shutil.which(name) or "/bin/sh").parent for name in ("sh", "make")),
    ]
    environment = {
        "PATH": os.pathsep.join([*map(str, path), "/usr/bin", "/bin"]),
        "HOME": str(checkout),
    }
    for command in chain.from_iterable(pages.console_blocks(text(page))):
        if command.line.startswith(CLIENT) and not HAS_CLIENT:
            continue
        folder, line = checkout, command.line
        if (
            line.startswith("cd ")
            and words(line.partition(" && ")[2])[0] in PROGRAMS.values()
        ):
            name, _, line = line[3:].partition(" && ")
            folder /= name
        status, stdout, stderr = program(
            *words(line), cwd=folder, environment=environment
        )
        printed = [*stdout.decode().splitlines(), *stderr.splitlines()]
        assert status == 0, (command.line, printed)
        assert "" == pages.difference(command.shown, printed), command.line


@pytest.mark.parametrize("page", having(pages.python_blocks, SLOW_PYTHON))
def test_every_python_block_runs(page: str) -> None:
    """A page's Python examples run unchanged."""
    (ROOT / "build").mkdir(exist_ok=True)  # as make does
    for block in pages.python_blocks(text(page)):
        if not any(line in ABSENT for line in block.splitlines()):
            exec(compile(block, page, "exec"), {})  # noqa: S102 - the project's own pages


@pytest.mark.parametrize("page", [page for page in PAGES if page.startswith("docs/")])
def test_every_page_begins_with_its_purpose(page: str) -> None:
    """Below its heading a page has one line of at most 100 columns that states its
    purpose.
    """
    heading, purpose, rest, *_ = text(page).splitlines()

    assert heading.startswith("# ")
    assert purpose.endswith(".")
    assert len(purpose) <= 100
    assert not rest, f"more than one line: {rest}"


@pytest.mark.parametrize("page", PAGES)
def test_a_page_that_includes_a_file_names_it(page: str) -> None:
    """On GitHub, a page without its included file reads as a link to it, not as a
    command.
    """
    text = (ROOT / page).read_text("utf-8")

    assert "--8<--" not in text
    for path, below in re.findall(r"<!-- include: (.*):\d+ -->\n(.*)", text):
        assert f"[{path}](../../{path})" in below
        assert (ROOT / path).is_file()


def test_the_steps_of_each_task_are_counted() -> None:
    """The table of tasks has the number of commands in each section's first block,
    else of its cells.
    """
    head, *sections = text("docs/how-to/tasks.md").split("\n## ")
    stated = dict(re.findall(r"^\| \[(.*?)\]\(#.*?\) \| (\d+) \|", head, re.MULTILINE))
    steps = {}
    for section in sections:
        blocks = pages.console_blocks(section)
        cells = len(blocks[0]) if blocks else len(pages.python_blocks(section))
        steps[section.partition("\n")[0]] = str(cells or 1)

    assert 11 == len(steps)
    assert stated == steps


def test_every_measurement_names_its_command_and_its_limits() -> None:
    """Each table of the benchmarks states its command, and what it does not cover."""
    _, *sections = (
        (ROOT / "docs/reference/benchmarks.md").read_text("utf-8").split("\n## ")
    )
    stated = re.compile(r"\n\nCommand: `.+?`\.\nNot covered: .+?\.\n\n\| ", re.DOTALL)

    assert [] == [
        section.partition("\n")[0] for section in sections if not stated.search(section)
    ]


@pytest.mark.parametrize("page", [page for page in PAGES if "```make\n" in text(page)])
def test_rules_of_make_leave_nothing_of_a_failure(page: str) -> None:
    """A page's rules for make delete the output of a program that failed, which the
    next run would take for whole.
    """
    for rules in re.findall("```make\n(.*?)```", text(page), re.DOTALL):
        assert ".DELETE_ON_ERROR:" in rules
