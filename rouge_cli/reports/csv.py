"""A table for pandas, R and spreadsheets, unrounded: one row for each system and metric.

    system,metric,recall,recall_low,recall_high,precision,...,f,f_low,f_high,signature

With `per_eval` one for each eval, system and metric:

    eval,system,metric,recall,precision,f,model,peer,match,signature

Scores that were multiplied (`--scale 100`) have a column `scale` before the signature, which says by what.
Where only totals were kept, the columns of the scores give way to `model,peer,match`. What is missing or
not finite is an empty field. CSV knows no comments, so the signature is a column of its own, which a reader
without any options gets right. Averages have it in every row, so that it stays with them when tables are
joined; the many rows of evals in the first only. Lines end with LF;
what holds commas, quotes or line ends is quoted as RFC 4180 says.
"""

from __future__ import annotations

import csv
from io import StringIO
from typing import TYPE_CHECKING

from rouge_cli.core import Counts
from rouge_cli.errors import RougeError
from rouge_cli.reports._table import by_eval
from rouge_cli.reports.json import FIGURES, average_record, eval_record, number

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rouge_cli.core import Report
    from rouge_cli.reports import Layout
    from rouge_cli.reports.json import Record

_COUNTS = ("model", "peer", "match")


def render(report: Report, layout: Layout) -> str:
    """The table, with its header."""
    return lines(report, layout, ",")


def lines(report: Report, layout: Layout, delimiter: str) -> str:
    """The table with any delimiter."""
    rows = _signed_once(_evals(report, layout)) if layout.per_eval else _averages(report, layout)
    return "".join(line(row, delimiter) for row in rows)


def _averages(report: Report, layout: Layout) -> Iterator[Sequence[object]]:
    totals = any(isinstance(result.average, Counts) for result in report.results)
    ends = ("", "_low", "_high")
    numbers = _COUNTS if totals else [f"{name}{end}" for name in FIGURES for end in ends]
    yield ["system", "metric", *numbers, *_scale(layout, "scale"), "signature"]
    for result in report.results:
        record = average_record(result, layout.scale)
        values = _counted(record) if totals else [one for name in FIGURES for one in record[name].values()]
        scale = _scale(layout, number(layout.scale))
        yield [result.peer_id, result.label, *values, *scale, report.signature]


def _evals(report: Report, layout: Layout) -> Iterator[Sequence[object]]:
    yield ["eval", "system", "metric", *FIGURES, *_COUNTS, *_scale(layout, "scale"), "signature"]
    for one, result in by_eval(report):
        record = eval_record(one, layout.scale)
        scores = [record[name] for name in FIGURES]
        names = (one.eval_id, result.peer_id, result.label)
        scale = _scale(layout, number(layout.scale))
        yield [*names, *scores, *_counted(record), *scale, report.signature]


def _scale(layout: Layout, cell: object) -> list[object]:
    """Return the cell of the scale's column, which only scaled scores have."""
    return [] if layout.scale == 1 else [cell]


def _signed_once(rows: Iterator[Sequence[object]]) -> Iterator[Sequence[object]]:
    """Yield the rows, of which only the header and the first below it keep the last cell."""
    for place, row in enumerate(rows):
        yield row if place < 2 else [*row[:-1], ""]


def _counted(record: Record) -> list[object]:
    return [record["counts"][name] for name in _COUNTS]


def line(row: Sequence[object], delimiter: str = ",") -> str:
    """The row, ended by LF; older Pythons quote a CR only where it is part of the line end.

    Raises RougeError for a name with a NUL, which csv has not before Python 3.11.
    """
    written = StringIO()
    try:
        csv.writer(written, delimiter=delimiter, lineterminator="\r\n").writerow(row)
    except csv.Error as reason:
        raise RougeError(f"a name cannot be written as csv: {row[0]!r} ({reason})") from None
    return written.getvalue()[:-2] + "\n"
