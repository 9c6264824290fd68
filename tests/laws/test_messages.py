"""What an input contains cannot forge a line of a message, or steer a terminal."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import click
import command_tree
import pytest

from tests.conftest import ROUGE_CLI, inside

# Line ends of all kinds, an escape code, letters that change the direction of others,
# and a byte that is not UTF-8
HOSTILE = (
    "x\nrouge-cli: forged\r\x85\u2028\x1b[31m\x1b]0;owned\x07\u202eright\u200f\udcff"
)
IN_JSON = HOSTILE.replace("\udcff", "\ud800")  # a surrogate that stands for no byte
NAME = HOSTILE.replace("\n", "\n\n") + ".jsonl"
RECORDS = [
    {"id": f"{number}{IN_JSON}", "system": f"{system}{IN_JSON}", "prediction": text,
     "reference": "the cat sat on the mat", IN_JSON: "x"}
    for number in range(8)
    for system, text in (("a", f"the cat sat {number}"), ("b", "a dog" + HOSTILE.replace("\udcff", "")))
]  # fmt: skip


def commands() -> Iterator[tuple[str, click.Command]]:
    """Yield the commands that are programs of ours; the drop-in's lines are tested by
    themselves.
    """
    for name, command in command_tree.commands():
        if name != "rouge155" and not isinstance(command, click.Group):
            yield name, command


def lines_with_options() -> Iterator[str]:
    """Yield the name of each command with each of its options that takes a value."""
    for name, command in commands():
        yield name
        for option in command.params:
            if isinstance(option, click.Option) and not option.is_flag:
                yield f"{name} {option.opts[-1]}"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a run of hostile names into a file of such a name, and enter the folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    Path(NAME).write_text("".join(json.dumps(record) + "\n" for record in RECORDS))
    return tmp_path


def check(words: list[str], folder: Path) -> tuple[int, bytes, str]:
    """Run the program; check each line of its messages, and return the outcome."""
    outcome = inside(ROUGE_CLI, words, folder, os.environ, b"")
    status, _, messages = outcome
    assert status in {0, 1, 2, 3}, messages
    assert "Traceback" not in messages
    assert all(letter == "\n" or letter.isprintable() for letter in messages)
    for line in messages.splitlines():
        assert not line.startswith("rouge-cli: forged"), messages
    return outcome


@pytest.mark.parametrize("line", [*lines_with_options()])
def test_no_message_of_a_command_is_forged(line: str, folder: Path) -> None:
    """Each command prints messages of one line for a hostile value of each option, and
    for files of hostile names: one that is there, and one that is missing.
    """
    name, _, option = line.partition(" --")
    options = [f"--{option}", HOSTILE] if option else []
    for paths in ([NAME], [f"no{NAME}"], [NAME, NAME]):
        check([*name.split(), *paths, *options], folder)


TABLES = [
    *(f"score --format {form} --samples 9" for form in ("text", "markdown", "latex", "json", "jsonl")),
    *("score --per-eval --samples 0", "score --score-only R1 --samples 0"),
    *("compare", "compare --format json", "score --format junit --fail-under R1.F=1 --samples 0"),
    *("audit --threshold 0", "plan", "score --fail-under R1.F=1"),
]  # fmt: skip


@pytest.mark.parametrize("words", TABLES)
def test_no_table_is_forged(words: str, folder: Path) -> None:
    """Tables and messages about hostile IDs, systems and texts escape them: no line is
    forged.
    """
    name, *options = words.split()
    status, table, _ = check([name, NAME, *options], folder)

    text = table.decode()
    assert status in {0, 3}
    assert all(letter in "\n\t" or letter.isprintable() for letter in text)
    assert "\nrouge-cli: forged" not in text


@pytest.mark.parametrize("form", ["csv", "tsv", "classic"])
def test_formats_of_machines_are_written_without_a_traceback(
    form: str, folder: Path
) -> None:
    """Formats that other programs read are valid UTF-8, whatever names are; a surrogate
    that has no byte is escaped.
    """
    samples = "0" if form == "tsv" else "9"
    status, table, messages = check(
        ["score", NAME, "--format", form, "--samples", samples], folder
    )

    assert (0, "") == (status, messages)
    assert b"\\ud800" in table
    assert table.decode()


def test_a_forged_lock_prints_no_line_of_its_own(folder: Path) -> None:
    """What `verify` prints of a lock is escaped, whatever its texts are."""
    assert 0 == check(["score", NAME, "--samples", "0", "--lock", "a.lock"], folder)[0]
    lock = json.loads(Path("a.lock").read_text())
    for name in ("scores", "texts"):
        lock[name] = {f"a\nnumbers: the same\x1b[31m{IN_JSON}": {}, IN_JSON * 9999: 1}
    lock["signature"] = f"{lock['signature']}|{IN_JSON}:x"
    Path("other.lock").write_text(json.dumps(lock))
    status, printed, messages = check(["verify", "other.lock"], folder)

    lines = printed.decode().splitlines()
    assert ["numbers", "set-up", "texts", "program"] == [
        line.partition(":")[0] for line in lines
    ]
    assert printed.decode().replace("\n", "").isprintable()
    assert max(map(len, lines)) < 4000
    assert 3 == status
    assert "not the same" in messages


def test_no_message_about_folders_is_forged(folder: Path) -> None:
    """Files of hostile names that cannot be paired, or are left over, are listed on
    lines of the program's own.
    """
    for side, names in (("p", ("a", "b")), ("r", ("x", "y")), ("s", ("a", "b", "c"))):
        Path(side).mkdir()
        for name in names:
            Path(side, f"{name}{HOSTILE}.txt").write_text("a b\n")
    unpaired = check(["score", "--pred", "p", "--ref", "r"], folder)
    left = check(["score", "--pred", "p", "--ref", "s"], folder)

    assert (1, b"") == unpaired[:2]
    assert "prediction without a reference: p/" in unpaired[2]
    assert 0 == left[0]
    assert 1 == left[2].count("references without a prediction")
