"""The options of `rouge-cli score --dialect coco`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rouge_cli.dialects.coco.program import BETA, LABEL, Coco
from rouge_cli.errors import UsageError
from rouge_cli.pairwise import program
from rouge_cli.pairwise.program import Label

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Mapping

    from rouge_cli.core import Notify
    from rouge_cli.options import Options

DEFAULTS: Mapping[str, Any] = {"metrics": (LABEL,), "beta": BETA, "samples": 0, "sentences": "newline"}
STEMMER = STOP_LIST = ""  # the package has neither


def parse(label: str) -> Label:
    """Return the only label, for `ROUGE-L` too; raise UsageError for others."""
    if label.lower().replace("_", "-") in ("rouge-l", "rougel", "rl", "l", "rouge"):
        return Label(LABEL)
    raise UsageError(f"unknown metric {label!r} in dialect coco", remedy=f"use {LABEL}")


def canonical(options: Options) -> Options:
    """Return the options as in the signature."""
    return program.canonical(options, parse)


def command_line(_: Options) -> None:
    """Return None: ROUGE-1.5.5 cannot print these scores."""
    return


def build(options: Options, uses: Counter[str], notify: Notify) -> Coco:
    """Build the dialect for a run; raise UsageError for invalid values."""
    return Coco(options, uses, notify)
