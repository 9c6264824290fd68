"""Commands that run without the extras, and errors that name the line that installs them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click import Context
from everyday import sampled

from rouge_cli import native
from rouge_cli.cli.main import group
from tests.conftest import ROOT, Outcome, Program

# Modules of the extras, which the base install does not have.
EXTRAS = (
    "numpy", "scipy", "threadpoolctl", "matplotlib", "jinja2", "pandas", "polars", "pyarrow", "dask",
    "sentencex", "jieba", "MeCab", "mecab_ko", "zstandard",
)  # fmt: skip
# Python runs a module of this name before a program.
SITE, WITHOUT_EXTRAS = "sitecustomize.py", f"import sys; sys.modules.update(dict.fromkeys({EXTRAS}))\n"
ROUGE_CLI, DROP_IN = (str(Path(sys.executable).with_name(name)) for name in ("rouge-cli", "ROUGE-1.5.5.pl"))
PATTERNS = r"--pred-pattern (\d+)_a\.txt --ref-pattern #ID#_reference\.txt"
LIGHT = {
    "audit": ["audit run.jsonl"],
    "completion": ["completion bash"],
    "convert": ["convert --to spl -o out fixtures/demo/models"],
    "describe": ["describe ROUGE-1"],
    "evaluate-module": ["evaluate-module module"],
    "explain": ["explain --peer x --model x", "explain run.jsonl --eval 1 --system a -m R1"],
    "home": ["home home"],
    "list": ["list", "list metrics", "recipes"],
    "merge": ["merge run.part"],
    "rouge155": ["rouge155 --help"],
    "rouge2": ["rouge2 rouge2"],
    "score": [
        "score run.jsonl",
        "score run.jsonl --samples 1000 --per-eval --format json",
        "score run.jsonl --dialect google --stem",
        "score run.jsonl --dialect rouge2 --set tagger=embedded --set synonyms=wordnet",
        "score run.jsonl --dialect coco",
        "score run.jsonl --dialect pltrdy",
        "score run.jsonl --stemmer snowball:german --tokenizer unicode",
        "score fixtures/demo/settings.xml --format latex",
    ],
    "settings": [
        f"settings --peers rouge2/system --models rouge2/reference {PATTERNS}",
        "settings --check fixtures/demo/settings.xml",
    ],
    "verify": ["verify run.lock"],
    "timeline": ["timeline -p long.txt -r long.txt -m all"],
}
HEAVY = {
    "compare": [("compare scores.json", "stats"), ("compare scores.json --plot x.png", "plots")],
    "plan": [("plan scores.json", "stats"), ("plan scores.json --plot x.png", "plots")],
    "correlate": [("correlate scores.json human.csv", "stats")],
    "identify": [("identify run.jsonl --system a --published R1=50", "stats")],
    "report": [("report run.jsonl -o report.html", "report")],
    "sweep": [("sweep scores.json --human human.csv", "stats")],
    "score": [
        ("score run.jsonl --dialect google --samples 10", "stats"), ("score x.parquet", "parquet"),
        ("score run.jsonl --scheduler local", "dask"), ("score run.jsonl --sentences split", "sentences"),
        ("score run.jsonl --tokenizer jieba", "zh"),
    ],
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, root: Path, program: Program) -> Path:
    """Write inputs of every kind, and outputs of other commands."""
    folder = tmp_path_factory.mktemp("light")
    (folder / SITE).write_text(WITHOUT_EXTRAS)
    (folder / "fixtures").symlink_to(root / "fixtures")
    texts = {"a": "the cats sat", "b": "a cat is sitting"}
    records = [
        {"eval": "1", "system": name, "peer": text, "model": "a cat sat"} for name, text in texts.items()
    ]
    (folder / "run.jsonl").write_text("".join(f"{json.dumps(record)}\n" for record in records))
    for name, text in (("reference/1_reference.txt", "a cat sat"), ("system/1_a.txt", "the cats sat")):
        (folder / "rouge2" / name).parent.mkdir(parents=True)
        (folder / "rouge2" / name).write_text(text)
    days = [f"20{year:02}-{month:02}-01" for year in range(20) for month in range(1, 13)]
    blank_line = "\n" + "-" * 32 + "\n"
    (folder / "long.txt").write_text("".join(f"{day}\na cat sat on day {day}{blank_line}" for day in days))
    (folder / "x.parquet").write_bytes(b"PAR1PAR1")
    (folder / "human.csv").write_text("eval,system,score\n1,a,1\n1,b,2\n")
    for options in ("--counts -o run.part", "--per-eval -o scores.json", "--lock run.lock"):
        assert (0, "") == run(program, f"score run.jsonl {options}", folder)[::2]
    return folder


def run(program: Program, words: str, folder: Path, name: str = ROUGE_CLI) -> Outcome:
    """Run a command in the base install."""
    environment = {"PYTHONPATH": f"{folder}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"}
    return program(name, *words.split(), cwd=folder, environment=environment)


@pytest.mark.parametrize("words", sampled((words for each in LIGHT.values() for words in each), 2))
def test_a_light_command_needs_no_extra(words: str, folder: Path, program: Program) -> None:
    """The commands that score, explain and write inputs run without any extra."""
    status, stdout, stderr = run(program, words, folder)

    assert (0, "") == (status, stderr)
    assert stdout or words.startswith("convert")


@pytest.mark.parametrize(("words", "extra"), [pair for each in HEAVY.values() for pair in each])
def test_another_names_its_extra(words: str, extra: str, folder: Path, program: Program) -> None:
    """A command that needs an extra exits with status 1 and one line, which installs the extra."""
    status, stdout, stderr = run(program, words, folder)

    assert (1, b"") == (status, stdout)
    assert stderr.endswith(f"; pip install 'rouge-cli[{extra}]'\n")
    assert 1 == stderr.count("\n")


def test_every_command_is_light_or_names_its_extra(folder: Path, program: Program) -> None:
    """Each command has its case above, and prints its help without any extra."""
    commands = group.list_commands(Context(group))

    assert sorted({*LIGHT, *HEAVY}) == sorted(commands)
    for name in HEAVY:
        assert (0, "") == run(program, f"{name} --help", folder)[::2], name


def test_the_drop_in_is_light(folder: Path, root: Path, program: Program) -> None:
    """ROUGE-1.5.5.pl prints its report without any extra."""
    words = "-n 2 -m -2 4 -u -a fixtures/demo/settings.xml"
    expected = (root / "fixtures" / "demo" / "report.out").read_bytes()

    assert (0, expected, "") == run(program, words, folder, DROP_IN)


@pytest.mark.parametrize(
    "call", ["rouge_cli.compare('scores.json')", "rouge_cli.correlate('scores.json', 'human.csv')"]
)
def test_calls_from_python_name_their_extra(call: str, folder: Path) -> None:
    """Python calls raise a RougeError with the same message."""
    lines = (
        WITHOUT_EXTRAS, "import rouge_cli, rouge_cli.errors", f"try: {call}",
        "except rouge_cli.errors.RougeError as error: print(error)",
    )  # fmt: skip
    printed = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)], cwd=folder, capture_output=True, text=True, check=True
    ).stdout

    assert printed.endswith("; pip install 'rouge-cli[stats]'\n")


# Function of __main__, and a command line -> modules that take more time to import than a short run has.
SLOW = {
    ("rouge155", "-n 4 -w 1.2 -m -2 4 -u -a fixtures/demo/settings.xml"): (
        "asyncio click dataclasses email enum http inspect json logging nltk numbers numpy pandas re rich "
        "scipy signal typing unittest"
    ),
    ("rouge_cli", "score run.jsonl"): "csv dataclasses hashlib logging numbers rouge_cli.reports.html",
    ("rouge_cli", "score run.jsonl --dialect google"): "csv dataclasses hashlib logging numbers",
}


@pytest.mark.skipif(native.extension() is None, reason="the readable kernels need more modules")
@pytest.mark.parametrize(("function", "words"), SLOW)
def test_a_short_run_starts_without_slow_modules(function: str, words: str, folder: Path) -> None:
    """ROUGE-1.5.5.py imports neither re nor typing, and rouge-cli little besides click."""
    lines = (
        f"import os, sys; sys.path[:] = {[str(ROOT), *sys.path]}",
        "import click" if function == "rouge_cli" else "",
        f"before, sys.argv[1:], leave = set(sys.modules), {words.split()}, os._exit",
        "def report(status):",
        f"    slow = set({SLOW[function, words].split()}) & sys.modules.keys() - before",
        "    print(status, sorted(slow), file=sys.stderr, flush=True); leave(0)",
        "os._exit = report",
        f"from rouge_cli.__main__ import {function}; {function}()",
    )
    ended = subprocess.run(
        [sys.executable, "-S", "-c", "\n".join(lines)],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )

    assert "0 []\n" == ended.stderr
    assert "rouge" in ended.stdout.lower()
