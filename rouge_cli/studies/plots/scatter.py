"""Scatter plots of metrics against human scores: a panel for each pair, with a point for each system."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib import rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.lines import Line2D
from matplotlib.transforms import Bbox

from rouge_cli.results.correlation import ALL_PEERS
from rouge_cli.studies.correlate import system_means
from rouge_cli.studies.plots import figures

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rouge_cli.results.correlation import Correlations, Points
    from rouge_cli.studies.correlation import Array

_SIDE = 2.9  # inches of a panel


def draw_correlations(correlations: Correlations) -> Figure:
    """Draw the systems' means by a metric and by people, with the regression line and the correlations.

    People are orange squares. A name that would cover another, or a point, is not shown.
    """
    groups = [points for points in correlations.points if points.peers == ALL_PEERS]
    with_people = any(points.humans for points in groups)
    lines = ["a system", "a person"] if with_people else []
    grid = figures.fit_grid(len(groups), (_SIDE, _SIDE), (0, figures.legend_height(lines[:1])))
    with rc_context(figures.STYLE):
        figure, panels = figures.panels_of(grid, len(groups))
        drawn = [_draw(panel, points, correlations) for panel, points in zip(panels, groups, strict=True)]
        handles = [
            Line2D([], [], color=colour, marker=marker, linestyle="", markersize=3)
            for colour, marker in ((figures.BLUE, "o"), (figures.ORANGE, "s"))
        ]
        figures.add_legend(figure, handles, lines, loc="outside lower center", ncols=2)
        # Names are placed where nothing else is, once everything else has its place.
        canvas = FigureCanvasAgg(figure)
        figure.draw_without_rendering()
        figure.set_layout_engine("none")
        for panel, (systems, x, y) in zip(panels, drawn, strict=True):
            _label(panel, canvas, systems, x, y)
    return figure


def _draw(panel: Axes, points: Points, correlations: Correlations) -> tuple[list[str], Array, Array]:
    systems, x, y = system_means(points)
    people = np.array([system in points.humans for system in systems])
    panel.plot(x[~people], y[~people], "o", color=figures.BLUE, markersize=3)
    panel.plot(x[people], y[people], "s", color=figures.ORANGE, markersize=3)
    if len(x) > 1 and np.ptp(x) > 0:
        slope, start = np.polyfit(x, y, 1)
        ends = np.array([x.min(), x.max()])
        panel.plot(ends, start + slope * ends, color=figures.BLACK, linewidth=0.7)
    panel.set_xlabel(f"mean {figures.short(points.metric, 40)}")
    panel.set_ylabel(f"mean human {figures.short(points.human, 30)}")
    panel.set_title(", ".join(_coefficients(points, correlations)))
    panel.margins(0.08)
    figures.make_bare(panel)
    return systems, x, y


def _coefficients(points: Points, correlations: Correlations) -> Iterator[str]:
    """Yield the correlations of the panel's points."""
    signs = {
        "pearson": "r",
        "spearman": "\N{GREEK SMALL LETTER RHO}",
        "kendall": "\N{GREEK SMALL LETTER TAU}",
    }
    for correlation in correlations.correlations:
        if correlation[:4] == (*points[:3], "system"):
            yield f"{signs[correlation.coefficient]} = {correlation.value.value:.3f}"


def _label(panel: Axes, canvas: FigureCanvasAgg, systems: Sequence[str], x: Array, y: Array) -> None:
    """Name the points in the nearest of eight places that is free; leave the name out if none is."""
    renderer: Any = canvas.get_renderer()  # type: ignore[no-untyped-call]
    inside = panel.get_window_extent(renderer)
    pixels = panel.transData.transform(np.column_stack([x, y]))
    size = 2.5 * canvas.figure.dpi / 72
    # Points first, so that a point's own box is that of its place; then the line, in steps.
    taken = [_box(x_pixel, y_pixel, size) for x_pixel, y_pixel in pixels]
    for line in panel.lines[2:]:
        start, end = panel.transData.transform(line.get_xydata())
        taken += [_box(x_pixel, y_pixel, size / 4) for x_pixel, y_pixel in np.linspace(start, end, 200)]
    for place, system in enumerate(systems):
        for across, up, horizontal, vertical in _PLACES:
            text = panel.annotate(
                figures.short(system), (x[place], y[place]), (across * 3, up * 3),
                textcoords="offset points", ha=horizontal, va=vertical, fontsize=figures.TINY,
                color=figures.BLACK,
            )  # fmt: skip
            box = text.get_window_extent(renderer)
            others = taken[:place] + taken[place + 1 :]
            is_inside = inside.contains(box.x0, box.y0) and inside.contains(box.x1, box.y1)
            if is_inside and not any(box.overlaps(other) for other in others):
                taken.append(box)
                break
            text.remove()


_PLACES = (
    (1, 0, "left", "center"), (-1, 0, "right", "center"),
    (0, 1, "center", "bottom"), (0, -1, "center", "top"),
    (1, 1, "left", "bottom"), (-1, 1, "right", "bottom"), (1, -1, "left", "top"), (-1, -1, "right", "top"),
)  # fmt: skip


def _box(x: float, y: float, size: float) -> Bbox:
    return Bbox.from_bounds(x - size, y - size, 2 * size, 2 * size)
