"""The report as lines of JSON: first a header, then an object for each system and metric.

With `per_eval` there is an object for each eval, system and metric instead. The fields are those of the
format json (docs/report-json.md).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from rouge_cli.reports._table import by_eval
from rouge_cli.reports.json import average_record, eval_record, header

if TYPE_CHECKING:
    from rouge_cli.core import Report
    from rouge_cli.reports import Layout


def render(report: Report, layout: Layout) -> str:
    """The lines, in ASCII."""
    records = [header(report, layout)]
    if layout.per_eval:
        records.extend(
            {
                "eval": one.eval_id,
                "system": result.peer_id,
                "metric": result.label,
                **eval_record(one, layout.scale),
            }
            for one, result in by_eval(report)
        )
    else:
        records.extend(average_record(result, layout.scale) for result in report.results)
    return "".join(json.dumps(record, allow_nan=False) + "\n" for record in records)
