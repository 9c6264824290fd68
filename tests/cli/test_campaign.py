"""The example campaign of docs/campaign.md, run by make in a copy."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.conftest import Program

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="no make here")


@pytest.fixture
def campaign(root: Path, tmp_path: Path) -> Path:
    """A copy of what the campaign reads, made some time ago."""
    shutil.copytree(root / "fixtures" / "demo", tmp_path / "fixtures" / "demo")
    (tmp_path / "docs").mkdir()
    shutil.copy(root / "docs" / "campaign.mk", tmp_path / "docs")
    grow_old(tmp_path)
    return tmp_path


def grow_old(folder: Path) -> None:
    """Date results after what they were made from, and all before now, whatever the clock's grain."""
    for path in folder.rglob("*"):
        time = 2000 if "build" in path.parts[len(folder.parts) :] else 1000
        os.utime(path, (time, time))


def make(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the campaign, with these words on make's command line."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    return subprocess.run(
        ["make", "-f", "docs/campaign.mk", *words],
        cwd=folder,
        env={"PATH": path},
        capture_output=True,
        check=False,
        text=True,
        timeout=120,
    )


def scored(folder: Path, *words: str) -> set[str]:
    """Run the campaign to its end; the systems that it scored."""
    ended = make(folder, *words)
    assert (0, "") == (ended.returncode, ended.stderr)
    commands = [line.split() for line in ended.stdout.splitlines() if line.startswith("ROUGE-1.5.5.pl")]
    grow_old(folder)
    return {Path(words[-1]).stem for words in commands}


def test_only_what_changed_is_scored_again(campaign: Path) -> None:
    """All systems are scored first, then none, then only those that a change concerns."""
    demo, everybody = campaign / "fixtures" / "demo", {"extract", "lead", "random"}

    assert everybody == scored(campaign)
    assert set() == scored(campaign)
    (demo / "systems" / "lead.1.txt").write_text("A storm flooded Ostby.\n")
    assert {"lead"} == scored(campaign)
    assert set() == scored(campaign)
    (demo / "models" / "2.B.txt").touch()
    assert everybody == scored(campaign)
    (campaign / "docs" / "campaign.mk").touch()
    assert everybody == scored(campaign)


def reported(folder: Path) -> set[str]:
    """The systems in the campaign's file."""
    lines = (folder / "build" / "campaign" / "campaign.out").read_text().splitlines()
    return {line.split()[0] for line in lines if not line.startswith("-")}


def add_system(folder: Path) -> None:
    """Enter the system `first` in the settings, in every eval."""
    settings = folder / "fixtures" / "demo" / "settings.xml"
    lines = settings.read_text().splitlines(keepends=True)
    new = [line.replace("lead", "first", 1) for line in lines if '"lead"' in line]
    assert len(new) == 3
    settings.write_text("".join(line + (new.pop(0) if '"lead"' in line else "") for line in lines))


def test_a_dropped_system_leaves_the_report(campaign: Path) -> None:
    """The campaign's file has the systems of SYSTEMS and no others, without scoring."""
    scored(campaign)

    assert set() == scored(campaign, "SYSTEMS=lead extract")
    assert reported(campaign) == {"lead", "extract"}
    assert set() == scored(campaign)
    assert reported(campaign) == {"lead", "extract", "random"}


def test_options_of_the_command_line_count(campaign: Path) -> None:
    """Other OPTIONS score all systems again, the same OPTIONS none."""
    everybody = scored(campaign)

    assert everybody == scored(campaign, "OPTIONS=-n 1 -x")
    text = (campaign / "build" / "campaign" / "campaign.out").read_text()
    assert "ROUGE-1 " in text
    assert "ROUGE-SU4 " not in text
    assert set() == scored(campaign, "OPTIONS=-n 1 -x")


def test_other_settings_of_the_command_line_count(campaign: Path) -> None:
    """Settings of another name are scored, also when they are older than the scores."""
    scored(campaign)
    demo = campaign / "fixtures" / "demo"
    text = (demo / "settings.xml").read_text().replace("lead.3.txt", "lead.2.txt")
    (demo / "other.xml").write_text(text)
    grow_old(campaign)

    assert {"lead"} == scored(campaign, "SETTINGS=fixtures/demo/other.xml")
    assert {"lead"} == scored(campaign)


def test_a_lost_depfile_is_made_again(campaign: Path) -> None:
    """A change is seen although the file is lost that tells make what the system depends on."""
    scored(campaign)
    results = campaign / "build" / "campaign"
    lost = [path for path in results.iterdir() if path.suffix == ".d"]
    assert len(lost) == 3
    for path in lost:
        path.unlink()
    (campaign / "fixtures" / "demo" / "systems" / "lead.1.txt").write_text("A storm flooded Ostby.\n")

    assert {"lead"} == scored(campaign)
    assert all(path.exists() for path in lost)
    (results / "random.xml").unlink()
    assert {"random"} == scored(campaign)


def test_one_more_system_scores_one_system(campaign: Path) -> None:
    """Settings with one more system leave the others' scores as they are; a change for all concerns all."""
    everybody = scored(campaign)
    add_system(campaign)

    assert {"first"} == scored(campaign, "SYSTEMS=extract lead random first")
    assert reported(campaign) == {"extract", "lead", "random", "first"}
    settings = campaign / "fixtures" / "demo" / "settings.xml"
    settings.write_text(settings.read_text().replace('<M ID="B">1.B.txt</M>', ""))
    assert everybody == scored(campaign)


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
    """`settings -o` leaves a file that already holds the settings: make has nothing to do."""
    words = ("settings", "--peers", "fixtures/demo/systems", "--models", "fixtures/demo/models")
    patterns = ("--peer-pattern", r"lead\.(\d)\.txt", "--model-pattern", r"#ID#\.[A-Z]\.txt")
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


def test_a_change_changes_the_scores(campaign: Path) -> None:
    """The campaign's file holds every system's scores, as they are after the last change."""
    scored(campaign)
    scores = campaign / "build" / "campaign" / "campaign.out"
    before = scores.read_text()
    for system in ("extract", "lead", "random"):
        assert f"{system} ROUGE-SU4 Average_F: " in before
    (campaign / "fixtures" / "demo" / "systems" / "lead.1.txt").write_text("nothing of it\n")
    scored(campaign)

    changed = {line.split()[0] for line in set(scores.read_text().splitlines()) - set(before.splitlines())}
    assert {"lead"} == changed


def test_a_summary_that_goes_stops_the_check(campaign: Path) -> None:
    """When a file is gone, make gets as far as the check, which names the line that asks for it."""
    scored(campaign)
    (campaign / "fixtures" / "demo" / "systems" / "lead.1.txt").unlink()
    ended = make(campaign)

    assert ended.returncode == 2
    assert (
        "fixtures/demo/settings.xml:7: error: fixtures/demo/systems/lead.1.txt: cannot read the peer lead "
        "of eval 1: No such file or directory" in ended.stdout
    )
    assert "No rule to make target" not in ended.stderr
    assert "ROUGE-1.5.5.pl" not in ended.stdout


def test_the_document_shows_the_makefile(root: Path) -> None:
    """What docs/campaign.md shows is docs/campaign.mk to the letter."""
    shown = (root / "docs" / "campaign.md").read_text("utf-8").split("```make\n")[1].partition("```")[0]

    assert (root / "docs" / "campaign.mk").read_text("utf-8") == shown
