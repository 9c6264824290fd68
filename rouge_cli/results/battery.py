"""Tests of timeline metrics: scores of timelines with one change, against the originals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rouge_cli.results._presentation import Presentable
from rouge_cli.results._tables import Cell, Row, Table
from rouge_cli.results.timeline import FIGURES, figures

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rouge_cli.core import Score
    from rouge_cli.results import Layout
    from rouge_cli.results._records import Record


@dataclass(frozen=True, slots=True, repr=False)
class Battery(Presentable):
    """The tests of metrics. scores: (test, metric, n) -> the mean over the timelines."""

    scores: Mapping[tuple[str, str, int], Score]
    timelines: int
    signature: str


def tables(battery: Battery, layout: Layout) -> Iterator[Table]:
    """Yield a table like the paper's second for each n: the differences of the scores from 1."""
    for n in sorted({n for _, _, n in battery.scores}):
        rows, before = [], ""
        for (test, metric, length), score in battery.scores.items():
            if length != n:
                continue
            # `or` replaces a negative zero, which would be printed as -0.
            values = [round(value - 1, layout.digits) or 0.0 for value in figures(score).values()]
            cells = [Cell(f"{value:.{layout.digits}f}") for value in values]
            rows.append(Row(("" if test == before else test, metric), cells))
            before = test
        yield Table(("test", "metric"), [f"ROUGE-{n} {figure}" for figure in ("dP", "dR", "dF")], rows)


def notes(battery: Battery, _: Layout) -> Sequence[str]:
    """Return the meaning of the numbers."""
    return (f"differences to 1; timelines: {battery.timelines}",)


def document(battery: Battery, _: Layout) -> Record:
    """Return the scores by test, metric and n, unrounded."""
    tests: Record = {}
    for (test, metric, n), score in battery.scores.items():
        tests.setdefault(test, {}).setdefault(metric, {})[f"rouge_{n}"] = figures(score)
    return {"timelines": battery.timelines, "signature": battery.signature, "tests": tests}


def rows(battery: Battery, _: Layout) -> Iterator[Sequence[object]]:
    """Yield a row for each test, metric and n: scores, not differences, unrounded."""
    yield ["test", "metric", "rouge", *FIGURES, "signature"]
    for (test, metric, n), score in battery.scores.items():
        yield [test, metric, f"ROUGE-{n}", *figures(score).values(), battery.signature]
