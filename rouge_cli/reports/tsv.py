"""The table of the format csv, with tabs between the fields; what holds a tab is quoted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rouge_cli.reports import csv

if TYPE_CHECKING:
    from rouge_cli.core import Report
    from rouge_cli.reports import Layout


def render(report: Report, layout: Layout) -> str:
    """The table, with its header."""
    return csv.lines(report, layout, "\t")
