"""Plots of comparisons and correlations, legible at a paper's column width (3.3 inches).

Colours are Okabe and Ito's (2008), which all readers can distinguish; shape or text repeat what
they express. Needs matplotlib, the extra `plots`. A metric, or a pair of scores, is a panel; panels
are below each other.
"""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib import rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import BoundaryNorm, ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator
from PIL import Image

from rouge_cli.results._tables import visible
from rouge_cli.results.correlation import EVERYBODY
from rouge_cli.studies.correlate import system_means

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from matplotlib.axes import Axes
    from matplotlib.transforms import Bbox

    from rouge_cli.results.comparison import Comparison, Pair, Standing
    from rouge_cli.results.correlation import Correlations, Points
    from rouge_cli.scoring.correlation import Array

COLUMN = 3.3  # inches
BLUE, ORANGE, BLACK, GREY = "#0072B2", "#D55E00", "#000000", "#BBBBBB"
# Shades of one colour, darker for smaller p-values, so that they survive a copy in grey.
SHADES = ("#00304D", "#0072B2", "#8CC3E3", "#F2F2F2")
STEPS = (0.001, 0.01, 0.05)
SMALL, TINY = 7, 5.5  # points
_ROW = 0.115  # inches for a line of small text
_MOST_DOTS = 5000  # of a side; the time to draw grows with their square
_STYLE: Any = {
    "font.size": SMALL,
    "text.parse_math": False,  # a `$` in a name does not start a formula
    "axes.linewidth": 0.5,
    "xtick.major.width": 0.5,
    "ytick.major.width": 0.5,
    "svg.hashsalt": "rouge-cli",  # equal pictures become equal files
    "pdf.fonttype": 42,  # fonts that journals accept
}


def rendered(figure: Figure, kind: str) -> bytes:
    """Return the figure as a file of that kind: png (300 dots an inch, or fewer), svg or pdf."""
    dots = min(300, _MOST_DOTS / max(figure.get_size_inches()))
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind)
    data = BytesIO()
    with rc_context(_STYLE):
        figure.savefig(data, format=kind, dpi=dots, metadata=metadata)
    return _in_few_colours(data, dots) if kind == "png" else data.getvalue()


def _in_few_colours(png: BytesIO, dots: float) -> bytes:
    """Return the picture with a palette of 256 colours: visually the same, in a third of the bytes."""
    data = BytesIO()
    picture = Image.open(png).convert("RGB").quantize()
    picture.save(data, "png", optimize=True, dpi=(dots, dots))
    return data.getvalue()


def forest(comparison: Comparison) -> Figure:
    """Return the systems of each metric, the best on top, with their intervals and their groups, if any.

    Against a baseline, a dashed line is the baseline's mean, and systems that differ from it are
    filled. People are orange squares.
    """
    groups = [
        [standing for standing in comparison.standings if standing.name == name]
        for name in dict.fromkeys(standing.name for standing in comparison.standings)
    ]
    height = sum(_ROW * len(group) + 0.75 for group in groups)
    with rc_context(_STYLE):
        figure, panels = _panels(COLUMN, height, [len(group) + 4 for group in groups])
        for panel, group in zip(panels, groups, strict=True):
            _forest(panel, group, comparison)
    return figure


def _forest(panel: Axes, group: Sequence[Standing], comparison: Comparison) -> None:
    plan = comparison.plan
    apart = {
        pair.system
        for pair in comparison.pairs
        if pair.name == group[0].name and pair.randomization_corrected < plan.level
    }
    for place, standing in enumerate(group):
        colour, marker = (ORANGE, "s") if standing.human else (BLUE, "o")
        filled = plan.baseline is None or standing.system in apart
        value, *ends = (end for end in standing.mean if end is not None)
        panel.plot(ends, [place] * len(ends), color=colour, linewidth=0.8)
        panel.plot(
            [value], [place], marker, markersize=3, markeredgewidth=0.7,
            color=colour, markerfacecolor=colour if filled else "white",
        )  # fmt: skip
        if standing.letters:
            panel.text(
                1.02, place, _short(standing.letters), transform=panel.get_yaxis_transform(), va="center",
                fontsize=TINY,
            )  # fmt: skip
        if standing.system == plan.baseline:
            panel.axvline(value, color=BLACK, linewidth=0.6, linestyle="--")
    panel.set_yticks(range(len(group)), [_short(standing.system) for standing in group])
    panel.tick_params(axis="y", length=0)
    panel.set_ylim(len(group) - 0.4, -0.6)
    panel.set_xlabel(f"mean {group[0].name}, {plan.confidence:g}% interval")
    _bare(panel)


def matrix(comparison: Comparison) -> Figure:
    """Return the corrected p-values of all pairs (randomization), systems in the ranking's order.

    About twenty systems fit a column; the figure grows with more.
    """
    names = list(dict.fromkeys(standing.name for standing in comparison.standings))
    groups = [
        [standing.system for standing in comparison.standings if standing.name == name] for name in names
    ]
    most = max(map(len, groups))
    size = max(COLUMN, 0.9 + _ROW * most)
    with rc_context(_STYLE):
        figure, panels = _panels(size, (size + 0.4) * len(groups), [1] * len(groups))
        for panel, name, systems in zip(panels, names, groups, strict=True):
            _matrix(panel, systems, [pair for pair in comparison.pairs if pair.name == name])
            corrected = "" if comparison.plan.correction == "none" else f", {comparison.plan.correction}"
            panel.set_title(f"{name}: p{corrected}", fontsize=SMALL)
        legend_labels = [f"< {step:g}" for step in STEPS] + [f"at least {STEPS[-1]:g}"]
        handles = [
            Patch(facecolor=shade, edgecolor=GREY, linewidth=0.4, label=label)
            for shade, label in zip(SHADES, legend_labels, strict=True)
        ]
        figure.legend(
            handles=handles, loc="outside lower center", ncols=4, frameon=False, fontsize=SMALL,
            handlelength=1, columnspacing=1, handletextpad=0.4,
        )  # fmt: skip
    return figure


def _matrix(panel: Axes, systems: Sequence[str], pairs: Sequence[Pair]) -> None:
    places = {system: place for place, system in enumerate(systems)}
    values = np.full((len(systems), len(systems)), np.nan)
    for pair in pairs:
        row, column = places[pair.system], places[pair.other]
        values[row, column] = values[column, row] = pair.randomization_corrected
    colours = ListedColormap(list(SHADES)).with_extremes(bad="white")
    panel.imshow(values, cmap=colours, norm=BoundaryNorm([0, *STEPS, 1.0001], 4))
    names = [_short(system) for system in systems]
    panel.set_xticks(range(len(systems)), names, rotation=90)
    panel.set_yticks(range(len(systems)), names)
    panel.tick_params(length=0, labelsize=SMALL)
    for edge in range(len(systems) + 1):
        panel.axhline(edge - 0.5, color="white", linewidth=0.4)
        panel.axvline(edge - 0.5, color="white", linewidth=0.4)


def scatter(correlations: Correlations) -> Figure:
    """Return the systems' means by a metric and by people, with the regression line and the correlations.

    People are orange squares. A name that would cover another, or a point, is not shown.
    """
    groups = [points for points in correlations.points if points.peers == EVERYBODY]
    with rc_context(_STYLE):
        figure, panels = _panels(COLUMN, 3.0 * len(groups), [1] * len(groups))
        drawn = [
            _scatter(panel, points, correlations) for panel, points in zip(panels, groups, strict=True)
        ]
        # Names are placed last, in the remaining space.
        canvas = FigureCanvasAgg(figure)
        figure.draw_without_rendering()
        figure.set_layout_engine("none")
        for panel, (systems, x, y) in zip(panels, drawn, strict=True):
            _label(panel, canvas, systems, x, y)
    return figure


def _scatter(panel: Axes, points: Points, correlations: Correlations) -> tuple[list[str], Array, Array]:
    systems, x, y = system_means(points)
    people = np.array([system in points.humans for system in systems])
    panel.plot(x[~people], y[~people], "o", color=BLUE, markersize=3)
    panel.plot(x[people], y[people], "s", color=ORANGE, markersize=3)
    if len(x) > 1 and np.ptp(x) > 0:
        slope, start = np.polyfit(x, y, 1)
        ends = np.array([x.min(), x.max()])
        panel.plot(ends, start + slope * ends, color=BLACK, linewidth=0.7)
    panel.set_xlabel(f"mean {points.metric}")
    panel.set_ylabel(f"mean human {visible(points.human)}")
    panel.set_title(", ".join(_correlations_text(points, correlations)), fontsize=SMALL)
    panel.margins(0.08)
    _bare(panel)
    return systems, x, y


def _correlations_text(points: Points, correlations: Correlations) -> Iterator[str]:
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
    # Points first, so that a point's own box has its index; then the line, in steps.
    taken = [_box(across, up, size) for across, up in pixels]
    for line in panel.lines[2:]:
        start, end = panel.transData.transform(line.get_xydata())
        taken += [_box(across, up, size / 4) for across, up in np.linspace(start, end, 200)]
    for place, system in enumerate(systems):
        for across, up, horizontal, vertical in _PLACES:
            text = panel.annotate(
                _short(system), (x[place], y[place]), (across * 3, up * 3), textcoords="offset points",
                ha=horizontal, va=vertical, fontsize=TINY, color=BLACK,
            )  # fmt: skip
            box = text.get_window_extent(renderer)
            others = taken[:place] + taken[place + 1 :]
            if _within(box, inside) and not any(box.overlaps(other) for other in others):
                taken.append(box)
                break
            text.remove()


_PLACES = (
    (1, 0, "left", "center"), (-1, 0, "right", "center"),
    (0, 1, "center", "bottom"), (0, -1, "center", "top"),
    (1, 1, "left", "bottom"), (-1, 1, "right", "bottom"), (1, -1, "left", "top"), (-1, -1, "right", "top"),
)  # fmt: skip


def _box(x: float, y: float, size: float) -> Bbox:
    from matplotlib.transforms import Bbox

    return Bbox.from_bounds(x - size, y - size, 2 * size, 2 * size)


def _within(box: Bbox, outer: Bbox) -> bool:
    return bool(outer.x0 <= box.x0 and box.x1 <= outer.x1 and outer.y0 <= box.y0 and box.y1 <= outer.y1)


def _panels(width: float, height: float, ratios: Sequence[float]) -> tuple[Figure, list[Axes]]:
    """Return a figure with panels below each other, with heights in these ratios."""
    figure = Figure(figsize=(width, height), layout="constrained")
    panels = figure.subplots(len(ratios), 1, squeeze=False, gridspec_kw={"height_ratios": list(ratios)})
    return figure, list(panels[:, 0])


def _bare(panel: Axes) -> None:
    for side in ("top", "right"):
        panel.spines[side].set_visible(False)
    panel.xaxis.set_major_locator(MaxNLocator(5))


def _short(name: str, most: int = 24) -> str:
    """Return the name, or its two ends if it is too long for the column."""
    name = visible(name)
    return name if len(name) <= most else f"{name[: most - 11]}...{name[-8:]}"
