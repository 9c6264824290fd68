"""Tables of similar pairs: csv, tsv, jsonl and parquet.

    first,second,score,signature

`first` and `second` name the texts: by their number, from 1, or their ID. The first row
has the signature, which states how the scores were computed; parquet has it in the
metadata of its schema. With texts, `first_text` and `second_text` come before it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, repeat
from typing import TYPE_CHECKING, NamedTuple

from rouge_cli.errors import require
from rouge_cli.reports import csv

if TYPE_CHECKING:
    from rouge_cli.jobs.join import SimilarPair
    from rouge_cli.jobs.text_files import TextFile

SIGNATURE = "signature"


class PairTable(NamedTuple):
    """Pairs of the texts of two files.

    Attributes:
        pairs: The pairs, in order.
        first: The texts that are references.
        second: The texts that are predictions.
        signature: How the scores were computed.
        has_texts: Whether rows have the texts, too.
    """

    pairs: Sequence[SimilarPair]
    first: TextFile
    second: TextFile
    signature: str
    has_texts: bool

    @property
    def columns(self) -> list[str]:
        """The names of the columns, without the signature."""
        names = ["first", "second", "score"]
        if self.has_texts:
            names += ["first_text", "second_text"]
        return names

    def rows(self) -> Iterator[list[str | int | float]]:
        """Yield the row of each pair."""
        for first, second, score in self.pairs:
            row = [self.first.names[first], self.second.names[second], score]
            if self.has_texts:
                for file, place in ((self.first, first), (self.second, second)):
                    row.append(file.documents[place].data.decode("utf-8", "replace"))
            yield row


def _delimited(table: PairTable, delimiter: str) -> Iterator[bytes]:
    yield csv.line([*table.columns, SIGNATURE], delimiter).encode()
    signatures = chain([table.signature], repeat(""))
    for row, signature in zip(table.rows(), signatures, strict=False):
        yield csv.line([*row, signature], delimiter).encode()


def _csv(table: PairTable) -> Iterator[bytes]:
    return _delimited(table, ",")


def _tsv(table: PairTable) -> Iterator[bytes]:
    return _delimited(table, "\t")


def _jsonl(table: PairTable) -> Iterator[bytes]:
    signature = {SIGNATURE: table.signature}
    for row in table.rows():
        record = dict(zip(table.columns, row, strict=True)) | signature
        yield json.dumps(record, ensure_ascii=False).encode() + b"\n"
        signature = {}


def _parquet(table: PairTable) -> Iterator[bytes]:
    from pyarrow import BufferOutputStream, parquet
    from pyarrow import table as made

    columns: dict[str, list[object]] = {}
    rows = list(table.rows())
    for place, name in enumerate(table.columns):
        columns[name] = [row[place] for row in rows]
    written = made(columns)
    metadata = {SIGNATURE: table.signature}
    sink = BufferOutputStream()
    parquet.write_table(written.replace_schema_metadata(metadata), sink)
    yield sink.getvalue().to_pybytes()


FORMATS: Mapping[str, Callable[[PairTable], Iterator[bytes]]] = {
    "csv": _csv,
    "tsv": _tsv,
    "jsonl": _jsonl,
    "parquet": _parquet,
}


def render(table: PairTable, name: str) -> Iterable[bytes]:
    """Yield the table in one of FORMATS, part by part."""
    if name == "parquet":
        require("writing parquet needs", "pyarrow", extra="parquet")
    return FORMATS[name](table)
