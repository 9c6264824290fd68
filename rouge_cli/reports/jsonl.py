"""The report as lines of JSON: a header, then an object for each system and metric.

With `--per-eval`, there is an object for each eval, system and metric instead. Objects
have the fields of the format json (docs/reference/report-json.md). In reports with
several lists, the field `record` names the list of an object.
"""

from collections.abc import Iterator

from rouge_cli.results.base import Layout, Presentable

NEEDS = "document"


def render(result: Presentable, layout: Layout) -> Iterator[str]:
    """Yield the lines, in ASCII."""
    return result.json_lines(layout)
