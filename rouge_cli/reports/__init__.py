"""Reports: a module for each format, with `render(result, layout) -> str`; the format is named after it.

NEEDS: the function that a kind of results must have to be rendered by the format (see `results`); a format
without it cannot be named by users. SUFFIX: the suffix of its files, if that is not its name. EVALS_BESIDE:
True if it has averages beside the scores of single evals. PREFERS: a function of kinds that the format
uses in place of NEEDS if a kind has it.
A report computes nothing: it only lays out results.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from rouge_cli import plugins

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rouge_cli.results._tables import Table

KINDS = "rouge_cli.results"
TABLES = "tables"
MOST_DIGITS = 15  # decimals in tables


class Layout(NamedTuple):
    """The layout of results, the same for every format.

    columns: (label, figure) in order, the figure one of R, P and F; the columns of a table. Formats for
    machines (json, jsonl, csv, tsv) always have all three figures of the labels.
    per_eval: one row for each eval, system and metric, instead of the averages.
    digits: decimals in tables. scale: the factor of every score, 1 or 100.
    confidence: the interval's level in percent, as the user typed it.
    ranks: True if tables include each system's rank by the first column.
    terminal: True if the output is a person's terminal, so that colours are useful; width: its columns.
    most: the number of entries of a long list in tables; None for all.
    intervals: True if a paper's table includes them.
    """

    columns: Sequence[tuple[str, str]] = ()
    per_eval: bool = False
    digits: int = 5
    scale: float = 1.0
    confidence: str = "95"
    ranks: bool = False
    terminal: bool = False
    width: int = 80
    most: int | None = None
    intervals: bool = False


class Reportable(Protocol):
    """A result of any kind."""

    @property
    def signature(self) -> str:
        """Return the signature of its scores; empty if unknown."""


def kind_name(result: Reportable) -> str:
    """Return the kind: the module of `results` that defines the record; `scores` for reports of scores."""
    package, _, name = type(result).__module__.rpartition(".")
    return name if package == KINDS else "scores"


def kind_of(result: Reportable) -> Any:  # noqa: ANN401 - a module whose functions depend on the kind
    """Return the module that lays out results of this kind."""
    return plugins.module(KINDS, kind_name(result))


def render(result: Reportable, name: str, layout: Layout) -> str:
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
    return hasattr(plugins.module(KINDS, kind), _needs(name))


def of_file(path: str) -> str:
    """Return the format with this suffix of files; empty if there is none."""
    suffix = os.path.splitext(path)[1][1:].lower()
    return next((name for name in names() if suffix and suffix in (name, _fact(name, "SUFFIX"))), "")


def is_table(name: str) -> bool:
    """Return True if a format consists of tables, which are rounded and may leave entries out."""
    return _needs(name) == TABLES


def is_for_papers(name: str, kind: str) -> bool:
    """Return True if a format renders the single table for papers that results of a kind have."""
    return bool(prefers := _fact(name, "PREFERS")) and hasattr(plugins.module(KINDS, kind), str(prefers))


def numbers(name: str, kind: str, scale: float | str | None = None, digits: int | None = None) -> Layout:
    """Return the layout with this scale and these decimals; None for the format's own: 45.87 in papers."""
    for_papers = bool(name) and is_for_papers(name, kind)
    factor = float(scale or (100 if for_papers else 1))
    own = (5 if factor == 1 else 3) - for_papers
    return Layout(scale=factor, digits=own if digits is None else digits)


def paper(result: Reportable, layout: Layout) -> Table | None:
    """Return the table of the result for a paper; None if there is none."""
    kind = kind_of(result)
    content: Table | None = kind.paper(result, layout) if hasattr(kind, "paper") else None
    return content


def is_complete(name: str) -> bool:
    """Return True if a format contains everything in a result."""
    return _needs(name) == "document"


def has_averages_beside_evals(name: str) -> bool:
    """Return True if a format has averages beside the scores of single evals."""
    return bool(_fact(name, "EVALS_BESIDE"))


def _needs(name: str) -> str:
    return str(_fact(name, "NEEDS", ""))


def _fact(name: str, fact: str, default: object = None) -> object:
    return getattr(plugins.module(__name__, name), fact, default)
