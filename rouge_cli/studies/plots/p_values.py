"""Plots of the p-values of all pairs of systems: a panel for each metric, with a shade for each pair."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib import rc_context
from matplotlib.colors import BoundaryNorm, ListedColormap
from matplotlib.patches import Patch

from rouge_cli.results.comparison import METHODS
from rouge_cli.studies.plots import figures

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rouge_cli.results.comparison import Comparison, Pair

# Shades of one colour, the darker the surer, so that they survive a copy in grey.
SHADES = ("#00304D", "#0072B2", "#8CC3E3", "#F2F2F2")
STEPS = (0.001, 0.01, 0.05)
_LEAST = 1.2  # inches of a panel's side


def draw_p_values(comparison: Comparison) -> Figure:
    """Draw the corrected p-values of all pairs (randomization), systems as the first metric ranks them.

    Up to some twenty systems fit a column; the figure grows with more.
    """
    names = list(dict.fromkeys(standing.name for standing in comparison.standings))
    systems = list(dict.fromkeys(standing.system for standing in comparison.standings))
    beside = figures.LETTER * max(len(figures.short(system)) for system in systems) + 0.1
    labels = [f"< {step:g}" for step in STEPS] + [f"at least {STEPS[-1]:g}"]
    side = max(_LEAST, figures.LINE * len(systems))
    below = beside + figures.legend_height(labels[:2])
    grid = figures.fit_grid(len(names), (side + 0.1, side + 0.25), (beside, below))
    side = (grid.width - beside) / grid.columns
    grid = grid._replace(height=below + grid.rows * (side + 0.12))
    with rc_context(figures.STYLE):
        figure, panels = figures.panels_of(grid, len(names), shared="xy")
        for panel, name in zip(panels, names, strict=True):
            _draw(panel, systems, comparison.of_metric(name).pairs)
            panel.set_title(figures.short(name), pad=3)
        handles = [Patch(facecolor=shade, edgecolor=figures.GREY, linewidth=0.4) for shade in SHADES]
        figures.add_legend(
            figure, handles, labels, loc="outside lower center", ncols=4, handlelength=1, columnspacing=1,
            title=f"p of randomization, {METHODS[comparison.plan.correction]}",
        )  # fmt: skip
    return figure


def _draw(panel: Axes, systems: Sequence[str], pairs: Sequence[Pair]) -> None:
    places = {system: place for place, system in enumerate(systems)}
    values = np.full((len(systems), len(systems)), np.nan)
    for pair in pairs:
        row, column = places[pair.system], places[pair.other]
        values[row, column] = values[column, row] = pair.randomization_corrected
    colours = ListedColormap(list(SHADES)).with_extremes(bad="white")
    panel.imshow(values, cmap=colours, norm=BoundaryNorm([0, *STEPS, 1.0001], 4))
    names = [figures.short(system) for system in systems]
    panel.set_xticks(range(len(systems)), names, rotation=90)
    panel.set_yticks(range(len(systems)), names)
    panel.tick_params(length=0)
    for edge in range(len(systems) + 1):
        panel.axhline(edge - 0.5, color="white", linewidth=0.4)
        panel.axvline(edge - 0.5, color="white", linewidth=0.4)
