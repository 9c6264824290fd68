"""`rouge-cli score`, as a user calls it."""

import csv
import gzip
import io
import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import rouge_cli
from rouge_cli.reports import Layout
from rouge_cli.reports.json import render as render_json
from tests.conftest import Outcome, Program

# eval -> texts of the systems a and b, and of two models; sentences are lines
CORPUS = {
    "1": (["the cats sat\non the mat", "a cat sits here"], ["the cat sat down\non a mat", "one cat sat"]),
    "2": (["a dog ran", "dogs run far\naway"], ["the dog ran\nvery far", "a dog was running"]),
    "3": (["rain fell", "it rained all day"], ["all day it rained", "rain"]),
    "10": (["nothing new", "new things"], ["no new thing", "nothing is new"]),
}
SYSTEMS, REFERENCES = ("a", "b"), ("1", "2")


@pytest.fixture
def score(here: Program) -> Program:
    """Run `rouge-cli score` with these arguments, in the test's own folder."""
    return partial(here, "score")


def settings(folder: Path) -> Sequence[str]:
    """Write settings XML."""
    evals = []
    for eval_id, (predictions, references) in CORPUS.items():
        lists = []
        for tag, names, texts in (("PEER", SYSTEMS, predictions), ("MODEL", REFERENCES, references)):
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
    """Write folders: a sub-folder for each system, references by letters after the stem."""
    for eval_id, (predictions, references) in CORPUS.items():
        for name, text in zip(SYSTEMS, predictions, strict=True):
            (folder / "predictions" / name).mkdir(parents=True, exist_ok=True)
            (folder / "predictions" / name / f"doc{eval_id}.txt").write_text(text)
        for name, text in zip(REFERENCES, references, strict=True):
            (folder / "references").mkdir(exist_ok=True)
            (folder / "references" / f"doc{eval_id}.{name}.txt").write_text(text)
    (folder / "references" / ".hidden").write_text("not a reference")
    return ["--peers", "predictions", "--models", "references"]


def patterns(folder: Path) -> Sequence[str]:
    """Write folders with pyrouge's patterns."""
    for eval_id, (predictions, references) in CORPUS.items():
        for name, text in zip(SYSTEMS, predictions, strict=True):
            (folder / "p" / name).mkdir(parents=True, exist_ok=True)
            (folder / "p" / name / f"sys.{eval_id}.out").write_text(text)
        for name, text in zip(REFERENCES, references, strict=True):
            (folder / "m").mkdir(exist_ok=True)
            (folder / "m" / f"gold.{name}.{eval_id}.ref").write_text(text)
    return [
        *("--peers", "p", "--models", "m", "--pred-pattern", r"sys\.(\d+)\.out"),
        *("--ref-pattern", r"gold\.[12]\.#ID#\.ref"),
    ]


def aligned(folder: Path) -> Sequence[str]:
    """Write line-aligned files, one of them compressed, with marked sentences."""
    for side, names in (("hyp", SYSTEMS), ("ref", REFERENCES)):
        for place, name in enumerate(names):
            texts = [pair[side == "ref"][place].replace("\n", "<q>") for pair in CORPUS.values()]
            (folder / f"{name}.txt").write_text("\n".join(texts) + "\n")
    (folder / "2.txt.gz").write_bytes(gzip.compress((folder / "2.txt").read_bytes()))
    files = ["--hyp", "a.txt", "--hyp", "b.txt", "--ref", "1.txt", "--ref", "2.txt.gz"]
    return [*files, "--sentences", "mark:<q>"]


def jsonl(folder: Path) -> Sequence[str]:
    """Write a record for each eval, a column for each system, references as a list."""
    with (folder / "both.jsonl").open("w") as file:
        for eval_id, (predictions, references) in CORPUS.items():
            file.write(
                json.dumps(
                    {"id": eval_id, "a": predictions[0], "b": predictions[1], "references": references}
                )
                + "\n"
            )
    return ["both.jsonl", "--pred-column", "a", "--pred-column", "b"]


def jsonl_by_system(folder: Path) -> Sequence[str]:
    """Write a file for each system."""
    for place, name in enumerate(SYSTEMS):
        with (folder / f"{name}.jsonl").open("w") as file:
            for eval_id, (predictions, references) in CORPUS.items():
                record = {"id": eval_id, "prediction": predictions[place], "references": references}
                file.write(json.dumps(record) + "\n")
    return ["a.jsonl", "b.jsonl"]


def array(folder: Path) -> Sequence[str]:
    """Write a JSON array with a column of systems; sentences as lists, unless as many as models."""
    records = [
        {
            "id": eval_id,
            "system": name,
            "prediction": text if text.count("\n") + 1 == len(references) else text.split("\n"),
            "references": references,
        }
        for eval_id, (predictions, references) in CORPUS.items()
        for name, text in zip(SYSTEMS, predictions, strict=True)
    ]
    (folder / "all.json").write_text(json.dumps(records))
    return ["all.json"]


def table(folder: Path, delimiter: str = ",", name: str = "all.csv") -> Sequence[str]:
    """Write a table with a column for each reference."""
    with (folder / name).open("w", newline="") as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerow(["id", "a", "b", "reference1", "reference2"])
        for eval_id, (predictions, references) in CORPUS.items():
            writer.writerow([eval_id, *predictions, *references])
    return [name, "--pred-column", "a", "--pred-column", "b"]


def tsv(folder: Path) -> Sequence[str]:
    """Write the same table with tabs."""
    return table(folder, "\t", "all.tsv")


def parquet(folder: Path) -> Sequence[str]:
    """Write a parquet file with references as lists."""
    pyarrow = pytest.importorskip("pyarrow")
    records = [
        {"id": eval_id, "a": predictions[0], "b": predictions[1], "references": references}
        for eval_id, (predictions, references) in CORPUS.items()
    ]
    pytest.importorskip("pyarrow.parquet").write_table(
        pyarrow.Table.from_pylist(records), folder / "all.parquet"
    )
    return ["all.parquet", "--pred-column", "a", "--pred-column", "b"]


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
    score: Program, drop_in: Program, tmp_path: Path
) -> None:
    """The same texts have the same scores in every form of input, and by the Python API."""
    options = ["-m", "R1,R2,ROUGE-L,RSU4", "--stem", "--format", "json"]
    scores_by_form = {form.__name__: by_system(score(*form(tmp_path), *options)) for form in FORMS}
    predictions = {name: [pair[0][place] for pair in CORPUS.values()] for place, name in enumerate(SYSTEMS)}
    report = rouge_cli.score(
        predictions, [pair[1] for pair in CORPUS.values()], "R1,R2,ROUGE-L,RSU4", stemmer="rouge"
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


def test_other_dialects_take_the_same_inputs(score: Program, tmp_path: Path) -> None:
    """Google's definition reads every form and prints every report, and is named in it."""
    lines = {}
    for form in (settings, jsonl, table, folders):
        outcome = score(
            *form(tmp_path), "--dialect", "google", "--stem", "-m", "rougeL", "-m", "ROUGE-2", "--format",
            "tsv",
        )  # fmt: skip
        assert (0, "") == (outcome.status, outcome.stderr)
        rows = list(csv.DictReader(io.StringIO(outcome.stdout.decode()), delimiter="\t"))
        lines[form.__name__] = [(row["system"], row["metric"], f"{float(row['f']):.12f}") for row in rows]
        assert rows[0]["signature"].startswith("dialect:google|metrics:rougeL+rouge2|stemmer:nltk|")

    assert 4 == len(lines["settings"])
    assert all(sorted(lines["settings"]) == sorted(others) for others in lines.values())
