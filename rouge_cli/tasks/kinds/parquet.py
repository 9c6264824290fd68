"""Parquet: columns of text, read batch by batch (needs pyarrow)."""

from __future__ import annotations

from collections.abc import Iterator

from rouge_cli.errors import RougeError, UnreadableFile, require
from rouge_cli.tasks.columns import ROLE, InputRow, header

SUFFIXES = (".parquet",)


def rows(path: str, encoding: str | None) -> Iterator[InputRow]:  # noqa: ARG001 - text in parquet is UTF-8
    """Yield the rows of a parquet file, read batch by batch."""
    require("reading parquet needs", "pyarrow", extra="parquet")
    from pyarrow import ArrowException
    from pyarrow.parquet import ParquetFile

    number = 0
    try:
        with open(path, "rb") as file:
            parquet = ParquetFile(file)
            header(parquet.schema_arrow.names, path)
            for batch in parquet.iter_batches():
                for record in batch.to_pylist():
                    number += 1
                    yield InputRow(number, number, record)
    except OSError as reason:
        raise UnreadableFile(path, reason, role=ROLE) from None
    except (ArrowException, ValueError, OverflowError) as reason:  # ValueError: text that is not UTF-8
        raise RougeError(f"cannot read as parquet: {reason}", where=path) from None
