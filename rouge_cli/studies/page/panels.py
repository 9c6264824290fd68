"""The tables of a page for its template: texts, and positions on axes in percent."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rouge_cli.results._tables import p_value
from rouge_cli.results.comparison import Comparison, Plan
from rouge_cli.results.scores import averages_of
from rouge_cli.studies.page.data import MOST_PAIRS, short
from rouge_cli.studies.page.records import FIGURES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rouge_cli.core import Estimate
    from rouge_cli.studies.page.records import Column, Page

MOST_IN_MATRIX = 24
_NOT_COMPARED = Comparison(Plan(), [], [])


class Axis(NamedTuple):
    """A scale of numbers, whose positions are percentages of its width."""

    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float | None]) -> Axis:
        """Return an axis that includes all of the values, with a margin."""
        numbers = [value for value in values if value is not None and not isnan(value)] or [0.0]
        low, high = min(numbers), max(numbers)
        room = (high - low) * 0.06 or 0.01
        return cls(max(0.0, low - room) if low >= 0 else low - room, high + room)

    def place(self, value: float | None) -> float | None:
        """Return the position of the value, in percent; None for no value."""
        if value is None or isnan(value):
            return None
        return round(100 * (value - self.low) / (self.high - self.low), 2)


def columns(page: Page) -> Iterator[dict[str, Any]]:
    """Yield a panel for each label and figure; the first is shown first."""
    chosen = page.material.columns[0]
    for place, label in enumerate(page.labels):
        for letter in FIGURES:
            compared = page.comparisons.get(letter, _NOT_COMPARED).of_metric(f"{label} {letter}")
            yield {
                "label": label,
                "place": place,
                "figure": letter,
                "is_first": (label, letter) == chosen,
                "is_static": letter == chosen[1],
                "ranking": _ranking(page, (label, letter), compared),
                "pairs": compared.pairs[:MOST_PAIRS],
                "axis": Axis.of([0.0, *(end for pair in compared.pairs for end in pair.difference)]),
                "level": compared.plan.level,
                "matrix": _matrix(page, compared),
                "divisions": _divisions(page, (label, letter)),
            }


def _ranking(page: Page, column: Column, compared: Comparison) -> dict[str, Any]:
    """Return the systems, best first, with the averages of `score` and the letters of `compare`."""
    standings = {standing.system: standing for standing in compared.standings}
    averages = averages_of(page.material.report, *column)
    is_resampled = any(estimate.low is not None for estimate in averages.values())
    estimates: dict[str, Estimate] = {
        system: estimate._replace(low=standings[system].mean.low, high=standings[system].mean.high)
        if not is_resampled and system in standings
        else estimate
        for system, estimate in averages.items()
    }
    evals = dict(zip(page.systems, (~np.isnan(page.matrices[column].values)).sum(axis=1), strict=True))
    rows = [
        {
            "rank": 1 + sum(other.value > estimate.value for other in estimates.values()),
            "system": short(system),
            "estimate": estimate,
            "letters": standings[system].letters if system in standings else "",
            "evals": int(evals[system]),
        }
        for system, estimate in sorted(estimates.items(), key=lambda item: -item[1].value)
    ]
    return {
        "rows": rows,
        "axis": Axis.of([number for estimate in estimates.values() for number in estimate]),
        "has_letters": any(row["letters"] for row in rows),
        "intervals": "of score" if is_resampled else "of compare" if standings else "",
    }


def _matrix(page: Page, compared: Comparison) -> dict[str, Any] | None:
    """Return the systems as ranked, and cells of row minus column; None for too many systems."""
    systems = [standing.system for standing in compared.standings]
    if not systems or len(page.systems) > MOST_IN_MATRIX:
        return None
    cells = {}
    for pair in compared.pairs:
        is_apart = pair.randomization_corrected < compared.plan.level
        for names, sign in (((pair.system, pair.other), 1), ((pair.other, pair.system), -1)):
            difference = sign * pair.difference.value
            cells[names] = {
                "value": f"{100 * difference:+.1f}",
                "kind": ("better" if difference > 0 else "worse") if is_apart else "same",
                "p": p_value(pair.randomization_corrected),
            }
    return {"systems": systems, "cells": cells, "numbers": page.numbers}


def _divisions(page: Page, column: Column) -> list[dict[str, Any]]:
    """Return tables of buckets: mean scores of the systems, the best of each bucket marked."""
    scores = page.matrices[column]
    tables = []
    for division in page.divisions:
        buckets = [_mark_best(_means(scores.values[:, bucket.places])) for bucket in division.buckets]
        rows = [
            {"system": short(system), "cells": cells}
            for system, *cells in zip(page.systems, *buckets, strict=True)
        ]
        tables.append({**division._asdict(), "rows": rows})
    return tables


def _means(values: Any) -> list[float]:  # noqa: ANN401 - an array
    present = ~np.isnan(values)
    with np.errstate(invalid="ignore"):  # 0 / 0 is nan
        means: list[float] = (np.where(present, values, 0.0).sum(axis=1) / present.sum(axis=1)).tolist()
    return means


def _mark_best(means: Sequence[float]) -> list[tuple[str, bool]]:
    defined = [mean for mean in means if not isnan(mean)]
    return [
        ("-" if isnan(mean) else f"{mean:.4f}", bool(defined) and mean == max(defined)) for mean in means
    ]


def rank_and_mean(means: Mapping[str, float], system: str) -> tuple[str, str]:
    """Return the rank and the mean of a system among others."""
    if system not in means:
        return "-", ""
    return str(1 + sum(mean > means[system] for mean in means.values())), f"{means[system]:.4f}"
