"""ROUGE homes for other people's wrappers: one of rouge-cli, and one with the live original."""

import shlex
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.conftest import ROUGE_CLI, Program


@pytest.fixture(scope="session")
def ours(program: Program, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home as `rouge-cli home` writes it."""
    home = tmp_path_factory.mktemp("rouge") / "home"
    assert program(ROUGE_CLI, "home", str(home)).status == 0
    return home


@pytest.fixture(scope="session")
def theirs(original: SimpleNamespace, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home with the live original in it; skip if it is not available."""
    home = tmp_path_factory.mktemp("original") / "home"
    home.mkdir()
    # Wrappers execute the file, which PyPI's copy of the original does not allow.
    script = home / "ROUGE-1.5.5.pl"
    script.write_text(f'#!/bin/sh\nexec {shlex.join(original.command[:-2])} "$@"\n')
    script.chmod(0o755)
    (home / "data").symlink_to(original.data)
    return home
