"""Properties of every command of `rouge-cli`, and the commands that list registered
parts.
"""

import re
from pathlib import Path

import pytest
from click import Context
from click.testing import CliRunner

from rouge_cli import plugins
from rouge_cli.cli.main import group
from tests.conftest import ROUGE_CLI, Program

COMMANDS = group.list_commands(Context(group))
# These have many inputs and options, with one line for each.
LONGER = {
    "score": 75, "compare": 73, "correlate": 75, "plan": 63, "sweep": 52, "report": 65, "explain": 57,
    "oracle": 57,
    "rouge155": 200, "similar": 48,
}  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_help_fits_a_screen(command: str, program: Program) -> None:
    """Every command's help is short, as wide as a terminal, and has an example."""
    status, stdout, stderr = program(
        ROUGE_CLI, command, "--help", environment={"COLUMNS": "80"}
    )
    lines = stdout.decode().splitlines()

    assert (0, "") == (status, stderr)
    assert len([line for line in lines if line.startswith(" ")]) <= LONGER.get(
        command, 40
    )
    assert max(map(len, lines)) <= 80 or command == "rouge155"
    assert "Example" in stdout.decode() or command == "rouge155"


def test_the_commands_are_listed(program: Program) -> None:
    """`rouge-cli --help` names every command once, in sections, and the exit
    statuses.
    """
    stdout = program(ROUGE_CLI, "--help").stdout.decode()

    assert [1] * len(COMMANDS) == [
        stdout.count(f"\n  {command} ") for command in COMMANDS
    ]
    assert "0 done, 1 wrong data, 2 wrong usage, 3 below a bound" in stdout


def listed(here: Program, *words: str) -> list[str]:
    """Return the names that a command lists."""
    return [
        line.split()[0]
        for line in here(*words).stdout.decode().splitlines()
        if " " * 2 in line
    ]


def answer(*words: str) -> str:
    """Return what `rouge-cli` prints or raises in this process."""
    outcome = CliRunner().invoke(group, words)
    return f"{outcome.output}{outcome.exception or ''}"


def test_listed_parts_are_accepted(
    here: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every listed metric is described and scored by a dialect, and every listed
    format is accepted.
    """
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.xml").write_text("<ROUGE-EVAL/>")
    (tmp_path / "list").write_text("")
    for label in listed(here, "metrics"):
        assert f"{label} (metric)" in answer("describe", label)
        refused = (
            answer("score", "s.xml", "-m", label, "--dialect", dialect)
            for dialect in sorted(
                plugins.names("rouge_cli.dialects"), key="rouge155".__ne__
            )
        )
        assert any("nothing to score" in message for message in refused), label
    options = {
        "rouge_cli.formats": "--read-as",
        "rouge_cli.reports": "--format",
        "rouge_cli.tasks.kinds": "--input",
    }
    for name in listed(here, "formats"):
        for package, option in options.items():
            if name in plugins.names(package):
                printed = answer("score", "list", "--input", "list", option, name)
                assert "unknown" not in printed, (option, name)


@pytest.fixture(scope="module")
def options_of_score() -> str:
    """The help of `score`."""
    return answer("score", "--help")


@pytest.mark.parametrize("letter", plugins.other_names("letter"))
def test_letters_of_the_original_lead_to_options(
    letter: str, options_of_score: str, here: Program
) -> None:
    """The options that the message names are options of `score`, or other commands."""
    options = set(
        re.findall(r"(?<!\w)--?[a-z-]+", plugins.other_names("letter")[letter])
    )

    assert [] == [option for option in options if f"{option} " not in options_of_score]
    command = "compare" if f"{letter} " in options_of_score else "score"  # score sorts
    assert here(command, letter).stderr.count("here it is") == 1
