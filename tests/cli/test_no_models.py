"""An eval without references is never scored silently."""

import json
from itertools import product
from pathlib import Path

import pytest
from everyday import sampled

from rouge_cli import dialects, plugins
from tests.conftest import Program

EVAL = (
    '<EVAL ID="{}"><PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT><INPUT-FORMAT TYPE="{}"/>'
    '<PEERS><P ID="x">p</P></PEERS>{}</EVAL>\n'
)
RECORDS = [
    {"id": "1", "prediction": "a b", "references": ["a"]},
    {"id": "2", "prediction": "b", "references": []},
]
TIMELINE = "2010-05-06\n--------------------------------\na b c\n--------------------------------\n"
# Inputs of which one eval has no model -> the arguments.
INPUTS = {
    "settings without <M>": ["settings.xml"],
    "settings without <MODELS>": ["bare.xml"],
    "jsonl": ["run.jsonl"],
    "json": ["run.json"],
    "list": ["list"],
    "folders": ["--peers", "predictions", "--models", "references"],
    "lines": ["--hyp", "run.txt", "--ref", "short.txt"],
}


def lay_out(folder: Path, input_format: str, text: str) -> None:
    """Write every input, each with two evals, one of which has no model."""
    evals = [EVAL.format("1", input_format, '<MODELS><M ID="A">m</M></MODELS>')]
    for name, references in (("settings", "<MODELS></MODELS>"), ("bare", "")):
        whole = "".join([*evals, EVAL.format("2", input_format, references)])
        (folder / f"{name}.xml").write_text(f"<ROUGE-EVAL>\n{whole}</ROUGE-EVAL>\n")
    for side, names in (("predictions", ("1", "2")), ("references", ("1",))):
        (folder / side).mkdir()
        for name in names:
            (folder / side / f"{name}.txt").write_text(text)
    files = {
        **dict.fromkeys("pm", text),
        "run.jsonl": "".join(json.dumps(record) + "\n" for record in RECORDS),
        "run.json": json.dumps(RECORDS),
        "list": "p m\np\n",
        "run.txt": "a b\nb\n",
        "short.txt": "a\n",
    }
    for name, content in files.items():
        (folder / name).write_text(content)


# A fourth of the pairs has every kind and every dialect.
@pytest.mark.parametrize(("kind", "dialect"), sampled(product(INPUTS, plugins.names(dialects.__name__)), 4))
def test_score_refuses_it(kind: str, dialect: str, here: Program, tmp_path: Path) -> None:
    """In every kind of input and every dialect an eval without references is an error of the data."""
    is_timeline = dialect == "tilse"
    lay_out(tmp_path, "timeline" if is_timeline else "SPL", TIMELINE if is_timeline else "a b c\n")
    status, stdout, stderr = here("score", *INPUTS[kind], "--dialect", dialect, "--quiet")

    assert (1, b"") == (status, stdout)
    assert stderr.startswith("rouge-cli: ")
    assert "Traceback" not in stderr
    if kind.startswith("settings"):
        assert ".xml:3: eval 2 has no models (no <M> in it); " in stderr
