"""A comparison of systems: rankings, and pairs with their p-values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf, isnan, sqrt
from statistics import median
from typing import Annotated, Any, ClassVar, NamedTuple

from rouge_cli.core import Estimate
from rouge_cli.results import base, lengths, printed
from rouge_cli.results.base import WHAT_EVALS_ARE, Drawable, Gated, Layout, Record
from rouge_cli.results.lengths import Lengths
from rouge_cli.results.printed import Cell, Row, Table, pluralize, visible
from rouge_cli.results.study_settings import (
    CONFIDENCE,
    LEVEL,
    MOST_DRAWS,
    SEED,
    SIGNIFICANCE,
    OneOf,
    Real,
    Whole,
)

METHODS = {
    "holm": "Holm's correction",
    "bh": "Benjamini and Hochberg's correction",
    "none": "not corrected",
}
OVER = ("evals", "references", "evals,references")  # what is drawn again
SIGNIFICANTLY = "significantly"  # worse, as a test shows
NO_INTERVAL = "[-]"  # beside a number whose interval is missing
MOST_LISTED = 3  # systems or pairs without an interval that a note names
BETTER, WORSE = "\N{DAGGER}", "\N{DOUBLE DAGGER}"

_TRIALS = Whole("Trials a test (default {}).", 1, MOST_DRAWS)
_CORRECTION = OneOf("Correct p-values by: holm (default), bh, none.", METHODS)
_EQUIVALENCE = Real("Test if systems differ by less than this.", has_zero=True)
_OVER = OneOf("Draw again: evals (default), references, or evals,references.", OVER)
_DRAWS = Whole("Draws of references (default {}).", 1, MOST_DRAWS)


class Plan(NamedTuple):
    """The settings of a comparison of systems."""

    # The system that all others are compared with; None for all pairs
    baseline: str | None = None
    trials: Annotated[int, _TRIALS] = 10_000  # of either test
    seed: Annotated[int, SEED] = 0
    confidence: Annotated[float, CONFIDENCE] = 95.0  # of the intervals, in percent
    correction: Annotated[str, _CORRECTION] = "holm"
    # The significance level: systems differ if a corrected p is below it
    level: Annotated[float, LEVEL] = SIGNIFICANCE
    # Systems that differ by fewer points are practically equal; 0 for no such test.
    equivalence: Annotated[float, _EQUIVALENCE] = 0.0
    # Intervals and p-values are always over evals
    over: Annotated[str, _OVER] = "evals"
    draws: Annotated[int, _DRAWS] = 100


class Standing(NamedTuple):
    """A system in the ranking by one metric."""

    name: str  # of the metric
    system: str
    rank: int
    mean: Estimate  # over the evals that the system has, with its bootstrap interval
    evals: int  # their number
    # Systems that share a letter do not differ significantly, by the corrected p of
    # randomization. Empty if not all pairs were tested.
    letters: str
    human: bool  # True if the system is a person
    no_interval: str = ""  # the reason if there is no interval


class Gap(NamedTuple):
    """The difference of two systems' scores in one eval."""

    eval: str  # its ID
    difference: float


class ComparedPair(NamedTuple):
    """Two systems by one metric, on the evals that both have."""

    name: str  # of the metric
    system: str
    other: str
    evals: int
    # The mean of `system` minus the mean of `other`, with its interval
    difference: Estimate
    # Two-sided p-values, uncorrected and corrected over all pairs and metrics of the
    # comparison. By the bootstrap, nan if all evals differ by the same, other than 0.
    randomization: float
    randomization_corrected: float
    bootstrap: float
    bootstrap_corrected: float
    exact: bool  # True if randomization tried every exchange
    # The number of clusters of these evals; None if evals are independent
    clusters: int | None = None
    # The standard deviation of the differences in evals (or clusters)
    deviation: float | None = None
    effect: float | None = None  # Cohen's d: the difference in standard deviations
    # The share of evals in which `system` is better; ties count half
    superiority: float | None = None
    # The least difference that is found with probability 80%
    detectable: float | None = None
    # The p of the hypothesis that the systems are not practically equal
    equivalence: float | None = None
    equivalence_corrected: float | None = None
    answer: str | None = None  # better, worse, equal or unknown, by corrected p-values
    # The share of draws of references that change the order
    reordered: float | None = None
    # The evals in which the systems differ most, in descending order
    widest: Sequence[Gap] = ()
    no_interval: str = ""  # the reason if there is no interval
    # The number of clusters of equal sizes that would tell as much as these (Kish
    # 1965); None if their sizes are equal, or evals independent
    effective_clusters: float | None = None
    # The skewness of the differences in evals (or clusters); None if they do not vary
    skewness: float | None = None
    # The least number of evals (or clusters) without which the difference would be 0 or
    # of the other sign; None if there is no difference
    rests_on: int | None = None

    @property
    def units(self) -> int:
        """The number of independent units: clusters or else evals."""
        return self.evals if self.clusters is None else self.clusters


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(Drawable, Gated):
    """Rankings and compared pairs, metric by metric; the best systems come first."""

    kind = "comparison"
    schema = "rouge-cli comparison 1"
    lists: ClassVar = {"systems": "standings", "pairs": "pairs"}
    listed = "pairs"

    plan: Plan
    standings: Sequence[Standing]
    pairs: Sequence[ComparedPair]
    signature: str = ""
    lengths: Mapping[str, Lengths] = field(default_factory=dict)  # by system

    def names(self) -> Iterable[str]:
        """Return the names of the metrics."""
        return dict.fromkeys(standing.name for standing in self.standings)

    def p_value(self, pair: ComparedPair, test: str) -> str:
        """Format a p-value of a pair to the digits that its random trials allow.

        Args:
            test: `randomization`, `bootstrap` or `equivalence`, perhaps with
                `_corrected`.
        """
        p = getattr(pair, test)
        raw_test = test.removesuffix("_corrected")
        raw = getattr(pair, raw_test)
        if raw is None or not raw > 0 or (pair.exact and raw_test == "randomization"):
            return printed.p_value(p)
        error = sqrt(raw * (1 - raw) / self.plan.trials)
        return printed.p_value(p, error * p / raw)  # a correction multiplies both

    def of_metric(self, *names: str) -> Comparison:
        """Return the rankings and the pairs of one metric, or of several."""
        standings = [standing for standing in self.standings if standing.name in names]
        return self._replace(
            standings=standings,
            pairs=[pair for pair in self.pairs if pair.name in names],
        )

    def cases(self, layout: Layout) -> Iterator[tuple[str, str, str]]:
        """Yield a test for each pair; without `allowed`, all are passed."""
        for pair in self.pairs:
            points = -100 * pair.difference.value
            p = pair.randomization_corrected
            message = f"{pair.name} is {points:.2f} points worse than {pair.other}"
            if layout.allowed == SIGNIFICANTLY:
                is_worse = points > 0 and p < self.plan.level
                limit = "not significantly worse than"
                message += f" (p = {p:.3g})"
            elif layout.allowed:
                is_worse = points > float(layout.allowed)
                limit = f"at most {layout.allowed} points worse than"
            else:
                is_worse = False
                limit = "beside"
            test = f"{pair.name} {limit} {pair.other}"
            yield pair.system, test, message if is_worse else ""

    def tables(self, layout: Layout) -> Iterator[Table]:
        """Yield tables of the ranking and of the pairs for each metric."""
        has_intervals = _has_intervals([*self.standings, *self.pairs])
        for metric in map(self.of_metric, self.names()):
            yield _ranking(metric.standings, has_intervals=has_intervals)
            yield _pairs(metric, layout, has_intervals=has_intervals)
        if layout.lengths:
            yield lengths.table(self.lengths)

    def paper(self, layout: Layout) -> Table:
        """Return the table for a paper: a row for each system, a column for each
        metric.

        The baseline comes first, then the systems in the ranking by the first metric.
        The best of each metric is marked. So are significant differences from the
        baseline; without a baseline, systems have the letters of their groups. The
        caption describes the methods.
        """
        standings = {
            (standing.name, standing.system): standing for standing in self.standings
        }
        names = list(dict.fromkeys(name for name, _ in standings))
        ranked = dict.fromkeys(system for _, system in standings)
        systems = sorted(ranked, key=lambda system: system != self.plan.baseline)
        marks = self._marks()
        has_intervals = layout.intervals and _has_intervals(self.standings)

        columns = []
        for name in names:
            cells = []
            for system in systems:
                standing = standings.get((name, system))
                cell = _score(standing, layout, has_intervals=has_intervals)
                mark = marks.get((name, system), "")
                cells.append(cell if cell.mark else cell._replace(mark=mark))
            if not printed.value_of(name):  # more is not better
                cells = list(printed.with_best(cells))
            columns.append(cells)

        rows = []
        for system, *cells in zip(systems, *columns, strict=True):
            row_names: tuple[str, ...] = (visible(system),)
            if layout.ranks:
                first = standings.get((names[0], system))
                rank = str(first.rank) if first else printed.NOTHING
                row_names = (rank, visible(system))
            rows.append(Row(row_names, cells))

        scores, heads = printed.paper_heads(names, layout)
        caption = " ".join(self._sentences(scores, set(marks.values()), layout))
        name_heads = ("#", "system") if layout.ranks else ("system",)
        return Table(name_heads, heads, rows, caption=caption)

    def _marks(self) -> dict[tuple[str, str], str]:
        """Return (metric, system) -> BETTER or WORSE, if the system differs
        significantly from the baseline.
        """
        marks = {}
        for pair in self.pairs:
            is_significant = pair.randomization_corrected < self.plan.level
            if pair.other == self.plan.baseline and is_significant:
                is_better = pair.difference.value > 0
                marks[pair.name, pair.system] = BETTER if is_better else WORSE
        return marks

    def _sentences(self, scores: str, marks: set[str], layout: Layout) -> Iterator[str]:
        """Yield the sentences of the caption of a paper's table, in which these
        marks occur.
        """
        plan = self.plan
        evals = sorted({standing.evals for standing in self.standings}) or [0]
        fewest = f"{evals[0]} to " if len(evals) > 1 else ""
        number = f"{fewest}{pluralize(evals[-1], 'eval')} ({WHAT_EVALS_ARE})"
        yield f"{scores}, mean over {number}; best in bold."
        if plan.baseline is None:
            yield (
                "Systems that share a letter do not differ significantly (p <"
                f" {plan.level:g},"
            )
        else:
            meanings = []
            if BETTER in marks:
                meanings.append(f"{BETTER} better")
            if WORSE in marks:
                meanings.append(f"{WORSE} worse")
            differ = "No system differs significantly from"
            if meanings:
                differ = f"{', '.join(meanings)} than"
            yield f"{differ} {visible(plan.baseline)} (p < {plan.level:g},"
        trials = f"{plan.trials:,} trials"
        if all(pair.exact for pair in self.pairs):
            trials = f"all exchanges in place of {trials}"
        if self.pairs and self.pairs[0].clusters is not None:
            trials = (
                f"{pluralize(self.pairs[0].clusters, 'cluster')} of evals, {trials}"
            )
        correction = METHODS[plan.correction]
        if plan.correction != "none":
            correction = f"{correction} over {pluralize(len(self.pairs), 'comparison')}"
        yield (
            f"two-sided approximate randomization, {trials}, seed {plan.seed},"
            f" {correction})."
        )
        if layout.intervals:
            level = f"Intervals: {plan.confidence:g}% confidence"
            missing = _missing(self.standings)
            if not _has_intervals(self.standings):
                yield f"{level}, none: {'; '.join(missing)}."
                return
            method = f"bootstrap over evals, {plan.trials:,} samples"
            if self._has_unequal_clusters():
                method = "exchanges of clusters"
            yield f"{level}, {method}."
            for reason, names in missing.items():
                yield f"No interval: {reason} ({_listed(names)})."

    def notes(self, _: Layout) -> Iterator[str]:
        """Yield a description of the methods."""
        plan = self.plan
        is_exact = all(pair.exact for pair in self.pairs)
        trials = "every exchange of scores" if is_exact else f"{plan.trials} trials"
        is_unequal = self._has_unequal_clusters()
        if self.pairs and self.pairs[0].clusters is not None:
            numbers = sorted({pair.units for pair in self.pairs})
            treated = "exchanged" if is_unequal else "exchanged and drawn"
            yield f"clusters: {numbers[-1]}, {treated} as a whole"
        yield f"p: randomization, two-sided, {trials}, seed {plan.seed}"
        without_p = ""
        if any(isnan(pair.bootstrap) for pair in self.pairs):
            without_p = "; none if all evals differ by the same"
        method = f"paired bootstrap, studentized, two-sided, {plan.trials} samples"
        if is_unequal:
            method = f"wild cluster bootstrap by signs, two-sided, {trials}"
        yield f"p boot: {method}{without_p}"
        yield from self._intervals()
        if plan.correction != "none":
            pairs = pluralize(len(self.pairs), "comparison")
            yield f"{plan.correction}: {METHODS[plan.correction]} over {pairs}"
        yield from self._power()
        if plan.equivalence:
            test = (
                f"corrected p that the systems differ by {plan.equivalence:g} points or"
                " more"
            )
            yield (
                f"p within {plan.equivalence:g}: {test}, by two one-sided bootstrap"
                " tests"
            )
            others = "better or worse: p by randomization below it; unknown: neither"
            yield (
                f"answer: equal if p within {plan.equivalence:g} is below"
                f" {plan.level:g}; {others}"
            )
        if "references" in plan.over:
            drawn = (
                f"{plan.draws} draws of {plan.over.replace(',', ' and ')} with"
                " replacement"
            )
            yield (
                f"reordered: share of {drawn} that change the order of a pair; ties"
                " count half"
            )
        if plan.baseline is None:
            corrected = "" if plan.correction == "none" else f" {plan.correction}"
            least = f"p{corrected} at least {plan.level:g}"
            yield (
                "group: systems that share a letter do not differ significantly"
                f" ({least})"
            )

    def _has_unequal_clusters(self) -> bool:
        """Return True if evals are in clusters of unequal sizes."""
        return any(pair.effective_clusters is not None for pair in self.pairs)

    def _intervals(self) -> Iterator[str]:
        """Yield how intervals were computed, and why some are missing."""
        level = f"intervals: {self.plan.confidence:g}% confidence"
        tested: list[Standing | ComparedPair] = [*self.standings, *self.pairs]
        missing = _missing(tested)
        if not _has_intervals(tested):
            yield f"{level}, none: {'; '.join(missing)}"
            return
        method = "bootstrap over evals"
        if self._has_unequal_clusters():
            method = "exchanges of clusters, whose sizes are not equal"
        yield f"{level}, {method}"
        for reason, names in missing.items():
            yield f"{NO_INTERVAL}: {reason} ({_listed(names)})"

    def _power(self) -> Iterator[str]:
        """Yield the least difference that the evals find, by metric: the median over
        its pairs.
        """
        by_metric: dict[str, list[float]] = {}
        for pair in self.pairs:
            if pair.detectable:
                by_metric.setdefault(pair.name, []).append(pair.detectable)
        differences = []
        for name, sizes in by_metric.items():
            least = median(sizes)
            if least < inf:
                differences.append(f"{100 * least:.2g} points ({visible(name)})")
        if differences:
            evals = pluralize(int(median(pair.evals for pair in self.pairs)), "eval")
            shows = f"{evals} can show differences of about {', '.join(differences)}"
            yield f"power: {shows} in 80% of cases, uncorrected; see rouge-cli plan"

    def document(self, layout: Layout) -> Record:
        """Return everything as one JSON value, with lengths if they are shown."""
        document: Record = Drawable.document(self, layout)
        if layout.lengths:
            rows = []
            for system, of_system in self.lengths.items():
                record = {"system": system, **of_system._asdict()}
                rows.append({**record, "ratio": of_system.ratio})
            document["lengths"] = base.plain(rows)
        return document

    def record(self, item: Any) -> Record:  # noqa: ANN401 - of either list
        """Return the record of a system in the ranking, or of a pair."""
        record = Drawable.record(self, item)
        if isinstance(item, ComparedPair):
            record["widest"] = [gap._asdict() for gap in item.widest]
        return record


def _has_intervals(tested: Iterable[Standing | ComparedPair]) -> bool:
    """Return True if any system or pair has an interval."""
    return any(not entry.no_interval for entry in tested)


def _missing(tested: Iterable[Standing | ComparedPair]) -> dict[str, list[str]]:
    """Return reason -> the systems and pairs that have no interval for it."""
    missing: dict[str, list[str]] = {}
    for entry in tested:
        if entry.no_interval:
            name = visible(entry.system)
            if isinstance(entry, ComparedPair):
                name = f"{name} minus {visible(entry.other)}"
            names = missing.setdefault(entry.no_interval, [])
            names.append(f"{visible(entry.name)} of {name}")
    return missing


def _listed(names: Sequence[str]) -> str:
    """Return the first names, with dots for the others."""
    first = list(names[:MOST_LISTED])
    if len(names) > MOST_LISTED:
        first.append("...")
    return ", ".join(first)


def _with_interval(estimate: Estimate, form: str, scale: float = 1.0) -> Cell:
    """Return the cell of an estimate with its interval, NO_INTERVAL if it has none."""
    cell = printed.cell(estimate, form, scale)
    return cell if cell.interval else cell._replace(interval=NO_INTERVAL)


def _score(standing: Standing | None, layout: Layout, *, has_intervals: bool) -> Cell:
    """Return the cell of a system in a table for a paper, with the letters of its
    groups.
    """
    if not standing:
        return Cell(printed.NOTHING)
    form = f".{layout.digits}f"
    scale = printed.scale_of(standing.name, layout)
    if has_intervals:
        cell = _with_interval(standing.mean, form, scale)
    else:
        cell = printed.cell(standing.mean.value, form, scale)
    return cell._replace(mark=standing.letters)


def _ranking(standings: Sequence[Standing], *, has_intervals: bool) -> Table:
    """Return the table of the ranking by one metric."""
    cell_of = _with_interval if has_intervals else printed.cell
    name_heads = ["rank", "system"]
    is_grouped = any(standing.letters for standing in standings)
    if is_grouped:
        name_heads.append("group")
    rows = []
    for standing in standings:
        names = [str(standing.rank), visible(standing.system)]
        if is_grouped:
            names.append(standing.letters)
        cells = [cell_of(standing.mean, ".5f"), Cell(str(standing.evals))]
        rows.append(Row(names, cells))
    heads = (visible(printed.head_of(standings[0].name)), "evals")
    return Table(name_heads, heads, rows)


def _pairs(comparison: Comparison, layout: Layout, *, has_intervals: bool) -> Table:
    """Return the table of the pairs by one metric."""
    cell_of = _with_interval if has_intervals else printed.cell
    plan = comparison.plan
    pairs = comparison.pairs[: layout.most]

    def p_values(test: str) -> list[Cell]:
        return [Cell(comparison.p_value(pair, test)) for pair in pairs]

    differences = [cell_of(pair.difference, "+.5f") for pair in pairs]
    columns = {
        "difference": differences,
        "evals": [Cell(str(pair.evals)) for pair in pairs],
    }
    for head, test in (("p", "randomization"), ("p boot", "bootstrap")):
        columns[head] = p_values(test)
        if plan.correction != "none":
            columns[f"{head} {plan.correction}"] = p_values(f"{test}_corrected")
    if plan.equivalence:
        columns[f"p within {plan.equivalence:g}"] = p_values("equivalence_corrected")
        columns["answer"] = [Cell(pair.answer or printed.NOTHING) for pair in pairs]
    if "references" in plan.over:
        columns["reordered"] = [_reordered(pair) for pair in pairs]
    rows = [
        Row((visible(pair.system), visible(pair.other)), cells)
        for pair, *cells in zip(pairs, *columns.values(), strict=True)
    ]
    return Table(
        ("system", "minus"),
        list(columns),
        rows,
        remark=base.left_out(comparison.pairs, layout),
    )


def _reordered(pair: ComparedPair) -> Cell:
    """Return the cell of the share of draws that change a pair's order."""
    if pair.reordered is None:  # people's texts have no references to draw
        return Cell(printed.NOTHING)
    return Cell(f"{pair.reordered:.3f}")
