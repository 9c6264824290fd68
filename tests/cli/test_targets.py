"""Output files: never an input, never a protected file, never one file twice."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.conftest import ROUGE_CLI, Program

TEXT = "the cat sat on the mat\n"
DAYS = "2010-05-06\nThe rig exploded.\n--------------------------------\n"
SETTINGS = (
    "<ROUGE-EVAL version='1.5.5'><EVAL ID='1'><PEER-ROOT>peers</PEER-ROOT><MODEL-ROOT>models</MODEL-ROOT>"
    "<INPUT-FORMAT TYPE='SPL'/><PEERS><P ID='a'>1.txt</P></PEERS><MODELS><M ID='A'>1.txt</M></MODELS>"
    "</EVAL></ROUGE-EVAL>"
)
# Every command that writes to a file -> its inputs, none of which may be the output.
INPUTS = {
    "score run.jsonl -m R1 --format text": ["run.jsonl"],
    "score --hyp h --ref r": ["h", "r"],
    "score settings.xml": ["settings.xml", "peers/1.txt", "models/1.txt"],
    "score list.txt": ["list.txt", "peers/1.txt", "models/1.txt"],
    "score --peers peers --models models": ["peers/1.txt", "models/1.txt"],
    "score --hyp h --ref r --stop-words stop": ["stop"],
    "score --hyp h --ref r --counts": ["h"],
    "merge run.part": ["run.part"],
    "audit run.jsonl": ["run.jsonl"],
    "audit settings.xml": ["models/1.txt"],
    "identify run.jsonl --dialect google --published numbers.csv": ["run.jsonl", "numbers.csv"],
    "compare several.jsonl": ["several.jsonl"],
    "compare saved.json": ["saved.json"],
    "correlate saved.json human.csv --samples 0": ["saved.json", "human.csv"],
    "settings --peers peers --models models": ["peers/1.txt", "models/1.txt"],
    "rouge2 project": ["project/system/x_a.txt", "project/reference/x_A.txt"],
    "rouge2 project --stop-words stop --properties p": ["stop", "p"],
    "timeline -p days -r other": ["days", "other"],
    "timeline battery battery": ["battery/one.txt"],
}
OTHER_OUTPUTS = {
    "score settings.xml -o out --depfile": ["settings.xml", "peers/1.txt", "out"],
    "settings --check settings.xml --depfile": ["settings.xml", "models/1.txt"],
    "compare several.jsonl --plot": ["picture.svg"],
    "score several.jsonl --plot": ["picture.svg"],
    "rouge2 project -o out -D output=file -D": ["outputFile=project/system/x_a.txt", "outputFile=out"],
}
CASES = [(f"{line} -o", path) for line, paths in INPUTS.items() for path in paths]
CASES += [(line, path) for line, paths in OTHER_OUTPUTS.items() for path in paths]


@pytest.fixture(scope="module")
def saved(program: Program, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Save the scores of the records below."""
    folder = tmp_path_factory.mktemp("saved")
    write_records(folder)
    return {
        name: program(ROUGE_CLI, "score", *line.split(), cwd=folder).stdout
        for name, line in {
            "run.part": "run.jsonl --counts",
            "saved.json": "several.jsonl --per-eval --format json",
        }.items()
    }


def write_records(folder: Path) -> None:
    """Write the records of one system, and of two."""
    record = '"id": "1", "prediction": "the cat", "reference": "the cat sat"}\n'
    (folder / "run.jsonl").write_text("{" + record)
    (folder / "several.jsonl").write_text('{"system": "a", ' + record + '{"system": "b", ' + record)


@pytest.fixture
def inputs(tmp_path: Path, saved: Mapping[str, bytes]) -> Path:
    for folder in ("peers", "models", "project/system", "project/reference", "battery"):
        (tmp_path / folder).mkdir(parents=True)
    names = (
        "peers/1.txt", "models/1.txt", "h", "r", "stop", "project/system/x_a.txt",
        "project/reference/x_A.txt",
    )  # fmt: skip
    for name in names:
        (tmp_path / name).write_text(TEXT)
    write_records(tmp_path)
    (tmp_path / "picture.svg").symlink_to("several.jsonl")
    (tmp_path / "settings.xml").write_text(SETTINGS)
    (tmp_path / "list.txt").write_text("peers/1.txt models/1.txt\n")
    (tmp_path / "human.csv").write_text("eval,system,score\n1,a,3\n1,b,2\n")
    (tmp_path / "p").write_text("ngram=1\n")
    (tmp_path / "numbers.csv").write_text("metric,f\nROUGE-1,0.5\n")
    for name in ("days", "other", "battery/one.txt"):
        (tmp_path / name).write_text(DAYS + DAYS.replace("05-06", "05-07"))
    for name, data in saved.items():
        (tmp_path / name).write_bytes(data)
    return tmp_path


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# Every day each command with the first of its inputs: one function holds the output to all of them.
@pytest.mark.parametrize(
    ("line", "path"),
    [
        pytest.param(line, path, marks=[pytest.mark.slow] * (line in dict(CASES[:place])))
        for place, (line, path) in enumerate(CASES)
    ],
)
def test_an_output_is_not_an_input(line: str, path: str, inputs: Path, here: Program) -> None:
    """A command does not overwrite its inputs, and writes no file twice."""
    before = contents(inputs)
    plain = here(*line.split()[:-1])
    for written in before.keys() ^ contents(inputs).keys():
        written.unlink()
    outcome = here(*line.split(), path)

    assert not plain.status, plain
    assert (2, b"") == outcome[:2]
    assert re.search("is also an input|two outputs name the same file|no report format", outcome.stderr)
    assert before == contents(inputs)
