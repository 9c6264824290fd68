"""A table for GitHub, papers' READMEs and issues: best scores in bold, intervals in their cells."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rouge_cli.reports._table import notes, table, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rouge_cli.core import Report
    from rouge_cli.reports import Layout
    from rouge_cli.reports._table import Cell


def render(report: Report, layout: Layout) -> str:
    """The report as a GitHub table; the notes and the signature stand below."""
    content = table(report, layout)
    lines = [
        _line([*map(_escaped, content.names), *map(_escaped, content.numbers)]),
        _line([*("---" for _ in content.names), *("---:" for _ in content.numbers)]),
    ]
    lines.extend(_line([*map(_escaped, row.names), *map(_cell, row.cells)]) for row in content.rows)
    below = "; ".join(map(_escaped, notes(report, layout)))
    if below:
        lines.extend(["", below])
    if report.signature:
        lines.extend(["", f"signature: {_code(visible(report.signature))}"])
    return "".join(f"{line}\n" for line in lines)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(cell: Cell) -> str:
    value = f"**{cell.value}**" if cell.best else cell.value
    return f"{value} {cell.interval}" if cell.interval else value


def _escaped(text: str) -> str:
    """The text without any meaning to Markdown; a pipe would end its cell."""
    return re.sub(r"([\\`*_\[\]<>|~&])", r"\\\1", text)


def _code(text: str) -> str:
    """A code span, fenced by more backticks than stand together in the text."""
    fence = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    blank = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{blank}{text}{blank}{fence}"
