"""`rouge-cli rouge2`, and `score --dialect rouge2`: all inputs, outputs and errors."""

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from rouge_cli.cli.commands.rouge2 import command
from rouge_cli.cli.commands.score import command as score
from rouge_cli.errors import RougeError
from tests.conftest import ROUGE_CLI, Program

REFERENCES = {
    "doc1_ann.txt": "The display is bright.\nThe phone rings 2 times.\n",
    "doc1_bob.txt": "A clear screen.\n",
    "doc2_ann.txt": "Dogs bark at night.\n",
}
SYSTEMS = {
    "doc1_lead.txt": "The screen is bright.\n",
    "doc1_extract.txt": "A phone rings 10 times.\n",
    "doc2_lead.txt": "The dog barked.\n",
}
PROPERTIES = """# settings
project.dir=project
rouge.type=normal
ngram = 1, SU4
stopwords.use=false
stemmer.use: true
stemmer.name=englishStemmer
"""
MEASURES = "ROUGE-1+Stemming,ROUGE-SU4+Synonyms,ROUGE-Topic{NN|JJ}+StopWordRemoval+Synonyms,ROUGE-L"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create a project of two tasks, and its properties, in the current folder."""
    for side, texts in (("reference", REFERENCES), ("system", SYSTEMS)):
        (tmp_path / "project" / side).mkdir(parents=True)
        for name, text in texts.items():
            (tmp_path / "project" / side / name).write_text(text, "utf-8")
    (tmp_path / "rouge.properties").write_text(PROPERTIES)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: str) -> Result:
    """Run the command `rouge2`."""
    return CliRunner().invoke(command, words)


def rows(result: Result) -> list[list[str]]:
    """Return the rows of the program's table."""
    assert result.exception is None, result.exception
    return [row for row in csv.reader(result.stdout.splitlines()) if row]


def scored(*words: str) -> Any:  # noqa: ANN401 - the report
    """Return the report of `score` with this dialect."""
    result = CliRunner().invoke(score, ["--dialect", "rouge2", "--format", "json", *words])
    assert result.exception is None, result.exception
    return json.loads(result.stdout)


def error(result: Result) -> tuple[str, int]:
    """Return the message of a failed command, which printed nothing else, and its exit status."""
    assert isinstance(result.exception, RougeError), result.exception
    assert result.stdout == ""
    return str(result.exception), result.exception.exit_code


def test_score_has_the_same_numbers(folder: Path) -> None:
    """`score --dialect rouge2` has the numbers of the project, by any input, jobs, parts and signature."""
    records = [
        {"id": "DOC1", "prediction": SYSTEMS["doc1_lead.txt"], "references": list(REFERENCES.values())[:2]},
        {"id": "DOC2", "prediction": SYSTEMS["doc2_lead.txt"], "references": [REFERENCES["doc2_ann.txt"]]},
    ]
    (folder / "run.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    once = scored("run.jsonl", "--per-eval", "-m", MEASURES)
    jobs = scored("run.jsonl", "--per-eval", "-m", MEASURES, "-j", "2")
    like = scored("run.jsonl", "--per-eval", "--like", once["signature"])
    scores = {
        (row["eval"], result["metric"]): f"{row['f']:.5f}"
        for result in once["results"]
        for row in result["evals"]
    }
    project = rows(run("--format", "csv", "-D", "ngram=1"))

    assert once == jobs == like
    assert {row[1]: row[5] for row in project if row[2] == "LEAD.TXT"} == {
        name: scores[name, "ROUGE-1+Stemming"] for name in ("DOC1", "DOC2")
    }
    assert "|stop:glasgow|synonyms:wordnet|" in once["signature"]
    assert "|tagger:embedded|" in once["signature"]
    assert ["embedded"] == once["details"]["tagger"]


def test_parts_and_people(folder: Path, program: Program) -> None:
    """Parts merge into the report of one run; references are predictions too; samples give intervals."""
    (folder / "run.csv").write_text("prediction,reference\na screen,a display\nbig dogs,a large dog\n")
    words = ["--dialect", "rouge2", "-m", "ROUGE-1.R", "--stem", "--samples", "20"]
    whole = program(ROUGE_CLI, "score", "run.csv", *words, cwd=folder)
    program(ROUGE_CLI, "score", "run.csv", *words, "--counts", "-o", "part", cwd=folder)
    merged = program(ROUGE_CLI, "merge", "part", "-m", "ROUGE-1.R", cwd=folder)
    people = scored("run.csv", "--jackknife", "-m", "ROUGE-1", "--ref-column", "reference",
                    "--ref-column", "prediction", "--pred-column", "prediction")  # fmt: skip

    assert (0, "") == (whole.status, whole.stderr)
    assert b"ROUGE-1+Stemming R" in whole.stdout
    assert re.search(rb"\[0\.\d{5}, \d\.\d{5}\]", whole.stdout)
    assert whole.stdout == merged.stdout
    assert {result["system"] for result in people["results"]} == {"run", "human 1", "human 2"}


def test_files_of_the_user_are_in_the_rule_and_the_signature(folder: Path) -> None:
    """Dictionary and stop list are in the depfile, and a changed file of the same name is detected."""
    (folder / "words").write_text("screen display\n")
    (folder / "stop").write_text("a\n")
    (folder / "h").write_text("a screen\n")
    (folder / "r").write_text("the display\n")
    words = ("--pred", "h", "--ref", "r", "-m", "ROUGE-1", "--stop-words", "stop")
    report = scored(*words, "--set", "synonyms=file:words")
    CliRunner().invoke(
        score,
        ["--dialect", "rouge2", *words, "--set", "synonyms=file:words", "-o", "out", "--depfile", "out.d"],
    )
    (folder / "words").write_text("screen film\n")

    assert report["results"][0]["metric"] == "ROUGE-1+StopWordRemoval+Synonyms"
    assert report["results"][0]["precision"]["value"] == 1
    rule = (folder / "out.d").read_text()
    assert {"words", "stop", "h", "r"} <= set(rule.replace("\\", "").split())
    again = ["--pred", "h", "--ref", "r", "--like", report["signature"]]
    message, status = error(CliRunner().invoke(score, again))
    assert "words is not the dictionary of synonyms of the signature" in message
    assert status == 2


def test_long_lines(folder: Path) -> None:
    """Lines of 4,200 words are scored; their skip-bigrams are refused as too many."""
    (folder / "h").write_text("the bright screen " * 1400)
    (folder / "r").write_text("a display is " * 1400)
    files = ["--pred", "h", "--ref", "r"]
    labels = "ROUGE-1+Synonyms,ROUGE-SU4+Synonyms,ROUGE-TopicUniq{NN|JJ}+Synonyms,ROUGE-L"
    report = scored(*files, "-m", labels)
    message, status = error(
        CliRunner().invoke(score, ["--dialect", "rouge2", *files, "-m", "ROUGE-1,ROUGE-S*"])
    )

    recalls = {result["metric"]: result["recall"]["value"] for result in report["results"]}
    assert [pytest.approx(1 / 3), 1, 0] == [
        recalls[name] for name in ("ROUGE-1+Synonyms", "ROUGE-TopicUniq{NN|JJ}+Synonyms", "ROUGE-L")
    ]
    assert message.startswith("ROUGE-S*: too many pairs of words in a line of 4200 words; use a shorter")
    assert status == 1


def test_taggers_without_data(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the data of nltk's tagger is missing, the message has the command that downloads it."""
    import nltk

    monkeypatch.setattr(nltk.data, "path", [str(folder)])
    message, status = error(run("--tagger", "nltk", "-D", "rouge.type=topic"))

    assert "python -m nltk.downloader averaged_perceptron_tagger_eng" in message
    assert status == 1
