"""The report as lines of JSON: first a header, then an object for each system and metric.

With `--per-eval`, there is an object for each eval, system and metric instead. The fields are those of the
format json (docs/reference/report-json.md). Reports that list several things name each in its field
`record`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rouge_cli.reports import kind_of
from rouge_cli.results._records import divide, dump

if TYPE_CHECKING:
    from rouge_cli.reports import Layout, Reportable

NEEDS = "document"


def render(result: Reportable, layout: Layout) -> str:
    """Return the lines, in ASCII."""
    kind = kind_of(result)
    if hasattr(kind, "lines"):
        records = kind.lines(result, layout)
    else:
        records = divide(kind.document(result, layout))
    return "".join(dump(record) + "\n" for record in records)
