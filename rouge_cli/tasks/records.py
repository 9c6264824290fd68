"""Records with named columns: jsonl, json (an array of objects, or one object), csv and tsv.

    {"id": "doc1", "prediction": "a text", "references": ["a text", "another"]}

A prediction is a string, or a list of sentences. A column of references contains a string (one reference),
a list of strings (several references, or the sentences of one reference if the user says so) or a list of
lists (references with sentences). Tables (csv, tsv) begin with a line of column names. A cell may contain a
list as JSON. A table may have several columns of references; empty cells are ignored. Sentences are joined
by LF. References are called 1, 2, ...

Every record is an eval, and records are read one at a time. IDs are kept in memory, to find duplicates.
Whole records are kept only if several records make an eval: with a column of systems, and with several
files that have IDs.
"""

from __future__ import annotations

import json
from collections import Counter
from functools import partial
from itertools import chain, islice, tee, zip_longest
from typing import TYPE_CHECKING, NamedTuple

from rouge_cli import native
from rouge_cli.core import Document, EvalTask
from rouge_cli.errors import RougeError, all_of, combine
from rouge_cli.io import files
from rouge_cli.tasks import columns as by_name
from rouge_cli.tasks import kinds as input_kinds
from rouge_cli.tasks.kinds import csv, jsonl
from rouge_cli.tasks.streams import PackedTasks, Stream

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from rouge_cli.native._compiled import Extension
    from rouge_cli.tasks.columns import ColumnNames, InputRow

    Block = tuple[int, bytes]

_SHOWN = 10


class _File(NamedTuple):
    """An open file; rows that compiled code can read are evals already."""

    path: str
    kind: str
    system: str
    columns: ColumnNames
    rows: Iterator[InputRow | jsonl.JsonLine | PackedTasks]


def read(path: str, *, kind: str, columns: ColumnNames, system: str, encoding: str = files.UTF8) -> Stream:
    """Return the evals of one file, which is read while they are consumed.

    An eval without ID is named by its line, in json by its number in the array. With a column of systems it
    is named by its number among the evals of its system. The stream raises RougeError with the lines (and
    columns) of up to ten errors.

    Args:
        kind: The name of a module in `kinds` that reads records.
        columns: The user's names.
        system: The system of the predictions, if there is no column of systems.
    """
    return Stream(_parts(path, kind, columns, system, encoding))


def _parts(
    path: str, kind: str, columns: ColumnNames, system: str, encoding: str
) -> Iterator[EvalTask | PackedTasks]:
    file = _open(path, kind, columns, system, encoding)
    tasks = _tasks(file, by_place=bool(file.columns.system))
    if file.columns.system:
        yield from _group(tasks)
    elif file.columns.id:
        yield from _check_distinct(tasks)
    else:
        yield from tasks.parts


def read_several(
    paths: Mapping[str, str],
    *,
    kinds: Mapping[str, str],
    columns: ColumnNames,
    encoding: str = files.UTF8,
) -> Iterator[EvalTask]:
    """Yield the evals of several files, one file per system; all must have the same references.

    Records with the same ID are one eval. If no file has IDs, records with the same number are one eval.

    Args:
        paths: System -> path.
        kinds: System -> kind.
    """
    files.check_stdin(paths.values())
    files_ = all_of(
        partial(_open, path, kinds[system], columns, system, encoding) for system, path in paths.items()
    )
    opened = dict(zip(paths, files_, strict=True))
    with_ids = [file for file in opened.values() if file.columns.id]
    without = [file for file in opened.values() if not file.columns.id]
    if with_ids and without:
        raise RougeError(
            f"no column of ids, but {files.place(with_ids[0].path)} has {with_ids[0].columns.id}",
            where=files.place(without[0].path),
            remedy="name it with --id-column, or give --id-column '' to match records by place",
        )
    streams = [_tasks(file, by_place=True) for file in opened.values()]
    if with_ids or any(file.columns.system for file in without):
        yield from _group(chain.from_iterable(streams))
    else:
        yield from _align(streams, [files.place(path) for path in paths.values()])


def _open(path: str, kind: str, request: ColumnNames, system: str, encoding: str) -> _File:
    """Open a file and determine its columns from the first record.

    Raises:
        RougeError: If the file has no record.
    """
    module, place = input_kinds.named(kind), files.place(path)
    rows: Iterator[InputRow | jsonl.JsonLine | PackedTasks]
    if module is jsonl:
        blocks, ahead = tee(files.blocks(path, by_name.ROLE, encoding))
        columns, _ = _columns(jsonl.lines(ahead, place), path, request)
        rows = _pack_jsonl(blocks, place, columns, system)
    elif hasattr(module, "DELIMITER"):
        blocks, ahead = tee(files.blocks(path, by_name.ROLE, encoding))
        columns, names = _columns(csv.parse(ahead, place, module.DELIMITER), path, request)
        rows = _pack_table(blocks, place, module.DELIMITER, names, columns, system)
    else:
        rows, rows_ahead = tee(module.rows(path, encoding))
        columns, _ = _columns(rows_ahead, path, request)
    return _File(path, kind, system, columns, rows)


def _columns(
    rows: Iterator[InputRow | jsonl.JsonLine], path: str, request: ColumnNames
) -> tuple[ColumnNames, list[str]]:
    """Return the columns to read, and all columns, of the first valid record; raise RougeError if none."""
    errors: list[RougeError] = []
    for row in islice(rows, _SHOWN):
        record = row.record
        if not isinstance(record, RougeError):
            where = f"{files.place(path)}:{row.line}"
            nested = by_name.add_nested(record, request.names())
            return by_name.find_columns(nested, request, where), list(record)
        errors.append(record)
    if errors:
        raise combine(errors)
    raise RougeError("no record in it", where=files.place(path))


def _tasks(file: _File, *, by_place: bool) -> Stream:
    """Return one eval per record, up to the first invalid record; raise up to ten errors together.

    Args:
        by_place: Name evals without ID by their number among the evals of their system.
    """
    tasks = Stream(_valid(file))
    return Stream(_by_place(tasks)) if by_place and not file.columns.id else tasks


def _valid(file: _File) -> Iterator[EvalTask | PackedTasks]:
    errors: list[RougeError] = []
    for row in file.rows:
        try:
            task = row if isinstance(row, PackedTasks) else _task(file, row)
        except RougeError as error:
            errors.append(error)
            if len(errors) == _SHOWN:
                break
            continue
        if not errors:
            yield task
    if errors:
        raise combine(errors)


def _by_place(tasks: Iterable[EvalTask]) -> Iterator[EvalTask]:
    """Yield the tasks, named by their number among the tasks of their system."""
    numbers: Counter[str] = Counter()
    for task in tasks:
        (system, *_) = task.predictions
        numbers[system] += 1
        yield task._replace(eval_id=str(numbers[system]))


def _task(file: _File, row: InputRow | jsonl.JsonLine) -> EvalTask:
    where = f"{files.place(file.path)}:{row.line}"
    record, columns = row.record, file.columns
    if isinstance(record, RougeError):
        raise record
    record = by_name.add_nested(record, columns.names())
    missing = [name for name in columns.names() if name is not None and name not in record]
    if missing:
        raise RougeError(
            f"no column {', '.join(map(repr, missing))}; there are {by_name.list_names(list(record))}",
            where=where,
        )
    is_table = hasattr(input_kinds.named(file.kind), "CELLS_ARE_TEXT")
    values = {
        name: _cell(record[name]) if is_table else record[name]
        for name in (*columns.predictions, *columns.references)
    }
    by_name.check_lists(values, columns, where)
    predictions = {name: _text(values[name], name, where) for name in columns.predictions}
    if len(predictions) == 1:
        (text,) = predictions.values()
        predictions = {
            _name(record[columns.system], columns.system, where) if columns.system else file.system: text
        }
    are_sentences = columns.lists == by_name.SENTENCES
    texts = [
        text
        for name in columns.references
        for text in _references(values[name], name, where, are_sentences=are_sentences)
    ]
    if is_table and len(columns.references) > 1:
        texts = [text for text in texts if text]
    if not texts:
        raise RougeError(f"no reference in {', '.join(columns.references)}", where=where)
    return EvalTask(
        _name(record[columns.id], columns.id, where) if columns.id else str(row.number),
        {system: Document(text, where) for system, text in predictions.items()},
        [(str(number), Document(text, where)) for number, text in enumerate(texts, 1)],
        "spl",
        where,
    )


def _cell(value: object) -> object:
    """Return the list of texts if a cell contains one as JSON, else the cell."""
    if not isinstance(value, str) or not value.lstrip().startswith("["):
        return value
    try:
        parsed = json.loads(value)
    except (ValueError, RecursionError):
        return value
    flat = chain.from_iterable(value if isinstance(value, list) else [value] for value in parsed)
    return parsed if all(isinstance(text, str) for text in flat) else value


def _references(value: object, name: str, where: str, *, are_sentences: bool) -> list[bytes]:
    """Return the texts of a column of references.

    Args:
        are_sentences: A list of strings contains the sentences of one reference.
    """
    if not isinstance(value, list) or (are_sentences and not any(isinstance(item, list) for item in value)):
        return [_text(value, name, where)]
    return [_text(item, name, where) for item in value]


def _text(value: object, name: str, where: str) -> bytes:
    """Return a text, with a list of sentences joined by LF; raise RougeError for other values."""
    sentences: list[str] = []
    for sentence in value if isinstance(value, list) else [value]:
        if not isinstance(sentence, str):
            raise RougeError(
                f"column {name!r} contains {by_name.describe(sentence)}, not a text", where=where
            )
        sentences.append(sentence)
    try:
        return "\n".join(sentences).encode()
    except UnicodeEncodeError:
        raise RougeError(
            f"column {name!r} contains half a surrogate pair, which is not valid text", where=where
        ) from None


def _name(value: object, name: str, where: str) -> str:
    """Return an ID as text: strings unchanged, other values as JSON or (such as dates) as Python prints."""
    if isinstance(value, bytes):
        raise RougeError(f"column {name!r} contains {by_name.describe(value)}, not a name", where=where)
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False)
    except TypeError:
        return str(value)


LONGEST_ROW = 1 << 20  # bytes of a row of a table that compiled code tries to read


def _pack_jsonl(
    blocks: Iterable[Block], place: str, columns: ColumnNames, system: str
) -> Iterator[jsonl.JsonLine | PackedTasks]:
    """Yield the lines of jsonl that are not blank."""
    compiled = _compiled(columns)
    if not compiled or len(columns.references) != 1:
        yield from jsonl.lines(blocks, place)
        return
    (prediction,), (reference,) = columns.predictions, columns.references
    are_references = columns.lists != by_name.SENTENCES
    plain = compiled.PlainRecords(prediction, reference, columns.id or "", reads_lists=are_references)
    for number, block in blocks:
        start = 0
        while start < len(block):
            texts, start, number = plain.read(block, start, number)  # noqa: PLW2901
            if texts:
                yield PackedTasks(texts, [system], [place])
            if start < len(block):  # at a line of another kind
                end = block.find(b"\n", start) + 1 or len(block)
                yield from jsonl.lines([(number, block[start:end])], place)
                start = end
                number += 1  # noqa: PLW2901


def _pack_table(  # noqa: PLR0913, PLR0917 - the parts of a table
    blocks: Iterator[Block],
    place: str,
    delimiter: str,
    names: Sequence[str],
    columns: ColumnNames,
    system: str,
) -> Iterator[InputRow | PackedTasks]:
    """Yield the rows of a table; rows before the first row that compiled code cannot read are packed.

    Args:
        names: The names of all columns.
    """
    compiled = _compiled(columns)
    if not compiled:
        yield from csv.parse(blocks, place, delimiter)
        return
    prediction, *references = (names.index(name) for name in (*columns.predictions, *columns.references))
    eval_id = names.index(columns.id) if columns.id else len(names)
    plain = compiled.PlainTable(delimiter, len(names), prediction, references, eval_id)
    number, rest = 1, b""
    for _, block in blocks:
        rest += block
        texts, start, number = plain.read(rest, 0, number)
        if texts:
            yield PackedTasks(texts, [system], [place])
        rest = rest[start:]
        # Read the next block only if a row is incomplete, so that errors come in the order of lines.
        if rest and (not plain.is_incomplete or len(rest) > LONGEST_ROW):
            break
    others = chain([(number, rest)], blocks)
    yield from csv.parse(others, place, delimiter, names if plain.has_names else ())


def _compiled(columns: ColumnNames) -> Extension | None:
    """Return the compiled code, or None if it cannot read evals with these columns."""
    return None if columns.system or len(columns.predictions) != 1 else native.extension()


def _check_distinct(tasks: Stream) -> Iterator[EvalTask | PackedTasks]:
    """Yield the stream's parts unchanged; raise RougeError if an ID occurs twice."""
    seen: dict[str, str | int] = {}  # ID -> FILE:LINE of its first record, or only the line
    for part in tasks.parts:
        if not isinstance(part, PackedTasks):
            _check_new(part, seen)
            yield part
        elif len({*part.ids}) == len(part) and seen.keys().isdisjoint(part.ids):
            seen.update(zip(part.ids, part.lines, strict=True))
            yield part
        else:
            for task in part:
                _check_new(task, seen)
                yield task


def _check_new(task: EvalTask, seen: dict[str, str | int]) -> None:
    before = seen.setdefault(task.eval_id, task.where)
    if isinstance(before, int):
        before = f"{task.where.rpartition(':')[0]}:{before}"
    if before is not task.where:
        raise _twice(task, next(iter(task.predictions)), before)


def _twice(task: EvalTask, system: str, before: str) -> RougeError:
    return RougeError(
        f"eval {task.eval_id} of system {system} occurs twice; first at {before}",
        where=task.where,
    )


def _group(tasks: Iterable[EvalTask]) -> Iterator[EvalTask]:
    """Merge the tasks with equal IDs, in the order of first occurrence; all tasks are kept in memory."""
    evals: dict[str, EvalTask] = {}
    for task in tasks:
        eval_ = evals.get(task.eval_id)
        evals[task.eval_id] = task if eval_ is None else _merge(eval_, task)
    yield from evals.values()


def _merge(first: EvalTask, second: EvalTask) -> EvalTask:
    """Merge two tasks of one eval, which must have the same references and no common system."""
    for system in second.predictions:
        before = first.predictions.get(system)
        if isinstance(before, Document):
            raise _twice(second, system, before.where)
    if _reference_texts(first) != _reference_texts(second):
        raise RougeError(
            f"eval {first.eval_id} has other references than at {first.where}",
            where=second.where,
            remedy="give all systems of an eval the same references, or score the records of each system "
            "by themselves with --per-eval, and compare what that saves",
        )
    return first._replace(predictions={**first.predictions, **second.predictions})


def _reference_texts(task: EvalTask) -> list[str | bytes]:
    return [source.data if isinstance(source, Document) else source for _, source in task.references]


def _align(streams: Sequence[Iterator[EvalTask]], places: Sequence[str]) -> Iterator[EvalTask]:
    """Merge the n-th tasks of all streams, and name the result by its number.

    Raises:
        RougeError: If the numbers of records differ.
    """
    for number, row in enumerate(zip_longest(*streams), 1):
        if None in row:
            more = next(task.where for task in row if task)
            raise RougeError(
                f"{number - 1} record{'' if number == 2 else 's'}, but {more} is another",
                where=places[row.index(None)],
                remedy="give all files the same records, or ids (--id-column)",
            )
        joined = row[0]._replace(eval_id=str(number))
        for task in row[1:]:
            joined = _merge(joined, task)
        yield joined
