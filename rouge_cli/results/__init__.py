"""Kinds of results: a module for each, with its record and the functions that report formats call.

tables(result, layout): Tables for people. notes(result, layout): lines below the tables.
paper(result, layout): a single Table for a paper, with the notes in its caption; latex and
markdown render it in place of the tables.
prose(result, layout): lines of pieces, which the format text prints in place of the tables.
document(result, layout): one JSON value. lines(result, layout): JSON values, a line each; by default the
document's fields, then the records in its lists.
rows(result, layout): cells of a delimited table, its head first.

A kind may lack some of these, and may have others for its own formats: a format renders the kinds that
have the function that its NEEDS names. Numbers in documents, lines and rows are not rounded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from rouge_cli import plugins

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


class Reportable(Protocol):
    """A result of any kind."""

    @property
    def signature(self) -> str:
        """Return the signature of its scores; empty if unknown."""


def kind_name(result: Reportable) -> str:
    """Return the kind: the module here that defines the record; `scores` for reports of scores."""
    package, _, name = type(result).__module__.rpartition(".")
    return name if package == __name__ else "scores"


def kind_of(result: Reportable) -> Any:  # noqa: ANN401 - a module whose functions depend on the kind
    """Return the module that lays out results of this kind."""
    return plugins.module(__name__, kind_name(result))
