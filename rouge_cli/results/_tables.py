"""Tables for people (text, markdown, latex): cells, marks of the best, captions and remarks.

Tables hold plain text; each format escapes and aligns it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import isfinite, isnan, nan

from rouge_cli.core import Average, Estimate, NamedTuple
from rouge_cli.errors import escape
from rouge_cli.results import Layout

NOTHING = "-"
TIMES = "\N{MULTIPLICATION SIGN}"
_MEASURES = {"R": "recall", "P": "precision", "F": "F"}


class Cell(NamedTuple):
    """A cell of a table, already formatted."""

    value: str
    interval: str = ""  # empty if there is none
    best: bool = False  # True for the best of its column
    mark: str = ""  # superscript after the number, such as a dagger or the letters of groups


class Row(NamedTuple):
    """A row: names, safe to display, then numbers."""

    names: Sequence[str]
    cells: Sequence[Cell]


class Piece(NamedTuple):
    """A piece of a line of prose."""

    text: str
    mark: str = ""  # how the format text marks it, such as `counted`; empty for plain text


class Table(NamedTuple):
    """A table for people."""

    names: Sequence[str]  # the heads of the first columns, which contain names
    numbers: Sequence[str]  # the heads of the other columns
    rows: Sequence[Row]
    caption: str = ""  # a line above the table
    remark: str = ""  # a line below the table, such as the number of omitted rows


def visible(name: str) -> str:
    """Return the name for display: invisible characters escaped, two quotes if it is empty."""
    return escape(name) or '""'


def pluralize(number: int, noun: str) -> str:
    """Return the number with its noun, as in `1 eval` and `2 evals`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def format_score(value: float, layout: Layout) -> str:
    """Format a score for tables."""
    return f"{value * layout.scale:.{layout.digits}f}"


def interval(estimate: Estimate, layout: Layout) -> str:
    """Format the interval of a score for tables; return an empty string if there is none."""
    return format_interval(estimate, f".{layout.digits}f", layout.scale)


def format_interval(estimate: Estimate, form: str, scale: float = 1.0) -> str:
    """Format both ends of an interval, as in `.5f`; return an empty string if there is none."""
    if estimate.low is None or estimate.high is None:
        return ""
    return f"[{estimate.low * scale:{form}}, {estimate.high * scale:{form}}]"


def left_out(items: Sequence[object], layout: Layout) -> str:
    """Return a remark on the items that a table leaves out; empty if it lists all."""
    more = len(items) - len(items[: layout.most])
    return f"... and {more} more (--all)" if more else ""


def with_best(cells: Sequence[Cell]) -> Sequence[Cell]:
    """Mark the best cells of a column, compared as printed; a single cell is not marked."""
    values = [nan if cell.value == NOTHING else float(cell.value) for cell in cells]
    finite = [value for value in values if isfinite(value)]
    if len(cells) < 2 or not finite:
        return cells
    best = max(finite)
    return [cell._replace(best=value == best) for cell, value in zip(cells, values, strict=True)]


def paper_heads(names: Sequence[str], layout: Layout) -> tuple[str, list[str]]:
    """Return what the caption of a paper's table calls the scores, and short heads of the columns.

    If all columns have the same measure, the caption names it and the heads omit it: `R-1` for ROUGE-1 F.
    """
    letters = {name.rpartition(" ")[2] for name in names}
    measure = _MEASURES.get(letters.pop(), "") if len(letters) == 1 else ""
    family = "ROUGE" if all(name.startswith("ROUGE") for name in names) else ""
    scores = " ".join(filter(None, (family, measure))) or "scores"
    scale = f" {TIMES} {layout.scale:g}" if layout.scale != 1 else ""
    short = [name.rpartition(" ")[0] or name for name in names] if measure else names
    heads = [visible(re.sub("^ROUGE-", "R-", name)) for name in short]
    return f"{scores[:1].upper()}{scores[1:]}{scale}", heads


def p_value(p: float) -> str:
    """Format a p-value for tables; it is never printed as 0."""
    if isnan(p):
        return NOTHING
    return "<0.0001" if p < 0.0001 else f"{p:.4f}"


def figure(average: Average, letter: str) -> Estimate:
    """Return the average of a measure: recall for R, precision for P, F for F."""
    return average["RPF".index(letter)]
