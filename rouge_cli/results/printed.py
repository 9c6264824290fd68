"""What tables for people hold: cells with printed numbers, and the heads of columns.

It is plain text; each format escapes and aligns it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import isfinite, isnan, nan
from typing import NamedTuple

from rouge_cli import metrics
from rouge_cli.core import Average, Estimate
from rouge_cli.errors import escape
from rouge_cli.results import Layout

NOTHING = "-"
TIMES = "\N{MULTIPLICATION SIGN}"
DIGITS_OF_P, FEWEST_OF_P = 4, 2
_MEASURES = {"R": "recall", "P": "precision", "F": "F"}


class Cell(NamedTuple):
    """A cell of a table, already formatted."""

    value: str
    interval: str = ""  # empty if there is none
    best: bool = False  # True for the best of its column
    # Superscript after the number, such as a dagger or the letters of groups
    mark: str = ""


class Row(NamedTuple):
    """A row: names, safe to display, then numbers."""

    names: Sequence[str]
    cells: Sequence[Cell]


class Piece(NamedTuple):
    """A piece of a line of prose."""

    text: str
    # How the format text marks it, such as `counted`; empty for plain text
    mark: str = ""


class Table(NamedTuple):
    """A table for people."""

    names: Sequence[str]  # the heads of the first columns, which contain names
    numbers: Sequence[str]  # the heads of the other columns
    rows: Sequence[Row]
    caption: str = ""  # a line above the table
    remark: str = ""  # a line below the table, such as the number of omitted rows


def visible(name: str) -> str:
    """Return the name for display: invisible characters escaped, two quotes if it is
    empty.
    """
    return escape(name) or '""'


def pluralize(number: int, noun: str) -> str:
    """Return the number with its noun, as in `1 eval` and `2 evals`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def value_of(name: str) -> metrics.Metric | None:
    """Return the metric of a column such as `coverage F` or `coverage` if it has one
    value, which is no ROUGE; else None.
    """
    label, _, letter = name.rpartition(" ")
    return metrics.value(label if letter in tuple(metrics.FIGURES) else name)


def head_of(name: str) -> str:
    """Return the head of a column; F is left out if the metric has one value."""
    return name.removesuffix(" F") if value_of(name) else name


def scale_of(name: str, layout: Layout) -> float:
    """Return the factor of a column in tables: that of the layout, unless its numbers
    may exceed 1, as lengths do.
    """
    value = value_of(name)
    return layout.scale if value is None or value.is_bounded else 1.0


def format_score(value: float, layout: Layout, name: str = "") -> str:
    """Format a score for tables.

    Args:
        value: The score.
        layout: The layout of the table.
        name: The column, such as `coverage F`.
    """
    return f"{value * scale_of(name, layout):.{layout.digits}f}"


def format_interval(estimate: Estimate, form: str, scale: float = 1.0) -> str:
    """Format both ends of an interval, as in `.5f`; return an empty string if there
    is none.
    """
    if estimate.low is None or estimate.high is None:
        return ""
    return f"[{estimate.low * scale:{form}}, {estimate.high * scale:{form}}]"


def cell(number: float | Estimate, form: str, scale: float = 1.0) -> Cell:
    """Return the cell of a number, or of an estimate with its interval; `-` unless
    it is finite.
    """
    estimate = number if isinstance(number, Estimate) else Estimate(number)
    if not isfinite(estimate.value):
        return Cell(NOTHING)
    return Cell(
        value=f"{estimate.value * scale:{form}}",
        interval=format_interval(estimate, form, scale),
    )


def with_best(cells: Sequence[Cell]) -> Sequence[Cell]:
    """Mark the best cells of a column, compared as printed; a single cell is not
    marked.
    """
    values = [_printed_value(cell) for cell in cells]
    finite = [value for value in values if isfinite(value)]
    if len(cells) < 2 or not finite:
        return cells
    best = max(finite)
    return [
        cell._replace(best=value == best)
        for cell, value in zip(cells, values, strict=True)
    ]


def _printed_value(cell: Cell) -> float:
    """Return the number in a cell, nan if there is none."""
    return nan if cell.value == NOTHING else float(cell.value)


def paper_heads(names: Sequence[str], layout: Layout) -> tuple[str, list[str]]:
    """Return what the caption of a paper's table calls the scores, and short heads of
    the columns.

    If all columns have the same measure, the caption names it and the heads omit it:
    `R-1` for ROUGE-1 F.
    """
    measure = ""
    letters = {name.rpartition(" ")[2] for name in names if not value_of(name)}
    if len(letters) == 1:
        measure = _MEASURES.get(letters.pop(), "")

    words = []
    if all(name.startswith("ROUGE") for name in names):
        words.append("ROUGE")
    if measure:
        words.append(measure)
    scores = " ".join(words) or "scores"
    scores = f"{scores[:1].upper()}{scores[1:]}"
    if layout.scale != 1:
        scores += f" {TIMES} {layout.scale:g}"
        unscaled = [head_of(name) for name in names if scale_of(name, layout) == 1]
        if unscaled:
            scores += f" (not {', '.join(unscaled)})"

    heads = []
    for name in names:
        if value_of(name):
            heads.append(visible(head_of(name)))
            continue
        head = re.sub("^ROUGE-", "R-", name)
        if measure:
            head = head.rpartition(" ")[0] or head
        heads.append(visible(head))
    return scores, heads


def p_value(p: float, error: float = 0.0) -> str:
    """Format a p-value for tables; it is never printed as 0.

    Args:
        error: The standard error of a p-value that random trials estimate. Its last
            printed digit is at least a fifth of that.
    """
    if isnan(p):
        return NOTHING
    digits = DIGITS_OF_P
    while digits > FEWEST_OF_P and 10**-digits < error / 5:
        digits -= 1
    least = 10**-digits
    return f"<{least:.{digits}f}" if p < least else f"{p:.{digits}f}"


def figure(average: Average, letter: str) -> Estimate:
    """Return the average of a measure: recall for R, precision for P, F for F."""
    by_letter = {"R": average.recall, "P": average.precision, "F": average.f}
    return by_letter[letter]
