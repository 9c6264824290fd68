"""`rouge-cli score --plot` and `merge --plot`: averages as a picture, or one message and no file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Program


@pytest.fixture
def rouge(tmp_path: Path, here: Program) -> Program:
    """Return the program in a folder with two systems."""
    pytest.importorskip("matplotlib")
    (tmp_path / "a.txt").write_text("the cat sat\na dog ran\n")
    (tmp_path / "b.txt").write_text("the cat\nno\n")
    (tmp_path / "r.txt").write_text("the cat sat\nthe dog ran\n")
    return here


SCORE = ("score", "--hyp", "a.txt", "--hyp", "b.txt", "--ref", "r.txt", "-m", "R1,R2")


@pytest.mark.parametrize(("suffix", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_the_plot_is_written_beside_the_report(
    suffix: str, start: bytes, rouge: Program, tmp_path: Path
) -> None:
    """The picture has the format of its suffix, and the report is that of a run without it."""
    plain = rouge(*SCORE)
    outcome = rouge(*SCORE, "--plot", f"p.{suffix}")

    assert (0, "", plain.stdout) == (outcome.status, outcome.stderr, outcome.stdout)
    assert (tmp_path / f"p.{suffix}").read_bytes().startswith(start)


def test_merge_and_score_draw_the_same_picture(rouge: Program, tmp_path: Path) -> None:
    """Parts of a run give the picture of the run."""
    rouge(*SCORE, "--plot", "whole.svg")
    rouge(*SCORE, "--counts", "-o", "run.part")
    outcome = rouge("merge", "run.part", "--plot", "parts.svg")

    assert (0, "") == (outcome.status, outcome.stderr)
    assert (tmp_path / "whole.svg").read_bytes() == (tmp_path / "parts.svg").read_bytes()


def test_jupyters_backend_is_not_needed(rouge: Program, tmp_path: Path) -> None:
    """A picture is written in a shell of Jupyter's, whose backend is not installed beside rouge-cli."""
    backend = {"MPLBACKEND": "module://matplotlib_inline.backend_inline", "PYTHONPATH": str(tmp_path)}
    outcome = rouge(*SCORE, "--plot", "p.png", environment=backend)

    assert (0, "") == (outcome.status, outcome.stderr)
    assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")
