"""Report formats: a module for each, with `render(result, layout)` that returns a text
or yields its parts.

A format has the name of its module. It only lays out results and computes nothing. A
module may define:

- NEEDS: the method of `results.base.Presentable` that a kind of results must have to be
  rendered: `tables` for people, `rows` of delimited tables, `document` for all as one
  JSON value; `page`, `cases` and others of some kinds only (see `results`). A
  format without NEEDS is an option's own (`score_only`), or has bytes (`parquet`).
- PREFERS: a method that the format uses instead of NEEDS if a kind has it.
- SUFFIX: the suffix of files, if it is not the format's name.
- EVALS_BESIDE: True if the format has averages beside the scores of single evals.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from rouge_cli import plugins, results
from rouge_cli.results import MOST_DIGITS, Layout

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rouge_cli.results.base import Presentable

__all__ = ["MOST_DIGITS", "Layout"]
# Kind of results -> its module in `results`, and its class.
KINDS = {
    "audit": ("doubts", "Audit"),
    "battery": ("timelines", "Battery"),
    "comparison": ("comparison", "Comparison"),
    "correlation": ("correlation", "Correlations"),
    "dialects": ("doubts", "Dialects"),
    "explanation": ("explanations", "Explanations"),
    "identification": ("doubts", "Identification"),
    "plan": ("planning", "Planning"),
    "project": ("scores", "Project"),
    "scores": ("scores", "Results"),
    "sweep": ("correlation", "Sweep"),
    "timeline": ("timelines", "Timelines"),
}


def render(result: Presentable, name: str, layout: Layout) -> str:
    """Render a result in the format of that name."""
    return "".join(stream(result, name, layout))


def stream(result: Presentable, name: str, layout: Layout) -> Iterable[str]:
    """Return the parts of a result rendered in the format of that name."""
    report: str | Iterable[str] = plugins.module(__name__, name).render(result, layout)
    return [report] if isinstance(report, str) else report


def names() -> list[str]:
    """Return the formats that users can select."""
    return [name for name in plugins.names(__name__) if constant(name, "NEEDS")]


def names_for(kind: str) -> list[str]:
    """Return the formats that render results of a kind."""
    return [name for name in plugins.names(__name__) if renders(name, kind)]


def renders(name: str, kind: str) -> bool:
    """Return True if a format renders results of a kind."""
    return hasattr(_class(kind), constant(name, "NEEDS"))


def of_file(path: str) -> str:
    """Return the format of a file by its suffix; empty if there is none."""
    suffix = os.path.splitext(path)[1][1:].lower()
    if not suffix:
        return ""  # without importing all formats
    for name in names():
        if suffix in (name, constant(name, "SUFFIX")):
            return name
    return ""


def is_table(name: str) -> bool:
    """Return True if a format consists of tables for people, rounded and perhaps
    shortened.
    """
    return constant(name, "NEEDS") == "tables"


def is_for_papers(name: str, kind: str) -> bool:
    """Return True if a format renders the single table for papers that results of a
    kind have.
    """
    return hasattr(_class(kind), constant(name, "PREFERS"))


def is_complete(name: str) -> bool:
    """Return True if a format contains everything in a result."""
    return constant(name, "NEEDS") == "document"


def _class(kind: str) -> type[Presentable]:
    module, name = KINDS[kind]
    result: type[Presentable] = getattr(plugins.module(results.__name__, module), name)
    return result


def constant(name: str, constant: str) -> str:
    """Return what a format's module defines under that name; empty if it does not
    define it.
    """
    return getattr(plugins.module(__name__, name), constant, "")
