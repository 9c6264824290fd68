"""Hostile input: no traceback, no terminal escape codes, no quadratic time."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from everyday import sampled

from tests.conftest import DROP_IN, ROUGE_CLI, Program

DIGITS = ("9" * 400, "9" * 5000)
ESCAPE = "\x1b]0;owned\x07"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Create two evals of a system whose name, and whose evals' names, contain escape codes."""
    return write_run(tmp_path)


@pytest.fixture(scope="module")
def saved(program: Program, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write these evals, and all that is saved of them."""
    folder = tmp_path_factory.mktemp("saved")
    score = partial(program, ROUGE_CLI, "score", write_run(folder).name, cwd=folder)
    for form in ("json", "csv"):
        score("--samples", "0", "--per-eval", "--format", form, "-o", f"saved.{form}")
    score("--samples", "9", "--counts", "-o", "a.part")
    rows = f"{ESCAPE}1,a{ESCAPE},3\n{ESCAPE}1,a{ESCAPE},4\n"
    (folder / "human.csv").write_text(f"eval,system,s\n{rows}")
    return folder


def write_run(folder: Path) -> Path:
    """Write the records of these evals."""
    records = [
        {
            "id": f"{ESCAPE}{number}", "system": f"a{ESCAPE}", "prediction": text,
            "reference": "cats ran here",
        }
        for number, text in enumerate(("the cat's ran\x1b[2J", "…"))
    ]  # fmt: skip
    path = folder / "run.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


@pytest.mark.parametrize(
    "command",
    [
        *(
            f"score run.jsonl --samples 0 --format {name}"
            for name in ("text", "markdown", "latex", "json", "jsonl")
        ),
        "score run.jsonl --samples 0 --per-eval",
        "score run.jsonl --system typo",
        "audit run.jsonl --stem --threshold 0",
        "audit run.jsonl --stem --threshold 0 --format json",
        "audit run.jsonl --system typo",
        "compare run.jsonl",
        "identify run.jsonl --published R1=0.5",
        "identify run.jsonl --published R1=0.5 --dialect google --system typo",
        "explain run.jsonl --eval typo -m R1",
        "correlate saved.json run.jsonl",
        "correlate saved.json human.csv",
        "merge saved.json",
        "merge a.part",
    ],
)
def test_no_terminal_is_steered(command: str, saved: Path, program: Program) -> None:
    """Escape codes in IDs and texts are never printed unchanged, in reports and in messages."""
    outcome = program(ROUGE_CLI, *command.split(), cwd=saved)

    assert b"\x1b" not in outcome.stdout
    assert all(c == "\n" or c.isprintable() for c in outcome.stderr)
    assert outcome.status in {0, 1, 2}
    assert outcome.stdout or outcome.stderr


def parquet(folder: Path, columns: Mapping[str, Any], names: list[str] | None = None) -> Path:
    """Write a parquet file of these columns."""
    pyarrow, writer = (pytest.importorskip(name) for name in ("pyarrow", "pyarrow.parquet"))
    arrays = [pyarrow.array(values) if isinstance(values, list) else values for values in columns.values()]
    writer.write_table(pyarrow.table(arrays, names=names or list(columns)), folder / "run.parquet")
    return folder / "run.parquet"


def test_parquet_of_other_types(here: Program, tmp_path: Path) -> None:
    """A list is references; dates and decimals are IDs, but no texts, as bytes and objects are not."""
    day, price = date(2026, 1, 2), Decimal("1.5")
    texts = {"prediction": ["a"], "reference": ["a"]}
    for columns, status, message in (
        ({"prediction": ["a b\nc"], "references": [["a b", "c"]]}, 0, "1.00000  0.50000  0.66667"),
        ({"id": [day], **texts}, 0, "2026-01-02"),
        ({"id": [price], **texts}, 0, "1.5"),
        ({"id": [b"\xff"], **texts}, 1, "column 'id' contains bytes"),
        ({**texts, "prediction": [b"a"]}, 1, "column 'prediction' contains bytes"),
        ({**texts, "prediction": [day]}, 1, "column 'prediction' contains date"),
        ({**texts, "prediction": [price]}, 1, "column 'prediction' contains Decimal"),
        ({**texts, "prediction": [{"day": day}]}, 1, "column 'prediction' contains an object"),
    ):
        parquet(tmp_path, columns)
        outcome = here("score", "run.parquet", "--samples", "0", "--per-eval")

        assert status == outcome.status, outcome.stderr
        assert message in outcome.stdout.decode() + outcome.stderr


def test_parquet_that_is_not_text(here: Program, tmp_path: Path) -> None:
    """Strings that are not UTF-8, and two columns of one name, are refused."""
    pyarrow = pytest.importorskip("pyarrow")
    offsets, data = pyarrow.py_buffer(b"\0\0\0\0\1\0\0\0"), pyarrow.py_buffer(b"\xff")
    bad = pyarrow.StringArray.from_buffers(1, offsets, data)
    parquet(tmp_path, {"prediction": bad, "reference": ["a"]})
    spoiled = here("score", "run.parquet")
    parquet(tmp_path, {"a": ["x"], "b": ["y"], "c": ["z"]}, ["prediction", "prediction", "reference"])
    twice = here("score", "run.parquet")

    assert (1, b"", 1, b"") == (*spoiled[:2], *twice[:2])
    assert "cannot read as parquet" in spoiled.stderr
    assert "columns of the same name: 'prediction'" in twice.stderr


@pytest.mark.parametrize("digits", DIGITS, ids=len)
@pytest.mark.parametrize(
    "words",
    [
        *(
            "--samples {}", "--seed {}", "--set samples={}", "--limit {}words", "--confidence {}",
            "--alpha {}",
        ),
        *("-m ROUGE-{}", "-m RSU{}", "-m RW-{}", "--dialect google --seed {}", "-j {}", "--digits {}"),
        *("--dialect rouge2 --set least_count={}", "--dialect rouge2 -m ROUGE-SU{}"),
    ],
)  # fmt: skip
def test_numbers_of_many_digits(words: str, digits: str, here: Program, tmp_path: Path) -> None:
    """A number of hundreds of digits in an option is used or refused, without a traceback."""
    (tmp_path / "run.jsonl").write_text('{"prediction": "a b", "reference": "a c"}\n')
    outcome = here("score", "run.jsonl", "--quiet", *words.format(digits).split())

    assert outcome.status in {0, 1, 2}
    assert (outcome.status == 0) == bool(outcome.stdout)


def test_names_that_are_not_utf8(here: Program, tmp_path: Path) -> None:
    """A folder that XML cannot name is refused by settings, and a mark of any byte is searched."""
    folder = os.fsdecode(os.fsencode(tmp_path) + b"/\xff")
    for side in ("predictions", "references"):
        os.makedirs(f"{folder}/{side}")
        Path(folder, side, "1.txt").write_text("a b\n")
    (tmp_path / "run.jsonl").write_text('{"prediction": "a b", "reference": "a c"}\n')
    refused = here("settings", "--peers", f"{folder}/predictions", "--models", f"{folder}/references")
    marked = here("score", "run.jsonl", "--sentences", os.fsdecode(b"mark:\xff"))

    assert (1, b"") == refused[:2]
    assert "a folder whose name XML cannot hold" in refused.stderr
    assert marked.status == 0


def _columns(folder: Path) -> list[str]:
    (folder / "run.csv").write_text(",".join(map(str, range(40_000))) + "\n" + "," * 39_999 + "\n")
    return ["score", "run.csv"]


def _line(folder: Path) -> list[str]:
    start = "-\na R Average_R: 0.1\n"
    (folder / "saved").write_text(start + "a " * 50_000 + " Eval " * 16_000 + "R:0.5 P:0.5 F:0.5\n")
    return ["compare", "saved"]


def _names(folder: Path) -> list[str]:
    for side, start in (("predictions", "sum"), ("references", "ref.A")):
        (folder / side).mkdir()
        for number in range(8_000):
            (folder / side / f"{start}.{number}.txt").touch()
    patterns = ["--pred-pattern", r"sum\.(\d+)\.txt", "--ref-pattern", r"ref\.[A-Z]\.#ID#\.txt"]
    return ["settings", "--peers", "predictions", "--models", "references", *patterns]


@pytest.mark.parametrize("make", [_columns, _line, _names])
def test_time_does_not_grow_with_the_square(
    make: Callable[[Path], list[str]], program: Program, tmp_path: Path
) -> None:
    """Wide headers, a long line of a classic report, and many files to pair take seconds at most."""
    in_six_seconds = ("sh", "-c", 'ulimit -t 6; exec "$@"', "sh")
    outcome = program(*in_six_seconds, ROUGE_CLI, *make(tmp_path), cwd=tmp_path)

    assert outcome.status == (0 if make is _names else 1), outcome.stderr[-300:]
    assert len(outcome.stderr) < 2000


def test_far_pairs_take_little_memory(tmp_path: Path) -> None:
    """A distance of 2,000 on long texts takes memory for the texts, not for a table of pairs."""
    for name in "pm":
        words = (f"w{place * place % 4001}" for place in range(20_000))
        (tmp_path / name).write_text(" ".join(words))
    (tmp_path / "list").write_text("p m\n")
    code = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=-3);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)"
    )
    command = [
        DROP_IN, "-x", "-2", "2000", "-z", "SPL", "list",
    ]  # fmt: skip
    ended = subprocess.run(
        [sys.executable, "-c", code, *command], cwd=tmp_path, capture_output=True, check=True
    )

    assert int(ended.stdout) < 200


@pytest.mark.parametrize(
    "words", ["score text", "score --recipe LONG t", "rouge155 -z SPL text", "compare text"]
)
def test_long_quotations_are_cut(words: str, here: Program, tmp_path: Path) -> None:
    """A message that quotes a megabyte of input, or a long option, fits a pipe and ends with the remedy."""
    (tmp_path / "text").write_text("w" * 1_000_000)
    status, stdout, stderr = here(*words.replace("LONG", "w" * 100_000).split())

    assert status
    assert b"" == stdout
    assert len(stderr) < 16_000
    assert "www ... www" in stderr
    assert "; " in stderr[-1000:]


@pytest.mark.parametrize("name", sampled(["run.jsonl", "run.csv", "list", "settings.xml"], 2))
def test_a_pipe_is_read_whole(name: str, tmp_path: Path) -> None:
    """An input whose kind is detected may be a pipe, as in `score <(zcat run.jsonl.gz)`, of any length."""
    (tmp_path / "t").write_text("a b\n")
    evals = [f'<EVAL ID="{n}"><PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT>' for n in range(3000)]
    rest = '<INPUT-FORMAT TYPE="SPL"/><PEERS><P ID="1">t</P></PEERS><MODELS><M ID="A">t</M></MODELS></EVAL>'
    contents = {
        "run.jsonl": "".join(
            f'{{"id": {n}, "prediction": "a b", "reference": "a"}}\n' for n in range(9000)
        ),
        "run.csv": "id,prediction,reference\n" + "".join(f"{n},a b,a\n" for n in range(20_000)),
        "list": "t t\n" * 50_000,
        "settings.xml": f"<ROUGE-EVAL>{rest.join(evals)}{rest}</ROUGE-EVAL>",
    }
    (tmp_path / name).write_text(contents[name])
    kind = ["--input", "csv"] if name == "run.csv" else []
    command = [ROUGE_CLI, "score", *kind, "-m", "R1", "--samples", "0", "--format", "csv", "--quiet"]
    whole = subprocess.run([*command, name], cwd=tmp_path, capture_output=True, check=True)
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen(["sh", "-c", f"cat {name} > pipe"], cwd=tmp_path):
        piped = subprocess.run(
            [*command, "pipe"], cwd=tmp_path, capture_output=True, check=False, timeout=60
        )

    assert (0, b"") == (piped.returncode, piped.stderr)
    stem = name.partition(".")[0].encode()  # the system's name, unless the input has one
    assert whole.stdout.replace(b"\n" + stem + b",", b"\npipe,") == piped.stdout
