"""An input that is read in parts has the evals of the whole, wherever it is cut."""

from __future__ import annotations

import csv
import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rouge_cli.core import EvalTask, ignore_notice
from rouge_cli.io import compression, files, spans
from rouge_cli.tasks import dividing
from rouge_cli.tasks.records import RecordReading
from rouge_cli.tasks.streams import Stream

# Of one to four bytes, so that pieces end within characters
WORDS = st.lists(st.sampled_from(["a", "é", "日本", "😀", "nan", 'say "x"', "", "b c"]))
TEXTS = st.lists(st.tuples(WORDS.map(" ".join), WORDS.map(" ".join)), min_size=1)
PIECES = st.integers(1, 80)


def jsonl(rows: list[tuple[str, str]]) -> str:
    """Return records, some after a blank line."""
    lines = []
    for number, (prediction, reference) in enumerate(rows):
        record = {"prediction": prediction, "reference": reference}
        lines.append("\n" * (number % 3 == 1) + json.dumps(record, ensure_ascii=False))
    return "\n".join(lines)


def table(rows: list[tuple[str, str]], delimiter: str) -> str:
    """Return a table with IDs, and quotes where they are needed."""
    text = StringIO()
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    writer.writerow(["id", "prediction", "reference"])
    for number, row in enumerate(rows):
        writer.writerow([f"e{number}", *row])
    return text.getvalue()


def read(stream: Stream) -> list[EvalTask]:
    """Return the evals of a stream."""
    return list(stream)


def parts_of(stream: Stream) -> tuple[int, list[EvalTask], int]:
    """Return the number of parts, their evals, and the number of missing texts."""
    assert stream.origin
    source = stream.origin.source()
    parts = source.parts(2, lambda *call: list(map(*call)))
    evals: list[EvalTask] = []
    missing = 0
    for part in parts:
        of_part, cells = source.stream(part)
        evals += of_part
        missing += cells.number if cells else 0
    return len(parts), evals, missing


def cut(patch: pytest.MonkeyPatch, piece: int) -> None:
    """Let parts be of a few bytes."""
    for module in (compression, dividing, files, spans):
        patch.setattr(module, "PIECE", piece)
    patch.setattr(dividing, "SMALLEST", piece)
    patch.setattr(dividing, "LARGEST", 3 * piece)
    patch.setattr(dividing, "WORTH_DIVIDING", 0)


@pytest.mark.parametrize("kind", ["jsonl", "csv", "tsv"])
@given(rows=TEXTS, piece=PIECES)
def test_records_in_parts(
    kind: str,
    rows: list[tuple[str, str]],
    piece: int,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """The parts of a file of records have its evals, with their IDs and places."""
    path = tmp_path_factory.mktemp("parts") / f"run.{kind}"
    delimiter = {"csv": ",", "tsv": "\t"}.get(kind, "")
    path.write_text(table(rows, delimiter) if delimiter else jsonl(rows), "utf-8")
    notices: list[Any] = []
    reading = RecordReading(notify=notices.append)
    named = {"run": str(path)}
    whole = read(dividing.of_records(named, {"run": kind}, reading, apart=False))
    stated = [notice for notice in notices if "missing text" in str(notice)]
    with pytest.MonkeyPatch.context() as patch:
        cut(patch, piece)
        quiet = RecordReading(notify=ignore_notice)
        stream = dividing.of_records(named, {"run": kind}, quiet, apart=False)
        number, evals, missing = parts_of(stream)

    assert whole == evals
    assert bool(stated) == bool(missing)
    assert number > 1 or path.stat().st_size < 400


@given(rows=TEXTS, others=TEXTS, piece=PIECES)
def test_lines_in_parts(
    rows: list[tuple[str, str]],
    others: list[tuple[str, str]],
    piece: int,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """The parts of line-aligned files, whose lines are of other lengths, have their
    evals; of files of different lengths there are none.
    """
    folder = tmp_path_factory.mktemp("parts")
    sides = [first for first, _ in rows], [second for _, second in rows]
    last = "" if sides[1][-1] else "\n"  # the last end may be missing
    (folder / "p").write_text("\n".join(sides[0]) + "\n", "utf-8")
    (folder / "r").write_text("\n".join(sides[1]) + last, "utf-8")
    systems, references = {"p": str(folder / "p")}, [str(folder / "r")]
    whole = read(dividing.of_lines(systems, references, "utf-8"))
    with pytest.MonkeyPatch.context() as patch:
        cut(patch, piece)
        _, evals, _ = parts_of(dividing.of_lines(systems, references, "utf-8"))
        if len(others) != len(rows):
            (folder / "r").write_text("x\n" * len(others))
            with pytest.raises(dividing.Indivisible):
                parts_of(dividing.of_lines(systems, references, "utf-8"))

    assert whole == evals


@given(rows=TEXTS, size=st.integers(1, 5))
def test_groups_of_rows(
    rows: list[tuple[str, str]], size: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The parts of a table of parquet, in two files, have its evals."""
    pytest.importorskip("pyarrow")
    from pyarrow import Table, parquet

    folder = tmp_path_factory.mktemp("parts") / "table"
    folder.mkdir()
    records = [dict(zip(("prediction", "reference"), row, strict=True)) for row in rows]
    for number, some in enumerate((records, records[:2])):
        name = folder / f"test-0000{number}-of-00002.parquet"
        parquet.write_table(Table.from_pylist(some), name, row_group_size=size)
    named, by_system = {"table": str(folder)}, {"table": "parquet"}
    quiet = RecordReading(notify=ignore_notice)
    whole = read(dividing.of_records(named, by_system, quiet, apart=False))
    with pytest.MonkeyPatch.context() as patch:
        cut(patch, 1)
        stream = dividing.of_records(named, by_system, quiet, apart=False)
        number, evals, _ = parts_of(stream)

    assert whole == evals
    assert number == -(-len(records) // size) + -(-len(records[:2]) // size)


@pytest.mark.parametrize(
    ("row", "is_divided"),
    [
        ('x,"a\nb",c', False),
        ('x,5" tall,"open\nend"', False),
        ('x,"a,b",c', True),
        ('x,5" tall,c', True),
    ],
)
def test_a_table_whose_cells_span_lines_is_whole(
    row: str, is_divided: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table is divided only if no quoted cell has a line end."""
    monkeypatch.setattr(dividing, "WORTH_DIVIDING", 0)
    path = tmp_path / "run.csv"
    path.write_text("id,prediction,reference\n" + f"{row}\n" * 3)
    named = {"run": str(path)}
    quiet = RecordReading(notify=ignore_notice)
    stream = dividing.of_records(named, {"run": "csv"}, quiet, apart=False)

    if is_divided:
        assert 3 == len(parts_of(stream)[1])
    else:
        with pytest.raises(dividing.Indivisible, match="may span lines"):
            parts_of(stream)


def test_a_table_of_different_columns_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table is divided only if its files have the same columns: each finds its own
    when they are read one after another.
    """
    pytest.importorskip("pyarrow")
    from pyarrow import Table, parquet

    monkeypatch.setattr(dividing, "WORTH_DIVIDING", 0)
    for number, name in enumerate(("prediction", "output")):
        table = Table.from_pylist([{name: "a cat", "reference": "the cat"}])
        parquet.write_table(table, tmp_path / f"part-{number}.parquet")
    named, by_system = {"table": str(tmp_path)}, {"table": "parquet"}
    quiet = RecordReading(notify=ignore_notice)
    stream = dividing.of_records(named, by_system, quiet, apart=False)

    with pytest.raises(dividing.Indivisible, match="different columns"):
        parts_of(stream)
    assert 2 == len(read(stream))


def test_a_folder_of_jsonl_is_whole(tmp_path: Path) -> None:
    """Records of several files without IDs are numbered through all of them, so that
    one process reads them.
    """
    for number in range(2):
        (tmp_path / f"part-{number}.jsonl").write_text(jsonl([("a cat", "the cat")]))
    named, by_system = {"run": str(tmp_path)}, {"run": "jsonl"}
    quiet = RecordReading(notify=ignore_notice)
    stream = dividing.of_records(named, by_system, quiet, apart=False)

    with pytest.raises(dividing.Indivisible, match="numbered through all"):
        parts_of(stream)
    assert ["1", "2"] == [task.eval_id for task in read(stream)]
