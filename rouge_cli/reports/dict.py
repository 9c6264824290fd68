"""Python dictionaries, one line for each metric, as the timeline toolkit prints
them.
"""

from rouge_cli.results.base import Layout, Presentable

NEEDS = "dictionaries"


def render(result: Presentable, layout: Layout) -> str:
    """Return the dictionaries as Python prints them."""
    return "".join(f"{record}\n" for record in result.dictionaries(layout))
