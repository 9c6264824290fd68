"""The table of the format csv, with tabs between the fields; fields with a tab are
quoted.
"""

from rouge_cli.reports import csv
from rouge_cli.results.base import Layout, Presentable

NEEDS = "rows"


def render(result: Presentable, layout: Layout) -> str:
    """Return the table, with its header."""
    return csv.render(result, layout, "\t")
