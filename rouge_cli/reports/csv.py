"""A table for pandas, R and spreadsheets, unrounded: one row for each system and metric.

    system,metric,recall,recall_low,recall_high,precision,...,f,f_low,f_high,signature

With `--per-eval`, one row for each eval, system and metric:

    eval,system,metric,recall,precision,f,model,peer,match,signature

Scores that were multiplied (`--scale 100`) have a column `scale` with the factor before the signature.
If only totals were kept, the columns of scores are replaced by `model,peer,match`. Missing values and
values that are not finite are empty. CSV has no comments, so the signature is a column, which a reader
without any options reads correctly. Averages have it in every row, so that it stays with them when tables
are joined; of the many rows of evals only the first has it. Lines end with LF; fields with commas, quotes
or line ends are quoted as in RFC 4180.
"""

from __future__ import annotations

import csv
from io import StringIO
from typing import TYPE_CHECKING

from rouge_cli.errors import RougeError
from rouge_cli.results._presentation import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rouge_cli.reports import Layout
    from rouge_cli.results._presentation import Presentable

NEEDS = "rows"


def render(result: Presentable, layout: Layout) -> str:
    """Return the table, with its header."""
    return lines(result, layout, ",")


def lines(result: Presentable, layout: Layout, delimiter: str) -> str:
    """Return the table with the given delimiter."""
    rows = result.rows(layout)
    return "".join(line([*map(plain, row)], delimiter) for row in rows)


def line(row: Sequence[object], delimiter: str = ",") -> str:
    """Return the row, ended by LF; older Pythons quote a CR only if it is part of the line end.

    Raises:
        RougeError: For a name with a NUL, which csv before Python 3.11 cannot write.
    """
    written = StringIO()
    try:
        csv.writer(written, delimiter=delimiter, lineterminator="\r\n").writerow(row)
    except csv.Error as reason:
        raise RougeError(f"a name cannot be written as csv: {row[0]!r} ({reason})") from None
    return written.getvalue()[:-2] + "\n"
