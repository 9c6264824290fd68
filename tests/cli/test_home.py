"""ROUGE homes for wrappers: the one in the checkout, and those that the command
writes.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rouge_cli import data
from rouge_cli.__main__ import _home_of as home_of
from rouge_cli.cli.commands import home
from rouge_cli.data import word_lists
from tests.conftest import ROUGE_CLI, Program

PARTS = ("adj", "adv", "noun", "verb")
NEEDS_PERL = pytest.mark.skipif(shutil.which("perl") is None, reason="no perl here")
interpreters = pytest.mark.parametrize(
    "interpreter",
    [(), pytest.param(("perl",), marks=NEEDS_PERL)],
    ids=["directly", "through perl"],
)


def test_our_launcher_is_the_one_that_we_write(root: Path) -> None:
    """compat/ is what the command writes, except for the line that finds its
    interpreter.
    """
    ours = home.launcher(
        programs='"$home/../.venv/bin/ROUGE-1.5.5.pl"',
        interpreters='"$home/../.venv/bin/python" python3 python',
        absence="no Python 3 found; install Python 3.10 or newer",
        remedy="run `make setup` beside this folder, or pip install rouge-cli",
    )

    assert ours == (root / "compat" / "ROUGE-1.5.5.pl").read_text()
    assert (
        data.read("home.md").decode()
        == (root / "compat" / "data" / "README.md").read_text()
    )


def test_a_home_has_the_word_lists_as_text(tmp_path: Path, program: Program) -> None:
    """A home has the release's stop list and four lists of irregular forms, and
    keeps existing ones.
    """
    yours = tmp_path / "data" / "smart_common_words.txt"
    yours.parent.mkdir()
    yours.write_text("cats\n")
    paths = program(ROUGE_CLI, "home", str(tmp_path)).stdout.decode().splitlines()
    lists = [
        tmp_path / "data" / "WordNet-2.0-Exceptions" / f"{name}.exc" for name in PARTS
    ]

    assert sorted(paths) == sorted(
        str(path) for path in tmp_path.rglob("*") if path.is_file()
    )
    assert yours.read_text() == "cats\n"
    assert [1490, 7, 2041, 2401] == [
        len(path.read_text().splitlines()) for path in lists
    ]
    forms = dict(
        line.split() for path in lists for line in path.read_bytes().splitlines()
    )
    assert forms == word_lists.irregular_forms(None, lambda _: None)
    yours.unlink()
    program(ROUGE_CLI, "home", str(tmp_path))
    assert yours.read_bytes() == data.read("stop_words.txt")


@interpreters
@pytest.mark.parametrize("loss", ["environment", "package"])
def test_a_home_whose_environment_is_gone_is_one_message(
    loss: str,
    interpreter: tuple[str, ...],
    tmp_path: Path,
    program: Program,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If its Python is gone, or lacks the package, a home prints one line with the
    remedy.
    """
    python = tmp_path / "its env" / "bin" / "python"
    folder = tmp_path / "a home"
    if loss == "package":
        subprocess.run(
            [sys.executable, "-m", "venv", "--without-pip", tmp_path / "its env"],
            check=True,
        )
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", str(python))
        home.write(folder)
    words = [*interpreter, str(folder / "ROUGE-1.5.5.pl"), "-h"]
    status, stdout, stderr = program(
        *words, cwd=tmp_path, environment={"PYTHONPATH": ""}
    )

    assert (True, b"", 1) == (status > 0, stdout, stderr.count("\n"))
    if loss == "environment":
        expected = (
            f"{python} is gone; install rouge-cli again and run: rouge-cli home"
            f" '{folder}'\n"
        )
    else:
        expected = (
            f"No module named 'rouge_cli' (for {python}); install rouge-cli for it, or"
            " elsewhere and write this home again by rouge-cli home\n"
        )
    assert stderr == f"ROUGE-1.5.5.pl: {expected}"


def test_on_windows_a_home_has_programs_that_windows_can_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A home for Windows has a copy of the installed program and a command beside the
    script; the copy knows its home. The Windows job of the workflow starts both.
    """
    scripts, folder = tmp_path / "Scripts", tmp_path / "a home"
    scripts.mkdir()
    (scripts / "ROUGE-1.5.5.pl.exe").write_bytes(b"MZ\r\n\0")
    monkeypatch.setattr(sys, "argv", [str(scripts / "rouge-cli.exe")])
    script, program, command, *_ = home.write(folder, is_windows=True)

    assert script == folder / "ROUGE-1.5.5.pl"
    assert (folder / "ROUGE-1.5.5.exe", b"MZ\r\n\0") == (program, program.read_bytes())
    assert command == folder / "ROUGE-1.5.5.cmd"
    assert command.read_bytes() == b'@"%~dp0ROUGE-1.5.5.exe" %*\r\n'
    assert str(folder) == home_of(str(program), is_windows=True)
    assert home_of(str(scripts / "ROUGE-1.5.5.pl.exe"), is_windows=True) is None
    assert home_of(str(program), is_windows=False) is None


def test_a_windows_home_without_an_installed_program_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without the program that pip makes, a home for Windows has its script, and a
    message names what is missing and what to do.
    """
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "rouge-cli.exe")])
    written = home.write(tmp_path / "home", is_windows=True)

    assert [] == [path for path in written if path.suffix in (".exe", ".cmd")]
    assert "install rouge-cli by pip" in capsys.readouterr().err
