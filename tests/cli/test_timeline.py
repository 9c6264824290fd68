"""`rouge-cli timeline`: its inputs, its reports, and its errors."""

from __future__ import annotations

import ast
import csv
import json
import sys
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

import rouge_cli
from rouge_cli.cli.commands.timeline import command
from rouge_cli.errors import RougeError, UsageError

if TYPE_CHECKING:
    from tests.conftest import Program

ROUGE_CLI = str(Path(sys.executable).with_name("rouge-cli"))
END = "-" * 32
TOOLKIT = [
    "concat",
    "agreement",
    "align_date_costs",
    "align_date_content_costs",
    "align_date_content_costs_many_to_one",
]
OURS = f"2010-05-06\nthe oil spill\n{END}\n2010-05-08\nmud stops it\n{END}\n"
THEIRS = f"2010-05-07\nan oil spill\n{END}\n"


def block(day: str, text: str) -> str:
    """Return a timeline of one day."""
    return f"{day}\n{text}\n{END}\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create a folder with a prediction and two references, and run in it."""
    (tmp_path / "ours.txt").write_text(OURS)
    (tmp_path / "ap.txt").write_text(THEIRS)
    (tmp_path / "bbc.txt").write_text(block("2010-05-08", "mud"))
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


def test_one_prediction_is_one_record(folder: Path, program: Program) -> None:
    """The installed command gives metrics by the toolkit's names, unrounded, with dates and a signature."""
    words = ["-p", "ours.txt", "-r", "ap.txt", "bbc.txt", "-m", "all", "--format", "json"]
    outcome = program(ROUGE_CLI, "timeline", *words, cwd=folder)
    record = json.loads(outcome.stdout)
    third = 1 / 3

    assert (0, "") == (outcome.status, outcome.stderr)
    assert [*TOOLKIT, "date_selection", "signature"] == list(record)
    assert {"rouge_1", "rouge_2"} == set(record["concat"])
    # Of oil, spill, mud, stop in ours (twice, for two references): 2 in AP's oil spill, 1 in BBC's mud.
    assert record["concat"]["rouge_1"] == {"precision": 3 / 8, "recall": 1, "f_score": 6 / 11}
    assert record["agreement"]["rouge_1"]["recall"] == pytest.approx(third)
    assert record["date_selection"] == {"precision": 0.5, "recall": 0.5, "f_score": 0.5}
    assert "|stemmer:rouge|stop:rouge|alpha:0.5|" in record["signature"]
    assert "|protocol:pooled|" in record["signature"]


@pytest.mark.parametrize(
    "name",
    ["align+ m:1", "ALIGN+ M:1", "align+m1", "align-content-m1", "align_date_content_costs_many_to_one"],
)
def test_metrics_keep_the_spelling_of_the_option(folder: Path, name: str) -> None:
    """Every spelling of a metric is accepted, and is its name in the report."""
    record = scores("-p", "ours.txt", "-r", "ap.txt", "-m", name)

    assert folder == Path.cwd()
    assert [name, "date_selection", "signature"] == list(record)
    assert scores("-p", "ours.txt", "-r", "ap.txt")[TOOLKIT[4]] == record[name]


@pytest.mark.usefixtures("folder")
def test_presets_and_switches() -> None:
    """The paper's preset neither stems nor drops words; each switch replaces the preset's value."""
    common = ["-p", "ours.txt", "-r", "ap.txt", "-m", "concat"]
    signed = {
        (): "stemmer:rouge|stop:rouge",
        ("--preset", "paper"): "stemmer:none|stop:none",
        ("--preset", "paper", "--stem"): "stemmer:rouge|stop:none",
        ("--no-stop",): "stemmer:rouge|stop:none",
    }
    for words, expected in signed.items():
        assert expected in scores(*common, *words)["signature"]
    # Two of three words of the reference, or both of those that are not stop words.
    assert scores(*common)["concat"]["rouge_1"]["recall"] == 1
    assert scores(*common, "--preset", "paper")["concat"]["rouge_1"]["recall"] == 2 / 3


@pytest.mark.usefixtures("folder")
def test_beta_weighs_recall() -> None:
    """F is (1 + b^2) PR / (b^2 P + R); -n sets longer n-grams."""
    record = scores("-p", "ours.txt", "-r", "ap.txt", "-m", "concat", "--beta", "2", "-n", "3", "--quiet")
    precision, recall, f = record["concat"]["rouge_1"].values()

    assert ["rouge_1", "rouge_2", "rouge_3"] == list(record["concat"])
    assert (0.5, 1.0) == (precision, recall)
    assert pytest.approx(5 * precision * recall / (4 * precision + recall)) == f


@pytest.mark.usefixtures("folder")
def test_the_toolkits_line() -> None:
    """`--format dict` prints the Python dictionary that the toolkit prints, and nothing else."""
    stdout, _ = run("-p", "ours.txt", "-r", "ap.txt", "-m", "align_date_costs", "--format", "dict")
    printed = ast.literal_eval(stdout)

    assert stdout.count("\n") == 1
    assert printed == scores("-p", "ours.txt", "-r", "ap.txt", "-m", "align")["align"]


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


@pytest.mark.usefixtures("folder")
def test_references_one_by_one() -> None:
    """Per reference there is a line each, and their average: mean P, mean R, F of these."""
    records = scores(
        "-p", "ours.txt", "-r", "ap.txt", "bbc.txt", "--per-reference", "-m", "concat", "--quiet"
    )
    ap, bbc, average = [record["concat"]["rouge_1"] for record in records]

    assert ["ap", "bbc", None] == [record.get("reference") for record in records]
    assert records[-1]["name"] == "average"
    assert "|protocol:per-reference|" in records[0]["signature"]
    assert average["precision"] == pytest.approx((ap["precision"] + bbc["precision"]) / 2)
    assert average["recall"] == pytest.approx((ap["recall"] + bbc["recall"]) / 2)
    precision, recall, f = average.values()
    assert f == pytest.approx(2 * precision * recall / (precision + recall))


def test_predictions_for_each_reference(folder: Path) -> None:
    """Per reference, as many predictions as references are paired by position; otherwise it is an error."""
    pairs = [[["2010-05-07", ["an oil spill"]]], [], [["2010-05-08", ["mud"]]]]
    (folder / "refs.jsonl").write_text("".join(json.dumps(pair) + "\n" for pair in pairs))
    (folder / "same.json").write_text(json.dumps([pairs[0], pairs[2]]))
    records = scores("-p", "same.json", "-r", "refs.jsonl", "--per-reference", "-m", "align", "--quiet")

    assert [1, 1, 1] == [record["align"]["rouge_1"]["f_score"] for record in records]
    assert ["same:1", "same:2", "average"] == [record["name"] for record in records]
    (folder / "three.json").write_text(json.dumps(pairs))
    with pytest.raises(RougeError, match=r"three\.json: 3 predictions for 2 references; for single"):
        run("-p", "three.json", "-r", "refs.jsonl", "--per-reference")


def test_folders_of_topics(folder: Path) -> None:
    """Topics of either layout are matched by name and averaged; topics of one side cause a notice."""
    (folder / "data" / "bp" / "timelines").mkdir(parents=True)
    (folder / "data" / "bp" / "timelines" / "ap.txt").write_text(THEIRS)
    (folder / "data" / "bp" / "timelines" / "bbc.txt").write_text(block("2010-05-08", "mud"))
    (folder / "data" / "flu").mkdir()
    (folder / "data" / "flu" / "timelines.jsonl").write_text('[["2009-04-24T00:00:00", ["swine flu"]]]\n')
    (folder / "data" / "lost").mkdir()
    (folder / "data" / "lost" / "timelines.jsonl").write_text('[["2009-04-24", ["x"]]]\n')
    (folder / "mine").mkdir()
    (folder / "mine" / "bp.txt").write_text(THEIRS)
    (folder / "mine" / "flu.json").write_text('[["2009-04-24", "swine flu"]]')
    stdout, stderr = run("-p", "mine", "-r", "data", "-m", "align", "--format", "json")
    pooled = json.loads(stdout)
    each = json.loads(run("-p", "mine", "-r", "data", "--per-reference", "--format", "json")[0])

    assert stderr == "rouge-cli: mine: no topic lost; averaged over the others\n"
    assert ["bp", "flu", "average"] == [record["name"] for record in pooled]
    # AP's two words of four in ours, once for each of two references; BBC's word is not there.
    assert [0.5, 1, 0.75] == [record["align"]["rouge_1"]["precision"] for record in pooled]
    assert ["bp/ap", "bp/bbc", "flu/timelines", None] == [record.get("reference") for record in each]
    assert [1, 0, 1, 2 / 3] == [record["date_selection"]["recall"] for record in each]


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

    assert scored["peer"]["ROUGE-1-align"] == {"recall": 0.5, "precision": 0.25, "f": 1 / 3}
    assert rows[0]["ROUGE-1-align.recall"] == 0.5
    for options, message in (
        ({"samples": 5}, "no resampling in dialect tilse"),
        ({"protocol": "per-reference"}, "models are pooled here"),
        ({"stemmer": "snowball:english"}, "unknown stemmer"),
        ({"metrics": ["ROUGE-2"]}, "unknown metric 'ROUGE-2' in dialect tilse; did you mean"),
    ):
        with pytest.raises(UsageError, match=message):
            rouge_cli.score(OURS, [[THEIRS]], dialect="tilse", **options)
