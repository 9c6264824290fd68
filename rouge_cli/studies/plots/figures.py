"""Common parts of plots: sizes, colours, the grid of panels, the legend below it, and picture files."""

from __future__ import annotations

import textwrap
from io import BytesIO
from math import ceil, log
from typing import TYPE_CHECKING, Any, NamedTuple

from matplotlib import rc_context
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from PIL import Image

from rouge_cli.results._tables import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

COLUMN, PAGE = 3.3, 6.3  # the width of ACL's column and of its page, in inches
_HALF, _WHOLE = 4.5, 9.0  # the heights that may be filled: of a column, and of a page
BLUE, ORANGE, BLACK, GREY, PALE = "#0072B2", "#D55E00", "#000000", "#BBBBBB", "#E6E6E6"
SMALL, TINY = 7, 5.5  # points
LINE = 0.115  # inches for a line of small text
LETTER = 0.06  # inches for a letter of it, rather too much
_MOST_DOTS = 5000  # of a side; what a picture takes to draw grows with their square
STYLE: Any = {
    "font.size": SMALL,
    "axes.titlesize": "medium",  # as large as other text
    "text.parse_math": False,  # a `$` in a name does not begin a formula
    "axes.linewidth": 0.5,
    "xtick.major.width": 0.5,
    "ytick.major.width": 0.5,
    "svg.hashsalt": "rouge-cli",  # the same picture is the same file
    "pdf.fonttype": 42,  # fonts that journals accept
    "legend.frameon": False,
    "legend.labelspacing": 0.25,
    "legend.borderaxespad": 0,
    "legend.borderpad": 0.2,
    "legend.handletextpad": 0.6,
    "legend.handlelength": 2.2,
}


class Grid(NamedTuple):
    """How panels stand, and the figure's size in inches."""

    columns: int
    rows: int
    width: float
    height: float


def fit_grid(count: int, panel: tuple[float, float], margin: tuple[float, float]) -> Grid:
    """Return the grid of so many panels: in a column if it fits half of it, else on a page if it fits that.

    What does not fit a page has about a page's proportions, so that it can be scaled to one.
    panel: the least width and the height of a panel. margin: what stands beside and below all of them.
    """
    grids = []
    for most in range(1, count + 1):
        rows = ceil(count / most)
        columns = ceil(count / rows)
        grids.append(Grid(columns, rows, margin[0] + columns * panel[0], margin[1] + rows * panel[1]))
    for width, height in ((COLUMN, _HALF), (PAGE, _WHOLE)):
        fitting = [grid for grid in grids if grid.width <= width and (grid.height <= height or count == 1)]
        if fitting:
            return fitting[-1]._replace(width=width)
    return min(grids, key=lambda grid: abs(log(grid.height / grid.width * PAGE / _WHOLE)))


def panels_of(grid: Grid, count: int, *, shared: str = "") -> tuple[Figure, list[Axes]]:
    """Return a figure with so many panels, row by row. shared: the letters of axes that all share."""
    figure = Figure(figsize=(grid.width, grid.height), layout="constrained")
    panels = (
        figure.subplots(grid.rows, grid.columns, squeeze=False, sharex="x" in shared, sharey="y" in shared)
        .ravel()
        .tolist()
    )
    for empty in panels[count:]:
        empty.set_visible(False)
    return figure, panels[:count]


def legend_lines(texts: Sequence[str], width: float) -> list[str]:
    """Return the texts of a legend, each folded to the figure's width."""
    most = int((width - 0.4) / (LETTER * 0.9))
    return ["\n".join(textwrap.wrap(visible(text), most, break_long_words=True)) for text in texts]


def legend_height(lines: Sequence[str]) -> float:
    """Return the height that the legend needs, in inches."""
    return 0.15 + 0.13 * sum(1 + line.count("\n") for line in lines) if lines else 0


def add_legend(figure: Figure, handles: Sequence[Artist], lines: Sequence[str], **settings: Any) -> None:  # noqa: ANN401 - of matplotlib
    """Draw a legend below all panels."""
    if lines:
        figure.legend(handles, lines, **{"loc": "outside lower left", "alignment": "left", **settings})


def make_bare(panel: Axes, ticks: int = 5) -> None:
    """Leave out the frame's upper and right sides, and all but a few ticks."""
    for side in ("top", "right"):
        panel.spines[side].set_visible(False)
    panel.xaxis.set_major_locator(MaxNLocator(ticks))


def short(name: str, most: int = 24) -> str:
    """Return the name, or its ends if it would fill the column."""
    name = visible(name)
    return name if len(name) <= most else f"{name[: most - 11]}...{name[-8:]}"


def render(figure: Figure, kind: str) -> bytes:
    """Return the figure as a file of that kind: png (300 dots an inch, or fewer), svg or pdf."""
    dots = min(300, _MOST_DOTS / max(figure.get_size_inches()))
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind)
    data = BytesIO()
    with rc_context(STYLE):
        figure.savefig(data, format=kind, dpi=dots, metadata=metadata)
    return _in_few_colours(data, dots) if kind == "png" else data.getvalue()


def _in_few_colours(png: BytesIO, dots: float) -> bytes:
    """Return the picture with a palette of 256 colours: to the eye the same, in a third of the bytes."""
    data = BytesIO()
    picture = Image.open(png).convert("RGB").quantize()
    picture.save(data, "png", optimize=True, dpi=(dots, dots))
    return data.getvalue()
