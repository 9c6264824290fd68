"""A comparison of systems: rankings, and pairs with their p-values."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rouge_cli.results._presentation import Presentable
from rouge_cli.results._records import signed
from rouge_cli.results._tables import Cell, Row, Table, counted, p_value, visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rouge_cli.core import Estimate
    from rouge_cli.reports import Layout
    from rouge_cli.results._records import Record

INDENT = 1
SCHEMA = "rouge-cli comparison 1"
METHODS = {
    "none": "not corrected",
    "holm": "Holm's correction",
    "bh": "Benjamini and Hochberg's correction",
}


class Plan(NamedTuple):
    """How systems are compared.

    baseline: what every other system is held against; None for all pairs. trials: of either test.
    confidence: of the intervals, in percent. level: below it, a corrected p tells two systems apart.
    """

    baseline: str | None = None
    trials: int = 10_000
    seed: int = 0
    confidence: float = 95.0
    correction: str = "holm"
    level: float = 0.05


class Standing(NamedTuple):
    """A system in the ranking by one metric.

    mean: over its own evals, with its bootstrap interval. letters: the groups of systems that are not told
    apart, by the corrected p of randomization; empty where not all pairs were tested.
    """

    name: str
    system: str
    rank: int
    mean: Estimate
    evals: int
    letters: str
    human: bool


class Pair(NamedTuple):
    """Two systems by one metric, on the evals that both have.

    difference: system minus other, in the mean, with its interval. The p-values are two-sided, and come as
    they are and corrected over all pairs and metrics of the comparison. exact: whether randomization tried
    every exchange.
    """

    name: str
    system: str
    other: str
    evals: int
    difference: Estimate
    randomization: float
    randomization_corrected: float
    bootstrap: float
    bootstrap_corrected: float
    exact: bool


class _Comparison(NamedTuple):
    plan: Plan
    standings: Sequence[Standing]
    pairs: Sequence[Pair]
    signature: str = ""


class Comparison(Presentable, _Comparison):
    """Rankings, best first, and pairs, in the order of the rankings; metric by metric."""

    __slots__ = ()


def tables(comparison: Comparison, layout: Layout) -> Iterator[Table]:
    """Yield a ranking and the pairs for each metric."""
    for name in dict.fromkeys(standing.name for standing in comparison.standings):
        yield _ranking(name, [standing for standing in comparison.standings if standing.name == name])
        pairs = [pair for pair in comparison.pairs if pair.name == name]
        content = _pairs(pairs[: layout.most], comparison)
        more = len(pairs) - len(content.rows)
        yield content._replace(remark=f"... and {more} more (--all)" if more else "")


def document(comparison: Comparison, _: Layout) -> Record:
    """Return everything, unrounded."""
    return {
        "schema": SCHEMA,
        "signature": comparison.signature,
        **comparison.plan._asdict(),
        "systems": [_record(standing, "mean") for standing in comparison.standings],
        "pairs": [_record(pair, "difference") for pair in comparison.pairs],
    }


def rows(comparison: Comparison, _: Layout) -> Iterator[Sequence[object]]:
    """Yield a row for each pair, unrounded."""
    return signed((_record(pair, "difference") for pair in comparison.pairs), comparison.signature)


def _record(one: Standing | Pair, estimate: str) -> Record:
    """The fields under their names in JSON, the interval's ends beside the value."""
    record: Record = {}
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
    return Table(("rank", "system", *(["group"] if grouped else [])), (visible(name), "evals"), rows)


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


def notes(comparison: Comparison, _: Layout) -> Iterator[str]:
    """Yield how it was done."""
    plan = comparison.plan
    every = all(pair.exact for pair in comparison.pairs)
    exact = ", every exchange of scores" if every else f", {plan.trials} trials"
    yield f"p: randomization, two-sided{exact}, seed {plan.seed}"
    yield f"p boot: paired bootstrap, two-sided, {plan.trials} samples"
    yield f"intervals: {plan.confidence:g}% confidence, bootstrap over evals"
    if plan.correction != "none":
        times = counted(len(comparison.pairs), "comparison")
        yield f"{plan.correction}: {METHODS[plan.correction]} over {times}"
    if plan.baseline is None:
        corrected = "" if plan.correction == "none" else f" {plan.correction}"
        least = f"p{corrected} at least {plan.level:g}"
        yield f"group: systems that share a letter are not told apart ({least})"
