"""Reading of scores that `rouge-cli score` saved: json, jsonl, csv or tsv.

The output of `ROUGE-1.5.5.pl -d` is read as well.

Tables from other sources work, too, if they have columns `eval`, `system`, `metric` and one or more of
`recall`, `precision` and `f`.
"""

from __future__ import annotations

import json as library
import re
from contextlib import suppress
from math import fsum, isfinite, nan
from typing import TYPE_CHECKING, Any

from rouge_cli.core import Average, Counts, Estimate, EvalResult, Report, Result
from rouge_cli.errors import RougeError
from rouge_cli.io import files
from rouge_cli.reports import json
from rouge_cli.results.scores import FIGURES
from rouge_cli.tasks import kinds
from rouge_cli.tasks.kinds import csv, tsv

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_ROLE = "saved scores"
_REPORT = re.compile(rb'\{\s*"schema"\s*:\s*"rouge-cli report')
_CLASSIC = re.compile(rb"-+\r?\n.+ Average_R: ")
_CLASSIC_FIGURES = re.compile(r"R:(\S+) P:(\S+) F:(\S+)")
_CLASSIC_AVERAGE = re.compile(r"(.+ \S+) Average_[RPF]: ([01]\.[0-9]{5}) \(.+\)\s*")
_CLASSIC_COUNT = re.compile(r"[0-9]+(\.[0-9]+)?")
_CLASSIC_SCORE = re.compile(r"[01]\.[0-9]{5}")
_DELIMITERS = {"csv": csv.DELIMITER.encode(), "tsv": tsv.DELIMITER.encode()}


def kind(path: str) -> str:
    """Detect the format of saved scores: json, jsonl, csv, tsv or classic; empty for any other file.

    Stdin, `-`, can still be read from its start. Raises UnreadableFile.
    """
    start = files.head(path, "input")
    first = start.partition(b"\n")[0]
    if _REPORT.match(start):
        with suppress(ValueError, RecursionError):
            return "json" if "results" in library.loads(first) else "jsonl"
        return "json"
    if _CLASSIC.match(start):
        return "classic"
    for name, delimiter in _DELIMITERS.items():
        columns = {column.strip(b'"\r') for column in first.split(delimiter)}
        if columns >= {b"system", b"metric"} and not columns.isdisjoint({b"recall", b"precision", b"f"}):
            return name
    return ""


def read(path: str, kind: str) -> Report:
    """Read the report in a file of that kind; averages that it lacks are plain means of single evals.

    Raises RougeError for other files, for averages alone, and for a score that occurs twice.
    """
    if kind == "json":
        report = json.read(files.text(path, _ROLE), files.place(path))
        if report.results and not any(result.evals for result in report.results):
            raise _averages_alone(files.place(path))
        return report
    head: Report | None = None
    signature = ""
    scale = 1.0
    columns: dict[tuple[str, str], list[EvalResult]] = {}
    printed: dict[tuple[str, str], list[float]] = {}
    places: dict[tuple[str, str, str], int] = {}
    for line, record in _records(path, kind):
        where = f"{files.place(path)}:{line}"
        if head is None and kind == "jsonl":
            # A JSON report without its results.
            head, scale = json.read(library.dumps({**record, "results": []}), where), float(record["scale"])
            continue
        # A table has the signature in its first row, or in every row; sorting may have moved it.
        signature = signature or str(record.get("signature") or "")
        key, result = _eval(record, scale, where, is_table=kind != "jsonl")
        before = places.setdefault((*key, result.eval_id), line)
        if before != line:
            raise RougeError(
                f"eval {result.eval_id} of system {key[0]} has {key[1]} twice; first in line {before}",
                where=where,
            )
        columns.setdefault(key, []).append(result)
        printed[key] = record["printed"] if kind == "classic" else []
    results = [Result(*key, _average(evals, printed[key]), evals) for key, evals in columns.items()]
    return (head or Report((), signature))._replace(results=results)


def _records(path: str, kind: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield the lines that hold a header or scores, numbered."""
    if kind == "classic":
        yield from _classic(path)
        return
    for row in kinds.named(kind).rows(path, None):
        if isinstance(row.record, RougeError):
            raise row.record
        yield row.line, row.record


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


def _eval(
    record: Mapping[str, Any], scale: float, where: str, *, is_table: bool
) -> tuple[tuple[str, str], EvalResult]:
    """Return the system and the metric of a row, and its scores."""
    for name in ("system", "metric"):
        if not isinstance(record.get(name), str):
            raise RougeError(f"no {name}", where=where, remedy="use the output of `score --per-eval`")
    if "eval" not in record:
        raise _averages_alone(where)
    try:
        if is_table:
            signed = "signature" in record or record["metric"].lower().startswith("rouge")
            scale = _scale(record["scale"], where) if "scale" in record else 1.0
            figures = [_number(record.get(name, ""), name, where) for name in FIGURES]
            counts = Counts(*(_number(record.get(name, ""), name, where) for name in Counts._fields[:3]))
            result = EvalResult(
                record["eval"], counts, json.checked_score(figures, scale, where, is_rouge=signed)
            )
        else:
            result = json.eval_of(record, scale, where)
    except RougeError as error:
        what = error.what.removeprefix(f"{where}: ")
        raise RougeError(what, where=where, remedy=error.remedy) from None
    return (record["system"], record["metric"]), result


def _number(cell: str, name: str, where: str) -> float:
    """Return the number in a cell, nan if it is empty; raise RougeError for one that is not finite."""
    if not cell or cell.isspace():
        return nan
    try:
        number = float(cell)
    except ValueError:
        number = nan
    if number < 0 and name in Counts._fields:
        raise RougeError(f"{name} is {cell[:40]!r}, a negative count", where=where)
    if isfinite(number):
        return number
    raise RougeError(f"{name} is {cell[:40]!r}, not a number", where=where)


def _scale(cell: str, where: str) -> float:
    """Return the factor of a table's scores."""
    scale = _number(cell, "scale", where)
    if not scale > 0:
        raise RougeError(f"scale is {cell!r}", where=where, remedy="use a number above 0")
    return scale


def _average(evals: Sequence[EvalResult], printed: Sequence[float]) -> Average | Counts:
    """Return the printed R, P and F, or else the plain means; the sums of counts if there are no scores."""
    scores = [result.score for result in evals if result.score]
    if not scores:
        return Counts(*map(fsum, zip(*(result.counts[:3] for result in evals), strict=True)))
    means = [fsum(figures) / len(scores) for figures in zip(*scores, strict=True)]
    averages = printed if len(printed) == len(means) else means
    return Average(*(Estimate(average, None, None) for average in averages))


def _averages_alone(where: str) -> RougeError:
    return RougeError(
        "averages without scores of single evals", where=where, remedy="save them with score --per-eval"
    )
