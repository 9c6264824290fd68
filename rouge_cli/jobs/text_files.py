"""Files of texts: a text on each line, or a column of records, and the records that are
kept.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from rouge_cli.core import Document
from rouge_cli.errors import RougeError, UsageError, raise_all
from rouge_cli.io import files, urls
from rouge_cli.tasks import cells, columns, contents, kinds
from rouge_cli.tasks.kinds import LINES, _tables, parquet

if TYPE_CHECKING:
    from rouge_cli.tasks.columns import InputRow
    from rouge_cli.tasks.kinds import RecordLayout

ROLE = "file of texts"
# Common names of columns of texts, the best first.
NAMES = (
    *("text", "texts", "instruction", "sentence", "prompt", "question", "query"),
    *("content", "document", "article", "input", "summary", "prediction", "output"),
)
_SHOWN = 5  # errors of a file
# Kinds whose records are lines, and others whose records can be written.
LINED = ("csv", "jsonl", "tsv")
WRITTEN = (*LINED, "json", "parquet")


class TextFile(NamedTuple):
    """The texts of a file, and its records.

    Attributes:
        path: The file.
        kind: The kind of its records, or LINES.
        documents: The texts.
        names: What names each text: its value in the column of IDs, or its number from
            1.
        head: What stands before the first record, as its names of columns; for kinds
            whose records are lines.
        lines: Each record with its line ends; for the same kinds.
        rows: The records of other kinds.
    """

    path: str
    kind: str
    documents: Sequence[Document]
    names: Sequence[str | int]
    head: bytes = b""
    lines: Sequence[bytes] = ()
    rows: Sequence[Mapping[str, object]] = ()


class TextColumns(NamedTuple):
    """The columns of a file, and what messages call the options that name them.

    Attributes:
        text: The column of texts; None to find it by its name.
        id: The column of IDs; None for numbers.
        option: The option that names the column of texts.
    """

    text: str | None
    id: str | None
    option: str


def read(
    path: str,
    kind: str | None,
    wanted: TextColumns,
    layout: RecordLayout,
    encoding: str,
) -> TextFile:
    """Return the texts of a file.

    Args:
        kind: The kind of the file; None to find it.
        wanted: The columns.
        layout: What is stated about records.
        encoding: The encoding of the file.

    Raises:
        RougeError: The file cannot be read, or a record, or the file, has no text.
        UsageError: A column is not there, or nothing tells which has the texts.
    """
    texts = _read(path, kind or kind_of(path), wanted, layout, encoding)
    if not texts.documents:
        raise RougeError("no text in it", where=files.place(path))
    return texts


def _read(
    path: str, kind: str, wanted: TextColumns, layout: RecordLayout, encoding: str
) -> TextFile:
    """Return the texts of a file of this kind, which may have none."""
    if kind != LINES and not kinds.is_records(kind):
        raise UsageError(
            f"{kind} is no kind of records or lines",
            where=files.place(path),
            remedy="give a file with a text on each line, or records",
        )
    layout.check({path: kind})
    place = files.place(path)
    if kind == LINES:
        for name, value in ((wanted.option, wanted.text), ("--id-column", wanted.id)):
            if value is not None:
                what = f"{name} with lines of text"
                raise UsageError(what, where=place, remedy="leave it out")
        return _of_lines(path, place, encoding)

    module = kinds.named(kind)
    options = layout.of_kind(kind)
    if kind not in LINED:
        rows = list(module.rows(path, encoding, **options))
        texts = _of_rows(path, kind, rows, wanted)
        found = [row.record for row in rows if isinstance(row.record, Mapping)]
        return texts._replace(rows=found)
    blocks = list(files.blocks(path, ROLE, encoding))
    rows = list(module.parse(blocks, place, **options))
    texts = _of_rows(path, kind, rows, wanted)
    data = b"".join(block for _, block in blocks)
    lines = data.split(b"\n")
    ends = [b"\n"] * (len(lines) - 1) + [b""]
    whole = [line + end for line, end in zip(lines, ends, strict=True)]
    starts = [row.line - 1 for row in rows] + [len(whole)]
    of_rows = [b"".join(whole[start:end]) for start, end in pairwise(starts)]
    return texts._replace(head=b"".join(whole[: starts[0]]), lines=of_rows)


def kind_of(path: str) -> str:
    """Return the kind of a file's records, or LINES."""
    if os.path.isdir(path) or _tables.is_pattern(path):
        return kinds.detect(path)
    return contents.kind_of(path, contents.PRED)


def _of_lines(path: str, place: str, encoding: str) -> TextFile:
    documents = []
    lines = []
    for _, block in files.blocks(path, ROLE, encoding):
        for line in block.split(b"\n")[: -1 if block.endswith(b"\n") else None]:
            lines.append(line + b"\n")
            where = f"{place}:{len(lines)}"
            documents.append(Document(line.removesuffix(b"\r"), where))
    return TextFile(path, LINES, documents, range(1, len(lines) + 1), lines=lines)


def _of_rows(
    path: str, kind: str, rows: Sequence[InputRow], wanted: TextColumns
) -> TextFile:
    """Return the texts of records."""
    place = files.place(path)
    errors = []
    for row in rows:
        if isinstance(row.record, RougeError):
            errors.append(row.record)
    raise_all(errors[:_SHOWN])
    column = wanted.text
    documents = []
    names: list[str | int] = []
    for number, row in enumerate(rows, 1):
        assert not isinstance(row.record, RougeError)  # noqa: S101 - raised above
        where = f"{place}:{row.number}"
        if column is None:
            column = _column_of_texts(row.record, where, wanted.option)
        known = columns.ColumnNames(id=wanted.id, predictions=(column,))
        record = cells.record_of(row, known, where)
        value = cells.cell_of(record[column])
        text = cells.text_of(value, column, where, wanted.option)
        documents.append(Document(text, where))
        name = cells.name_of(record, wanted.id, where) if wanted.id else number
        names.append(name)
    return TextFile(path, kind, documents, names)


def _column_of_texts(record: Mapping[str, object], where: str, option: str) -> str:
    """Return the column of texts: the only one of strings, or of a common name."""
    strings = [name for name, value in record.items() if isinstance(value, str)]
    if len(strings) == 1:
        return strings[0]
    folded = {columns.fold(name): name for name in record}
    for name in NAMES:
        if name in folded:
            return folded[name]
    raise UsageError(
        f"no column is known to have the texts; there are"
        f" {columns.list_names(list(record))}",
        where=where,
        remedy=f"name it with {option}",
    )


def check_output(path: str | None, kind: str) -> None:
    """Raise UsageError unless records of a kind can be written to a file."""
    if kind not in (LINES, *WRITTEN):
        raise UsageError(
            f"records of the kind {kind} cannot be written",
            remedy=f"give {', '.join(WRITTEN)} or lines",
        )
    name = path or files.STDIN
    suffixes = () if kind == LINES else kinds.named(kind).SUFFIXES
    suffix = os.path.splitext(name)[1].lower()
    is_stdout = name == files.STDIN
    if kind == "parquet":
        is_known = suffix == ".parquet"
    elif kind == LINES:
        is_known = is_stdout or not kinds.by_suffix(name)
    else:
        is_known = is_stdout or suffix in suffixes
    if not is_known:
        ends = ".parquet" if kind == "parquet" else " or ".join(suffixes) or ".txt"
        raise UsageError(
            f"the kept records are written as they are read, as {kind}",
            where="" if is_stdout else name,
            remedy=f"name a file that ends in {ends} with -o",
        )


def kept(texts: TextFile, positions: Sequence[int]) -> Iterable[bytes]:
    """Return the records at these positions as they stand in the file; as one array if
    it is JSON.
    """
    if texts.kind == "parquet":
        return [_parquet(texts.path, positions)]
    if texts.kind == "json":
        chosen = [texts.rows[position] for position in positions]
        written = json.dumps(chosen, ensure_ascii=False, indent=2, default=str)
        return [written.encode() + b"\n"]
    return _lines(texts, positions)


def _lines(texts: TextFile, positions: Iterable[int]) -> Iterator[bytes]:
    yield texts.head
    last = len(texts.lines) - 1
    for position in positions:
        line = texts.lines[position]
        # Another record may follow the last one, which may have no line end.
        is_whole = position != last or line.endswith(b"\n")
        yield line if is_whole else line + b"\n"


def _parquet(path: str, positions: Sequence[int]) -> bytes:
    from pyarrow import BufferOutputStream, Table, array, concat_tables
    from pyarrow import parquet as written

    tables = []
    for file in _tables.files_of(path):
        if file.lower().endswith(".parquet"):
            with urls.opened(file) as opened:
                tables.append(written.read_table(opened))
        else:  # Arrow
            batches = [batch for _, batch in parquet.blocks(file)]
            tables.append(Table.from_batches(batches))
    chosen = concat_tables(tables).take(array(positions, "int64"))
    sink = BufferOutputStream()
    written.write_table(chosen, sink)
    data: bytes = sink.getvalue().to_pybytes()
    return data
