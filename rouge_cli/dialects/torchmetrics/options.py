"""The options of `rouge-cli score --dialect torchmetrics`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rouge_cli import plugins
from rouge_cli.dialects.torchmetrics.program import BEST, LCS, LSUM, STEMMER, Torchmetrics
from rouge_cli.errors import UsageError
from rouge_cli.pairwise import program
from rouge_cli.pairwise.program import Label

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Mapping

    from rouge_cli.core import Notify
    from rouge_cli.options import Options

__all__ = ["STEMMER"]

DEFAULTS: Mapping[str, Any] = {
    "metrics": ("rouge1", "rouge2", LCS),
    "stemmer": "none",
    "accumulate": BEST,
    "samples": 0,
    "sentences": "newline",
}
STOP_LIST = ""  # there is none
LABELS = (*(f"rouge{n}" for n in range(1, 10)), LCS, LSUM)


def parse(label: str) -> Label:
    """Parse a key in any spelling, `rouge1` to `rouge9`, `rougeL` or `rougeLsum`; raise UsageError."""
    wanted = label.lower().replace("-", "").removeprefix("rouge").removeprefix("r")
    for name in LABELS:
        if name.lower() == f"rouge{wanted}":
            return Label(name)
    raise UsageError(
        f"unknown metric {label!r} in dialect torchmetrics", remedy=plugins.suggestion(label, list(LABELS))
    )


def canonical(options: Options) -> Options:
    """Return the options as in the signature."""
    return program.canonical(options, parse)


def command_line(_: Options) -> None:
    """Return None: ROUGE-1.5.5 cannot print these scores."""
    return


def build(options: Options, uses: Counter[str], notify: Notify) -> Torchmetrics:
    """Build the dialect for a run; raise UsageError for invalid values."""
    return Torchmetrics(options, uses, notify)
