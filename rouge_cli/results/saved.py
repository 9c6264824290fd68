"""Scores that `rouge-cli score` saved, read back: json, jsonl, csv or tsv.

The output of `ROUGE-1.5.5.pl -d` is read as well.

Tables from other sources work, too, if they have columns `eval`, `system`, `metric` and one or more of
`recall`, `precision` and `f`.
"""

from __future__ import annotations

import json
import re
import sys
from contextlib import suppress
from math import fsum, isfinite, isnan, nan
from typing import TYPE_CHECKING, NoReturn, TypeVar

from rouge_cli.core import Average, Counts, Estimate, EvalResult, Result, Score
from rouge_cli.errors import RougeError
from rouge_cli.io import files
from rouge_cli.results.scores import COUNTS, EARLIER_SCHEMA, FIGURES, SCHEMA, Results
from rouge_cli.tasks import kinds
from rouge_cli.tasks.kinds import csv, tsv

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import TypeGuard

T = TypeVar("T")
_LARGEST = sys.float_info.max
HIGHEST = 1 + 1e-9  # a score above 1 can only come from rounding
_ROLE = "saved scores"
EARLIER_NAMES = {
    "model": "reference", "models": "references", "models_per_eval": "references_per_eval",
    "peer": "prediction", "peers": "predictions", "peer_match": "prediction_match",
}  # fmt: skip
_WRITE = "use a file written by `rouge-cli score --format json`"
_REPORT = re.compile(rb'\{\s*"schema"\s*:\s*"rouge-cli report')
_CLASSIC = re.compile(rb"-+\r?\n.+ Average_R: ")
_CLASSIC_FIGURES = re.compile(r"R:(\S+) P:(\S+) F:(\S+)")
_CLASSIC_AVERAGE = re.compile(r"(.+ \S+) Average_[RPF]: ([01]\.[0-9]{5}) \(.+\)\s*")
_CLASSIC_COUNT = re.compile(r"[0-9]+(\.[0-9]+)?")
_CLASSIC_SCORE = re.compile(r"[01]\.[0-9]{5}")
_DELIMITERS = {"csv": csv.DELIMITER.encode(), "tsv": tsv.DELIMITER.encode()}


# JSON records.


def is_text(value: object) -> TypeGuard[str]:
    """Return True for a text."""
    return isinstance(value, str)


def is_number(value: object) -> TypeGuard[float]:
    """Return True for a finite number."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= _LARGEST


def is_list(value: object) -> TypeGuard[list[object]]:
    """Return True for a list."""
    return isinstance(value, list)


def is_texts(value: object) -> TypeGuard[list[str]]:
    """Return True for a list of texts."""
    return is_list(value) and all(map(is_text, value))


def is_object(value: object) -> TypeGuard[dict[str, object]]:
    """Return True for a JSON object."""
    return isinstance(value, dict)


def _is_figure(value: object) -> TypeGuard[float | None]:
    return value is None or is_number(value) or (isinstance(value, float) and isnan(value))


def current(record: dict[str, object]) -> dict[str, object]:
    """Return a record with today's names for fields of earlier versions."""
    if EARLIER_NAMES.keys().isdisjoint(record):
        return record
    return {EARLIER_NAMES.get(name, name): value for name, value in record.items()}


class Fields:
    """A JSON object whose fields are checked when they are read.

    Args:
        value: A JSON value.
        inside: The place of the value in its document, for messages.

    Raises:
        RougeError: The value is not an object; as the methods, without a file, which `locate` adds.
    """

    __slots__ = ("inside", "record")

    def __init__(self, value: object, inside: str = "") -> None:
        self.inside = inside
        if not is_object(value):
            raise self.error(f"{json.dumps(value)[:80]} is not an object")
        self.record = current(value)

    def error(self, what: str, remedy: str = "") -> RougeError:
        """Return the error that something is wrong with the object."""
        return RougeError(f"{self.inside}: {what}" if self.inside else what, remedy=remedy)

    def get(self, name: str, is_right: Callable[[object], TypeGuard[T]]) -> T:
        """Return the value of a field; raise RougeError if it is missing, or not of this kind."""
        if name not in self.record:
            raise self.error(f"no {name}")
        value = self.record[name]
        if is_right(value):
            return value
        is_large = isinstance(value, int | float) and abs(value) > _LARGEST
        wrong = "is too large" if is_large else f"cannot be {json.dumps(value)[:80]}"
        raise self.error(f"{name} {wrong}")

    def within(self, name: str) -> Fields:
        """Return the fields of an object in a field."""
        return Fields(self.get(name, is_object), f"{self.inside}.{name}".lstrip("."))


def locate(error: RougeError, where: str, remedy: str = "") -> RougeError:
    """Return the error of a record with its file, and with a remedy if it has none."""
    place = f"{where}{error.where}" if where else error.where.lstrip(":")
    return RougeError(error.what, where=place, remedy=error.remedy or remedy)


def load(text: str | bytes) -> object:
    """Parse a JSON document; raise ValueError or RecursionError if it is not one, as for NaN."""
    document: object = json.loads(text, parse_constant=_refuse)
    return document


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a JSON number")


# Reports.


def kind(path: str) -> str:
    """Detect the format of saved scores: json, jsonl, csv, tsv or classic; empty for any other file.

    Stdin, `-`, can still be read from its start.

    Raises:
        UnreadableFile: The file cannot be read.
    """
    start = files.head(path, "input")
    first = start.partition(b"\n")[0]
    if _REPORT.match(start):
        with suppress(ValueError, RecursionError):
            return "json" if "results" in json.loads(first) else "jsonl"
        return "json"
    if _CLASSIC.match(start):
        return "classic"
    for name, delimiter in _DELIMITERS.items():
        columns = {column.strip(b'"\r') for column in first.split(delimiter)}
        if columns >= {b"system", b"metric"} and not columns.isdisjoint({b"recall", b"precision", b"f"}):
            return name
    return ""


def read(path: str, kind: str) -> Results:
    """Read the report in a file of that kind; averages that it lacks are plain means of single evals.

    Raises:
        RougeError: For other files, for averages alone, and for a score that occurs twice.
    """
    if kind == "json":
        report = from_json(files.text(path, _ROLE), files.place(path))
        if report.results and not any(result.evals for result in report.results):
            raise locate(_averages_alone(), files.place(path))
        return report
    head: Results | None = None
    signature, scale = "", 1.0
    columns: dict[tuple[str, str], list[EvalResult]] = {}
    averages: dict[str, list[float]] = {}  # printed by the original, by system and metric
    lines: dict[tuple[str, str, str], int] = {}
    for line, record in _records(path, kind, averages):
        try:
            if head is None and kind == "jsonl":
                head, scale = _header(Fields(record, "the document"))
                continue
            # A table has the signature in its first row, or in every row; sorting may have moved it.
            signature = signature or str(record.get("signature") or "")
            fields = Fields(record)
            key = _names(fields)
            result = _eval(fields, scale) if kind == "jsonl" else _row(fields)
        except RougeError as error:
            is_header = head is None and kind == "jsonl"
            raise locate(error, f"{files.place(path)}:{line}", _WRITE if is_header else "") from None
        before = lines.setdefault((*key, result.eval_id), line)
        if before != line:
            what = f"eval {result.eval_id} of system {key[0]} has {key[1]} twice; first in line {before}"
            raise RougeError(what, where=f"{files.place(path)}:{line}")
        columns.setdefault(key, []).append(result)
    results = [
        Result(*key, _average(evals, averages.get(" ".join(key), ())), evals)
        for key, evals in columns.items()
    ]
    return (head or Results((), signature))._replace(results=results)


def from_json(text: str | bytes, where: str = "") -> Results:
    """Read a report from its JSON document, with its scores between 0 and 1 again.

    The evals of each result are empty if they were not saved; null becomes nan; the `rank` of counts is
    lost.

    Args:
        text: The document.
        where: The file's path, for messages.

    Raises:
        RougeError: The text is not a report, or one of another version.
    """
    try:
        try:
            document = load(text)
        except json.JSONDecodeError as reason:
            place = f":{reason.lineno}:{reason.colno}"
            raise RougeError(f"not a JSON document: {reason.msg}", where=place) from None
        except (ValueError, RecursionError) as reason:
            raise RougeError(f"not a JSON document: {reason}") from None
        return _report(document)
    except RougeError as error:
        raise locate(error, where, _WRITE) from None


def _header(fields: Fields) -> tuple[Results, float]:
    """Return the report without its results, and its scale."""
    schema = fields.get("schema", is_text)
    if schema not in (SCHEMA, EARLIER_SCHEMA):
        what = "a report of another version" if schema.startswith("rouge-cli report ") else "not a report"
        raise RougeError(f"{what}: its schema is {schema!r}", remedy=f"expected {SCHEMA!r}")
    scale = fields.get("scale", is_number)
    if not scale > 0:
        raise fields.error(f"scale is {scale:g}")
    details = current(fields.get("details", is_object))
    return Results((), fields.get("signature", is_text), details), float(scale)


def _report(document: object) -> Results:
    fields = Fields(document, "the document")
    report, scale = _header(fields)
    results: dict[tuple[str, str], Result] = {}
    for place, record in enumerate(fields.get("results", is_list)):
        entry = Fields(record, f"results[{place}]")
        result = _result(entry, scale)
        if result[:2] in results:
            raise entry.error(f"{result.system} has {result.label} twice")
        results[result[:2]] = result
    return report._replace(results=list(results.values()))


def _result(fields: Fields, scale: float) -> Result:
    names = fields.get("system", is_text), fields.get("metric", is_text)
    average: Average | Counts
    if fields.record.get("counts", "") is None:
        average = Average(*(_estimate(fields.within(name), scale) for name in FIGURES))
    else:
        average = _counts(fields.within("counts"))
    evals = fields.get("evals", is_list) if "evals" in fields.record else ()
    entries = (Fields(entry, f"{fields.inside}.evals[{place}]") for place, entry in enumerate(evals))
    return Result(*names, average, [_eval(entry, scale) for entry in entries])


def _estimate(fields: Fields, scale: float) -> Estimate:
    values = (fields.get(name, _is_figure) for name in Estimate._fields)
    value, low, high = (None if value is None else value / scale for value in values)
    return Estimate(nan if value is None else value, low, high)


def _eval(fields: Fields, scale: float) -> EvalResult:
    """Return the scores of a system in an eval from a record of `scores.eval_record`."""
    score = _score(fields, [fields.get(name, _is_figure) for name in FIGURES], scale)
    return EvalResult(fields.get("eval", is_text), _counts(fields.within("counts")), score)


def _score(
    fields: Fields, figures: Sequence[float | None], scale: float, *, is_rouge: bool = True
) -> Score | None:
    """Return recall, precision and F divided by the scale; None if all are null (there was no score).

    Args:
        is_rouge: True if scores must be between 0 and 1.
    """
    values = [nan if figure is None else figure / scale for figure in figures]
    for name, value in zip(FIGURES, values, strict=True):
        if is_rouge and (value < 0 or value > HIGHEST):
            wrong = f"{name} is {value * scale:g} at scale {scale:g}, not between 0 and {scale:g}"
            remedy = "save them again; in a table of your own, a column `scale` holds the highest"
            raise fields.error(wrong, remedy)
    return None if all(map(isnan, values)) else Score(*values)


def _counts(fields: Fields) -> Counts:
    figures = [fields.get(name, _is_figure) for name in COUNTS]
    prediction_match = (
        fields.get("prediction_match", is_number) if "prediction_match" in fields.record else None
    )
    return _checked_counts(fields, [*figures, prediction_match])


def _checked_counts(fields: Fields, figures: Sequence[float | None]) -> Counts:
    """Return the counts of model, peer, match and peer_match; raise RougeError if one is negative."""
    for name, figure in zip((*COUNTS, "prediction_match"), figures, strict=True):
        if figure is not None and figure < 0:
            raise fields.error(f"{name} is {figure:g}, a negative count")
    *values, prediction_match = figures
    reference, prediction, match = (nan if value is None else float(value) for value in values)
    return Counts(
        reference,
        prediction,
        match,
        prediction_match=None if prediction_match is None else float(prediction_match),
    )


# Lines and tables.


def _records(
    path: str, kind: str, averages: dict[str, list[float]]
) -> Iterator[tuple[int, Mapping[str, object]]]:
    """Yield the lines with a header or scores, numbered; collect the averages that the original prints."""
    if kind == "classic":
        yield from _classic(path, averages)
        return
    for row in kinds.named(kind).rows(path, None):
        if isinstance(row.record, RougeError):
            raise row.record
        yield row.line, row.record


def _row(fields: Fields) -> EvalResult:
    """Return the scores in a table's row."""
    cells = fields.record
    scale = _number(cells["scale"], "scale") if "scale" in cells else 1.0
    if scale is None or not scale > 0:
        raise RougeError(f"scale is {cells['scale']!r}", remedy="use a number above 0")
    figures, counts = ([_number(cells.get(name), name) for name in names] for names in (FIGURES, COUNTS))
    is_rouge = "signature" in cells or fields.get("metric", is_text).lower().startswith("rouge")
    score = _score(fields, figures, scale, is_rouge=is_rouge)
    return EvalResult(fields.get("eval", is_text), _checked_counts(fields, [*counts, None]), score)


def _names(fields: Fields) -> tuple[str, str]:
    """Return the system and the metric; raise RougeError for a record without them, and without an eval."""
    try:
        names = fields.get("system", is_text), fields.get("metric", is_text)
    except RougeError as error:
        raise RougeError(error.what, remedy="use the output of `score --per-eval`") from None
    if "eval" not in fields.record:
        raise _averages_alone()
    return names


def _number(value: object, name: str) -> float | None:
    """Return the number in a cell, None if it is empty; raise RougeError for one that is not finite."""
    cell = str(value or "")
    if not cell or cell.isspace():
        return None
    try:
        if isfinite(number := float(cell)):
            return number
    except ValueError:
        pass
    raise RougeError(f"{name} is {cell[:40]!r}, not a number")


def _classic(path: str, averages: dict[str, list[float]]) -> Iterator[tuple[int, Mapping[str, object]]]:
    """Yield the scores of single evals that ROUGE-1.5.5 prints, as rows of a table."""
    has_results = False
    for number, line in files.lines(path, _ROLE):
        if average := _CLASSIC_AVERAGE.fullmatch(line.decode()):
            averages.setdefault(average[1], []).append(float(average[2]))
        name, _, scores = line.decode().rpartition(" R:")
        match, names = _CLASSIC_FIGURES.fullmatch(f"R:{scores}"), _classic_names(name)
        if not match or not names:
            continue
        has_results = True
        for figure in match.groups():
            if not _CLASSIC_SCORE.fullmatch(figure):
                where = f"{files.place(path)}:{number}"
                if not _CLASSIC_COUNT.fullmatch(figure):
                    raise RougeError(f"{figure[:40]!r} is not a score", where=where)
                raise RougeError("counts instead of scores", where=where, remedy="score without -t 1")
        yield number, {**names, **dict(zip(FIGURES, match.groups(), strict=True))}
    if not has_results:
        raise RougeError(
            "averages without scores of single evals", where=files.place(path), remedy="score with -d"
        )


def _classic_names(text: str) -> Mapping[str, str] | None:
    """Return the names in `SYSTEM METRIC Eval EVAL.SYSTEM`; None for other text.

    A system's ID may contain blanks, and even ` Eval `, but occurs twice; the longest is taken.
    """
    place = text.rfind(" Eval ")
    while place > 0:
        start = text.rfind(" ", 0, place)
        eval_id, metric = text[place + 6 : -start - 1], text[start + 1 : place]
        if start > 0 and eval_id and text.endswith(f".{text[:start]}") and metric.split() == [metric]:
            return {"eval": eval_id, "system": text[:start], "metric": metric}
        place = text.rfind(" Eval ", 0, place + 1)
    return None


def _average(evals: Sequence[EvalResult], printed: Sequence[float]) -> Average | Counts:
    """Return the printed R, P and F, or else the plain means; the sums of counts if there are no scores."""
    scores = [result.score for result in evals if result.score]
    if not scores:
        return Counts(*map(fsum, zip(*(result.counts[:3] for result in evals), strict=True)))
    means = [fsum(figures) / len(scores) for figures in zip(*scores, strict=True)]
    averages = printed if len(printed) == len(means) else means
    return Average(*(Estimate(average, None, None) for average in averages))


def _averages_alone() -> RougeError:
    return RougeError("averages without scores of single evals", remedy="save them with score --per-eval")
