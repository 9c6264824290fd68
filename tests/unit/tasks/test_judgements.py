"""Human scores in the usual file formats."""

from pathlib import Path

import pytest
from case_tables import tabled

from rouge_cli.errors import RougeError
from rouge_cli.tasks import judgements

EXPECTED: dict[str, dict[str | None, float]] = {
    "s1": {"D1": 0.5, "D2": 1.0},
    "s2": {"D1": 3.0},
}


@tabled
def test_every_form(name: str, text: str, tmp_path: Path) -> None:
    """Tables with headers, jsonl and AESOP's lines give the same scores; missing
    scores are left out.
    """
    (tmp_path / name).write_text(text)

    assert [judgements.Judgements("score", EXPECTED)] == judgements.read(
        str(tmp_path / name)
    )


def test_several_measures(tmp_path: Path) -> None:
    """Every other column is a measure, or only the named ones; without a header they
    are numbered.
    """
    (tmp_path / "h.csv").write_text("eval,system,pyramid,note,steps\n1,a,0.5,fine,4\n")
    (tmp_path / "t").write_text("1 a 0.5 4\n")

    scores = judgements.read(str(tmp_path / "h.csv"), ["steps", "pyramid"])
    assert [("steps", {"a": {"1": 4.0}}), ("pyramid", {"a": {"1": 0.5}})] == scores
    assert ["score1", "score2"] == [
        measure.name for measure in judgements.read(str(tmp_path / "t"))
    ]


def test_the_first_row_may_lack_scores(tmp_path: Path) -> None:
    """The first row may lack a score, the first record a measure, and an empty
    column is not a measure.
    """
    (tmp_path / "t").write_text("D1 s1 NA\nD2 s1 2\n")
    (tmp_path / "h.jsonl").write_text(
        '{"eval": "D1", "system": "s1", "note": null}\n{"eval": "D2", "system": "s1",'
        ' "score": 2}\n'
    )
    expected = [judgements.Judgements("score", {"s1": {"D2": 2.0}})]

    assert (
        expected
        == judgements.read(str(tmp_path / "t"))
        == judgements.read(str(tmp_path / "h.jsonl"))
    )
    with pytest.raises(RougeError, match="no human scores in column note"):
        judgements.read(str(tmp_path / "h.jsonl"), ["note"])


def test_whole_systems(tmp_path: Path) -> None:
    """Without evals the scores are those of whole systems."""
    (tmp_path / "t").write_text("a 0.5\nb 0.7\n")
    (tmp_path / "h.csv").write_text("peer,score\na,0.5\nb,0.7\n")

    expected = [judgements.Judgements("score", {"a": {None: 0.5}, "b": {None: 0.7}})]
    assert (
        expected
        == judgements.read(str(tmp_path / "t"))
        == judgements.read(str(tmp_path / "h.csv"))
    )


def test_named_columns(tmp_path: Path) -> None:
    """Options name the columns of evals and systems."""
    (tmp_path / "h.csv").write_text("x,y,z\n1,a,0.5\n")

    scores = judgements.read(str(tmp_path / "h.csv"), id_column="x", system_column="y")
    assert [("z", {"a": {"1": 0.5}})] == scores


def test_a_column_that_is_not_there(tmp_path: Path) -> None:
    """A missing measure is an error that lists those of the file."""
    (tmp_path / "h.csv").write_text("eval,system,pyramid\n1,a,1\n")

    with pytest.raises(
        RougeError,
        match="no column 'x' of human scores; there are eval, system, pyramid",
    ):
        judgements.read(str(tmp_path / "h.csv"), ["x"])
