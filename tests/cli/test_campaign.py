"""The example campaign of docs/how-to/campaign.md, run by make in a copy."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Program

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="no make here")
EVERYBODY = {"extract", "lead", "random"}


@pytest.fixture
def campaign(root: Path, tmp_path: Path) -> Path:
    """Copy the files that the campaign reads, dated some time ago."""
    return copied(root, tmp_path)


@pytest.fixture(scope="module")
def first(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a campaign that has been run."""
    folder = copied(root, tmp_path_factory.mktemp("campaign"))
    assert EVERYBODY == scored(folder)
    return folder


@pytest.fixture
def done(first: Path, tmp_path: Path) -> Path:
    """Copy a campaign that has been run, with its times."""
    shutil.copytree(first, tmp_path, dirs_exist_ok=True)
    return tmp_path


def copied(root: Path, folder: Path) -> Path:
    """Copy the files that the campaign reads to a folder."""
    shutil.copytree(root / "fixtures" / "demo", folder / "fixtures" / "demo")
    (folder / "docs" / "how-to").mkdir(parents=True)
    shutil.copy(root / "docs" / "how-to" / "campaign.mk", folder / "docs" / "how-to")
    grow_old(folder)
    return folder


def grow_old(folder: Path) -> None:
    """Date results later than their inputs, and all before now, whatever the clock's resolution."""
    for path in folder.rglob("*"):
        time = 2000 if "build" in path.parts[len(folder.parts) :] else 1000
        os.utime(path, (time, time))


def make(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the campaign, with these words on make's command line."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    return subprocess.run(
        ["make", "-f", "docs/how-to/campaign.mk", *words], cwd=folder, env={"PATH": path},
        capture_output=True, check=False, text=True, timeout=120,
    )  # fmt: skip


def scored(folder: Path, *words: str) -> set[str]:
    """Run the campaign to its end, and return the systems that it scored."""
    ended = make(folder, *words)
    assert (0, "") == (ended.returncode, ended.stderr)
    commands = [line.split() for line in ended.stdout.splitlines() if line.startswith("ROUGE-1.5.5.pl")]
    grow_old(folder)
    return {Path(words[-1]).stem for words in commands}


def test_only_what_changed_is_scored_again(done: Path) -> None:
    """All systems are scored first, then none, then only those that a change affects."""
    demo = done / "fixtures" / "demo"

    assert set() == scored(done)
    (demo / "systems" / "lead.1.txt").write_text("A storm flooded Ostby.\n")
    assert {"lead"} == scored(done)
    assert set() == scored(done)
    (demo / "models" / "2.B.txt").touch()
    assert EVERYBODY == scored(done)
    (done / "docs" / "how-to" / "campaign.mk").touch()
    assert EVERYBODY == scored(done)


def reported(folder: Path) -> set[str]:
    """Return the systems in the campaign's file."""
    lines = (folder / "build" / "campaign" / "campaign.out").read_text().splitlines()
    return {line.split()[0] for line in lines if not line.startswith("-")}


def add_system(folder: Path) -> None:
    """Add the system `first` to the settings, in every eval."""
    settings = folder / "fixtures" / "demo" / "settings.xml"
    lines = settings.read_text().splitlines(keepends=True)
    new = [line.replace("lead", "first", 1) for line in lines if '"lead"' in line]
    assert len(new) == 3
    settings.write_text("".join(line + (new.pop(0) if '"lead"' in line else "") for line in lines))


def test_a_dropped_system_leaves_the_report(done: Path) -> None:
    """The campaign's file has exactly the systems of SYSTEMS, without scoring."""
    assert set() == scored(done, "SYSTEMS=lead extract")
    assert reported(done) == {"lead", "extract"}
    assert set() == scored(done)
    assert reported(done) == {"lead", "extract", "random"}


def test_options_of_the_command_line_count(done: Path) -> None:
    """Other OPTIONS score all systems again, the same OPTIONS none."""
    assert EVERYBODY == scored(done, "OPTIONS=-n 1 -x")
    text = (done / "build" / "campaign" / "campaign.out").read_text()
    assert "ROUGE-1 " in text
    assert "ROUGE-SU4 " not in text
    assert set() == scored(done, "OPTIONS=-n 1 -x")


@pytest.mark.slow
def test_other_settings_of_the_command_line_count(done: Path) -> None:
    """Settings of another name are scored, also if they are older than the scores."""
    demo = done / "fixtures" / "demo"
    text = (demo / "settings.xml").read_text().replace("lead.3.txt", "lead.2.txt")
    (demo / "other.xml").write_text(text)
    grow_old(done)

    assert {"lead"} == scored(done, "SETTINGS=fixtures/demo/other.xml")
    assert {"lead"} == scored(done)


def test_a_lost_depfile_is_made_again(done: Path) -> None:
    """A change is detected although the depfile is lost."""
    results = done / "build" / "campaign"
    lost = [path for path in results.iterdir() if path.suffix == ".d"]
    assert len(lost) == 3
    for path in lost:
        path.unlink()
    (done / "fixtures" / "demo" / "systems" / "lead.1.txt").write_text("A storm flooded Ostby.\n")

    assert {"lead"} == scored(done)
    assert all(path.exists() for path in lost)
    (results / "random.xml").unlink()
    assert {"random"} == scored(done)


@pytest.mark.slow
def test_one_more_system_scores_one_system(done: Path) -> None:
    """Settings with one more system leave the other scores unchanged; a change for all affects all."""
    add_system(done)

    assert {"first"} == scored(done, "SYSTEMS=extract lead random first")
    assert reported(done) == {"extract", "lead", "random", "first"}
    settings = done / "fixtures" / "demo" / "settings.xml"
    settings.write_text(settings.read_text().replace('<M ID="B">1.B.txt</M>', ""))
    assert EVERYBODY == scored(done)


def test_scores_are_those_of_the_whole_settings(campaign: Path, drop_in: Program) -> None:
    """A system's part of the settings gives the scores that the settings give."""
    settings = campaign / "fixtures" / "demo" / "settings.xml"
    settings.write_text(settings.read_text().replace("lead.3.txt", ""))
    words = ("-n", "2", "-m", "-2", "4", "-u", "fixtures/demo/settings.xml")
    scored(campaign)

    for system in ("extract", "lead"):
        whole = drop_in(*words, system, cwd=campaign).stdout
        assert whole == (campaign / "build" / "campaign" / f"{system}.out").read_bytes()


def test_settings_that_stay_the_same_keep_their_time(campaign: Path, here: Program) -> None:
    """`settings -o` does not touch a file that already holds the settings, so make rebuilds nothing."""
    words = ("settings", "--peers", "fixtures/demo/systems", "--models", "fixtures/demo/models")
    patterns = ("--pred-pattern", r"lead\.(\d)\.txt", "--ref-pattern", r"#ID#\.[A-Z]\.txt")
    command = (*words, *patterns, "-o", "s.xml")
    settings = campaign / "s.xml"
    assert here(*command, cwd=campaign).status == 0
    os.utime(settings, (1000, 1000))

    assert here(*command, cwd=campaign).status == 0
    assert settings.stat().st_mtime == 1000
    settings.write_bytes(settings.read_bytes() + b"\n")
    os.utime(settings, (1000, 1000))
    assert here(*command, cwd=campaign).status == 0
    assert settings.stat().st_mtime > 1000


def test_a_change_changes_the_scores(done: Path) -> None:
    """The campaign's file has every system's scores after the last change."""
    scores = done / "build" / "campaign" / "campaign.out"
    before = scores.read_text()
    for system in ("extract", "lead", "random"):
        assert f"{system} ROUGE-SU4 Average_F: " in before
    (done / "fixtures" / "demo" / "systems" / "lead.1.txt").write_text("nothing of it\n")
    scored(done)

    changed = {line.split()[0] for line in set(scores.read_text().splitlines()) - set(before.splitlines())}
    assert {"lead"} == changed


def test_a_summary_that_goes_stops_the_check(done: Path) -> None:
    """If a file is missing, make stops at the check, which names the line that refers to it."""
    (done / "fixtures" / "demo" / "systems" / "lead.1.txt").unlink()
    ended = make(done)

    assert ended.returncode == 2
    assert (
        "fixtures/demo/settings.xml:7: error: fixtures/demo/systems/lead.1.txt: cannot read the peer lead "
        "of eval 1: No such file or directory" in ended.stdout
    )
    assert "No rule to make target" not in ended.stderr
    assert "ROUGE-1.5.5.pl" not in ended.stdout


def test_the_document_shows_the_makefile(root: Path) -> None:
    """The makefile in docs/how-to/campaign.md is docs/how-to/campaign.mk, byte for byte."""
    how_to = root / "docs" / "how-to"
    shown = (how_to / "campaign.md").read_text("utf-8").split("```make\n")[1].partition("```")[0]

    assert (how_to / "campaign.mk").read_text("utf-8") == shown
