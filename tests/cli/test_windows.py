"""Behaviour on Windows, tested on other systems: the program's name, line ends,
closed pipes.
"""

import errno
import importlib
import io
import os
import sys
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from rouge_cli.cli import rouge155, streams


class WindowsText(io.TextIOWrapper):
    """A stdout that ends lines as Windows does."""

    def __init__(self, raw: io.BytesIO) -> None:
        super().__init__(raw, encoding="cp1252", newline="\r\n")


def windows_stdout(monkeypatch: pytest.MonkeyPatch) -> io.BytesIO:
    """Return a buffer for the bytes of stdout, on a system that is not POSIX."""
    printed = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", WindowsText(printed))
    monkeypatch.setattr(streams, "_IS_POSIX", False)
    return printed


def test_pip_makes_a_program_of_the_originals_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """On Windows the installed drop-in is ROUGE-1.5.5.pl.exe, which runs its entry
    point.
    """
    scripts: Any = pytest.importorskip("pip._vendor.distlib.scripts")
    with monkeypatch.context() as patch:
        patch.setattr(os, "name", "nt")
        importlib.reload(scripts)
    maker = scripts.ScriptMaker(None, str(tmp_path))
    maker._is_nt, maker.variants = True, {""}  # noqa: SLF001 - detected by distlib itself there
    maker.executable = r"C:\\venv\\Scripts\\python.exe"
    (script,) = maker.make("ROUGE-1.5.5.pl = rouge_cli.__main__:rouge155")
    importlib.reload(scripts)

    assert str(tmp_path / "ROUGE-1.5.5.pl.exe") == script
    with ZipFile(script) as archive:
        assert b"sys.exit(rouge155())" in archive.read("__main__.py")


def test_the_report_ends_lines_as_the_original_does(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The drop-in's report has the same bytes if text files end lines in two."""
    monkeypatch.chdir(root)
    printed = windows_stdout(monkeypatch)
    streams.install()
    status = rouge155.main(
        ["-n", "2", "-m", "-2", "4", "-u", "-a", "fixtures/demo/settings.xml"]
    )

    assert 0 == status
    assert (
        root / "fixtures" / "demo" / "report.out"
    ).read_bytes() == printed.getvalue()


def test_other_alphabets_are_printed_as_utf8(monkeypatch: pytest.MonkeyPatch) -> None:
    """A result is UTF-8 if the console's encoding lacks its letters."""
    printed = windows_stdout(monkeypatch)
    streams.emit("\N{CYRILLIC CAPITAL LETTER YA} \N{GREEK SMALL LETTER ALPHA}\n")

    assert (
        "\N{CYRILLIC CAPITAL LETTER YA} \N{GREEK SMALL LETTER ALPHA}\n"
        == printed.getvalue().decode()
    )


def test_a_closed_pipe_on_windows_is_recognized_by_its_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Windows reports a pipe without a reader as an invalid argument; a command
    exits with 141 too.
    """

    def fail() -> None:
        raise OSError(errno.EINVAL, "Invalid argument")

    windows_stdout(monkeypatch)
    monkeypatch.setattr(sys.stdout, "flush", fail)
    with pytest.raises(streams.ReaderGone) as caught:
        streams.emit("report\n")
    monkeypatch.undo()

    assert 141 == caught.value.exit_code
