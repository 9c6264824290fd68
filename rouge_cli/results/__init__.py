"""Kinds of results, and the layout of their reports.

Each kind is a class derived from `Presentable`; `reports.KINDS` lists them. A kind
writes tables and notes for people. It declares the rest: the `schema`, `settings` and
`lists` of its document (one JSON value), and the list whose records are the rows of
delimited tables (`listed`). A kind whose document or rows are others writes `document`,
or `entries` under its `heads`. It may also have:

- `prose`, which the format text prints instead of tables;
- `paper`, a single Table for a paper, which latex and markdown render instead of
  tables;
- `cases`, the tests that averages pass or fail: (system, name, message or an empty
  string);
- methods for formats of its own.

A format renders the kinds that have the method named in its NEEDS. Numbers in
documents, records and rows are not rounded.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypedDict

MOST_DIGITS = 15  # decimals in tables
SIGNATURES = ("short", "long", "none")  # how a table may state its signature


class Layout(NamedTuple):
    """How a result is laid out, the same for every format."""

    # The columns of a table: pairs of a label and a measure (R, P or F). Formats for
    # machines (json, jsonl, csv, tsv) always have all three measures of the labels,
    # except for rows that are wide.
    columns: Sequence[tuple[str, str]] = ()
    # True for one row per eval, system and metric; False for averages
    per_eval: bool = False
    # True for one row per eval and system, with a column for each of `columns`
    wide: bool = False
    digits: int = 5  # decimals in tables
    scale: float = 1.0  # the factor of every score, 1 or 100
    confidence: str = "95"  # the level of intervals in percent, as the user typed it
    # True if tables include the rank of each system by the first column
    ranks: bool = False
    # True if the output is a terminal, so that colours are useful
    terminal: bool = False
    width: int = 80  # of the terminal, in columns
    # The largest number of entries listed in a table; None for all
    most: int | None = None
    intervals: bool = False  # True if the table for a paper includes intervals
    # (label, R or P or F, the lowest average allowed)
    bounds: Sequence[tuple[str, str, float]] = ()
    # True if a cell of csv or tsv cannot begin a formula of a spreadsheet
    safe_cells: bool = False
    # How tables state the signature: `short`, `long` or `none`; empty for the format's
    # usual way
    signature: str = ""
    # How much worse than others a system may be: `significantly`, or points
    allowed: str | None = None
    lengths: bool = False  # True if tables have the lengths of texts


class LayoutFields(TypedDict, total=False):
    """The fields of Layout as keywords; a missing one has the default of the result."""

    columns: Sequence[tuple[str, str]]
    per_eval: bool
    wide: bool
    digits: int
    scale: float
    confidence: float | str
    ranks: bool
    terminal: bool
    width: int
    most: int | None
    intervals: bool
    bounds: Sequence[tuple[str, str, float]]
    safe_cells: bool
    signature: str
    allowed: str | None
    lengths: bool
