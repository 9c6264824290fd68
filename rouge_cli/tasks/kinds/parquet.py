"""Parquet and Arrow: columns of text, read batch by batch (needs pyarrow).

A table may be a folder, as Hugging Face's datasets and Spark write it (`_tables`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, BinaryIO

from rouge_cli.errors import RougeError, UnreadableFile, require
from rouge_cli.io import files
from rouge_cli.tasks.columns import ROLE, InputRow, header
from rouge_cli.tasks.kinds import _tables

if TYPE_CHECKING:
    from pyarrow import Array, RecordBatch

SUFFIXES = (".parquet", ".arrow")
START = (b"PAR1", b"ARROW1")
_ROWS = 1024  # in a batch of a table; fewer if rows are long
_BYTES = 1 << 23  # of texts in a batch that become Python strings together


def rows(path: str, encoding: str | None) -> Iterator[InputRow]:  # noqa: ARG001 - their text is UTF-8
    """Yield the rows of a table, read batch by batch."""
    require("reading parquet needs", "pyarrow", extra="parquet")
    for number, record in enumerate(
        chain.from_iterable(map(_records, _tables.files_of(path))), 1
    ):
        yield InputRow(number, number, record)


def _records(path: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of a file; raise RougeError if it cannot be read."""
    from pyarrow import ArrowException, ipc
    from pyarrow.parquet import ParquetFile

    try:
        with open(path, "rb") as file:
            start = file.read(6)
            file.seek(0)
            if start == b"ARROW1":
                arrow = ipc.open_file(file)
                schema = arrow.schema
                numbers = range(arrow.num_record_batches)
                batches: Iterable[RecordBatch] = map(arrow.get_batch, numbers)
            elif path.lower().endswith(".arrow"):  # a stream, as datasets writes it
                schema, batches = (stream := ipc.open_stream(file)).schema, stream
            else:
                schema = ParquetFile(file).schema_arrow
                batches = _batches(file, path)
            header(schema.names, path)
            number = 1
            for batch in batches:
                yield from _rows_of(batch, path, number)
                number += batch.num_rows
    except OSError as reason:
        raise UnreadableFile(path, reason, role=ROLE) from None
    except (
        ArrowException,
        ValueError,
        OverflowError,
    ) as reason:  # ValueError: text that is not UTF-8
        raise RougeError(f"cannot read as parquet: {reason}", where=path) from None


def _batches(file: BinaryIO, path: str) -> Iterator[RecordBatch]:
    """Yield the rows of a parquet file in batches whose size in memory is bounded.

    Texts stay in dictionaries, as they are in the file: a few bytes can repeat a long
    text in each of a million rows.
    """
    from pyarrow.parquet import ParquetFile

    metadata = ParquetFile(file).metadata
    columns = [metadata.schema.column(index) for index in range(metadata.num_columns)]
    texts = [column.path for column in columns if column.physical_type == "BYTE_ARRAY"]
    rows = 0
    longest = 1  # bytes of a row in the group whose rows are longest, on average
    for index in range(metadata.num_row_groups):
        group = metadata.row_group(index)
        average = group.total_byte_size // max(group.num_rows, 1)
        if average > files.largest_record():
            raise files.too_large("the row", f"{path}:{rows + 1}")
        rows += group.num_rows
        longest = max(longest, average)
    size = min(_ROWS, max(_BYTES // longest, 1))
    table = ParquetFile(file, read_dictionary=texts)
    yield from table.iter_batches(batch_size=size, use_threads=False)


def _rows_of(batch: RecordBatch, path: str, number: int) -> Iterator[dict[str, Any]]:
    """Yield the rows of a batch, the first of which has this number; one by one if
    their texts are long.

    Raises:
        RougeError: A row is larger than the largest record.
    """
    if _size(batch.columns) <= _BYTES:
        yield from batch.to_pylist()
        return
    most = files.largest_record()
    for index in range(batch.num_rows):
        row = batch.slice(index, 1)
        if _size(row.columns) > most:
            raise files.too_large("the row", f"{path}:{number + index}")
        yield from row.to_pylist()


def _size(arrays: Sequence[Array]) -> int:
    """Return the bytes of all values of the arrays, those of repeated values as often
    as they are repeated; an upper bound for types that tables seldom have.
    """
    from pyarrow import compute, types

    size = 0
    for array in arrays:
        kind = array.type
        if types.is_dictionary(kind) and types.is_string(kind.value_type):
            lengths = compute.binary_length(array.dictionary)
            size += compute.sum(lengths.take(array.indices)).as_py() or 0
        elif types.is_list(kind) or types.is_large_list(kind) or types.is_struct(kind):
            parts = array.flatten()
            size += _size(parts if isinstance(parts, list) else [parts])
        elif types.is_primitive(kind) or types.is_string(kind):
            size += array.nbytes
        else:
            size += array.nbytes * len(array)
    return size
