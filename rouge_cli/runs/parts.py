"""Write and read parts of a run: the counts and scores of some of its evals, one JSON
record per line.

    {"schema": "rouge-cli counts 4", "version": "0.1.0", "dialect": "rouge155", ...}
    {"eval": "1", "system": "a", "metric": "ROUGE-1", "reference": 6, ...}
    {"end": "rouge-cli counts 4", "sha256": "..."}

The first line has the number of evals of every system and metric, and the IDs of evals
without a result; the last line has the digest of all lines before it. Numbers are read
back exactly, so the merged parts are what a single run computes, whether its evals or
its systems were divided.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple, TypeGuard

from rouge_cli import signature
from rouge_cli._version import __version__
from rouge_cli.core import Counts, EvalResult, Notice, Notify, Score
from rouge_cli.dialects import DialectRun
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.io import files
from rouge_cli.io.digests import sha256
from rouge_cli.options import Options
from rouge_cli.results import checks
from rouge_cli.runs import consistency
from rouge_cli.runs.evaluation import Collected, merge
from rouge_cli.scoring.columns import Column, Columns, KeyedColumns, joined, keyed
from rouge_cli.text import marks
from rouge_cli.text.survey import NOTHING_READ, REFERENCES

# System, metric, and how many evals the system has under it
Sizes = Sequence[tuple[str, str, int]]
SCHEMA = "rouge-cli counts 4"
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
    version: str  # of the program that wrote the part, or the first of them
    # (System, eval) -> the index of the file with its results, once files are merged
    sources: Mapping[tuple[str, str], int] = {}


def lines(dialect: str, options: Options, collected: Collected) -> Iterator[str]:
    """Yield the lines of the file, with line ends; raise RougeError for a number
    that is not finite.
    """
    columns = keyed(collected.systems)
    head = {
        "schema": SCHEMA,
        "version": __version__,
        "dialect": dialect,
        "options": options,
        "evals": collected.evals,
        "unscored": list(collected.unscored),
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


def read(paths: Sequence[str], notify: Notify) -> Parts:
    """Read files and merge them, in this order; warn of what may make their numbers
    differ from a single run's.

    Raises:
        UsageError: The parts are of runs with different options.
        RougeError: A file is not a complete part, or a system has an eval in two files.
    """
    parts = [_read(path) for path in paths]
    first = parts[0]
    for path, part in zip(paths, parts, strict=True):
        _check_alike(part, path, first, paths[0])
        if part.version != first.version:
            what = (
                f"{path} was made by rouge-cli {part.version}, and {paths[0]} by"
                f" {first.version}; their numbers may differ"
            )
            notify(Notice(what))
    sources: dict[tuple[str, str], int] = {}
    for index, part in enumerate(parts):
        for system, columns in part.collected.systems.items():
            for eval_id in columns.ids:
                before = sources.setdefault((system, eval_id), index)
                if before != index:
                    what = (
                        f"eval {eval_id} of system {system} is in {paths[before]} too"
                    )
                    remedy = (
                        "give evals unique IDs (--id-column) before the input is"
                        " divided"
                    )
                    raise RougeError(what, where=paths[index], remedy=remedy)

    seen: set[str] = set()
    each_once = []
    for path, part in zip(paths, parts, strict=True):
        collected = _without_repeats(part.collected, seen, path, notify)
        each_once.append(collected)
        seen |= _ids(part.collected)
    whole = merge(each_once)
    scored: set[str] = set()
    for columns in whole.systems.values():
        scored.update(columns.ids)
    unscored = [eval_id for eval_id in whole.unscored if eval_id not in scored]
    whole = whole._replace(unscored=list(dict.fromkeys(unscored)))
    return first._replace(collected=whole, sources=sources)


def _check_alike(part: Parts, path: str, first: Parts, first_path: str) -> None:
    """Raise an error if a part was made with other options than the first one, or has
    other details.
    """
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
        what = f"{path} was made with other options than {first_path}: {values}"
        raise UsageError(what, remedy="merge parts of one run")
    details, others = part.collected.details, first.collected.details
    types = {name: type(detail) for name, detail in details.items()}
    if types != {name: type(detail) for name, detail in others.items()}:
        raise _damaged(f"its details differ from those in {first_path}", path)


def _ids(collected: Collected) -> set[str]:
    """Return the IDs of all evals of a part."""
    ids = set(collected.unscored)
    for columns in collected.systems.values():
        ids.update(columns.ids)
    return ids


def _without_repeats(
    collected: Collected, seen: Collection[str], path: str, notify: Notify
) -> Collected:
    """Return a part without what earlier parts have counted: evals, which every part
    has if systems were divided, and their references.
    """
    own = _ids(collected)
    shared = own.intersection(seen)
    if not shared:
        return collected
    details = collected.details
    if len(shared) == len(own):
        # A single run reads the references of an eval once for all systems.
        if REFERENCES in details:
            details = {**details, REFERENCES: NOTHING_READ[REFERENCES]}
    else:
        what = (
            f"{path} shares {len(shared)} of its {len(own)} evals with earlier parts;"
            " the references of these are counted twice in the details of the report"
        )
        notify(Notice(what))
    return collected._replace(evals=collected.evals - len(shared), details=details)


def check_results(whole: Parts, paths: Sequence[str], run: DialectRun) -> None:
    """Raise RougeError, with the file, for counts that contradict themselves or the
    scores.

    Args:
        whole: The merged parts.
        paths: The files that were merged.
        run: The dialect with their options.
    """
    for (system, label), column in keyed(whole.collected.systems).items():
        for result in column:
            wrong = consistency.wrong_result(result, label, run, whole.options)
            if wrong:
                path = paths[whole.sources[system, result.eval_id]]
                what = (
                    f"eval {result.eval_id} of system {system} under {label}: {wrong}"
                )
                raise _damaged(what, files.place(path))


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
                system, metric, result = _result(fields, part.options)
                systems.setdefault(system, {}).setdefault(metric, Column()).append(
                    result
                )
        except RougeError as error:
            raise checks.locate(error, where, _WHOLE) from None
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
    number = len(_ids(part.collected))
    if number != part.collected.evals:
        what = f"states {part.collected.evals} evals, and has {number}"
        raise _damaged(what, where)
    return part


def _damaged(what: str, where: str) -> RougeError:
    return RougeError(what, where=where, remedy=_WHOLE)


def _fields(line: bytes) -> checks.Fields:
    try:
        record = checks.load(line)
    except (ValueError, RecursionError) as error:
        raise RougeError(f"not JSON: {error!s:.80}") from None
    if not isinstance(record, dict):
        raise RougeError("not a JSON object")
    return checks.Fields(record)


def _head(fields: checks.Fields) -> tuple[Parts, Sizes]:
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
    options: Options = {}
    for name, value in fields.get("options", _is_options).items():
        options[name] = tuple(value) if isinstance(value, list) else value
    evals = fields.get("evals", checks.is_whole)
    references = fields.get("references", _is_counts)
    details = fields.get("details", _is_details)
    unscored = fields.get("unscored", checks.is_texts)
    collected = Collected({}, evals, references, details, unscored=unscored)
    part = Parts(dialect, options, collected, fields.get("version", str))
    return part, fields.get("columns", _is_sizes)


def _is_amount(value: object) -> TypeGuard[float]:
    return checks.is_number(value) and value >= 0


def _is_counts(value: object) -> TypeGuard[list[int]]:
    return isinstance(value, list) and all(map(checks.is_whole, value))


def _is_options(value: object) -> TypeGuard[dict[str, object]]:
    return isinstance(value, dict) and all(
        isinstance(option, str | int) or _is_amount(option) or checks.is_texts(option)
        for option in value.values()
    )


def _is_details(value: object) -> TypeGuard[dict[str, object]]:
    if not isinstance(value, dict):
        return False
    return all(_is_detail(name, detail) for name, detail in value.items())


def _is_detail(name: object, detail: object) -> bool:
    """Return True for a detail that a report may have under this name: the tally of a
    side, an amount or texts.
    """
    if name in NOTHING_READ:
        return _is_alike(detail, NOTHING_READ[name])
    if name in {"evals", "references_per_eval"}:  # the part has these itself
        return False
    return _is_amount(detail) or checks.is_texts(detail)


def _are_marks(value: object) -> bool:
    """Return True for the numbers of marks, each under the mark."""
    return isinstance(value, dict) and all(
        isinstance(numbers, dict)
        and numbers.keys() == marks.NOWHERE.keys()
        and all(map(checks.is_whole, numbers.values()))
        for numbers in value.values()
    )


def _is_alike(value: object, pattern: object) -> bool:
    """Return True if the value has the structure of the pattern: counts, strings,
    and its mappings.
    """
    if isinstance(pattern, dict):
        if not isinstance(value, dict) or value.keys() != pattern.keys():
            return False
        for name, detail in pattern.items():
            part = value[name]
            is_alike = _are_marks(part) if name == "marks" else _is_alike(part, detail)
            if not is_alike:
                return False
        return True
    return (
        isinstance(value, str) if isinstance(pattern, str) else checks.is_whole(value)
    )


def _is_sizes(value: object) -> TypeGuard[Sizes]:
    return isinstance(value, list) and all(
        isinstance(size, list)
        and len(size) == 3
        and checks.is_texts(size[:2])
        and checks.is_whole(size[2])
        for size in value
    )


def _is_optional(value: object) -> TypeGuard[float | None]:
    return value is None or _is_amount(value)


def _result(fields: checks.Fields, options: Options) -> tuple[str, str, EvalResult]:
    """Return system, metric and result of a line; raise RougeError for missing or
    further fields.
    """
    is_scored = options.get("average", "macro") == "macro"
    names = _SCORED if is_scored else _COUNTED
    if fields.record.keys() != names:
        name = min(fields.record.keys() ^ names)
        problem = "missing" if name in names else "unexpected"
        raise RougeError(f"not a counts record: {problem} field {name!r:.40}")
    eval_id, system, metric = (fields.get(name, str) for name in NAMES)

    lowest = checks.fewest_units(metric)

    def is_units(value: object) -> TypeGuard[float]:
        return checks.is_number(value) and value >= lowest

    counts = Counts(
        reference=fields.get("reference", is_units),
        prediction=fields.get("prediction", is_units),
        match=fields.get("match", _is_amount),
        rank=fields.get("rank", _is_amount),
        prediction_match=fields.get("prediction_match", _is_optional),
    )
    if not is_scored:
        return system, metric, EvalResult(eval_id, counts, None)

    highest = checks.highest_score(metric, options)

    def is_score(value: object) -> TypeGuard[float]:
        return _is_amount(value) and value <= highest

    score = Score(*(fields.get(name, is_score) for name in FIGURES))
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
