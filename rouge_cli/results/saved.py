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
from typing import TYPE_CHECKING, Any, NoReturn

from rouge_cli.core import Average, Counts, Estimate, EvalResult, Result, Score
from rouge_cli.errors import RougeError
from rouge_cli.io import files
from rouge_cli.results.scores import COUNTS, FIGURES, SCHEMA, Results
from rouge_cli.tasks import kinds
from rouge_cli.tasks.kinds import csv, tsv

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    Check = Callable[[Any], bool]

HIGHEST = 1 + 1e-9  # a score above 1 can only come from rounding
_ROLE = "saved scores"
_WRITE = "use a file written by `rouge-cli score --format json`"
_REPORT = re.compile(rb'\{\s*"schema"\s*:\s*"rouge-cli report')
_CLASSIC = re.compile(rb"-+\r?\n.+ Average_R: ")
_CLASSIC_FIGURES = re.compile(r"R:(\S+) P:(\S+) F:(\S+)")
_CLASSIC_AVERAGE = re.compile(r"(.+ \S+) Average_[RPF]: ([01]\.[0-9]{5}) \(.+\)\s*")
_CLASSIC_COUNT = re.compile(r"[0-9]+(\.[0-9]+)?")
_CLASSIC_SCORE = re.compile(r"[01]\.[0-9]{5}")
_DELIMITERS = {"csv": csv.DELIMITER.encode(), "tsv": tsv.DELIMITER.encode()}


# Checks of the values of a JSON record.


def is_text(value: object) -> bool:
    """Return True for a text."""
    return isinstance(value, str)


def is_number(value: object) -> bool:
    """Return True for a finite number."""
    largest = sys.float_info.max
    return isinstance(value, int | float) and not isinstance(value, bool) and -largest <= value <= largest


def is_list(value: object, is_item: Check = lambda _: True) -> bool:
    """Return True for a list of such items."""
    return isinstance(value, list) and all(map(is_item, value))


def is_object(value: object) -> bool:
    """Return True for a JSON object."""
    return isinstance(value, dict)


def _is_figure(value: object) -> bool:
    return value is None or is_number(value)


_NAMES = {"system": is_text, "metric": is_text}
_AVERAGE = dict.fromkeys(FIGURES, is_object)
_ESTIMATE = dict.fromkeys(Estimate._fields, _is_figure)
_COUNTS = dict.fromkeys(COUNTS, _is_figure)
_FIGURES = dict.fromkeys(FIGURES, _is_figure)
_EVAL = {"eval": is_text, "counts": is_object}
_HEADER = {"scale": is_number, "signature": is_text, "details": is_object}


def check(record: object, schema: Mapping[str, Check], inside: str = "") -> dict[str, Any]:
    """Return the record if it has these fields with such values; it may have others.

    Args:
        record: A JSON value.
        schema: The check of each field's value.
        inside: The record's place in its document, for messages.

    Raises:
        RougeError: A field is missing, or its value is another; without a file, which `locate` adds.
    """
    prefix = f"{inside}: " if inside else ""
    if not isinstance(record, dict):
        raise RougeError(f"{prefix}{json.dumps(record)[:80]} is not an object")
    for name, is_right in schema.items():
        if name not in record:
            raise RougeError(f"{prefix}no {name}")
        value = record[name]
        if not is_right(value):
            is_numeric = isinstance(value, int | float) and not isinstance(value, bool)
            is_large = is_numeric and not is_number(value)
            wrong = "is too large" if is_large else f"cannot be {json.dumps(value)[:80]}"
            raise RougeError(f"{prefix}{name} {wrong}")
    return record


def locate(error: RougeError, where: str, remedy: str = "") -> RougeError:
    """Return the error of a record with its file, and with a remedy if it has none."""
    place = f"{where}{error.where}" if where else error.where.lstrip(":")
    return RougeError(error.what, where=place, remedy=error.remedy or remedy)


def load(text: str | bytes) -> object:
    """Parse a JSON document; raise ValueError or RecursionError if it is not one, as for NaN."""
    return json.loads(text, parse_constant=_refuse)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a JSON number")


# Reports.


def kind(path: str) -> str:
    """Detect the format of saved scores: json, jsonl, csv, tsv or classic; empty for any other file.

    Stdin, `-`, can still be read from its start. Raises UnreadableFile.
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

    Raises RougeError for other files, for averages alone, and for a score that occurs twice.
    """
    if kind == "json":
        report = from_json(files.text(path, _ROLE), files.place(path))
        if report.results and not any(result.evals for result in report.results):
            raise locate(_averages_alone(), files.place(path))
        return report
    head: Results | None = None
    signature, scale = "", 1.0
    columns: dict[tuple[str, str], list[EvalResult]] = {}
    printed: dict[tuple[str, str], Sequence[float]] = {}
    lines: dict[tuple[str, str, str], int] = {}
    for line, record in _records(path, kind):
        try:
            if head is None and kind == "jsonl":
                head, scale = _header(record)
                continue
            # A table has the signature in its first row, or in every row; sorting may have moved it.
            signature = signature or str(record.get("signature") or "")
            key, result = _row(record) if kind != "jsonl" else (_names(record), _eval(record, scale))
        except RougeError as error:
            is_header = head is None and kind == "jsonl"
            raise locate(error, f"{files.place(path)}:{line}", _WRITE if is_header else "") from None
        before = lines.setdefault((*key, result.eval_id), line)
        if before != line:
            what = f"eval {result.eval_id} of system {key[0]} has {key[1]} twice; first in line {before}"
            raise RougeError(what, where=f"{files.place(path)}:{line}")
        columns.setdefault(key, []).append(result)
        printed[key] = record["printed"] if kind == "classic" else ()
    results = [Result(*key, _average(evals, printed[key]), evals) for key, evals in columns.items()]
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


def _header(document: object) -> tuple[Results, float]:
    """Return the report without its results, and its scale."""
    schema = check(document, {"schema": is_text}, "the document")["schema"]
    if schema != SCHEMA:
        what = "a report of another version" if schema.startswith("rouge-cli report ") else "not a report"
        raise RougeError(f"{what}: its schema is {schema!r}", remedy=f"expected {SCHEMA!r}")
    record = check(document, _HEADER, "the document")
    if not record["scale"] > 0:
        raise RougeError(f"the document: scale is {record['scale']:g}")
    return Results((), record["signature"], record["details"]), float(record["scale"])


def _report(document: object) -> Results:
    report, scale = _header(document)
    records = check(document, {"results": is_list}, "the document")["results"]
    results: dict[tuple[str, str], Result] = {}
    for place, record in enumerate(records):
        result = _result(record, scale, f"results[{place}]")
        if result[:2] in results:
            raise RougeError(f"results[{place}]: {result.peer_id} has {result.label} twice")
        results[result[:2]] = result
    return report._replace(results=list(results.values()))


def _result(value: object, scale: float, inside: str) -> Result:
    record = check(value, {**_NAMES, "counts": lambda counts: counts is None or is_object(counts)}, inside)
    average: Average | Counts
    if record["counts"] is None:
        check(record, _AVERAGE, inside)
        average = Average(*(_estimate(record[name], scale, f"{inside}.{name}") for name in FIGURES))
    else:
        average = _counts(record["counts"], f"{inside}.counts")
    evals = check(record, {"evals": is_list}, inside)["evals"] if "evals" in record else ()
    results = [_eval(entry, scale, f"{inside}.evals[{place}]") for place, entry in enumerate(evals)]
    return Result(record["system"], record["metric"], average, results)


def _estimate(value: object, scale: float, inside: str) -> Estimate:
    record = check(value, _ESTIMATE, inside)
    figure, low, high = (
        None if record[name] is None else record[name] / scale for name in Estimate._fields
    )
    return Estimate(nan if figure is None else figure, low, high)


def _eval(value: object, scale: float, inside: str = "") -> EvalResult:
    """Return the scores of a system in an eval from a record of `scores.eval_record`."""
    score = _score(check(value, _FIGURES, inside), scale, inside)
    record = check(value, _EVAL, inside)
    return EvalResult(record["eval"], _counts(record["counts"], f"{inside}.counts".lstrip(".")), score)


def _score(
    record: Mapping[str, Any], scale: float, inside: str = "", *, is_rouge: bool = True
) -> Score | None:
    """Return recall, precision and F divided by the scale; None if all are null (there was no score).

    is_rouge: True if scores must be between 0 and 1.
    """
    values = [nan if record[name] is None else record[name] / scale for name in FIGURES]
    for name, value in zip(FIGURES, values, strict=True):
        if is_rouge and (value < 0 or value > HIGHEST):
            place = f"{inside}: " if inside else ""
            raise RougeError(
                f"{place}{name} is {value * scale:g} at scale {scale:g}, not between 0 and {scale:g}",
                remedy="save them again; in a table of your own, a column `scale` holds the highest",
            )
    return None if all(map(isnan, values)) else Score(*values)


def _counts(value: object, inside: str = "") -> Counts:
    record = check(value, _COUNTS, inside)
    if "peer_match" in record:
        check(record, {"peer_match": is_number}, inside)
    for name in (*COUNTS, "peer_match"):
        if (record.get(name) or 0) < 0:
            place = f"{inside}: " if inside else ""
            raise RougeError(f"{place}{name} is {record[name]:g}, a negative count")
    model, peer, match = (nan if record[name] is None else float(record[name]) for name in COUNTS)
    peer_match = record.get("peer_match")
    return Counts(model, peer, match, peer_match=None if peer_match is None else float(peer_match))


# Lines and tables.


def _records(path: str, kind: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield the lines that hold a header or scores, numbered."""
    if kind == "classic":
        yield from _classic(path)
        return
    for row in kinds.named(kind).rows(path, None):
        if isinstance(row.record, RougeError):
            raise row.record
        yield row.line, row.record


def _row(record: Mapping[str, Any]) -> tuple[tuple[str, str], EvalResult]:
    """Return the system and the metric of a table's row, and its scores."""
    names = _names(record)
    scale = _number(record["scale"], "scale") if "scale" in record else 1.0
    if scale is None or not scale > 0:
        raise RougeError(f"scale is {record['scale']!r}", remedy="use a number above 0")
    figures, counts = (
        {name: _number(record.get(name, ""), name) for name in group} for group in (FIGURES, COUNTS)
    )
    is_rouge = "signature" in record or names[1].lower().startswith("rouge")
    score = _score(figures, scale, is_rouge=is_rouge)
    return names, EvalResult(record["eval"], _counts(counts), score)


def _names(record: Mapping[str, Any]) -> tuple[str, str]:
    """Return the system and the metric; raise RougeError for a record without them, and without an eval."""
    try:
        check(record, _NAMES)
    except RougeError as error:
        raise RougeError(error.what, remedy="use the output of `score --per-eval`") from None
    if "eval" not in record:
        raise _averages_alone()
    return record["system"], record["metric"]


def _number(cell: str, name: str) -> float | None:
    """Return the number in a cell, None if it is empty; raise RougeError for one that is not finite."""
    if not cell or cell.isspace():
        return None
    with suppress(ValueError):
        if isfinite(number := float(cell)):
            return number
    raise RougeError(f"{name} is {cell[:40]!r}, not a number")


def _classic(path: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield the scores of single evals that ROUGE-1.5.5 prints, as rows of a table."""
    has_results = False
    averages: dict[str, list[float]] = {}
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
        printed = averages.get(f"{names['system']} {names['metric']}", [])
        yield number, {**names, **dict(zip(FIGURES, match.groups(), strict=True)), "printed": printed}
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
