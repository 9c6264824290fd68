"""Metrics. A family is a module with `parse(label)` and `LABELS`, some of its labels."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rouge_cli import plugins
from rouge_cli.errors import UsageError
from rouge_cli.metrics._base import Match, Metric

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["FIGURES", "Match", "Metric", "declares", "families", "figure", "labels", "parse"]

FIGURES = "RPF"


def families() -> list[ModuleType]:
    """Return the modules of this folder."""
    return [plugins.module(__name__, name) for name in plugins.names(__name__)]


def labels() -> list[str]:
    """Return sample labels of all families; numbers in them stand for any."""
    return [label for family in families() for label in family.LABELS]


def parse(label: str) -> Metric:
    """Return the metric of a label, also in informal spellings: `R2`, `rouge-l`, `SU4`, `W-1.2`.

    Raises UsageError with the nearest labels.
    """
    short = re.fullmatch(r"(?:(?:ROUGE|R)-?)?(\w.*)", label, re.IGNORECASE)
    spellings = [label]
    if short:
        spellings += [f"ROUGE-{short[1]}", f"ROUGE-{short[1].upper()}"]
        spellings.append(re.sub(r"^(ROUGE-[A-Z]+?)([0-9.]+)$", r"\1-\2", spellings[-1]))
    for spelling in spellings:
        for family in families():
            metric: Metric | None = family.parse(spelling)
            if metric is not None:
                return metric
    raise UsageError(f"unknown metric {label!r}", remedy=plugins.suggestion(label, labels()))


def declares(label: str, fact: str) -> bool:
    """Return a fact that the metric of exactly this label declares, such as `needs_sentences`.

    Modifiers, as in `ROUGE-L+Stemming`, are left out. False if the label is not one of these metrics.
    """
    parsed = (family.parse(label.partition("+")[0]) for family in families())
    return any(getattr(metric, fact) for metric in parsed if metric)


def figure(name: str) -> tuple[str, str]:
    """Split `ROUGE-2.F` into the label and R, P or F; the figure is empty if none is named."""
    label, dot, letter = name.rpartition(".")
    return (label, letter.upper()) if dot and letter.upper() in tuple(FIGURES) else (name, "")
