"""Scores of systems: the results of `score`, `merge` and `rouge2`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rouge_cli import metrics, plugins, signature
from rouge_cli.core import Average, Counts, Estimate, Report
from rouge_cli.errors import UsageError
from rouge_cli.options import brief
from rouge_cli.results._presentation import Presentable
from rouge_cli.results._records import number, plain
from rouge_cli.results._score_tables import averages, by_eval, tables
from rouge_cli.results._tables import Row, Table, figure, paper_heads, pluralize

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import pandas as pd
    from typing_extensions import Unpack

    from rouge_cli.core import EvalResult, Result
    from rouge_cli.results import Layout, LayoutFields
    from rouge_cli.results._records import Record

__all__ = ["document", "lines", "notes", "paper", "results", "rows", "tables"]
SCHEMA = "rouge-cli report 1"
FIGURES = ("recall", "precision", "f")
COUNTS = ("model", "peer", "match")
_LETTERS = ("R", "P", "F")


class Scored(Presentable):
    """Scores of systems. Tables show the F of every metric, unless `columns` selects others."""

    __slots__ = ()
    results: Sequence[Result]

    def layout(self, form: str = "", **typed: Unpack[LayoutFields]) -> Layout:
        """Return the layout; raise UsageError for a column that the report does not have."""
        labels = self._labels()
        try:
            columns = [(label, letter) for label, letter in typed.get("columns", ())]
        except (TypeError, ValueError):
            raise UsageError(
                f"columns is {brief(typed['columns'])}", remedy='pass pairs, as in [("ROUGE-1", "F")]'
            ) from None
        for label, letter in columns:
            if label not in labels:
                raise UsageError(
                    f"no {label} among the scores", remedy=plugins.suggestion(str(label), labels)
                )
            if letter not in _LETTERS:
                raise UsageError(f"no figure {letter!r}", remedy=f"use one of {', '.join(_LETTERS)}")
        return super().layout(form, **typed)

    def _own_layout(self, *, for_papers: bool) -> LayoutFields:
        return {
            "columns": [(label, "F") for label in self._labels()],
            "ranks": not for_papers and len({result.peer_id for result in self.results}) > 1,
            "confidence": signature.fields(self.signature).get("confidence", "95"),
        }

    def _labels(self) -> list[str]:
        return list(dict.fromkeys(result.label for result in self.results))


class Results(Scored, Report):
    """The result of `rouge_cli.score` and `evaluate`: averages, scores of evals, and the signature."""

    __slots__ = ()

    def to_dict(self) -> dict[str, dict[str, dict[str, float]]]:
        """Return the plain averages: system -> label -> recall, precision, f."""
        averages: dict[str, dict[str, dict[str, float]]] = {}
        for result in self.results:
            if isinstance(result.average, Average):
                figures = {name: estimate.value for name, estimate in result.average._asdict().items()}
                averages.setdefault(result.peer_id, {})[result.label] = figures
        return averages

    def to_classic(self, **layout: Unpack[LayoutFields]) -> str:
        """Return the report of ROUGE-1.5.5, byte for byte."""
        return self.to("classic", **layout)

    def to_pandas(self) -> pd.DataFrame:
        """Return a DataFrame of one row per eval, system and metric; needs pandas.

        The counts `model`, `peer` and `match` are integers if a whole column is integral (those of ROUGE-W
        are not).
        """
        import pandas as pd

        rows = [
            {
                "eval": score.eval_id,
                "system": result.peer_id,
                "metric": result.label,
                **(score.score._asdict() if score.score else {}),
                **{name: number(getattr(score.counts, name)) for name in COUNTS},
            }
            for result in self.results
            for score in result.evals
        ]
        return pd.DataFrame(rows)


def results(report: Report, _: Layout) -> Sequence[Result]:
    """Return the results that the classic report lists."""
    return report.results


def paper(report: Report, layout: Layout) -> Table | None:
    """Return systems x metrics for a paper, intervals if they are asked for; None for single evals."""
    if layout.per_eval:
        return None
    content = averages(report, layout)
    scores, heads = paper_heads(content.numbers, layout)
    size = report.details.get("evals")
    evals = f", averages over {pluralize(size, 'eval')}" if isinstance(size, int) else ""
    cells = [cell for row in content.rows for cell in row.cells]
    best = "; best in bold" if any(cell.best for cell in cells) else ""
    shown = layout.intervals and any(cell.interval for cell in cells)
    rows = [
        Row(row.names, row.cells if shown else [cell._replace(interval="") for cell in row.cells])
        for row in content.rows
    ]
    ends = f" Intervals: {layout.confidence}% confidence." if shown else ""
    names = ["#" if name == "rank" else name for name in content.names]
    remark = "; ".join(_readings(report, layout))
    return Table(names, heads, rows, f"{scores}{evals}{best}.{ends}", remark)


def notes(report: Report, layout: Layout) -> Iterator[str]:
    """Yield the notes below a table, a line each, without the signature."""
    if "evals" in report.details:
        yield f"evals: {report.details['evals']}"
    yield from _readings(report, layout)
    if has_intervals(report) and not layout.per_eval:
        yield f"intervals: {layout.confidence}% confidence"


def _readings(report: Report, layout: Layout) -> Iterator[str]:
    """Yield how texts were read, and the command line that reads them in this way."""
    # These depend on where sentences end, which is the most common reason for numbers that differ.
    if any(metrics.declares(label, "needs_sentences") for label, _ in layout.columns):
        sides = [_sentences(report.details, side) for side in ("peers", "models")]
        present = [side for side in sides if side]
        if present:
            yield f"sentences per text: {', '.join(present)}"
    if "command" in report.details:
        yield f"on settings of these texts: {report.details['command']}"


def averages_of(report: Report, label: str, letter: str) -> dict[str, Estimate]:
    """Return the systems' averages by one figure of a metric; nothing if only totals were kept."""
    return {
        result.peer_id: figure(result.average, letter)
        for result in report.results
        if result.label == label and isinstance(result.average, Average)
    }


def has_intervals(report: Report) -> bool:
    """Return True if any average was resampled."""
    return any(
        isinstance(result.average, Average) and any(estimate.low is not None for estimate in result.average)
        for result in report.results
    )


def document(report: Report, layout: Layout) -> Record:
    """Return the document that docs/reference/report-json.md explains."""
    records = []
    for result in report.results:
        record = average_record(result, layout.scale)
        if layout.per_eval:
            record["evals"] = [eval_record(eval_result, layout.scale) for eval_result in result.evals]
        records.append(record)
    return {**_header(report, layout), "results": records}


def lines(report: Report, layout: Layout) -> Iterator[Record]:
    """Yield a header, then a record for each system and metric, or for each eval, system and metric."""
    yield _header(report, layout)
    if not layout.per_eval:
        yield from (average_record(result, layout.scale) for result in report.results)
        return
    for score, result in by_eval(report):
        names = {"eval": score.eval_id, "system": result.peer_id, "metric": result.label}
        yield {**names, **eval_record(score, layout.scale)}


def rows(report: Report, layout: Layout) -> Iterator[Sequence[object]]:
    """Yield the rows of a table, its head first; in the many rows of evals only the first is signed."""
    return _eval_rows(report, layout) if layout.per_eval else _average_rows(report, layout)


def _header(report: Report, layout: Layout) -> Record:
    """Return the fields that apply to all results."""
    return {
        "schema": SCHEMA,
        "signature": report.signature,
        "details": plain(report.details),
        "scale": number(layout.scale),
        "confidence": number(float(layout.confidence)) if has_intervals(report) else None,
    }


def average_record(result: Result, scale: float) -> Record:
    """Return a system's averages under a metric; the figures are null if only totals were kept."""
    average = result.average
    record: Record = {"system": result.peer_id, "metric": result.label}
    if isinstance(average, Counts):
        return {**record, **dict.fromkeys(FIGURES), "counts": _counts(average)}
    for name, estimate in zip(FIGURES, average, strict=True):
        values = zip(Estimate._fields, estimate, strict=True)
        record[name] = {field: None if value is None else number(value * scale) for field, value in values}
    return {**record, "counts": None}


def eval_record(result: EvalResult, scale: float) -> Record:
    """Return the record of a system in one eval; the figures are null if only counts were kept."""
    scores = [number(value * scale) for value in result.score] if result.score else [None] * 3
    return {
        "eval": result.eval_id,
        **dict(zip(FIGURES, scores, strict=True)),
        "counts": _counts(result.counts),
    }


def _average_rows(report: Report, layout: Layout) -> Iterator[Sequence[object]]:
    totals = any(isinstance(result.average, Counts) for result in report.results)
    ends = ("", "_low", "_high")
    numbers = COUNTS if totals else [f"{name}{end}" for name in FIGURES for end in ends]
    yield ["system", "metric", *numbers, *_scale(layout, "scale"), "signature"]
    for result in report.results:
        record = average_record(result, layout.scale)
        values = (
            _count_cells(record)
            if totals
            else [value for name in FIGURES for value in record[name].values()]
        )
        scale = _scale(layout, number(layout.scale))
        yield [result.peer_id, result.label, *values, *scale, report.signature]


def _eval_rows(report: Report, layout: Layout) -> Iterator[Sequence[object]]:
    yield ["eval", "system", "metric", *FIGURES, *COUNTS, *_scale(layout, "scale"), "signature"]
    signature = report.signature
    for eval_result, result in by_eval(report):
        record = eval_record(eval_result, layout.scale)
        scores = [record[name] for name in FIGURES]
        names = (eval_result.eval_id, result.peer_id, result.label)
        scale = _scale(layout, number(layout.scale))
        yield [*names, *scores, *_count_cells(record), *scale, signature]
        signature = ""


def _scale(layout: Layout, cell: object) -> list[object]:
    """Return the cell of the scale's column, which exists for scaled scores only."""
    return [] if layout.scale == 1 else [cell]


def _count_cells(record: Record) -> list[object]:
    return [record["counts"][name] for name in COUNTS]


def _sentences(details: Mapping[str, object], side: str) -> str:
    """Return the mean number of sentences in the texts of a side; empty if unknown."""
    tally = details.get(side)
    if not isinstance(tally, dict) or not tally.get("texts") or "sentences" not in tally:
        return ""
    return f"{tally['sentences'] / tally['texts']:.1f} in {side}"


def _counts(counts: Counts) -> Record:
    record = {name: number(getattr(counts, name)) for name in COUNTS}
    if counts.peer_match is not None:
        record["peer_match"] = number(counts.peer_match)
    return record
