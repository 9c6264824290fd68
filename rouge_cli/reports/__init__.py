"""Reports: a module a format, with `render(report, layout) -> str`; its name is its file's.

A report computes nothing: it lays out the results that it is handed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, overload

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rouge_cli.core import Average, Estimate, Score


class Layout(NamedTuple):
    """How results are laid out, the same for every format.

    columns: (label, figure) in order, the figure one of R, P and F; what a table shows. Formats for
    machines (json, jsonl, csv, tsv) give all three figures of the labels whatever is asked.
    per_eval: one row for each eval, system and metric, instead of the averages.
    digits: decimals in tables. scale: what every score is multiplied by, 1 or 100.
    confidence: the interval's level in percent, as the user typed it.
    ranks: whether tables give each system's rank by the first column.
    terminal: whether a person's terminal shows it, so that colours make sense; width: its columns.
    """

    columns: Sequence[tuple[str, str]]
    per_eval: bool = False
    digits: int = 5
    scale: float = 1.0
    confidence: str = "95"
    ranks: bool = False
    terminal: bool = False
    width: int = 80


@overload
def figure(record: Average, letter: str) -> Estimate: ...
@overload
def figure(record: Score, letter: str) -> float: ...
def figure(record: Average | Score, letter: str) -> Estimate | float:
    """Recall for R, precision for P, F for F."""
    return record["RPF".index(letter)]
