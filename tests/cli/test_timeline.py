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
def test_values_follow_one_option_or_each_its_own() -> None:
    """`-r A B` is `-r A -r B` is `--ref A --ref B`, as in the toolkit and as elsewhere."""
    forms = (
        ["-p", "ours.txt", "-r", "ap.txt", "bbc.txt"],
        ["-p", "ours.txt", "-r", "ap.txt", "-r", "bbc.txt"],
        ["--ref", "ap.txt", "bbc.txt", "--pred", "ours.txt"],
    )

    assert len({run(*form)[0] for form in forms}) == 1


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
def test_alignments_are_shown() -> None:
    """Each date is shown with its partner, the cost, the weight and the matches; or without a partner."""
    words = ["-p", "ours.txt", "-r", "ap.txt", "-m", "align", "--preset", "paper", "-n", "1"]
    alignments = scores(*words, "--alignments")["alignments"]["align"]
    first = {"cost": 0.5, "weight": 0.5, "matches": {"rouge_1": 2}}
    pair = {"prediction": "2010-05-06", "reference": "2010-05-07", **first}
    table = run(*words, "--alignments")[0]

    assert [pair, {"prediction": "2010-05-08", "reference": None}] == alignments["precision"]
    assert [pair] == alignments["recall"]
    assert "align   precision  2010-05-06  2010-05-07  0.50000  0.50000                2\n" in table
    assert "align   precision  2010-05-08  -" in table
    assert "\nalignments:\n" in table


@pytest.mark.usefixtures("folder")
def test_alignments_are_headed_by_their_names() -> None:
    """Above the alignments are the prediction's name, and the reference's if there is one for each."""
    words = ["-p", "ours.txt", "ap.txt", "-r", "bbc.txt", "--alignments"]

    assert "\nalignments ap:\n" in run(*words)[0]
    assert "\nalignments ap bbc:\n" in run(*words, "--per-reference")[0]


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


def test_one_topic_has_an_average(folder: Path) -> None:
    """Folders are always averaged, so that their output is always a list of records."""
    for name in ("data", "mine"):
        (folder / name).mkdir()
        (folder / name / "bp.txt").write_text(OURS)

    assert ["bp", "average"] == [record["name"] for record in scores("-p", "mine", "-r", "data")]


@pytest.mark.usefixtures("folder")
def test_stdin_is_read(program: Program, folder: Path) -> None:
    """`-` is stdin."""
    call = f"{ROUGE_CLI} timeline -p - -r ap.txt -m concat --format json < ours.txt"
    outcome = program("sh", "-c", call, cwd=folder)

    assert scores("-p", "ours.txt", "-r", "ap.txt", "-m", "concat") == json.loads(outcome.stdout)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "bad: no date in prediction bad; scores are 0"),
        (block("2010-05-06", "of the"), "bad: no token that counts in prediction bad; scores are 0"),
        (
            "2010-05-06\nmud mud",
            "bad:1: no line of 32 hyphens after the last block; the block counts all the same",
        ),
    ],
)
def test_what_is_repaired_is_said(folder: Path, text: str, message: str) -> None:
    """A repaired or empty input is scored, with one warning on stderr."""
    (folder / "bad").write_text(text)
    stdout, stderr = run("-p", "bad", "-r", "ap.txt", "--format", "json")

    assert stderr == f"rouge-cli: {message}\n"
    assert json.loads(stdout)["concat"]["rouge_1"]["f_score"] == 0
    assert run("-p", "bad", "-r", "ap.txt", "--quiet")[1] == ""


def test_references_without_a_date_are_said(folder: Path) -> None:
    """If no reference has a date the scores are 0, with a notice."""
    (folder / "none").write_text("")
    stdout, stderr = run("-p", "ours.txt", "-r", "none", "--format", "json")

    assert stderr == "rouge-cli: none: no date in the references; scores are 0\n"
    assert {0} == {
        value
        for metric in TOOLKIT
        for by_n in json.loads(stdout)[metric].values()
        for value in by_n.values()
    }


def test_a_reference_without_a_date_among_others_is_said(folder: Path) -> None:
    """One empty reference of several halves the precision, and stderr names it (QUIRKS 71)."""
    (folder / "none").write_text("")

    assert run("-p", "ours.txt", "-r", "ap.txt", "none", "-n", "1")[1] == (
        "rouge-cli: none: no date in none; it still counts\n"
    )


def test_a_file_of_empty_references_is_reported(folder: Path) -> None:
    """If all references of a file are empty there is a notice on them, and none on the prediction."""
    (folder / "none.jsonl").write_text("[]\n[]\n")

    assert run("-p", "ours.txt", "-r", "none.jsonl")[1] == (
        "rouge-cli: none.jsonl: all 2 timelines in it are empty, and are left out\n"
        "rouge-cli: ours.txt: no reference for prediction ours; scores are 0\n"
    )


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        ("-p ours.txt -r ap.txt -m ,", 2, "no metric named; name them as in -m align"),
        ("-m concat battery empty", 2, "options before battery; write its options after it"),
        ("--stem battery empty", 2, "options before battery"),
        ("", 2, "nothing to score; give -p PREDICTION and -r REFERENCE, or battery DIR"),
        ("-p ours.txt", 2, "-p alone; give -p PREDICTION and -r REFERENCE"),
        ("ours.txt ap.txt", 2, "unexpected argument 'ours.txt'; pass files with -p and -r"),
        ("-p ours.txt -r ap.txt -m rouge", 2, "unknown metric 'rouge'; use one of concat, agreement"),
        ("-p ours.txt -r ap.txt -m aling", 2, "unknown metric 'aling'; did you mean align"),
        ("-p ours.txt -r ap.txt --input xml", 2, "unknown input 'xml'; use one of text, json, jsonl"),
        ("-p ours.txt -r ap.txt --repeated first", 2, "unknown repeated 'first'; use one of last"),
        ("-p ours.txt -r ap.txt --format csv --alignments", 2, "--alignments with a format that has no"),
        ("-p ours.txt ap.txt -r ap.txt --format dict", 2, "a dict can contain only one prediction"),
        ("-p - -r -", 2, "stdin (-) is named twice"),
        ("-p . -r ap.txt", 2, "folders and files, or several folders of references; name files"),
        ("-p nosuch -r empty", 1, "empty: no timelines in this folder"),
        ("-p nosuch -r late", 1, "nosuch: cannot read the folder of topics: No such file"),
        ("-p ours.txt ours.txt -r ap.txt", 2, "ours.txt is named twice"),
        ("-p ours.txt -r nosuch", 1, "nosuch: cannot read the reference: No such file or directory"),
        ("-p bad -r ap.txt", 1, "bad:3: text without a date: 'lost'; write the date of a day"),
        ("-p empty -r empty", 1, "empty: no timelines in this folder; a topic is a folder with"),
        ("battery empty", 1, "empty: no timelines in this folder"),
        ("battery nosuch", 1, "nosuch: cannot read the folder of topics: No such file"),
        ("battery short", 1, "short: no timeline of two dates or more"),
        ("battery late", 1, "late/x.txt: dates cannot be moved beyond the years 1 to 9999"),
    ],
)
def test_bad_input_is_one_message(folder: Path, words: str, status: int, message: str) -> None:
    """Bad input is an error with its place, its remedy and the documented status."""
    (folder / "bad").write_text(f"2010-05-06\n{END}\nlost\n")
    for name in ("empty", "short", "late"):
        (folder / name).mkdir()
    (folder / "short" / "x.txt").write_text(THEIRS)
    (folder / "late" / "x.txt").write_text(block("9999-12-30", "a") + block("9999-12-31", "b"))
    with pytest.raises(RougeError) as caught:
        run(*words.split())

    assert str(caught.value).startswith(message)
    assert (status == 2, status) == (isinstance(caught.value, UsageError), caught.value.exit_code)


def test_errors_leave_stdout_empty(folder: Path, program: Program) -> None:
    """The installed command ends bad input with one line on stderr and nothing on stdout."""
    (folder / "bad").write_text("lost\n")
    outcome = program(ROUGE_CLI, "timeline", "-p", "bad", "-r", "ap.txt", "-o", "report", cwd=folder)

    assert (1, b"") == outcome[:2]
    assert outcome.stderr.startswith("rouge-cli: bad:1: text without a date: 'lost';")
    assert outcome.stderr.count("\n") == 1
    assert not (folder / "report").exists()


@pytest.mark.usefixtures("folder")
def test_a_report_goes_to_a_file(folder: Path) -> None:
    """`-o` writes to a file what is printed otherwise."""
    printed = run("-p", "ours.txt", "-r", "ap.txt")[0]

    assert run("-p", "ours.txt", "-r", "ap.txt", "-o", "report") == ("", "")
    assert printed == (folder / "report").read_text()


def test_the_battery_is_a_table(folder: Path) -> None:
    """`battery` prints the paper's second table: tests, metrics, differences to 1."""
    (folder / "data").mkdir()
    (folder / "data" / "ours.txt").write_text(OURS)
    (folder / "data" / "short.txt").write_text(THEIRS)
    stdout, stderr = run("battery", "data", "--shift", "1", "--digits", "3")
    lines = stdout.splitlines()

    assert stderr == "rouge-cli: data/short.txt: short has fewer than two dates, and is left out\n"
    assert ["test", "metric", "ROUGE-1", "dP", "ROUGE-1", "dR", "ROUGE-1", "dF"] == lines[0].split()
    assert ["Remove", "concat", "0.000", "-0.500", "-0.333"] == lines[1].split()
    assert ["Shift", "1", "day", "concat", "0.000", "0.000", "0.000"] == lines[16].split()
    assert ["align+", "-0.500", "-0.500", "-0.500"] == lines[19].split()
    assert "differences to 1; timelines: 1" in lines


def test_a_label_is_described(program: Program, tmp_path: Path) -> None:
    """`describe` accepts any spelling of a timeline metric and describes what it compares."""
    outcome = program(ROUGE_CLI, "describe", "R2-align+", cwd=tmp_path)

    assert outcome.stdout.startswith(b"ROUGE-2-align-content (metric)\n")
    assert b"near in time and alike in words (the paper's align+)" in outcome.stdout


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


def test_other_dialects_read_the_sentences_on(folder: Path, program: Program) -> None:
    """A dialect without dates reads a timeline as its sentences, and names file and line of bad ones."""
    (folder / "x.lst").write_text("ours.txt ap.txt\n")
    (folder / "bad.lst").write_text("bad ap.txt\n")
    (folder / "bad").write_text("lost\n")
    words = ["--read-as", "timeline", "--samples", "0", "--score-only", "R1.R"]
    outcome = program(ROUGE_CLI, "score", "x.lst", *words, cwd=folder)
    refused = program(ROUGE_CLI, "score", "bad.lst", *words, cwd=folder)

    assert (0, b"0.66667\n", "") == outcome
    assert (1, b"") == refused[:2]
    assert refused.stderr.startswith("rouge-cli: bad:1: text without a date")


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
