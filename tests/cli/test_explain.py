"""`rouge-cli explain`: its output, byte for byte, and its errors."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import rouge_cli
from tests.conftest import ROUGE_CLI, Outcome, Program

Explain = Callable[..., Outcome]


# Lin 2004: the examples of sections 3.1, 3.2 (the union of two sentences' LCS) and 5.
SETTINGS = """<ROUGE-EVAL>
<EVAL ID="D071"><PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT><INPUT-FORMAT TYPE="SPL"/>
<PEERS><P ID="lead">p</P></PEERS><MODELS><M ID="A">a</M><M ID="B">b</M></MODELS></EVAL>
</ROUGE-EVAL>
"""


@pytest.fixture
def explain(tmp_path: Path, program: Program) -> Explain:
    """Run the command in a folder with a settings file and its texts."""
    (tmp_path / "s.xml").write_text(SETTINGS)
    (tmp_path / "p").write_text("a b c\n")
    (tmp_path / "a").write_text("a x\n")
    (tmp_path / "b").write_text("b c\n")
    (tmp_path / "empty").write_text("\n")

    def call(*arguments: str) -> Outcome:
        return program(ROUGE_CLI, "explain", *arguments, cwd=tmp_path)

    return call


def text(outcome: Outcome) -> tuple[int, str, str]:
    """Return the outcome with stdout as text."""
    return outcome.status, outcome.stdout.decode(), outcome.stderr


def test_files_are_explained_as_settings_are(explain: Explain) -> None:
    """A prediction's file and its references' files give the output of their settings file, but for IDs."""
    files = explain("p", "a", "b").stdout.decode()
    settings = explain("s.xml", "--eval", "D071", "--peer-id", "lead").stdout.decode()

    def renamed(output: str) -> list[list[str]]:
        names = {"M.1": "A", "M.2": "B", "X": "lead"}
        return [[names.get(word, word) for word in line.split()] for line in output.splitlines()]

    assert files.count("ROUGE-") == 3
    assert renamed(files) == renamed(settings)


def test_json_has_every_token(explain: Explain) -> None:
    """JSON holds the score, the counts, and each token with its place, its form and its mark."""
    words = ["--peer", "the flies", "--model", "a fly", "--stem", "--stop", "-m", "ROUGE-1"]
    (metric,) = json.loads(explain(*words, "--format", "json").stdout)["metrics"]
    (reference,) = metric["references"]

    assert ("ROUGE-1", 0.0, {"reference": 1, "prediction": 1, "match": 0}) == (
        metric["metric"],
        metric["f"],
        metric["counts"],
    )
    assert [("the", "", 0, 3, "stop word", "dropped"), ("flies", "fli", 4, 9, "", "")] == [
        tuple(token[name] for name in ("surface", "form", "start", "end", "why_dropped", "mark"))
        for token in reference["prediction"]["tokens"]
    ]


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
def test_every_input_of_score_is_explained(words: str, explain: Explain, tmp_path: Path) -> None:
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


def test_texts_cannot_steer_the_terminal(explain: Explain) -> None:
    """Control characters of a text are blanks in its explanation."""
    outcome = explain("--peer", "a\x1b[2Jb \x07c", "--model", "a b c")

    assert 0 == outcome.status
    assert b"\x1b" not in outcome.stdout
    assert b"\x07" not in outcome.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals there")
@pytest.mark.parametrize(
    ("kind", "shown"), [("xterm", b"\x1b[1;32mthe\x1b[0m cat"), ("dumb", b"[the] cat")]
)
def test_a_terminal_gets_its_colours(kind: str, shown: bytes) -> None:
    """On a terminal words are highlighted, or in brackets if the terminal has no colours."""
    import pty

    ours, theirs = pty.openpty()
    environment = {
        name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLORTERM")
    }
    subprocess.run(
        [ROUGE_CLI, "explain", "--peer", "the cat", "--model", "the dog", "-m", "ROUGE-1"],
        env={**environment, "TERM": kind}, stdout=theirs, check=True, timeout=60,
    )  # fmt: skip
    os.close(theirs)

    assert shown in os.read(ours, 10_000)
    os.close(ours)


def test_matches_by_synonyms_do_not_depend_on_the_process(program: Program, tmp_path: Path) -> None:
    """Of several synonyms the same ones are matched in every process, whatever Python's hashes are."""
    (tmp_path / "groups.txt").write_text("screen display monitor panel\nbig large huge great\n")
    words = ["explain", "--dialect", "rouge2", "--set", "synonyms=file:groups.txt", "--set", "tagger=none"]
    words += ["--peer", "big panel large screen great", "--model", "huge display great monitor the big"]
    for label in ("ROUGE-1+Synonyms", "ROUGE-L+Synonyms", "ROUGE-SU4+Synonyms"):
        call = partial(program, ROUGE_CLI, *words, "-m", label, cwd=tmp_path, forked=False)
        (outcome,) = {call(environment={"PYTHONHASHSEED": seed}) for seed in "123456"}

        assert not outcome.status, outcome


def test_a_signature_of_several_formats_states_none() -> None:
    """A report of texts in several formats can be repeated by the API on texts of the usual one."""
    signature = "dialect:rouge155|metrics:ROUGE-1|samples:0|read_as:see+spl"

    scored = rouge_cli.score("a b", "a b", like=signature, notify=print).to_dict()

    assert 1 == scored["system"]["ROUGE-1"]["f"]
    assert 1 == rouge_cli.explain("a b", "a b", like=signature).metrics[0].score.f
