"""Tab-separated values, below a line of names; a row may span several lines inside quotes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rouge_cli.tasks.kinds import _delimited

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rouge_cli.tasks.rows import Row

SUFFIXES = (".tsv",)
CELLS_ARE_TEXT = True
DELIMITER = "\t"


def rows(path: str, encoding: str | None) -> Iterator[Row]:
    """Return the rows below the line of names."""
    return _delimited.read(path, DELIMITER, encoding)
