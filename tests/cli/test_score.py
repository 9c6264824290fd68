"""`rouge-cli score`, as a user calls it."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import rouge_cli
from rouge_cli.reports import Layout
from rouge_cli.reports.json import render as render_json

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tests.conftest import Outcome, Program

ROUGE_CLI = str(Path(sys.executable).with_name("rouge-cli"))

# eval -> texts of the systems a and b, and of two models; sentences are lines
CORPUS = {
    "1": (["the cats sat\non the mat", "a cat sits here"], ["the cat sat down\non a mat", "one cat sat"]),
    "2": (["a dog ran", "dogs run far\naway"], ["the dog ran\nvery far", "a dog was running"]),
    "3": (["rain fell", "it rained all day"], ["all day it rained", "rain"]),
    "10": (["nothing new", "new things"], ["no new thing", "nothing is new"]),
}
SYSTEMS, MODELS = ("a", "b"), ("1", "2")


@pytest.fixture
def score(program: Program, tmp_path: Path) -> Callable[..., Outcome]:
    """Run `rouge-cli score` with these arguments, in the test's own folder."""

    def call(*arguments: str, **more: Any) -> Outcome:  # noqa: ANN401
        return program(ROUGE_CLI, "score", *arguments, cwd=tmp_path, **more)

    return call


def settings(folder: Path) -> Sequence[str]:
    """Write settings XML."""
    evals = []
    for eval_id, (peers, models) in CORPUS.items():
        lists = []
        for tag, names, texts in (("PEER", SYSTEMS, peers), ("MODEL", MODELS, models)):
            items = ""
            for name, text in reversed(list(zip(names, texts, strict=True))):
                file = f"{tag}.{eval_id}.{name}"
                (folder / file).write_text(text + "\n")
                items += f'<{tag[0]} ID="{name}">{file}</{tag[0]}>'
            lists.append(f"<{tag}-ROOT>.</{tag}-ROOT><{tag}S>{items}</{tag}S>")
        evals.append(f'<EVAL ID="{eval_id}"><INPUT-FORMAT TYPE="SPL"/>{"".join(lists)}</EVAL>')
    (folder / "settings.xml").write_text(f"<ROUGE-EVAL>{''.join(evals)}</ROUGE-EVAL>")
    return ["settings.xml"]


def folders(folder: Path) -> Sequence[str]:
    """Write folders: a sub-folder for each system, models by letters after the stem."""
    for eval_id, (peers, models) in CORPUS.items():
        for name, text in zip(SYSTEMS, peers, strict=True):
            (folder / "peers" / name).mkdir(parents=True, exist_ok=True)
            (folder / "peers" / name / f"doc{eval_id}.txt").write_text(text)
        for name, text in zip(MODELS, models, strict=True):
            (folder / "models").mkdir(exist_ok=True)
            (folder / "models" / f"doc{eval_id}.{name}.txt").write_text(text)
    (folder / "models" / ".hidden").write_text("not a model")
    return ["--peers", "peers", "--models", "models"]


def patterns(folder: Path) -> Sequence[str]:
    """Write folders with pyrouge's patterns."""
    for eval_id, (peers, models) in CORPUS.items():
        for name, text in zip(SYSTEMS, peers, strict=True):
            (folder / "p" / name).mkdir(parents=True, exist_ok=True)
            (folder / "p" / name / f"sys.{eval_id}.out").write_text(text)
        for name, text in zip(MODELS, models, strict=True):
            (folder / "m").mkdir(exist_ok=True)
            (folder / "m" / f"gold.{name}.{eval_id}.ref").write_text(text)
    return [
        *("--peers", "p", "--models", "m", "--peer-pattern", r"sys\.(\d+)\.out"),
        *("--model-pattern", r"gold\.[12]\.#ID#\.ref"),
    ]


def aligned(folder: Path) -> Sequence[str]:
    """Write line-aligned files, one of them compressed, with marked sentences."""
    for side, names in (("hyp", SYSTEMS), ("ref", MODELS)):
        for place, name in enumerate(names):
            texts = [pair[side == "ref"][place].replace("\n", "<q>") for pair in CORPUS.values()]
            (folder / f"{name}.txt").write_text("\n".join(texts) + "\n")
    (folder / "2.txt.gz").write_bytes(gzip.compress((folder / "2.txt").read_bytes()))
    files = ["--hyp", "a.txt", "--hyp", "b.txt", "--ref", "1.txt", "--ref", "2.txt.gz"]
    return [*files, "--sentences", "mark:<q>"]


def jsonl(folder: Path) -> Sequence[str]:
    """Write a record for each eval, a column for each system, references as a list."""
    with (folder / "both.jsonl").open("w") as file:
        for eval_id, (peers, models) in CORPUS.items():
            file.write(
                json.dumps({"id": eval_id, "a": peers[0], "b": peers[1], "references": models}) + "\n"
            )
    return ["both.jsonl", "--peer-column", "a", "--peer-column", "b"]


def jsonl_by_system(folder: Path) -> Sequence[str]:
    """Write a file for each system."""
    for place, name in enumerate(SYSTEMS):
        with (folder / f"{name}.jsonl").open("w") as file:
            for eval_id, (peers, models) in CORPUS.items():
                record = {"id": eval_id, "prediction": peers[place], "references": models}
                file.write(json.dumps(record) + "\n")
    return ["a.jsonl", "b.jsonl"]


def array(folder: Path) -> Sequence[str]:
    """Write a JSON array with a column of systems; sentences as lists, unless as many as models."""
    records = [
        {
            "id": eval_id,
            "system": name,
            "prediction": text if text.count("\n") + 1 == len(models) else text.split("\n"),
            "references": models,
        }
        for eval_id, (peers, models) in CORPUS.items()
        for name, text in zip(SYSTEMS, peers, strict=True)
    ]
    (folder / "all.json").write_text(json.dumps(records))
    return ["all.json"]


def table(folder: Path, delimiter: str = ",", name: str = "all.csv") -> Sequence[str]:
    """Write a table with a column for each reference."""
    with (folder / name).open("w", newline="") as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerow(["id", "a", "b", "reference1", "reference2"])
        for eval_id, (peers, models) in CORPUS.items():
            writer.writerow([eval_id, *peers, *models])
    return [name, "--peer-column", "a", "--peer-column", "b"]


def tsv(folder: Path) -> Sequence[str]:
    """Write the same table with tabs."""
    return table(folder, "\t", "all.tsv")


def parquet(folder: Path) -> Sequence[str]:
    """Write a parquet file with references as lists."""
    pyarrow = pytest.importorskip("pyarrow")
    records = [
        {"id": eval_id, "a": peers[0], "b": peers[1], "references": models}
        for eval_id, (peers, models) in CORPUS.items()
    ]
    pytest.importorskip("pyarrow.parquet").write_table(
        pyarrow.Table.from_pylist(records), folder / "all.parquet"
    )
    return ["all.parquet", "--peer-column", "a", "--peer-column", "b"]


FORMS = (settings, folders, patterns, aligned, jsonl, jsonl_by_system, array, table, tsv, parquet)


def by_system(outcome: Outcome) -> dict[tuple[str, str], Any]:
    """Return (system, metric) -> scores and their intervals, from JSON."""
    assert (0, "") == (outcome.status, outcome.stderr)
    results = json.loads(outcome.stdout)["results"]
    return {
        (result["system"], result["metric"]): [result[figure] for figure in ("recall", "precision", "f")]
        for result in results
    }


def test_every_form_of_input_gives_the_same_scores(
    score: Callable[..., Outcome], drop_in: Program, tmp_path: Path
) -> None:
    """The same texts have the same scores in every form of input, and by the Python API."""
    options = ["-m", "R1,R2,ROUGE-L,RSU4", "--stem", "--format", "json"]
    scores_by_form = {form.__name__: by_system(score(*form(tmp_path), *options)) for form in FORMS}
    peers = {name: [pair[0][place] for pair in CORPUS.values()] for place, name in enumerate(SYSTEMS)}
    report = rouge_cli.score(
        peers, [pair[1] for pair in CORPUS.values()], "R1,R2,ROUGE-L,RSU4", stemmer="rouge"
    )
    values = {
        (result["system"], result["metric"]): [result[figure] for figure in ("recall", "precision", "f")]
        for result in json.loads(render_json(report, Layout(())))["results"]
    }
    # The bootstrap draws evals in the order of their names, which differ: compare what is not resampled.
    plain = {form.__name__: by_system(score(*form(tmp_path), *options, "--samples", "0")) for form in FORMS}

    assert {8} == {len(scores) for scores in scores_by_form.values()}
    for name, scores in plain.items():
        assert same(plain["settings"], scores), name
    assert (
        scores_by_form["settings"]
        == scores_by_form["jsonl"]
        == scores_by_form["array"]
        == scores_by_form["table"]
        == scores_by_form["tsv"]
    )
    assert scores_by_form["aligned"] == values
    classic = drop_in("-n", "2", "-m", "-2", "4", "-u", "-a", "settings.xml").stdout
    assert classic
    for line in classic.decode().splitlines():
        if " Average_F: " in line:
            system, label, _, value = line.split()[:4]
            assert value == f"{scores_by_form['settings'][system, label][2]['value']:.5f}"


def same(left_means: dict[tuple[str, str], Any], right_means: dict[tuple[str, str], Any]) -> bool:
    """Return True if the means are equal except for the order in which evals were added."""
    return left_means.keys() == right_means.keys() and all(
        abs(left["value"] - right["value"]) < 1e-12
        for key in left_means
        for left, right in zip(left_means[key], right_means[key], strict=True)
    )


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("-m R1 -m R2 -m RL --stem", "-n 2 -m"),
        (
            "-m R1,RL,RW-1.2,RS4,RSU4 --stop --limit 5words --formula best",
            "-n 1 -w 1.2 -2 4 -U -s -l 5 -f B",
        ),
        (
            "-m R1 --limit 9bytes --alpha 0.25 --samples 37 --confidence 90.0",
            "-n 1 -x -b 9 -p 0.25 -r 37 -c 90.0",
        ),
        ("-m R1 -m R2 --average micro", "-n 2 -x -t 1"),
    ],
)
def test_the_classic_report_is_the_drop_ins(
    ours: str, theirs: str, score: Callable[..., Outcome], drop_in: Program, tmp_path: Path
) -> None:
    """`--format classic` prints the bytes of ROUGE-1.5.5.pl for the same set-up, per eval too."""
    settings(tmp_path)
    for per_eval, letter in (([], []), (["--per-eval"], ["-d"])):
        classic = score("settings.xml", *ours.split(), *per_eval, "--format", "classic")

        original = drop_in(*theirs.split(), *letter, "-a", "settings.xml")
        assert original.stdout == classic.stdout
        assert original.stderr.replace("ROUGE-1.5.5.pl:", "rouge-cli:") == classic.stderr


def test_the_signature_repeats_the_run(
    score: Callable[..., Outcome], drop_in: Program, tmp_path: Path
) -> None:
    """`--like` with a report's signature gives that report, and its command line the same numbers."""
    settings(tmp_path)
    first = score(
        "settings.xml", "-m", "R2", "-m", "ROUGE-SU4", "--stem", "--limit", "4words", "--samples", "99"
    )
    signature = re.search("^signature: (.*)$", first.stdout.decode(), re.MULTILINE)
    command = re.search(
        r"^on settings of these texts: ROUGE-1\.5\.5\.pl (.*)$", first.stdout.decode(), re.MULTILINE
    )

    assert signature
    assert command
    assert first.stdout == score("settings.xml", "--like", signature[1]).stdout
    value = re.search(
        r"^a ROUGE-2 Average_F: (\S+)", drop_in(*command[1].split()).stdout.decode(), re.MULTILINE
    )
    assert value
    assert value[1] in first.stdout.decode()
    # An option beside the signature replaces its value.
    assert b"samples:7|" in score("settings.xml", "--like", signature[1], "--samples", "7").stdout


def test_stdin_is_read(score: Callable[..., Outcome], tmp_path: Path) -> None:
    """`-` is stdin, in every form that is one file."""
    settings(tmp_path)
    jsonl(tmp_path)
    printed = []
    for name, options in (("settings.xml", ""), ("both.jsonl", "--peer-column a --peer-column b")):
        data = (tmp_path / name).read_bytes()
        printed.append(score("-", *options.split(), "--score-only", "R1.R", stdin=data).stdout)

    assert sorted(printed[0].splitlines()) == sorted(printed[1].splitlines())
    assert b"a\t0." in printed[0]


def test_score_only(score: Callable[..., Outcome], tmp_path: Path) -> None:
    """Only the figure is printed, with the requested scale and digits."""
    settings(tmp_path)
    only = score("settings.xml", "--system", "b", "--score-only", "R1.F", "--scale", "100", "--digits", "2")
    full = json.loads(score("settings.xml", "--system", "b", "-m", "R1", "--format", "json").stdout)

    assert f"{full['results'][0]['f']['value'] * 100:.2f}\n" == only.stdout.decode()


def test_systems_are_ranked_with_the_baseline_first(score: Callable[..., Outcome], tmp_path: Path) -> None:
    """One table has all systems with their ranks, the baseline on top."""
    settings(tmp_path)
    lines = score("settings.xml", "-m", "R1", "--baseline", "b").stdout.decode().splitlines()

    assert ["rank", "system", "ROUGE-1", "F"] == lines[0].split()
    assert ["b", "a"] == [line.split()[1] for line in lines[1:3]]
    assert {"1", "2"} == {line.split()[0] for line in lines[1:3]}


@pytest.mark.parametrize("suffix", ["json", "jsonl", "csv", "tsv", "md", "tex", "txt"])
def test_the_report_goes_to_a_file(suffix: str, score: Callable[..., Outcome], tmp_path: Path) -> None:
    """`-o` takes the format from the suffix and prints nothing; after an error the file is unchanged."""
    settings(tmp_path)
    name = f"report.{suffix}"
    outcome = score("settings.xml", "-m", "R1", "-o", name)
    written = (tmp_path / name).read_bytes()

    assert (0, b"", "") == outcome
    assert b"dialect:rouge155|" in written.replace(b"\\_", b"_")
    (tmp_path / "PEER.10.b").unlink()
    assert score("settings.xml", "-m", "R1", "-o", name).status == 1
    assert written == (tmp_path / name).read_bytes()
    assert not list(tmp_path.glob(".rouge*"))


def test_a_depfile_names_every_file(score: Callable[..., Outcome], tmp_path: Path) -> None:
    """`--depfile` names every file that was read, in a rule for the report."""
    settings(tmp_path)
    outcome = score("settings.xml", "-m", "R1", "-o", "r.csv", "--depfile", "r.d", "--system", "a")
    rule = (tmp_path / "r.d").read_text().split("\n\n")[0].replace("\\\n", "").split()

    assert 0 == outcome.status
    assert "r.csv:" == rule[0]
    expected = {"settings.xml", *(f"./PEER.{eval_id}.a" for eval_id in CORPUS)}
    assert expected | {f"./MODEL.{eval_id}.{model}" for eval_id in CORPUS for model in MODELS} == set(
        rule[1:]
    )


def test_other_dialects_take_the_same_inputs(score: Callable[..., Outcome], tmp_path: Path) -> None:
    """Google's definition reads every form and prints every report, and is named in it."""
    lines = {}
    for form in (settings, jsonl, table, folders):
        outcome = score(
            *form(tmp_path),
            "--dialect",
            "google",
            "--stem",
            "-m",
            "rougeL",
            "-m",
            "ROUGE-2",
            "--format",
            "tsv",
        )
        assert (0, "") == (outcome.status, outcome.stderr)
        rows = list(csv.DictReader(io.StringIO(outcome.stdout.decode()), delimiter="\t"))
        lines[form.__name__] = [(row["system"], row["metric"], f"{float(row['f']):.12f}") for row in rows]
        assert rows[0]["signature"].startswith("dialect:google|metrics:rougeL+rouge2|stemmer:nltk|")

    assert 4 == len(lines["settings"])
    assert all(sorted(lines["settings"]) == sorted(others) for others in lines.values())


def test_one_long_line_is_remarked(score: Callable[..., Outcome], tmp_path: Path) -> None:
    """If each text is one long line and ROUGE-L is selected, a notice explains the consequence."""
    (tmp_path / "h").write_text("a long text of many words. And more. " * 10 + "\n")
    files = ["--hyp", "h", "--ref", "h"]

    assert "--sentences mark:<q>" in score(*files, "-m", "RL").stderr
    assert "" == score(*files, "-m", "R1").stderr == score(*files, "-m", "RL", "--quiet").stderr
    assert "" == score(*files, "-m", "RL", "--sentences", "split").stderr
    assert b"sentences per text: 20.0 in peers" in score(*files, "-m", "RL", "--sentences", "split").stdout


@pytest.mark.parametrize(
    ("command", "words", "message"),
    [
        ("score", "--set alpha=0.1 --set alpha=0.2", "--set alpha, which has a value already"),
        ("score", "--set alpha=0.1 --beta 2", "--set alpha, which has a value already; give one value"),
        ("score", "--set samples=5 --samples 0", "--set samples, which has a value"),
        ("score", "--set stemmer=none --stem", "--set stemmer, which has a value"),
        ("score", "--set metrics=RL -m R1", "--set metrics, which has a value"),
        (
            "compare",
            "--set average=micro",
            "--set average has no effect on scores of single evals; leave it out",
        ),
    ],
)
def test_an_option_has_one_value(
    command: str, words: str, message: str, here: Program, tmp_path: Path
) -> None:
    """A second value for an option is refused, and so is a value that comparisons do not use."""
    (tmp_path / "h").write_text("a b\n")
    outcome = here(command, "--hyp", "h", "--ref", "h", *words.split())

    assert (2, b"") == outcome[:2]
    assert message in outcome.stderr


def test_text_without_tokens_is_loud(score: Callable[..., Outcome], tmp_path: Path) -> None:
    """Text without tokens is named with a tokenizer for it; after five of a kind the rest is counted."""
    (tmp_path / "h").write_text("今天天气很好\n" * 40, "utf-8")
    files = ["--hyp", "h", "--ref", "h", "--score-only", "R1"]
    silent, loud = score(*files, "--tokenizer", "char"), score(*files)

    assert (b"1.00000\n", "") == silent[1:]
    assert b"0.00000\n" == loud.stdout
    assert "h:1: text, but no tokens" in loud.stderr
    assert "--tokenizer unicode, or char" in loud.stderr
    assert 5 == loud.stderr.count("rouge-cli: h:")
    assert '... and 35 more like "text, but no tokens' in loud.stderr


@pytest.mark.parametrize("options", [[], ["--system", "zz"]])
def test_an_error_comes_alone(options: list[str], score: Callable[..., Outcome], tmp_path: Path) -> None:
    """An error is the only line on stderr, whatever notices came before it."""
    names = [f'{{"prediction": "好", "reference": "好", "id": {number}}}' for number in range(9)]
    (tmp_path / "run.jsonl").write_text("\n".join([*names, "{"][: len(names) + (not options)]), "utf-8")
    status, stdout, stderr = score("run.jsonl", "-m", "R1", "--dialect", "google", *options)

    assert b"" == stdout
    assert [2 if options else 1, 1] == [status, len(stderr.splitlines())]
    assert ("no system 'zz'" if options else "run.jsonl:10:2: not JSON") in stderr


def test_files_are_read_in_their_encoding(score: Callable[..., Outcome], tmp_path: Path) -> None:
    """Every form is read in the named encoding, bad bytes are named, and a byte order mark is not text."""
    settings(tmp_path)
    folders(tmp_path)
    for path in [*tmp_path.glob("MODEL.*"), *(tmp_path / "models").glob("doc*")]:
        path.write_bytes("\xe9t\xe9 caf\xe9".encode("latin-1"))
    for path in [*tmp_path.glob("PEER.*"), *(tmp_path / "peers").glob("*/doc*")]:
        path.write_bytes("caf\xe9 caf".encode("latin-1"))
    options = ["--tokenizer", "unicode", "--score-only", "R1.P", "--system", "a"]
    inputs = (["settings.xml"], ["--peers", "peers", "--models", "models"])

    for form in inputs:
        assert b"0.50000\n" == score(*form, *options, "--encoding", "latin-1").stdout
        refused = score(*form, *options)
        assert (1, b"") == refused[:2]
        assert "not utf-8: byte 0xe9 at offset" in refused.stderr
        assert "name the file's encoding with --encoding" in refused.stderr
        assert 2 == score(*form, *options, "--encoding", "nonsense").status
    for path in [*tmp_path.glob("PEER.*"), *tmp_path.glob("MODEL.*")]:
        path.write_text("\ufeffcaf\xe9" if "PEER" in path.name else "caf\xe9", "utf-8")
    assert b"1.00000\n" == score("settings.xml", *options).stdout


def test_stop_words_are_the_tokenizers(score: Callable[..., Outcome], tmp_path: Path) -> None:
    """A stop list is normalized as the tokenizer does; its name may contain any character."""
    (tmp_path / "h").write_text("The caf\xe9 is\n", "utf-8")
    (tmp_path / "r").write_text("The caf\xe9 was\n", "utf-8")
    (tmp_path / "st#op").write_text("\ufeffThe\ncafe\u0301\n", "utf-8")
    files = ["--hyp", "h", "--ref", "r", "--stop-words", "st#op", "--score-only", "R1.R"]

    assert b"0.00000\n" == score(*files, "--tokenizer", "unicode").stdout
    assert b"0.50000\n" == score(*files, "--tokenizer", "whitespace").stdout
    assert b"0.66667\n" == score(*files[:4], *files[6:], "--tokenizer", "whitespace").stdout


def test_a_depfile_names_files_of_other_encodings(score: Callable[..., Outcome], tmp_path: Path) -> None:
    """A depfile names files that had to be decoded, and the stop list of a signature."""
    folders(tmp_path)
    (tmp_path / "stop").write_text("the\n")
    options = ["--peers", "peers", "--models", "models", "-o", "r.csv", "--depfile", "r.d"]
    outcome = score(*options, "--encoding", "latin-1", "--stop-words", "stop")
    rule = (tmp_path / "r.d").read_text().split("\n\n")[0].replace("\\\n", "").split()

    assert 0 == outcome.status
    assert {"stop", "peers/a/doc1.txt", "models/doc1.2.txt"} <= set(rule)


# what is wrong -> files, arguments, status, part of stderr
WRONG: dict[str, tuple[dict[str, str | bytes], str, int, list[str]]] = {
    "nothing": ({}, "", 2, ["nothing to score; name INPUT, or --peers and --models, or --hyp and --ref"]),
    "two kinds of input": ({}, "x.jsonl --hyp a", 2, ["INPUT and --hyp and --ref together"]),
    "unequal lines": (
        {"h": "a\nb\n", "r": "a\nb\nc\n"},
        "--hyp h --ref r",
        1,
        ["h:2: ends after 2 lines, but r goes on (lines: h 2, r 3)"],
    ),
    "bad JSON": (
        {"x.jsonl": '{"prediction": "a", "reference": "b"}\n{"a": }\n'},
        "x.jsonl",
        1,
        ["x.jsonl:2:7: not JSON"],
    ),
    "missing column": (
        {"x.jsonl": '{"prediction": "a", "gold_ref": "b"}\n'},
        "x.jsonl --model-column gold",
        1,
        ["x.jsonl:1: ", "gold", "prediction, gold_ref"],
    ),
    "unreadable bytes": (
        {"h": b"ok\ncaf\xe9\n", "r": "a\nb\n"},
        "--hyp h --ref r",
        1,
        ["h:2: not utf-8: byte 0xe9 at offset 6; name the file's encoding with --encoding"],
    ),
    "empty input": ({"h": "", "r": ""}, "--hyp h --ref r", 1, ["no line in any file"]),
    "empty list": ({"l": ""}, "l", 1, ["nothing to score: the input has no eval"]),
    "no parquet": ({"x.parquet": "a,b"}, "x.parquet", 1, ["x.parquet: cannot read as parquet"]),
    "unknown metric": (
        {"h": "a\n"},
        "--hyp h --ref h -m ROGUE-2",
        2,
        ["unknown metric 'ROGUE-2'; did you mean ROUGE-2"],
    ),
    "unknown format": (
        {"h": "a\n"},
        "--hyp h --ref h --format jsn",
        2,
        ["unknown report format 'jsn'; did you mean json"],
    ),
    "unknown option": ({"h": "a\n"}, "--hyp h --ref h --steem", 2, ["--steem", "--stem"]),
    "unknown dialect": (
        {"h": "a\n"},
        "--hyp h --ref h --dialect goggle",
        2,
        ["unknown dialect 'goggle'; did you mean google or rouge2?"],
    ),
    "unknown tokenizer": (
        {"h": "a\n"},
        "--hyp h --ref h --tokenizer words",
        2,
        ["unknown tokenizer 'words'"],
    ),
    "an option of another dialect": (
        {"h": "a\n"},
        "--hyp h --ref h --dialect google --stop",
        2,
        ["dialect google has no option 'stop'"],
    ),
    "stem and stemmer": (
        {"h": "a\n"},
        "--hyp h --ref h --stem --stemmer none",
        2,
        ["--stem and --stemmer together"],
    ),
    "no such file": (
        {},
        "--hyp h --ref r",
        1,
        ["h: cannot read the file of hypotheses: No such file", "r: cannot read the file of references"],
    ),
    "no such system": ({"h": "a\n"}, "--hyp h --ref h --baseline x", 2, ["no system 'x' in the input"]),
    "a system that is not there": (
        {"h": "a\n"},
        "--hyp h --ref h --system g",
        2,
        ["no system 'g' in the input"],
    ),
    "two unknown metrics": (
        {"h": "a\n"},
        "--hyp h --ref h -m R0,R1,QQ",
        2,
        ["unknown metric 'R0'", "unknown metric 'QQ'"],
    ),
    "n beyond reason": (
        {"h": "a\n"},
        "--hyp h --ref h -m R2000000000",
        2,
        ["unknown metric 'R2000000000'"],
    ),
    "no number as beta": (
        {"h": "a\n"},
        "--hyp h --ref h --beta nan",
        2,
        ["beta is nan; it must be 0 or more"],
    ),
    "a broken tokenizer": (
        {"h": "a\n", "bad.py": "1/0\n"},
        "--hyp h --ref h --tokenizer bad:f",
        2,
        ["tokenizer bad:f: division"],
    ),
    "no name of a tokenizer": ({"h": "a\n"}, "--hyp h --ref h --tokenizer :f", 2, ["tokenizer :f: Empty"]),
    "an empty signature": ({"h": "a\n"}, "--hyp h --ref h --like=", 2, ["not a signature"]),
    "two text files": (
        {"h": "a b\n", "r": "a\n"},
        "h r",
        2,
        ["h is read as a file list", "--hyp FILE --ref FILE"],
    ),
    "a text file": (
        {"h": "a b\n"},
        "h",
        1,
        ["h:1: neither settings, nor records, nor a list", "(a does not", "--hyp FILE"],
    ),
    "a picture": (
        {"h.png": b"\x89PNG\n\0"},
        "h.png",
        1,
        ["h.png:1: neither settings, nor records", "--input KIND"],
    ),
    "a list by name": (
        {"h.lst": "a b\n"},
        "h.lst",
        1,
        ["b: cannot read the model M.1 of eval 1 (h.lst:1): No such file"],
    ),
    "an empty list": ({"h": ""}, "h", 1, ["rouge-cli: h: nothing to score: the input has no eval"]),
    "a list of words in latin-1": (
        {"h": "a\n", "s": b"caf\xe9\n"},
        "--hyp h --ref h --stop-words s",
        1,
        ["s:1: not utf-8: byte 0xe9 at offset 3; save it as UTF-8\n"],
    ),
    "a negative beta": ({"h": "a\n"}, "--hyp h --ref h --beta -1", 2, ["beta is -1; it must be 0 or more"]),
    "another figure": (
        {"h": "a\n"},
        "--hyp h --ref h -m SU4.Q",
        2,
        ["unknown figure 'Q' of SU4; use R, P, F"],
    ),
    "a number with a sign": (
        {"h": "a\n"},
        "--hyp h --ref h --confidence 95%",
        2,
        ["confidence cannot be '95%'; give a number; by default it is 95\n"],
    ),
    "one mistake in two files": (
        {"h": "a\n"},
        "--hyp h --ref h --encoding utf9",
        2,
        ["rouge-cli: unknown encoding 'utf9'; use one of Python's names, such as latin-1 or utf-16\n"],
    ),
    "no signature": ({"h": "a\n"}, "--hyp h --ref h --like hello", 2, ["not a signature"]),
    "classic without samples": (
        {"h": "a\n"},
        "--hyp h --ref h --samples 0 --format classic",
        2,
        ["add --samples 1000"],
    ),
    "unpaired": (
        {"p/doc1.txt": "a", "p/doc2.txt": "a", "m/doc1.txt": "a", "m/dok2.txt": "a"},
        "--peers p --models m",
        1,
        ["doc2.txt", "dok2.txt", "--peer-pattern"],
    ),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_wrong_is_said(wrong: str, score: Callable[..., Outcome], tmp_path: Path) -> None:
    """Each mistake is reported with place and remedy, and nothing is printed on stdout."""
    files, arguments, status, messages = WRONG[wrong]
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    outcome = score(*arguments.split())

    assert (status, b"") == outcome[:2]
    assert [] == [message for message in messages if message not in outcome.stderr]
    assert len(set(outcome.stderr.splitlines())) == outcome.stderr.count("\n")
    assert "Traceback" not in outcome.stderr


def test_an_interrupt_leaves_no_half_report(tmp_path: Path) -> None:
    """Ctrl-C ends a run with status 130 and one line; the output file is not touched."""
    (tmp_path / "h").write_text("a b c d e f g h\n" * 400_000)
    (tmp_path / "out.json").write_text("before")
    running = subprocess.Popen(
        [ROUGE_CLI, "score", "--hyp", "h", "--ref", "h", "-o", "out.json"],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    time.sleep(1.5)
    running.send_signal(signal.SIGINT)
    stdout, stderr = running.communicate(timeout=60)

    assert (130, b"", b"rouge-cli: interrupted") == (running.returncode, stdout, stderr.strip())
    assert (tmp_path / "out.json").read_text() == "before"
    assert {"h", "out.json"} == {path.name for path in tmp_path.iterdir()}


def test_a_terminal_gets_a_table_that_fits(tmp_path: Path) -> None:
    """On a terminal the report has the terminal's width; piped it has neither colours nor boxes."""
    (tmp_path / "h").write_text("a b c\n" * 3)
    command = [ROUGE_CLI, "score", "--hyp", "h", "--ref", "h"]
    parent, child = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "60", "LINES": "24"}
    running = subprocess.Popen(command, cwd=tmp_path, stdout=child, stderr=child, env=environment)
    os.close(child)
    drawn = b""
    while select.select([parent], [], [], 30)[0]:
        try:
            piece = os.read(parent, 4096)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        drawn += piece
    running.wait(timeout=60)
    os.close(parent)
    piped = subprocess.run(command, cwd=tmp_path, capture_output=True, check=True, timeout=60).stdout

    assert b"\x1b[" in drawn
    assert b"\x1b[" not in piped
    assert b"1.00000" in drawn
    lines = re.sub(rb"\x1b\[[0-9;]*m", b"", drawn).decode().splitlines()
    assert max(len(line) for line in lines if "signature" not in line and "ROUGE-1.5.5" not in line) <= 60
