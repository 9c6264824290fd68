"""Files that a Python caller names are read as by the command."""

import json
from pathlib import Path
from typing import Any

import pytest

import rouge_cli
from rouge_cli.core import Notice
from rouge_cli.errors import RougeError, UsageError
from tests.conftest import ROUGE_CLI, Program

LINES = ("the cat sat\na dog ran\n", "a cat sat down\nthe dog ran\n")


@pytest.fixture(name="folder")
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the working folder, with the same texts in files of every kind."""
    monkeypatch.chdir(tmp_path)
    for name, text in zip(("p.txt", "r.txt"), LINES, strict=True):
        Path(name).write_text(text)
    rows = []
    for side in ("p", "r"):
        Path(side).mkdir()
    pairs = zip(*(text.splitlines() for text in LINES), strict=True)
    for number, (prediction, reference) in enumerate(pairs, 1):
        rows.append({"guess": prediction, "truth_text": reference})
        Path(f"p/{number}.txt").write_text(prediction)
        Path(f"r/{number}.txt").write_text(reference)
    Path("run.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    Path("run.json").write_text(json.dumps(rows))
    Path("list").write_text("p/1.txt r/1.txt\np/2.txt r/2.txt\n")
    return tmp_path


COLUMNS = {"prediction_columns": "guess"}


@pytest.mark.parametrize(
    ("arguments", "options", "words"),
    [
        (["p.txt", "r.txt"], {}, "--pred p.txt --ref r.txt"),
        ([Path("p.txt"), ["r.txt"]], {}, "--pred p.txt --ref r.txt"),
        (
            [{"a": "p.txt", "b": Path("r.txt")}, "r.txt"],
            {},
            "--pred a=p.txt --pred b=r.txt --ref r.txt",
        ),
        (["p", "r"], {}, "--pred p --ref r"),
        (
            ["p", "r"],
            {"prediction_pattern": "([0-9]).txt", "reference_pattern": "#ID#.txt"},
            "--pred p --ref r --pred-pattern ([0-9]).txt --ref-pattern #ID#.txt",
        ),
        (["run.jsonl"], COLUMNS, "run.jsonl --pred-column guess"),
        (["run.json"], COLUMNS, "run.json --pred-column guess"),
        (["list"], {"kind": "list"}, "list --input list"),
        (["p.txt", "r.txt"], {"encoding": "latin-1"}, "--pred p.txt --ref r.txt --encoding latin-1"),
        (["p.txt", "r.txt"], {"dialect": "google", "samples": 0}, "--pred p.txt --ref r.txt --dialect google --samples 0"),
    ],
)  # fmt: skip
def test_files_have_the_report_of_the_command(
    folder: Path,
    program: Program,
    arguments: list[Any],
    options: dict[str, Any],
    words: str,
) -> None:
    """`score_files` returns the report that `rouge-cli score` prints, with the same
    signature.
    """
    notices: list[Notice] = []
    report = rouge_cli.score_files(*arguments, notify=notices.append, **options)
    outcome = program(
        ROUGE_CLI, "score", *words.split(), "--format", "json", cwd=folder
    )

    assert json.loads(outcome.stdout) == json.loads(report.to_json())
    printed = [line for line in outcome.stderr.splitlines() if line]
    assert [f"rouge-cli: {notice.message}" for notice in notices] == printed


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run.jsonl", "r.txt"], "no column of predictions among guess, truth_text"),
        (["p.txt"], "p.txt: neither settings nor records; pass the file of references"),
        (["p.txt", "none.txt"], "none.txt: cannot read"),
        ([[]], "no file named"),
        ([["p", "p.txt"], "r"], "several folders"),
        ([5], "not the path of a file: 5"),
        ([[5], "r.txt"], "not the path of a file: 5"),
        ([["list", "run.jsonl"]], "settings or a list among several files"),
    ],
)  # fmt: skip
def test_files_that_cannot_be_read_are_refused(
    arguments: list[Any], message: str
) -> None:
    """Files that are not texts, or do not belong together, are one error with a remedy."""
    with pytest.raises(RougeError) as error:
        rouge_cli.score_files(*arguments)

    assert message in str(error.value)


@pytest.mark.usefixtures("folder")
def test_options_are_checked_before_files_are_read() -> None:
    """An invalid option is an error, whatever the files are."""
    for options in ({"kind": "xyz"}, {"read_as": "x"}, {"reference_lists": "x"}):
        wrong: Any = options
        with pytest.raises(UsageError):
            rouge_cli.score_files("run.jsonl", **wrong)


def test_records_of_both_sides_are_joined_by_id(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Predictions and references may be records in files of their own, in any order."""
    monkeypatch.chdir(tmp_path)
    Path("p.jsonl").write_text(
        '{"id": "a", "prediction": "the cat"}\n{"id": "b", "prediction": "a dog"}\n'
    )
    Path("r.csv").write_text("id,reference\nb,a dog\na,the hen\n")

    results = rouge_cli.score_files("p.jsonl", "r.csv", "R1", samples=0)
    scores = [result.score for result in results.results[0].evals]
    assert [0.5, 1.0] == [score.f for score in scores if score]
