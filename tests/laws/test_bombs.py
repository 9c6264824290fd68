"""Small files that become large: every reader ends with one message, in bounded memory.

The programs run under a limit of their address space that the whole content exceeds.
"""

import bz2
import gzip
import json
import lzma
import resource
import subprocess
import sys
import zipfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from rouge_cli.io import compression, files
from rouge_cli.tasks import kinds
from tests.conftest import ROUGE_CLI

pyarrow = pytest.importorskip("pyarrow")
MOST = 900 << 20  # bytes of address space; of pyarrow's libraries more
MOST_OF_PYARROW = 3 << 30
MOST_OF_CHECKING = 500 << 20
MOST_OF_JACKKNIFING = 350 << 20
PART = b"a b " * (1 << 22)  # 16 MB, so often that the limit is exceeded
PARTS = 80
LONG_ROW = "a b " * 25_000


PYTHON = (sys.executable, "-c")
READ = """
import sys
from rouge_cli.tasks.kinds import parquet
for number, row in enumerate(parquet.rows(sys.argv[1], None), 1):
    if number == 40_000:
        print(number, len(row.record["prediction"]))
        break
"""


def zstd(data: bytes) -> bytes:
    """Compress by Zstandard."""
    import zstandard

    compressed: bytes = zstandard.ZstdCompressor(level=1).compress(data)
    return compressed


COMPRESSORS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress, ".zst": zstd,
}  # fmt: skip
STARTS = {
    "jsonl": b'{"prediction": "', "json": b'[{"prediction": "', "csv": b'prediction,reference\n"',
    "tsv": b'prediction\treference\n"', "list": b"a b\n", "settings": b"<ROUGE-EVAL><!-- ",
}  # fmt: skip


def bomb(path: Path, start: bytes, suffix: str) -> str:
    """Write a start and then 1.3 GB, compressed; return the path."""
    compress = COMPRESSORS[suffix]
    path.write_bytes(compress(start) + compress(PART) * PARTS)
    return str(path)


def run_limited(
    *words: str,
    program: Sequence[str] = (ROUGE_CLI,),
    most: int = MOST,
    folder: Path,
) -> "subprocess.CompletedProcess[str]":
    """Run the program with so much address space."""
    limit = partial(resource.setrlimit, resource.RLIMIT_AS, (most, most))
    return subprocess.run(
        [*program, *words],
        capture_output=True,
        text=True,
        cwd=folder,
        preexec_fn=limit,
        check=False,
    )


@pytest.mark.parametrize("suffix", list(compression.COMPRESSIONS))
@pytest.mark.parametrize("kind", sorted({*kinds.names()} - {"parquet"}))
def test_every_kind_of_input_is_bounded(kind: str, suffix: str, tmp_path: Path) -> None:
    """A compressed input of a gigabyte in one record ends with one message that says
    how to allow it.
    """
    assert kind in STARTS, f"{kind}: add the start of a file of one record to STARTS"
    name = f"run{kinds.named(kind).SUFFIXES[0]}{suffix}"
    bomb(tmp_path / name, STARTS[kind], suffix)
    outcome = run_limited("score", name, "-m", "R1", folder=tmp_path)

    assert (1, "") == (outcome.returncode, outcome.stdout)
    assert outcome.stderr.startswith(f"rouge-cli: {name}")
    assert files.RECORD_VARIABLE in outcome.stderr
    assert 1 == outcome.stderr.count("\n")


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("a.part.gz", "merge a.part.gz"),
        ("a.json.gz", "compare a.json.gz"),
        ("a.csv.gz", "correlate saved.json a.csv.gz"),
        ("a.txt.gz", "score --pred a.txt.gz --ref a.txt.gz"),
        ("a.txt.gz", "campaign check x.zip --evals a.txt.gz"),
        ("a.txt.gz", "explain a.txt.gz b.txt -m R1"),
        ("a.properties.gz", "rouge2 --properties a.properties.gz"),
    ],
)
def test_every_other_file_is_bounded(name: str, command: str, tmp_path: Path) -> None:
    """The other compressed files that commands read end with one message, too."""
    (tmp_path / "run.jsonl").write_text('{"prediction": "a b", "reference": "a"}\n' * 2)
    (tmp_path / "b.txt").write_text("a b\n")
    bomb(tmp_path / name, b"{", ".gz")
    if "saved.json" in command:
        run_limited(
            "score", "run.jsonl", "--per-eval", "-o", "saved.json", folder=tmp_path
        )
    outcome = run_limited(*command.split(), folder=tmp_path)

    assert (1, "") == (outcome.returncode, outcome.stdout)
    assert 1 == outcome.stderr.count("\n")
    assert files.RECORD_VARIABLE in outcome.stderr


DEFLATED, BZIP2, LZMA = zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA
OTHER_METHOD = "not compressed by Deflate; make the archive with zip"


@pytest.mark.parametrize(
    ("method", "stated", "problem"),
    [
        (DEFLATED, MOST_OF_CHECKING, "larger than 10,000,000 bytes"),
        (DEFLATED, 10, "cannot be read (Bad CRC-32 for file 'en/1.txt')"),
        (BZIP2, MOST_OF_CHECKING, OTHER_METHOD),
        (BZIP2, 10, OTHER_METHOD),
        (LZMA, 10, OTHER_METHOD),
    ],
)
def test_every_method_of_an_archive_is_bounded(
    method: int, stated: int, problem: str, tmp_path: Path
) -> None:
    """A submission whose text is larger than the memory has one line of findings,
    whatever its method, and whatever size the archive states.
    """
    (tmp_path / "evals.txt").write_text("en/1.txt\n")
    path = tmp_path / "x.zip"
    with (
        zipfile.ZipFile(path, "w", method) as archive,
        archive.open("en/1.txt", "w") as text,
    ):
        for _ in range(MOST_OF_CHECKING >> 20):
            text.write(bytes(1 << 20))
    data = bytearray(path.read_bytes())
    size = data.rindex(b"PK\1\2") + 24
    data[size : size + 4] = stated.to_bytes(4, "little")
    path.write_bytes(data)
    outcome = run_limited(
        "campaign", "check", "x.zip", most=MOST_OF_CHECKING, folder=tmp_path
    )

    assert (1, "") == (outcome.returncode, outcome.stderr)
    assert outcome.stdout == f"x.zip: en/1.txt: {problem}\n"


def test_many_long_records_are_not_held_together(tmp_path: Path) -> None:
    """Records of 1 MB are scored a few at a time, however many a file has."""
    text = "a b " * (1 << 17)
    line = json.dumps({"prediction": text, "reference": text}) + "\n"
    (tmp_path / "run.jsonl.gz").write_bytes(gzip.compress(line.encode()) * 700)
    outcome = run_limited(
        "score", "run.jsonl.gz", "--score-only", "R1", "--quiet", folder=tmp_path
    )

    assert (0, "1.00000\n", "") == (outcome.returncode, outcome.stdout, outcome.stderr)


def test_a_limit_that_the_user_sets_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The variable raises and lowers the limit of a record; a value that is not a
    number of MB is refused.
    """
    text = "a b " * (3 << 18)
    line = json.dumps({"prediction": text, "reference": "a"}) + "\n"
    (tmp_path / "run.jsonl").write_text(
        '{"prediction": "a", "reference": "a"}\n' + line
    )
    outcomes = []
    for value in ("2", "4", "x"):
        monkeypatch.setenv(files.RECORD_VARIABLE, value)
        outcomes.append(
            run_limited("score", "run.jsonl", "-m", "R1", "--quiet", folder=tmp_path)
        )

    assert [1, 0, 2] == [outcome.returncode for outcome in outcomes]
    assert "run.jsonl:2: the line has more than 2 MB" in outcomes[0].stderr
    assert "ROUGE_CLI_RECORD_MB is 'x'; set it to a number" in outcomes[2].stderr


def parquet_rows(text: str, rows: int) -> Any:  # noqa: ANN401 - a table of pyarrow
    """Return a table in which dictionaries repeat the text."""
    indices = pyarrow.array([0] * rows, pyarrow.int32())
    columns = {
        name: pyarrow.DictionaryArray.from_arrays(indices, pyarrow.array([cell]))
        for name, cell in (("prediction", text), ("reference", "a"))
    }
    return pyarrow.table(columns)


def test_a_repeated_text_of_a_table_is_not_unfolded(tmp_path: Path) -> None:
    """A table of less than 3 kB that repeats a text of 100 kB in 65,536 rows takes no
    gigabytes.
    """
    from pyarrow import parquet

    table = parquet_rows(LONG_ROW, 1 << 16)
    parquet.write_table(table, tmp_path / "a.parquet", compression="zstd")
    assert (tmp_path / "a.parquet").stat().st_size < 3000
    outcome = run_limited(
        READ, str(tmp_path / "a.parquet"), program=PYTHON, most=MOST_OF_PYARROW,
        folder=tmp_path,
    )  # fmt: skip

    assert ("40000 100000\n", "") == (outcome.stdout, outcome.stderr)


@pytest.mark.parametrize("suffix", kinds.named("parquet").SUFFIXES)
def test_a_long_row_of_a_table_is_refused(suffix: str, tmp_path: Path) -> None:
    """A row above the limit, in a table of few bytes, ends with one message that has
    its number.
    """
    from pyarrow import ipc, parquet

    table = parquet_rows("a b " * (1 << 25), 3)
    path = tmp_path / f"a{suffix}"
    if suffix == ".parquet":
        parquet.write_table(table, path, compression="zstd")
    else:
        options = ipc.IpcWriteOptions(compression="zstd")
        with ipc.new_file(path, table.schema, options=options) as writer:
            writer.write_table(table)
    assert path.stat().st_size < 100_000
    outcome = run_limited(
        "score", path.name, "-m", "R1", most=MOST_OF_PYARROW, folder=tmp_path
    )

    assert (1, "") == (outcome.returncode, outcome.stdout)
    assert outcome.stderr.startswith(f"rouge-cli: a{suffix}:1: the row has more than")
    assert 1 == outcome.stderr.count("\n")


def test_a_long_page_of_a_table_is_refused(tmp_path: Path) -> None:
    """A page that pyarrow decompresses at once, above the limit, ends with one message,
    though no row is above it: pyarrow would end the process without memory.
    """
    from pyarrow import parquet

    rows = {"prediction": ["a b " * (1 << 22)] * 100, "reference": ["a"] * 100}
    path = tmp_path / "a.parquet"
    parquet.write_table(
        pyarrow.table(rows),
        path,
        compression="zstd",
        use_dictionary=False,
        data_page_size=1 << 31,
    )
    assert path.stat().st_size < 1_000_000
    outcome = run_limited(
        "score", path.name, "-m", "R1", most=MOST_OF_PYARROW, folder=tmp_path
    )

    assert (1, "") == (outcome.returncode, outcome.stdout)
    assert outcome.stderr.startswith(
        "rouge-cli: a.parquet:1: a page of column prediction has more than 256 MB"
    )
    assert 1 == outcome.stderr.count("\n")


def test_jackknifing_takes_memory_for_the_references(tmp_path: Path) -> None:
    """An eval of 2,500 references is jackknifed in little memory: 6 million references
    of its sets are never held together.
    """
    references = [f"a b {number}" for number in range(2500)]
    record = {"prediction": "a b c", "references": references}
    (tmp_path / "run.jsonl").write_text(json.dumps(record) + "\n")
    outcome = run_limited(
        *("score", "run.jsonl", "--jackknife", "-m", "R1", "--samples", "0"),
        *("--quiet", "--format", "csv"),
        most=MOST_OF_JACKKNIFING,
        folder=tmp_path,
    )

    assert (0, "") == (outcome.returncode, outcome.stderr)
    assert 2502 == outcome.stdout.count("\n")


def test_repeated_words_are_aligned_in_seconds(tmp_path: Path) -> None:
    """ROUGE-L and skip-bigrams of few words, repeated 100,000 times, take seconds, not
    the square of their number.
    """
    texts = {"prediction": "a b " * 50_000, "reference": "b a a " * 33_000}
    (tmp_path / "run.jsonl").write_text(json.dumps(texts) + "\n")
    limit = partial(resource.setrlimit, resource.RLIMIT_CPU, (20, 20))
    words = ("score", "run.jsonl", "-m", "RL,RS*,RSU*", "--samples", "0", "--quiet")
    outcome = subprocess.run(
        [ROUGE_CLI, *words], cwd=tmp_path, preexec_fn=limit, check=False
    )

    assert 0 == outcome.returncode
