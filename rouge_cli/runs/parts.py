"""Write and read parts of a run: the counts and scores of some of its evals, one JSON
record per line.

    {"schema": "rouge-cli counts 3", "dialect": "rouge155", "evals": 2, ...}
    {"eval": "1", "system": "a", "metric": "ROUGE-1", "model": 6, ...}
    {"end": "rouge-cli counts 3", "sha256": "..."}

The first line has the number of evals of every system and metric, the last line the
digest of all lines before it. Numbers are read back exactly, so the merged parts are
what a single run computes.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import chain
from typing import NamedTuple, TypeGuard

from rouge_cli import signature
from rouge_cli.core import Counts, EvalResult, Score
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.io import files
from rouge_cli.options import Options
from rouge_cli.results import saved
from rouge_cli.runs.evaluation import Collected, merge
from rouge_cli.scoring.columns import Column, Columns, KeyedColumns, joined, keyed
from rouge_cli.text import marks
from rouge_cli.text.survey import NOTHING_READ

# System, metric, and how many evals the system has under it
Sizes = Sequence[tuple[str, str, int]]
SCHEMA = "rouge-cli counts 3"
NAMES = ("eval", "system", "metric")
COUNTS = Counts._fields
FIGURES = Score._fields
_COUNTED = {*NAMES, *COUNTS}  # the fields of a line if only counts are averaged
_SCORED = {*_COUNTED, *FIGURES}
_ROLE = "part of a run"
_WHOLE = "copy the file again, or write it again: rouge-cli score --counts"


class Parts(NamedTuple):
    """The content of one or more files: the dialect, its options, and what was
    collected.
    """

    dialect: str
    options: Options
    collected: Collected


def lines(dialect: str, options: Options, collected: Collected) -> Iterator[str]:
    """Yield the lines of the file, with line ends; raise RougeError for a number
    that is not finite.
    """
    columns = keyed(collected.systems)
    head = {
        "schema": SCHEMA,
        "dialect": dialect,
        "options": options,
        "evals": collected.evals,
        "references": list(collected.references),
        "details": collected.details,
        "columns": [[*key, len(column)] for key, column in columns.items()],
    }
    digest = sha256()
    for record in chain([head], _records(columns)):
        try:
            line = json.dumps(record, allow_nan=False) + "\n"
        except ValueError:
            what = "a number that is not finite, which a part cannot store"
            place = ", ".join(
                f"{name} {record[name]}" for name in NAMES if name in record
            )
            raise RougeError(
                what, where=place, remedy="score without --counts"
            ) from None
        digest.update(line.encode())
        yield line
    yield json.dumps({"end": SCHEMA, "sha256": digest.hexdigest()}) + "\n"


def _records(columns: KeyedColumns) -> Iterator[dict[str, object]]:
    for key, column in columns.items():
        for result in column:
            names = dict(zip(NAMES, (result.eval_id, *key), strict=True))
            yield {
                **names,
                **result.counts._asdict(),
                **(result.score._asdict() if result.score else {}),
            }


def read(paths: Sequence[str]) -> Parts:
    """Read files and merge them, in this order.

    Raises:
        UsageError: The parts are of runs with different options.
        RougeError: A file is not a complete part, or a system has an eval in two files.
    """
    parts = [_read(path) for path in paths]
    first = parts[0]
    for path, part in zip(paths, parts, strict=True):
        if part[:2] != first[:2]:
            ours, theirs = (
                {"dialect": each.dialect, **signature.USUAL, **each.options}
                for each in (first, part)
            )
            names = (
                ["dialect"]
                if part.dialect != first.dialect
                else dict.fromkeys([*ours, *theirs])
            )
            differing = [name for name in names if ours.get(name) != theirs.get(name)]
            values = ", ".join(
                f"{name} {theirs.get(name)}, not {ours.get(name)}" for name in differing
            )
            what = f"{path} was made with other options than {paths[0]}: {values}"
            raise UsageError(what, remedy="merge parts of one run")
        details, others = part.collected.details, first.collected.details
        if {name: type(details[name]) for name in details} != {
            name: type(others[name]) for name in others
        }:
            raise _damaged(f"its details differ from those in {paths[0]}", path)
    seen: dict[tuple[str, str], int] = {}
    for index, part in enumerate(parts):
        by_system = part.collected.systems.items()
        for system, eval_id in (
            (system, eval_id) for system, of in by_system for eval_id in of.ids
        ):
            before = seen.setdefault((system, eval_id), index)
            if before != index:
                what = f"eval {eval_id} of system {system} is in {paths[before]} too"
                remedy = (
                    "give evals unique IDs (--id-column) before the input is divided"
                )
                raise RougeError(what, where=paths[index], remedy=remedy)
    return first._replace(collected=merge(part.collected for part in parts))


def _read(path: str) -> Parts:
    """Read a part; raise RougeError with the line if it is damaged or incomplete."""
    part: Parts | None = None
    sizes: Sizes = ()
    systems: dict[str, dict[str, Column]] = {}
    is_ended = False
    digest = sha256()
    for number, line in files.lines(path, _ROLE):
        where = f"{files.place(path)}:{number}"
        if is_ended:
            raise _damaged("a line after the end of the part", where)
        try:
            fields = _fields(line)
            if part is None:
                part, sizes = _head(fields)
            elif "end" in fields.record:
                is_ended = True
            else:
                is_scored = part.options.get("average", "macro") == "macro"
                system, metric, result = _result(fields, is_scored=is_scored)
                systems.setdefault(system, {}).setdefault(metric, Column()).append(
                    result
                )
        except RougeError as error:
            raise saved.locate(error, where, _WHOLE) from None
        if is_ended and fields.record != {"end": SCHEMA, "sha256": digest.hexdigest()}:
            raise _damaged("changed since it was written: its digest differs", where)
        digest.update(line + b"\n")
    where = files.place(path)
    if part is None:
        raise RougeError(
            "empty file; expected the output of `score --counts`", where=where
        )
    if not is_ended:
        raise _damaged("incomplete part: no last line", where)
    part.collected.systems.update(_checked(systems, part, sizes, where))
    return part


def _damaged(what: str, where: str) -> RougeError:
    return RougeError(what, where=where, remedy=_WHOLE)


def _fields(line: bytes) -> saved.Fields:
    try:
        record = saved.load(line)
    except (ValueError, RecursionError) as error:
        raise RougeError(f"not JSON: {error!s:.80}") from None
    if not isinstance(record, dict):
        raise RougeError("not a JSON object")
    return saved.Fields(record)


def _head(fields: saved.Fields) -> tuple[Parts, Sizes]:
    """Parse the first line: return a part without results, and (system, metric, number
    of evals) of each.

    Raises:
        RougeError: It is not the first line of a part.
    """
    if fields.record.get("schema") != SCHEMA:
        schema = fields.record.get("schema", "missing")
        what = f"not a part of a run (its schema is {schema!s:.40}, not {SCHEMA})"
        raise RougeError(
            what, remedy="write it with rouge-cli score --counts of this version"
        )
    dialect = fields.get("dialect", str)
    items = fields.get("options", _is_options).items()
    options = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in items
    }
    evals, references = (
        fields.get("evals", _is_count),
        fields.get("references", _is_counts),
    )
    collected = Collected({}, evals, references, fields.get("details", _is_details))
    return Parts(dialect, options, collected), fields.get("columns", _is_sizes)


def _is_amount(value: object) -> TypeGuard[float]:
    return saved.is_number(value) and value >= 0


def _is_score(value: object) -> TypeGuard[float]:
    return _is_amount(value) and value <= saved.HIGHEST


def _is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and _is_amount(value)


def _is_counts(value: object) -> TypeGuard[list[int]]:
    return isinstance(value, list) and all(map(_is_count, value))


def _is_options(value: object) -> TypeGuard[dict[str, object]]:
    return isinstance(value, dict) and all(
        isinstance(option, str | int) or _is_amount(option) or saved.is_texts(option)
        for option in value.values()
    )


def _is_details(value: object) -> TypeGuard[dict[str, object]]:
    return isinstance(value, dict) and all(
        (
            _is_alike(detail, NOTHING_READ[name])
            if name in NOTHING_READ
            else name not in {"evals", "references_per_eval"}
            and (_is_amount(detail) or saved.is_texts(detail))
        )
        for name, detail in value.items()
    )


def _are_marks(value: object) -> bool:
    """Return True for the numbers of marks, each under the mark."""
    return isinstance(value, dict) and all(
        isinstance(numbers, dict)
        and numbers.keys() == marks.NOWHERE.keys()
        and all(map(_is_count, numbers.values()))
        for numbers in value.values()
    )


def _is_alike(value: object, pattern: object) -> bool:
    """Return True if the value has the structure of the pattern: counts, strings,
    and its mappings.
    """
    if isinstance(pattern, dict):
        if not isinstance(value, dict) or value.keys() != pattern.keys():
            return False
        return all(
            _are_marks(value[name])
            if name == "marks"
            else _is_alike(value[name], detail)
            for name, detail in pattern.items()
        )
    return isinstance(value, str) if isinstance(pattern, str) else _is_count(value)


def _is_sizes(value: object) -> TypeGuard[Sizes]:
    return isinstance(value, list) and all(
        isinstance(size, list)
        and len(size) == 3
        and saved.is_texts(size[:2])
        and _is_count(size[2])
        for size in value
    )


def _is_optional(value: object) -> TypeGuard[float | None]:
    return value is None or _is_amount(value)


def _result(fields: saved.Fields, *, is_scored: bool) -> tuple[str, str, EvalResult]:
    """Return system, metric and result of a line; raise RougeError for missing or
    further fields.
    """
    names = _SCORED if is_scored else _COUNTED
    if fields.record.keys() != names:
        name = min(fields.record.keys() ^ names)
        problem = "missing" if name in names else "unexpected"
        raise RougeError(f"not a counts record: {problem} field {name!r:.40}")
    eval_id, system, metric = (fields.get(name, str) for name in NAMES)
    prediction_match = fields.get("prediction_match", _is_optional)
    reference, prediction, match, rank = (
        fields.get(name, _is_amount) for name in COUNTS[:-1]
    )
    counts = Counts(reference, prediction, match, rank, prediction_match)
    score = (
        Score(*(fields.get(name, _is_score) for name in FIGURES)) if is_scored else None
    )
    return system, metric, EvalResult(eval_id, counts, score)


def _checked(
    systems: Mapping[str, Mapping[str, Column]], part: Parts, sizes: Sizes, where: str
) -> Iterator[tuple[str, Columns]]:
    """Yield each system with its results; raise RougeError if they are not what the
    first line states.
    """
    for system, metric, size in sizes:
        present = len(systems.get(system, {}).get(metric, ()))
        if present != size:
            what = (
                f"incomplete part: {present} evals of system {system} under {metric},"
                f" not {size}"
            )
            raise _damaged(what, where)
    if sum(map(len, systems.values())) != len(sizes):
        raise _damaged("results that the first line does not count", where)
    for system, by_metric in systems.items():
        if tuple(by_metric) != part.options.get("metrics"):
            raise _damaged(
                f"system {system} has other metrics: {', '.join(by_metric)}", where
            )
        first = next(iter(by_metric.values())).of.ids
        if len({*first}) < len(first) or len(first) > part.collected.evals:
            raise _damaged(f"system {system} has an eval twice", where)
        if any(column.of.ids != first for column in by_metric.values()):
            raise _damaged(
                f"system {system} does not have the same evals under each metric", where
            )
        yield system, joined(by_metric)
