"""What the tests share: the installed drop-in, and the golden cases as the originals wrote them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

import pytest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ROOT = Path(__file__).resolve().parents[1]
INSTALLED = Path(sys.executable).with_name("ROUGE-1.5.5.pl")


class Outcome(NamedTuple):
    """What a program did: exit status and the two streams."""

    status: int
    stdout: bytes
    stderr: str


class Program(Protocol):
    """Runs a program in a folder."""

    def __call__(
        self, *arguments: str, cwd: Path | None = None, environment: Mapping[str, str] | None = None
    ) -> Outcome: ...


def run(command: Sequence[str], cwd: Path | None, environment: Mapping[str, str] | None) -> Outcome:
    """Run a command to its end, free of the caller's ROUGE variables."""
    clean = {name: value for name, value in os.environ.items() if "ROUGE" not in name}
    ended = subprocess.run(
        command, cwd=cwd, env=clean | dict(environment or {}), capture_output=True, check=False, timeout=120
    )
    return Outcome(ended.returncode, ended.stdout, ended.stderr.decode("utf-8", "replace"))


@pytest.fixture
def drop_in(tmp_path: Path) -> Program:
    """The installed `ROUGE-1.5.5.pl`, run in the test's own folder."""

    def call(
        *arguments: str, cwd: Path | None = None, environment: Mapping[str, str] | None = None
    ) -> Outcome:
        return run([str(INSTALLED), *arguments], cwd or tmp_path, environment)

    return call


@pytest.fixture
def program() -> Program:
    """Any program: the first argument names it."""

    def call(
        *arguments: str, cwd: Path | None = None, environment: Mapping[str, str] | None = None
    ) -> Outcome:
        return run(arguments, cwd, environment)

    return call


@pytest.fixture
def here(
    capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Program:
    """`rouge-cli` in the test's own folder and process, so that slow libraries are imported once."""
    from rouge_cli.cli.main import main

    def call(
        *arguments: str,
        cwd: Path | None = None,
        environment: Mapping[str, str] | None = None,  # noqa: ARG001 - ours
    ) -> Outcome:
        monkeypatch.chdir(cwd or tmp_path)
        monkeypatch.setattr(sys, "argv", ["rouge-cli", *arguments])
        capfdbinary.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        captured = capfdbinary.readouterr()
        return Outcome(int(ended.value.code or 0), captured.out, captured.err.decode())

    return call


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def release() -> Path:
    """The sample inputs and outputs of the original's release, which stand beside the project only."""
    folder = ROOT.parent / "shared" / "golden" / "rouge155" / "release"
    if not folder.is_dir():
        pytest.skip(f"no reference data at {folder}")
    return folder
