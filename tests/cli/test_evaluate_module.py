"""`rouge-cli evaluate-module`: the folder that it writes, and the files that it does not overwrite."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from rouge_cli.cli import evaluate_module

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
