"""`rouge-cli explain`: its output, byte for byte, and its errors."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import rouge_cli
from tests.conftest import Program

# Lin 2004: the examples of sections 3.1, 3.2 (the union of two sentences' LCS) and 5.
SETTINGS = """<ROUGE-EVAL>
<EVAL ID="D071"><PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT><INPUT-FORMAT TYPE="SPL"/>
<PEERS><P ID="lead">p</P></PEERS><MODELS><M ID="A">a</M><M ID="B">b</M></MODELS></EVAL>
</ROUGE-EVAL>
"""


@pytest.fixture
def explain(tmp_path: Path, here: Program) -> Program:
    """Run the command in a folder with a settings file and its texts."""
    (tmp_path / "s.xml").write_text(SETTINGS)
    (tmp_path / "p").write_text("a b c\n")
    (tmp_path / "a").write_text("a x\n")
    (tmp_path / "b").write_text("b c\n")
    (tmp_path / "empty").write_text("\n")
    return partial(here, "explain")


def test_files_are_explained_as_settings_are(explain: Program) -> None:
    """A prediction's file and its references' files give the output of their settings file, but for IDs."""
    files = explain("p", "a", "b").stdout.decode()
    settings = explain("s.xml", "--eval", "D071", "--peer-id", "lead").stdout.decode()

    def renamed(output: str) -> list[list[str]]:
        names = {"M.1": "A", "M.2": "B", "X": "lead"}
        return [[names.get(word, word) for word in line.split()] for line in output.splitlines()]

    assert files.count("ROUGE-") == 3
    assert renamed(files) == renamed(settings)


@pytest.mark.parametrize(
    "words",
    [
        "--hyp lead=p --ref a --ref b",
        "--hyp other=a --hyp lead=p --ref a --ref b --system lead",
        "run.jsonl --system lead",
        "run.jsonl --peer-id lead",
        "run.csv --system lead --pred-column mine --ref-column A --ref-column B",
        "s1.xml",
        "s1.xml --system lead",
        "--peers peers --models models",
    ],
)
def test_every_input_of_score_is_explained(words: str, explain: Program, tmp_path: Path) -> None:
    """An eval of any input is explained as its texts are, except for the IDs of the models."""
    texts = {name: (tmp_path / name).read_text().strip() for name in "pab"}
    references = [texts["a"], texts["b"]]
    records = [
        {"id": "1", "system": "lead", "prediction": texts["p"], "references": references},
        {"id": "1", "system": "other", "prediction": "x", "references": references},
        {"id": "2", "system": "lead", "prediction": "x y", "references": ["x"]},
    ]
    (tmp_path / "run.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    (tmp_path / "run.csv").write_text(
        f"id,system,mine,A,B\n1,lead,{texts['p']},{texts['a']},{texts['b']}\n"
    )
    (tmp_path / "s1.xml").write_text(SETTINGS.replace("D071", "1"))
    for folder, name in (("peers/lead", "p"), ("models/A", "a"), ("models/B", "b")):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "1.txt").write_text(texts[name])

    def scores(*arguments: str) -> list[tuple[Any, ...]]:
        outcome = explain(*arguments, "-m", "R1,R2,ROUGE-SU4", "--formula", "best", "--format", "json")
        assert (0, "") == (outcome.status, outcome.stderr)
        document = json.loads(outcome.stdout)
        assert document["system"] in {"lead", "X"}
        return [
            (*(metric[name] for name in ("metric", "recall", "precision", "f", "counts")),
             [(pair["counts"], pair["matches"], pair["prediction"]["tokens"])
              for pair in metric["references"]])
            for metric in document["metrics"]
        ]  # fmt: skip

    assert scores("p", "a", "b") == scores(*words.split(), "--eval", "1")


def test_a_signature_of_several_formats_states_none() -> None:
    """A report of texts in several formats can be repeated by the API on texts of the usual one."""
    signature = "dialect:rouge155|metrics:ROUGE-1|samples:0|read_as:see+spl"

    scored = rouge_cli.score("a b", "a b", like=signature, notify=print).to_dict()

    assert 1 == scored["system"]["ROUGE-1"]["f"]
    assert 1 == rouge_cli.explain("a b", "a b", like=signature).metrics[0].score.f
