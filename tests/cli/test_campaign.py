"""The example campaign of docs/campaign.md, run by make in a copy."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

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


def make(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the campaign."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    return subprocess.run(
        ["make", "-f", "docs/campaign.mk"],
        cwd=folder,
        env={"PATH": path},
        capture_output=True,
        check=False,
        text=True,
        timeout=120,
    )


def scored(folder: Path) -> set[str]:
    """Run the campaign to its end; the systems that it scored."""
    ended = make(folder)
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
