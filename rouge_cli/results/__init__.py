"""Kinds of results: each is a class derived from `Presentable`, and `reports.KINDS` names them.

A kind writes its tables and notes, its document (one JSON value) and its rows (cells of a delimited
table, the head first). It may have `prose`, which the format text prints in place of the tables; `paper`, a
single Table for a paper, which latex and markdown render in place of the tables; and methods for its own
formats. A format renders the kinds that have the method that its NEEDS names. Numbers in documents, records
and rows are not rounded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypedDict

    class LayoutFields(TypedDict, total=False):
        """The fields of Layout, as keywords; a field that is left out has its default for the result."""

        columns: Sequence[tuple[str, str]]
        per_eval: bool
        digits: int
        scale: float
        confidence: float | str
        ranks: bool
        terminal: bool
        width: int
        most: int | None
        intervals: bool


SHOWN = 20  # entries of a long list in tables, rows of a table in a notebook
MOST_DIGITS = 15  # decimals in tables


class Layout(NamedTuple):
    """How a result is laid out, the same for every format.

    Attributes:
        columns: (label, figure) in order, the figure one of R, P and F: the columns of a table. Formats for
            machines (json, jsonl, csv, tsv) always have all three figures of the labels.
        per_eval: One row for each eval, system and metric, instead of the averages.
        digits: Decimals in tables.
        scale: The factor of every score, 1 or 100.
        confidence: The interval's level in percent, as the user typed it.
        ranks: Whether tables include each system's rank by the first column.
        terminal: Whether the output is a person's terminal, so that colours are useful.
        width: The terminal's columns.
        most: The number of entries of a long list in tables; None for all.
        intervals: Whether a paper's table includes them.
    """

    columns: Sequence[tuple[str, str]] = ()
    per_eval: bool = False
    digits: int = 5
    scale: float = 1.0
    confidence: str = "95"
    ranks: bool = False
    terminal: bool = False
    width: int = 80
    most: int | None = None
    intervals: bool = False
