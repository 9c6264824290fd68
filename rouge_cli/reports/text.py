"""A table for people: systems as rows, scores with intervals as columns, the best
scores marked.

On a terminal, rich draws the table and fits it to the width: intervals move below the
scores, then names and intervals are folded. Nothing is cut, so a table of many metrics
can be wider than the terminal. In files and pipes, the table is plain text in aligned
columns, with `*` after the best scores. Notes and the signature follow.
"""

from collections.abc import Iterable, Sequence

from rouge_cli.errors import require
from rouge_cli.results.base import Cell, Layout, Piece, Presentable, Table, visible

NEEDS = "tables"
SUFFIX = "txt"
_SHORTEST_FOLD = 8
_NARROWEST, _WIDEST = 40, 10**6  # terminals
# Mark of a piece -> the characters around it in plain text, and its style on a
# terminal.
MARKS = {"counted": ("[", "]"), "clipped": ("{", "}"), "dropped": ("~", "~")}
STYLES = {
    "counted": "bold green",
    "clipped": "underline yellow",
    "dropped": "dim strike",
    "head": "bold",
}


def render(result: Presentable, layout: Layout) -> str:
    """Return the report as tables for people; raise RougeError for a terminal if
    rich is not installed.
    """
    if hasattr(result, "prose"):
        lines = list(result.prose(layout))
        return (layout.terminal and _in_colours(lines)) or "".join(
            map(_plain_line, lines)
        )
    tables = list(result.tables(layout))
    notes = list(result.notes(layout))
    has_best = any(
        cell.best for content in tables for row in content.rows for cell in row.cells
    )
    if has_best and not layout.terminal:
        notes.append("*: the best of its column")
    if result.signature:
        notes.append(f"signature: {result.signature}")
    parts = [
        _lines([content.caption] if content.caption else [])
        + (_draw(content, layout.width) if layout.terminal else plain(content))
        + _lines([content.remark] if content.remark else [])
        for content in tables
    ]
    return "\n".join([*parts, *([_lines(notes)] if notes else [])])


def _lines(texts: Iterable[str]) -> str:
    return "".join(f"{visible(text)}\n" for text in texts)


def _plain_line(line: Sequence[Piece]) -> str:
    """Return the line with the marks of its pieces as characters."""
    marked = ((piece.text, *MARKS.get(piece.mark, ("", ""))) for piece in line)
    return (
        "".join(f"{opening}{text}{closing}" for text, opening, closing in marked) + "\n"
    )


def _in_colours(lines: Iterable[Sequence[Piece]]) -> str:
    """Return the lines with marks as colours; empty without rich or on a terminal
    without colours.
    """
    try:
        from rich.console import Console  # costs start-up time
        from rich.text import Text
    except ImportError:
        return ""
    console = Console(highlight=False, soft_wrap=True)
    if not console.color_system:
        return ""
    with console.capture() as capture:
        for line in lines:
            console.print(
                Text.assemble(
                    *((piece.text, STYLES.get(piece.mark, "")) for piece in line)
                )
            )
    return capture.get()


def plain(content: Table) -> str:
    """Return the table as plain text: columns two blanks apart, with numbers
    aligned.
    """
    rows = content.rows
    columns = [
        _align([head, *(row.names[index] for row in rows)])
        for index, head in enumerate(content.names)
    ]
    columns += [
        _numbers(head, [row.cells[index] for row in rows])
        for index, head in enumerate(content.numbers)
    ]
    return "".join(
        "  ".join(line).rstrip(" ") + "\n" for line in zip(*columns, strict=True)
    )


def _numbers(head: str, cells: Sequence[Cell]) -> list[str]:
    """Return the lines of a column of numbers: scores, marks and intervals, each
    aligned right.
    """
    has_best = any(cell.best for cell in cells)
    scores = [
        cell.value + ("*" if cell.best else " " if has_best else "") for cell in cells
    ]
    wide = max((len(cell.interval) for cell in cells), default=0)
    width = max(map(len, scores), default=0)
    bodies = [
        f"{score:>{width}}" + (f" {cell.interval:>{wide}}" if wide else "")
        for score, cell in zip(scores, cells, strict=True)
    ]
    width = max(map(len, [head, *bodies]))
    return [f"{text:>{width}}" for text in (head, *bodies)]


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


def _draw(content: Table, width: int) -> str:
    """Draw the table with rich; intervals are beside the scores if the width allows,
    else below.

    rich folds names, and intervals at the blank. A table that is still too wide is not
    cut.
    """
    require("this table needs", "rich")
    from io import StringIO

    from rich import box
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    # Sizes and colours are set here; otherwise rich would read them from the
    # environment.
    console = Console(
        file=StringIO(),
        height=25,
        force_terminal=True,
        force_jupyter=False,
        color_system="standard",
        legacy_windows=False,
    )
    for separator in (" ", "\n"):
        drawn = RichTable(
            box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0)
        )
        for index, head in enumerate(content.names):
            longest = max(
                map(_width, [head, *(row.names[index] for row in content.rows)])
            )
            drawn.add_column(
                Text(head), overflow="fold", min_width=min(longest, _SHORTEST_FOLD)
            )
        for index, head in enumerate(content.numbers):
            cells = [row.cells[index] for row in content.rows]
            words = [
                head,
                *(
                    word
                    for cell in cells
                    for word in (cell.value, *cell.interval.split())
                ),
            ]
            drawn.add_column(
                Text(head), justify="right", min_width=max(map(len, words))
            )
        for row in content.rows:
            texts = [
                Text.assemble(
                    (cell.value, "bold" if cell.best else ""),
                    *([separator, (cell.interval, "dim")] if cell.interval else ()),
                )
                for cell in row.cells
            ]
            drawn.add_row(*map(Text, row.names), *texts)
        console.width = _WIDEST
        if console.measure(drawn).maximum <= width:
            break
    console.width = max(width, _NARROWEST)
    with console.capture() as captured:
        console.print(drawn, crop=False)
    return "".join(f"{line.rstrip(' ')}\n" for line in captured.get().splitlines())
