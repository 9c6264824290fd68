"""Python dictionaries, a line for each metric, as printed by the timeline toolkit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rouge_cli.reports import kind_of

if TYPE_CHECKING:
    from rouge_cli.reports import Layout, Reportable

NEEDS = "dictionaries"


def render(result: Reportable, layout: Layout) -> str:
    """Return the dictionaries as Python prints them."""
    return "".join(f"{record}\n" for record in kind_of(result).dictionaries(result, layout))
