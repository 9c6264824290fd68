"""A table for people: systems as rows, scores with intervals as columns, the best
scores marked.

On a terminal, rich draws the table and fits it to the width: intervals move below the
scores, then names and intervals are folded. Nothing is cut, so a table of many metrics
can be wider than the terminal. In files and pipes, the table is plain text in aligned
columns, with `*` after the best scores. Notes and the signature follow. A terminal has
the signature in lines that end between its fields.
"""

from collections.abc import Iterable, Sequence

from rouge_cli.errors import require
from rouge_cli.results.base import Layout, Presentable
from rouge_cli.results.printed import Cell, Piece, Table, visible

NEEDS = "tables"
SUFFIX = "txt"
COLOURS = "yes"  # it prints control characters of its own on a terminal
# Mark of a piece -> the characters around it in plain text.
MARKS = {"counted": ("[", "]"), "clipped": ("{", "}"), "dropped": ("~", "~")}


def render(result: Presentable, layout: Layout) -> str:
    """Return the report as tables for people; raise RougeError for a terminal if
    rich is not installed.
    """
    if hasattr(result, "prose"):
        return _render_prose(list(result.prose(layout)), layout)
    tables = list(result.tables(layout))
    parts = [_render_table(content, layout) for content in tables]
    notes = list(result.notes(layout))
    if not layout.terminal and any(map(_has_best, tables)):
        notes.append("*: the best of its column")
    signature = result.stated_signature(layout)
    if signature:
        line = f"signature: {visible(signature)}"
        notes += _fitted(line, layout.width) if layout.terminal else [line]
    if notes:
        parts.append(_lines(notes))
    return "\n".join(parts)


def _render_table(content: Table, layout: Layout) -> str:
    """Return a table between its caption and its remark."""
    if layout.terminal:
        require("this table needs", "rich")
        from rouge_cli.reports import _terminal  # rich costs start-up time

        body = _terminal.draw(content, layout.width)
    else:
        body = plain(content)
    above = _lines([content.caption]) if content.caption else ""
    below = _lines([content.remark]) if content.remark else ""
    return above + body + below


def _fitted(signature: str, width: int) -> list[str]:
    """Return a signature in lines that end between fields, and are no longer than the
    terminal if fields allow that. `--like` reads them as they are.
    """
    lines: list[str] = []
    line = ""
    for field in signature.split("|"):
        longer = f"{line}|{field}" if line else field
        if line and len(longer) + 1 > width:
            lines.append(f"{line}|")
            longer = f"  {field}"
        line = longer
    return [*lines, line]


def _has_best(content: Table) -> bool:
    """Return True if any cell of a table is the best of its column."""
    return any(cell.best for row in content.rows for cell in row.cells)


def _lines(texts: Iterable[str]) -> str:
    return "".join(f"{visible(text)}\n" for text in texts)


def _render_prose(lines: Sequence[Sequence[Piece]], layout: Layout) -> str:
    """Return lines of marked pieces: in colours on a terminal that has them."""
    if layout.terminal:
        coloured = _coloured(lines)
        if coloured:
            return coloured
    return "".join(map(_plain_line, lines))


def _coloured(lines: Sequence[Sequence[Piece]]) -> str:
    """Return the lines with marks as colours; empty without rich or on a terminal
    without colours.
    """
    try:
        from rouge_cli.reports import _terminal  # rich costs start-up time
    except ImportError:
        return ""
    return _terminal.in_colours(lines)


def _plain_line(line: Sequence[Piece]) -> str:
    """Return the line with the marks of its pieces as characters."""
    marked = []
    for piece in line:
        opening, closing = MARKS.get(piece.mark, ("", ""))
        marked.append(f"{opening}{piece.text}{closing}")
    return "".join(marked) + "\n"


def plain(content: Table) -> str:
    """Return the table as plain text: columns two blanks apart, with numbers
    aligned.
    """
    columns = []
    for index, head in enumerate(content.names):
        names = [row.names[index] for row in content.rows]
        columns.append(_align([head, *names]))
    for index, head in enumerate(content.numbers):
        cells = [row.cells[index] for row in content.rows]
        columns.append(_numbers(head, cells))
    lines = ["  ".join(line).rstrip(" ") for line in zip(*columns, strict=True)]
    return "".join(f"{line}\n" for line in lines)


def _numbers(head: str, cells: Sequence[Cell]) -> list[str]:
    """Return the lines of a column of numbers: scores, marks and intervals, each
    aligned right.
    """
    has_best = any(cell.best for cell in cells)
    scores = []
    for cell in cells:
        mark = ""
        if has_best:
            mark = "*" if cell.best else " "
        scores.append(cell.value + mark)
    bodies = _right_aligned(scores)
    if any(cell.interval for cell in cells):
        intervals = _right_aligned([cell.interval for cell in cells])
        bodies = list(map(" ".join, zip(bodies, intervals, strict=True)))
    return _right_aligned([head, *bodies])


def _right_aligned(texts: Sequence[str]) -> list[str]:
    """Pad texts on their left to the length of the longest."""
    width = max(map(len, texts), default=0)
    return [text.rjust(width) for text in texts]


def _align(names: Sequence[str]) -> list[str]:
    """Pad names to the same width on the screen."""
    widest = max(map(_width, names))
    return [name + " " * (widest - _width(name)) for name in names]


def _width(name: str) -> int:
    """Return the width of a name in columns; Chinese characters take two, combining
    accents none.
    """
    if name.isascii():
        return len(name)
    require("this table needs", "rich")
    from rich.cells import cell_len

    return cell_len(name)
