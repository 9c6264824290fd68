"""Timelines: ROUGE of days that are near in time (--dialect tilse, or rouge-cli timeline).

The metrics and their labels:

    ROUGE-1-concat            all days joined
    ROUGE-1-agreement         days of one date
    ROUGE-1-align             each day with one other, near in time
    ROUGE-1-align-content     the same, near in time and alike in words (the paper's align+)
    ROUGE-1-align-content-m1  the same, several days with one (align+ m:1)

and so for ROUGE-2 to ROUGE-9. The names of the paper and of its toolkit are accepted too, as in
`R2-align+` or `ROUGE-1-align_date_costs`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from rouge_cli import plugins
from rouge_cli.errors import UsageError

CONCAT, AGREEMENT, ALIGN, CONTENT, MANY = METRICS = (
    "concat",
    "agreement",
    "align",
    "align-content",
    "align-content-m1",
)
# The metrics' names in the paper and in the toolkit.
PAPER = dict(zip(METRICS, ("concat", "agreement", "align", "align+", "align+ m:1"), strict=True))
TOOLKIT = {
    **PAPER,
    ALIGN: "align_date_costs",
    CONTENT: "align_date_content_costs",
    MANY: "align_date_content_costs_many_to_one",
}
# Days of a timeline hardly share longer n-grams.
LONGEST = 9
# Labels of this dialect only; the number stands for any.
LABELS = [f"ROUGE-1-{metric}" for metric in METRICS]
# The default metrics.
DEFAULT = [f"ROUGE-{n}-{metric}" for metric in METRICS for n in (1, 2)]


class TimelineMeasure(NamedTuple):
    """ROUGE-n with one way of comparing days."""

    n: int
    metric: str

    @property
    def label(self) -> str:
        """`ROUGE-2-align-content`."""
        return f"ROUGE-{self.n}-{self.metric}"


def metric(name: str) -> str:
    """Return the metric of a name here, in the paper or in the toolkit, in any case; raise UsageError."""
    spellings = {_fold(spelling): own for own in METRICS for spelling in (own, PAPER[own], TOOLKIT[own])}
    name_of_metric = spellings.get(_fold(name))
    if name_of_metric is None:
        names = list(dict.fromkeys([*PAPER.values(), *TOOLKIT.values()]))
        raise UsageError(f"unknown metric {name!r}", remedy=plugins.suggestion(name, names))
    return name_of_metric


def _fold(name: str) -> str:
    """Return the form in which names are compared: `align+ m:1` equals `align+m1`."""
    return re.sub("[ _:-]", "", name.lower())


def parse(label: str) -> TimelineMeasure:
    """Parse a label: `ROUGE-2-align`, `R1-align+`, `rouge_1-concat`; raise UsageError for others."""
    match = re.fullmatch(rf"(?:(?:rouge|r)[-_]?)?([1-{LONGEST}])[- _+@:](.+)", label, re.IGNORECASE)
    if match:
        return TimelineMeasure(int(match[1]), metric(match[2]))
    raise UsageError(
        f"unknown metric {label!r} in dialect tilse",
        remedy=plugins.suggestion(label, DEFAULT),
    )
