"""Wide tables of single evals: a row for each eval and system, a column for each
score, such as `ROUGE-1 F`. They are written here, and become the long rows of saved
scores again.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from rouge_cli.errors import RougeError
from rouge_cli.results import base, printed
from rouge_cli.results.single_evals import FIGURES, by_eval, format_count
from rouge_cli.tasks import kinds

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from rouge_cli.core import EvalResult, Result
    from rouge_cli.results.base import Layout, Record
    from rouge_cli.tasks.columns import InputRow

NAMES = ("eval", "system")
_MEASURES = dict(zip("RPF", FIGURES, strict=True))
# If a metric has only counts, the columns of R and P contain their denominators, that
# of F the matches.
COUNTED = {"R": "reference", "P": "prediction", "F": "match"}
_HEAD = re.compile(r"(.+) ([RPF])")


class WideRow(NamedTuple):
    """The scores of a system in an eval; None for a score that it does not have."""

    eval_id: str
    system: str
    values: Sequence[float | None]


def heads(results: Sequence[Result], layout: Layout) -> list[str]:
    """Return the heads of the columns; those of counts name them."""
    counted = set()
    for result in results:
        for entry in result.evals[:1]:
            if entry.score is None:
                counted.add(result.label)
    names = []
    for label, letter in layout.columns:
        measure = COUNTED[letter] if label in counted else letter
        names.append(f"{label} {measure}")
    return names


def rows(results: Sequence[Result], layout: Layout) -> Iterator[WideRow]:
    """Yield the rows, eval by eval; a system that is in an eval twice has two rows."""
    for eval_id, entries in groupby(by_eval(results), lambda pair: pair[0].eval_id):
        by_system: dict[str, list[dict[str, EvalResult]]] = {}
        for entry, result in entries:
            of_system = by_system.setdefault(result.system, [])
            place = sum(result.label in by_label for by_label in of_system)
            if place == len(of_system):
                of_system.append({})
            of_system[place][result.label] = entry
        for system, of_system in by_system.items():
            for by_label in of_system:
                values = []
                for label, letter in layout.columns:
                    values.append(_value(by_label.get(label), letter, layout.scale))
                yield WideRow(eval_id, system, values)


def _value(entry: EvalResult | None, letter: str, scale: float) -> float | None:
    """Return a score times the scale, or a count."""
    if entry is None:
        return None
    if entry.score is None:
        return base.number(getattr(entry.counts, COUNTED[letter]))
    return base.number(getattr(entry.score, _MEASURES[letter]) * scale)


def frame(
    results: Sequence[Result], layout: Layout
) -> tuple[list[str], list[list[Any]]]:
    """Return the columns and the rows of a data frame."""
    cells: list[list[Any]] = []
    for row in rows(results, layout):
        cells.append([row.eval_id, row.system, *row.values])
    return [*NAMES, *heads(results, layout)], cells


def table(results: Sequence[Result], layout: Layout) -> printed.Table:
    """Return the table of single evals: a row for each eval and system, a column for
    each requested measure.
    """
    names = heads(results, layout)
    lines = []
    for row in rows(results, layout):
        cells = []
        for head, value in zip(names, row.values, strict=True):
            if value is None:
                cells.append(printed.Cell(printed.NOTHING))
            elif head.endswith(tuple(COUNTED.values())):
                cells.append(printed.Cell(format_count(value, layout)))
            else:
                # Not all columns of a table are scaled
                score = value / layout.scale
                cells.append(printed.Cell(printed.format_score(score, layout, head)))
        names_of_row = [printed.visible(row.eval_id), printed.visible(row.system)]
        lines.append(printed.Row(names_of_row, cells))
    return printed.Table(NAMES, [printed.head_of(name) for name in names], lines)


def records(
    path: str, kind: str, table: Iterable[InputRow] | None
) -> Iterator[tuple[int, Any]]:
    """Yield the line number and the long record of each row of a file, or of its table
    if it has been read.
    """
    if table is None:
        table = kinds.named(kind).rows(path, None)
    if kind == "parquet":
        table = in_text(table)
    for row in lengthened(table):
        yield row.line, row.record


def is_head(names: Iterable[str]) -> bool:
    """Return True if a table with these columns is wide."""
    columns = set(names)
    has_scores = any(_HEAD.fullmatch(name) for name in columns)
    return columns.issuperset(NAMES) and "metric" not in columns and has_scores


def lengthened(table: Iterable[InputRow]) -> Iterator[InputRow]:
    """Yield a row for each eval, system and metric of a wide table; the rows of other
    tables as they are.
    """
    signature = ""
    names: tuple[str, ...] = ()
    is_wide = False
    for row in table:
        record = row.record
        if isinstance(record, RougeError):
            yield row
            continue
        if tuple(record) != names:
            names = tuple(record)
            is_wide = is_head(names)
        if not is_wide:
            yield row
            continue
        cells = {name: str(record[name]) for name in names}
        signature = signature or cells.get("signature", "")
        for scores in _long_records(cells, signature):
            yield row._replace(record=scores)


def in_text(table: Iterable[InputRow]) -> Iterator[InputRow]:
    """Yield rows with the text of their cells, numbers as exactly as they are."""
    for row in table:
        if isinstance(row.record, RougeError):
            yield row
            continue
        cells = {}
        for name, value in row.record.items():
            cells[name] = "" if value is None else str(value)
        yield row._replace(record=cells)


def _long_records(record: Mapping[str, str], signature: str) -> Iterator[Record]:
    """Yield the record of each metric of a wide row. All records have the same fields,
    so that they are read together.
    """
    common = {name: record[name] for name in NAMES}
    common["signature"] = signature
    if "scale" in record:
        common["scale"] = record["scale"]
    by_label: dict[str, dict[str, str]] = {}
    for name, value in record.items():
        head = _HEAD.fullmatch(name)
        if head:
            label, letter = head.groups()
            scores = by_label.setdefault(label, dict.fromkeys(FIGURES, ""))
            scores[_MEASURES[letter]] = value
    for label, scores in by_label.items():
        if any(scores.values()):
            yield {**common, "metric": label, **scores}
