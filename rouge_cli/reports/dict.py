"""Python dictionaries, one line for each metric, as the timeline toolkit prints them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rouge_cli.reports import Layout
    from rouge_cli.results.timelines import Timelines

NEEDS = "dictionaries"


def render(result: Timelines, layout: Layout) -> str:
    """Return the dictionaries as Python prints them."""
    return "".join(f"{record}\n" for record in result.dictionaries(layout))
