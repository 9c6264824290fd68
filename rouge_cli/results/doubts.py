"""Answers to doubts about numbers: why dialects differ, and which set-up gives published numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from rouge_cli.results._presentation import Presentable, record
from rouge_cli.results._tables import NOTHING, Cell, Piece, Row, Table, left_out, pluralize, visible
from rouge_cli.results.scores import FIGURES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rouge_cli.core import EvalResult
    from rouge_cli.options import Options
    from rouge_cli.results import Layout
    from rouge_cli.results._presentation import Record
    from rouge_cli.results.scores import Results

REGULAR = "rouge155 --irregular none"
RELEASE = "rouge155"  # the dialect with a list of irregular forms


class Setting(NamedTuple):
    """A dialect with the options that the input is scored with."""

    dialect: str
    options: Options
    # Metric -> the dialect's label for it with these options, such as `ROUGE-1+Stemming`
    labels: Mapping[str, str]


class Difference(NamedTuple):
    """The scores of a system in one eval in which dialects differ."""

    eval_id: str
    system: str
    metric: str
    scores: Mapping[str, EvalResult]  # by dialect
    reasons: Sequence[str]  # for the difference, the most likely first

    @property
    def size(self) -> float:
        """Return the largest difference between the F scores."""
        values = [result.score.f for result in self.scores.values() if result.score]
        return max(values) - min(values)


@dataclass(frozen=True, slots=True, repr=False)
class Audit(Presentable):
    """One input scored in every dialect, and the evals whose F differs by more than the threshold."""

    kind = "audit"

    settings: Sequence[Setting]
    reports: Mapping[str, Results]
    differences: Sequence[Difference]
    # The report of ROUGE-1.5.5 without irregular forms, as many published numbers were made (QUIRKS 63).
    # None if nothing is stemmed.
    regular: Results | None = None
    threshold: float = 0.0
    signature: str = ""

    @property
    def metrics(self) -> list[str]:
        """The metrics in the order of the tables."""
        return list(dict.fromkeys(metric for setting in self.settings for metric in setting.labels))

    def prose(self, layout: Layout) -> Iterator[list[Piece]]:
        """Yield the averages side by side, then the evals that differ with the reasons."""
        columns = list(_columns(self))
        head, *means = _means(self)
        width = max((len("  ".join(names)) for names, _ in means), default=0)
        for names, cells in [head, *means]:
            named_cells = zip(cells, columns, strict=True)
            row = "".join(f"  {cell:>{max(8, len(name))}}" for cell, (name, *_) in named_cells)
            yield [Piece(f"{'  '.join(names):<{width}}{row}")]
        yield []
        yield [Piece(_heading(self))]
        for difference in self.differences[: layout.most]:
            scores = ", ".join(
                f"{dialect} {result.score.f:.5f}"
                for dialect, result in difference.scores.items()
                if result.score
            )
            where = f"{visible(difference.eval_id)}, {visible(difference.system)}, {difference.metric}"
            yield [Piece(f"eval {where}: {scores}")]
            yield from ([Piece(f"    {visible(reason)}")] for reason in difference.reasons)
        if remark := left_out(self.differences, layout):
            yield [Piece(remark)]
        yield from ([Piece(line)] for line in _signatures(self))

    def tables(self, layout: Layout) -> Iterator[Table]:
        """Yield a table of average F, then a table of the evals whose F differs, with the reasons."""
        (_, heads), *means = _means(self)
        yield Table(
            ("system", "metric"),
            heads,
            [Row(names, list(map(Cell, cells))) for names, cells in means],
            caption="mean F",
        )
        dialects = list(self.reports)
        rows = []
        for difference in self.differences[: layout.most]:
            results = (difference.scores.get(dialect) for dialect in dialects)
            cells = [Cell(_f(result.score.f if result and result.score else None)) for result in results]
            reasons = "; ".join(map(visible, difference.reasons))
            names = (visible(difference.eval_id), visible(difference.system), difference.metric, reasons)
            rows.append(Row(names, cells))
        yield Table(
            ("eval", "system", "metric", "why"),
            dialects,
            rows,
            caption=_heading(self),
            remark=left_out(self.differences, layout),
        )

    def notes(self, _: Layout) -> Iterator[str]:
        """Yield the signatures."""
        return _signatures(self)

    def document(self, _: Layout) -> Record:
        """Return everything, unrounded."""
        variants = [column for column in _columns(self) if column[0] not in self.reports]
        return {
            "schema": "rouge-cli audit 2",
            "signatures": {dialect: report.signature for dialect, report in self.reports.items()},
            "averages": {dialect: report.to_dict() for dialect, report in self.reports.items()},
            "variants": {
                name: {"signature": report.signature, "averages": report.to_dict()}
                for name, report, _ in variants
            },
            "differences": [_difference(difference) for difference in self.differences],
        }

    def rows(self, _: Layout) -> Iterator[Sequence[object]]:
        """Yield a row for each average (its eval is empty), then for each dialect in evals that differ."""
        yield ["eval", "system", "metric", "dialect", *FIGURES, "reasons", "signature"]
        for name, report, labels in _columns(self):
            metrics = {label: metric for metric, label in labels.items()}
            for system, by_label in report.to_dict().items():
                for label, measures in by_label.items():
                    values = [measures[measure] for measure in FIGURES]
                    yield ["", system, metrics[label], name, *values, "", report.signature]
        for difference in self.differences:
            names = (difference.eval_id, difference.system, difference.metric)
            reasons = "; ".join(difference.reasons)
            for dialect, result in difference.scores.items():
                yield [
                    *names,
                    dialect,
                    *(result.score or [""] * 3),
                    reasons,
                    self.reports[dialect].signature,
                ]


def describe(form: str | None) -> str:
    """Describe how a dialect counts a token.

    Args:
        form: The counted form; None if the dialect has no such token, empty if it drops the token.
    """
    return "has none" if form is None else form or "drops it"


def _columns(audit: Audit) -> Iterator[tuple[str, Results, Mapping[str, str]]]:
    """Yield the columns of the table, dialects and variants: name, report, and metric -> label."""
    labels = {setting.dialect: setting.labels for setting in audit.settings}
    yield from ((name, report, labels[name]) for name, report in audit.reports.items())
    if audit.regular:
        yield REGULAR, audit.regular, labels[RELEASE]


def _means(audit: Audit) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    """Yield the head, then a row of mean F for each system and metric."""
    columns = [(name, report.to_dict(), labels) for name, report, labels in _columns(audit)]
    yield ("mean F",), [name for name, *_ in columns]
    for system in columns[0][1] if columns else ():
        for metric in audit.metrics:
            scores = [averages[system].get(labels.get(metric, "")) for _, averages, labels in columns]
            cells = [_f(score["f"] if score else None) for score in scores]
            yield (visible(system), metric), cells


def _heading(audit: Audit) -> str:
    which = (
        f"evals whose F differs by more than {audit.threshold:g}" if audit.threshold >= 0 else "all evals"
    )
    return f"{which}: {len(audit.differences)}"


def _f(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.5f}"


def _signatures(audit: Audit) -> Iterator[str]:
    yield from (f"{name}: {visible(report.signature)}" for name, report, _ in _columns(audit))


def _difference(difference: Difference) -> Record:
    scores = {
        dialect: result.score._asdict() for dialect, result in difference.scores.items() if result.score
    }
    return {
        "eval": difference.eval_id,
        "system": difference.system,
        "metric": difference.metric,
        "scores": scores,
        "reasons": list(difference.reasons),
    }


@dataclass(frozen=True, slots=True, repr=False)
class Dialects(Presentable):
    """The audit of one eval by every metric, with the tokens that dialects count differently."""

    kind = "dialects"

    audit: Audit
    tokens: Sequence[tuple[str, str, Mapping[str, str | None]]]  # name of a text, token, dialect -> form
    signature: str = ""

    def prose(self, layout: Layout) -> Iterator[list[Piece]]:
        """Yield the scores side by side, then the notes."""
        names = [setting.dialect for setting in self.audit.settings]
        head = f"{'':<25}" + "".join(f"  {name:<26}" for name in names)
        yield [Piece(head.rstrip())]
        order = self.audit.metrics
        for difference in sorted(self.audit.differences, key=lambda entry: order.index(entry.metric)):
            results = [difference.scores.get(name) for name in names]
            cells = [
                "R {:.5f} P {:.5f} F {:.5f}".format(*result.score)
                if result and result.score
                else f"{NOTHING:<26}"
                for result in results
            ]
            yield [Piece(f"{difference.metric:<25}  {'  '.join(cells)}".rstrip())]
        yield from ([Piece(visible(line))] for line in self.notes(layout))

    def tables(self, layout: Layout) -> Iterator[Table]:
        """Yield a table of F by metric and dialect, with the reasons for differences."""
        _, differences = self.audit.tables(layout)
        yield differences._replace(caption="")

    def notes(self, _: Layout) -> Iterator[str]:
        """Yield the tokens that are counted differently, then the other reasons for differences."""
        for name, surface, forms in self.tokens:
            readings = ", ".join(f"{dialect} {describe(form)}" for dialect, form in forms.items())
            yield f"{name}: {surface}: {readings}"
        reasons = [reason for difference in self.audit.differences for reason in difference.reasons]
        yield from (reason for reason in dict.fromkeys(reasons) if not reason.startswith("tokens of"))

    def document(self, layout: Layout) -> Record:
        """Return the document of the audit with the tokens."""
        tokens = [
            {"text": name, "token": surface, "forms": dict(forms)} for name, surface, forms in self.tokens
        ]
        return {**self.audit.document(layout), "tokens": tokens}

    def rows(self, layout: Layout) -> Iterator[Sequence[object]]:
        """Yield the audit's rows."""
        return self.audit.rows(layout)


MOST_COLUMNS = 9  # of published numbers in a table; of more, only the count is shown
_PUBLISHED = {"eval_id": "eval", "where": ""}  # names of fields in documents; empty: left out


class Published(NamedTuple):
    """A published number, on the scale of its source."""

    system: str
    eval_id: str  # empty for an average over evals
    metric: str  # as the search names it, such as `ROUGE-L`
    measure: str  # R, P or F; empty if the source does not state it
    value: float
    decimals: int  # the number of printed decimals
    where: str  # the file and line of the number; empty for the command line

    @property
    def name(self) -> str:
        """Return the metric, and the measure if the source states it."""
        return ".".join(part for part in (self.metric, self.measure) if part)


class Candidate(NamedTuple):
    """A set-up compared with the published numbers."""

    signature: str  # as for --like
    measure: str  # R, P or F, assumed for numbers that do not state it
    rounding: str  # the rounding under which most numbers fit; empty if none fits
    values: Sequence[float]  # the numbers of the set-up, on the published scale
    fits: Sequence[bool]  # for each number, True if it has the published digits
    also: Sequence[str]  # other set-ups that give the same numbers on this input

    @property
    def is_fit(self) -> bool:
        """Return True if all numbers fit the published numbers."""
        return all(self.fits)


@dataclass(frozen=True, slots=True, repr=False)
class Identification(Presentable):
    """The result of a search for the set-up of published numbers."""

    kind = "identification"

    published: Sequence[Published]
    scale: int  # of the published numbers, 1 or 100
    candidates: Sequence[Candidate]  # the set-ups that fit all numbers, then the nearest
    fitting: int  # the number of set-ups that fit
    tried: int  # the number of set-ups tried; with R, P and F in turn if the measure is unknown
    distinct: int  # the number of different results among these set-ups
    chance: float | None  # the probability that a set-up fits by chance; None if too few differ
    reasons: Sequence[str] = ()  # why the nearest set-up does not fit
    signature: str = ""

    def tables(self, _: Layout) -> Iterator[Table]:
        """Yield the published numbers with the set-ups that fit, then the nearest other set-ups."""
        systems = list(dict.fromkeys(visible(number.system) for number in self.published))
        numbers = f"published numbers of {', '.join(systems[:3])}{', ...' if len(systems) > 3 else ''}"
        fitting = self.candidates[: self.fitting]
        nearest = self.candidates[self.fitting :]
        if fitting:
            caption = f"{pluralize(self.fitting, 'set-up')} with the {numbers}:"
            yield _table(self, fitting, 1, caption)
        if nearest or not fitting:
            caption = "nearest set-ups with other numbers:"
            if not fitting:
                caption = f"no set-up tried gives the {numbers}; the nearest:"
            yield _table(self, nearest, 1 + len(fitting), caption)

    def notes(self, _: Layout) -> Iterator[str]:
        """Yield the conclusions of the search."""
        for rank, candidate in enumerate(self.candidates[: self.fitting], 1):
            if candidate.also:
                yield f"the same numbers as {rank}: {', '.join(candidate.also)}"
        if self.fitting > 1:
            yield "several fit: more decimals, metrics or evals would distinguish them"
        yield from self.reasons
        yield (
            f"tried: {pluralize(self.tried, 'set-up')} with {pluralize(self.distinct, 'different result')} "
            "on this input"
        )
        if self.fitting:
            yield described_chance(self)

    def document(self, _: Layout) -> Record:
        """Return everything, unrounded."""
        return {
            "schema": "rouge-cli identification 2",
            "scale": self.scale,
            "tried": self.tried,
            "distinct": self.distinct,
            "fitting": self.fitting,
            "chance": self.chance,
            "reasons": list(self.reasons),
            "published": [record(number, **_PUBLISHED) for number in self.published],
            "candidates": [
                {
                    "rank": rank,
                    "fit": candidate.is_fit,
                    **candidate._asdict(),
                    "differences": list(map(_distance, self.published, candidate.values)),
                }
                for rank, candidate in enumerate(self.candidates, 1)
            ],
        }

    def rows(self, _: Layout) -> Iterator[Sequence[object]]:
        """Yield a row for each set-up and published number, unrounded."""
        names = ("system", "eval", "metric", "measure")
        yield ["rank", "signature", "rounding", *names, "published", "value", "fit"]
        for rank, candidate in enumerate(self.candidates, 1):
            numbers = zip(self.published, candidate.values, candidate.fits, strict=True)
            for number, value, fit in numbers:
                key = (*number[:3], number.measure or candidate.measure)
                cells = (number.value, value, "yes" if fit else "no")
                yield [rank, candidate.signature, candidate.rounding, *key, *cells]


def described_chance(identification: Identification) -> str:
    """Describe the probability of a fit by chance."""
    chance = identification.chance
    if chance is None:
        return "probability that a set-up fits by chance: unknown, too few set-ups differ"
    value = f"{chance:.2g}" if chance >= 1e-6 else "below 0.000001"
    is_weak = identification.fitting and chance > 0.05
    advice = "; publish or compare more numbers or digits" if is_weak else ""
    return f"probability that a set-up fits by chance: {value}{advice}"


def _table(
    identification: Identification, candidates: Sequence[Candidate], first: int, caption: str
) -> Table:
    """Return a table of the published numbers and of candidates, whose ranks begin with `first`."""
    published = identification.published
    several = len({number.system for number in published}) > 1
    heads = [_head(number, several=several) for number in published if len(published) <= MOST_COLUMNS]
    printed = [Cell(f"{number.value:.{number.decimals}f}") for number in published]
    rows = [Row((NOTHING, "published", "", ""), [Cell(""), *printed])] if heads else []
    for rank, candidate in enumerate(candidates, first):
        cells = [
            Cell(
                f"{value:.{number.decimals + 1}f}",
                "" if fit else f"({_distance(number, value):+.{number.decimals + 1}f})",
            )
            for number, value, fit in zip(published, candidate.values, candidate.fits, strict=True)
        ]
        fits = Cell(f"{sum(candidate.fits)} of {len(published)}")
        measure = candidate.measure or "as named"
        names = (str(rank), visible(candidate.signature), measure, candidate.rounding or NOTHING)
        rows.append(Row(names, [fits, *(cells if heads else [])]))
    return Table(("rank", "set-up", "measure", "rounding"), ("fit", *heads), rows, caption)


def _head(number: Published, *, several: bool) -> str:
    """Return the head of a number's column: its name, with the system and the eval if needed."""
    parts = (number.system if several else "", number.eval_id, number.name)
    return visible(" ".join(filter(None, parts)))


def _distance(number: Published, value: float) -> float:
    """Return the difference of a set-up's number from the published number."""
    return value - number.value
