"""Plots of ranked systems: a panel for each metric, with a dot for each mean, and intervals as lines.

All panels list the systems in the same order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

from matplotlib import rc_context
from matplotlib.lines import Line2D

from rouge_cli.core import Estimate
from rouge_cli.errors import RougeError
from rouge_cli.results.comparison import METHODS
from rouge_cli.results.scores import averages_of
from rouge_cli.studies.plots import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rouge_cli.core import Report
    from rouge_cli.results.comparison import Comparison

_LEAST_WIDTH = 0.95  # inches of a panel with dots and three numbers below them
_MARGIN = 0.48  # inches of a panel above and below its dots, together
_SIZES: Any = {"markersize": 3, "markeredgewidth": 0.7, "linewidth": 0.8}


class _Dot(NamedTuple):
    """A system in a panel.

    human: True if the system is a person. letters: the groups of systems that do not differ significantly.
    is_filled: False for the hollow dot of a system that does not differ from the baseline.
    """

    mean: Estimate
    human: bool = False
    letters: str = ""
    is_filled: bool = True


_Panels = Mapping[str, Mapping[str, _Dot]]  # metric -> system -> dot


def draw_comparison(comparison: Comparison) -> Figure:
    """Draw the systems with their intervals and their groups, the best by the first metric on top.

    If there is a baseline, a dashed line marks its mean, and the dots of systems that differ from it
    significantly are filled. People are orange squares.
    """
    plan = comparison.plan
    differing = {
        (pair.name, pair.system) for pair in comparison.pairs if pair.randomization_corrected < plan.level
    }
    panels: dict[str, dict[str, _Dot]] = {}
    for standing in comparison.standings:
        is_filled = plan.baseline is None or (standing.name, standing.system) in differing
        dot = _Dot(standing.mean, standing.human, standing.letters, is_filled)
        panels.setdefault(standing.name, {})[standing.system] = dot
    test = f"{plan.level:g}, randomization, {METHODS[plan.correction]}"
    if plan.baseline is None:
        remark = f"letters: systems that share one do not differ significantly (p \u2265 {test})"
    else:
        remark = f"differs significantly from {figures.short(plan.baseline)} (p < {test})"
    return _draw_panels(panels, f"{plan.confidence:g}", plan.baseline, remark)


def draw_scores(
    report: Report, columns: Sequence[tuple[str, str]], scale: float, confidence: str, baseline: str | None
) -> Figure:
    """Draw the averages of these columns with their intervals, the best by the first column on top.

    columns: pairs of a label and R, P or F. confidence: the level of the intervals, as the user typed it.
    baseline: the system whose averages are dashed lines. Raises RougeError for a column without finite
    scores.
    """
    panels: dict[str, dict[str, _Dot]] = {}
    for label, letter in columns:
        dots = {
            system: _Dot(
                Estimate(mean.value * scale, *(None if end is None else end * scale for end in mean[1:]))
            )
            for system, mean in averages_of(report, label, letter).items()
            if isfinite(mean.value)
        }
        if not dots:
            raise RougeError(
                f"{label} has no finite score to plot", remedy="leave out --plot, or name other metrics"
            )
        panels[f"{label} {letter}"] = dots
    first = next(iter(panels.values()))
    order = sorted(first, key=lambda system: -first[system].mean.value)
    panels = {
        name: {**{system: dots[system] for system in order if system in dots}, **dots}
        for name, dots in panels.items()
    }
    return _draw_panels(panels, confidence, baseline, "")


def _draw_panels(panels: _Panels, confidence: str, baseline: str | None, remark: str) -> Figure:
    """Draw the figure. remark: the meaning of letters or filled dots; empty if nothing was tested."""
    systems = list(dict.fromkeys(system for dots in panels.values() for system in dots))
    names = [figures.short(system) for system in systems]
    titles = [figures.short(name) for name in panels]
    dots = [dot for by_system in panels.values() for dot in by_system.values()]
    handles, texts = _legend(dots, confidence, baseline, remark)
    letters = max((len(figures.short(dot.letters)) for dot in dots), default=0)
    width_of_names = figures.LETTER * max(map(len, names)) + 0.15
    size = (
        max(_LEAST_WIDTH, figures.LETTER * max(map(len, titles)))
        + letters * figures.LETTER * figures.TINY / figures.SMALL
        + 0.1,
        figures.LINE * len(systems) + _MARGIN,
    )
    grid = figures.fit_grid(
        len(panels), size, (width_of_names, figures.legend_height(figures.legend_lines(texts, 5)))
    )
    lines = figures.legend_lines(texts, grid.width)
    with rc_context(figures.STYLE):
        figure, axes = figures.panels_of(grid, len(panels), shared="y")
        for panel, title, by_system in zip(axes, titles, panels.values(), strict=True):
            places = {system: place for place, system in enumerate(systems) if system in by_system}
            _draw_dots(panel, [(places[system], dot) for system, dot in by_system.items()])
            if baseline is not None and baseline in by_system:
                panel.axvline(
                    by_system[baseline].mean.value, color=figures.BLACK, linewidth=0.6, linestyle="--"
                )
            panel.set_title(title, pad=3)
            figures.make_bare(panel, 3 if grid.columns > 1 else 5)
        axes[0].set_yticks(range(len(names)), names)
        axes[0].set_ylim(len(names) - 0.4, -0.6)
        figures.add_legend(figure, handles, lines)
    return figure


def _draw_dots(panel: Axes, dots: Sequence[tuple[int, _Dot]]) -> None:
    """Draw the dots of a panel, each in the line of its system; letters stand to the right of the panel."""
    panel.grid(axis="y", color=figures.PALE, linewidth=0.4)
    panel.set_axisbelow(True)
    panel.tick_params(axis="y", length=0)
    for place, dot in dots:
        colour, marker = (figures.ORANGE, "s") if dot.human else (figures.BLUE, "o")
        value, *ends = (end for end in dot.mean if end is not None)
        panel.plot(ends, [place] * len(ends), color=colour, linewidth=0.8)
        panel.plot(
            [value], [place], marker, color=colour, **_SIZES,
            markerfacecolor=colour if dot.is_filled else "white",
        )  # fmt: skip
        if dot.letters:
            panel.text(
                1.02, place, figures.short(dot.letters), transform=panel.get_yaxis_transform(), va="center",
                fontsize=figures.TINY,
            )  # fmt: skip


def _legend(
    dots: Sequence[_Dot], confidence: str, baseline: str | None, remark: str
) -> tuple[list[Line2D], list[str]]:
    """Return the marks that the figure uses, and their meanings."""
    has_intervals = any(dot.mean.low is not None for dot in dots)
    entries = [
        (
            _legend_mark("-" if has_intervals else ""),
            f"mean, {confidence}% interval" if has_intervals else "mean",
        )
    ]
    if any(dot.human for dot in dots):
        entries.append((_legend_mark(color=figures.ORANGE, marker="s"), "a person"))
    if remark and baseline is not None:
        entries += [
            (_legend_mark(), remark),
            (_legend_mark(markerfacecolor="white"), "does not differ significantly"),
        ]
    elif remark:
        entries.append((_legend_mark(marker=""), remark))
    if baseline is not None:
        line = Line2D([], [], color=figures.BLACK, linewidth=0.6, linestyle="--")
        entries.append((line, f"mean of {figures.short(baseline)}"))
    return [handle for handle, _ in entries], [text for _, text in entries]


def _legend_mark(line: Any = "", **settings: Any) -> Line2D:  # noqa: ANN401 - of matplotlib
    """Return a mark for the legend: a dot unless the settings change it."""
    return Line2D([], [], linestyle=line, **{"color": figures.BLUE, "marker": "o", **_SIZES, **settings})
