"""Kinds of results: each is a class derived from `Presentable`, and KINDS names them.

A kind writes its tables and notes, its document (one JSON value) and its rows (cells of a delimited
table, the head first). It may have `prose`, which the format text prints in place of the tables; `paper`, a
single Table for a paper, which latex and markdown render in place of the tables; and methods for its own
formats. A format renders the kinds that have the method that its NEEDS names. Numbers in documents, records
and rows are not rounded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from rouge_cli import plugins

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import TypedDict

    from rouge_cli.results._presentation import Presentable
    from rouge_cli.results._tables import Piece, Table

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
# Kind -> its module and its class.
KINDS = {
    "audit": ("doubts", "Audit"),
    "battery": ("timelines", "Battery"),
    "comparison": ("comparison", "Comparison"),
    "correlation": ("correlation", "Correlations"),
    "dialects": ("doubts", "Dialects"),
    "explanation": ("explanations", "Explanations"),
    "identification": ("doubts", "Identification"),
    "project": ("scores", "Project"),
    "scores": ("scores", "Results"),
    "timeline": ("timelines", "Timelines"),
}


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


@runtime_checkable
class HasPaper(Protocol):
    """A result with a single table for a paper."""

    def paper(self, layout: Layout) -> Table | None:
        """Return the table; None if this layout has none."""


@runtime_checkable
class HasProse(Protocol):
    """A result with lines of words for the format text."""

    def prose(self, layout: Layout) -> Iterable[Sequence[Piece]]:
        """Return the pieces of each line."""


def kind(name: str) -> type[Presentable]:
    """Return the class of a kind."""
    module, class_name = KINDS[name]
    result: type[Presentable] = getattr(plugins.module(__name__, module), class_name)
    return result
