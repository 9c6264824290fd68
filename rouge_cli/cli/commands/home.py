"""`rouge-cli home`: write a ROUGE home, which wrappers of ROUGE-1.5.5 call.

A ROUGE home is a folder with `ROUGE-1.5.5.pl` and `data/`, which wrappers expect. The
script does not need the word lists in `data/`. Some wrappers read them, such as
sacrerouge's PythonRouge.

Windows starts no scripts. There, a home also has a program, and a command for shells.
"""

import os
import re
import shlex
import sys
import sysconfig
from contextlib import suppress
from pathlib import Path

import click

from rouge_cli import data
from rouge_cli.cli import streams
from rouge_cli.data import word_lists
from rouge_cli.errors import RougeError, UnwritableFile, UsageError
from rouge_cli.io import files

SECTION = "Convert"

EXCEPTIONS = "WordNet-2.0-Exceptions"

# Messages of a launcher whose environment was deleted, or no longer has the package.
ABSENCE = "$python is gone; install rouge-cli again and run: rouge-cli home '$home'"
REMEDY = (
    "install rouge-cli for it, or elsewhere and write this home again by rouge-cli home"
)

# A script with this text is a launcher that this command wrote.
MARK = "rouge-cli under the original's name"


def launcher(**values: str) -> str:
    """Return the program ROUGE-1.5.5.pl of a home; its file has the names of the values
    in braces.

    It is for /bin/sh, which runs the executable or finds the interpreter, and for
    Python. Wrappers call `perl FILE`, which runs the program that the first line names
    unless the line contains "perl". So it must not contain "perl". It cannot name the
    interpreter either: its path may contain a blank or "perl", or be too long.

    Args:
        values: `programs` and `interpreters` in shell syntax, tried in this order,
            where `$home` is the launcher's folder; `absence`, the message without any
            of them, where `$python` is the last interpreter; and `remedy`, for an
            interpreter without the package.
    """
    return re.sub(
        "{([a-z]+)}", lambda name: values[name[1]], data.read("launcher.sh").decode()
    )


# For cmd and PowerShell, which find it as ROUGE-1.5.5; %~dp0 is its folder.
COMMAND = b'@"%~dp0ROUGE-1.5.5.exe" %*\r\n'


def write(folder: Path, *, is_windows: bool = os.name == "nt") -> list[Path]:
    """Write a home that uses the current interpreter; return the paths of its files.

    A launcher that this command wrote earlier is overwritten. All other files stay as
    they are.

    Args:
        folder: The home, which is created.
        is_windows: Whether it also gets what Windows can start.

    Raises:
        RougeError: Another script has the launcher's name.
        UnwritableFile: A file cannot be written.
    """
    script = folder / "ROUGE-1.5.5.pl"
    data_folder = folder / "data"
    exceptions = data_folder / EXCEPTIONS
    contents = {
        data_folder / "README.md": data.read("home.md"),
        data_folder / word_lists.STOP_LIST: data.read("stop_words.txt"),
    }
    for name, content in word_lists.exception_lists():
        contents[exceptions / name] = content
    # Many instructions run this script, in the spelling of the release. It removes the
    # database that it should replace, which would otherwise be used.
    builder = exceptions / "buildExeptionDB.pl"
    contents[builder] = data.read("no_database.sh")
    try:
        if script.exists() and MARK not in script.read_text("latin-1"):
            what = "another script is here, and is left unchanged"
            remedy = "name a new folder, or move the script away first"
            raise RougeError(what, where=str(script), remedy=remedy)
        exceptions.mkdir(parents=True, exist_ok=True)
        for path, content in contents.items():
            if not path.exists():
                files.write_bytes(str(path), content)
        programs = _executable(os.path.dirname(sys.executable))
        python = _quote(sys.executable)
        written = launcher(
            programs=programs, interpreters=python, absence=ABSENCE, remedy=REMEDY
        )
        files.write(str(script), written)
        for program in (script, builder):
            program.chmod(0o755)
        started = _write_programs(folder) if is_windows else []
    except OSError as reason:
        raise UnwritableFile(reason.filename or str(folder), reason) from None
    return [script, *started, *contents]


def _write_programs(folder: Path) -> list[Path]:
    """Write what Windows can start: a copy of the installed program, which finds its
    interpreter from anywhere, and a command that runs it.
    """
    installed = _installed_program()
    if installed is None:
        streams.say(
            f"{folder}: no ROUGE-1.5.5.exe and no ROUGE-1.5.5.cmd, since this"
            " installation has no ROUGE-1.5.5.pl.exe; install rouge-cli by pip, or call"
            " the script by python"
        )
        return []
    program, command_file = folder / "ROUGE-1.5.5.exe", folder / "ROUGE-1.5.5.cmd"
    files.write_bytes(str(program), installed.read_bytes())
    files.write_bytes(str(command_file), COMMAND)
    return [program, command_file]


def _installed_program() -> Path | None:
    """Return the program that pip made of the drop-in on Windows: beside the one that
    runs, or in the folder for scripts; None if there is none.
    """
    for folder in (os.path.dirname(sys.argv[0]), sysconfig.get_path("scripts")):
        program = Path(folder) / "ROUGE-1.5.5.pl.exe"
        if program.is_file():
            return program
    return None


def _executable(folder: str) -> str:
    """Return the executable of the folder in shell syntax; an empty word if
    ROUGE-1.5.5.pl is a script.
    """
    path = os.path.join(folder, "ROUGE-1.5.5.pl")
    with suppress(OSError), open(path, "rb") as file:
        if file.read(2) != b"#!":
            return _quote(path)
    return "''"


def _quote(path: str) -> str:
    """Return the path as a word of a shell that stands in a string of Python, too: a
    backslash or a double quote of its own is printed by its number.
    """
    word = ""
    for piece in re.split(r"([\\\"])", path):
        if piece in {"\\", '"'}:
            word += f"\"$(printf '\\{ord(piece):03o}')\""
        elif piece:
            word += shlex.quote(piece)
    return word


@click.command("home")
@click.argument("folder", type=click.Path(file_okay=False))
def command(folder: str) -> None:
    """Write the ROUGE-1.5.5 folder that wrappers expect.

    FOLDER gets a ROUGE-1.5.5.pl that runs rouge-cli without Perl, and its data folder;
    on Windows also ROUGE-1.5.5.exe and ROUGE-1.5.5.cmd.

    Example: rouge-cli home ~/rouge && pyrouge_set_rouge_path ~/rouge
    """
    if not folder:
        raise UsageError("no folder named", remedy="name a path, or . for this folder")
    streams.emit("".join(f"{path}\n" for path in write(Path(folder))))
