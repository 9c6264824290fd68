"""The options of `rouge-cli score --dialect torchmetrics`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from rouge_cli.dialects.torchmetrics.program import BEST, LABELS, LCS, STEMMER, Torchmetrics
from rouge_cli.pairwise import program

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["STEMMER"]

DEFAULTS: Mapping[str, Any] = {
    "metrics": ("rouge1", "rouge2", LCS),
    "stemmer": "none",
    "accumulate": BEST,
    "samples": 0,
    "sentences": "newline",
}
STOP_LIST = ""  # there is none
parse = partial(program.parse, "torchmetrics", LABELS)
canonical = partial(program.canonical, parse=parse)
build = Torchmetrics
