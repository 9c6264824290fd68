"""Runs on a scheduler whose workers read the input: the report, the notices and the
errors of one process.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rouge_cli.io import spans
from tests.conftest import Program

if TYPE_CHECKING:
    from collections.abc import Iterator

distributed = pytest.importorskip("dask.distributed")
WORDS = ("-m", "R1,RL", "--stem", "--samples", "0", "--format", "csv")
# Records of more bytes than are worth dividing
MANY = 80_000
# A run whose first process may not read more than the beginning, and whose first worker
# is killed when some of its parts are scored.
KILLER = """
import sys
import psutil
from rouge_cli.cli import main
from rouge_cli.runs import evaluation, pools
from rouge_cli.tasks import dividing

submit = pools.Machines._submit
sent = []

def kill_one(machines, chunk):
    sent.append(chunk)
    if len(sent) == 4:
        workers = [
            process for process in psutil.Process().children()
            if "--multiprocessing-fork" in process.cmdline()
        ]
        workers[0].kill()
        print("killed", file=sys.stderr)
    return submit(machines, chunk)

def refuse(*_):
    raise AssertionError("the first process scores nothing")

if __name__ == "__main__":
    pools.Machines._submit = kill_one
    evaluation.batches = refuse
    dividing.SMALLEST = 1 << 19
    main.main()
"""


def records(number: int, **changed: str) -> list[dict[str, str]]:
    """Return records with IDs; change those whose number is a name."""
    rows = []
    for place in range(number):
        prediction = " ".join(f"w{place * step % 13}" for step in range(2, 9))
        reference = " ".join(f"w{place * step % 11}" for step in range(1, 9))
        eval_id = changed.get(f"id{place}", f"e{place}")
        text = changed.get(f"text{place}", prediction)
        rows.append({"id": eval_id, "prediction": text, "reference": reference})
    return rows


def write(folder: Path, rows: list[dict[str, str]]) -> None:
    """Write the records as jsonl, csv, parquet, and as lines."""
    lines = [json.dumps(row) for row in rows]
    (folder / "run.jsonl").write_text("\n".join(lines) + "\n")
    cells = ["id,prediction,reference", *(",".join(row.values()) for row in rows)]
    (folder / "run.csv").write_text("\n".join(cells) + "\n")
    for name, column in (("p", "prediction"), ("r", "reference")):
        (folder / name).write_text("\n".join(row[column] for row in rows) + "\n")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Start a scheduler, and two workers in threads of this process."""
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, protocol="tcp://",
        host="127.0.0.1", dashboard_address="127.0.0.1:0",
    ) as cluster:  # fmt: skip
        yield cluster.scheduler_address


@pytest.mark.parametrize(
    "words", [("run.jsonl",), ("run.csv",), ("--pred", "p", "--ref", "r")]
)
def test_the_report_of_one_process(
    words: tuple[str, ...], address: str, here: Program, tmp_path: Path
) -> None:
    """The report and the notices are those of a plain run, byte for byte."""
    write(tmp_path, records(MANY, text7="nan", text58000="nan", text58001=""))
    plain = here("score", *words, *WORDS)
    divided = here("score", *words, *WORDS, "--scheduler", address)

    assert 0 == plain[0]
    assert plain == divided


def test_groups_of_rows(address: str, here: Program, tmp_path: Path) -> None:
    """Workers read the groups of rows of a table of parquet."""
    pytest.importorskip("pyarrow")
    from pyarrow import Table, parquet

    table = Table.from_pylist(records(MANY))
    parquet.write_table(table, tmp_path / "run.parquet", row_group_size=9000)
    plain = here("score", "run.parquet", *WORDS)

    assert 0 == plain[0]
    assert plain == here("score", "run.parquet", *WORDS, "--scheduler", address)


@pytest.mark.parametrize(
    ("name", "changed", "text"),
    [
        ("run.jsonl", {"id50000": "e1"}, "occurs twice"),
        ("run.csv", {"text50000": "a,b"}, "4 cells under 3 columns"),
        ("run.csv", {"text50000": '"a'}, "not a table"),
    ],
)
def test_an_error_in_the_input(
    name: str,
    changed: dict[str, str],
    text: str,
    address: str,
    here: Program,
    tmp_path: Path,
) -> None:
    """An error far from the beginning is the message of a plain run, with its line."""
    write(tmp_path, records(MANY, **changed))
    plain = here("score", name, *WORDS, "--quiet")
    divided = here("score", name, *WORDS, "--quiet", "--scheduler", address)

    assert (1, b"") == plain[:2]
    assert text in plain[2]
    assert plain == divided


@pytest.mark.parametrize("is_seen", [True, False])
def test_what_passes_through_the_first_process(
    is_seen: bool,
    address: str,
    here: Program,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where workers do not see a file, or cannot divide it, its texts are sent: one
    notice says so, and the report is the same.
    """
    write(tmp_path, records(300 if is_seen else MANY))
    name, reason = "run.jsonl", f"not every worker sees the same file {tmp_path}/"
    if is_seen:
        lines = (tmp_path / "run.jsonl").read_text().splitlines()
        (tmp_path / "run.json").write_text(f"[{','.join(lines)}]")
        name, reason = "run.json", "json is read as a whole"
    else:
        monkeypatch.setattr(spans, "identity", lambda _: None)
    plain = here("score", name, *WORDS)
    sent = here("score", name, *WORDS, "--scheduler", address)

    assert plain[:2] == sent[:2]
    assert f"rouge-cli: {reason}" in sent[2]
    assert 1 + plain[2].count("\n") == sent[2].count("\n")


def test_a_worker_killed_midway_changes_nothing(here: Program, tmp_path: Path) -> None:
    """The parts of a killed worker are read by another, and the first process scores
    nothing.
    """
    write(tmp_path, records(MANY))
    (tmp_path / "killer.py").write_text(KILLER)
    words = ("score", "run.jsonl", *WORDS, "--quiet")
    ended = subprocess.run(
        [sys.executable, "killer.py", *words, "--scheduler", "local"],
        cwd=tmp_path, capture_output=True, check=True, timeout=300,
    )  # fmt: skip

    assert here(*words)[:2] == (0, ended.stdout)
    assert b"killed\n" == ended.stderr
