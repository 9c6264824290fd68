"""Plots of scores, comparisons and correlations, readable at the width of a paper's
column.

There is a panel for each metric or pair of scores. The grid of panels fits a column of
a paper, or else a page. All panels list the systems in the same order. Colours are by
Okabe and Ito (2008), which people with any colour vision can distinguish; shape or text
repeats their meaning. The module needs matplotlib (the extra `plots`).
"""

from __future__ import annotations

import os
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import BytesIO
from itertools import chain
from math import ceil, isfinite, log
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from matplotlib import rc_context, rc_params_from_file
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator
from PIL import Image

from rouge_cli import data
from rouge_cli.core import Estimate
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.results.base import Presentable
from rouge_cli.results.comparison import METHODS, Comparison
from rouge_cli.results.correlation import (
    ACCURACY,
    ALL_SUMMARIZERS,
    SOFT,
    Correlations,
    Points,
)
from rouge_cli.results.planning import Planning, Stability
from rouge_cli.results.printed import visible
from rouge_cli.results.scores import Results, averages_of
from rouge_cli.tasks import system_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.transforms import Bbox
    from typing_extensions import Unpack

    from rouge_cli.results.base import LayoutFields


SCREEN = "screen"
PAPER = "paper"
COLUMN = 3.3  # the width of a column in ACL's style, in inches
PAGE = 6.3  # the width of a page
_HALF = 4.5  # the height that a figure may fill in a column, in inches
_WHOLE = 9.0  # the height that a figure may fill on a page
BLUE = "#0072B2"
ORANGE = "#D55E00"
BLACK = "#000000"
PALE = "#E6E6E6"
STYLE = rc_params_from_file(
    f"{os.path.dirname(data.__file__)}/plots.mplstyle", use_default_template=False
)
SMALL = STYLE["font.size"]  # points
TINY = 5.5  # points
LINE = 0.115  # the height of a line of small text in inches
LETTER = 0.06  # the width of a letter of small text in inches (upper estimate)
_MOST_DOTS = 5000  # per side of a picture; the time to draw grows with their square
_LEAST_WIDTH = 0.95  # of a panel with three numbers on its axis, in inches
_SIDE = 2.9  # the width and the height of a panel of points, in inches
_MARGIN = 0.48  # the space above and below the dots of a panel, together, in inches
_BASELINE: Any = {"color": BLACK, "linewidth": 0.6, "linestyle": "--"}
# To the right of a point, to its left, above, below, then the corners
_PLACES = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1))
_SIZES: Any = {"markersize": 3, "markeredgewidth": 0.7, "linewidth": 0.8}
# The meaning of a mark -> how it differs from a blue dot.
_Legend = Mapping[str, Mapping[str, Any]]


class Picture(Figure):
    """A figure that notebooks show."""

    def savefig(self, *arguments: Any, **options: Any) -> None:  # noqa: ANN401 - as in matplotlib
        """Write the figure as matplotlib does, with fonts that journals accept."""
        with rc_context(STYLE):
            super().savefig(*arguments, **options)

    def _repr_png_(self) -> bytes:
        return render(self, "png")


@contextmanager
def panels_of(  # noqa: PLR0913 - what differs between the figures
    count: int,
    panel: tuple[float, float],
    legend: _Legend,
    beside: float = 0,
    *,
    share_y: bool,
    purpose: str = SCREEN,
) -> Iterator[tuple[Picture, list[Axes], int]]:
    """Yield a figure, its panels row by row, and the number of their columns; then add
    a legend below.

    The figure fits half a column if the panels do, else a page if they do. A larger
    figure has about the proportions of a page, so that it can be scaled to it.

    Args:
        panel: The least width and the height of a panel.
        legend: A list below names that are beside the panels, else a centred line.
        beside: The width of these names.
        share_y: True if the panels have the same vertical axis.
        purpose: PAPER for a figure as wide as a column of a paper.
    """
    lines = _folded(legend, 5) if beside else list(legend)[:1]
    below = 0.0
    if lines:
        below = 0.15 + 0.13 * sum(1 + line.count("\n") for line in lines)
    grid = _grid(count, panel, beside, below, purpose)

    with rc_context(STYLE):
        figure = Picture(figsize=(grid.width, grid.height), layout="constrained")
        axes = figure.subplots(grid.rows, grid.columns, squeeze=False, sharey=share_y)
        panels = axes.ravel().tolist()
        for empty in panels[count:]:
            empty.set_visible(False)
        yield figure, panels[:count], grid.columns

        if not legend:
            return
        dot = {"color": BLUE, "marker": "o", "linestyle": "", **_SIZES}
        marks = [Line2D([], [], **{**dot, **style}) for style in legend.values()]
        location: Any = {"loc": "outside lower center", "ncols": len(legend)}
        if beside:
            location = {"loc": "outside lower left"}
        texts = _folded(legend, grid.width)
        figure.legend(marks, texts, alignment="left", **location)


class _Grid(NamedTuple):
    """The panels of a figure, and its size in inches."""

    columns: int
    rows: int
    width: float
    height: float


def _grid(
    count: int, panel: tuple[float, float], beside: float, below: float, purpose: str
) -> _Grid:
    """Return the grid of panels, as `panels_of` documents."""
    panel_width, panel_height = panel
    grids = []
    for most_columns in range(1, count + 1):
        rows = ceil(count / most_columns)
        columns = ceil(count / rows)
        width = beside + columns * panel_width
        height = below + rows * panel_height
        grids.append(_Grid(columns, rows, width, height))

    if purpose == PAPER:
        fitting = [grid for grid in grids if grid.width <= COLUMN]
        return (fitting or grids[:1])[-1]._replace(width=COLUMN)

    for width, highest in ((COLUMN, _HALF), (PAGE, _WHOLE)):
        # The widest grid that fits is the lowest.
        for grid in reversed(grids):
            if grid.width <= width and (grid.height <= highest or count == 1):
                return grid._replace(width=width)

    def difference_from_page(grid: _Grid) -> float:
        return abs(log(grid.height / grid.width * PAGE / _WHOLE))

    return min(grids, key=difference_from_page)


def _folded(texts: Iterable[str], width: float) -> list[str]:
    """Return the texts of a legend, folded to the width of the figure."""
    most = int((width - 0.4) / (LETTER * 0.9))
    return [
        "\n".join(textwrap.wrap(visible(text), most, break_long_words=True))
        for text in texts
    ]


def short(name: str, most: int = 24) -> str:
    """Return the name for display; only its ends if it is long."""
    name = visible(name)
    if len(name) <= most:
        return name
    return f"{name[: most - 11]}...{name[-8:]}"


def render(figure: Picture, kind: str) -> bytes:
    """Return the figure as a file: png (at most 300 dots per inch), svg or pdf."""
    dots = min(300, _MOST_DOTS / max(figure.get_size_inches()))
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind)
    file = BytesIO()
    figure.savefig(file, format=kind, dpi=dots, metadata=metadata)
    if kind == "png":
        # With a palette of 256 colours it looks the same in a third of the bytes.
        picture = Image.open(file).convert("RGB").quantize()
        file = BytesIO()
        picture.save(file, "png", optimize=True, dpi=(dots, dots))
    return file.getvalue()


class _Dot(NamedTuple):
    """A system in a panel."""

    mean: Estimate
    human: bool = False  # True if the system is a person
    letters: str = ""  # the groups of systems that do not differ significantly
    is_filled: bool = True  # False if the system does not differ from the baseline


_Panels = Mapping[str, Mapping[str, _Dot]]  # metric -> system -> dot


def draw_comparison(
    comparison: Comparison, *, scale: float = 1.0, purpose: str = SCREEN
) -> Picture:
    """Draw the systems with intervals and groups, the best by the first metric on top.

    If there is a baseline, a dashed line marks its mean, and systems that differ
    significantly have filled dots. People are orange squares.
    """
    plan = comparison.plan
    differing = {
        (pair.name, pair.system)
        for pair in comparison.pairs
        if pair.randomization_corrected < plan.level
    }
    panels: dict[str, dict[str, _Dot]] = {}
    for standing in comparison.standings:
        is_filled = (
            plan.baseline is None or (standing.name, standing.system) in differing
        )
        dot = _Dot(
            mean=_scaled(standing.mean, scale),
            human=standing.human,
            letters=standing.letters,
            is_filled=is_filled,
        )
        panels.setdefault(standing.name, {})[standing.system] = dot
    test = f"{plan.level:g}, randomization, {METHODS[plan.correction]}"
    if plan.baseline is None:
        remark = (
            "letters: systems that share one do not differ significantly (p \u2265"
            f" {test})"
        )
    else:
        remark = f"differs significantly from {short(plan.baseline)} (p < {test})"
    confidence = f"{plan.confidence:g}"
    return _draw_panels(
        panels, confidence, plan.baseline, remark, scale=scale, purpose=purpose
    )


def draw_scores(
    report: Results,
    baseline: str | None = None,
    *,
    purpose: str = SCREEN,
    **fields: Unpack[LayoutFields],
) -> Picture:
    """Draw the averages of the layout's columns with intervals, the best by the first
    column on top.

    Raises:
        RougeError: If a column has no finite scores.
    """
    system_names.check([baseline], system_names.of_report(report))
    layout = report.layout(**fields)
    scale = layout.scale
    panels: dict[str, dict[str, _Dot]] = {}
    for label, letter in layout.columns:
        dots = {}
        for system, mean in averages_of(report, label, letter).items():
            if isfinite(mean.value):
                dots[system] = _Dot(_scaled(mean, scale))
        if not dots:
            remedy = "leave out --plot, or name other metrics"
            raise RougeError(f"{label} has no finite score to plot", remedy=remedy)
        ranked = sorted(dots, key=lambda system: -dots[system].mean.value)
        panels[f"{label} {letter}"] = {system: dots[system] for system in ranked}
    return _draw_panels(
        panels, layout.confidence, baseline, "", scale=scale, purpose=purpose
    )


def _scaled(mean: Estimate, scale: float) -> Estimate:
    """Return a mean, and its interval if it has one, times the scale."""
    low = None if mean.low is None else mean.low * scale
    high = None if mean.high is None else mean.high * scale
    return Estimate(mean.value * scale, low, high)


def _axes_of(panels: _Panels, scale: float) -> list[tuple[float, float]]:
    """Return the ends of the panels' axes: they are equally long if all scores are
    from 0 to 1, times the scale, and do not leave this range.
    """
    spans = []
    for by_system in panels.values():
        values: list[float] = []
        for dot in by_system.values():
            values += [value for value in dot.mean if value is not None]
        spans.append((min(values), max(values)))

    are_shares = all(low >= 0 and high <= scale for low, high in spans)
    longest = max(high - low for low, high in spans)
    ends = []
    for low, high in spans:
        length = (longest if are_shares else high - low) or 0.1 * scale
        room = 0.05 * length  # for the dots at the ends
        start = (low + high - length) / 2
        if are_shares:
            start = max(0.0, min(start, scale - length))
        ends.append((start - room, start + length + room))
    return ends


def _draw_panels(  # noqa: PLR0913 - what differs between the figures
    panels: _Panels,
    confidence: str,
    baseline: str | None,
    remark: str,
    *,
    scale: float,
    purpose: str,
) -> Picture:
    """Draw a figure of systems; the remark is the meaning of letters or filled dots,
    if there are any.
    """
    systems = list(dict.fromkeys(chain.from_iterable(panels.values())))
    names = [short(system) for system in systems]
    titles = [short(name) for name in panels]
    dots: list[_Dot] = []
    for by_system in panels.values():
        dots += by_system.values()

    letters = max((len(short(dot.letters)) for dot in dots), default=0)
    width = max(_LEAST_WIDTH, LETTER * max(map(len, titles)))
    width += letters * LETTER * TINY / SMALL
    width += 0.1
    size = (width, LINE * len(systems) + _MARGIN)
    beside = LETTER * max(map(len, names)) + 0.15
    legend = _legend(dots, confidence, baseline, remark)
    spans = _axes_of(panels, scale)
    with panels_of(
        len(panels), size, legend, beside, share_y=True, purpose=purpose
    ) as (figure, axes, columns):
        ticks = 3 if columns > 1 else 5
        for panel, title, by_system, span in zip(
            axes, titles, panels.values(), spans, strict=True
        ):
            panel.grid(axis="y", color=PALE, linewidth=0.4)
            panel.set_axisbelow(True)
            panel.tick_params(axis="y", length=0)
            for line, system in enumerate(systems):
                if system in by_system:
                    _draw_dot(panel, line, by_system[system])
            if baseline is not None and baseline in by_system:
                panel.axvline(by_system[baseline].mean.value, **_BASELINE)
            panel.set_title(title, pad=3)
            panel.set_xlim(span)
            panel.xaxis.set_major_locator(_round_numbers(ticks))
        axes[0].set_yticks(range(len(names)), names)
        axes[0].set_ylim(len(names) - 0.4, -0.6)
    return figure


def _round_numbers(most: int) -> MaxNLocator:
    """Return the locator of at most so many intervals between round ticks."""
    return MaxNLocator(most, steps=[1, 2, 5, 10])


def _draw_dot(panel: Axes, line: int, dot: _Dot) -> None:
    """Draw a dot on the line of its system, and its letters to the right of the
    panel.
    """
    colour = BLUE
    marker = "o"
    if dot.human:
        colour = ORANGE
        marker = "s"
    face = colour if dot.is_filled else "white"
    ends = [end for end in (dot.mean.low, dot.mean.high) if end is not None]
    panel.plot(ends, [line] * len(ends), color=colour, linewidth=0.8)
    panel.plot(
        [dot.mean.value], [line], marker, color=colour, markerfacecolor=face, **_SIZES
    )
    if dot.letters:
        beside = panel.get_yaxis_transform()
        panel.text(
            1.02,
            line,
            short(dot.letters),
            transform=beside,
            va="center",
            fontsize=TINY,
        )


def _legend(
    dots: Sequence[_Dot], confidence: str, baseline: str | None, remark: str
) -> _Legend:
    """Return the legend of dots, of the remark and of the baseline's line."""
    legend: dict[str, dict[str, Any]] = {"mean": {}}
    if any(dot.mean.low is not None for dot in dots):
        legend = {f"mean, {confidence}% interval": {"linestyle": "-"}}
    if any(dot.human for dot in dots):
        legend["a person"] = {"color": ORANGE, "marker": "s"}
    if remark and baseline is not None:
        legend |= {
            remark: {},
            "does not differ significantly": {"markerfacecolor": "white"},
        }
    elif remark:
        legend[remark] = {"marker": ""}
    if baseline is not None:
        legend[f"mean of {short(baseline)}"] = {"marker": "", **_BASELINE}
    return legend


def draw_correlations(correlations: Correlations, *, purpose: str = SCREEN) -> Picture:
    """Draw the means of systems by a metric and by people, with a regression line and
    the correlations.

    People are orange squares. Names that would cover a dot or another name are left
    out.
    """
    groups = [
        points
        for points in correlations.points
        if points.summarizers == ALL_SUMMARIZERS
    ]
    legend: _Legend = {}
    if any(points.humans for points in groups):
        legend = {"a system": {}, "a person": {"color": ORANGE, "marker": "s"}}
    with panels_of(
        len(groups), (_SIDE, _SIDE), legend, share_y=False, purpose=purpose
    ) as (figure, panels, _):
        for panel, points in zip(panels, groups, strict=True):
            _draw(panel, points, correlations)

    # Labels are placed last, in free space.
    with rc_context(STYLE):
        canvas = FigureCanvasAgg(figure)
        figure.draw_without_rendering()
        figure.set_layout_engine("none")
        for panel, points in zip(panels, groups, strict=True):
            _label(panel, canvas, points.means)
    return figure


def draw_plan(planning: Planning, *, purpose: str = SCREEN) -> Picture:
    """Draw the share of subsets that keep the order of systems against their size; a
    panel per metric.
    """
    by_metric: dict[str, list[Stability]] = {}
    for subsets in planning.stability:
        by_metric.setdefault(subsets.name, []).append(subsets)
    if not by_metric:
        remedy = "leave out --plot"
        raise RougeError(
            "no evals in which all systems are scored, so no subsets to plot",
            remedy=remedy,
        )
    styles: dict[str, Any] = {
        "pairs in order": {"color": BLUE, "marker": "o", "linestyle": "-"},
        "worst pair": {"color": ORANGE, "marker": "s", "linestyle": "-"},
        "same ranking": {"color": BLACK, "marker": "^", "linestyle": "-"},
    }
    with panels_of(
        len(by_metric), (_SIDE, 2.0), styles, share_y=True, purpose=purpose
    ) as (figure, panels, _):
        for panel, (name, rows) in zip(panels, by_metric.items(), strict=True):
            evals = [row.evals for row in rows]
            kept = [row.kept for row in rows]
            least = [row.least for row in rows]
            ranking = [row.ranking for row in rows]
            shares = {
                "pairs in order": kept,
                "worst pair": least,
                "same ranking": ranking,
            }
            for line, style in styles.items():
                panel.plot(evals, shares[line], **_SIZES, **style)
            panel.set_xscale("log")
            ticks = [f"{number:.3g}" for number in evals]
            panel.set_xticks(evals, ticks, minor=False)
            panel.set_xticks([], minor=True)
            panel.set_ylim(0, 1.03)
            panel.grid(axis="y", color=PALE, linewidth=0.4)
            panel.set_xlabel("evals")
            panel.set_title(short(name), pad=3)
        panels[0].set_ylabel("share of subsets")
    return figure


def _draw(panel: Axes, points: Points, correlations: Correlations) -> None:
    """Draw the points of a metric, with a regression line and the correlations."""
    x, y = np.array(list(points.means.values())).T
    people = np.array([system in points.humans for system in points.means])
    panel.plot(x[~people], y[~people], "o", color=BLUE, markersize=3)
    panel.plot(x[people], y[people], "s", color=ORANGE, markersize=3)

    if len(x) > 1 and np.ptp(x) > 0:
        slope, start = np.polyfit(x, y, 1)
        ends = np.array([x.min(), x.max()])
        panel.plot(ends, start + slope * ends, color=BLACK, linewidth=0.7)

    panel.set_xlabel(f"mean {short(points.metric, 40)}")
    panel.set_ylabel(f"mean human {short(points.human, 30)}")
    signs = {
        "pearson": "r",
        "spearman": "\N{GREEK SMALL LETTER RHO}",
        "kendall": "\N{GREEK SMALL LETTER TAU}",
        ACCURACY: "accuracy",
        SOFT: "soft accuracy",
    }
    shown = []
    for row in correlations.correlations:
        is_of_points = (
            row.metric == points.metric
            and row.human == points.human
            and row.summarizers == points.summarizers
        )
        if is_of_points and row.level == "system":
            shown.append(f"{signs[row.coefficient]} = {row.value.value:.3f}")
    panel.set_title(", ".join(shown))
    panel.margins(0.08)
    panel.xaxis.set_major_locator(_round_numbers(5))
    panel.yaxis.set_major_locator(_round_numbers(5))


def _label(
    panel: Axes, canvas: FigureCanvasAgg, means: Mapping[str, tuple[float, float]]
) -> None:
    """Label each point at the first of eight positions that is free; leave the label
    out if none is.
    """
    renderer: Any = canvas.get_renderer()  # type: ignore[no-untyped-call]
    inside = panel.get_window_extent(renderer)
    points = panel.transData.transform(list(means.values()))
    lines = []
    for regression in panel.lines[2:]:  # the first two lines are the points
        start, end = panel.transData.transform(regression.get_xydata())
        lines.append(np.linspace(start, end, 200))

    labels: list[Bbox] = []
    for index, (system, point) in enumerate(means.items()):
        others = np.concatenate([np.delete(points, index, axis=0), *lines])
        for across, up in _PLACES:
            text = panel.annotate(
                short(system),
                point,
                (across * 3, up * 3),
                textcoords="offset points",
                ha=("center", "left", "right")[across],
                va=("center", "bottom", "top")[up],
                fontsize=TINY,
                color=BLACK,
            )
            box = text.get_window_extent(renderer)
            is_inside = inside.count_contains(box.corners()) == 4
            covers = box.padded(1.5 * canvas.figure.dpi / 72).count_contains(others)
            if is_inside and not covers and not box.count_overlaps(labels):
                labels.append(box)
                break
            text.remove()


def draw(result: Presentable, **layout: object) -> Picture:
    """Draw a result for a purpose; only scores and comparisons have a layout.

    Raises:
        UsageError: If there is no such purpose.
    """
    purpose = layout.get("purpose", SCREEN)
    if purpose not in (SCREEN, PAPER):
        raise UsageError(f"purpose {purpose!r}", remedy=f"use {SCREEN} or {PAPER}")
    drawings: Mapping[str, Callable[..., Picture]] = {
        "comparison": draw_comparison,
        "correlation": draw_correlations,
        "plan": draw_plan,
        "scores": draw_scores,
    }
    return drawings[result.kind](result, **layout)
