"""A table for GitHub, README files and issues: best scores in bold, intervals in
their cells.
"""

import re
from collections.abc import Sequence

from rouge_cli.results.base import Layout, Presentable
from rouge_cli.results.printed import Cell, Table, visible

NEEDS = "tables"
PREFERS = "paper"
SUFFIX = "md"
_ENTITIES = str.maketrans(
    {
        "\N{DAGGER}": "&dagger;",
        "\N{DOUBLE DAGGER}": "&Dagger;",
        "\N{MULTIPLICATION SIGN}": "&times;",
    }
)


def render(result: Presentable, layout: Layout) -> str:
    """Return the report as GitHub tables, with the notes and the signature below."""
    paper = result.paper(layout) if hasattr(result, PREFERS) else None
    if paper:
        parts = [_table(paper)]
    else:
        parts = [_table(content) for content in result.tables(layout)]
        notes = [_escape(visible(note)) for note in result.notes(layout)]
        if notes:
            parts.append("; ".join(notes) + "\n")
    signature = result.stated_signature(layout)
    if signature:
        parts.append(f"signature: {_code(visible(signature))}\n")
    return "\n".join(parts)


def _table(content: Table) -> str:
    """Return the lines of a table, between its caption and its remark."""
    lines = []
    if content.caption:
        lines += [_escape(visible(content.caption)), ""]
    heads = [_escape(name) for name in (*content.names, *content.numbers)]
    lines.append(_line(heads))
    lines.append(_line(["---"] * len(content.names) + ["---:"] * len(content.numbers)))
    for row in content.rows:
        names = [_escape(name) for name in row.names]
        cells = [_cell(cell) for cell in row.cells]
        lines.append(_line(names + cells))
    if content.remark:
        lines += ["", _escape(visible(content.remark))]
    return "".join(f"{line}\n" for line in lines)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(cell: Cell) -> str:
    value = _escape(cell.value)
    if cell.best:
        value = f"**{value}**"
    if cell.mark:
        value += f"<sup>{_escape(cell.mark)}</sup>"
    if cell.interval:
        value += f" {cell.interval}"
    return value


def _escape(text: str) -> str:
    """Escape the text for Markdown; a pipe would end its cell."""
    return re.sub(r"([\\`*_\[\]<>|~&])", r"\\\1", text).translate(_ENTITIES)


def _code(text: str) -> str:
    """Return a code span; its fence has more backticks than any run in the text."""
    fence = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    blank = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{blank}{text}{blank}{fence}"
