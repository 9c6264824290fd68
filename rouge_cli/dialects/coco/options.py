"""The options of `rouge-cli score --dialect coco`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from rouge_cli.dialects.coco.program import BETA, LABEL, Coco
from rouge_cli.errors import UsageError
from rouge_cli.pairwise import program
from rouge_cli.pairwise.program import Label

if TYPE_CHECKING:
    from collections.abc import Mapping

DEFAULTS: Mapping[str, Any] = {"metrics": (LABEL,), "beta": BETA, "samples": 0, "sentences": "newline"}
STEMMER = STOP_LIST = ""  # the package has neither


def parse(label: str) -> Label:
    """Return the only label, for `ROUGE-L` too; raise UsageError for others."""
    if label.lower().replace("_", "-") in ("rouge-l", "rougel", "rl", "l", "rouge"):
        return Label(LABEL)
    raise UsageError(f"unknown metric {label!r} in dialect coco", remedy=f"use {LABEL}")


canonical = partial(program.canonical, parse=parse)
build = Coco
