"""ROUGE homes for the wrappers that others wrote: ours, and one with the live original in it."""

from __future__ import annotations

import importlib.util
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROUGE_CLI = str(Path(sys.executable).with_name("rouge-cli"))


@pytest.fixture(scope="session")
def ours(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home as `rouge-cli home` writes it."""
    home = tmp_path_factory.mktemp("rouge") / "home"
    subprocess.run([ROUGE_CLI, "home", str(home)], check=True, capture_output=True)
    return home


@pytest.fixture(scope="session")
def theirs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the live original in it; skipped where it cannot be had."""
    specification = importlib.util.spec_from_file_location(
        "original", ROOT / "compat" / "conformance" / "original.py"
    )
    assert specification
    assert specification.loader
    original: Any = importlib.util.module_from_spec(specification)
    sys.modules["original"] = original
    specification.loader.exec_module(original)
    found = original.find()
    if isinstance(found, original.Missing):
        pytest.skip(str(found))
    home = tmp_path_factory.mktemp("original") / "home"
    home.mkdir()
    # Wrappers execute the file, which PyPI's copy of the original does not allow.
    script = home / "ROUGE-1.5.5.pl"
    script.write_text(f'#!/bin/sh\nexec {shlex.join(found.command[:-2])} "$@"\n')
    script.chmod(0o755)
    (home / "data").symlink_to(found.data)
    return home
