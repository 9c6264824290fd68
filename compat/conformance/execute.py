"""Run a program on a case, in a fresh folder of its own."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cases import Case


@dataclass(frozen=True)
class Run:
    """The result of a program. `exit` is None if it ran out of time."""

    exit: int | None
    stdout: bytes
    stderr: bytes


def parse_command(line: str, data: str | None = None) -> list[str]:
    """Split a command line into words that are valid in any folder.

    Cases run elsewhere, so paths are made absolute: that of the program if it contains
    a slash (else PATH decides, as in a shell), other words if they name a file here.
    """
    words = shlex.split(line)
    if not words:
        raise ValueError("the command line is empty")
    first = str(Path(words[0]).absolute()) if "/" in words[0] else words[0]
    if shutil.which(first) is None:
        raise ValueError(f"there is no program {words[0]!r}, or it may not be executed")
    command = [first, *(_absolute(word) for word in words[1:])]
    return [*command, "-e", _absolute(data)] if data else command


def _absolute(word: str) -> str:
    return str(Path(word).absolute()) if Path(word).exists() else word


def run_case(command: Sequence[str], case: Case, timeout: float) -> Run:
    """Run `command` + the case's arguments in the folder of the case's files."""
    arguments = [argument.encode("latin-1") for argument in case.argv]
    with tempfile.TemporaryDirectory(prefix="rouge-case-") as name:
        case.write_files(Path(name))
        try:
            done = subprocess.run(
                [*command, *arguments],
                cwd=name,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=timeout,
                check=False,
            )
        except subprocess.TimeoutExpired as late:
            return Run(None, late.stdout or b"", late.stderr or b"")
    return Run(done.returncode, done.stdout, done.stderr)


def keep_case(folder: Path, command: Sequence[str], case: Case, run: Run) -> None:
    """Write to `folder` what is needed to examine a failure; `sh command` there
    repeats it.
    """
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    case.write_files(folder)
    (folder / "command").write_text(
        f"# {case.id}: expected outcome"
        f" {case.outcome}\n{shlex.join([*command, *case.argv])}\n",
        encoding="latin-1",
        errors="replace",
    )
    (folder / "expected.stdout").write_bytes(case.stdout.encode("latin-1"))
    (folder / "got.stdout").write_bytes(run.stdout)
    (folder / "got.stderr").write_bytes(run.stderr)
