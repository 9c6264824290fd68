"""`rouge-cli evaluate-module`: the folder that it writes, and the files that it does not overwrite."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rouge_cli.cli.commands import evaluate_module

if TYPE_CHECKING:
    from tests.conftest import Program

ROUGE_CLI = str(Path(sys.executable).with_name("rouge-cli"))


def test_a_module_is_written_and_written_anew(program: Program, tmp_path: Path) -> None:
    """The module is named after the folder, as evaluate requires, and replaces an earlier one."""
    path = tmp_path / "metrics" / "rouge" / "rouge.py"
    for _ in range(2):
        outcome = program(ROUGE_CLI, "evaluate-module", str(path.parent))
        assert (0, f"{path}\n", "") == (outcome.status, outcome.stdout.decode(), outcome.stderr)
        assert "rouge_cli.dialects.google" in path.read_text()
        path.write_text(f"# {evaluate_module.MARK}, an old one\n")

    assert [path] == list(path.parent.iterdir())
    assert "Rouge" in [
        node.name for node in ast.walk(ast.parse(evaluate_module.MODULE)) if isinstance(node, ast.ClassDef)
    ]


@pytest.mark.parametrize(
    ("folder", "status", "message"),
    [
        ("", 2, "no folder named; give a path"),
        ("my metric", 2, "'my metric' cannot be the name of a module; name a folder in letters"),
        ("v1.2", 2, "'v1.2' cannot be the name of a module"),
        ("other", 1, "other/other.py: another file exists here, and is left unchanged; name a new folder"),
        ("file/rouge", 1, "cannot write: Not a directory"),
    ],
)
def test_a_failed_write_is_one_message(
    folder: str, status: int, message: str, program: Program, tmp_path: Path
) -> None:
    """A folder that cannot be a module, or a file of another origin, is one message; nothing is written."""
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "other.py").write_text("mine")
    (tmp_path / "file").touch()
    before = sorted(tmp_path.rglob("*"))
    outcome = program(ROUGE_CLI, "evaluate-module", folder, cwd=tmp_path)

    assert (status, b"") == (outcome.status, outcome.stdout)
    assert message in outcome.stderr
    assert outcome.stderr.count("\n") == 1
    assert before == sorted(tmp_path.rglob("*"))
    assert (tmp_path / "other" / "other.py").read_text() == "mine"
