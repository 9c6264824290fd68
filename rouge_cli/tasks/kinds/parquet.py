"""Parquet and Arrow: columns of text, read batch by batch (needs pyarrow).

A table may be a folder, as Hugging Face's datasets and Spark write it (`_tables`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from rouge_cli.errors import RougeError, UnreadableFile, require
from rouge_cli.io import files, parquet_pages, positions, urls
from rouge_cli.tasks.columns import ROLE, InputRow, header
from rouge_cli.tasks.kinds import _tables

if TYPE_CHECKING:
    from pyarrow import Array, RecordBatch, Schema
    from pyarrow.parquet import RowGroupMetaData

SUFFIXES = (".parquet", ".arrow")
START = (b"PAR1", b"ARROW1")
_ROWS = 1 << 14  # in a batch of a table; fewer if rows are long
_BYTES = 1 << 23  # of texts in a batch that become Python strings together
_MOST = 1 << 26  # bytes of a batch whose rows all repeat the longest text

Block = tuple[int, "RecordBatch"]


def rows(path: str, encoding: str | None) -> Iterator[InputRow]:  # noqa: ARG001 - their text is UTF-8
    """Yield the rows of a table, read batch by batch."""
    before = 0
    for file in _tables.files_of(path):
        number = 0
        for number, _, record in parse(blocks(file), file):
            yield InputRow(before + number, before + number, record)
        before += number


class Groups(NamedTuple):
    """Consecutive groups of rows of a parquet file.

    Attributes:
        file: The number of the file in the table, from 0.
        location: The absolute path of the file, or its URL.
        groups: The indices of the groups.
        first: The number of the first row in the file, from 1.
        before: The rows of the table in the files before this one.
    """

    file: int
    location: str
    groups: Sequence[int]
    first: int
    before: int


class Shape(NamedTuple):
    """What stands in the footer of a parquet file.

    Attributes:
        schema: Its columns.
        groups: The rows and the bytes of each group of rows.
    """

    schema: Schema
    groups: Sequence[tuple[int, int]]


def shape(path: str) -> Shape | None:
    """Return the shape of a parquet file; None for another file, or one that cannot be
    read.
    """
    require("reading parquet needs", "pyarrow", extra="parquet")
    from pyarrow import ArrowException
    from pyarrow.parquet import ParquetFile

    groups = []
    try:
        with urls.opened(path) as file:
            read = ParquetFile(file)
            for index in range(read.metadata.num_row_groups):
                group = read.metadata.row_group(index)
                groups.append((group.num_rows, group.total_byte_size))
            return Shape(read.schema_arrow, groups)
    except (ArrowException, OSError, ValueError):
        return None


def blocks(path: str, part: Groups | None = None) -> Iterator[Block]:
    """Yield the batches of a file, each with the number of its first row; raise
    RougeError if it cannot be read.

    A batch has few texts of many bytes, unless a single row has more.

    Args:
        path: The file, as it is called in messages.
        part: The rows to read of a parquet file; None for all.
    """
    require("reading parquet needs", "pyarrow", extra="parquet")
    from pyarrow import ipc
    from pyarrow.parquet import ParquetFile

    location = part.location if part else path
    with _errors(path), urls.opened(location) as file:
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
            batches = _batches(file, path, part)
        header(schema.names, path)
        rows = 0
        if start.startswith(b"PAR1"):
            rows = ParquetFile(file).metadata.num_rows
        number = part.first if part else 1
        for batch in batches:
            for some in _divided(batch, path, number):
                yield number, some
                number += some.num_rows
                if rows:
                    positions.note_share(path, (number - 1) / rows)


def parse(blocks: Iterable[Block], place: str) -> Iterator[InputRow]:
    """Yield the rows of batches of a file."""
    for first, batch in blocks:
        with _errors(place):
            records = batch.to_pylist()
        for number, record in enumerate(records, first):
            yield InputRow(number, number, record)


@contextmanager
def _errors(path: str) -> Iterator[None]:
    """Raise RougeError if Arrow cannot read a file."""
    from pyarrow import ArrowException

    try:
        yield
    except OSError as reason:
        raise UnreadableFile(path, reason, role=ROLE) from None
    except (
        ArrowException,
        ValueError,
        OverflowError,
    ) as reason:  # ValueError: text that is not UTF-8
        raise RougeError(f"cannot read as parquet: {reason}", where=path) from None


def _batches(file: BinaryIO, path: str, part: Groups | None) -> Iterator[RecordBatch]:
    """Yield the rows of a parquet file, or of a part of it, in batches whose size in
    memory is bounded.

    A few bytes can repeat a long text in each of a million rows. If the dictionary of a
    row group has such a text, texts stay in dictionaries. It takes three times as long,
    since Arrow makes another dictionary for each batch.
    """
    from pyarrow.parquet import ParquetFile

    plain = ParquetFile(file)
    metadata = plain.metadata
    columns = [metadata.schema.column(index) for index in range(metadata.num_columns)]
    texts = [column.path for column in columns if column.physical_type == "BYTE_ARRAY"]
    with_dictionaries = ParquetFile(file, read_dictionary=texts)
    rows = part.first - 1 if part else 0
    for index in part.groups if part else range(metadata.num_row_groups):
        group = metadata.row_group(index)
        average = group.total_byte_size // max(group.num_rows, 1)  # bytes of a row
        if average > files.largest_record():
            raise files.too_large("the row", f"{path}:{rows + 1}")
        _check_pages(file, group, f"{path}:{rows + 1}")
        rows += group.num_rows
        size = min(_ROWS, max(_BYTES // max(average, 1), 1))
        first = with_dictionaries.iter_batches(1, [index], use_threads=False)
        repeated = sum(sum(map(_longest, batch.columns)) for batch in islice(first, 1))
        table = plain if size * repeated <= _MOST else with_dictionaries
        yield from table.iter_batches(size, [index], use_threads=False)


def _check_pages(file: BinaryIO, group: RowGroupMetaData, where: str) -> None:
    """Raise RougeError for a page that is larger than a file that is read whole may be:
    pyarrow holds it twice or more.
    """
    most = files.RECORDS_OF_A_FILE * files.largest_record()
    for index in range(group.num_columns):
        column = group.column(index)
        start = column.data_page_offset
        if column.has_dictionary_page and column.dictionary_page_offset:
            start = min(start, column.dictionary_page_offset)
        end = start + column.total_compressed_size
        try:
            largest = max(parquet_pages.sizes(file, start, end), default=0)
        except ValueError:
            largest = column.total_uncompressed_size
        if largest > most:
            what = f"a page of column {column.path_in_schema}"
            raise files.too_large(what, where, files.RECORDS_OF_A_FILE)


def _longest(array: Array) -> int:
    """Return the most bytes of a text in the dictionaries of an array."""
    from pyarrow import compute, types

    kind = array.type
    if types.is_dictionary(kind):
        lengths = compute.binary_length(array.dictionary)
        return compute.max(lengths).as_py() or 0
    if types.is_list(kind) or types.is_large_list(kind) or types.is_struct(kind):
        parts = array.flatten() if types.is_struct(kind) else [array.values]
        return sum(map(_longest, parts))
    return 0


def _divided(batch: RecordBatch, path: str, number: int) -> Iterator[RecordBatch]:
    """Yield the rows of a batch, the first of which has this number, in parts of few
    bytes.

    Raises:
        RougeError: A row is larger than the largest record.
    """
    size = _size(batch.columns)
    if size <= _BYTES:
        yield batch
    elif batch.num_rows == 1:
        if size > files.largest_record():
            raise files.too_large("the row", f"{path}:{number}")
        yield batch
    else:
        half = batch.num_rows // 2
        yield from _divided(batch.slice(0, half), path, number)
        yield from _divided(batch.slice(half), path, number + half)


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
