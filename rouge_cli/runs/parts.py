"""Saving and loading parts of a run: counts and scores of some of its tasks, one JSON record a line.

    {"schema": "rouge-cli counts 2", "dialect": "rouge155", "options": {...}, "evals": 2, ...}
    {"eval": "1", "system": "a", "metric": "ROUGE-1", "model": 6, "peer": 5, "match": 4, ...}
    {"end": "rouge-cli counts 2", "sha256": "..."}

The first line counts the evals of each system and metric; the last holds the digest of all lines before it.
Numbers are written so that they read back exactly; parts add up to what a single run computes.
"""

from __future__ import annotations

import json
from hashlib import sha256
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from rouge_cli.core import Counts, EvalResult, Score
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.io import files
from rouge_cli.results import saved
from rouge_cli.runs.evaluation import Collected, merge
from rouge_cli.scoring.columns import Column
from rouge_cli.signature import facts
from rouge_cli.text.survey import NOTHING_READ

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

SCHEMA = "rouge-cli counts 2"
NAMES = ("eval", "system", "metric")
COUNTS = Counts._fields
FIGURES = Score._fields
_ROLE = "part of a run"
_WHOLE = "copy the file again, or write it again: rouge-cli score --counts"


class Parts(NamedTuple):
    """The content of one or more files: the dialect, its options, and what was collected."""

    dialect: str
    options: Mapping[str, Any]
    collected: Collected


def lines(dialect: str, options: Mapping[str, Any], collected: Collected) -> Iterator[str]:
    """Yield the file's lines, each with its LF.

    Raises RougeError for a number that is not finite, which the format cannot store.
    """
    columns, evals, models, details = collected
    head = {
        "schema": SCHEMA,
        "dialect": dialect,
        "options": options,
        "evals": evals,
        "models": list(models),
    }
    sizes = [[*key, len(column)] for key, column in columns.items()]
    digest = sha256()
    for record in chain([{**head, "details": details, "columns": sizes}], _records(columns)):
        try:
            line = json.dumps(record, allow_nan=False) + "\n"
        except ValueError:
            place = ", ".join(f"{name} {record[name]}" for name in NAMES if name in record)
            raise RougeError(
                "a number that is not finite, which a part cannot hold",
                where=place,
                remedy="score without --counts",
            ) from None
        digest.update(line.encode())
        yield line
    yield json.dumps({"end": SCHEMA, "sha256": digest.hexdigest()}) + "\n"


def _records(columns: Mapping[tuple[str, str], Column]) -> Iterator[dict[str, Any]]:
    for key, column in columns.items():
        for result in column:
            record: dict[str, Any] = dict(zip(NAMES, (result.eval_id, *key), strict=True))
            record.update(zip(COUNTS, result.counts, strict=True))
            record.update(zip(FIGURES, result.score or (), strict=False))
            yield record


def read(paths: Sequence[str]) -> Parts:
    """Read these files, in this order, and merge them into one part.

    Raises RougeError for an incomplete file, and for an eval that a system has in two of them;
    UsageError for parts of runs with other options.
    """
    parts = [_read(path) for path in paths]
    first = parts[0]
    seen: dict[tuple[str, str], int] = {}
    for path, part in zip(paths, parts, strict=True):
        if part[:2] != first[:2]:
            raise UsageError(
                f"{path} was made with other options than {paths[0]}: {_difference(first, part)}",
                remedy="merge parts of one run",
            )
        kinds, others = (
            {name: type(value) for name, value in each.collected.details.items()} for each in (part, first)
        )
        if kinds != others:
            raise _damaged(f"its details differ from those in {paths[0]}", path)
    for place, part in enumerate(parts):
        by_system = {system: column.ids for (system, _), column in part.collected.columns.items()}
        for system, eval_id in ((system, eval_id) for system, ids in by_system.items() for eval_id in ids):
            before = seen.setdefault((system, eval_id), place)
            if before != place:
                raise RougeError(
                    f"eval {eval_id} of system {system} is in {paths[before]} too",
                    where=paths[place],
                    remedy="give evals unique IDs (--id-column) before the input is divided",
                )
    return first._replace(collected=merge(part.collected for part in parts))


def _read(path: str) -> Parts:
    """Read a complete part; raise RougeError with the line for anything else."""
    head: Mapping[str, Any] = {}
    is_ended = False
    columns: dict[tuple[str, str], Column] = {}
    digest = sha256()
    for number, line in files.lines(path, _ROLE):
        where = f"{files.place(path)}:{number}"
        if is_ended:
            raise _damaged("a line after the end of the part", where)
        record = _object(line, where)
        if not head:
            head = _head(record, where)
        elif "end" in record:
            is_ended = True
            if record != {"end": SCHEMA, "sha256": digest.hexdigest()}:
                raise _damaged("changed since it was written: its digest differs", where)
        else:
            key, result = _result(record, head["options"], where)
            columns.setdefault(key, Column()).append(result)
        digest.update(line + b"\n")
    where = files.place(path)
    if not head:
        raise RougeError("empty file; expected the output of `score --counts`", where=where)
    if not is_ended:
        raise _damaged("incomplete part: no last line", where)
    _check_columns(head, columns, where)
    collected = Collected(columns, head["evals"], head["models"], head["details"])
    return Parts(head["dialect"], head["options"], collected)


def _damaged(what: str, where: str) -> RougeError:
    return RougeError(what, where=where, remedy=_WHOLE)


def _object(line: bytes, where: str) -> dict[str, Any]:
    try:
        record = saved.load(line)
    except (ValueError, RecursionError) as error:
        raise _damaged(f"not JSON: {error!s:.80}", where) from None
    if not isinstance(record, dict):
        raise _damaged("not a JSON object", where)
    return record


def _checked(record: Mapping[str, Any], fields: Mapping[str, saved.Check], where: str) -> None:
    try:
        saved.check(record, fields)
    except RougeError as error:
        raise saved.locate(error, where, _WHOLE) from None


def _head(record: dict[str, Any], where: str) -> Mapping[str, Any]:
    """Return the first record, its lists of labels as tuples; raise RougeError if it is not one."""
    if record.get("schema") != SCHEMA:
        schema = record.get("schema", "missing")
        raise RougeError(
            f"not a part of a run (its schema is {schema!s:.40}, not {SCHEMA})",
            where=where,
            remedy="write it with rouge-cli score --counts of this version",
        )
    _checked(record, _HEAD, where)
    items = record["options"].items()
    plain = {name: tuple(value) if isinstance(value, list) else value for name, value in items}
    return {**record, "options": plain}


def _is_count(value: object) -> bool:
    return isinstance(value, int) and _is_amount(value)


def _is_amount(value: Any) -> bool:  # noqa: ANN401 - JSON
    return saved.is_number(value) and value >= 0


def _is_score(value: Any) -> bool:  # noqa: ANN401 - JSON
    return _is_amount(value) and value <= saved.HIGHEST


def _is_option(value: object) -> bool:
    return isinstance(value, str | int) or _is_amount(value) or saved.is_list(value, saved.is_text)


def _is_detail(name: str, value: object) -> bool:
    if name in NOTHING_READ:
        return _is_alike(value, NOTHING_READ[name])
    is_plain = _is_amount(value) or saved.is_list(value, saved.is_text)
    return name not in {"evals", "models_per_eval"} and is_plain


def _is_alike(value: object, pattern: object) -> bool:
    """Return True for counts, texts and mappings with the pattern's names."""
    if isinstance(pattern, dict):
        if not isinstance(value, dict) or value.keys() != pattern.keys():
            return False
        return all(_is_alike(value[name], each) for name, each in pattern.items())
    return saved.is_text(value) if isinstance(pattern, str) else _is_count(value)


def _is_size(value: object) -> bool:
    """Return True for a system, a metric, and their number of evals."""
    if not isinstance(value, list) or len(value) != 3:
        return False
    return saved.is_list(value[:2], saved.is_text) and _is_count(value[2])


_HEAD: Mapping[str, saved.Check] = {
    "dialect": saved.is_text,
    "options": lambda value: isinstance(value, dict) and all(map(_is_option, value.values())),
    "evals": _is_count,
    "models": lambda value: saved.is_list(value, _is_count),
    "details": lambda value: isinstance(value, dict) and all(_is_detail(*item) for item in value.items()),
    "columns": lambda value: saved.is_list(value, _is_size),
}
_COUNTED: Mapping[str, saved.Check] = {
    **dict.fromkeys(NAMES, saved.is_text),
    **dict.fromkeys(COUNTS, _is_amount),
    "peer_match": lambda value: value is None or _is_amount(value),
}
_SCORED: Mapping[str, saved.Check] = {**_COUNTED, **dict.fromkeys(FIGURES, _is_score)}


def _result(
    record: Mapping[str, Any], options: Mapping[str, Any], where: str
) -> tuple[tuple[str, str], EvalResult]:
    """Return the system, the metric and the result of a line; raise RougeError for a wrong field."""
    is_scored = options.get("average", "macro") == "macro"
    fields = _SCORED if is_scored else _COUNTED
    if record.keys() != fields.keys():
        name = min(record.keys() ^ fields.keys())
        problem = "missing" if name in fields else "unexpected"
        raise _damaged(f"not a counts record: {problem} field {name!r:.40}", where)
    _checked(record, fields, where)
    counts = Counts(*(record[name] for name in COUNTS))
    score = Score(*(record[name] for name in FIGURES)) if is_scored else None
    return (record["system"], record["metric"]), EvalResult(record["eval"], counts, score)


def _check_columns(head: Mapping[str, Any], columns: Mapping[tuple[str, str], Column], where: str) -> None:
    """Raise RougeError unless the part has the results that its first line promises, each once."""
    for system, metric, size in head["columns"]:
        present = len(columns.get((system, metric), ()))
        if present != size:
            what = f"incomplete part: {present} evals of system {system} under {metric}, not {size}"
            raise _damaged(what, where)
    by_system: dict[str, dict[str, list[str]]] = {}
    for (system, metric), column in columns.items():
        by_system.setdefault(system, {})[metric] = column.ids
    if len(columns) != len(head["columns"]):
        raise _damaged("results that the first line does not count", where)
    for system, by_metric in by_system.items():
        if tuple(by_metric) != head["options"].get("metrics"):
            raise _damaged(f"system {system} has other metrics: {', '.join(by_metric)}", where)
        first = next(iter(by_metric.values()))
        if len({*first}) < len(first) or len(first) > head["evals"]:
            raise _damaged(f"system {system} has an eval twice", where)
        if any(ids != first for ids in by_metric.values()):
            raise _damaged(f"system {system} does not have the same evals under each metric", where)


def _difference(part: Parts, other: Parts) -> str:
    if part.dialect != other.dialect:
        return f"dialect {other.dialect}, not {part.dialect}"
    ours, theirs = ({**facts.USUAL, **each.options} for each in (part, other))
    return ", ".join(
        f"{name} {theirs.get(name)}, not {ours.get(name)}"
        for name in dict.fromkeys([*ours, *theirs])
        if ours.get(name) != theirs.get(name)
    )
