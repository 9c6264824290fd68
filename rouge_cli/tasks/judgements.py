"""Human scores of summaries: csv, tsv, jsonl or json with named columns, or tables as
in AESOP.

    eval,system,pyramid,responsiveness          D0901-A  17  0.412  5
    D0901,17,0.412,5                            D0901-A  18  0.387  4

In a table separated by white space the columns are eval, system and scores. It may have
a line of names and lines that begin with `#`. Without a column of evals (or with only
two columns) the scores belong to whole systems. An empty cell, or null, means that
nobody judged the summary.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import fsum
from typing import NamedTuple

from rouge_cli.core import Notice, Notify
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.io import files
from rouge_cli.tasks import columns, containers, finding, kinds
from rouge_cli.tasks.columns import InputRow, describe, header

_ROLE = "human scores"
MOST = 1e15
_MISSING = "NA"  # nobody judged the summary
_MAPPING = "pass system -> score, or system -> eval -> score"
_TABLE = "write EVAL SYSTEM SCORE..., or SYSTEM SCORE in a line"

# System -> its score, or eval -> score; or a table with these columns.
Human = Mapping[str, float | Mapping[str, float]] | containers.Table


class Judgements(NamedTuple):
    """The human scores of one measure."""

    name: str
    # System -> eval -> score; eval None for whole systems
    scores: Mapping[str, Mapping[str | None, float]]


def read(
    source: str | Iterable[InputRow],
    names: Sequence[str] = (),
    *,
    id_column: str | None = None,
    system_column: str | None = None,
    encoding: str = files.UTF8,
) -> list[Judgements]:
    """Return the measures of a file, or of rows in memory.

    `names` are the columns of scores (default: all columns but eval and system).

    Raises:
        RougeError: If a value is not a score, or a summary has two scores. The error
            has the line.
    """
    where = files.place(source) if isinstance(source, str) else "human"
    measures: dict[str, dict[str, dict[str | None, float]]] = {}
    places: dict[tuple[str | None, str], int] = {}
    eval_column: str | None = None
    for _, line, record in _rows(source, encoding, [id_column, system_column, *names]):
        here = f"{where}:{line}"
        if not measures:
            finder = finding.Finder(record, [id_column, system_column], here)
            if not system_column:
                systems = finder.single("--system-column", "systems", "judged_systems")
                (system_column,) = systems or finder.no_column(
                    "systems", "--system-column", list(record)
                )
            eval_column = id_column or next(
                iter(finder.single("--id-column", "ids", "judged_ids")), None
            )
            missing = [name for name in names if name not in record]
            if missing:
                there_are = columns.list_names(list(record))
                what = (
                    f"no column {missing[0]!r} of human scores; there are {there_are}"
                )
                raise UsageError(what, where=here)
        # A record may have a measure that the first record lacks.
        others = [name for name in record if name not in {eval_column, system_column}]
        for name in names or others:
            measures.setdefault(name, {})
        if not measures:
            raise RougeError("no column of human scores", where=here)
        system = _name(record, str(system_column), here)
        eval_id = _name(record, eval_column, here) if eval_column else None
        before = places.setdefault((eval_id, system), line)
        if before != line:
            summary = f"system {system}"
            if eval_column:
                summary = f"eval {eval_id}, {summary}"
            remedy = "average several judgements of one summary beforehand"
            raise RougeError(
                f"{summary} occurs twice; first in line {before}",
                where=here,
                remedy=remedy,
            )
        for name, by_system in measures.items():
            value = record.get(name)
            if value is None:
                continue
            if isinstance(value, str) and value.strip() in {"", _MISSING}:
                continue
            score = _number(value)
            if score is None:
                remedy = "name the columns of scores: --human-score NAME"
                raise RougeError(
                    f"{name} is {describe(value)}, not a score",
                    where=here,
                    remedy=remedy,
                )
            by_system.setdefault(system, {})[eval_id] = score
    empty = [name for name, by_system in measures.items() if not by_system]
    if len(empty) == len(measures) or (names and empty):
        column = f" in column {empty[0]}" if empty else ""
        raise RougeError(f"no human scores{column}", where=where, remedy=_TABLE)
    return [
        Judgements(name, by_system) for name, by_system in measures.items() if by_system
    ]


def mean(measures: Sequence[Judgements], notify: Notify) -> Judgements:
    """Return the mean of measures, as of annotators, over those that a summary has;
    warn if some summaries lack one.

    Raises:
        UsageError: There is one measure only.
    """
    if len(measures) < 2:
        raise UsageError(
            f"human {measures[0].name} alone has no mean",
            remedy="name two or more columns of human scores, or leave the mean out",
        )
    by_summary: dict[tuple[str, str | None], list[float]] = {}
    for measure in measures:
        for system, by_eval in measure.scores.items():
            for eval_id, score in by_eval.items():
                by_summary.setdefault((system, eval_id), []).append(score)
    means: dict[str, dict[str | None, float]] = {}
    incomplete = 0
    for (system, eval_id), scores in by_summary.items():
        means.setdefault(system, {})[eval_id] = fsum(scores) / len(scores)
        incomplete += len(scores) < len(measures)
    name = f"mean of {len(measures)}"
    if incomplete:
        what = f"{incomplete} of {len(by_summary)} summaries lack some of the scores"
        notify(Notice(f"human {name}: {what}; the mean is of the others"))
    return Judgements(name, means)


def read_clusters(
    paths: Sequence[str],
    column: str,
    id_column: str | None = None,
    encoding: str = files.UTF8,
    what: str = "clusters",
) -> dict[str, str]:
    """Return eval ID, or number of the row -> cluster, a column; raise RougeError
    for none, or for two. `what` the column has, for messages.
    """
    clusters: dict[str, str] = {}
    for path in paths:
        eval_column: str | None = None
        is_first = True
        for number, line, record in _rows(path, encoding, [id_column, column]):
            here = f"{files.place(path)}:{line}"
            if is_first:
                finder = finding.Finder(record, (id_column, column), here)
                ids = finder.single("--id-column", "ids") or finder.single(
                    "--id-column", "judged_ids"
                )
                eval_column = id_column or next(iter(ids), None)
                is_first = False
            eval_id = _name(record, eval_column, here) if eval_column else str(number)
            cluster = _name(record, column, here)
            before = clusters.setdefault(eval_id, cluster)
            if before != cluster:
                raise RougeError(
                    f"eval {eval_id} is in the {what} {before} and {cluster}",
                    where=here,
                )
    return clusters


def of_human(
    human: object,
    names: Sequence[str] = (),
    *,
    encoding: str = files.UTF8,
    **place: str | None,
) -> list[Judgements]:
    """Return the measures of a mapping (`of_mapping`), or of a path, a data frame or
    records (`read`).
    """
    if isinstance(human, Mapping):
        return [of_mapping(human)]
    if isinstance(human, str | os.PathLike):
        return read(os.fspath(human), names, encoding=encoding, **place)
    rows = containers.rows(human)
    if rows is not None:
        return read(rows, names, encoding=encoding, **place)
    remedy = (
        "pass a table (a path, a data frame or records), or a mapping from system to"
        " score"
    )
    raise UsageError(
        f"human must be a path or a mapping, not {type(human).__name__}", remedy=remedy
    )


def of_mapping(scores: Mapping[str, object]) -> Judgements:
    """Make the measure `human` of a mapping system -> score, or system -> eval ->
    score.

    None, or a number that is not finite, means that nobody judged the summary. Raise
    RougeError if another value is not a score, or if the mapping mixes both forms.
    """
    by_system: dict[str, dict[str | None, float]] = {}
    nested = {isinstance(value, Mapping) for value in scores.values()}
    if len(nested) != 1:
        what = "no human scores"
        if nested:
            what = "human scores of systems mixed with those of evals"
        raise RougeError(what, remedy=_MAPPING)
    for system, value in scores.items():
        by_eval = value if isinstance(value, Mapping) else {None: value}
        for eval_id, score in by_eval.items():
            if score is None:
                continue
            number = _plain_number(score)
            if number is None:
                if score != score:  # noqa: PLR0124 - nan
                    continue
                what = f"human score of {system} is {describe(score)}, not a score"
                raise RougeError(what, remedy=_MAPPING)
            name = None if eval_id is None else str(eval_id)
            by_system.setdefault(str(system), {})[name] = number
    if not by_system:
        raise RougeError("no human scores", remedy=_MAPPING)
    return Judgements("human", by_system)


def _rows(
    source: str | Iterable[InputRow], encoding: str, names: Sequence[str | None]
) -> Iterator[tuple[int, int, Mapping[str, object]]]:
    """Yield number, line and record of each row, with the values of nested names;
    raise a row's error.
    """
    if isinstance(source, str):
        kind = kinds.detect(source)
        if kind == kinds.LIST and b"," in files.head(source, _ROLE).partition(b"\n")[0]:
            kind = "csv"
        if kind == "settings":
            raise RougeError(
                "XML instead of human scores", where=files.place(source), remedy=_TABLE
            )
        if kind == kinds.LIST:
            rows: Iterable[InputRow] = _table(source, encoding)
        else:
            rows = kinds.named(kind).rows(source, encoding)
    else:
        rows = source
    for row in rows:
        if isinstance(row.record, RougeError):
            raise row.record
        yield row.number, row.line, columns.add_nested(row.record, names)


def _table(path: str, encoding: str) -> Iterator[InputRow]:
    """Yield the rows of a table separated by white space, with the names of its
    first line or defaults.
    """
    names: list[str] = []
    for number, line in files.lines(path, _ROLE, encoding):
        cells = line.decode().split()
        if not cells or cells[0].startswith("#"):
            continue
        where = f"{files.place(path)}:{number}"
        if not names:
            if len(cells) < 2:
                raise RougeError("one column alone", where=where, remedy=_TABLE)
            if _number(cells[-1]) is None and cells[-1] != _MISSING:
                names = header(cells, where)
                continue
            names = _default_names(len(cells))
        record: Mapping[str, object] | RougeError = dict(
            zip(names, cells, strict=False)
        )
        if len(cells) != len(names):
            record = RougeError(
                f"{len(cells)} columns, not {len(names)}", where=where, remedy=_TABLE
            )
        yield InputRow(number, number, record)


def _default_names(size: int) -> list[str]:
    """Return the names of the columns of a table with this number of columns."""
    if size == 2:
        return ["system", "score"]
    if size == 3:
        return ["eval", "system", "score"]
    scores = [f"score{number}" for number in range(1, size - 1)]
    return ["eval", "system", *scores]


def _name(record: Mapping[str, object], column: str, where: str) -> str:
    value = record.get(column)
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        raise RougeError(f"{column} is {describe(value)}, not a name", where=where)
    return str(value)


def _plain_number(value: object) -> float | None:
    """Return the value as `_number` does, if it is of Python or of numpy."""
    item = getattr(value, "item", None)
    return _number(item() if item else value)


def _number(value: object) -> float | None:
    """Return the value as a number; None if it is not a number, or out of range."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if abs(number) < MOST else None
