"""Correlations of a page: a scatter plot of the systems' means, and the tables of `correlate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rouge_cli.reports import Layout
from rouge_cli.results import correlation
from rouge_cli.results.correlation import ALL_PEERS
from rouge_cli.studies.correlate import system_means
from rouge_cli.studies.page.data import short
from rouge_cli.studies.page.panels import Axis

if TYPE_CHECKING:
    from rouge_cli.results.correlation import Correlations, Points

    Box = tuple[float, float, float, float]

# Sizes of the picture, in its own units.
WIDTH, HEIGHT, LEFT, BOTTOM = 360, 260, 48, 40


def panels(correlations: Correlations | None) -> dict[str, Any] | None:
    """Return the tables and the pictures; None if there are no human scores."""
    if correlations is None:
        return None
    return {
        "tables": list(correlation.tables(correlations, Layout())),
        "pictures": [_picture(points) for points in correlations.points if points.peers == ALL_PEERS],
        "notes": list(correlation.notes(correlations, Layout())),
    }


def _picture(points: Points) -> dict[str, Any]:
    systems, x, y = system_means(points)
    across, up = Axis.of(x.tolist()), Axis.of(y.tolist())
    dots = []
    for system, metric_score, human_score in zip(systems, x.tolist(), y.tolist(), strict=True):
        right, above = across.place(metric_score), up.place(human_score)
        if right is None or above is None:
            continue
        left = LEFT + right * (WIDTH - LEFT - 10) / 100
        dots.append(
            {
                "system": short(system, 24),
                "x": round(left, 1),
                "y": round(HEIGHT - BOTTOM - above * (HEIGHT - BOTTOM - 10) / 100, 1),
                "at_end": left > WIDTH * 0.6,
                "has_name": True,
                "metric": f"{metric_score:.5f}",
                "human": f"{human_score:.5f}",
            }
        )
    _name(dots)
    return {
        "metric": points.metric,
        "human": short(points.human),
        "dots": dots,
        "x_ends": (f"{across.low:.3f}", f"{across.high:.3f}"),
        "y_ends": (f"{up.low:.3f}", f"{up.high:.3f}"),
    }


def _name(dots: list[dict[str, Any]]) -> None:
    """Leave out names that would cover another name or a dot."""
    taken: list[Box] = [(d["x"] - 4, d["y"] - 4, d["x"] + 4, d["y"] + 4) for d in dots]
    for dot in dots:
        width = 6 * len(dot["system"])
        for at_end in (dot["at_end"], not dot["at_end"]):
            left = dot["x"] - 7 - width if at_end else dot["x"] + 7
            box = (left, dot["y"] - 5, left + width, dot["y"] + 5)
            is_inside = box[0] >= LEFT and box[2] <= WIDTH
            dot["at_end"] = at_end
            dot["has_name"] = is_inside and not any(_overlaps(box, other) for other in taken)
            if dot["has_name"]:
                taken.append(box)
                break


def _overlaps(box: Box, other: Box) -> bool:
    return box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3]
