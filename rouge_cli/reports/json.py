"""The report as one JSON document, unrounded; docs/reference/report-json.md explains it.

Numbers are the exact doubles times the scale; JSON has null for infinite and undefined ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rouge_cli.reports import kind_of
from rouge_cli.results._records import dump

if TYPE_CHECKING:
    from rouge_cli.reports import Layout, Reportable

NEEDS = "document"
EVALS_BESIDE = True


def render(result: Reportable, layout: Layout) -> str:
    """Return the document, indented, in ASCII."""
    kind = kind_of(result)
    document = kind.document(result, layout)
    return dump(document, getattr(kind, "INDENT", 2)) + "\n"
