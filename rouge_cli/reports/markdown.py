"""A table for GitHub, README files and issues: best scores in bold, intervals in
their cells.
"""

import re
from collections.abc import Sequence

from rouge_cli.results.base import Cell, Layout, Presentable, Table, visible

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
    parts = [
        _table(content) for content in ([paper] if paper else result.tables(layout))
    ]
    below = (
        ""
        if paper
        else "; ".join(_escape(visible(note)) for note in result.notes(layout))
    )
    parts += [f"{below}\n"] if below else []
    parts += (
        [f"signature: {_code(visible(result.signature))}\n"] if result.signature else []
    )
    return "\n".join(parts)


def _table(content: Table) -> str:
    lines = [
        *([_escape(visible(content.caption)), ""] if content.caption else []),
        _line([*map(_escape, content.names), *map(_escape, content.numbers)]),
        _line([*("---" for _ in content.names), *("---:" for _ in content.numbers)]),
        *(
            _line([*map(_escape, row.names), *map(_cell, row.cells)])
            for row in content.rows
        ),
        *(["", _escape(visible(content.remark))] if content.remark else []),
    ]
    return "".join(f"{line}\n" for line in lines)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(cell: Cell) -> str:
    value = _escape(cell.value)
    value = f"**{value}**" if cell.best else value
    value += f"<sup>{_escape(cell.mark)}</sup>" if cell.mark else ""
    return f"{value} {cell.interval}" if cell.interval else value


def _escape(text: str) -> str:
    """Escape the text for Markdown; a pipe would end its cell."""
    return re.sub(r"([\\`*_\[\]<>|~&])", r"\\\1", text).translate(_ENTITIES)


def _code(text: str) -> str:
    """Return a code span; its fence has more backticks than any run in the text."""
    fence = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    blank = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{blank}{text}{blank}{fence}"
