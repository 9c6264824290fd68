"""The table of the format csv as a parquet file, unrounded; needs pyarrow.

Missing values are null. The signature is a column, as in csv, and stands in the file's
metadata as well (`rouge_cli_signature`).
"""

from collections.abc import Iterable
from io import BytesIO

from rouge_cli.errors import require
from rouge_cli.results.base import Layout, Presentable, plain


def render(result: Presentable, layout: Layout) -> bytes:
    """Return the bytes of the file."""
    require("writing parquet needs", "pyarrow", extra="parquet")
    import pyarrow as pa
    from pyarrow import parquet

    heads, *rows = result.rows(layout)
    columns = zip(*rows, strict=True) if rows else [()] * len(heads)
    arrays = {}
    for head, cells in zip(heads, columns, strict=True):
        arrays[str(head)] = _filled(cells)
    table = pa.table(arrays)
    table = table.replace_schema_metadata({"rouge_cli_signature": result.signature})
    written = BytesIO()
    parquet.write_table(table, written, compression="zstd")
    return written.getvalue()


def _filled(cells: Iterable[object]) -> list[object]:
    """Return the cells of a column, with None for empty ones; if some are texts, all
    are.
    """
    values = [None if cell == "" else plain(cell) for cell in cells]
    if any(isinstance(value, str) for value in values):
        return [value if value is None else str(value) for value in values]
    return values
