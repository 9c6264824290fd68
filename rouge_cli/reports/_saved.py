"""Scores that `rouge-cli score` saved, read again: json, jsonl, csv or tsv.

What `ROUGE-1.5.5.pl -d` printed is read as well.

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
    from collections.abc import Iterator, Mapping, Sequence

    from rouge_cli.core import EvalResult

_ROLE = "saved scores"
_REPORT = re.compile(rb'\{\s*"schema"\s*:\s*"rouge-cli report')
_CLASSIC = re.compile(rb"-+\r?\n.+ Average_R: ")
# A system's ID may have blanks, but stands there twice.
_CLASSIC_EVAL = re.compile(r"(.+) (\S+) Eval (.+)\.\1 R:([0-9.]+) P:([0-9.]+) F:([0-9.]+)")
_DELIMITERS = {kind: delimiter.encode() for kind, delimiter in rows.DELIMITERS.items()}


def kind(path: str) -> str:
    """How scores are saved there: json, jsonl, csv, tsv or classic; empty where the file is something else.

    Stdin, `-`, can be read from its start afterwards. Raises UnreadableFile.
    """
    start = files.head(path, "input")
    first = start.partition(b"\n")[0]
    if _REPORT.match(start):
        with suppress(ValueError):
            return "json" if "results" in library.loads(first) else "jsonl"
        return "json"
    if _CLASSIC.match(start):
        return "classic"
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
    head: Report | None = None
    signature = ""
    scale = 1.0
    columns: dict[tuple[str, str], list[EvalResult]] = {}
    places: dict[tuple[str, str, str], int] = {}
    for line, record in _records(path, kind):
        where = f"{files.place(path)}:{line}"
        if head is None and kind == "jsonl":
            # A document without its results.
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
    results = [Result(*key, _average(evals), evals) for key, evals in columns.items()]
    return (head or Report((), signature))._replace(results=results)


def _records(path: str, kind: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The lines that hold a header or scores, numbered."""
    if kind == "classic":
        yield from _classic(path)
        return
    for row in rows.read(path, kind, None):
        if isinstance(row.record, RougeError):
            raise row.record
        yield row.line, row.record


def _classic(path: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The scores of single evals that ROUGE-1.5.5 prints, as rows of a table."""
    found = False
    for number, line in files.lines(path, _ROLE):
        match = _CLASSIC_EVAL.fullmatch(line.decode())
        if not match:
            continue
        found = True
        system, metric, eval_id, *figures = match.groups()
        if any(float(figure) > 1 for figure in figures):
            raise RougeError(
                "counts, and no scores", where=f"{files.place(path)}:{number}", remedy="score without -t 1"
            )
        names = {"eval": eval_id, "system": system, "metric": metric}
        yield number, {**names, **dict(zip(json.FIGURES, figures, strict=True))}
    if not found:
        raise RougeError(
            "averages, and no scores of single evals", where=files.place(path), remedy="score with -d"
        )


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
