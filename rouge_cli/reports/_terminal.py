"""Tables and marked texts on a terminal, as rich draws them."""

from collections.abc import Iterable, Sequence
from io import StringIO

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from rouge_cli.results.printed import Piece, Table

_SHORTEST_FOLD = 8
_NARROWEST, _WIDEST = 40, 10**6  # terminals
# Mark of a piece -> its style.
STYLES = {
    "counted": "bold green",
    "clipped": "underline yellow",
    "dropped": "dim strike",
    "head": "bold",
}


def in_colours(lines: Iterable[Sequence[Piece]]) -> str:
    """Return the lines with marks as colours; empty on a terminal without colours."""
    console = Console(highlight=False, soft_wrap=True)
    if not console.color_system:
        return ""
    with console.capture() as capture:
        for line in lines:
            styled = [(piece.text, STYLES.get(piece.mark, "")) for piece in line]
            console.print(Text.assemble(*styled))
    return capture.get()


def draw(content: Table, width: int) -> str:
    """Draw the table with rich; intervals are beside the scores if the width allows,
    else below.

    rich folds names, and intervals at the blank. A table that is still too wide is not
    cut.
    """
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
            names = [row.names[index] for row in content.rows]
            longest = max(map(cell_len, [head, *names]))
            drawn.add_column(
                Text(head), overflow="fold", min_width=min(longest, _SHORTEST_FOLD)
            )
        for index, head in enumerate(content.numbers):
            words = [head]
            for row in content.rows:
                cell = row.cells[index]
                words += [cell.value, *cell.interval.split()]
            drawn.add_column(
                Text(head), justify="right", min_width=max(map(len, words))
            )
        for row in content.rows:
            texts = []
            for cell in row.cells:
                text = Text()
                text.append(cell.value, style="bold" if cell.best else "")
                if cell.interval:
                    text.append(separator)
                    text.append(cell.interval, style="dim")
                texts.append(text)
            drawn.add_row(*map(Text, row.names), *texts)
        console.width = _WIDEST
        if console.measure(drawn).maximum <= width:
            break
    console.width = max(width, _NARROWEST)
    with console.capture() as captured:
        console.print(drawn, crop=False)
    return "".join(f"{line.rstrip(' ')}\n" for line in captured.get().splitlines())
