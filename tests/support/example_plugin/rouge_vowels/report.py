"""The tables of `text`, in capitals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rouge_cli.reports import text

if TYPE_CHECKING:
    from rouge_cli.reports import Layout
    from rouge_cli.results.base import Presentable

NEEDS = "tables"


def render(result: Presentable, layout: Layout) -> str:
    """Render a result."""
    return text.render(result, layout).upper()
