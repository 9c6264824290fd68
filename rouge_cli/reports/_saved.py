"""Scores that `rouge-cli score` saved, read again: json, jsonl, csv or tsv.

Tables that others made will do, too, if they have columns `eval`, `system`, `metric` and one or more of
`recall`, `precision` and `f`.
"""

from __future__ import annotations

import json as library
import re
from contextlib import suppress
from math import fsum
from typing import TYPE_CHECKING, Any

from rouge_cli import files
from rouge_cli.core import Average, Counts, Estimate, Report, Result
from rouge_cli.errors import RougeError
from rouge_cli.reports import json
from rouge_cli.tasks import rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rouge_cli.core import EvalResult

_ROLE = "saved scores"
_REPORT = re.compile(rb'\{\s*"schema"\s*:\s*"rouge-cli report')
_DELIMITERS = {kind: delimiter.encode() for kind, delimiter in rows.DELIMITERS.items()}


def kind(path: str) -> str:
    """How scores are saved there: json, jsonl, csv or tsv; empty where the file is something else.

    Stdin, `-`, can be read from its start afterwards. Raises UnreadableFile.
    """
    start = files.head(path, "input")
    first = start.partition(b"\n")[0]
    if _REPORT.match(start):
        with suppress(ValueError):
            return "json" if "results" in library.loads(first) else "jsonl"
        return "json"
    for name, delimiter in _DELIMITERS.items():
        columns = {one.strip(b'"\r') for one in first.split(delimiter)}
        if columns >= {b"system", b"metric"} and not columns.isdisjoint({b"recall", b"precision", b"f"}):
            return name
    return ""


def read(path: str, kind: str) -> Report:
    """The report that a file of that kind holds; averages of single evals are their plain means.

    Raises RougeError for what is none, for averages alone, and for a score that is there twice.
    """
    if kind == "json":
        report = json.read(files.text(path, _ROLE), files.place(path))
        if report.results and not any(result.evals for result in report.results):
            raise _averages_alone(files.place(path))
        return report
    header: Mapping[str, Any] = {}
    columns: dict[tuple[str, str], list[EvalResult]] = {}
    places: dict[tuple[str, str, str], int] = {}
    for row in rows.read(path, kind, files.UTF8):
        if isinstance(row.record, RougeError):
            raise row.record
        where = f"{files.place(path)}:{row.line}"
        if not header:
            # A table has no header, but the signature in every row.
            header = row.record if kind == "jsonl" else {"signature": row.record.get("signature", "")}
            if kind == "jsonl":
                continue
        key, result = _eval(row.record, float(header.get("scale", 1)), where, is_table=kind != "jsonl")
        name = (*key, result.eval_id)
        before = places.setdefault(name, row.line)
        if before != row.line:
            raise RougeError(
                f"eval {result.eval_id} of system {key[0]} has {key[1]} twice; first in line {before}",
                where=where,
            )
        columns.setdefault(key, []).append(result)
    results = [Result(*key, _average(column), column) for key, column in columns.items()]
    return Report(results, str(header.get("signature", "")), header.get("details", {}))


def _eval(
    record: Mapping[str, Any], scale: float, where: str, *, is_table: bool
) -> tuple[tuple[str, str], EvalResult]:
    """The system and the metric of a row, and its scores."""
    for name in ("system", "metric"):
        if not isinstance(record.get(name), str):
            raise RougeError(f"no {name}", where=where, remedy="give what `score --per-eval` wrote")
    if "eval" not in record:
        raise _averages_alone(where)
    try:
        found = json.eval_of(_filled(record, where) if is_table else record, scale, where)
    except RougeError as error:
        raise RougeError(error.what.removeprefix(f"{where}: "), where=where) from None
    return (record["system"], record["metric"]), found


def _filled(record: Mapping[str, str], where: str) -> dict[str, Any]:
    """A row of a table as json has it; figures that have no column are not known."""
    figures = {name: _number(record.get(name, ""), name, where) for name in json.FIGURES}
    counts = {name: _number(record.get(name, ""), name, where) for name in Counts._fields[:3]}
    return {"eval": record["eval"], **figures, "counts": counts}


def _number(cell: str, name: str, where: str) -> float | None:
    try:
        return float(cell) if cell.strip() else None
    except ValueError:
        raise RougeError(f"{name} is {cell!r}, which is no number", where=where) from None


def _average(evals: Sequence[EvalResult]) -> Average | Counts:
    scores = [one.score for one in evals if one.score]
    if not scores:
        return Counts(*map(fsum, zip(*(one.counts[:3] for one in evals), strict=True)))
    means = (fsum(figures) / len(scores) for figures in zip(*scores, strict=True))
    return Average(*(Estimate(mean, None, None) for mean in means))


def _averages_alone(where: str) -> RougeError:
    return RougeError(
        "averages, and no scores of single evals", where=where, remedy="save them with score --per-eval"
    )
