"""Scores of systems: the results of `score`, `merge` and `rouge2`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, overload

from rouge_cli import metrics, signature
from rouge_cli.core import Average, Counts, Estimate, EvalResult, Report, Result, Score
from rouge_cli.errors import UsageError, suggestion
from rouge_cli.options import brief
from rouge_cli.results import base, languages, lengths, printed, system_scores, wide
from rouge_cli.results.base import Drawable, Gated, Layout, Record, dump
from rouge_cli.results.printed import Cell, Row, Table, visible
from rouge_cli.results.single_evals import (
    COUNTS,
    FIGURES,
    NO_SCORE,
    by_eval,
    counts_record,
    eval_lines,
    eval_record,
    eval_records,
    exact,
    format_count,
    scaled,
)
from rouge_cli.results.system_scores import Label, SystemScores
from rouge_cli.results.wide import COUNTED
from rouge_cli.tasks.directories import system_name

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from rouge_cli.core import EvalTask
    from rouge_cli.results.base import LayoutFields

SCHEMA = "rouge-cli report 2"
_LETTERS = ("R", "P", "F")
_ESTIMATES = list(map("".join, product(FIGURES, ("", "_low", "_high"))))
_FEW = 6  # percentile intervals of fewer evals contain the mean too rarely


class Scored(Gated, Drawable):
    """Scores of systems. Tables show the F of every metric unless `columns` selects
    others.
    """

    __slots__ = ()
    kind = "scores"
    indent = 2
    per_eval: ClassVar[bool] = False  # the default of the layout
    results: Sequence[Result]
    details: Mapping[str, object]

    def layout(self, form: str = "", **typed: Unpack[LayoutFields]) -> Layout:
        """Return the layout; raise UsageError if the report does not have one of the
        columns.
        """
        labels = list(dict.fromkeys(result.label for result in self.results))
        try:
            columns = [(label, letter) for label, letter in typed.get("columns", ())]
        except (TypeError, ValueError):
            remedy = 'pass pairs, as in [("ROUGE-1", "F")]'
            raise UsageError(
                f"columns is {brief(typed['columns'])}", remedy=remedy
            ) from None
        for label, letter in columns:
            if label not in labels:
                remedy = suggestion(str(label), labels)
                raise UsageError(f"no {label} among the scores", remedy=remedy)
            if letter not in _LETTERS:
                raise UsageError(
                    f"unknown measure {letter!r}",
                    remedy=f"use one of {', '.join(_LETTERS)}",
                )
        groups = languages.grouped(self.results, self.details)
        results = groups.get("", self.results)
        several = len({result.system for result in results}) > 1
        fields: LayoutFields = {
            "columns": [(label, "F") for label in labels],
            "per_eval": self.per_eval,
            "ranks": several and not self._is_for_papers(form),
            "confidence": signature.fields(self.signature).get("confidence", "95"),
            **typed,
        }
        return super().layout(form, **fields)

    def tables(self, layout: Layout) -> Iterator[Table]:
        """Yield a table with a row for each system; with `per_eval`, for each eval,
        system and metric.

        If a metric has only counts, its columns contain the counts, under heads that
        name them.
        """
        groups = languages.grouped(self.results, self.details)
        if groups and not layout.per_eval:
            for code, group in groups.items():
                content = averages(self._replace(results=group), layout)
                yield content._replace(caption=languages.caption(self.details, code))
        elif not layout.per_eval:
            yield averages(self, layout)
        elif layout.wide:
            yield wide.table(self.results, layout)
        else:
            yield _eval_table(self, layout)

    def paper(self, layout: Layout) -> Table | None:
        """Return the table for a paper, a row for each system; None for single
        evals.
        """
        if layout.per_eval:
            return None
        layout = layout._replace(lengths=False)
        content = averages(self, layout)
        by_language = []
        groups = languages.grouped(self.results, self.details)
        for code, group in groups.items():
            for row in averages(self._replace(results=group), layout).rows:
                *rank, system = row.names
                name = languages.in_language(system, code) if code else system
                by_language.append(row._replace(names=[*rank, name]))
        if by_language:
            content = content._replace(rows=by_language)
        scores, heads = printed.paper_heads(content.numbers, layout)
        rows: list[Row] = []
        has_best = has_intervals = False
        for row in content.rows:
            cells = []
            for cell in row.cells:
                shown = cell if layout.intervals else cell._replace(interval="")
                cells.append(shown)
                has_best = has_best or shown.best
                has_intervals = has_intervals or shown.interval != ""
            rows.append(Row(row.names, cells))

        caption = scores
        size = self.details.get("evals")
        if isinstance(size, int):
            caption += f", averages over {printed.pluralize(size, 'eval')}"
            caption += f" ({base.WHAT_EVALS_ARE})"
        if has_best:
            caption += "; best in bold"
        caption += "."
        if has_intervals:
            caption += f" Intervals: {layout.confidence}% confidence."
        return Table(
            names=["#", "system"] if "rank" in content.names else content.names,
            numbers=heads,
            rows=rows,
            caption=caption,
            remark="; ".join(_readings(self, layout)),
        )

    def cases(self, layout: Layout) -> Iterator[tuple[str, str, str]]:
        """Yield a test for each system and bound; without bounds, one for each
        column, which is passed.
        """
        no_bounds = [(label, letter, 0.0) for label, letter in layout.columns]
        for label, letter, least in layout.bounds or no_bounds:
            test = f"{label} {letter} >= {least:g}"
            for system, estimate in averages_of(self, label, letter).items():
                below = f"{label} {letter} is {estimate.value:.7g}, below {least:g}"
                yield system, test, "" if estimate.value >= least else below

    def notes(self, layout: Layout) -> Iterator[str]:
        """Yield the notes below a table, without the signature."""
        if "evals" in self.details:
            yield f"evals: {self.details['evals']}"
        yield from _readings(self, layout)
        if has_intervals(self) and not layout.per_eval:
            kind = ""
            if signature.fields(self.signature).get("draws") == signature.POISSON:
                kind = ", Poisson bootstrap"
            yield f"intervals: {layout.confidence}% confidence{kind}{self._warning()}"

    def _warning(self) -> str:
        """Return what to know of intervals of few evals; empty for many."""
        evals = self.details.get("evals")
        if not isinstance(evals, int) or evals >= _FEW:
            return ""
        return f", but of {printed.pluralize(evals, 'eval')}: too narrow"

    def document(self, layout: Layout) -> Record:
        """Return the document that docs/reference/report-json.md explains."""
        records = [average_record(result, layout.scale) for result in self.results]
        for record, evals in zip(records, self.eval_records(layout), strict=False):
            record["evals"] = list(evals)
        return {**self._header(layout), "results": records}

    def eval_records(self, layout: Layout) -> Iterator[Iterator[Record]]:
        """Yield the records of each result's evals, with `per_eval`."""
        if not layout.per_eval:
            return
        for result in self.results:
            yield (
                eval_record(eval_result, layout.scale) for eval_result in result.evals
            )

    def _header(self, layout: Layout) -> Record:
        """Return the fields of the document that apply to all results."""
        confidence = None
        if has_intervals(self):
            confidence = base.number(float(layout.confidence))
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "short_signature": self.short_signature,
            "details": base.plain(self.details),
            "scale": base.number(layout.scale),
            "confidence": confidence,
        }

    def records(self, layout: Layout) -> Iterator[Record]:
        """Yield a header, then a record for each system and metric, or for each
        eval, system and metric.
        """
        yield self._header(layout)
        if not layout.per_eval:
            for result in self.results:
                yield average_record(result, layout.scale)
            return
        yield from eval_records(self.results, layout.scale)

    def json_lines(self, layout: Layout) -> Iterator[str]:
        """Yield the records as lines of JSON; of wide rows without a header, and only
        the first is signed.
        """
        if layout.per_eval and layout.wide:
            rows = self.rows(layout)
            heads = [str(head) for head in next(rows)]
            for row in rows:
                record = dict(zip(heads, row, strict=True))
                if not record["signature"]:
                    del record["signature"]
                yield dump(record) + "\n"
            return
        if not layout.per_eval:
            yield from super().json_lines(layout)
            return
        yield dump(self._header(layout)) + "\n"
        yield from eval_lines(self.results, layout.scale)

    def rows(self, layout: Layout) -> Iterator[Sequence[object]]:
        """Yield the rows of a table, its head first; of the rows of evals, only the
        first is signed.
        """
        scale_head, scale = [], []
        if layout.scale != 1:  # only scaled scores have this column
            scale_head, scale = ["scale"], [base.number(layout.scale)]
        if layout.per_eval and layout.wide:
            heads = wide.heads(self.results, layout)
            yield [*wide.NAMES, *heads, *scale_head, "signature"]
            signature = self.signature
            for row in wide.rows(self.results, layout):
                yield [row.eval_id, row.system, *row.values, *scale, signature]
                signature = ""
            return
        if layout.per_eval:
            numbers: Sequence[str] = (*FIGURES, *COUNTS)
            yield ["eval", "system", "metric", *numbers, *scale_head, "signature"]
            signature = self.signature
            for entry, result in by_eval(self.results):
                yield [
                    entry.eval_id,
                    result.system,
                    result.label,
                    *scaled(entry.score, layout.scale),
                    *exact(entry.counts).values(),
                    *scale,
                    signature,
                ]
                signature = ""
            return

        numbers = COUNTS
        if not any(isinstance(result.average, Counts) for result in self.results):
            numbers = _ESTIMATES
        yield ["system", "metric", *numbers, *scale_head, "signature"]
        for result in self.results:
            cells = _average_cells(result.average, layout.scale)
            yield [result.system, result.label, *cells, *scale, self.signature]


class Results(Scored, Report):
    """The result of `rouge_cli.score` and `evaluate`: averages, scores of evals, and
    the signature.
    """

    __slots__ = ()

    # Metrics that type checkers know, if there is one system.
    @overload
    def __getitem__(self, key: Label) -> Score: ...  # type: ignore[overload-overlap]
    @overload
    def __getitem__(self, key: str) -> SystemScores: ...
    def __getitem__(self, key: object) -> SystemScores | Score:
        """Return the averages of a system, as in `report["system"]["R1"].f`; of a
        metric, if there is one system.

        Raises:
            UsageError: The report has no such system, or no such metric.
        """
        by_system = self._by_system()
        scores = by_system.get(key) if isinstance(key, str) else None
        if scores is not None:
            return scores
        systems = list(by_system)
        if isinstance(key, str) and len(systems) == 1:
            label = by_system[systems[0]].find(key)
            if label is not None:
                return by_system[systems[0]][label]
        raise UsageError(
            f"no system {brief(key)} in the report",
            remedy=system_scores.remedy(key, by_system),
        )

    def _ipython_key_completions_(self) -> list[str]:
        """Return what a notebook offers behind `report[`."""
        by_system = self._by_system()
        labels = next(iter(by_system.values())) if len(by_system) == 1 else ()
        return [*by_system, *labels]

    def _by_system(self) -> dict[str, SystemScores]:
        """Return the plain averages; of a metric that has only counts, the counts."""
        by_system: dict[str, SystemScores] = {}
        for result in self.results:
            average: Any = result.average
            if isinstance(average, Average):
                average = Score(*(estimate.value for estimate in average))
            by_system.setdefault(result.system, SystemScores())[result.label] = average
        return by_system

    def _one_line(self) -> str:
        """Return the F of each metric, of the first systems."""
        by_system = self._by_system()
        shown = [
            f"{visible(system):.30}: {system_scores.brief(scores)}"
            for system, scores in list(by_system.items())[: system_scores.SHOWN_SYSTEMS]
        ]
        if len(by_system) > system_scores.SHOWN_SYSTEMS:
            shown.append(f"{len(by_system) - system_scores.SHOWN_SYSTEMS} more systems")
        evals = self.details.get("evals")
        if isinstance(evals, int):
            shown.append(f"evals: {evals}")
        return f"{type(self).__name__}({'; '.join(shown)})"

    def to_dict(self) -> dict[str, dict[str, dict[str, float]]]:
        """Return the plain averages: system -> label -> recall, precision, f."""
        averages: dict[str, dict[str, dict[str, float]]] = {}
        for result in self.results:
            if isinstance(result.average, Average):
                values = {
                    name: estimate.value
                    for name, estimate in result.average._asdict().items()
                }
                averages.setdefault(result.system, {})[result.label] = values
        return averages

    def to_classic(self, **layout: Unpack[LayoutFields]) -> str:
        """Return the report of ROUGE-1.5.5, byte for byte."""
        return self.to("classic", **layout)

    def _frame(self, layout: Layout) -> tuple[list[str], list[list[Any]]]:
        if layout.wide:
            return wide.frame(self.results, layout)
        rows: list[list[Any]] = []
        for result in self.results:
            for entry in result.evals:
                row = [
                    entry.eval_id,
                    result.system,
                    result.label,
                    *(entry.score or NO_SCORE),
                    *exact(entry.counts).values(),
                ]
                rows.append(row)
        return ["eval", "system", "metric", *FIGURES, *COUNTS], rows


class ProjectReport(NamedTuple):
    """A report with its tasks."""

    results: Sequence[Result]
    signature: str
    details: Mapping[str, object]
    topics: Sequence[EvalTask]
    # The program's name of a metric, in its order -> the label in the results
    measures: Mapping[str, str]


class Project(Scored, ProjectReport):
    """The scores of a project of ROUGE 2.0."""

    __slots__ = ()
    kind = "project"
    per_eval = True

    def to_rouge2(self, **layout: Unpack[LayoutFields]) -> str:
        """Return the table of ROUGE 2.0, byte for byte."""
        return self.to("rouge2", **layout)

    def program_rows(self, _: Layout) -> Iterator[Sequence[str]]:
        """Yield the rows of the program's table, with an empty row after each metric of
        a task.

        Only the order can differ from the program's, which does not define it.
        """
        scores = {
            (entry.eval_id, result.system, result.label): entry.score or ()
            for entry, result in by_eval(self.results)
        }
        for topic in self.topics:
            for name, label in self.measures.items():
                for system in topic.predictions:
                    score = scores[topic.eval_id, system, label]
                    printed = (f"{value:.5f}".replace("nan", "NaN") for value in score)
                    names = name, topic.eval_id, system_name(system).upper()
                    yield [*names, *printed, str(len(topic.references))]
                yield []


def _readings(report: Scored, layout: Layout) -> Iterator[str]:
    """Yield the mean numbers of sentences, if a metric uses sentences, and the
    equivalent command line.
    """
    # Different sentence boundaries are the most common reason for different numbers.
    if any(metrics.declares(label, "needs_sentences") for label, _ in layout.columns):
        means = []
        for side in ("predictions", "references"):
            tally = report.details.get(side)
            if isinstance(tally, dict) and tally.get("texts") and "sentences" in tally:
                means.append(f"{tally['sentences'] / tally['texts']:.1f} in {side}")
        if means:
            yield f"sentences per text: {', '.join(means)}"
    if "command" in report.details:
        yield f"on settings of these texts: {report.details['command']}"


def averages_of(
    report: Report | Scored, label: str, letter: str
) -> dict[str, Estimate]:
    """Return system -> average of one measure of a metric; empty if the report has
    only total counts.
    """
    return {
        result.system: printed.figure(result.average, letter)
        for result in report.results
        if result.label == label and isinstance(result.average, Average)
    }


def has_intervals(report: Scored) -> bool:
    """Return True if any average has an interval."""
    for result in report.results:
        if isinstance(result.average, Counts):
            continue
        if any(estimate.low is not None for estimate in result.average):
            return True
    return False


def average_record(result: Result, scale: float) -> Record:
    """Return the record of a system's averages by a metric; only counts leave R, P
    and F null.
    """
    record: Record = {"system": result.system, "metric": result.label}
    if isinstance(result.average, Counts):
        return {
            **record,
            **dict.fromkeys(FIGURES),
            "counts": counts_record(result.average),
        }
    for name, estimate in result.average._asdict().items():
        record[name] = {
            "value": _scaled_value(estimate.value, scale),
            "low": _scaled_value(estimate.low, scale),
            "high": _scaled_value(estimate.high, scale),
        }
    record["counts"] = None
    return record


def _scaled_value(value: float | None, scale: float) -> float | None:
    return None if value is None else base.number(value * scale)


def _average_cells(average: Average | Counts, scale: float) -> list[float | None]:
    """Return the cells of averages with their intervals, or of total counts."""
    if isinstance(average, Counts):
        return list(exact(average).values())
    cells = []
    for estimate in average:
        for value in estimate:
            cells.append(_scaled_value(value, scale))
    return cells


def averages(report: Scored, layout: Layout) -> Table:
    """Return the table of averages: a row for each system, a column for each
    requested measure.
    """
    by_name = {
        (result.system, result.label): result.average for result in report.results
    }
    systems = list(dict.fromkeys(result.system for result in report.results))
    heads: list[str] = []
    columns: list[Sequence[Cell]] = []
    for label, letter in layout.columns:
        column = [by_name[system, label] for system in systems]
        cells = [_cell(average, label, letter, layout) for average in column]
        if any(isinstance(average, Counts) for average in column):
            heads.append(f"{label} {COUNTED[letter]}")
            columns.append(cells)
        elif metrics.value(label):
            heads.append(printed.head_of(f"{label} {letter}"))
            columns.append(cells)  # more is not better
        else:
            heads.append(f"{label} {letter}")
            columns.append(printed.with_best(cells))

    if layout.lengths:
        of_systems = lengths.of_report(Report(report.results, report.signature))
        heads += lengths.HEADS
        rows_of_lengths = [lengths.cells(of_systems.get(system)) for system in systems]
        columns += zip(*rows_of_lengths, strict=True)
    is_ranked = layout.ranks and bool(heads)
    ranks = _ranks(columns[0]) if is_ranked else []
    rows = []
    for index, system in enumerate(systems):
        names = [visible(system)]
        if is_ranked:
            names.insert(0, str(ranks[index]))
        rows.append(Row(names, [column[index] for column in columns]))
    return Table(["rank", "system"] if is_ranked else ["system"], heads, rows)


def _ranks(column: Sequence[Cell]) -> list[int]:
    """Return the rank of each cell of a column, as printed; ties share a rank."""
    values = [float(cell.value) for cell in column]
    ranks = []
    for value in values:
        higher = sum(other > value for other in values)
        ranks.append(1 + higher)
    return ranks


def _cell(average: Average | Counts, label: str, letter: str, layout: Layout) -> Cell:
    if isinstance(average, Counts):
        return Cell(format_count(getattr(average, COUNTED[letter]), layout))
    estimate = printed.figure(average, letter)
    form = f".{layout.digits}f"
    interval = printed.format_interval(estimate, form, printed.scale_of(label, layout))
    return Cell(printed.format_score(estimate.value, layout, label), interval)


def _eval_table(report: Scored, layout: Layout) -> Table:
    """Return the table of single evals: a row for each eval, system and metric.

    The metrics are the requested ones, or all if none is requested. Counts replace
    missing scores.
    """
    labels = {label for label, _ in layout.columns}
    if layout.lengths and labels:
        labels.add(lengths.RATIO)
    chosen = []
    for entry, result in by_eval(report.results):
        if not labels or result.label in labels:
            chosen.append((entry, result))
    has_counts = any(entry.score is None for entry, _ in chosen)
    has_scores = not has_counts or any(entry.score for entry, _ in chosen)

    heads: list[str] = []
    if has_scores:
        heads += COUNTED
    if has_counts:
        heads += COUNTED.values()
    rows = []
    for entry, result in chosen:
        values: list[str] = []
        if has_scores:
            values += _score_values(entry, result.label, layout)
        if has_counts:
            values += _count_values(entry, layout)
        names = (visible(entry.eval_id), visible(result.system), visible(result.label))
        rows.append(Row(names, [Cell(value) for value in values]))
    return Table(("eval", "system", "metric"), heads, rows)


def _score_values(entry: EvalResult, label: str, layout: Layout) -> list[str]:
    if not entry.score:
        return [printed.NOTHING] * len(FIGURES)
    return [printed.format_score(value, layout, label) for value in entry.score]


def _count_values(entry: EvalResult, layout: Layout) -> list[str]:
    """Return the counts that replace missing scores."""
    if entry.score:
        return [printed.NOTHING] * len(COUNTS)
    return [format_count(getattr(entry.counts, name), layout) for name in COUNTS]
