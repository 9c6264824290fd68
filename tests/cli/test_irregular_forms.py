"""Databases without irregular forms, with which many published numbers were made (QUIRKS 63)."""

import json
import shlex
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

import rouge_cli
from rouge_cli.core import Notice
from tests.conftest import DROP_IN, ROOT, ROUGE_CLI, Program

DATABASES = ROOT / "fixtures" / "rouge155" / "db"
DATABASE = "WordNet-2.0.exc.db"
OPTIONS = ("-n", "2", "-m", "-a", str(ROOT / "fixtures" / "demo" / "settings.xml"))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Create a data folder as in many READMEs: the stop list, and a database without keys."""
    folder = tmp_path / "data"
    folder.mkdir()
    shutil.copy(DATABASES / "empty.db", folder / DATABASE)
    shutil.copy(ROOT / "rouge_cli" / "data" / "stop_words.txt", folder / "smart_common_words.txt")
    return folder


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    """Create a folder in which the paths of the demo's settings exist."""
    (tmp_path / "fixtures").symlink_to(ROOT / "fixtures")
    return tmp_path


def scores(program: Program, demo: Path, *options: str) -> tuple[bytes, str]:
    """Return the classic report of `score` on the demo, and its signature."""
    words = [ROUGE_CLI, "score", str(OPTIONS[-1]), "-m", "ROUGE-1,ROUGE-2,ROUGE-L", "--quiet", *options]
    classic = program(*words, "--format", "classic", cwd=demo)
    report = program(*words, "--format", "json", cwd=demo)
    assert (0, 0, "") == (classic.status, report.status, classic.stderr)
    return classic.stdout, json.loads(report.stdout)["signature"]


def test_an_empty_database_gives_the_originals_numbers(
    program: Program, drop_in: Program, original: SimpleNamespace, data: Path, demo: Path
) -> None:
    """The live original prints the same with that folder, and other numbers with the release's lists."""
    theirs = [
        program(*original.command[:-2], "-e", str(folder), *OPTIONS, cwd=demo)
        for folder in (data, original.data)
    ]

    assert 0 == theirs[0].status == theirs[1].status
    assert theirs[0].stdout == drop_in("-e", str(data), *OPTIONS, cwd=demo).stdout
    assert theirs[1].stdout == drop_in(*OPTIONS, cwd=demo).stdout
    assert theirs[0].stdout != theirs[1].stdout


def test_either_number_has_an_option_and_a_signature(
    drop_in: Program, program: Program, data: Path, demo: Path
) -> None:
    """`--irregular none`, `file:` and `full` give the drop-in's numbers, and `--like` repeats each."""
    without = drop_in("-e", str(data), *OPTIONS, cwd=demo).stdout
    full = drop_in(*OPTIONS, cwd=demo).stdout
    assert without != full
    for name, expected in (("none", without), (f"file:{data / DATABASE}", without), ("full", full)):
        stdout, signature = scores(program, demo, "--stem", "--irregular", name)
        assert expected == stdout, name
        assert f"|irregular:{name}" in signature
        assert (expected, signature) == scores(program, demo, "--like", signature)
    older = signature.replace("|irregular:full", "")
    assert (full, signature) == scores(program, demo, "--like", older)


def test_the_command_of_a_report_repeats_its_forms(program: Program, data: Path, demo: Path) -> None:
    """A report has a ROUGE-1.5.5.pl command with -e for a database, and no command without one."""
    words = [ROUGE_CLI, "score", OPTIONS[-1], "--stem", "--quiet", "-m", "R1", "--format"]
    commands = []
    for options in ([f"file:{data / DATABASE}"], ["none"], [f"file:{data / DATABASE}", "--stop"]):
        outcome = program(*words, "json", "--irregular", *options, cwd=demo)
        commands.append(json.loads(outcome.stdout)["details"].get("command"))
    expected = program(*words, "classic", "--irregular", "none", cwd=demo).stdout

    assert [None, None] == commands[1:]
    arguments = [OPTIONS[-1] if word == "settings.xml" else word for word in shlex.split(commands[0])[1:]]
    drop_in = DROP_IN
    assert expected == program(drop_in, *arguments, cwd=demo).stdout


def test_an_audit_shows_scores_without_irregular_forms(program: Program, demo: Path) -> None:
    """`audit --stem` has a column of the scores of an empty database, and names the words."""
    words = [ROUGE_CLI, "audit", OPTIONS[-1], "--all"]
    text = program(*words, "--stem", cwd=demo).stdout.decode()
    audited = json.loads(program(*words[:-1], "--stem", "--format", "json", cwd=demo).stdout)
    (variant,) = audited["variants"].values()
    scored = ["score", OPTIONS[-1], "--quiet", "--format", "json", "--like", variant["signature"]]
    results = json.loads(program(ROUGE_CLI, *scored, cwd=demo).stdout)["results"]

    assert "|irregular:none|" in variant["signature"]
    assert "rouge155 --irregular none" in text.splitlines()[0]
    assert f"{variant['averages']['lead']['ROUGE-1']['f']:.5f}" == text.splitlines()[1].split()[-1]
    assert variant["averages"]["lead"]["ROUGE-1"] != audited["averages"]["rouge155"]["lead"]["ROUGE-1"]
    assert all(
        result["f"]["value"] == variant["averages"][result["system"]][result["metric"]]["f"]
        for result in results
    )
    assert "irregular forms: rouge155 counts been as be, found as find, were as be; ROUGE-1 is " in text
    assert {} == json.loads(program(*words[:-1], "--format", "json", cwd=demo).stdout)["variants"]


def test_python_reports_a_database_with_other_forms() -> None:
    """The Python API reports a database that is not the release's, as the programs do."""
    notices: list[Notice] = []
    database = f"file:{DATABASES / 'empty.db'}"
    rouge_cli.score(["a"], [["a"]], stemmer="rouge", irregular=database, notify=notices.append)

    assert (
        "stemming gives other scores than ROUGE-1.5.5's release (0 irregular forms, " in notices[0].message
    )
    assert "irregular:none" in notices[0].message
