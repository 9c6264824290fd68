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
from rouge_cli.io import files
from rouge_cli.tasks.columns import ROLE, InputRow, header

if TYPE_CHECKING:
    from pyarrow import Array, RecordBatch

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
    tables: list[str] = []
    for table, numbered in groupby(every, partial(re.sub, _NUMBER, "")):
        parts = list(numbered)
        number = re.search(_NUMBER, parts[0])
        is_complete = number is not None and len(parts) == int(number[1])
        if is_complete:
            tables.append(table)
        else:
            tables += parts
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
        numbered = []
        for file in sorted(glob(f"{escape(start)}-*{suffix}")):
            if re.sub(_NUMBER, "", file) == path:
                numbered.append(file)
        return numbered or [path]
    names = sorted(
        name for name in glob("[!.]*", root_dir=path) if name.endswith(SUFFIXES)
    )
    # The library datasets leaves its caches there
    names = [name for name in names if not name.startswith("cache-")]
    splits = sorted(map(os.path.dirname, glob("*/dataset_info.json", root_dir=path)))
    # The files of a table differ in a number of five digits
    patterns = [re.sub(r"-[0-9]{5}\b.*", "-*", name) for name in names]
    tables = list(dict.fromkeys(patterns)) or splits
    if len(tables) > 1:
        remedy = f"name one, as in {os.path.join(path, tables[0])}"
        raise UsageError(
            f"a folder of several tables: {shown(tables)}", where=path, remedy=remedy
        )
    if names:
        return [os.path.join(path, name) for name in names]
    of_splits = [files_of(os.path.join(path, split)) for split in splits]
    return list(chain.from_iterable(of_splits))
