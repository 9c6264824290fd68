"""Systems have the names that the user gives, in every kind of input and in saved scores."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Program

TEXTS = {"a": ["the cat sat", "a dog ran"], "b": ["a cat", "dogs ran far"]}
MODELS = ["the cat sat down", "the dog ran"]
PLAIN = ("-m", "R1", "--samples", "0", "--format", "json", "--quiet")


@pytest.fixture
def inputs(here: Program, tmp_path: Path) -> dict[str, list[str]]:
    """Write the same systems a and b as every kind of input, and return the arguments."""
    for name, texts in (*TEXTS.items(), ("ref", MODELS)):
        (tmp_path / f"{name}.txt").write_text("".join(f"{text}\n" for text in texts))
        rows = [{"hyp": text, "ref": model} for text, model in zip(texts, MODELS, strict=True)]
        (tmp_path / f"{name}.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
        for number, text in enumerate(texts):
            folder = tmp_path / ("models" if name == "ref" else f"peers/{name}")
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{number}.txt").write_text(text)
    lines = ["--hyp", "a.txt", "--hyp", "b.txt", "--ref", "ref.txt"]
    here("score", *lines, "-m", "R1", "--samples", "0", "--per-eval", "-o", "saved.csv")
    return {
        "lines": lines,
        "several jsonl": ["a.jsonl", "b.jsonl"],
        "folders": ["--peers", "peers", "--models", "models"],
    }


def averages(here: Program, *arguments: str) -> dict[str, float]:
    """Return system -> F of ROUGE-1."""
    outcome = here("score", *arguments, *PLAIN)
    assert (0, "") == (outcome.status, outcome.stderr)
    return {result["system"]: result["f"]["value"] for result in json.loads(outcome.stdout)["results"]}


@pytest.mark.parametrize("kind", ["lines", "several jsonl", "folders"])
def test_systems_are_renamed_in_every_input(kind: str, inputs: dict[str, list[str]], here: Program) -> None:
    """Only names change, `--system` takes the new ones, and two systems may exchange theirs."""
    plain = averages(here, *inputs[kind])

    assert {"best": plain["a"], "b": plain["b"]} == averages(here, *inputs[kind], "--rename", "a=best")
    assert {"x=y": plain["b"]} == averages(here, *inputs[kind], "--rename", "b=x=y", "--system", "x=y")
    assert {"a": plain["b"], "b": plain["a"]} == averages(
        here, *inputs[kind], "--rename", "a=b", "--rename", "b=a"
    )


def test_a_file_may_be_given_a_name(inputs: dict[str, list[str]], here: Program, tmp_path: Path) -> None:
    """`--hyp NAME=FILE` names one system, and the depfile names its file."""
    plain = averages(here, *inputs["lines"])
    arguments = ["--hyp", "best=a.txt", "--hyp", "b.txt", "--ref", "ref.txt"]

    assert {"best": plain["a"], "b": plain["b"]} == averages(here, *arguments)
    here("score", *arguments, *PLAIN, "-o", "out.json", "--depfile", "out.d")
    rule = (tmp_path / "out.d").read_text().partition("\n\n")[0]
    assert ["out.json:", "a.txt", "b.txt", "ref.txt"] == rule.replace("\\", "").split()


def test_saved_systems_are_renamed(inputs: dict[str, list[str]], here: Program, tmp_path: Path) -> None:
    """Saved scores that are compared or correlated use the new names, as texts do."""
    outcomes = [
        here("compare", *arguments, "-m", "R1", "--rename", "a=best", "--format", "json")
        for arguments in (["saved.csv"], [*inputs["lines"], "--samples", "0"])  # csv has no averages
    ]
    (tmp_path / "human.csv").write_text("eval,system,score\n1,best,1\n2,best,3\n1,b,2\n2,b,2.5\n")
    outcome = here("correlate", "saved.csv", "human.csv", "--rename", "a=best", "--format", "json")

    assert outcomes[0] == outcomes[1]
    assert ["b", "best"] == sorted(system["system"] for system in json.loads(outcomes[0].stdout)["systems"])
    assert 0 == outcome.status
    assert b'"pooled"' in outcome.stdout


PAIRS = list(zip(TEXTS["a"], MODELS, strict=True))
RECORDS: dict[str, list[dict[str, Any]]] = {
    "LLaMA-Factory": [{"prompt": "p", "predict": text, "label": model} for text, model in PAIRS],
    "lm-eval": [
        {"doc_id": n, "doc": {"text": "p"}, "target": model, "resps": [[text]], "filtered_resps": [text]}
        for n, (text, model) in enumerate(PAIRS)
    ],
}


@pytest.mark.parametrize("writer", RECORDS)
def test_files_of_other_programs_are_read(
    writer: str, inputs: dict[str, list[str]], here: Program, tmp_path: Path
) -> None:
    """Other programs' files have the scores of the same texts in lines, without any option."""
    (tmp_path / "x.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in RECORDS[writer]))

    assert {"x": averages(here, *inputs["lines"])["a"]} == averages(here, "x.jsonl")


def test_a_column_model_id_holds_systems(
    inputs: dict[str, list[str]], here: Program, tmp_path: Path
) -> None:
    """A column `model_id` holds systems, as in SummEval's file with a record per system and text."""
    rows = [
        {"id": n, "model_id": name, "decoded": text, "references": [model]}
        for name, texts in TEXTS.items()
        for n, (text, model) in enumerate(zip(texts, MODELS, strict=True))
    ]
    (tmp_path / "x.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))

    assert averages(here, *inputs["lines"]) == averages(here, "x.jsonl")


@pytest.mark.usefixtures("inputs")
def test_human_scores_may_be_nested(here: Program, tmp_path: Path) -> None:
    """Columns of human scores may have dotted names, too."""
    rows = [{"eval": e, "by": {"system": s}, "ratings": [{"c": v}]} for e, s, v in
            [("1", "a", 1), ("2", "a", 3), ("1", "b", 2), ("2", "b", 2)]]  # fmt: skip
    (tmp_path / "h.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    (tmp_path / "h.csv").write_text("eval,system,ratings.0.c\n1,a,1\n2,a,3\n1,b,2\n2,b,2\n")
    nested, flat = (
        here("correlate", "saved.csv", *words, "--human-score", "ratings.0.c", "--format", "json")
        for words in (["h.jsonl", "--system-column", "by.system"], ["h.csv"])
    )

    assert (0, b"ratings.0.c" in nested.stdout) == (nested.status, True)
    assert flat.stdout == nested.stdout
