"""Read parts of a run, and merge them.

A part has the counts and scores of some evals (see `part_lines`). Its numbers are read
back exactly, so the merged parts are what a single run computes, whether its evals or
its systems were divided.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from rouge_cli import signature
from rouge_cli.core import Notice, Notify
from rouge_cli.dialects import DialectRun
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.io import files
from rouge_cli.io.digests import sha256
from rouge_cli.options import Options
from rouge_cli.results import checks
from rouge_cli.runs import consistency, part_lines
from rouge_cli.runs.evaluation import Collected, merge
from rouge_cli.scoring.columns import Columns, keyed
from rouge_cli.scoring.totals import MOST_KEPT, Totals
from rouge_cli.text.survey import NOTHING_READ, REFERENCES

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
    # Of each file, system -> the evals with its results, once files are merged
    sources: Sequence[Mapping[str, Collection[str]]] = ()


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
    if first.collected.totals is not None:
        return first._replace(collected=_merged_totals(parts, paths))
    sources = _sources(parts, paths)
    seen: set[str] = set()
    each_once = []
    for path, part in zip(paths, parts, strict=True):
        collected = _without_repeats(part.collected, seen, path, notify)
        each_once.append(collected)
        seen |= _ids(part.collected)
    whole = merge(each_once)
    scored: set[str] = set()
    for columns in whole.by_eval.values():
        scored.update(columns.ids)
    unscored = [eval_id for eval_id in whole.unscored if eval_id not in scored]
    whole = whole._replace(unscored=list(dict.fromkeys(unscored)))
    return first._replace(collected=whole, sources=sources)


def _merged_totals(parts: Sequence[Parts], paths: Sequence[str]) -> Collected:
    """Return the merged totals of parts of other evals, or of other systems of the same
    evals.

    Raises:
        RougeError: Parts share some of their evals, or a system's evals.
    """
    counted: dict[str, str] = {}  # ID -> the first part with it
    each_once = []
    for path, part in zip(paths, parts, strict=True):
        collected = part.collected
        ids = _kept_ids(collected)
        shared = [eval_id for eval_id in ids if eval_id in counted]
        if shared:
            before = counted[shared[0]]
            earlier = parts[paths.index(before)].collected
            if not _are_other_systems(collected, earlier):
                raise _shared_eval(shared[0], path, before)
            collected = _of_counted_evals(collected)
        counted.update({eval_id: path for eval_id in ids if eval_id not in counted})
        each_once.append(collected)
    try:
        whole = merge(each_once)
    except ValueError as error:
        raise RougeError(str(error)) from None
    for system, totals in whole.added.items():
        if totals.repeated:
            having = []
            for path, part in zip(paths, parts, strict=True):
                of_system = part.collected.added.get(system)
                if of_system and totals.repeated in of_system.kept.values():
                    having.append(path)
            raise _shared_eval(totals.repeated, having[-1], having[0], system)
    return whole


def _kept_ids(collected: Collected) -> list[str]:
    """Return the IDs of a part by which shared evals are found: those with the smallest
    keys of all its systems.
    """
    kept: dict[int, str] = {}
    for totals in collected.added.values():
        kept.update(totals.kept)
    return [kept[key] for key in sorted(kept)[:MOST_KEPT]]


def _are_other_systems(part: Collected, other: Collected) -> bool:
    """Return True for parts of different systems, whose evals are the same as far as
    is known.
    """
    is_same = part.evals == other.evals and _kept_ids(part) == _kept_ids(other)
    return is_same and part.systems.keys().isdisjoint(other.systems)


def _shared_eval(eval_id: str, path: str, before: str, system: str = "") -> RougeError:
    of_system = f" of system {system}" if system else ""
    return RougeError(
        f"eval {eval_id}{of_system} is in {before} too",
        where=path,
        remedy="give evals unique IDs (--id-column) before the input is divided",
    )


def _sources(parts: Sequence[Parts], paths: Sequence[str]) -> list[dict[str, set[str]]]:
    """Return the evals of each system in each file; raise RougeError if a system has an
    eval in two files.
    """
    sources: list[dict[str, set[str]]] = []
    for part, path in zip(parts, paths, strict=True):
        evals = {}
        for system, columns in part.collected.by_eval.items():
            evals[system] = set(columns.ids)
            for before, earlier in zip(paths, sources, strict=False):
                twice = evals[system].intersection(earlier.get(system, ()))
                if twice:
                    eval_id = next(name for name in columns.ids if name in twice)
                    raise _shared_eval(eval_id, path, before, system)
        sources.append(evals)
    return sources


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
    if part.collected.totals != first.collected.totals:
        kinds = ["single evals", "totals"]
        if part.collected.totals is None:
            kinds.reverse()
        what = f"{first_path} has {kinds[0]}, and {path} {kinds[1]}"
        raise UsageError(what, remedy="score all parts with --totals, or none")
    details, others = part.collected.details, first.collected.details
    types = {name: type(detail) for name, detail in details.items()}
    if types != {name: type(detail) for name, detail in others.items()}:
        raise _damaged(f"its details differ from those in {first_path}", path)


def _ids(collected: Collected) -> set[str]:
    """Return the IDs of all evals of a part."""
    ids = set(collected.unscored)
    for columns in collected.by_eval.values():
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
        return _of_counted_evals(collected)
    what = (
        f"{path} shares {len(shared)} of its {len(own)} evals with earlier parts;"
        " the references of these are counted twice in the details of the report"
    )
    notify(Notice(what))
    return collected._replace(evals=collected.evals - len(shared), details=details)


def _of_counted_evals(collected: Collected) -> Collected:
    """Return a part whose evals an earlier part has counted, without their number and
    their references, which a single run reads once for all systems.
    """
    details = collected.details
    if REFERENCES in details:
        details = {**details, REFERENCES: NOTHING_READ[REFERENCES]}
    return collected._replace(evals=0, details=details)


def check_results(whole: Parts, paths: Sequence[str], run: DialectRun) -> None:
    """Raise RougeError, with the file, for counts that contradict themselves or the
    scores.

    Args:
        whole: The merged parts.
        paths: The files that were merged.
        run: The dialect with their options.
    """
    for (system, label), column in keyed(whole.collected.by_eval).items():
        found = consistency.first_wrong(column, label, run, whole.options)
        if found is None:
            continue
        eval_id, wrong = found
        path = paths[0]
        for name, evals in zip(paths, whole.sources, strict=True):
            if eval_id in evals.get(system, ()):
                path = name
        what = f"eval {eval_id} of system {system} under {label}: {wrong}"
        raise _damaged(what, files.place(path))


def _read(path: str) -> Parts:
    """Read a part; raise RougeError with the line if it is damaged or incomplete."""
    head: part_lines.Head | None = None
    systems: dict[str, Columns] = {}
    totals: dict[str, Totals] = {}
    is_ended = False
    digest = sha256()
    for number, line in files.lines(path, _ROLE):
        where = f"{files.place(path)}:{number}"
        if is_ended:
            raise _damaged("a line after the end of the part", where)
        try:
            fields = part_lines.parse(line)
            if head is None:
                head = part_lines.head_of(fields)
            elif "end" in fields.record:
                is_ended = True
            elif head.collected.totals is not None:
                part_lines.add_totals(totals, fields, head)
            else:
                system, columns = part_lines.results_of(fields, head)
                if system in systems:
                    systems[system].extend(columns)
                else:
                    systems[system] = columns
        except RougeError as error:
            raise checks.locate(error, where, _WHOLE) from None
        if is_ended and fields.record != part_lines.end_of(digest.hexdigest()):
            raise _damaged("changed since it was written: its digest differs", where)
        digest.update(line + b"\n")
    where = files.place(path)
    if head is None:
        raise RougeError(
            "empty file; expected the output of `score --counts`", where=where
        )
    if not is_ended:
        raise _damaged("incomplete part: no last line", where)
    collected = head.collected._replace(systems={**systems, **totals})
    _check_complete(collected.systems, head, where)
    if collected.totals is None:
        number = len(_ids(collected))
    else:  # at least the evals of a system; other evals may have no result
        number = max([collected.evals, *head.sizes.values()])
    if number != collected.evals:
        what = f"states {collected.evals} evals, and has {number}"
        raise _damaged(what, where)
    return Parts(head.dialect, head.options, collected, head.version)


def _damaged(what: str, where: str) -> RougeError:
    return RougeError(what, where=where, remedy=_WHOLE)


def _check_complete(
    systems: Mapping[str, Columns | Totals], head: part_lines.Head, where: str
) -> None:
    """Raise RougeError if the results are not those that the first line states."""
    for system, size in head.sizes.items():
        columns = systems.get(system, Columns())
        if columns.size != size:
            what = (
                f"incomplete part: {columns.size} evals of system {system}, not {size}"
            )
            raise _damaged(what, where)
        if columns.repeated:
            raise _damaged(f"system {system} has an eval twice", where)
    if len(systems) != len(head.sizes):
        raise _damaged("results that the first line does not count", where)
