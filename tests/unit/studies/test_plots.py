"""Plots: their content, and that nothing in them overlaps."""

from functools import cache
from io import BytesIO
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from everyday import sampled

import rouge_cli
from rouge_cli.core import Average, Counts, Estimate, ignore_notice
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.results.comparison import Plan
from rouge_cli.results.correlation import CorrelationPlan
from rouge_cli.studies.correlation import correlate
from rouge_cli.studies.matrix import Scores
from rouge_cli.studies.significance import compare
from rouge_cli.tasks.judgements import Judgements

pytest.importorskip("matplotlib")

from collections.abc import Callable, Iterable

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.text import Text

from rouge_cli.results.comparison import Comparison
from rouge_cli.studies import plots

SIZE = 30
NAMES = [*(f"system{place:02}" for place in range(SIZE - 1)), "human A"]
CHANCE = np.random.default_rng(2)
VALUES = CHANCE.uniform(0, 0.1, (SIZE, 20)) + np.linspace(0, 0.1, SIZE)[:, None]
SCORES = Scores(
    "ROUGE-2 F",
    NAMES,
    [str(place) for place in range(20)],
    VALUES,
    frozenset({"human A"}),
)
JUDGED = Judgements(
    "pyramid",
    {name: {str(place): float(v + CHANCE.normal(0, 0.1)) for place, v in enumerate(row)}
     for name, row in zip(NAMES, VALUES, strict=True)},
)  # fmt: skip


@cache
def compared(
    baseline: str | None = None,
    systems: int = SIZE,
    metrics: tuple[str, ...] = ("ROUGE-2 F",),
) -> Comparison:
    """Return a comparison of that many systems."""
    rows = [place % SIZE for place in range(systems)]
    names = [
        f"{NAMES[row]}{'' if place < SIZE else ' again'}"
        for place, row in enumerate(rows)
    ]
    matrices = [
        SCORES._replace(
            name=name,
            systems=names,
            values=VALUES[rows] + CHANCE.uniform(0, 0.05, (systems, 20)),
        )
        for name in metrics
    ]
    plan = Plan(baseline, trials=50 if len(metrics) > 1 else 500, correction="bh")
    return compare(matrices if len(metrics) > 1 else [SCORES], plan, lambda _: None)


METRICS = tuple(f"ROUGE-{place} {letter}" for place in range(1, 8) for letter in "RPF")
GRIDS = {
    (4, 3): plots.COLUMN,
    (12, 4): plots.PAGE,
    (50, 4): plots.PAGE,
    (4, 20): plots.PAGE,
}


@pytest.mark.parametrize(("systems", "metrics"), sampled(GRIDS, 4))
def test_several_metrics_fit_a_column_or_a_page(systems: int, metrics: int) -> None:
    """Panels form a grid as wide as a column or a page, no higher than a page,
    without overlaps.
    """
    figure = plots.draw_comparison(compared("system01", systems, METRICS[:metrics]))
    texts = [text for panel in figure.axes[:metrics] for text in shown(panel)]

    assert GRIDS[systems, metrics] == figure.get_figwidth()
    assert figure.get_figheight() < 9
    assert [*METRICS[:metrics]] == [
        panel.get_title() for panel in figure.axes[:metrics]
    ]
    assert apart([*texts, *figure.legends[0].get_texts()], figure.axes[0])


@pytest.mark.parametrize("scale", [1.0, 100.0])
def test_panels_are_equal_and_ticks_are_round(scale: float) -> None:
    """Panels of shares are as wide as each other and have axes of one length, so that
    differences can be compared; ticks are multiples of 1, 2 or 5 times a power of ten.
    """
    figure = plots.draw_comparison(compared(None, 12, METRICS[:3]), scale=scale)
    figure.draw_without_rendering()
    panels = figure.axes[:3]
    assert 1 == len({round(panel.get_position().width, 6) for panel in panels})
    assert 1 == len({round(float(np.ptp(panel.get_xlim())), 9) for panel in panels})
    for panel in panels:
        low, high = panel.get_xlim()
        assert -0.06 * scale <= low < high <= 1.06 * scale
        step = float(np.diff(panel.get_xticks())[0])
        assert f"{step:.0e}"[0] in "125"
        assert step == pytest.approx(float(f"{step:.0e}"))


def test_scores_beyond_shares_have_axes_of_their_own() -> None:
    """A metric of up to 100 beside ROUGE does not hide the differences in ROUGE."""
    result = compared(None, 4, METRICS[:2])
    standings = []
    for standing in result.standings:
        if standing.name == METRICS[1]:
            mean = standing.mean._replace(value=100 * standing.mean.value)
            standing = standing._replace(mean=mean)  # noqa: PLW2901 - the larger one
        standings.append(standing)
    larger = plots.draw_comparison(result._replace(standings=standings)).axes[:2]
    spans = [float(np.ptp(panel.get_xlim())) for panel in larger]
    assert spans[1] > 10 * spans[0]


@pytest.mark.parametrize(("systems", "metrics"), [(4, 3), (12, 4), (12, 1)])
def test_a_plot_for_paper_is_as_wide_as_a_column(systems: int, metrics: int) -> None:
    """However many panels it has; its fonts are in the PDF, as outlines of TrueType."""
    result = compared("system01", systems, METRICS[:metrics])
    figure = plots.draw(result, purpose="paper")
    assert plots.COLUMN == figure.get_figwidth()
    texts = [text for panel in figure.axes[:metrics] for text in shown(panel)]
    assert apart([*texts, *figure.legends[0].get_texts()], figure.axes[0])
    pdf = plots.render(figure, "pdf")
    assert b"/FontFile2" in pdf
    assert b"/Type3" not in pdf
    with pytest.raises(UsageError, match="use screen or paper"):
        result.plot(purpose="slides")


def test_large_figures_have_the_proportions_of_a_page() -> None:
    """A figure of many systems by many metrics has proportions that can be scaled to
    a page.
    """
    width, height = plots.draw_comparison(
        compared(None, 20, METRICS[:12])
    ).get_size_inches()
    assert 0.7 < height / width < 2


def test_panels_share_the_order_of_the_first_metric() -> None:
    """Each panel of a grid has its systems in the order of the first metric's
    ranking.
    """
    comparison = compared(None, 12, METRICS[:4])
    figure = plots.draw_comparison(comparison)
    order = [standing.system for standing in comparison.standings[:12]]
    names = [text.get_text() for text in figure.axes[0].get_yticklabels()]
    fourth = {
        standing.system: standing.mean.value for standing in comparison.standings[36:]
    }
    drawn = {
        y: x
        for line in figure.axes[3].lines
        if len(ends(line)) == 1
        for x, y in ends(line)
    }

    assert order == names
    assert [fourth[system] for system in order] == [drawn[place] for place in range(12)]


def test_the_legend_explains_letters() -> None:
    """The legend explains shared letters, the test, its level and correction, and
    the interval.
    """
    figure = plots.draw_comparison(compared())
    legend = " ".join(
        " ".join(text.get_text().split()) for text in figure.legends[0].get_texts()
    )

    assert "mean, 95% interval" in legend
    assert "a person" in legend
    assert (
        "letters: systems that share one do not differ significantly "
        "(p \u2265 0.05, randomization, Benjamini and Hochberg's correction)" in legend
    )


def test_the_legend_explains_a_baseline() -> None:
    """Against a baseline the legend explains filled dots, hollow dots and the dashed
    line.
    """
    figure = plots.draw_comparison(compared("system03"))
    legend = [
        " ".join(text.get_text().split()) for text in figure.legends[0].get_texts()
    ]

    assert "differs significantly from system03 (p < 0.05, randomization" in legend[2]
    assert ["does not differ significantly", "mean of system03"] == legend[3:]


def apart(texts: Iterable[Text], panel: Axes) -> bool:
    """Return True if no visible text overlaps another."""
    figure = panel.get_figure(root=True)
    assert figure
    figure.draw_without_rendering()
    boxes = [
        box.get_window_extent() for box in texts if box.get_text() and box.get_visible()
    ]
    assert boxes
    return not any(box.overlaps(another) for box, another in combinations(boxes, 2))


def ends(line: Line2D) -> list[list[float]]:
    """Return the points of a line as x and y."""
    points: list[list[float]] = np.asarray(line.get_xydata()).tolist()
    return points


def shown(panel: Axes) -> list[Text]:
    """Return all texts of a panel, except tick labels beyond its limits."""
    low, high = panel.get_xlim()
    ticks = [
        text
        for text in panel.get_xticklabels()
        if low <= text.get_position()[0] <= high
    ]
    return [panel.title, *ticks, *panel.get_yticklabels(), *panel.texts]


def test_the_forest_is_the_ranking() -> None:
    """The forest plot names the systems best first, with their letters, at a
    column's width.
    """
    comparison = compared()
    figure = plots.draw_comparison(comparison)
    (panel,) = figure.axes
    names = [label.get_text() for label in panel.get_yticklabels()]

    assert plots.COLUMN == figure.get_figwidth()
    assert [standing.system for standing in comparison.standings] == names
    assert [standing.letters for standing in comparison.standings] == [
        standing.get_text() for standing in panel.texts
    ]
    assert apart([*panel.get_yticklabels(), *panel.texts], panel)
    assert apart(panel.get_xticklabels(), panel)


def test_names_of_points_cover_nothing() -> None:
    """In the scatter plot no name overlaps another or a point, and most points have
    one.
    """
    plan = CorrelationPlan(levels=["system"], samples=0)
    correlations = correlate([SCORES], [JUDGED], plan, lambda _: None)
    (panel,) = plots.draw_correlations(correlations).axes
    pixels = panel.transData.transform(
        np.column_stack(
            [
                VALUES.mean(axis=1),
                [np.mean(list(row.values())) for row in JUDGED.scores.values()],
            ]
        )
    )
    pearson = next(
        correlation
        for correlation in correlations.correlations
        if correlation.summarizers == "all"
    )

    assert len(panel.texts) > SIZE / 2
    assert apart(panel.texts, panel)
    assert not any(
        text.get_window_extent().contains(*point)
        for text in panel.texts
        for point in pixels
    )
    assert f"r = {pearson.value.value:.3f}" in panel.get_title()


@pytest.mark.parametrize(
    ("kind", "start"),
    sampled([("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")], 3),
)
def test_the_suffix_selects_the_format(kind: str, start: bytes) -> None:
    """Each suffix gives that kind of picture, and the same scores give the same
    bytes.
    """
    first, second = (
        plots.render(plots.draw_comparison(compared("system03")), kind)
        for _ in range(2)
    )

    assert first.startswith(start)
    assert first == second


def test_a_dollar_does_not_begin_a_formula() -> None:
    """Names that matplotlib would read as formulas are shown literally."""
    systems = ["$x_1$", "a$\\frac{$", *NAMES[2:5]]
    scores = SCORES._replace(name="$x_{$", systems=systems, values=VALUES[:5])
    comparison = compare([scores], Plan(trials=20, correction="none"), lambda _: None)
    human = Judgements(
        "$a_{$", {name: dict.fromkeys(SCORES.evals, 1.0) for name in systems[1:]}
    )
    plan = CorrelationPlan(levels=["system"], samples=0)
    scatter = plots.draw_correlations(
        correlate([scores], [human], plan, lambda _: None)
    )

    for figure in (plots.draw_comparison(comparison), scatter):
        assert plots.render(figure, "svg").startswith(b"<?xml")
    assert "a$\\frac{$" in [
        label.get_text()
        for label in plots.draw_comparison(comparison).axes[0].get_yticklabels()
    ]


def test_many_groups_leave_room_for_the_plot() -> None:
    """If a system has dozens of letters the forest plot shows the first and the
    last, and their meaning.
    """
    comparison = compared()
    many = "".join(
        f"{letter}{number}" for number in range(2, 9) for letter in "abcdefghijklm"
    )
    figure = plots.draw_comparison(
        comparison._replace(
            standings=[
                standing._replace(letters=many) for standing in comparison.standings
            ]
        )
    )
    figure.draw_without_rendering()

    assert figure.axes[0].get_position().width > 0.2


def test_hundreds_of_systems_are_drawn_with_fewer_dots() -> None:
    """A large figure has at most the maximal number of pixels a side, and a small
    one 300 per inch.
    """
    for inches, dots in ((3.0, 900), (40.0, 5000)):
        png = plots.render(plots.Picture(figsize=(inches, 0.1)), "png")
        assert dots == int.from_bytes(png[16:20], "big")


def test_averages_are_drawn_as_they_are() -> None:
    """A plot of scores has each system's average and interval, times the scale, the
    best on top.
    """
    report = rouge_cli.score(
        {"a": ["x y", "y"], "b": ["x", "x z"]}, ["x", "x z"], "R1", seed=1
    )
    figure = report.plot(
        columns=[("ROUGE-1", "R"), ("ROUGE-1", "F")], scale=100, baseline="a"
    )
    averages = {
        result.system: result.average
        for result in report.results
        if isinstance(result.average, Average)
    }
    recall, f = figure.axes[:2]

    assert ["b", "a"] == [text.get_text() for text in recall.get_yticklabels()]
    for panel, place in ((recall, 0), (f, 2)):
        for row, system in enumerate("ba"):
            value, low, high = (100 * (end or 0) for end in averages[system][place])
            interval, dot = panel.lines[2 * row : 2 * row + 2]
            assert [value] == [x for x, _ in ends(dot)]
            assert [low, high] == [x for x, _ in ends(interval)]
        assert 100 * averages["a"][place].value == ends(panel.lines[-1])[0][0]
    legend = [text.get_text() for text in figure.legends[0].get_texts()]
    assert ["mean, 95% interval", "mean of a"] == legend


def test_averages_without_intervals_promise_none() -> None:
    """Without resampling there are dots alone, and the legend has no interval."""
    report = rouge_cli.score({"a": ["x"], "b": ["y"]}, ["x"], "R1", samples=0)
    figure = report.plot()

    assert ["mean"] == [text.get_text() for text in figure.legends[0].get_texts()]


def test_nothing_to_plot_is_an_error() -> None:
    """A metric with totals alone, or with averages that are NaN, is refused by its
    name.
    """
    report = rouge_cli.score({"a": ["x"], "b": ["y"]}, ["x"], "R1", samples=0)
    nan = Estimate(float("nan"), None, None)
    for average in (Counts(1, 1, 1), Average(nan, nan, nan)):
        results = [result._replace(average=average) for result in report.results]
        with pytest.raises(RougeError, match="ROUGE-1 has no finite score to plot"):
            report._replace(results=results).plot()


def test_results_of_studies_are_drawn_as_by_the_command() -> None:
    """`plot` draws scores, comparisons, plans and correlations; a notebook shows
    what `--plot` draws.
    """
    texts = {"a": ["x y", "y", "z"], "b": ["x", "x z", "z"], "c": ["x", "w", "v"]}
    scores = rouge_cli.score(texts, ["x", "x z", "z"], "R1", samples=0)
    quiet = ignore_notice
    drawn: list[tuple[Any, Callable[[Any], plots.Picture]]] = [
        (rouge_cli.compare(scores, notify=quiet), plots.draw_comparison),
        (rouge_cli.plan(scores, trials=9, notify=quiet), plots.draw_plan),
        (
            rouge_cli.correlate(scores, {"a": 3, "b": 2, "c": 1}, notify=quiet),
            plots.draw_correlations,
        ),
    ]
    for result, draw in drawn:
        figure = result.plot()
        assert plots.render(draw(result), "png") == figure._repr_png_()
        pdf = BytesIO()
        figure.savefig(pdf, format="pdf")
        assert b"/Type3" not in pdf.getvalue()  # fonts that journals refuse
    assert isinstance(scores.plot(), plots.Picture)
    with pytest.raises(UsageError, match="no system 'x' in the input"):
        scores.plot(baseline="x")
