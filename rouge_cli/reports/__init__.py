"""Reports: a module for each format, with `render(result, layout) -> str`; the format is named after it.

NEEDS: the method that a kind of results must have to be rendered by the format (see `results`); a format
without it cannot be named by users. SUFFIX: the suffix of its files, if that is not its name. EVALS_BESIDE:
True if it has averages beside the scores of single evals. PREFERS: a method of kinds that the format uses
in place of NEEDS if a kind has it.
A report computes nothing: it only lays out results.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from rouge_cli import plugins, results
from rouge_cli.results import MOST_DIGITS, Layout

if TYPE_CHECKING:
    from rouge_cli.results._presentation import Presentable

__all__ = ["MOST_DIGITS", "Layout"]
TABLES = "tables"
# Kind -> its module in `results` and its class.
KINDS = {
    "audit": ("doubts", "Audit"),
    "battery": ("timelines", "Battery"),
    "comparison": ("comparison", "Comparison"),
    "correlation": ("correlation", "Correlations"),
    "dialects": ("doubts", "Dialects"),
    "explanation": ("explanations", "Explanations"),
    "identification": ("doubts", "Identification"),
    "project": ("scores", "Project"),
    "scores": ("scores", "Results"),
    "timeline": ("timelines", "Timelines"),
}


def render(result: Presentable, name: str, layout: Layout) -> str:
    """Render a result in the format of that name."""
    text: str = plugins.module(__name__, name).render(result, layout)
    return text


def names() -> list[str]:
    """Return the formats that users can name."""
    return [name for name in plugins.names(__name__) if _needs(name)]


def names_for(kind: str) -> list[str]:
    """Return the formats that render results of a kind."""
    return [name for name in plugins.names(__name__) if renders(name, kind)]


def renders(name: str, kind: str) -> bool:
    """Return True if a format renders results of a kind."""
    return hasattr(_class(kind), _needs(name))


def of_file(path: str) -> str:
    """Return the format with this suffix of files; empty if there is none."""
    suffix = os.path.splitext(path)[1][1:].lower()
    return next((name for name in names() if suffix and suffix in (name, _fact(name, "SUFFIX"))), "")


def is_table(name: str) -> bool:
    """Return True if a format consists of tables, which are rounded and may leave entries out."""
    return _needs(name) == TABLES


def is_for_papers(name: str, kind: str) -> bool:
    """Return True if a format renders the single table for papers that results of a kind have."""
    return bool(prefers := _fact(name, "PREFERS")) and hasattr(_class(kind), str(prefers))


def is_complete(name: str) -> bool:
    """Return True if a format contains everything in a result."""
    return _needs(name) == "document"


def has_averages_beside_evals(name: str) -> bool:
    """Return True if a format has averages beside the scores of single evals."""
    return bool(_fact(name, "EVALS_BESIDE"))


def _class(kind: str) -> type[Presentable]:
    module, name = KINDS[kind]
    result: type[Presentable] = getattr(plugins.module(results.__name__, module), name)
    return result


def _needs(name: str) -> str:
    return str(_fact(name, "NEEDS", ""))


def _fact(name: str, fact: str, default: object = None) -> object:
    return getattr(plugins.module(__name__, name), fact, default)
