"""The report as one JSON document, unrounded; docs/reference/report-json.md explains it.

Numbers are the exact doubles times the scale; JSON has null for infinite and undefined ones.
"""

from __future__ import annotations

import json
from math import isnan, nan
from typing import TYPE_CHECKING, Any, NoReturn

from rouge_cli.core import Average, Counts, Estimate, EvalResult, Report, Result, Score
from rouge_cli.errors import RougeError
from rouge_cli.reports import kind_of
from rouge_cli.results._records import dump
from rouge_cli.results.scores import FIGURES, SCHEMA

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rouge_cli.reports import Layout, Reportable

NEEDS = "document"
EVALS_BESIDE = True
HIGHEST = 1 + 1e-9  # a score above 1 can only come from rounding


def render(result: Reportable, layout: Layout) -> str:
    """Return the document, indented, in ASCII."""
    kind = kind_of(result)
    document = kind.document(result, layout)
    return dump(document, getattr(kind, "INDENT", 2)) + "\n"


def read(text: str | bytes, where: str = "") -> Report:
    """Read a report from such a document, with its scores between 0 and 1 again.

    where: the file's path, for messages. The evals of each result are empty if they were not saved;
    null becomes nan; the `rank` of counts is lost. Raises RougeError for other texts, and for a report of
    another version.
    """
    try:
        return _report(_document(text))
    except RougeError as error:
        remedy = error.remedy or "use a file written by `rouge-cli score --format json`"
        place = f"{where}{error.where}" if where else error.where.lstrip(":")
        raise RougeError(error.what, where=place, remedy=remedy) from None


def _document(text: str | bytes) -> object:
    try:
        document: object = json.loads(text, parse_constant=_refuse)
    except json.JSONDecodeError as reason:
        place = f":{reason.lineno}:{reason.colno}"
        raise RougeError(f"not a JSON document: {reason.msg}", where=place) from None
    except (ValueError, RecursionError) as reason:
        raise RougeError(f"not a JSON document: {reason}") from None
    return document


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a JSON number")


def _report(document: object) -> Report:
    schema = _field(document, "schema", str, "the document")
    if schema != SCHEMA:
        what = "a report of another version" if schema.startswith("rouge-cli report ") else "not a report"
        raise RougeError(f"{what}: its schema is {schema!r}", remedy=f"expected {SCHEMA!r}")
    scale = _number(document, "scale", "the document")
    if not scale > 0:
        raise RougeError(f"the document: scale is {scale:g}")
    results = [
        _result(record, scale, f"results[{place}]")
        for place, record in enumerate(_field(document, "results", list, "the document"))
    ]
    keys: set[tuple[str, str]] = set()
    for place, result in enumerate(results):
        if result[:2] in keys:
            raise RougeError(f"results[{place}]: {result.peer_id} has {result.label} twice")
        keys.add(result[:2])
    signature = _field(document, "signature", str, "the document")
    return Report(results, signature, _field(document, "details", dict, "the document"))


def _result(record: object, scale: float, place: str) -> Result:
    system, metric = _field(record, "system", str, place), _field(record, "metric", str, place)
    average: Average | Counts
    if _field(record, "counts", (dict, type(None)), place) is None:
        average = Average(*(_estimate(record, name, scale, place) for name in FIGURES))
    else:
        average = _counts_of(record, place)
    has_evals = isinstance(record, dict) and "evals" in record
    evals: Sequence[object] = _field(record, "evals", list, place) if has_evals else ()
    return Result(
        system,
        metric,
        average,
        [eval_of(entry, scale, f"{place}.evals[{number}]") for number, entry in enumerate(evals)],
    )


def eval_of(record: object, scale: float, place: str) -> EvalResult:
    """Return the result of an eval from a record of `eval_record`.

    place: the record's, for messages. Raises RougeError.
    """
    figures = [_number(record, name, place, or_null=True) for name in FIGURES]
    score = checked_score(figures, scale, place)
    return EvalResult(_field(record, "eval", str, place), _counts_of(record, place), score)


def checked_score(
    figures: Sequence[float], scale: float, place: str, *, is_rouge: bool = True
) -> Score | None:
    """Return recall, precision and F divided by the scale; None if all are nan (there was no score).

    place: for messages. is_rouge: True if scores must be between 0 and 1. Raises RougeError.
    """
    values = [figure / scale for figure in figures]
    for name, value in zip(FIGURES, values, strict=True):
        if is_rouge and (value < 0 or value > HIGHEST):
            raise RougeError(
                f"{place}: {name} is {value * scale:g} at scale {scale:g}, not between 0 and {scale:g}",
                remedy="save them again; in a table of your own, a column `scale` holds the highest",
            )
    return None if all(value != value for value in values) else Score(*values)  # noqa: PLR0124 - nan


def _estimate(record: object, name: str, scale: float, place: str) -> Estimate:
    estimate, inside = _field(record, name, dict, place), f"{place}.{name}"
    value, low, high = (
        _number(estimate, field, inside, or_null=True) / scale for field in Estimate._fields
    )
    return Estimate(value, None if isnan(low) else low, None if isnan(high) else high)


def _counts_of(record: object, place: str) -> Counts:
    counts, inside = _field(record, "counts", dict, place), f"{place}.counts"
    model, peer, match = (
        _number(counts, name, inside, or_null=True) for name in ("model", "peer", "match")
    )
    peer_match = _number(counts, "peer_match", inside) if "peer_match" in counts else None
    if any(value < 0 for value in (model, peer, match, peer_match or 0)):
        raise RougeError(f"{inside}: a negative count")
    return Counts(model, peer, match, peer_match=peer_match)


def _number(record: object, name: str, place: str, *, or_null: bool = False) -> float:
    kinds = (int, float, type(None)) if or_null else (int, float)
    value = _field(record, name, kinds, place)
    try:
        number = nan if value is None else float(value)
    except OverflowError:
        number = float("inf")
    if number in (float("inf"), -float("inf")):
        raise RougeError(f"{place}: {name} is too large")
    return number


def _field(record: object, name: str, kind: type | tuple[type, ...], place: str) -> Any:  # noqa: ANN401
    """Return the value of a field, which must be of that kind."""
    if not isinstance(record, dict):
        raise RougeError(f"{place}: {json.dumps(record)[:80]} is not an object")
    if name not in record:
        raise RougeError(f"{place}: no {name}")
    value = record[name]
    if not isinstance(value, kind) or isinstance(value, bool):
        raise RougeError(f"{place}: {name} cannot be {json.dumps(value)[:80]}")
    return value
