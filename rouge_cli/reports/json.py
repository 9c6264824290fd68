"""The report as one JSON document, unrounded; docs/reference/report-json.md describes
it.

Numbers are the exact doubles times the scale. null stands for infinite and undefined
numbers.
"""

from collections.abc import Iterator
from itertools import islice
from typing import cast

from rouge_cli.results.base import Layout, Presentable, Record, dump

NEEDS = "document"
EVALS_BESIDE = True
_EVALS, _BLOCK = '"evals": ', 100  # evals that are rendered together


def render(result: Presentable, layout: Layout) -> Iterator[str]:
    """Yield the document, indented, in ASCII, in parts; scores of evals are never in
    memory together.
    """
    lists = list(result.eval_records(layout))
    if not lists:
        yield dump(result.document(layout), result.indent) + "\n"
        return
    document = cast("Record", result.document(layout._replace(per_eval=False)))
    for record in document["results"]:
        record["evals"] = "\0"
    # No string contains this, since its quotes would be escaped. The results are the
    # last field.
    parts = dump(document, result.indent).rsplit(f'{_EVALS}"\\u0000"', len(lists))
    for part, records in zip(parts, lists, strict=False):
        yield f"{part}{_EVALS}["
        line_end, separator = part[part.rindex("\n") :], ""
        while block := list(islice(records, _BLOCK)):
            yield (
                separator
                + dump(block, result.indent).replace("\n", line_end)[
                    1 : -len(line_end) - 1
                ]
            )
            separator = ","
        yield f"{line_end}]" if separator else "]"
    yield parts[-1] + "\n"
