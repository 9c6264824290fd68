"""Comma-separated values, below a line of names; a row may span several lines inside
quotes.
"""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import StringIO
from itertools import chain

from rouge_cli.errors import RougeError
from rouge_cli.io import files
from rouge_cli.tasks.columns import ROLE, InputRow, header

SUFFIXES = (".csv",)
CELLS_ARE_TEXT = True
DELIMITER = ","
OPTIONS = ("delimiter", "no_header")


def rows(
    path: str,
    encoding: str | None,
    delimiter: str = DELIMITER,
    *,
    no_header: bool = False,
) -> Iterator[InputRow]:
    """Yield the rows below the line of names, or all rows if there is no such line."""
    return parse(
        files.blocks(path, ROLE, encoding),
        files.place(path),
        delimiter,
        no_header=no_header,
    )


def parse(
    blocks: Iterable[tuple[int, bytes]],
    place: str,
    delimiter: str = DELIMITER,
    names: Sequence[str] = (),
    *,
    no_header: bool = False,
) -> Iterator[InputRow]:
    """Yield the rows of blocks (number of first line, lines).

    Args:
        names: The names of the columns; by default the first row has them.
        no_header: The first row has texts; columns are called 1, 2, ...
    """
    csv.field_size_limit((1 << 31) - 1)
    rest = iter(blocks)
    first, start = next(rest, (1, b""))
    row = _Row(chain([(first, start)], rest))
    reader = csv.reader(row.lines(), delimiter=delimiter, strict=True)
    line = first
    try:
        for cells in reader:
            row.size = 0
            if cells and not names and no_header:
                names = [str(number) for number in range(1, len(cells) + 1)]
            elif cells and not names:
                names = header(cells, f"{place}:{line}")
                cells = []  # noqa: PLW2901 - names are not a row
            if cells:
                record: Mapping[str, object] | RougeError = dict(
                    zip(names, cells, strict=False)
                )
                if len(cells) != len(names):
                    size = f"{len(cells)} cell{'s' * (len(cells) != 1)}"
                    size += f" under {len(names)} column{'s' * (len(names) != 1)}"
                    remedy = "quote cells with a delimiter"
                    record = RougeError(size, where=f"{place}:{line}", remedy=remedy)
                yield InputRow(line, line, record)
            line = first + reader.line_num
    except _LargeRow:
        where = f"{place}:{line}"
        yield InputRow(line, line, files.too_large("the row", where))
    except csv.Error as error:
        where, remedy = f"{place}:{line}", 'inside quotes write " as ""'
        yield InputRow(
            line, line, RougeError(f"not a table ({error})", where=where, remedy=remedy)
        )


class _LargeRow(Exception):
    """A row is larger than the largest record."""


class _Row:
    """The lines of a table, with the size of the row that is being read.

    A quote that is never closed makes one row of the whole file.
    """

    def __init__(self, blocks: Iterable[tuple[int, bytes]]) -> None:
        self._blocks = blocks
        self.size = 0

    def lines(self) -> Iterator[str]:
        """Yield the lines with their ends; raise _LargeRow."""
        most = files.largest_record()
        for _, block in self._blocks:
            for line in StringIO(block.decode(), "\n"):
                self.size += len(line)
                if self.size > most:
                    raise _LargeRow
                yield line
