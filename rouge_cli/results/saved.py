"""Read saved scores: the output of `rouge-cli score` (json, jsonl, csv, tsv or
parquet) or of `ROUGE-1.5.5.pl -d`.

Tables from other programs work too. They need the columns `eval`, `system` and
`metric`, and one or more of `recall`, `precision` and `f`.
"""

from __future__ import annotations

import json
import os
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice, repeat
from math import fsum, isfinite, isnan, nan
from typing import Any, NamedTuple

from rouge_cli import signature
from rouge_cli.core import ROW, Average, Counts, Estimate, EvalResult, Result
from rouge_cli.errors import RougeError, raise_all, until_error
from rouge_cli.io import files, urls
from rouge_cli.results import wide
from rouge_cli.results.checks import (
    SAVE_AGAIN,
    Fields,
    checked_counts,
    checked_score,
    fewest_units,
    highest_score,
    is_anything,
    is_number,
    is_number_or_null,
    is_texts,
    is_whole,
    load,
    locate,
    out_of_range,
)
from rouge_cli.results.scores import SCHEMA, Results
from rouge_cli.results.single_evals import COUNTS, FIGURES
from rouge_cli.scoring.columns import Column, ids_of
from rouge_cli.tasks import kinds
from rouge_cli.tasks.columns import InputRow
from rouge_cli.tasks.judgements import MOST
from rouge_cli.tasks.kinds import csv, parquet, tsv

_SCALES = (1, 100)  # of documents
_ROLE = "saved scores"
_CUT_OFF = "the file may be cut off: save the scores again"
_WRITE = "use a file written by `rouge-cli score --format json`"
_REPORT = re.compile(rb'\{\s*"schema"\s*:\s*"rouge-cli report')
_CLASSIC = re.compile(rb"-+\r?\n.+ Average_R: ")
_CLASSIC_FIGURES = re.compile(r"R:(\S+) P:(\S+) F:(\S+)")
_CLASSIC_METRIC = re.compile(r" (\S+)(?= Eval )")
_CLASSIC_AVERAGE = re.compile(r"(.+ \S+) Average_[RPF]: ([01]\.[0-9]{5}) \([^(]+\)\s*")
_CLASSIC_COUNT = re.compile(r"[0-9]+(\.[0-9]+)?")
_CLASSIC_SCORE = re.compile(r"[01]\.[0-9]{5}")
_NUMBERS = (*FIGURES, *COUNTS)
NOTHING = Counts(0, 0, 0)
_BATCH = 512  # records at a time; more make Python's garbage collection slow
_DELIMITERS = {"csv": csv.DELIMITER, "tsv": tsv.DELIMITER}


def kind(path: str) -> str:
    """Detect the format of saved scores: json, jsonl, csv, tsv or classic; empty for
    any other file.

    If the path is `-`, stdin can still be read from its start.

    Raises:
        UnreadableFile: If the file cannot be read.
    """
    if os.path.isdir(path):
        return ""
    if kinds.by_suffix(path) == "parquet":
        return "parquet" if _is_parquet_of_scores(path) else ""
    start = files.head(path, "input")
    first = start.partition(b"\n")[0]
    if _REPORT.match(start):
        with suppress(ValueError, RecursionError):
            return "json" if "results" in json.loads(first) else "jsonl"
        return "json"
    if _CLASSIC.match(start):
        return "classic"
    for name, delimiter in _DELIMITERS.items():
        heads = first.decode(errors="replace").split(delimiter)
        if _is_table_of_scores({head.strip('"\r') for head in heads}):
            return name
    return ""


def _is_table_of_scores(columns: Collection[str]) -> bool:
    """Return True for the columns of saved scores, long or wide."""
    is_long = {"system", "metric"}.issubset(columns)
    return (is_long and not set(FIGURES).isdisjoint(columns)) or wide.is_head(columns)


def _is_parquet_of_scores(path: str) -> bool:
    shape = None if urls.is_url(path) else parquet.shape(path)
    return shape is not None and _is_table_of_scores(shape.schema.names)


def read(path: str, kind: str, rows: Iterable[InputRow] | None = None) -> Results:
    """Read the report in a file of that kind; missing averages are computed as plain
    means over evals.

    `rows` are read instead of a table, whose path is their name in messages.

    Raises:
        RougeError: If the file is of another kind, has only averages, or repeats a
            score.
    """
    if kind == "json":
        return _read_document(path)
    head: Results | None = None
    signed_line = ""
    signed = _Signed(1.0, {})
    columns: dict[tuple[str, str], Column] = defaultdict(Column)
    # Printed by the original, by system and metric
    averages: dict[str, list[float]] = {}
    lines: dict[tuple[str, str, str], int] = {}
    if kind == "classic":
        records: Iterator[tuple[int, Any]] = _classic(path, averages)
    else:
        records = wide.records(path, kind, rows)
    errors: list[RougeError] = []
    records = until_error(records, errors)
    for batch in _batches(records):
        if kind != "jsonl":
            # A table has the signature in its first row or in every row. Sorting may
            # have moved it.
            for _, record in batch:
                if not signed_line and isinstance(record, Mapping):
                    signed_line = str(record.get("signature") or "")
            signed = _Signed(1.0, signature.fields(signed_line))
        cells = _each_row([record for _, record in batch], signed.fields)
        for line, record in batch:
            if isinstance(record, RougeError):
                raise record
            try:
                if head is None and kind == "jsonl":
                    head, scale = _header(Fields(record, "the document"))
                    signed = _Signed(scale, signature.fields(head.signature))
                    continue
                if kind == "jsonl":
                    fields = Fields(record)
                    key = _names(fields)
                    result = _eval(fields, key[1], signed)
                    eval_id = result.eval_id
                    columns[key].append(result)
                else:
                    key, eval_id, numbers = next(cells)
                    columns[key].of.ids.append(eval_id)
                    columns[key].of.rows.extend(numbers)
            except RougeError as error:
                is_header = head is None and kind == "jsonl"
                raise locate(
                    error, f"{files.place(path)}:{line}", _WRITE if is_header else ""
                ) from None
            before = lines.setdefault((*key, eval_id), line)
            if before != line:
                system, label = key
                what = (
                    f"eval {eval_id} of system {system} has {label} twice; first in"
                    f" line {before}"
                )
                raise RougeError(what, where=f"{files.place(path)}:{line}")
    raise_all(errors)
    report = head or Results((), signed_line)
    results = _results(columns, averages)
    # Tables of others, without a signature, may have some scores only
    if report.signature:
        _check_evals(report, results, path)
    return report._replace(results=results)


def _check_evals(report: Results, results: Sequence[Result], path: str) -> None:
    wrong = _wrong_evals(report, results)
    if wrong:
        raise RougeError(wrong, where=files.place(path), remedy=_CUT_OFF)


def _results(
    columns: Mapping[tuple[str, str], Column], averages: Mapping[str, Sequence[float]]
) -> list[Result]:
    """Return the results of columns, with the averages that the original printed, by
    system and metric, or plain means.
    """
    results = []
    for (system, label), column in columns.items():
        evals = _with_gaps(column)
        average = average_of(evals, averages.get(f"{system} {label}", ()))
        results.append(Result(system, label, average, evals))
    return results


def _read_document(path: str) -> Results:
    """Read the report in a JSON document; raise RougeError if it has only averages."""
    report = from_json(files.text(path, _ROLE), files.place(path))
    if report.results and not any(result.evals for result in report.results):
        raise locate(_averages_alone(), files.place(path))
    return report


def _batches(records: Iterator[tuple[int, Any]]) -> Iterator[list[tuple[int, Any]]]:
    while True:
        batch = list(islice(records, _BATCH))
        if not batch:
            return
        yield batch


def _with_gaps(column: Column) -> Sequence[EvalResult]:
    """Return the column, or a list if evals lack a score: in a column, either all
    have one or none.
    """
    column.of.scored = True
    if not all(isnan(fsum(values)) for values in column.scores()):
        return column
    evals = []
    for result in column:
        has_no_score = all(map(isnan, result.score or ()))
        evals.append(result._replace(score=None) if has_no_score else result)
    return evals


def from_json(text: str | bytes, where: str = "") -> Results:
    """Read a report from its JSON document, with scores rescaled to 0 to 1.

    Results have no evals if these were not saved. null becomes nan. The `rank` of
    counts is lost.

    Args:
        text: The document.
        where: The path of the file, for messages.

    Raises:
        RougeError: If the text is not a report, or a report of another version.
    """
    try:
        fields = Fields(load(text), "the document")
        report, scale = _header(fields)
        signed = _Signed(scale, signature.fields(report.signature))
        results: dict[tuple[str, str], Result] = {}
        for index, record in enumerate(fields.get("results", list)):
            entry = Fields(record, f"results[{index}]")
            result = _result(entry, signed)
            key = (result.system, result.label)
            if key in results:
                raise entry.error(f"{result.system} has {result.label} twice")
            results[key] = result
        _check_have_evals(fields, list(results.values()))
        wrong = _wrong_evals(report, list(results.values()))
        if wrong:
            raise fields.error(wrong)
    except RougeError as error:
        raise locate(error, where, _WRITE) from None
    except json.JSONDecodeError as reason:
        place = f"{where}:{reason.lineno}:{reason.colno}".lstrip(":")
        raise RougeError(
            f"not a JSON document: {reason.msg}", where=place, remedy=_WRITE
        ) from None
    except (ValueError, RecursionError) as reason:
        raise RougeError(
            f"not a JSON document: {reason}", where=where, remedy=_WRITE
        ) from None
    return report._replace(results=list(results.values()))


def _header(fields: Fields) -> tuple[Results, float]:
    """Return the report without results, and its scale."""
    schema = fields.get("schema", str)
    if schema != SCHEMA:
        what = "not a report"
        if schema.startswith("rouge-cli report "):
            what = "a report of another version"
        raise RougeError(
            f"{what}: its schema is {schema!r}", remedy=f"expected {SCHEMA!r}"
        )
    scale = fields.get("scale", is_number)
    if scale not in _SCALES:
        raise fields.error(f"scale is {scale:g}, not 1 or 100")
    details = fields.within("details")
    if "evals" in details.record:
        details.get("evals", is_whole)
    if "humans" in details.record:
        details.get("humans", is_texts)
    return Results((), fields.get("signature", str), details.record), float(scale)


class _Signed(NamedTuple):
    """What the header of a document states of its numbers."""

    scale: float
    fields: Mapping[str, str]  # of the signature


def _check_have_evals(fields: Fields, results: Sequence[Result]) -> None:
    """Raise RougeError if some results have evals, and others none."""
    with_evals = ["evals" in record for record in fields.record["results"]]
    if any(with_evals) and not all(with_evals):
        place = with_evals.index(False)
        system, label, *_ = results[place]
        what = f"{system}, {label}: no evals, unlike other results"
        raise fields.error(f"results[{place}]: {what}")


def _wrong_evals(report: Results, results: Sequence[Result]) -> str:
    """Return what is wrong with the evals of a run's results; empty if nothing is.

    A system has the same evals under each metric, there are no more evals than stated,
    and a person is a system.
    """
    ids: set[str] = set()
    by_system: dict[str, Sequence[str]] = {}
    for result in results:
        own = ids_of(result.evals)
        ids.update(own)
        first = by_system.setdefault(result.system, own)
        if set(first) != set(own):
            return (
                f"system {result.system} has other evals under {result.label} than"
                " under its first metric"
            )
    stated = report.details.get("evals")
    # There may be fewer: an eval in which no system has a text has no results.
    if isinstance(stated, int) and len(ids) > stated:
        return f"details.evals is {stated}, but there are scores of {len(ids)} evals"
    systems = {result.system for result in results}
    humans: Any = report.details.get("humans", [])
    for human in humans:
        if human not in systems:
            return f"details.humans: no system {human!r} in the results"
    return ""


def _result(fields: Fields, signed: _Signed) -> Result:
    system = fields.get("system", str)
    label = fields.get("metric", str)
    try:
        return _numbers(fields, Result(system, label, NOTHING, []), signed)
    except RougeError as error:
        what = f"{error.what} (system {system}, {label})"
        raise RougeError(what, remedy=error.remedy) from None


def _numbers(fields: Fields, result: Result, signed: _Signed) -> Result:
    """Return the result with the numbers of its record."""
    label = result.label
    average: Average | Counts
    if fields.record.get("counts", "") is None:
        average = Average(
            recall=_estimate(fields.within("recall"), label, signed),
            precision=_estimate(fields.within("precision"), label, signed),
            f=_estimate(fields.within("f"), label, signed),
        )
    else:
        average = _counts(fields.within("counts"), label)
        for name in FIGURES:
            if fields.get(name, is_anything) is not None:
                raise fields.error(f"{name} beside counts, which stand for no score")
    evals: list[EvalResult] = []
    if "evals" in fields.record:
        ids: set[str] = set()
        for index, entry in enumerate(fields.get("evals", list)):
            inside = f"{fields.inside}.evals[{index}]"
            of_eval = Fields(entry, inside)
            evals.append(_eval(of_eval, label, signed))
            eval_id = evals[-1].eval_id
            if eval_id in ids:
                raise of_eval.error(f"eval {eval_id} is there twice")
            ids.add(eval_id)
    return result._replace(average=average, evals=evals)


def _estimate(fields: Fields, label: str, signed: _Signed) -> Estimate:
    """Return an average with its interval, all in the range of the metric."""
    scale = signed.scale
    highest = highest_score(label, signed.fields)
    values: list[float | None] = []
    for name in Estimate._fields:
        number = fields.get(name, is_number_or_null)
        value = None if number is None else number / scale
        if value is not None and not 0 <= value <= highest:
            raise fields.error(out_of_range(name, value, scale), SAVE_AGAIN)
        values.append(value)
    value, low, high = values
    if (low is None) != (high is None):
        raise fields.error("an interval with one end")
    return Estimate(nan if value is None else value, low, high)


def _eval(fields: Fields, label: str, signed: _Signed) -> EvalResult:
    """Return the result of a system in one eval, from a record written by
    `single_evals.eval_record`.
    """
    measures = [fields.get(name, is_number_or_null) for name in FIGURES]
    highest = highest_score(label, signed.fields)
    score = checked_score(fields, measures, signed.scale, highest)
    eval_id = fields.get("eval", str)
    counts = _counts(fields.within("counts"), label)
    return EvalResult(eval_id, counts, score)


def _counts(fields: Fields, label: str) -> Counts:
    numbers = [fields.get(name, is_number_or_null) for name in COUNTS]
    if "prediction_match" in fields.record:
        numbers.append(fields.get("prediction_match", is_number))
    return checked_counts(fields, numbers, fewest_units(label))


# Lines and tables.


def _each_row(
    records: Sequence[Any], signed: Mapping[str, str]
) -> Iterator[tuple[tuple[str, str], str, Sequence[float]]]:
    """Yield what `_rows` returns, for a metric's rows of a scale at once if
    possible, else one by one. `signed` are the fields of the signature.
    """
    try:
        groups = [(record.get("metric"), record.get("scale")) for record in records]
        by_group: dict[tuple[Any, Any], list[Any]] = {}
        for group, record in zip(groups, records, strict=True):
            by_group.setdefault(group, []).append(record)
        rows = {group: iter(_rows(same, signed)) for group, same in by_group.items()}
    except (RougeError, AttributeError, LookupError, TypeError, ValueError):
        for record in records:
            yield from _rows([record], signed)
    else:
        for group in groups:
            yield next(rows[group])


def _rows(
    records: Sequence[Mapping[str, str]], signed: Mapping[str, str]
) -> Iterable[tuple[tuple[str, str], str, Sequence[float]]]:
    """Return the system and the metric, the eval, and the numbers (ROW) of each row of
    a table.

    Raises:
        RougeError: If a row is invalid. The error describes the extremes of a column,
        hence a single row. LookupError, TypeError, ValueError: If rows have different
        columns or scales.
    """
    # Raise an error for rows of different lengths.
    (_,) = set(map(len, records))
    fields = Fields(records[0])
    cells: dict[str, Any] = {}
    for name in records[0]:
        cells[name] = [record[name] for record in records]
    _names(fields)
    keys = list(zip(cells["system"], cells["metric"], strict=True))
    (cell,) = set(cells.get("scale", "1"))
    scale = _number(cell, "scale")
    if scale is None or not scale > 0:
        raise RougeError(f"scale is {cell!r}", remedy="use a number above 0")
    numbers: dict[str, dict[str, float | None]] = {}
    for name in _NUMBERS:
        different = set(cells.get(name, ("",)))
        numbers[name] = {cell: _number(cell, name) for cell in different}
    is_rouge = "signature" in cells or any(
        label.lower().startswith("rouge") for _, label in set(keys)
    )
    label = cells["metric"][0]  # the same in all rows
    highest = highest_score(label, signed) if is_rouge else None
    for extreme in (min, max):
        ends: dict[str, float | None] = {}
        for name, by_cell in numbers.items():
            ends[name] = extreme(filter(is_number, by_cell.values()), default=None)
        checked_score(fields, [ends[name] for name in FIGURES], scale, highest)
        counts = [ends[name] for name in COUNTS]
        checked_counts(fields, counts, fewest_units(label))

    columns: dict[str, Iterable[float]] = {}
    for name, by_cell in numbers.items():
        unit = scale if name in FIGURES else 1
        values = {}
        for cell, number in by_cell.items():
            values[cell] = nan if number is None else number / unit
        columns[name] = map(values.__getitem__, cells.get(name) or repeat(""))
    columns["rank"] = repeat(0.0)
    columns["prediction_match"] = repeat(nan)
    rows = zip(*(columns[name] for name in ROW), strict=False)
    return zip(keys, cells["eval"], rows, strict=False)


def _names(fields: Fields) -> tuple[str, str]:
    """Return the system and the metric; raise RougeError if the record lacks one of
    these or the eval.
    """
    try:
        names = (fields.get("system", str), fields.get("metric", str))
    except RougeError as error:
        raise RougeError(
            error.what, remedy="use the output of `score --per-eval`"
        ) from None
    if "eval" not in fields.record:
        raise _averages_alone()
    return names


def _number(value: object, name: str) -> float | None:
    """Return the number in a cell; None if it is empty. Raise RougeError unless the
    number is finite.
    """
    cell = str(value or "")
    try:
        number = float(cell)
    except ValueError:
        if not cell or cell.isspace():
            return None
        number = nan
    if abs(number) < MOST:
        return number
    wrong = "too large" if isfinite(number) else "not a number"
    raise RougeError(f"{name} is {cell[:40]!r}, {wrong}")


def _classic(
    path: str, averages: dict[str, list[float]]
) -> Iterator[tuple[int, Mapping[str, object]]]:
    """Yield (line number, record) for the scores of single evals; collect the
    printed `averages`.
    """
    has_results = False
    for number, line in files.lines(path, _ROLE):
        text = line.decode()
        name, _, scores = text.rpartition(" R:")
        match = _CLASSIC_FIGURES.fullmatch(f"R:{scores}")
        names = _classic_names(name) if match else None
        if not match or not names:
            average = _CLASSIC_AVERAGE.fullmatch(text)
            if average:
                averages.setdefault(average[1], []).append(float(average[2]))
            continue
        has_results = True
        for value in match.groups():
            if not _CLASSIC_SCORE.fullmatch(value):
                where = f"{files.place(path)}:{number}"
                if _CLASSIC_COUNT.fullmatch(value):
                    raise RougeError(
                        "counts instead of scores",
                        where=where,
                        remedy="score without -t 1",
                    )
                raise RougeError(f"{value[:40]!r} is not a score", where=where)
        yield number, {**names, **dict(zip(FIGURES, match.groups(), strict=True))}
    if not has_results:
        what = "averages without scores of single evals"
        raise RougeError(what, where=files.place(path), remedy="score with -d")


def _classic_names(text: str) -> Mapping[str, str] | None:
    """Return the names in `SYSTEM METRIC Eval EVAL.SYSTEM`; None for other text.

    The ID of a system may contain blanks, and even ` Eval `. The longest ID that occurs
    twice is taken.
    """
    for match in reversed(list(_CLASSIC_METRIC.finditer(text))):
        size, first = match.start(), match.end() + len(" Eval ")
        last = len(text) - size - 1
        if size and first < last and text[last] == "." and text.endswith(text[:size]):
            return {"eval": text[first:last], "system": text[:size], "metric": match[1]}
    return None


def average_of(
    evals: Sequence[EvalResult], printed: Sequence[float]
) -> Average | Counts:
    """Return the printed averages, or else the means over evals; without scores, the
    sums of counts.
    """
    if isinstance(evals, Column):
        scores = evals.scores()
    else:
        scores = list(
            zip(*(result.score for result in evals if result.score), strict=True)
        )
    if not scores:
        counts = [result.counts for result in evals]
        reference = fsum(of_eval.reference for of_eval in counts)
        prediction = fsum(of_eval.prediction for of_eval in counts)
        match = fsum(of_eval.match for of_eval in counts)
        return Counts(reference, prediction, match)
    averages = printed
    if len(printed) != len(scores):
        averages = [fsum(values) / len(values) for values in scores]
    recall, precision, f = averages
    return Average(Estimate(recall), Estimate(precision), Estimate(f))


def _averages_alone() -> RougeError:
    return RougeError(
        "averages without scores of single evals",
        remedy="save them with score --per-eval",
    )
