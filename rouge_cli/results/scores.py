"""Scores of systems: the results of `score`, `merge` and `rouge2`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, overload

from rouge_cli import metrics, signature
from rouge_cli.core import Average, Counts, Estimate, EvalResult, Report, Result, Score
from rouge_cli.errors import UsageError, suggestion
from rouge_cli.options import brief
from rouge_cli.results import base
from rouge_cli.results.base import (
    Cell,
    Drawable,
    Layout,
    Record,
    Row,
    Table,
    Tested,
    visible,
)
from rouge_cli.scoring.columns import ids_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from rouge_cli.core import EvalTask
    from rouge_cli.results.base import LayoutFields

SCHEMA = "rouge-cli report 2"
FIGURES = ("recall", "precision", "f")
COUNTS = ("reference", "prediction", "match")
_LETTERS = ("R", "P", "F")
SHOWN_SYSTEMS, SHOWN_METRICS = 3, 4  # in a line of the interactive interpreter
# The usual labels. Type checkers take any other string for a system.
Label = Literal[
    "R1",
    "R2",
    "R3",
    "R4",
    "RL",
    "RSU4",
    "ROUGE-1",
    "ROUGE-2",
    "ROUGE-L",
    "ROUGE-SU4",
    "rouge1",
    "rouge2",
    "rougeL",
    "rougeLsum",
]
# If a metric has only counts, the columns of R and P contain their denominators, that
# of F the matches.
_COUNTED = {"R": "reference", "P": "prediction", "F": "match"}


class Scored(Tested, Drawable):
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
        several = len({result.system for result in self.results}) > 1
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
        yield _eval_table(self, layout) if layout.per_eval else averages(self, layout)

    def paper(self, layout: Layout) -> Table | None:
        """Return the table for a paper, a row for each system; None for single
        evals.
        """
        if layout.per_eval:
            return None
        content = averages(self, layout)
        scores, heads = base.paper_heads(content.numbers, layout)
        size = self.details.get("evals")
        evals = (
            f", averages over {base.pluralize(size, 'eval')}"
            if isinstance(size, int)
            else ""
        )
        cells = [cell for row in content.rows for cell in row.cells]
        best = "; best in bold" if any(cell.best for cell in cells) else ""
        rows, intervals = content.rows, ""
        if not layout.intervals:
            rows = [
                Row(row.names, [cell._replace(interval="") for cell in row.cells])
                for row in rows
            ]
        elif any(cell.interval for cell in cells):
            intervals = f" Intervals: {layout.confidence}% confidence."
        names = ["#" if name == "rank" else name for name in content.names]
        remark = "; ".join(_readings(self, layout))
        return Table(names, heads, rows, f"{scores}{evals}{best}.{intervals}", remark)

    def cases(self, layout: Layout) -> Iterator[tuple[str, str, str]]:
        """Yield a test for each system and bound; without bounds, one for each
        column, which is passed.
        """
        for label, letter, least in layout.bounds or [
            (*column, 0.0) for column in layout.columns
        ]:
            for system, estimate in averages_of(self, label, letter).items():
                below = f"{label} {letter} is {estimate.value:.7g}, below {least:g}"
                yield (
                    system,
                    f"{label} {letter} >= {least:g}",
                    "" if estimate.value >= least else below,
                )

    def notes(self, layout: Layout) -> Iterator[str]:
        """Yield the notes below a table, without the signature."""
        if "evals" in self.details:
            yield f"evals: {self.details['evals']}"
        yield from _readings(self, layout)
        if has_intervals(self) and not layout.per_eval:
            yield f"intervals: {layout.confidence}% confidence"

    def document(self, layout: Layout) -> Record:
        """Return the document that docs/reference/report-json.md explains."""
        records = [average_record(result, layout.scale) for result in self.results]
        for record, evals in zip(records, self.eval_records(layout), strict=False):
            record["evals"] = list(evals)
        return {**self._header(layout), "results": records}

    def eval_records(self, layout: Layout) -> Iterator[Iterator[Record]]:
        """Yield the records of each result's evals, with `per_eval`."""
        for result in self.results if layout.per_eval else ():
            yield (
                eval_record(eval_result, layout.scale) for eval_result in result.evals
            )

    def _header(self, layout: Layout) -> Record:
        """Return the fields of the document that apply to all results."""
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "short_signature": self.short_signature,
            "details": base.plain(self.details),
            "scale": base.number(layout.scale),
            "confidence": base.number(float(layout.confidence))
            if has_intervals(self)
            else None,
        }

    def records(self, layout: Layout) -> Iterator[Record]:
        """Yield a header, then a record for each system and metric, or for each
        eval, system and metric.
        """
        yield self._header(layout)
        if not layout.per_eval:
            yield from (average_record(result, layout.scale) for result in self.results)
            return
        for entry, result in by_eval(self):
            names = {
                "eval": entry.eval_id,
                "system": result.system,
                "metric": result.label,
            }
            yield {**names, **eval_record(entry, layout.scale)}

    def rows(self, layout: Layout) -> Iterator[Sequence[object]]:
        """Yield the rows of a table, its head first; of the rows of evals, only the
        first is signed.
        """
        # Only scaled scores have this column.
        scale = [] if layout.scale == 1 else [base.number(layout.scale)]
        ends = [*(["scale"] if scale else []), "signature"]
        signature = self.signature
        if layout.per_eval:
            yield ["eval", "system", "metric", *FIGURES, *COUNTS, *ends]
            for entry, result in by_eval(self):
                scores = [
                    base.number(value * layout.scale) for value in entry.score or ()
                ] or [None] * 3
                counts = map(base.number, entry.counts[:3])
                yield [
                    entry.eval_id,
                    result.system,
                    result.label,
                    *scores,
                    *counts,
                    *scale,
                    signature,
                ]
                signature = ""
            return
        has_totals = any(isinstance(result.average, Counts) for result in self.results)
        estimates = [
            f"{name}{end}" for name in FIGURES for end in ("", "_low", "_high")
        ]
        yield ["system", "metric", *(COUNTS if has_totals else estimates), *ends]
        for result in self.results:
            if isinstance(result.average, Counts):
                cells = list(map(base.number, result.average[:3]))
            else:
                values = [value for estimate in result.average for value in estimate]
                cells = [
                    None if value is None else base.number(value * layout.scale)
                    for value in values
                ]
            yield [result.system, result.label, *cells, *scale, signature]


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
            f"no system {brief(key)} in the report", remedy=_remedy(key, by_system)
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

    def __repr__(self) -> str:
        """Return the F of each metric, of the first systems."""
        by_system = self._by_system()
        shown = [
            f"{visible(system):.30}: {_brief_scores(scores)}"
            for system, scores in list(by_system.items())[:SHOWN_SYSTEMS]
        ]
        if len(by_system) > SHOWN_SYSTEMS:
            shown.append(f"{len(by_system) - SHOWN_SYSTEMS} more systems")
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

    def _frame(self) -> tuple[list[str], list[list[Any]]]:
        rows = [
            [
                *(
                    entry.eval_id,
                    result.system,
                    result.label,
                    *(entry.score or [None] * 3),
                ),
                *(base.number(getattr(entry.counts, name)) for name in COUNTS),
            ]
            for result in self.results
            for entry in result.evals
        ]
        return ["eval", "system", "metric", *FIGURES, *COUNTS], rows


class SystemScores(dict[str, Score]):
    """The averages of a system by label, which may be spelled as in `R1` or `rouge1`.

    The value of a metric that has only counts are the counts.
    """

    def find(self, label: str) -> str | None:
        """Return the label that a spelling means, None for an unknown one."""
        bare = {
            name: name.lower().replace("-", "").removeprefix("rouge").removeprefix("r")
            for name in (label, *self)
        }
        for known in self:
            if bare[known] == bare[label]:
                return known
        return None

    def __missing__(self, label: str) -> Score:
        known = self.find(label)
        if known is None:
            raise UsageError(
                f"no {label} among the scores", remedy=suggestion(label, list(self))
            )
        return self[known]


def _remedy(key: object, by_system: Mapping[str, SystemScores]) -> str:
    """Return the index to use in place of one that a report does not have."""
    systems = list(by_system)
    labels = list(by_system[systems[0]]) if systems else []
    if not labels:
        return "the report is empty"
    if isinstance(key, str) and not by_system[systems[0]].find(key):
        return suggestion(key, [*systems, *(labels if len(systems) == 1 else [])])
    label = key if isinstance(key, str) else labels[0]
    return f"name the system first, as in [{systems[0]!r}][{label!r}]"


def _brief_scores(scores: SystemScores) -> str:
    """Return a system's scores in one line: the F of each metric, or its matches."""
    pieces = []
    for label, score in list(scores.items())[:SHOWN_METRICS]:
        is_score = isinstance(score, Score)
        value = f"F {score.f:.5f}" if is_score else f"match {score[2]:g}"
        pieces.append(f"{visible(label):.20} {value}")
    if len(scores) > SHOWN_METRICS:
        pieces.append(f"{len(scores) - SHOWN_METRICS} more")
    return ", ".join(pieces)


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
        from rouge_cli.tasks.directories import system_name  # costs start-up time

        scores = {
            (entry.eval_id, result.system, result.label): entry.score or ()
            for entry, result in by_eval(self)
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
        result.system: base.figure(result.average, letter)
        for result in report.results
        if result.label == label and isinstance(result.average, Average)
    }


def has_intervals(report: Scored) -> bool:
    """Return True if any average has an interval."""
    return any(
        isinstance(result.average, Average)
        and any(estimate.low is not None for estimate in result.average)
        for result in report.results
    )


def average_record(result: Result, scale: float) -> Record:
    """Return the record of a system's averages by a metric; only counts leave R, P
    and F null.
    """
    average = result.average
    record: Record = {
        "system": result.system,
        "metric": result.label,
        **dict.fromkeys(FIGURES),
    }
    if isinstance(average, Counts):
        return {**record, "counts": _counts(average)}
    for name, estimate in average._asdict().items():
        values = estimate._asdict().items()
        record[name] = {
            field: None if value is None else base.number(value * scale)
            for field, value in values
        }
    return {**record, "counts": None}


def eval_record(result: EvalResult, scale: float) -> Record:
    """Return the record of a system in one eval; only counts leave R, P and F null."""
    scores = [base.number(value * scale) for value in result.score or ()] or [None] * 3
    figures = dict(zip(FIGURES, scores, strict=True))
    return {"eval": result.eval_id, **figures, "counts": _counts(result.counts)}


def _counts(counts: Counts) -> Record:
    record = {name: base.number(getattr(counts, name)) for name in COUNTS}
    if counts.prediction_match is not None:
        record["prediction_match"] = base.number(counts.prediction_match)
    return record


def by_eval(report: Scored) -> Iterator[tuple[EvalResult, Result]]:
    """Yield the results of single evals, eval by eval, so that the systems of an
    eval are together.
    """
    ids = [ids_of(result.evals) for result in report.results]
    if all(other == ids[0] for other in ids) and all(
        len(set(same)) == len(same) for same in ids[:1]
    ):
        for place in range(len(ids[0]) if ids else 0):
            yield from ((result.evals[place], result) for result in report.results)
        return
    groups: dict[str, list[tuple[EvalResult, Result]]] = {}
    for result in report.results:
        for entry in result.evals:
            groups.setdefault(entry.eval_id, []).append((entry, result))
    for group in groups.values():
        yield from group


def averages(report: Scored, layout: Layout) -> Table:
    """Return the table of averages: a row for each system, a column for each
    requested measure.
    """
    by_name = {
        (result.system, result.label): result.average for result in report.results
    }
    systems = list(dict.fromkeys(result.system for result in report.results))
    heads, columns = [], []
    for label, letter in layout.columns:
        column = [by_name[system, label] for system in systems]
        has_counts = any(isinstance(average, Counts) for average in column)
        cells = [_cell(average, letter, layout) for average in column]
        heads.append(f"{label} {_COUNTED[letter] if has_counts else letter}")
        columns.append(cells if has_counts else base.with_best(cells))
    names = [[visible(system)] for system in systems]
    ranked = layout.ranks and bool(heads)
    if ranked:  # by the first column, as printed; ties share a rank
        values = [float(cell.value) for cell in columns[0]]
        ranks = [1 + sum(other > value for other in values) for value in values]
        names = [[str(rank), *name] for rank, name in zip(ranks, names, strict=True)]
    rows = [
        Row(name, [column[index] for column in columns])
        for index, name in enumerate(names)
    ]
    return Table(["rank", "system"] if ranked else ["system"], heads, rows)


def _cell(average: Average | Counts, letter: str, layout: Layout) -> Cell:
    if isinstance(average, Counts):
        return Cell(_format_count(average[:3]["RPF".index(letter)], layout))
    estimate, form = base.figure(average, letter), f".{layout.digits}f"
    interval = base.format_interval(estimate, form, layout.scale)
    return Cell(base.format_score(estimate.value, layout), interval)


def _eval_table(report: Scored, layout: Layout) -> Table:
    """Return the table of single evals: a row for each eval, system and metric.

    The metrics are the requested ones, or all if none is requested. Counts replace
    missing scores.
    """
    labels = {label for label, _ in layout.columns}
    chosen = [pair for pair in by_eval(report) if not labels or pair[1].label in labels]
    has_counts = any(entry.score is None for entry, _ in chosen)
    has_scores = not has_counts or any(entry.score for entry, _ in chosen)
    rows = []
    for entry, result in chosen:
        scores = [base.format_score(value, layout) for value in entry.score or ()] or [
            base.NOTHING
        ] * 3
        counts = [
            base.NOTHING if entry.score else _format_count(count, layout)
            for count in entry.counts[:3]
        ]
        values = [*(scores if has_scores else ()), *(counts if has_counts else ())]
        names = tuple(map(visible, (entry.eval_id, result.system, result.label)))
        rows.append(Row(names, list(map(Cell, values))))
    heads = [
        *(_COUNTED if has_scores else ()),
        *(_COUNTED.values() if has_counts else ()),
    ]
    return Table(("eval", "system", "metric"), heads, rows)


def _format_count(count: float, layout: Layout) -> str:
    """Format a count for tables: whole numbers in full, others with as many digits
    as scores.
    """
    if not abs(count) < 1e15:  # large, or nan
        return f"{count:.15g}"
    return (
        str(int(count)) if float(count).is_integer() else f"{count:.{layout.digits}f}"
    )
