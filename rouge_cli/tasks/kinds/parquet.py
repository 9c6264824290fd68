"""Parquet and Arrow: columns of text, read batch by batch (needs pyarrow).

A table may be a folder, as Hugging Face's datasets and Spark write it. Numbered files,
such as test-00000-of-00002.parquet and test-00001-of-00002.parquet, are one table,
test.parquet.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, groupby
from typing import TYPE_CHECKING, Any, BinaryIO

from rouge_cli.errors import RougeError, UnreadableFile, UsageError, require, shown
from rouge_cli.io import files, parquet_pages
from rouge_cli.tasks.columns import ROLE, InputRow, header

if TYPE_CHECKING:
    from pyarrow import Array, RecordBatch
    from pyarrow.parquet import RowGroupMetaData

SUFFIXES = (".parquet", ".arrow")
START = (b"PAR1", b"ARROW1")
_ROWS = 1024  # in a batch of a table; fewer if rows are long
_BYTES = 1 << 23  # of texts in a batch that become Python strings together
_NUMBER = r"-[0-9]{5}-of-([0-9]{5})(?=\.[a-z]+$)"


def rows(path: str, encoding: str | None) -> Iterator[InputRow]:  # noqa: ARG001 - their text is UTF-8
    """Yield the rows of a table, read batch by batch."""
    require("reading parquet needs", "pyarrow", extra="parquet")
    for number, record in enumerate(
        chain.from_iterable(map(_records, files_of(path))), 1
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
        _check_pages(file, group, f"{path}:{rows + 1}")
        rows += group.num_rows
        longest = max(longest, average)
    size = min(_ROWS, max(_BYTES // longest, 1))
    table = ParquetFile(file, read_dictionary=texts)
    yield from table.iter_batches(batch_size=size, use_threads=False)


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


def joined(paths: Sequence[str]) -> Sequence[str]:
    """Return the paths with patterns expanded, and with numbered files as one if all
    of them are named.
    """
    every: list[str] = []
    for path in paths:
        matches: list[str] = []
        if not os.path.exists(path):
            from glob import glob, has_magic  # costs start-up time

            matches = sorted(file for file in glob(path) if file.endswith(SUFFIXES))
            if not matches and has_magic(path) and path.endswith(SUFFIXES):
                raise RougeError("no file matches the pattern", where=path)
        every += matches or [path.rstrip(os.sep) or path]
    tables = []
    if not any("-of-" in path for path in every):
        return every  # without compiling the expression
    for table, numbered in groupby(every, partial(re.sub, _NUMBER, "")):
        parts = list(numbered)
        size = re.search(_NUMBER, parts[0])
        tables += [table] if size and len(parts) == int(size[1]) else parts
    return tables


def files_of(path: str) -> list[str]:
    """Return a table's files in order, none of an empty folder; raise UsageError for
    several tables.
    """
    if os.path.exists(path) and not os.path.isdir(path):
        return [path]
    from glob import escape, glob  # costs start-up time

    if not os.path.isdir(path):
        start, suffix = os.path.splitext(path)
        numbered = sorted(glob(f"{escape(start)}-*{suffix}"))
        return [file for file in numbered if re.sub(_NUMBER, "", file) == path] or [
            path
        ]
    names = sorted(
        name for name in glob("[!.]*", root_dir=path) if name.endswith(SUFFIXES)
    )
    # The library datasets leaves its caches there
    names = [name for name in names if not name.startswith("cache-")]
    splits = sorted(map(os.path.dirname, glob("*/dataset_info.json", root_dir=path)))
    tables = (
        list(dict.fromkeys(re.sub(r"-[0-9]{5}\b.*", "-*", name) for name in names))
        or splits
    )
    if len(tables) > 1:
        remedy = f"name one, as in {os.path.join(path, tables[0])}"
        raise UsageError(
            f"a folder of several tables: {shown(tables)}", where=path, remedy=remedy
        )
    parts = [os.path.join(path, part) for part in names or splits]
    return parts if names else list(chain.from_iterable(map(files_of, parts)))
