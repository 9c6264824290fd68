"""Tables of text with cells separated by a delimiter."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Any

from rouge_cli import files
from rouge_cli.errors import RougeError
from rouge_cli.tasks.rows import ROLE, Row, header

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


def read(path: str, encoding: str | None, *, delimiter: str) -> Iterator[Row]:
    """Yield the rows below the line of names; a row may span several lines, inside quotes."""
    csv.field_size_limit((1 << 31) - 1)
    texts = (line.decode() for _, line in files.lines(path, ROLE, encoding, ends=True))
    reader = csv.reader(texts, delimiter=delimiter, strict=True)
    names: list[str] = []
    line = 1
    try:
        for cells in reader:
            where = f"{files.place(path)}:{line}"
            if cells and not names:
                names = header(cells, where)
            elif cells:
                record: Mapping[str, Any] | RougeError = dict(zip(names, cells, strict=False))
                if len(cells) != len(names):
                    size = f"{len(cells)} cell{'s' * (len(cells) != 1)}"
                    size += f" under {len(names)} column{'s' * (len(names) != 1)}"
                    record = RougeError(size, where=where, remedy="quote cells with a delimiter")
                yield Row(line, line, record)
            line = reader.line_num + 1
    except csv.Error as error:
        wrong = RougeError(
            f"not a table ({error})",
            where=f"{files.place(path)}:{line}",
            remedy='inside quotes write " as ""',
        )
        yield Row(line, line, wrong)
