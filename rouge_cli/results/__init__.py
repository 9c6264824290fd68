"""Kinds of results, and the layout of their reports.

Each kind is a class derived from `Presentable`; `reports.KINDS` lists them. A kind
provides tables and notes for people, a document (one JSON value), and rows (the cells
of a delimited table, its head first). It may also have:

- `prose`, which the format text prints instead of tables;
- `paper`, a single Table for a paper, which latex and markdown render instead of
  tables;
- `cases`, the tests that averages pass or fail: (system, name, message or an empty
  string);
- methods for formats of its own.

A format renders the kinds that have the method named in its NEEDS. Numbers in
documents, records and rows are not rounded.
"""

from collections.abc import Sequence
from typing import NamedTuple

MOST_DIGITS = 15  # decimals in tables


class Layout(NamedTuple):
    """How a result is laid out, the same for every format."""

    # The columns of a table: pairs of a label and a measure (R, P or F). Formats for
    # machines (json, jsonl, csv, tsv) always have all three measures of the labels.
    columns: Sequence[tuple[str, str]] = ()
    per_eval: bool = (
        False  # True for one row per eval, system and metric; False for averages
    )
    digits: int = 5  # decimals in tables
    scale: float = 1.0  # the factor of every score, 1 or 100
    confidence: str = "95"  # the level of intervals in percent, as the user typed it
    ranks: bool = (
        False  # True if tables include the rank of each system by the first column
    )
    terminal: bool = (
        False  # True if the output is a terminal, so that colours are useful
    )
    width: int = 80  # of the terminal, in columns
    most: int | None = (
        None  # the largest number of entries listed in a table; None for all
    )
    intervals: bool = False  # True if the table for a paper includes intervals
    bounds: Sequence[
        tuple[str, str, float]
    ] = ()  # (label, R or P or F, the lowest average allowed)
    safe_cells: bool = (
        False  # True if a cell of csv or tsv cannot begin a formula of a spreadsheet
    )
    allowed: str | None = (
        None  # how much worse than others a system may be: `significantly`, or points
    )
