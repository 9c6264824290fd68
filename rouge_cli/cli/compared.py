"""How a comparison of systems is shown: tables for people, JSON and csv for machines."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from rouge_cli.reports import csv, text
from rouge_cli.reports._table import Cell, Row, Table, p_value, visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rouge_cli.core import Estimate
    from rouge_cli.studies.compare import Comparison, Pair, Standing

SHOWN = 20
SCHEMA = "rouge-cli comparison 1"
METHODS = {
    "none": "not corrected",
    "holm": "Holm's correction",
    "bh": "Benjamini and Hochberg's correction",
}


def as_text(found: Comparison, signature: str, most: int | None = SHOWN) -> str:
    """A ranking and the pairs for each metric, then how it was done.

    most: how many pairs of a metric are shown; None for all.
    """
    parts = []
    for name in dict.fromkeys(one.name for one in found.standings):
        standings = [one for one in found.standings if one.name == name]
        pairs = [one for one in found.pairs if one.name == name]
        more = "" if most is None or len(pairs) <= most else f"... and {len(pairs) - most} more (--all)\n"
        parts += [text.plain(_ranking(name, standings)), text.plain(_pairs(pairs[:most], found)) + more]
    notes = [*_notes(found), *([f"signature: {visible(signature)}"] if signature else [])]
    return "\n".join([*parts, "".join(f"{note}\n" for note in notes)])


def as_json(found: Comparison, signature: str) -> str:
    """Everything, unrounded."""
    record = {
        "schema": SCHEMA,
        "signature": signature,
        **found.plan._asdict(),
        "systems": [_record(one, "mean") for one in found.standings],
        "pairs": [_record(one, "difference") for one in found.pairs],
    }
    return json.dumps(record, indent=1) + "\n"


def as_csv(found: Comparison, signature: str) -> str:
    """A row for each pair, unrounded."""
    rows: list[list[object]] = []
    for pair in found.pairs:
        record = _record(pair, "difference")
        rows += [] if rows else [[*record, "signature"]]
        rows.append([*record.values(), signature])
    return "".join(csv.line(row) for row in rows)


def _record(one: Standing | Pair, estimate: str) -> dict[str, object]:
    """The fields under their names in JSON, the interval's ends beside the value."""
    record: dict[str, object] = {}
    for name, value in one._asdict().items():
        if name == estimate:
            record.update({estimate: value.value, "low": value.low, "high": value.high})
        else:
            record["metric" if name == "name" else name] = value
    return record


def _ranking(name: str, standings: Sequence[Standing]) -> Table:
    grouped = any(one.letters for one in standings)
    rows = [
        Row(
            (str(one.rank), visible(one.system), *([one.letters] if grouped else [])),
            [_estimate(one.mean), Cell(str(one.evals))],
        )
        for one in standings
    ]
    return Table(("rank", "system", *(["group"] if grouped else [])), (name, "evals"), rows)


def _pairs(pairs: Sequence[Pair], found: Comparison) -> Table:
    corrected = found.plan.correction != "none"
    heads = ["difference", "evals"]
    for test in ("p", "p boot"):
        heads += [test, *([f"{test} {found.plan.correction}"] if corrected else [])]
    rows = []
    for one in pairs:
        values = [one.randomization, one.randomization_corrected, one.bootstrap, one.bootstrap_corrected]
        cells = [Cell(p_value(value)) for value in (values if corrected else values[::2])]
        rows.append(
            Row(
                (visible(one.system), visible(one.other)),
                [_estimate(one.difference, sign="+"), Cell(str(one.evals)), *cells],
            )
        )
    return Table(("system", "minus"), heads, rows)


def _estimate(one: Estimate, sign: str = "") -> Cell:
    value, *ends = (f"{number:{sign}.5f}" for number in one if number is not None)
    return Cell(value, f"[{', '.join(ends)}]" if ends else "")


def _notes(found: Comparison) -> Iterator[str]:
    from rouge_cli.studies.compare import comparisons  # and with it numpy

    plan = found.plan
    every = all(pair.exact for pair in found.pairs)
    exact = ", every exchange of scores" if every else f", {plan.trials} trials"
    yield f"p: randomization, two-sided{exact}, seed {plan.seed}"
    yield f"p boot: paired bootstrap, two-sided, {plan.trials} samples"
    yield f"intervals: {plan.confidence:g}% confidence, bootstrap over evals"
    if plan.correction != "none":
        yield f"{plan.correction}: {METHODS[plan.correction]} over {comparisons(len(found.pairs))}"
    if plan.baseline is None:
        corrected = "" if plan.correction == "none" else f" {plan.correction}"
        least = f"p{corrected} at least {plan.level:g}"
        yield f"group: systems that share a letter are not told apart ({least})"
