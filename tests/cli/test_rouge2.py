"""`rouge-cli rouge2`, and `score --dialect rouge2`: all inputs, outputs and errors."""

from __future__ import annotations

import csv
import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from rouge_cli.cli.commands.rouge2 import command
from rouge_cli.cli.commands.score import command as score
from rouge_cli.errors import RougeError

if TYPE_CHECKING:
    from click.testing import Result

    from tests.conftest import Program

ROUGE_CLI = str(Path(sys.executable).with_name("rouge-cli"))
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


# Output.


def test_a_project_and_its_properties(folder: Path, program: Program) -> None:
    """Without options the command reads rouge.properties in the current folder, and prints every task."""
    outcome = program(ROUGE_CLI, "rouge2", cwd=folder)
    lines = outcome.stdout.decode().splitlines()

    assert (0, "") == (outcome.status, outcome.stderr)
    assert ["eval", "system", "metric", "R", "P", "F"] == lines[0].split()
    assert lines[1].split()[:3] == ["DOC1", "extract.txt", "ROUGE-1+Stemming"]
    assert any(line.split()[:3] == ["DOC2", "lead.txt", "ROUGE-SU4+Stemming"] for line in lines)
    assert "|stemmer:snowball:english|" in lines[-1]


def test_the_programs_table(folder: Path) -> None:
    """The csv has the program's header, names, five decimals, and an empty line after each group."""
    result = run("-D", "ngram=1", "-D", "stemmer.use=false", "--format", "csv")

    assert result.stdout.split("\n")[:4] == [
        "ROUGE-Type,Task Name,System Name,Avg_Recall,Avg_Precision,Avg_F-Score,Num Reference Summaries",
        # Of five words phone, rings, @ and times are among ann's nine, and a is among bob's three.
        "ROUGE-1,DOC1,EXTRACT.TXT,0.38889,0.50000,0.43750,2",
        # Of four words the, is and bright; screen.
        "ROUGE-1,DOC1,LEAD.TXT,0.33333,0.50000,0.40000,2",
        "",
    ]
    assert folder.exists()


def test_a_copy_in_a_file(folder: Path) -> None:
    """With output=file the table is written to outputFile as well, whatever is printed."""
    printed = run("--format", "csv", "-D", "output=file", "-D", "outputFile=results.csv")
    shown = run("--format", "json", "-D", "output=file", "-D", "outputFile=again.csv", "-o", "report.json")

    assert printed.stdout == (folder / "results.csv").read_text() == (folder / "again.csv").read_text()
    assert shown.stdout == ""
    document = json.loads((folder / "report.json").read_text())
    assert {result["system"] for result in document["results"]} == {"lead.txt", "extract.txt"}
    assert document["details"]["models_per_eval"] == [1, 2]


def test_files_named_by_options_are_used(folder: Path) -> None:
    """A dictionary or a stop list on the command line is used without the property that enables it."""
    (folder / "words").write_text("bright Clear\n# no group\nscreen, display\n")
    (folder / "stop").write_text("The\n is \n")
    plain = run("project", "-D", "ngram=1", "--format", "csv")
    synonyms = run("project", "-D", "ngram=1", "--synonyms", "words", "--format", "csv")
    both = run("-D", "ngram=1", "--synonyms", "words", "--stop-words", "stop", "--format", "csv")

    names = [{row[0] for row in rows(result)[1:]} for result in (plain, synonyms, both)]
    assert names == [
        {"ROUGE-1+Stemming"},
        {"ROUGE-1+Stemming+Synonyms"},
        {"ROUGE-1+StopWordRemoval+Stemming+Synonyms"},
    ]
    lead = [
        next(row[3:5] for row in rows(outcome) if row[2] == "LEAD.TXT")
        for outcome in (plain, synonyms, both)
    ]
    # the, screen, is, bright: with the dictionary all of them in ann's nine words, two in bob's three;
    # without the, is: two of ann's six (display bright phone ring @ time), two of bob's three.
    assert lead == [["0.33333", "0.50000"], ["0.55556", "0.75000"], ["0.50000", "1.00000"]]


def test_tagged_text(folder: Path) -> None:
    """Text written as word_TAG has its topics by these tags, and a tag applies to its whole word."""
    (folder / "project" / "system" / "doc2_lead.txt").write_text("Dogs_VB well-known_JJ 3.5_NN\n")
    (folder / "project" / "reference" / "doc2_ann.txt").write_text("dogs_nns well-known_JJ 7_NN of_IN\n")
    for name in ("doc1_lead.txt", "doc1_extract.txt"):
        (folder / "project" / "system" / name).unlink()
    topics = ("-D", "rouge.type=topic", "-D", "stemmer.use=false", "--tagged", "--format", "csv")
    nouns = rows(run("-D", "topic.type=NN", *topics))
    both = rows(run("-D", "topic.type=nn|jj", *topics))
    program = rows(run("-D", "topic.type=nn|jj|vb", "--compatible", *topics))

    # @ @ against dogs @; well-known @ @ against dogs well-known @; dogs_vb is not dogs_nns for the program.
    assert [row[3:5] for row in nouns[1:]] == [["0.50000", "0.50000"]]
    assert [row[3:5] for row in both[1:]] == [["0.66667", "0.66667"]]
    assert [row[:5] for row in program[1:]] == [
        ["ROUGE-1-topic", "DOC2", "LEAD.TXT", "0.66667", "0.50000"],
        ["ROUGE-SU4-topic", "DOC2", "LEAD.TXT", "0.66667", "0.50000"],
    ]


def test_two_systems_of_one_name(folder: Path) -> None:
    """Two files of one task and name are two rows; hidden files and folders are ignored."""
    (folder / "project" / "system" / "DOC2_lead.txt_old").write_text("Night.\n")
    (folder / "project" / "system" / ".DS_Store").write_bytes(b"\xff\x00")
    (folder / "project" / "system" / "older").mkdir()
    result = run("--format", "csv", "-D", "ngram=1")

    assert [row[2] for row in rows(result) if row[1] == "DOC2"] == ["LEAD.TXT", "LEAD.TXT"]
    assert "sub-folders ignored (older)" in result.stderr


def test_tasks_that_are_printed_alike_are_one(folder: Path) -> None:
    """Tasks that differ only in capitals are one task, each of whose systems has its own scores."""
    for side, name, text in (
        ("reference", "straße_ann.txt", "a b"),
        ("system", "STRASSE_lead.txt", "a b"),
        ("system", "straße_other.txt", "c d"),
    ):
        (folder / "project" / side / name).write_text(f"{text}\n", "utf-8")
    table = rows(run("--format", "csv", "-D", "ngram=1"))

    assert [row[1:4] for row in table if row[1] == "STRASSE"] == [
        ["STRASSE", "LEAD.TXT", "1.00000"],
        ["STRASSE", "OTHER.TXT", "0.00000"],
    ]


def test_properties_as_java_reads_them(folder: Path) -> None:
    """Properties that are not UTF-8 are read as Latin-1, as the program reads all."""
    (folder / "latin").write_bytes(b"# r\xe9glages\nproject.dir=caf\xe9\n")
    (folder / "project").rename(folder / "caf\u00e9")

    assert len(rows(run("--properties", "latin", "--format", "csv"))) == 4


def test_other_languages(folder: Path) -> None:
    """Text of other alphabets is scored, with a Snowball stemmer that the properties name."""
    (folder / "project" / "system" / "doc2_lead.txt").write_text("Die Häuser ÜBER allem\n", "utf-8")
    (folder / "project" / "reference" / "doc2_ann.txt").write_text("u\u0308ber Haus\n", "utf-8")
    german = run("-D", "ngram=1", "-D", "stemmer.name=germanStemmer", "--format", "csv")
    latin = run("-D", "ngram=1", "-D", "stemmer.use=false", "--encoding", "latin-1", "--format", "csv")

    assert [row[3:5] for row in rows(german) if row[1] == "DOC2"] == [["1.00000", "0.50000"]]
    assert [row[3:5] for row in rows(latin) if row[1] == "DOC2"] == [["0.00000", "0.00000"]]


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
    """Parts merge into the report of one run, models are peers too, and samples give intervals."""
    (folder / "run.csv").write_text("prediction,reference\na screen,a display\nbig dogs,a large dog\n")
    words = ["--dialect", "rouge2", "-m", "ROUGE-1.R", "--stem", "--samples", "20"]
    whole = program(ROUGE_CLI, "score", "run.csv", *words, cwd=folder)
    program(ROUGE_CLI, "score", "run.csv", *words, "--counts", "-o", "part", cwd=folder)
    merged = program(ROUGE_CLI, "merge", "part", "-m", "ROUGE-1.R", cwd=folder)
    people = scored("run.csv", "--jackknife", "-m", "ROUGE-1", "--model-column", "reference",
                    "--model-column", "prediction", "--peer-column", "prediction")  # fmt: skip

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
    words = ("--hyp", "h", "--ref", "r", "-m", "ROUGE-1", "--stop-words", "stop")
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
    again = ["--hyp", "h", "--ref", "r", "--like", report["signature"]]
    message, status = error(CliRunner().invoke(score, again))
    assert "words is not the dictionary of synonyms of the signature" in message
    assert status == 2


def test_long_lines(folder: Path) -> None:
    """Lines of 21,000 words are scored; their skip-bigrams are refused as too many."""
    (folder / "h").write_text("the bright screen " * 7000)
    (folder / "r").write_text("a display is " * 7000)
    files = ["--hyp", "h", "--ref", "r"]
    labels = "ROUGE-1+Synonyms,ROUGE-SU4+Synonyms,ROUGE-TopicUniq{NN|JJ}+Synonyms,ROUGE-L"
    report = scored(*files, "-m", labels)
    message, status = error(
        CliRunner().invoke(score, ["--dialect", "rouge2", *files, "-m", "ROUGE-1,ROUGE-S*"])
    )

    recalls = {result["metric"]: result["recall"]["value"] for result in report["results"]}
    assert [pytest.approx(1 / 3), 1, 0] == [
        recalls[name] for name in ("ROUGE-1+Synonyms", "ROUGE-TopicUniq{NN|JJ}+Synonyms", "ROUGE-L")
    ]
    assert message.startswith("ROUGE-S*: too many pairs of words in a line of 21000 words; give a shorter")
    assert status == 1


# Errors. Words of the command -> part of the message, and the exit status.

WRONG: dict[str, tuple[str, int]] = {
    "nowhere": ("nowhere/reference: cannot read the folder of reference texts: No such file", 1),
    "-D ngrams=1": ("-D ngrams: unknown property 'ngrams'; did you mean ngram?", 2),
    "-D ngram": ("-D ngram; write -D KEY=VALUE", 2),
    "-D ngram=1,S": ("-D ngram: unknown n-gram kind 'S'; did you mean", 2),
    "-D beta=-1": ("-D beta: beta cannot be '-1'; give a number of 0 or more", 2),
    "-D rouge.type=topic -D topic.type=": (
        "-D topic.type: topic.type cannot be ''; write beginnings of",
        2,
    ),
    "-D rouge.type=topic -D topic.type={n}": ("-D topic.type: topic.type cannot be '{n}'; write", 2),
    "-D output=file -D outputFile=": ("-D outputFile: outputFile cannot be ''; name a file", 2),
    "-D output=screen": ("-D output: output cannot be 'screen'; use one of file, console", 2),
    "-D stemmer.use=yes": ("-D stemmer.use: stemmer.use cannot be 'yes'; use one of true, false", 2),
    "-D stemmer.name=germStemmer": ("stemmer.name cannot be 'germStemmer'; did you mean germanStemmer", 2),
    "--compatible -D stemmer.name=turkishStemmer": ("stemmer.name cannot be 'turkishStemmer'", 2),
    "-D rouge.type=topic -D topic.type=nn(": ("'nn(' is not a list of tags; write beginnings of", 2),
    "--compatible -D rouge.type=topic -D topic.type=nn(": ("nor a regular expression (missing )", 2),
    "-D stopwords.use=true -D stopwords.file=gone": ("gone: cannot read the stop list: No such file", 1),
    "--stop-words gone": ("gone: cannot read the stop list: No such file or directory", 1),
    "--synonyms gone": ("gone: cannot read the dictionary of synonyms: No such file or directory", 1),
    "--synonyms empty": ("empty: no group of synonyms in it; write a group of words a line", 1),
    "--synonyms phrases": ('phrases:2: "don\'t" is 2 words in a text, and cannot be a synonym', 1),
    "--synonyms empty --synonyms gone": ("--synonyms of one kind twice; name one WordNet, one", 2),
    "--synonyms wordnet:gone": ("gone", 1),
    "--tagger stanford -D rouge.type=topic": ("unknown tagger 'stanford'; use one of embedded, nltk", 2),
    "--tagged --tagger nltk": ("--tagger with --tagged texts, which need no tagger; leave it out", 2),
    "--tagged": ("project/reference/doc1_ann.txt: sentence 1: 'The' has no tag; tagged text is written", 1),
    "--tagged --compatible": ("project/reference/doc1_ann.txt:1: 'The' has no tag", 1),
    "--expand neither": ("unknown expand 'neither'; use one of both, peer, model", 2),
    "--least-count -1": ("least_count is -1; it must be between 0 and", 2),
    "--properties bad": ("bad:3: unknown property 'rouge.tpye'; did you mean rouge.type", 1),
    "--properties escape": ("escape:1: ", 1),
    "--properties gone": ("gone: cannot read the properties: No such file or directory", 1),
    "alone": ("alone/reference: no reference of task DOC9; a reference's name begins with", 1),
    "unnamed": ("unnamed/system/text: no _ in the name; call it TASK_NAME.txt", 1),
    "--encoding nonsense": ("unknown encoding 'nonsense'", 2),
    "latin": ("latin/system/doc1_x:2: not utf-8: byte 0xe9 at offset 4; name the file's encoding", 1),
    "nothing": ("nothing/system: no file in it", 1),
}


@pytest.mark.parametrize("words", WRONG)
def test_what_is_wrong_is_said(words: str, folder: Path) -> None:
    """Each mistake is reported with place and remedy, and nothing is printed or written."""
    for name, side, file, text in (
        ("alone", "reference", "doc1_x", b"a"),
        ("alone", "system", "doc9_x", b"a"),
        ("unnamed", "reference", "doc1_x", b"a"),
        ("unnamed", "system", "text", b"a"),
        ("latin", "reference", "doc1_x", b"a"),
        ("latin", "system", "doc1_x", b"ok\nd\xe9j\xe0 vu"),
        ("nothing", "reference", "doc1_x", b"a"),
        ("nothing", "system", ".hidden", b"a"),
    ):
        (folder / name / side).mkdir(parents=True, exist_ok=True)
        (folder / name / side / file).write_bytes(text)
    (folder / "empty").write_text("# nothing\n\n")
    (folder / "phrases").write_text("a b\nscreen don't\n")
    (folder / "bad").write_text("# one\nngram=1,\\\n 2\nrouge.tpye=topic\n".replace("\\\n 2", "2"))
    (folder / "escape").write_text("ngram=\\u00zz\n")
    written = "-D output=file -D outputFile=out.csv" if "-D output" not in words else ""
    message, status = error(run(*words.split(), *written.split()))

    assert WRONG[words][0] in message
    assert WRONG[words][1] == status
    assert not (folder / "out.csv").exists()


def test_no_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a folder and properties, the message tells which option to set."""
    monkeypatch.chdir(tmp_path)

    assert error(run()) == ("nothing to score; name FOLDER, or set project.dir in rouge.properties", 2)


def test_taggers_without_data(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the data of nltk's tagger is missing, the message has the command that downloads it."""
    import nltk

    monkeypatch.setattr(nltk.data, "path", [str(folder)])
    message, status = error(run("--tagger", "nltk", "-D", "rouge.type=topic"))

    assert "python -m nltk.downloader averaged_perceptron_tagger_eng" in message
    assert status == 1


def test_labels_with_commas(folder: Path) -> None:
    """A regular expression with a comma is one label among others, and one with braces is refused."""
    (folder / "h").write_text("dogs\n")
    words = ("--hyp", "h", "--ref", "h", "--set", "definition=program", "-m", "ROUGE-Topic{n{1,2}s},R1")
    braces = CliRunner().invoke(score, ["--dialect", "rouge2", *words])
    plain = scored(*words[:-1], "ROUGE-Topic{s,|nns},R1")

    assert "unknown metric 'ROUGE-Topic{n{1,2}s}'" in error(braces)[0]
    assert ["ROUGE-Topic{s,|nns}", "ROUGE-1"] == [result["metric"] for result in plain["results"]]


def test_settings_without_effect_are_reported(folder: Path) -> None:
    """Settings without effect here, a Stanford model and a folder of synonyms, are named if they matter."""
    words = ("-D", "pos_tagger_name=english.tagger", "-D", "synonyms.dir=C:/WordNet", "-D", "ngram=1")
    silent = run(*words)
    topics = run(*words, "-D", "rouge.type=topic")
    synonyms = run(*words, "-D", "synonyms.use=true")

    assert silent.stderr == ""
    assert (
        topics.stderr
        == "rouge-cli: pos_tagger_name english.tagger: not available; tags are those of --tagger\n"
    )
    assert (
        "rouge-cli: synonyms.dir C:/WordNet: no effect, as in the program; use --synonyms"
        in synonyms.stderr
    )
    assert folder.exists()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (
            "-m ROUGE-1+Synonym",
            "unknown metric 'ROUGE-1+Synonym' in dialect rouge2; did you mean ROUGE-1+Syno",
        ),
        ("-m ROUGE-W-1.2", "unknown metric 'ROUGE-W-1.2' in dialect rouge2"),
        (
            "-m ROUGE-Topic",
            "unknown metric 'ROUGE-Topic' in dialect rouge2; did you mean ROUGE-Topic{NN|JJ}",
        ),
        (
            "-m ROUGE-Topic{N.}",
            "ROUGE-Topic{N.}: 'N.' is not a list of tags; write beginnings of Penn tags",
        ),
        ("--limit 100words", "dialect rouge2 has no option 'limit'"),
        ("--set tager=nltk", "dialect rouge2 has no option 'tager'; did you mean tagger"),
        ("--set tagger", "--set tagger; write --set NAME=VALUE"),
        ("--set stop=terrier", "unknown stop list 'terrier'; use glasgow, rouge, none, or file:PATH"),
        ("--set synonyms=roget", "unknown dictionary of synonyms 'roget'; use none, wordnet, or file:PATH"),
        (
            "--set definition=program --tokenizer char",
            "tokenizer:char has no effect with definition:program; leave it out",
        ),
        ("--set definition=java", "unknown definition 'java'; use one of paper, program"),
        ("--set samples=many", "samples cannot be 'many'; give a whole number; by default it is 0"),
        ("--stemmer porter3", "unknown stemmer 'porter3'"),
        ("--stemmer rouge", "unknown stemmer 'rouge'; use none, or snowball:LANGUAGE"),
        ("--set tagger=embeded -m ROUGE-1", "unknown tagger 'embeded'; did you mean embedded?"),
    ],
)
def test_score_refuses_unknown_labels_and_options(words: str, expected: str, folder: Path) -> None:
    """Labels and options that the dialect does not have are refused with the nearest, before any score."""
    (folder / "h").write_text("a\n")
    arguments = ["--dialect", "rouge2", "--hyp", "h", "--ref", "h", *words.split()]
    message, status = error(CliRunner().invoke(score, arguments))

    assert expected in message
    assert status == 2
