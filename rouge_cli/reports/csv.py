"""A table for pandas, R and spreadsheets, unrounded: one row for each system and
metric.

    system,metric,recall,recall_low,recall_high,precision,...,f,f_low,f_high,signature

With `--per-eval`, one row for each eval, system and metric:

    eval,system,metric,recall,precision,f,reference,prediction,match,signature

With `--scale 100`, a column `scale` before the signature has the factor. If there are
only total counts, the columns `reference,prediction,match` replace the scores. Missing
values and values that are not finite are empty. CSV has no comments, so the signature
is a column. Averages have it in every row, so that it is not lost when tables are
joined; of the rows of evals, only the first has it. Lines end with LF. Fields with
commas, quotes or line ends are quoted as in RFC 4180.

Names stay as they are. A spreadsheet may take a name that begins with `=`, `+`, `-` or
`@` for a formula, and run it. With `--safe-cells` an apostrophe stands before such a
name, which spreadsheets do not show; other programs do.
"""

import csv
from collections.abc import Sequence
from io import StringIO

from rouge_cli.errors import RougeError, escape
from rouge_cli.results.base import Layout, Presentable, plain

NEEDS = "rows"
# What spreadsheets take for the beginning of a formula, also after a tab or CR
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def render(result: Presentable, layout: Layout, delimiter: str = ",") -> str:
    """Return the table, with its header."""
    lines = []
    for row in result.rows(layout):
        cells = [plain(cell) for cell in row]
        if layout.terminal:
            cells = [_visible(cell) for cell in cells]
        if layout.safe_cells:
            cells = [_safe(cell) for cell in cells]
        lines.append(line(cells, delimiter))
    return "".join(lines)


def _visible(cell: object) -> object:
    """Return the cell with invisible characters escaped."""
    return escape(cell) if isinstance(cell, str) else cell


def _safe(cell: object) -> object:
    """Return the cell with an apostrophe before a text that could be a formula."""
    if isinstance(cell, str) and cell.startswith(_FORMULA):
        return f"'{cell}"
    return cell


def line(row: Sequence[object], delimiter: str) -> str:
    """Return the row with LF at its end; raise RougeError for NUL, which Python
    writes only since 3.11.
    """
    written = StringIO()
    try:
        # The line end contains CR, since older Pythons quote a CR in a field only in
        # this case.
        csv.writer(written, delimiter=delimiter, lineterminator="\r\n").writerow(row)
    except csv.Error as reason:
        raise RougeError(f"cannot write a name as csv: {row[0]!r} ({reason})") from None
    return written.getvalue()[:-2] + "\n"
