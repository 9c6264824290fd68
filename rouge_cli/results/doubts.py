"""Answers to doubts about numbers: why dialects differ, and which set-up gives
published numbers.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rouge_cli.core import EvalResult, Score
from rouge_cli.results import base, printed
from rouge_cli.results.base import Layout, Presentable, Record, record
from rouge_cli.results.printed import Cell, Piece, Row, Table, visible
from rouge_cli.results.scores import Results
from rouge_cli.results.single_evals import FIGURES

# ROUGE-1.5.5 without irregular forms, as many published numbers were made (QUIRKS 63).
REGULAR = "rouge155 --irregular none"
RELEASE = "rouge155"  # the dialect with a list of irregular forms
MOST_COLUMNS = 9  # of published numbers in a table; of more, only the count is shown
_SCORES = "R {:.5f} P {:.5f} F {:.5f}"


class Difference(NamedTuple):
    """The scores of a system in one eval in which dialects differ."""

    eval_id: str
    system: str
    metric: str
    # By dialect; only of differences that are shown
    scores: Mapping[str, EvalResult] = {}
    reasons: Sequence[str] = ()  # for the difference, the most likely first; as above

    @property
    def figures(self) -> dict[str, Score]:
        """Return dialect -> recall, precision and F."""
        return {
            dialect: result.score
            for dialect, result in self.scores.items()
            if result.score
        }

    @property
    def size(self) -> float:
        """Return the largest difference between the F scores."""
        values = [score.f for score in self.figures.values()]
        return max(values) - min(values)


@dataclass(frozen=True, slots=True, repr=False)
class Audit(Presentable):
    """One input scored in every dialect, and the evals whose F differs by more than
    the threshold.
    """

    kind = "audit"
    heads = (
        *("eval", "system", "metric", "dialect"),
        *FIGURES,
        *("reasons", "signature"),
    )

    # Dialect -> metric -> the dialect's label for it, such as `ROUGE-1+Stemming`;
    # REGULAR is the last dialect if words are stemmed.
    labels: Mapping[str, Mapping[str, str]]
    reports: Mapping[str, Results]  # of the same dialects
    # Between dialects other than REGULAR, the largest first
    differences: Sequence[Difference]
    threshold: float = 0.0
    signature: str = ""

    @property
    def metrics(self) -> list[str]:
        """The metrics in the order of the tables."""
        names: dict[str, None] = {}
        for labels in self.labels.values():
            names |= dict.fromkeys(labels)
        return list(names)

    @property
    def dialects(self) -> list[str]:
        """The dialects that are compared."""
        return [name for name in self.labels if name != REGULAR]

    def prose(self, layout: Layout) -> Iterator[list[Piece]]:
        """Yield the averages side by side, then the evals that differ with the
        reasons.
        """
        means, differences = self.tables(layout)
        names = ["  ".join(row.names) for row in means.rows]
        width = max(map(len, names), default=0)
        widths = [max(8, len(head)) for head in means.numbers]
        yield [Piece(_aligned(means.caption, width, means.numbers, widths))]
        for name, row in zip(names, means.rows, strict=True):
            values = [cell.value for cell in row.cells]
            yield [Piece(_aligned(name, width, values, widths))]
        yield []
        yield [Piece(differences.caption)]
        for difference in self.differences[: layout.most]:
            scores = ", ".join(
                f"{dialect} {score.f:.5f}"
                for dialect, score in difference.figures.items()
            )
            where = (
                f"{visible(difference.eval_id)}, {visible(difference.system)},"
                f" {difference.metric}"
            )
            yield [Piece(f"eval {where}: {scores}")]
            for reason in difference.reasons:
                yield [Piece(f"    {visible(reason)}")]
        if differences.remark:
            yield [Piece(differences.remark)]
        for line in self.notes(layout):
            yield [Piece(line)]

    def tables(self, layout: Layout) -> Iterator[Table]:
        """Yield a table of average F, then a table of the evals whose F differs,
        with the reasons.
        """
        yield self._mean_table()
        yield self._difference_table(layout)

    def _mean_table(self) -> Table:
        averages = {name: self.reports[name].to_dict() for name in self.labels}
        systems: Iterable[str] = next(iter(averages.values()), ())
        rows = []
        for system in systems:
            for metric in self.metrics:
                cells = []
                for name, labels in self.labels.items():
                    mean = averages[name][system].get(labels.get(metric, ""))
                    cells.append(Cell(f"{mean['f']:.5f}" if mean else printed.NOTHING))
                rows.append(Row((visible(system), metric), cells))
        heads = list(self.labels)
        return Table(("system", "metric"), heads, rows, caption="mean F")

    def _difference_table(self, layout: Layout) -> Table:
        rows = []
        for difference in self.differences[: layout.most]:
            names = (
                visible(difference.eval_id),
                visible(difference.system),
                difference.metric,
                "; ".join(map(visible, difference.reasons)),
            )
            cells = []
            for dialect in self.dialects:
                score = difference.figures.get(dialect)
                cells.append(Cell(f"{score.f:.5f}" if score else printed.NOTHING))
            rows.append(Row(names, cells))

        shown = "all evals"
        if self.threshold >= 0:
            shown = f"evals whose F differs by more than {self.threshold:g}"
        return Table(
            names=("eval", "system", "metric", "why"),
            numbers=self.dialects,
            rows=rows,
            caption=f"{shown}: {len(self.differences)}",
            remark=base.left_out(self.differences, layout),
        )

    def notes(self, _: Layout) -> Iterator[str]:
        """Yield the signatures."""
        for name, report in self.reports.items():
            yield f"{name}: {visible(report.signature)}"

    def document(self, _: Layout) -> Record:
        """Return everything, unrounded."""
        differences = []
        for difference in self.differences:
            scores = {
                name: score._asdict() for name, score in difference.figures.items()
            }
            differences.append({**record(difference, eval_id="eval"), "scores": scores})
        signatures = {name: report.signature for name, report in self.reports.items()}
        averages = {name: report.to_dict() for name, report in self.reports.items()}
        regular = {
            "signature": signatures.pop(REGULAR, ""),
            "averages": averages.pop(REGULAR, {}),
        }
        variants = {REGULAR: regular} if REGULAR in self.reports else {}
        means = {"signatures": signatures, "averages": averages, "variants": variants}
        return {"schema": "rouge-cli audit 2", **means, "differences": differences}

    def entries(self, _: Layout) -> Iterator[Record]:
        """Yield a record for each average, which has no eval, then for each dialect in
        evals that differ.
        """
        for name, report in self.reports.items():
            metrics = {label: metric for metric, label in self.labels[name].items()}
            for system, by_label in report.to_dict().items():
                for label, means in by_label.items():
                    yield {
                        "system": system,
                        "metric": metrics[label],
                        "dialect": name,
                        **means,
                        "signature": report.signature,
                    }
        for difference in self.differences:
            for dialect, result in difference.scores.items():
                scores = result.score._asdict() if result.score else {}
                yield {
                    "eval": difference.eval_id,
                    "system": difference.system,
                    "metric": difference.metric,
                    "dialect": dialect,
                    **scores,
                    "reasons": "; ".join(difference.reasons),
                    "signature": self.reports[dialect].signature,
                }


def _aligned(
    name: str, width: int, values: Iterable[str], widths: Iterable[int]
) -> str:
    """Return a line of a table: a name on the left, and right-aligned values."""
    cells = [f"{name:<{width}}"]
    for value, value_width in zip(values, widths, strict=True):
        cells.append(f"{value:>{value_width}}")
    return "  ".join(cells)


def describe(form: str | None) -> str:
    """Describe the counted form of a token: None if a dialect has no such token,
    empty if it drops it.
    """
    if form is None:
        return "has none"
    return form or "drops it"


@dataclass(frozen=True, slots=True, repr=False)
class Dialects(Audit):
    """The audit of one eval by every metric, with the tokens that dialects count
    differently.
    """

    kind = "dialects"

    # A text's name, token, dialect -> form
    tokens: Sequence[tuple[str, str, Mapping[str, str | None]]] = ()

    def prose(self, layout: Layout) -> Iterator[list[Piece]]:
        """Yield the scores side by side, then the notes."""
        yield [Piece(_line_of_scores("", self.dialects))]
        order = self.metrics
        for difference in sorted(
            self.differences, key=lambda difference: order.index(difference.metric)
        ):
            cells = []
            for dialect in self.dialects:
                score = difference.figures.get(dialect)
                cells.append(_SCORES.format(*score) if score else printed.NOTHING)
            yield [Piece(_line_of_scores(difference.metric, cells))]
        for line in self.notes(layout):
            yield [Piece(visible(line))]

    def tables(self, layout: Layout) -> Iterator[Table]:
        """Yield a table of F by metric and dialect, with the reasons for
        differences.
        """
        _, differences = Audit.tables(self, layout)
        yield differences._replace(caption="")

    def notes(self, _: Layout) -> Iterator[str]:
        """Yield the tokens that are counted differently, then the other reasons for
        differences.
        """
        for name, surface, forms in self.tokens:
            readings = ", ".join(
                f"{dialect} {describe(form)}" for dialect, form in forms.items()
            )
            yield f"{name}: {surface}: {readings}"
        reasons: dict[str, None] = {}
        for difference in self.differences:
            reasons |= dict.fromkeys(difference.reasons)
        for reason in reasons:
            if not reason.startswith("tokens of"):
                yield reason

    def document(self, layout: Layout) -> Record:
        """Return the document of the audit with the tokens."""
        tokens = []
        for name, surface, forms in self.tokens:
            tokens.append({"text": name, "token": surface, "forms": forms})
        return {**Audit.document(self, layout), "tokens": tokens}


def _line_of_scores(metric: str, cells: Iterable[str]) -> str:
    columns = [f"{metric:<25}", *(f"{cell:<26}" for cell in cells)]
    return "  ".join(columns).rstrip()


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
        names = [name for name in (self.metric, self.measure) if name]
        return ".".join(names)


class Candidate(NamedTuple):
    """A set-up compared with the published numbers."""

    signature: str  # as for --like
    measure: str  # R, P or F, assumed for numbers that do not state it
    rounding: str  # the rounding under which most numbers fit; empty if none fits
    values: Sequence[float]  # the numbers of the set-up, on the published scale
    fits: Sequence[bool]  # for each number, True if it has the published digits
    also: Sequence[str]  # other set-ups that give the same numbers on this input


@dataclass(frozen=True, slots=True, repr=False)
class Identification(Presentable):
    """The result of a search for the set-up of published numbers."""

    kind = "identification"
    heads = (
        *("rank", "signature", "rounding", "system", "eval", "metric", "measure"),
        *("published", "value", "fit"),
    )

    published: Sequence[Published]
    scale: int  # of the published numbers, 1 or 100
    # The set-ups that fit all numbers, then the nearest
    candidates: Sequence[Candidate]
    fitting: int  # the number of set-ups that fit
    # the number of set-ups tried; with R, P and F in turn if the measure is unknown
    tried: int
    distinct: int  # the number of different results among these set-ups
    # The probability that a set-up fits by chance; None if too few differ
    chance: float | None
    reasons: Sequence[str] = ()  # why the nearest set-up does not fit
    signature: str = ""
    dialects: Sequence[str] = ()  # all whose set-ups were tried
    # Dialect -> why its set-ups were not tried, or only some of them.
    untried: Mapping[str, str] = field(default_factory=dict)

    def tables(self, _: Layout) -> Iterator[Table]:
        """Yield the published numbers with the set-ups that fit, then the nearest
        other set-ups.
        """
        systems = list(
            dict.fromkeys(visible(number.system) for number in self.published)
        )
        numbers = f"published numbers of {', '.join(systems[:3])}"
        if len(systems) > 3:
            numbers += ", ..."

        ranked = list(enumerate(self.candidates, 1))
        fitting = ranked[: self.fitting]
        nearest = ranked[self.fitting :]
        if fitting:
            set_ups = printed.pluralize(self.fitting, "set-up")
            yield self._table(fitting, f"{set_ups} with the {numbers}:")
            if nearest:
                yield self._table(nearest, "nearest set-ups with other numbers:")
        else:
            caption = f"no set-up tried gives the {numbers}; the nearest:"
            yield self._table(nearest, caption)

    def _table(self, ranked: Sequence[tuple[int, Candidate]], caption: str) -> Table:
        """Return a table of the published numbers and of candidates with their
        ranks.
        """
        shown = self.published if len(self.published) <= MOST_COLUMNS else ()
        rows = []
        if shown:
            cells = [Cell("")]
            for number in shown:
                cells.append(Cell(f"{number.value:.{number.decimals}f}"))
            rows.append(Row((printed.NOTHING, "published", "", ""), cells))

        for rank, candidate in ranked:
            cells = [Cell(f"{sum(candidate.fits)} of {len(self.published)}")]
            for number, value, fit in zip(
                shown, candidate.values, candidate.fits, strict=False
            ):
                digits = number.decimals + 1
                distance = "" if fit else f"({value - number.value:+.{digits}f})"
                cells.append(Cell(f"{value:.{digits}f}", distance))
            names = (
                str(rank),
                visible(candidate.signature),
                candidate.measure or "as named",
                candidate.rounding or printed.NOTHING,
            )
            rows.append(Row(names, cells))
        return Table(
            names=("rank", "set-up", "measure", "rounding"),
            numbers=("fit", *self._heads(shown)),
            rows=rows,
            caption=caption,
        )

    def _heads(self, shown: Sequence[Published]) -> list[str]:
        """Return the heads of published numbers, with the system if there are several
        systems.
        """
        several = len({number.system for number in self.published}) > 1
        heads = []
        for number in shown:
            words = [number.eval_id, number.name]
            if several:
                words.insert(0, number.system)
            heads.append(visible(" ".join(word for word in words if word)))
        return heads

    def notes(self, _: Layout) -> Iterator[str]:
        """Yield the conclusions of the search."""
        for rank, candidate in enumerate(self.candidates[: self.fitting], 1):
            if candidate.also:
                yield f"the same numbers as {rank}: {', '.join(candidate.also)}"
        if self.fitting > 1:
            yield "several fit: more decimals, metrics or evals would distinguish them"
        yield from self.reasons
        results = printed.pluralize(self.distinct, "different result")
        set_ups = printed.pluralize(self.tried, "set-up")
        number = f"{set_ups} with {results} on this input"
        yield f"tried: {'; '.join([*self._dialects(), number])}"
        if not self.fitting:
            return
        prefix = "probability that a set-up fits by chance:"
        if self.chance is None:
            yield f"{prefix} unknown, too few set-ups differ"
            return
        value = f"{self.chance:.2g}" if self.chance >= 1e-6 else "below 0.000001"
        if self.chance > 0.05:
            value += "; publish or compare more numbers or digits"
        yield f"{prefix} {value}"

    def _dialects(self) -> Iterator[str]:
        """Yield the dialects that were tried, then those that were not, by reason."""
        if self.dialects:
            yield ", ".join(self.dialects)
        names: dict[str, list[str]] = {}
        for dialect, reason in self.untried.items():
            names.setdefault(reason, []).append(dialect)
        for reason, dialects in names.items():
            yield f"not {', '.join(dialects)} ({reason})"

    def document(self, _: Layout) -> Record:
        """Return everything, unrounded."""
        candidates = []
        for rank, candidate in enumerate(self.candidates, 1):
            pairs = zip(candidate.values, self.published, strict=True)
            gaps = [value - number.value for value, number in pairs]
            fields = {
                "rank": rank,
                "fit": all(candidate.fits),
                **candidate._asdict(),
                "differences": gaps,
            }
            candidates.append(fields)
        published = [
            record(number, eval_id="eval", where="") for number in self.published
        ]
        return {
            "schema": "rouge-cli identification 2",
            "scale": self.scale,
            "tried": self.tried,
            "distinct": self.distinct,
            "fitting": self.fitting,
            "chance": self.chance,
            "reasons": list(self.reasons),
            "dialects": list(self.dialects),
            "untried": dict(self.untried),
            "published": published,
            "candidates": candidates,
        }

    def entries(self, _: Layout) -> Iterator[Record]:
        """Yield a record for each set-up and published number, unrounded."""
        for rank, candidate in enumerate(self.candidates, 1):
            for number, value, fit in zip(
                self.published, candidate.values, candidate.fits, strict=True
            ):
                yield {
                    "rank": rank,
                    "signature": candidate.signature,
                    "rounding": candidate.rounding,
                    "system": number.system,
                    "eval": number.eval_id,
                    "metric": number.metric,
                    "measure": number.measure or candidate.measure,
                    "published": number.value,
                    "value": value,
                    "fit": "yes" if fit else "no",
                }
