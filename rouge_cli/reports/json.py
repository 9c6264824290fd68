"""The report as one JSON document, unrounded; docs/reference/report-json.md describes it.

Numbers are the exact doubles times the scale. null stands for infinite and undefined numbers.
"""

from __future__ import annotations

from rouge_cli.reports import Layout
from rouge_cli.results._presentation import Presentable, dump

NEEDS = "document"
EVALS_BESIDE = True


def render(result: Presentable, layout: Layout) -> str:
    """Return the document, indented, in ASCII."""
    return dump(result.document(layout), result.indent) + "\n"
