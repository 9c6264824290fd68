"""Audits: one input in every dialect, and why the scores differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from rouge_cli.results._presentation import Presentable
from rouge_cli.results._tables import NOTHING, Cell, Piece, Row, Table, left_out, visible
from rouge_cli.results.scores import FIGURES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rouge_cli.core import EvalResult
    from rouge_cli.results import Layout
    from rouge_cli.results._records import Record
    from rouge_cli.results.scores import Results

INDENT = 1
SCHEMA = "rouge-cli audit 1"
REGULAR = "rouge155 --irregular none"
RELEASE = "rouge155"  # the dialect with a list of irregular forms


class Setting(NamedTuple):
    """A dialect with the options that the input is scored with.

    labels: the dialect's label for each measure that it has, given the options (`ROUGE-1+Stemming`).
    """

    dialect: str
    options: Mapping[str, Any]
    labels: Mapping[str, str]


class Difference(NamedTuple):
    """An eval in which dialects differ.

    scores: dialect -> its result. reasons: for the difference, the most likely first.
    """

    eval_id: str
    peer_id: str
    measure: str
    scores: Mapping[str, EvalResult]
    reasons: Sequence[str]

    @property
    def size(self) -> float:
        """Return the largest difference between the F scores."""
        values = [result.score.f for result in self.scores.values() if result.score]
        return max(values) - min(values)


@dataclass(frozen=True, slots=True, repr=False)
class Audit(Presentable):
    """An input in every dialect: the reports, and the evals whose F differs by more than the threshold.

    regular: the report of ROUGE-1.5.5 without irregular forms, as in many published numbers (QUIRKS 63);
    None if nothing is stemmed.
    """

    settings: Sequence[Setting]
    reports: Mapping[str, Results]
    differences: Sequence[Difference]
    regular: Results | None = None
    threshold: float = 0.0
    signature: str = ""

    @property
    def measures(self) -> list[str]:
        """The measures, in the order of the tables."""
        return list(dict.fromkeys(measure for setting in self.settings for measure in setting.labels))


def prose(audit: Audit, layout: Layout) -> Iterator[list[Piece]]:
    """Yield the averages side by side, then the evals that differ, each with its reasons."""
    columns = list(_columns(audit))
    head, *means = _means(audit)
    width = max((len("  ".join(names)) for names, _ in means), default=0)
    for names, cells in [head, *means]:
        sized = zip(cells, columns, strict=True)
        shown = "".join(f"  {cell:>{max(8, len(name))}}" for cell, (name, *_) in sized)
        yield [Piece(f"{'  '.join(names):<{width}}{shown}")]
    yield []
    yield [Piece(_heading(audit))]
    for difference in audit.differences[: layout.most]:
        scores = ", ".join(
            f"{dialect} {result.score.f:.5f}"
            for dialect, result in difference.scores.items()
            if result.score
        )
        where = f"{visible(difference.eval_id)}, {visible(difference.peer_id)}, {difference.measure}"
        yield [Piece(f"eval {where}: {scores}")]
        yield from ([Piece(f"    {visible(reason)}")] for reason in difference.reasons)
    if remark := left_out(audit.differences, layout):
        yield [Piece(remark)]
    yield from ([Piece(line)] for line in _signatures(audit))


def tables(audit: Audit, layout: Layout) -> Iterator[Table]:
    """Yield tables of the average F side by side, and of the evals whose F differs, with the reasons."""
    (_, heads), *means = _means(audit)
    yield Table(
        ("system", "measure"),
        heads,
        [Row(names, list(map(Cell, cells))) for names, cells in means],
        caption="mean F",
    )
    dialects = list(audit.reports)
    rows = []
    for difference in audit.differences[: layout.most]:
        results = (difference.scores.get(dialect) for dialect in dialects)
        cells = [Cell(_f(result.score.f if result and result.score else None)) for result in results]
        reasons = "; ".join(map(visible, difference.reasons))
        names = (visible(difference.eval_id), visible(difference.peer_id), difference.measure, reasons)
        rows.append(Row(names, cells))
    yield Table(
        ("eval", "system", "measure", "why"),
        dialects,
        rows,
        caption=_heading(audit),
        remark=left_out(audit.differences, layout),
    )


def notes(audit: Audit, _: Layout) -> Iterator[str]:
    """Yield the signatures."""
    return _signatures(audit)


def document(audit: Audit, _: Layout) -> Record:
    """Return everything, unrounded."""
    variants = [column for column in _columns(audit) if column[0] not in audit.reports]
    return {
        "schema": SCHEMA,
        "signatures": {dialect: report.signature for dialect, report in audit.reports.items()},
        "averages": {dialect: report.to_dict() for dialect, report in audit.reports.items()},
        "variants": {
            name: {"signature": report.signature, "averages": report.to_dict()}
            for name, report, _ in variants
        },
        "differences": [_difference(difference) for difference in audit.differences],
    }


def rows(audit: Audit, _: Layout) -> Iterator[Sequence[object]]:
    """Yield a row for each average, its eval empty, then one for each dialect in each eval that differs."""
    yield ["eval", "system", "measure", "dialect", *FIGURES, "reasons", "signature"]
    for name, report, labels in _columns(audit):
        measures = {label: measure for measure, label in labels.items()}
        for system, by_label in report.to_dict().items():
            for label, figures in by_label.items():
                values = [figures[figure] for figure in FIGURES]
                yield ["", system, measures[label], name, *values, "", report.signature]
    for difference in audit.differences:
        names = (difference.eval_id, difference.peer_id, difference.measure)
        reasons = "; ".join(difference.reasons)
        for dialect, result in difference.scores.items():
            yield [*names, dialect, *(result.score or [""] * 3), reasons, audit.reports[dialect].signature]


def describe(form: str | None) -> str:
    """Describe in words how a dialect treats a token."""
    return "has none" if form is None else form or "drops it"


def _columns(audit: Audit) -> Iterator[tuple[str, Results, Mapping[str, str]]]:
    """Yield each dialect and variant: its name, its report, and its label for each measure."""
    labels = {setting.dialect: setting.labels for setting in audit.settings}
    yield from ((name, report, labels[name]) for name, report in audit.reports.items())
    if audit.regular:
        yield REGULAR, audit.regular, labels[RELEASE]


def _means(audit: Audit) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    """Yield the head, then each system's mean F by each measure."""
    columns = [(name, report.to_dict(), labels) for name, report, labels in _columns(audit)]
    yield ("mean F",), [name for name, *_ in columns]
    for system in columns[0][1] if columns else ():
        for measure in audit.measures:
            scores = [averages[system].get(labels.get(measure, "")) for _, averages, labels in columns]
            cells = [_f(score["f"] if score else None) for score in scores]
            yield (visible(system), measure), cells


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
        "system": difference.peer_id,
        "measure": difference.measure,
        "scores": scores,
        "reasons": list(difference.reasons),
    }
