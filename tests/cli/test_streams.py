"""What reports look like on a terminal, and elsewhere."""

import gzip
import json
import os
import random
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from tests.conftest import DROP_IN, ROUGE_CLI, Program


@pytest.mark.parametrize(
    ("words", "kind", "drawn"),
    [
        ("score --pred a --ref b", "xterm", b"\x1b["),
        ("compare --pred a --pred b --ref b -m R1", "xterm", b"\x1b[1mrank"),
        ("explain a b -m R1", "xterm", b"\x1b[1;32mthe\x1b[0m cat"),
        ("explain a b -m R1", "dumb", b"[the] cat"),
    ],
)
def test_a_terminal_gets_colours(
    words: str, kind: str, drawn: bytes, here: Program, tmp_path: Path
) -> None:
    """On a terminal reports have its width, and colours if it has any; pipes and
    files have neither.
    """
    (tmp_path / "a").write_text("the cat\n")
    (tmp_path / "b").write_text("the dog\n")
    shown = on_terminal([*words.split(), "--quiet"], tmp_path, kind)
    on_terminal([*words.split(), "--quiet", "-o", "file"], tmp_path, kind)
    piped = here(*words.split(), "--quiet").stdout
    table = re.sub(rb"\x1b\[[0-9;]*m", b"", shown).decode().partition("\r\n\r\n")[0]

    assert drawn in shown
    assert b"\x1b[" not in piped
    assert (tmp_path / "file").read_bytes() == piped
    assert max(map(len, table.splitlines())) <= 60 or "explain" in words


@pytest.mark.parametrize(
    ("command", "nouns"),
    [
        ("compare", ["evals", "steps of tests"]),
        ("report", ["evals", "evals with texts", "steps of tests"]),
    ],
)
def test_progress_is_shown_on_a_terminal(
    command: str, nouns: list[str], tmp_path: Path
) -> None:
    """On a terminal's stderr, commands show what is done, in per cent of a known
    whole, and erase it.
    """
    record = '{{"id": {}, "system": "{}", "prediction": "{}", "reference": "1"}}\n'
    texts = [record.format(n, s, n % s) for s in (2, 3, 5) for n in range(20)]
    (tmp_path / "run.jsonl").write_text("".join(texts))
    script = (
        "from rouge_cli.cli import main, scoring; scoring.SECONDS_WITHOUT_PROGRESS = 0;"
        " main.main()"
    )
    words = ["-c", script, command, "run.jsonl", "--trials", "200", "-o", "file"]
    shown = on_terminal(words, tmp_path, "xterm", sys.executable).decode()
    # with the time left, if a step takes a second
    whole = r"\x1b\[\?25l([a-z ]+)  \[[#-]+\]  \d+/\d+ +\d+%  (?:[\d:]+  )?\d+ a second"
    unknown = r"\x1b\[K([a-z ]+)  \d+  \d+ a second"
    names = re.findall(rf"\r(?:{whole}|{unknown})", shown)

    assert nouns == list(dict.fromkeys("".join(name) for name in names))
    assert "a second" not in shown.rpartition("\r\x1b[K\x1b[?25h")[2]
    assert "steps of tests" not in (tmp_path / "file").read_text()


@pytest.mark.parametrize("name", ["run.jsonl", "run.jsonl.gz", "run.parquet"])
def test_progress_of_a_file_is_the_share_that_is_read(
    name: str, tmp_path: Path
) -> None:
    """The bar of a file, compressed or not, has the per cent that is read of it: it
    never falls, and comes near the whole.
    """
    path = tmp_path / name
    rng = random.Random(1)
    records = []
    for number in range(2000 if name != "run.jsonl.gz" else 3000):
        text = " ".join(f"{rng.random()}" for _ in range(100))
        records.append({"id": str(number), "prediction": text, "reference": "1"})
    if name.endswith("parquet"):
        parquet = pytest.importorskip("pyarrow.parquet")
        pa = pytest.importorskip("pyarrow")
        parquet.write_table(pa.Table.from_pylist(records), path, row_group_size=200)
    else:
        lines = "".join(json.dumps(record) + "\n" for record in records).encode()
        path.write_bytes(gzip.compress(lines) if name.endswith("gz") else lines)
    script = (
        "from rouge_cli.cli import main, scoring; scoring.SECONDS_WITHOUT_PROGRESS = 0;"
        " scoring.BETWEEN = 0; main.main()"
    )
    words = ["-c", script, "score", name, "-m", "R1", "--samples", "0", "-o", "file"]
    shown = on_terminal(words, tmp_path, "xterm", sys.executable).decode()
    bars = re.findall(r"evals  \[[#-]+\] +(\d+)%  [^\r]*\d+, \d+ a second", shown)
    shares = [int(share) for share in bars]

    assert max(map(len, re.findall(r"evals[^\r\x1b]*", shown))) < 80
    assert shares == sorted(shares)
    assert len(shares) >= 2
    assert 0 < shares[0] < 60
    assert shares[-1] > 80
    assert "a second" not in shown.rpartition("\r\x1b[K\x1b[?25h")[2]


def test_a_terminal_is_not_a_parser(tmp_path: Path) -> None:
    """The drop-in's warnings are shown on a terminal, though both streams lead there;
    in a pipe for both streams they are not.
    """
    (tmp_path / "a").write_text("the cat\n")
    (tmp_path / "list").write_text("a a\n")
    words = ["-n", "1x", "-x", "-z", "SPL", "list"]
    merged = subprocess.run(
        [DROP_IN, *words], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        check=True,
    )  # fmt: skip
    report = merged.stdout.replace(b"\n", b"\r\n")

    assert report.startswith(b"-----")
    assert on_terminal(words, tmp_path, "xterm", DROP_IN) == (
        b"ROUGE-1.5.5.pl: -n 1x: not a number; read as 1\r\n" + report
    )


def on_terminal(
    words: list[str], folder: Path, kind: str, program: str = ROUGE_CLI
) -> bytes:
    """Return what a program prints on a terminal of this kind, 60 columns wide."""
    ours, theirs = os.openpty()
    environment = os.environ | {
        "TERM": kind,
        "NO_COLOR": "",
        "COLORTERM": "",
        "COLUMNS": "60",
    }
    command = [program, *words]
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdout=theirs, stderr=theirs
    ) as running:
        os.close(theirs)
        printed = b""
        with suppress(OSError):  # the end of a terminal is an error on Linux
            while data := os.read(ours, 65536):
                printed += data
        os.close(ours)
        assert 0 == running.wait()
    return printed
