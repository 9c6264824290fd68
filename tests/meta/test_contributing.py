"""The worked examples of CONTRIBUTING.md, followed step by step in a copy of the
package.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pages
import pytest
from everyday import sampled

from tests.conftest import ROOT

GUIDE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
# A heading within a code block is followed by another line of that block.
PARTS = re.split(r"^## (?=[^`\n]*\n\n)", GUIDE, flags=re.MULTILINE)
SECTIONS = {section.partition("\n")[0]: section for section in PARTS[1:]}
EXAMPLES = [title for title in SECTIONS if title.startswith("Add a ")]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Copy what the examples write to, with links to the rest."""
    ignored = shutil.ignore_patterns("__pycache__")
    for name in ("rouge_cli", "docs/reference", "tests"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=ignored)
    for name in ("fixtures", "compat", "pyproject.toml", "setup.cfg"):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "build").mkdir()
    return tmp_path


def follow(checkout: Path, section: str) -> None:
    """Write the files of a section, and its rows into the tables of their headings."""
    for path, text in re.findall(r'```\w+ title="(.*?)"\n(.*?)```', section, re.DOTALL):
        file = checkout / path
        if path.endswith(".md"):
            heading, _, rows = text.partition("\n")
            before, _, after = file.read_text("utf-8").partition(f"{heading}\n")
            top, rule, rest = after.partition("| --- | --- |\n")
            file.write_text(f"{before}{heading}\n{top}{rule}{rows}{rest}", "utf-8")
        else:
            file.parent.mkdir(exist_ok=True)
            with file.open("a", encoding="utf-8") as stream:
                stream.write(text)


@pytest.mark.parametrize("title", sampled(EXAMPLES[::-1], 3))
def test_the_example_works_as_shown(title: str, checkout: Path) -> None:
    """The commands of an example print the lines on the page, and the laws hold."""
    follow(checkout, SECTIONS[title])
    bin_folder = checkout / "bin"
    bin_folder.mkdir()
    command = f'#!/bin/sh\nexec "{sys.executable}" -m rouge_cli "$@"\n'
    for name, content in (
        ("rouge-cli", command),
        ("python", f'#!/bin/sh\nexec "{sys.executable}" "$@"\n'),
    ):
        (bin_folder / name).write_text(content)
        (bin_folder / name).chmod(0o755)
    environment = {
        "PATH": f"{bin_folder}{os.pathsep}/usr/bin:/bin",
        "PYTHONPATH": str(checkout),
    }
    blocks = pages.console_blocks(SECTIONS[title])
    assert blocks, f"{title}: no commands"
    for block in blocks:
        for line, shown in block:
            ended = subprocess.run(
                ["sh", "-c", line.replace("pytest -q", "pytest -q -p no:cacheprovider")],
                cwd=checkout, env=environment, capture_output=True, check=False, text=True, timeout=900,
            )  # fmt: skip
            printed = (ended.stdout + ended.stderr).splitlines()
            assert ended.returncode == 0, (line, printed)
            assert "" == pages.difference(shown, printed), line
            assert "pytest" not in line or "passed" in printed[-1], printed


def test_the_set_up_is_two_commands() -> None:
    """Two targets of make set up and test a checkout."""
    targets = re.findall(r"^\$ make (\w+)$", SECTIONS["Set up"], re.MULTILINE)
    makefile = (ROOT / "Makefile").read_text("utf-8")

    assert ["setup", "test"] == targets
    assert [] == [
        target
        for target in targets
        if not re.search(f"^{target}:", makefile, re.MULTILINE)
    ]
