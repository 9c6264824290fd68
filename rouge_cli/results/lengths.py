"""The lengths of texts beside their scores: ROUGE's recall and F move with length."""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING, NamedTuple

from rouge_cli import signature
from rouge_cli.results.printed import Cell, Row, Table, visible
from rouge_cli.scoring.columns import Column

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rouge_cli.core import Report, Result

RATIO = "length-ratio"
# Metrics whose units are words, if RATIO was not scored
OF_WORDS = ("ROUGE-1", "rouge1")
MOST = 1.2  # the longest systems over the shortest, above which there is a notice


class Lengths(NamedTuple):
    """The mean lengths of a system's texts, in words as they are counted."""

    predictions: float  # of a prediction
    references: float  # of a reference

    @property
    def ratio(self) -> float:
        """The words of predictions over those of references; 0 without references."""
        return self.predictions / self.references if self.references else 0.0


def of_report(report: Report) -> dict[str, Lengths]:
    """Return system -> lengths, from the counts of evals; empty if no metric counts
    words.
    """
    fields = signature.fields(report.signature)
    for label in (RATIO, *OF_WORDS):
        results = [result for result in report.results if result.label == label]
        copies = _copies(label, fields)
        if results and copies:
            return {result.system: _of_result(result, copies) for result in results}
    return {}


def _copies(label: str, fields: Mapping[str, str]) -> int:
    """Return how often the counts of an eval have the words of a prediction: once per
    reference if counts are added; 0 if the number of references varies.
    """
    if label == RATIO or fields.get("formula") != "average":
        return 1
    number = fields.get("references", "")
    if not number.isdecimal():
        return 0
    is_jackknifed = fields.get("jackknife") == "yes" and int(number) > 1
    return int(number) - is_jackknifed


def _of_result(result: Result, copies: int) -> Lengths:
    """Return the lengths of the evals of a result."""
    column = result.evals
    if not isinstance(column, Column):
        column = Column(column)
    references, predictions, matches, _ = column.counts()
    words = matches if result.label == RATIO else predictions
    evals = max(len(column), 1) * copies
    return Lengths(fsum(words) / evals, fsum(references) / evals)


def differ(lengths: Mapping[str, Lengths]) -> str:
    """Return the notice of systems whose lengths differ by more than MOST; empty if
    none do.
    """
    words = {system: of_system.predictions for system, of_system in lengths.items()}
    if len(words) < 2:
        return ""
    longest, shortest = (
        max(words, key=words.__getitem__),
        min(words, key=words.__getitem__),
    )
    if not words[longest] > MOST * words[shortest]:
        return ""
    shown = [f"{visible(name):.40} {words[name]:.1f}" for name in (shortest, longest)]
    return (
        f"systems differ in length by more than 20% (mean words: {shown[0]} to"
        f" {shown[1]}): longer texts gain recall, and F depends on length, too"
    )


def cells(lengths: Lengths | None) -> list[Cell]:
    """Return the cells of a system's lengths in a table."""
    if lengths is None:
        return [Cell("-")] * len(HEADS)
    return [
        Cell(f"{lengths.predictions:.1f}"),
        Cell(f"{lengths.references:.1f}"),
        Cell(f"{lengths.ratio:.2f}"),
    ]


HEADS = ("words", "reference words", "ratio")


def table(lengths: Mapping[str, Lengths]) -> Table:
    """Return the table of the lengths of systems."""
    rows = []
    for system, of_system in lengths.items():
        rows.append(Row([visible(system)], cells(of_system)))
    return Table(["system"], list(HEADS), rows)
