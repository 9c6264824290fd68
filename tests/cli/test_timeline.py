"""`rouge-cli timeline`: its inputs, its reports, and its errors."""

import csv
import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import rouge_cli
from rouge_cli.cli.commands.timeline import command
from rouge_cli.errors import UsageError
from tests.conftest import ROUGE_CLI, Program

END = "-" * 32
TOOLKIT = [
    "concat", "agreement", "align_date_costs", "align_date_content_costs",
    "align_date_content_costs_many_to_one",
]  # fmt: skip
OURS = f"2010-05-06\nthe oil spill\n{END}\n2010-05-08\nmud stops it\n{END}\n"
THEIRS = f"2010-05-07\nan oil spill\n{END}\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create a folder with a prediction and two references, and run in it."""
    (tmp_path / "ours.txt").write_text(OURS)
    (tmp_path / "ap.txt").write_text(THEIRS)
    (tmp_path / "bbc.txt").write_text(f"2010-05-08\nmud\n{END}\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: str) -> tuple[str, str]:
    """Return what the command prints on stdout and on stderr."""
    ended = CliRunner().invoke(command, words, catch_exceptions=True, standalone_mode=False)
    if ended.exception:
        raise ended.exception
    return ended.stdout, ended.stderr


def scores(*words: str) -> Any:  # noqa: ANN401 - any JSON
    """Return the scores as JSON."""
    stdout, stderr = run(*words, "--format", "json")
    assert stderr == ""
    return json.loads(stdout)


@pytest.mark.usefixtures("folder")
def test_every_format_has_the_same_numbers() -> None:
    """json, jsonl, csv and the table hold the same scores."""
    words = ["-p", "ours.txt", "ap.txt", "-r", "bbc.txt", "ap.txt"]
    records = scores(*words)
    lines = [json.loads(line) for line in run(*words, "--format", "jsonl")[0].splitlines()]
    rows = list(csv.DictReader(StringIO(run(*words, "--format", "csv")[0])))
    table = run(*words, "-m", "all", "--digits", "3")[0]

    assert ["ours", "ap"] == [record["name"] for record in records]
    assert records == lines
    by_row = {(row["name"], row["metric"], row["rouge"]): row for row in rows}
    for record in records:
        for metric in TOOLKIT:
            for n in (1, 2):
                row = by_row[record["name"], metric, f"ROUGE-{n}"]
                expected = record[metric][f"rouge_{n}"]
                assert expected == {figure: float(row[figure]) for figure in expected}
        figures = record["align_date_costs"]["rouge_1"]
        shown = "  ".join(f"{figures[name]:.3f}" for name in ("precision", "recall", "f_score"))
        assert f"align           ROUGE-1  {record['name']:<4}  {shown}\n" in table


def test_score_has_the_dialect(folder: Path, program: Program) -> None:
    """`rouge-cli score --dialect tilse` scores lists of timeline files, and its signature repeats it."""
    (folder / "x.lst").write_text("ours.txt ap.txt bbc.txt\n")
    words = ["--dialect", "tilse", "--read-as", "timeline", "-m", "R1-concat,R2-align+", "--format", "json"]
    outcome = program(ROUGE_CLI, "score", "x.lst", *words, cwd=folder)
    document = json.loads(outcome.stdout)
    pooled = scores("-p", "ours.txt", "-r", "ap.txt", "bbc.txt")
    signed = ["--like", document["signature"], "--read-as", "timeline", "--format", "json"]

    assert (0, "") == (outcome.status, outcome.stderr)
    assert ["ROUGE-1-concat", "ROUGE-2-align-content"] == [
        result["metric"] for result in document["results"]
    ]
    assert pooled["concat"]["rouge_1"]["f_score"] == document["results"][0]["f"]["value"]
    assert outcome.stdout == program(ROUGE_CLI, "score", "x.lst", *signed, cwd=folder).stdout


def test_the_dialect_from_python() -> None:
    """Texts of the Python API are timelines to the dialect; other formats and resampling are refused."""
    scored = rouge_cli.score(OURS, [[THEIRS]], "ROUGE-1-align", dialect="tilse").to_dict()
    rows = rouge_cli.score_rows([OURS], [THEIRS], "ROUGE-1-align", dialect="tilse")

    assert scored["system"]["ROUGE-1-align"] == {"recall": 0.5, "precision": 0.25, "f": 1 / 3}
    assert rows[0]["ROUGE-1-align.recall"] == 0.5
    for options, message in (
        ({"samples": 5}, "no resampling in dialect tilse"),
        ({"protocol": "per-reference"}, "references are pooled here"),
        ({"stemmer": "snowball:english"}, "unknown stemmer"),
        ({"metrics": ["ROUGE-2"]}, "unknown metric 'ROUGE-2' in dialect tilse; did you mean"),
    ):
        with pytest.raises(UsageError, match=message):
            rouge_cli.score(OURS, [[THEIRS]], dialect="tilse", **options)
