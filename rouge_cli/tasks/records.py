"""Records with named columns: jsonl, json (an array of objects, or one object), csv and
tsv.

    {"id": "doc1", "prediction": "a text", "references": ["a text", "another"]}

A prediction is a string, or a list of sentences. A column of references contains a
string (one reference), a list of strings (several references, or the sentences of one
reference; see `columns`) or a list of lists (references with sentences). Tables
(csv, tsv) begin with a line of column names. A cell may contain a list as JSON. A table
may have several columns of references; empty cells are ignored. Sentences are joined by
LF. References are called 1, 2, ...

Pandas writes `nan` or `None` for a missing text. Such a cell of a text is read as an
empty cell, and a notice has their number.

Every record is an eval, and records are read one at a time. IDs are kept in memory, to
find duplicates, and whole records if several make an eval: with a column of systems,
and with several files that have IDs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice, zip_longest
from typing import Any, NamedTuple

from rouge_cli.core import Document, EvalTask, Notify, ignore_notice, once
from rouge_cli.errors import (
    ErrorGroup,
    RougeError,
    all_of,
    raise_all,
    until_error,
)
from rouge_cli.io import files
from rouge_cli.io.spans import LineSpan
from rouge_cli.tasks import cells, finding, repeats
from rouge_cli.tasks import columns as by_name
from rouge_cli.tasks import kinds as input_kinds
from rouge_cli.tasks.columns import ColumnNames, InputRow, TextCells
from rouge_cli.tasks.finding import NoColumn
from rouge_cli.tasks.kinds import AS_USUAL, RecordLayout, _tables
from rouge_cli.tasks.kinds.parquet import Groups
from rouge_cli.tasks.streams import Batch, Lookahead, Stream, parts_of, task_of
from rouge_cli.twins import twin

SHOWN = 10  # errors of a file that are raised together


class KnownPart(NamedTuple):
    """A part of a file whose columns another process has found."""

    columns: ColumnNames
    names: Sequence[str]  # of all columns
    lines: LineSpan | None  # the lines to read, of a kind that has `parse`
    rows: Groups | None  # the rows to read, of parquet


class RecordReading(NamedTuple):
    """How files of records are read."""

    request: ColumnNames = ColumnNames()
    layout: RecordLayout = AS_USUAL
    encoding: str = files.UTF8
    # Receives what is stated of columns that were found by weak names, and of cells
    notify: Notify = ignore_notice
    part: KnownPart | None = None  # what to read of a file; None for all
    # True to refuse an ID that occurs twice in a file
    remembers_ids: bool = True


def read(
    paths: Mapping[str, str],
    kinds: Mapping[str, str],
    reading: RecordReading,
    *,
    apart: bool = False,
) -> Stream:
    """Return the evals of one file, or of several files of different systems with the
    same references.

    Files are read while their evals are consumed. The stream raises RougeError with the
    lines (and columns) of up to ten errors.

    An eval without ID is named by its line, in json by its number in the array. With a
    column of systems it is named by its number among the evals of its system. In
    several files, records with the same ID are one eval; if no file has IDs, records
    with the same number are.

    Args:
        paths: System -> path. The system is ignored if there is a column of systems.
        kinds: System -> the name of a module in `kinds` that reads records.
        reading: How all files are read.
        apart: Yield the systems of an eval that have other references as an eval of the
            same ID, instead of an error.
    """
    # Files of several systems have the same columns, usually.
    reading = reading._replace(notify=once(reading.notify))
    steps = []
    for system, path in paths.items():
        first, *others = _tables.files_of(path) or [path]
        steps.append(
            partial(RecordFile, first, kinds[system], system, reading, others=others)
        )
    return Stream(_parts(paths, steps, apart=apart))


def _parts(
    paths: Mapping[str, str], steps: Iterable[Callable[[], RecordFile]], *, apart: bool
) -> Iterator[EvalTask | Batch]:
    files.check_stdin(paths.values())
    try:
        opened = all_of(steps)
    except ErrorGroup as error:
        if len(paths) > 1 and all(
            isinstance(cause, NoColumn) for cause in error.errors
        ):
            remedy = "give --pred FILE --ref FILE"
            what = "predictions and references may be in files of their own"
            raise ErrorGroup([*error.errors, RougeError(what, remedy=remedy)]) from None
        raise
    with_ids = [file for file in opened if file.columns.id]
    without = [file for file in opened if not file.columns.id]
    if with_ids and without:
        what = f"no column of ids, but {with_ids[0].place} has {with_ids[0].columns.id}"
        remedy = (
            "name it with --id-column, or give --id-column '' to match records by place"
        )
        raise RougeError(what, where=without[0].place, remedy=remedy)
    has_systems = any(file.columns.system for file in opened)
    if len(opened) == 1 and not has_systems:
        parts = opened[0].parts()
        if with_ids and opened[0].reading.remembers_ids:
            parts = _check_distinct(parts)
        yield from parts
    elif with_ids or has_systems:
        # An error in any record comes before all evals, and other records may belong to
        # any of these.
        same: list[EvalTask | Batch] = []
        if not has_systems:
            same += _in_step(opened)
            if all(file.is_read() for file in opened):
                yield from same
                return
        by_file = [
            Lookahead(part) for part in (same, *(file.rest() for file in opened))
        ]
        yield from grouped(by_file, have_ids=bool(with_ids), apart=apart)
    else:
        yield from _align(opened, apart=apart)


class RecordFile:
    """An open file, whose columns follow from its first record; raises RougeError if
    it has none.

    Args:
        path: The file.
        kind: The name of a module in `kinds` that reads records.
        system: The system of its records, unless they name theirs.
        reading: How it is read.
        others: Files that continue it, each of which is opened when it is read.
        before: The number of the last record before its first, without IDs.
    """

    def __init__(  # noqa: PLR0913 - each is independent of the others
        self,
        path: str,
        kind: str,
        system: str,
        reading: RecordReading,
        *,
        others: Sequence[str] = (),
        before: int = 0,
    ) -> None:
        self.kind = kind
        self.reading = reading
        self.others = others
        self.before = before
        self.last = before  # the number of the last record that was read
        self.place = files.place(path)
        self.system = system
        self.missing = cells.MissingCells(self.place, reading.notify)
        module = input_kinds.named(kind)
        layout = reading.layout
        self.is_table = hasattr(module, "CELLS_ARE_TEXT")  # a list is JSON in a cell
        # What is between the cells of a table; empty for other kinds
        self.delimiter = str(layout.delimiter or getattr(module, "DELIMITER", ""))
        self.has_names = not layout.no_header
        part = reading.part
        self.is_begun = False  # True if the line of names of a table is not read

        # None for json and kinds of other packages, which are read at once
        self.parse: Callable[..., Iterator[InputRow]] | None = None
        stated = layout.of_kind(kind)
        if hasattr(module, "parse"):
            self.parse = partial(module.parse, **stated)
            span = part.lines if part else None
            if part and span and span.first > 1 and self.is_table:
                self.parse = partial(self.parse, names=part.names)
                self.is_begun = True
            # Blocks of lines, unless the kind has others
            if hasattr(module, "blocks"):
                blocks = module.blocks(path, part.rows if part else None)
            else:
                blocks = files.blocks(path, by_name.ROLE, reading.encoding, span)
            read: Lookahead[Any] = Lookahead(blocks)
            first = self.parse(read.ahead(), self.place)
        else:
            read = Lookahead(module.rows(path, reading.encoding, **stated))
            first = read.ahead()
        self.names: Sequence[str] = part.names if part else ()  # of all columns
        self.columns = part.columns if part else self._columns(first, reading)

        self._rows = rows_of(self, read)
        # Of what was read, to be raised after the evals before
        self._errors: list[RougeError] = []
        self._unread = until_error(self.parts(), self._errors)
        self._head: Sequence[EvalTask] = ()  # what was read, but not taken

    @property
    def lists_are_sentences(self) -> bool:
        """True if a list of strings in a column of references is one reference."""
        return self.columns.lists == by_name.SENTENCES

    def _columns(self, rows: Iterator[InputRow], reading: RecordReading) -> ColumnNames:
        """Return the columns to read, and note the names of all, by the first valid
        record.
        """
        errors: list[RougeError] = []
        for row in islice(rows, SHOWN):
            if not isinstance(row.record, RougeError):
                self.names = list(row.record)
                request = reading.request
                nested = by_name.add_nested(row.record, request.names())
                where = f"{self.place}:{row.line}"
                chosen = finding.find_columns(nested, request, where, reading.notify)
                return self._with_lists(nested, rows, chosen, reading.notify)
            errors.append(row.record)
        raise_all(errors)
        raise RougeError("no record in it", where=self.place)

    def _with_lists(
        self,
        record: Mapping[str, object],
        rows: Iterator[InputRow],
        columns: ColumnNames,
        notify: Notify,
    ) -> ColumnNames:
        """Return the columns with the meaning of lists, by the first records; only the
        first if it has no list.
        """
        sample = [self._cells(record, columns)]
        has_lists = any(isinstance(value, list) for value in sample[0].references)
        if not has_lists or columns.lists is not None:
            return columns
        others = (row.record for row in islice(rows, by_name.SAMPLE - 1))
        sample += [
            self._cells(other, columns)
            for other in others
            if not isinstance(other, RougeError)
        ]
        return by_name.decide_lists(sample, columns, self.place, notify)

    def _cells(self, record: Mapping[str, object], columns: ColumnNames) -> TextCells:
        """Return the values of the columns of texts, without those that it lacks."""
        nested = by_name.add_nested(record, columns.names())
        values = []
        for names in (columns.predictions, columns.references):
            found = [nested[name] for name in names if name in nested]
            if self.is_table:
                found = list(map(cells.cell_of, found))
            values.append(found)
        return TextCells(*values)

    def head(self) -> Sequence[EvalTask]:
        """Return the next evals, which remain the next until they are taken: a batch,
        or a single one; empty at the end of the file, or at an error.
        """
        if not self._head:
            for part in islice(self._unread, 1):
                self._head = part if isinstance(part, Batch) else [part]
        return self._head

    def take(self, number: int) -> None:
        """Take so many evals of the head."""
        self._head = self._head[number:]

    def is_read(self) -> bool:
        """Return True if there is neither another eval nor an error."""
        return not self.head() and not self._errors

    def rest(self) -> Iterator[EvalTask | Batch]:
        """Take and yield what was not taken: an eval per record, or batches. Raise the
        errors after them.
        """
        while head := self.head():
            self.take(len(head))
            yield from parts_of(head)
        raise_all(self._errors)

    def tasks(self) -> Iterator[EvalTask]:
        """Take and yield an eval per record; raise the errors after them."""
        return _evals_of(self.rest())

    def parts(self) -> Iterator[EvalTask | Batch]:
        """Yield an eval per record, up to the first invalid record; raise up to ten
        errors together.
        """
        errors: list[RougeError] = []
        for row in self._rows:
            try:
                if isinstance(row, Batch):
                    task: EvalTask | Batch = row
                    self.last = self.before + row.lines[-1]
                else:
                    task = self._task(row)
                    self.last = self.before + row.number
            except RougeError as error:
                errors.append(error)
                if len(errors) == SHOWN:
                    break
                continue
            if not errors:
                yield task
        raise_all(errors)
        self.missing.report()
        if self.others:
            yield from self._continued()

    def _continued(self) -> Iterator[EvalTask | Batch]:
        """Yield the records of the files that continue this one."""
        path, *others = self.others
        file = RecordFile(
            path,
            self.kind,
            self.system,
            self.reading,
            others=others,
            before=self.last,
        )
        for role in ("id", "system"):
            ours, theirs = getattr(self.columns, role), getattr(file.columns, role)
            if bool(ours) != bool(theirs):
                has, lacks = (self, file) if ours else (file, self)
                what = f"no column {ours or theirs!r}, which {has.place} has"
                remedy = "the files of one table need the same columns"
                raise RougeError(what, where=lacks.place, remedy=remedy)
        yield from file.rest()

    def _task(self, row: InputRow) -> EvalTask:
        where, columns = f"{self.place}:{row.line}", self.columns
        record = cells.record_of(row, columns, where)
        values = self.missing.texts(record, columns, row.line, is_table=self.is_table)
        by_name.check_lists(values, columns, where)
        predictions = cells.predictions_of(values, columns, where)
        systems = list(predictions)
        if len(systems) == 1:
            systems = [self.system]
            if columns.system:
                systems = [cells.name_of(record, columns.system, where)]
        references = cells.references_of(values, columns, where, is_table=self.is_table)
        eval_id = (
            cells.name_of(record, columns.id, where)
            if columns.id
            else str(self.before + row.number)
        )
        texts = [*predictions.values(), *references]
        task = task_of(eval_id, systems, texts, [f"{self.place}:"], row.line)
        source = cells.source_of(values, columns, where)
        if source is None:
            return task
        return task._replace(source=Document(source, where))


@twin
def rows_of(file: RecordFile, read: Iterator[Any]) -> Iterator[InputRow | Batch]:
    """Yield the rows of a file, or batches of evals that are made of them.

    Args:
        file: The file, of which the columns are known.
        read: What is read of the file: blocks if it has `parse`, else rows.
    """
    if file.parse:
        read = file.parse(read, file.place)
    yield from read


def _check_distinct(
    parts: Iterable[EvalTask | Batch],
) -> Iterator[EvalTask | Batch]:
    """Yield the parts unchanged; raise RougeError if an ID occurs twice."""
    seen: dict[str, object] = {}  # ID -> the line of its record
    # Place -> how many IDs were seen before the first of it: the place of every ID
    # would take much memory.
    starts: dict[str, int] = {}
    for part in parts:
        place, _, _ = (
            part.where(0) if isinstance(part, Batch) else part.where
        ).rpartition(":")
        starts.setdefault(place, len(seen))
        ids = part.ids if isinstance(part, Batch) else ()
        if (
            isinstance(part, Batch)
            and len({*ids}) == len(ids)
            and seen.keys().isdisjoint(ids)
        ):
            seen.update(zip(ids, part.lines, strict=True))
            yield part
            continue
        for task in part if isinstance(part, Batch) else [part]:
            if task.eval_id in seen:
                number = list(seen).index(task.eval_id)
                *_, before = (name for name in starts if starts[name] <= number)
                first = f"{before}:{seen[task.eval_id]}"
                raise _twice(task, next(iter(task.predictions)), first)
            _, _, line = task.where.rpartition(":")
            seen[task.eval_id] = line
            yield task


def _in_step(opened: Sequence[RecordFile]) -> Iterator[Batch]:
    """Take and yield the first evals, which all files have in the same lines."""
    number = 0
    ids: set[str] = set()
    while True:
        heads = [file.head() for file in opened]
        batches = [head for head in heads if isinstance(head, Batch)]
        if len(batches) < len(heads):
            return
        tasks = batches[0].beside(batches[1:], number + 1)
        if opened[0].columns.id:
            ids.update(tasks.ids)
        if not tasks or 0 < len(ids) < number + len(tasks):
            return
        number += len(tasks)
        for file in opened:
            file.take(len(tasks))
        yield tasks


def _twice(task: EvalTask, system: str, before: str) -> RougeError:
    what = f"eval {task.eval_id} of system {system} occurs twice; first at {before}"
    remedy = repeats.remedy(before, task.where)
    return RougeError(what, where=task.where, remedy=remedy)


@twin
def grouped(
    by_file: Sequence[Lookahead[EvalTask | Batch]], *, have_ids: bool, apart: bool
) -> Iterator[EvalTask | Batch]:
    """Merge the records of evals, in the order of first occurrence. All records are
    kept in memory.

    The systems of each eval are in the order in which the evals name them first.

    Args:
        by_file: The records of each file, as evals or batches.
        have_ids: False if an eval is named by its number among those of its system in
            the file.
        apart: Records with other references are another eval of the same ID, instead
            of an error.
    """
    tasks = chain.from_iterable(map(_evals_of, by_file))
    if not have_ids:
        tasks = chain.from_iterable(_numbered(_evals_of(file)) for file in by_file)
    evals = list(_group(tasks, apart=apart))
    order = dict.fromkeys(chain.from_iterable(task.predictions for task in evals))
    for task in evals:
        predictions = {
            system: task.predictions[system]
            for system in order
            if system in task.predictions
        }
        yield task._replace(predictions=predictions)


def _evals_of(parts: Iterable[EvalTask | Batch]) -> Iterator[EvalTask]:
    for part in parts:
        yield from part if isinstance(part, Batch) else [part]


def _numbered(tasks: Iterable[EvalTask]) -> Iterator[EvalTask]:
    """Yield the evals of one system each, named by their numbers among its evals."""
    numbers: Counter[str] = Counter()
    for task in tasks:
        system, *_ = task.predictions
        numbers[system] += 1
        yield task._replace(eval_id=str(numbers[system]))


def _group(tasks: Iterable[EvalTask], *, apart: bool) -> Iterator[EvalTask]:
    """Merge the tasks with equal IDs, in the order of first occurrence; all tasks are
    kept in memory.

    They must have the same references and no common system.
    """
    evals: dict[tuple[str | bytes, ...], EvalTask] = {}
    for task in tasks:
        key = (task.eval_id, *(_reference_texts(task) if apart else ()))
        first = evals.setdefault(key, task)
        if first is task:
            continue
        for system in task.predictions:
            before = first.predictions.get(system)
            if isinstance(before, Document):
                raise _twice(task, system, before.where)
        if _reference_texts(first) != _reference_texts(task):
            what = f"eval {task.eval_id} has other references than at {first.where}"
            remedy = (
                "give all systems of an eval the same references, or score the records"
                " of each system"
            )
            remedy += " by themselves with --per-eval, and compare what that saves"
            raise RougeError(what, where=task.where, remedy=remedy)
        if _source_text(first) != _source_text(task):
            raise RougeError(
                f"eval {task.eval_id} has another source than at {first.where}",
                where=task.where,
                remedy="give all systems of an eval the same source",
            )
        evals[key] = first._replace(
            predictions={**first.predictions, **task.predictions}
        )
    yield from evals.values()


def _reference_texts(task: EvalTask) -> list[str | bytes]:
    texts: list[str | bytes] = []
    for _, source in task.references:
        texts.append(source.data if isinstance(source, Document) else source)
    return texts


def _source_text(task: EvalTask) -> str | bytes | None:
    return task.source.data if isinstance(task.source, Document) else task.source


def _align(opened: Sequence[RecordFile], *, apart: bool) -> Iterator[EvalTask | Batch]:
    """Merge the n-th tasks of all files; raise RougeError if the numbers of records
    differ.
    """
    number = 0
    for batch in _in_step(opened):
        number += len(batch)
        yield batch
    for row in zip_longest(*(file.tasks() for file in opened)):
        if None in row:
            more = next(task.where for task in row if task)
            what = f"{number} record{'' if number == 1 else 's'}, but {more} is another"
            remedy = "give all files the same records, or ids (--id-column)"
            raise RougeError(what, where=opened[row.index(None)].place, remedy=remedy)
        number += 1
        numbered = [task._replace(eval_id=str(number)) for task in row]
        yield from _group(numbered, apart=apart)
