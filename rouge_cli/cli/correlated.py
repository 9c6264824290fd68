"""How correlations with human scores are shown: tables for people, JSON and csv for machines."""

from __future__ import annotations

import json
from itertools import groupby
from math import isnan
from typing import TYPE_CHECKING, Any

from rouge_cli.reports import csv, text
from rouge_cli.reports._table import Cell, Row, Table, p_value, visible
from rouge_cli.reports.json import number
from rouge_cli.studies.correlate import SYSTEMS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rouge_cli.studies.correlate import Correlation, Correlations, Williams

SCHEMA = "rouge-cli correlation 1"


def as_text(found: Correlations, signature: str) -> str:
    """A row for each metric, human measure, choice of peers and level; Williams' tests; notes."""
    heads = tuple(found.plan.coefficients)
    rows = []
    for key, several in groupby(found.correlations, key=lambda one: one[:4]):
        group = list(several)
        counts = sorted({one.points for one in group})
        cells = [*map(_cell, group), Cell("-".join(map(str, counts)))]
        rows.append(Row(tuple(map(visible, key)), cells))
    parts = [text.plain(Table(("metric", "human", "peers", "level"), (*heads, "n"), rows))]
    if found.williams:
        parts.append(text.plain(_williams(found)))
    notes = [*_notes(found), *([f"signature: {visible(signature)}"] if signature else [])]
    return "\n".join([*parts, "".join(f"{note}\n" for note in notes)])


def as_json(found: Correlations, signature: str) -> str:
    """Everything, unrounded; what is not defined is null, and its reason is said."""
    record = {
        "schema": SCHEMA,
        "signature": signature,
        **found.plan._asdict(),
        "correlations": [_record(one) for one in found.correlations],
        "williams": [
            {
                name: number(value) if isinstance(value, float) else value
                for name, value in one._asdict().items()
            }
            for one in found.williams
        ],
    }
    return json.dumps(record, indent=1, allow_nan=False) + "\n"


def as_csv(found: Correlations, signature: str) -> str:
    """A row for each correlation, unrounded; Williams' tests are in the other formats."""
    rows: list[list[object]] = []
    for one in found.correlations:
        record = _record(one)
        rows += [] if rows else [[*record, "signature"]]
        rows.append([*record.values(), signature])
    return "".join(csv.line(row) for row in rows)


def _record(one: Correlation) -> dict[str, Any]:
    record = {**one._asdict(), "value": number(one.value.value)}
    ends = {"low": one.value.low, "high": one.value.high}
    place = list(record).index("value") + 1
    fields = list(record.items())
    return dict([*fields[:place], *ends.items(), *fields[place:]])


def _cell(one: Correlation) -> Cell:
    if isnan(one.value.value):
        return Cell("-")
    low, high = one.value.low, one.value.high
    return Cell(f"{one.value.value:.4f}", "" if low is None or high is None else f"[{low:.4f}, {high:.4f}]")


def _williams(found: Correlations) -> Table:
    rows = [
        Row(
            tuple(map(visible, (one.human, one.peers, one.one, one.other))),
            [*(Cell(_figure(value)) for value in one[4:7]), Cell(str(one.systems)), *_outcome(one)],
        )
        for one in found.williams
    ]
    numbers = ("r first", "r second", "r between", "n", "Williams t", "p")
    return Table(("human", "peers", "first", "second"), numbers, rows)


def _outcome(one: Williams) -> list[Cell]:
    return [Cell(_figure(one.t, 2)), Cell(p_value(one.p))]


def _figure(value: float, digits: int = 4) -> str:
    return "-" if isnan(value) else f"{value:.{digits}f}"


def _notes(found: Correlations) -> Iterator[str]:
    plan = found.plan
    if any(one.value.low is not None for one in found.correlations):
        drawn = "evals and systems" if plan.over == "both" else plan.over
        yield (
            f"intervals: {plan.confidence:g}% confidence, bootstrap over {drawn}, {plan.samples} samples, "
            f"seed {plan.seed}"
        )
    if any(one.level == "summary" for one in found.correlations):
        yield "summary: the mean of the correlations within evals, n of them; pooled: all summaries at once"
    if any(one.peers == SYSTEMS for one in found.correlations):
        yield "all: people among the systems; systems: without them"
    if found.williams:
        yield "Williams' test: do two metrics differ in Pearson's r with the same human scores; p two-sided"
    for test in found.williams:
        if test.reason:
            yield f"Williams' test, {', '.join(map(visible, test[:4]))}: {test.reason}"
    for key, several in groupby(found.correlations, key=lambda one: one[:4]):
        said: dict[str, list[str]] = {}
        for one in several:
            if one.reason:
                said.setdefault(one.reason, []).append(one.coefficient)
            if one.undefined:
                remark = f"{one.undefined} of {plan.samples} samples have no correlation, and are left out"
                said.setdefault(remark, []).append(one.coefficient)
        for reason, coefficients in said.items():
            named = f" ({', '.join(coefficients)})" if len(coefficients) < len(plan.coefficients) else ""
            yield f"{', '.join(map(visible, key))}{named}: {reason}"
