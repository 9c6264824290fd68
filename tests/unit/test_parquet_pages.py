"""Sizes of the pages of parquet files, against the sums that the footer states."""

import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rouge_cli.io import parquet_pages

pyarrow = pytest.importorskip("pyarrow")


def chunks(**settings: Any) -> tuple[io.BytesIO, list[Any]]:  # noqa: ANN401 - pyarrow's
    """Write a table of several kinds of columns; return the file and the metadata of
    the columns of its groups.
    """
    from pyarrow import parquet

    table = pyarrow.table(
        {
            "text": [f"text {number} " * 20 for number in range(3000)],
            "texts": [["a", "b" * 3]] * 3000,
            "number": list(range(3000)),
            "record": [{"x": 1.5, "y": "z" * 100, "z": True}] * 3000,
        }
    )
    file = io.BytesIO()
    parquet.write_table(
        table, file, row_group_size=1700, data_page_size=5000, **settings
    )
    metadata = parquet.ParquetFile(file).metadata
    columns = []
    for index in range(metadata.num_row_groups):
        group = metadata.row_group(index)
        columns += [group.column(place) for place in range(metadata.num_columns)]
    return file, columns


@pytest.mark.parametrize("compression", ["zstd", "none"])
@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("use_dictionary", [True, False])
@pytest.mark.parametrize("extras", [True, False])
def test_pages_add_up(
    compression: str, version: str, use_dictionary: bool, extras: bool
) -> None:
    """The pages of a column and their headers are as large as the footer states: none
    is missed, whatever its header contains.
    """
    file, columns = chunks(
        compression=compression,
        data_page_version=version,
        use_dictionary=use_dictionary,
        write_statistics=extras,
        write_page_checksum=extras,
    )
    number = 0
    for column in columns:
        start = column.data_page_offset
        if column.has_dictionary_page:
            start = column.dictionary_page_offset
        end = start + column.total_compressed_size
        pages = list(parquet_pages.sizes(file, start, end))
        headers = column.total_uncompressed_size - sum(pages)
        number += len(pages)
        assert 10 * len(pages) <= headers <= 1000 * len(pages)
    assert number > len(columns)


@given(st.binary(max_size=60))
def test_any_bytes_are_pages_or_an_error(data: bytes) -> None:
    """Bytes that are no page raise ValueError, and nothing else."""
    try:
        pages = list(parquet_pages.sizes(io.BytesIO(data), 0, len(data)))
    except ValueError:
        return
    assert all(size >= 0 for size in pages)


def test_a_deep_or_endless_header_is_an_error() -> None:
    """Structs in structs, and a list that states more items than there are, end."""
    for data in (b"\x1c" * 100_000, b"\x19\xf1\xff\xff\xff\xff\x0f"):
        with pytest.raises(ValueError, match="a page without a header"):
            list(parquet_pages.sizes(io.BytesIO(data), 0, len(data)))
