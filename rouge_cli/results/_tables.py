"""Tables for people (text, markdown, latex): cells, marks of the best, captions and remarks.

Tables hold plain text; each format escapes and aligns it.
"""

from __future__ import annotations

import re
from math import isfinite, isnan, nan
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rouge_cli.core import Average, Estimate
    from rouge_cli.results import Layout

NOTHING = "-"
TIMES = "\N{MULTIPLICATION SIGN}"
_FIGURES = {"R": "recall", "P": "precision", "F": "F"}


class Cell(NamedTuple):
    """A printed number, its interval if there is one, and whether it is the best of its column."""

    value: str
    interval: str = ""
    best: bool = False
    mark: str = ""  # superscript after the number, such as a dagger or the letters of groups


class Row(NamedTuple):
    """The names at the start of a row, safe to display, and its numbers."""

    names: Sequence[str]
    cells: Sequence[Cell]


class Piece(NamedTuple):
    """A piece of a line of prose, and its mark in the format text; empty if it has none."""

    text: str
    mark: str = ""


class Table(NamedTuple):
    """Rows under a head; `names` are the heads of the first columns, `numbers` those of the others."""

    names: Sequence[str]
    numbers: Sequence[str]
    rows: Sequence[Row]
    caption: str = ""  # a line above it
    remark: str = ""  # a line below it, such as how many rows are left out


def visible(name: str) -> str:
    """Return the name on one line: invisible characters are escaped, an empty name is two quotes."""
    if name.isprintable():
        return name or '""'
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in name)


def pluralize(number: int, noun: str) -> str:
    """Return the number with its noun, in the plural unless it is 1."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def list_names(names: Sequence[str], most: int = 5) -> str:
    """Return the first of the names and the number of the others."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{', '.join(names[:most])}{more}"


def format_score(value: float, layout: Layout) -> str:
    """Return a score as in tables."""
    return f"{value * layout.scale:.{layout.digits}f}"


def interval(estimate: Estimate, layout: Layout) -> str:
    """Return the interval of a score as in tables; empty if there is none."""
    return format_interval(estimate, f".{layout.digits}f", layout.scale)


def format_interval(estimate: Estimate, form: str, scale: float = 1.0) -> str:
    """Return an interval, its ends in a format such as `.5f`; empty if there is none."""
    if estimate.low is None or estimate.high is None:
        return ""
    return f"[{estimate.low * scale:{form}}, {estimate.high * scale:{form}}]"


def left_out(items: Sequence[object], layout: Layout) -> str:
    """Return the remark on the items beyond those that a table lists; empty if it lists all."""
    more = len(items) - len(items[: layout.most])
    return f"... and {more} more (--all)" if more else ""


def with_best(cells: Sequence[Cell]) -> Sequence[Cell]:
    """Return a column with the best marked, as printed; a single cell is not marked."""
    values = [nan if cell.value == NOTHING else float(cell.value) for cell in cells]
    finite = [value for value in values if isfinite(value)]
    if len(cells) < 2 or not finite:
        return cells
    best = max(finite)
    return [cell._replace(best=value == best) for cell, value in zip(cells, values, strict=True)]


def paper_heads(names: Sequence[str], layout: Layout) -> tuple[str, list[str]]:
    """Return the name of these columns' scores for a paper's caption, and short heads of the columns.

    Args:
        names: Such as ROUGE-1 F. If all columns have the figure F, the caption names it, and the head is
            R-1.
    """
    letters = {name.rpartition(" ")[2] for name in names}
    figure = _FIGURES.get(letters.pop(), "") if len(letters) == 1 else ""
    family = "ROUGE" if all(name.startswith("ROUGE") for name in names) else ""
    scores = " ".join(filter(None, (family, figure))) or "scores"
    scale = f" {TIMES} {layout.scale:g}" if layout.scale != 1 else ""
    heads = [visible(_short(name, figure=not figure)) for name in names]
    return f"{scores[:1].upper()}{scores[1:]}{scale}", heads


def _short(name: str, *, figure: bool) -> str:
    """Return a metric's name as the head of a narrow column: R-1 for ROUGE-1 F."""
    label, _, letter = name.rpartition(" ")
    return re.sub("^ROUGE-", "R-", label if label and letter in _FIGURES and not figure else name)


def p_value(p: float) -> str:
    """Return a p-value as in tables; it is never 0."""
    if isnan(p):
        return NOTHING
    return "<0.0001" if p < 0.0001 else f"{p:.4f}"


def figure(average: Average, letter: str) -> Estimate:
    """Return recall for R, precision for P, F for F."""
    return average["RPF".index(letter)]
