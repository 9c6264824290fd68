"""Plots: what they show, and that nothing in them covers anything."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import pytest
from everyday import sampled

from rouge_cli.results.comparison import Plan
from rouge_cli.results.correlation import Plan as CorrelationPlan
from rouge_cli.scoring.matrix import Scores
from rouge_cli.studies.compare import compare
from rouge_cli.studies.correlate import correlate
from rouge_cli.tasks.judgements import Judgements

pytest.importorskip("matplotlib")

from matplotlib.figure import Figure

from rouge_cli.studies import plots

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.axes import Axes
    from matplotlib.text import Text

    from rouge_cli.results.comparison import Comparison

SIZE = 30
NAMES = [*(f"system{place:02}" for place in range(SIZE - 1)), "human A"]
CHANCE = np.random.default_rng(2)
VALUES = CHANCE.uniform(0, 0.1, (SIZE, 20)) + np.linspace(0, 0.1, SIZE)[:, None]
SCORES = Scores("ROUGE-2 F", NAMES, [str(place) for place in range(20)], VALUES, frozenset({"human A"}))
JUDGED = Judgements(
    "pyramid",
    {name: {str(place): float(v + CHANCE.normal(0, 0.1)) for place, v in enumerate(row)}
     for name, row in zip(NAMES, VALUES, strict=True)},
)  # fmt: skip


def compared(baseline: str | None = None) -> Comparison:
    """A comparison of thirty systems."""
    return compare([SCORES], Plan(baseline, trials=500, correction="bh"), lambda _: None)


def apart(texts: Iterable[Text], panel: Axes) -> bool:
    """Whether no shown text covers another."""
    figure = panel.get_figure(root=True)
    assert figure
    figure.draw_without_rendering()
    boxes = [one.get_window_extent() for one in texts if one.get_text() and one.get_visible()]
    assert boxes
    return not any(one.overlaps(other) for one, other in combinations(boxes, 2))


def test_the_forest_is_the_ranking() -> None:
    """The forest plot names the systems best first, with their letters, at a column's width."""
    found = compared()
    figure = plots.forest(found)
    (panel,) = figure.axes
    names = [one.get_text() for one in panel.get_yticklabels()]

    assert plots.COLUMN == figure.get_figwidth()
    assert [one.system for one in found.standings] == names
    assert [one.letters for one in found.standings] == [one.get_text() for one in panel.texts]
    assert apart([*panel.get_yticklabels(), *panel.texts], panel)
    assert apart(panel.get_xticklabels(), panel)


def test_the_matrix_is_of_all_pairs() -> None:
    """The matrix has the corrected p of each pair, on both sides of an empty diagonal."""
    found = compared()
    (panel,) = plots.matrix(found).axes
    values = panel.images[0].get_array()
    places = {one.system: place for place, one in enumerate(found.standings)}

    assert values is not None
    for pair in found.pairs:
        one, other = places[pair.system], places[pair.other]
        assert pair.randomization_corrected == values[one, other] == values[other, one]
    assert np.isnan(np.diagonal(np.ma.filled(values, np.nan))).all()
    assert apart(panel.get_xticklabels(), panel)
    assert apart(panel.get_yticklabels(), panel)


def test_names_of_points_cover_nothing() -> None:
    """In the scatter plot no name covers another or a point, and most points have one."""
    plan = CorrelationPlan(levels=["system"], samples=0)
    found = correlate([SCORES], [JUDGED], plan, lambda _: None)
    (panel,) = plots.scatter(found).axes
    pixels = panel.transData.transform(
        np.column_stack(
            [VALUES.mean(axis=1), [np.mean(list(row.values())) for row in JUDGED.scores.values()]]
        )
    )
    pearson = next(one for one in found.correlations if one.peers == "all")

    assert len(panel.texts) > SIZE / 2
    assert apart(panel.texts, panel)
    assert not any(text.get_window_extent().contains(*point) for text in panel.texts for point in pixels)
    assert f"r = {pearson.value.value:.3f}" in panel.get_title()


@pytest.mark.parametrize(
    ("kind", "start"), sampled([("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")], 3)
)
def test_files_are_what_they_are_called(kind: str, start: bytes) -> None:
    """Each kind of picture is that kind, and the same scores give the same bytes."""
    first, second = (plots.rendered(plots.forest(compared("system03")), kind) for _ in range(2))

    assert first.startswith(start)
    assert first == second


def test_a_dollar_is_no_formula() -> None:
    """Names that matplotlib would read as formulas, of anything, are shown as they are."""
    systems = ["$x_1$", "a$\\frac{$", *NAMES[2:5]]
    scores = SCORES._replace(name="$x_{$", systems=systems, values=VALUES[:5])
    found = compare([scores], Plan(trials=20, correction="none"), lambda _: None)
    human = Judgements("$a_{$", {name: dict.fromkeys(SCORES.evals, 1.0) for name in systems[1:]})
    plan = CorrelationPlan(levels=["system"], samples=0)
    scatter = plots.scatter(correlate([scores], [human], plan, lambda _: None))

    for figure in (plots.forest(found), plots.matrix(found), scatter):
        assert plots.rendered(figure, "svg").startswith(b"<?xml")
    assert "a$\\frac{$" in [one.get_text() for one in plots.forest(found).axes[0].get_yticklabels()]


def test_many_groups_leave_room_for_the_plot() -> None:
    """Where a system has dozens of letters the forest shows their ends, and what they belong to."""
    found = compared()
    many = "".join(f"{letter}{number}" for number in range(2, 9) for letter in "abcdefghijklm")
    figure = plots.forest(found._replace(standings=[one._replace(letters=many) for one in found.standings]))
    figure.draw_without_rendering()

    assert figure.axes[0].get_position().width > 0.2


def test_hundreds_of_systems_are_drawn_with_fewer_dots() -> None:
    """A large figure has no more dots than its side may have, and a small one 300 an inch."""
    for inches, dots in ((3.0, 900), (40.0, 5000)):
        png = plots.rendered(Figure(figsize=(inches, 0.1)), "png")
        assert dots == int.from_bytes(png[16:20], "big")
