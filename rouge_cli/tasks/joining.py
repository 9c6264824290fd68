"""Predictions and references in files of their own: records, and lines beside them.

    predictions.jsonl   {"id": "doc1", "prediction": "a text"}
    references.csv      id,reference

Records of both sides are joined by ID if every file has IDs. Otherwise they are joined
by order, with a notice. An array of strings, an object of texts by ID, and lines of
text are records with nothing but a text. The files of a folder are read in natural
order, as if they were one file. If each has a single record without ID, its name is the
ID.

All texts are kept in memory, since either side may have any order.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import NamedTuple

from rouge_cli.core import Document, EvalTask, Notice, Notify
from rouge_cli.errors import RougeError, all_of, raise_all
from rouge_cli.io import files
from rouge_cli.tasks import cells, finding, kinds, lines, nesting, records
from rouge_cli.tasks import columns as by_name
from rouge_cli.tasks.columns import ColumnNames, InputRow
from rouge_cli.tasks.contents import PRED, ROLES, Operand
from rouge_cli.tasks.kinds.jsonl import BareValue
from rouge_cli.tasks.nesting import ID, TEXT
from rouge_cli.tasks.records import RecordReading
from rouge_cli.tasks.streams import SPL, Stream


class RecordTexts(NamedTuple):
    """The texts of a record: one prediction, or references."""

    eval_id: str | None  # None without a column of IDs
    texts: Sequence[bytes]
    where: str
    value: object  # of the column, before it became texts
    source: bytes | None = None  # what was summarized, beside references


class SourceTexts(NamedTuple):
    """The texts of a source."""

    place: str
    column: str  # of the texts
    has_ids: bool
    entries: Mapping[str, Sequence[RecordTexts]]  # by system; references have one list


def read(
    predictions: Sequence[Operand],
    references: Sequence[Operand],
    reading: RecordReading,
    source: Operand | None = None,
) -> Stream:
    """Return an eval for each prediction.

    Args:
        predictions: The files of predictions.
        references: The files of references.
        reading: How they are read. If it names a column of sources, references have it.
        source: The file of sources; None if they are in a column, or nowhere.

    The stream raises RougeError for invalid records, for a prediction without
    reference, and for different numbers of texts that are joined by order.
    """
    return Stream(_tasks(predictions, references, reading, source))


def _tasks(
    predictions: Sequence[Operand],
    references: Sequence[Operand],
    reading: RecordReading,
    source: Operand | None,
) -> Iterator[EvalTask]:
    operands = [*predictions, *references]
    if source:
        operands.append(source)
    files.check_stdin(chain.from_iterable(operand.files for operand in operands))
    of_systems = all_of(
        partial(_read_table, operand, reading) for operand in predictions
    )
    steps = [
        partial(_read_table, operand, reading, of_systems) for operand in references
    ]
    if source:  # joined as references are, and behind them
        request = reading.request._replace(references=())
        of_source = reading._replace(request=request)
        steps.append(partial(_read_table, source, of_source, of_systems))
    of_references = all_of(steps)
    tables = [*of_systems, *of_references]
    systems = _systems(of_systems)
    if all(table.has_ids for table in tables):
        evals = _by_id(systems, of_references, reading.notify)
    else:
        _check_numbers(systems, of_references)
        evals = _by_order(systems, of_references)
        without = [table.place for table in tables if not table.has_ids]
        if reading.request.id != "":
            has = "has" if len(without) == 1 else "have"
            reading.notify(
                Notice(
                    f"predictions and references are joined by order, since"
                    f" {by_name.list_names(without)} {has} no column of IDs"
                )
            )
    column_of = {system: table.column for system, table in systems.items()}
    reference_columns = [table.column for table in of_references]
    for joined in evals:
        for system, prediction in joined.predictions.items():
            references_by_column = zip(
                reference_columns, joined.references, strict=True
            )
            _check_lists(
                column_of[system], prediction, references_by_column, reading.request
            )
        yield _task(joined, has_source=source is not None)


class _Eval(NamedTuple):
    """Texts that were joined."""

    eval_id: str
    predictions: Mapping[str, RecordTexts]  # by system
    references: Sequence[RecordTexts | None]  # by file; None if it has none


def _task(joined: _Eval, *, has_source: bool) -> EvalTask:
    """Return the eval of joined texts.

    Args:
        joined: The texts.
        has_source: True if the last of the references is the source.
    """
    sources: list[Document] = []
    if has_source:
        *references, last = joined.references
        joined = joined._replace(references=references)
        if last is not None:
            sources.append(Document(last.texts[0], last.where))
    predictions = {}
    for system, entry in joined.predictions.items():
        predictions[system] = Document(entry.texts[0], entry.where)
    numbered: list[tuple[str, Document]] = []
    for reference in joined.references:
        if reference is None:
            continue
        for text in reference.texts:
            number = str(len(numbered) + 1)
            numbered.append((number, Document(text, reference.where)))
    for reference in joined.references:
        if reference is not None and reference.source is not None:
            sources.append(Document(reference.source, reference.where))
    return EvalTask(
        eval_id=joined.eval_id,
        predictions=predictions,
        references=numbered,
        input_format=SPL,
        where=next(iter(joined.predictions.values())).where,
        source=sources[0] if sources else None,
    )


def _systems(tables: Sequence[SourceTexts]) -> dict[str, SourceTexts]:
    """Return system -> its table; raise RougeError if two tables have a system."""
    systems: dict[str, SourceTexts] = {}
    for table in tables:
        for system in table.entries:
            if system in systems:
                raise RougeError(
                    f"system {system} is in {systems[system].place}, too",
                    where=table.place,
                    remedy="name each system in one file only",
                )
            systems[system] = table
    return systems


def _by_id(
    systems: Mapping[str, SourceTexts],
    references: Sequence[SourceTexts],
    notify: Notify,
) -> list[_Eval]:
    """Join by ID, in the order of the first predictions; name what one side lacks."""
    predicted = {
        system: _index(table.entries[system], f" of system {system}")
        for system, table in systems.items()
    }
    by_file = [_index(table.entries[""], "") for table in references]
    ids = list(dict.fromkeys(chain.from_iterable(predicted.values())))
    known = set(chain.from_iterable(by_file))
    places = by_name.list_names([table.place for table in references])
    alone = [eval_id for eval_id in ids if eval_id not in known]
    if len(alone) == len(ids):
        other = by_name.list_names(
            list(dict.fromkeys(chain.from_iterable(by_file)))[:3]
        )
        what = f"no ID of a prediction ({by_name.list_names(ids[:3])}) is in {places}"
        raise RougeError(
            f"{what}, which has {other}",
            where=next(iter(systems.values())).place,
            remedy="choose the column: --id-column NAME, or '' to join by order",
        )
    if alone:
        raise RougeError(
            f"no reference of {by_name.list_names(alone)}",
            where=places,
            remedy="add references, or remove these predictions",
        )
    _notify_missing(ids, known, systems, predicted, notify)
    for table, entries in zip(references, by_file, strict=True):
        lacking = [eval_id for eval_id in ids if eval_id not in entries]
        if lacking:
            notify(
                Notice(
                    f"{table.place}: no reference of {by_name.list_names(lacking)};"
                    " other files have them"
                )
            )
    evals: list[_Eval] = []
    for eval_id in ids:
        predictions = {}
        for system, entries in predicted.items():
            if eval_id in entries:
                predictions[system] = entries[eval_id]
        references_of_eval = [entries.get(eval_id) for entries in by_file]
        evals.append(_Eval(eval_id, predictions, references_of_eval))
    return evals


def _notify_missing(
    ids: Sequence[str],
    known: set[str],
    systems: Mapping[str, SourceTexts],
    predicted: Mapping[str, Mapping[str, RecordTexts]],
    notify: Notify,
) -> None:
    """Notify of references without a prediction, and of systems without some evals."""
    left = sorted(known.difference(ids))
    if left:
        notify(Notice(f"references without a prediction: {by_name.list_names(left)}"))
    for system, entries in predicted.items():
        lacking = [eval_id for eval_id in ids if eval_id not in entries]
        if lacking:
            notify(
                Notice(
                    f"{systems[system].place}: system {system} has no prediction of"
                    f" {by_name.list_names(lacking)}; it is averaged over the other"
                    " evals"
                )
            )


def _index(entries: Sequence[RecordTexts], of_system: str) -> dict[str, RecordTexts]:
    """Return ID -> entry; raise RougeError for an ID that occurs twice."""
    index: dict[str, RecordTexts] = {}
    errors = []
    for entry in entries:
        eval_id = entry.eval_id or ""
        first = index.setdefault(eval_id, entry)
        if first is not entry:
            what = f"ID {eval_id}{of_system} occurs twice; first at {first.where}"
            remedy = "write several references of an eval as a list, or in files"
            errors.append(
                RougeError(what, where=entry.where, remedy="" if of_system else remedy)
            )
    raise_all(errors)
    return index


def _check_numbers(
    systems: Mapping[str, SourceTexts], references: Sequence[SourceTexts]
) -> None:
    """Raise RougeError if the numbers of texts differ."""
    sizes = []
    for system, table in systems.items():
        place = table.place
        if len(table.entries) > 1:
            place = f"{place} ({system})"
        sizes.append((place, len(table.entries[system])))
    for table in references:
        sizes.append((table.place, len(table.entries[""])))
    if len({size for _, size in sizes}) > 1:
        counted = by_name.list_names([f"{place} {size}" for place, size in sizes])
        raise RougeError(
            f"different numbers of texts: {counted}",
            remedy="give all the same evals in the same order, or IDs in all files",
        )


def _by_order(
    systems: Mapping[str, SourceTexts], references: Sequence[SourceTexts]
) -> list[_Eval]:
    """Join by order; an eval has the ID that a file gives it, else its number.

    Raises:
        RougeError: If files that have IDs have other ones in the same place.
    """
    predicted = {system: table.entries[system] for system, table in systems.items()}
    of_references = [table.entries[""] for table in references]
    evals: list[_Eval] = []
    size = len(next(iter(predicted.values())))
    for index in range(size):
        by_system = {system: entries[index] for system, entries in predicted.items()}
        row = [entries[index] for entries in of_references]
        named = [
            entry for entry in (*by_system.values(), *row) if entry.eval_id is not None
        ]
        for entry in named:
            if entry.eval_id != named[0].eval_id:
                raise RougeError(
                    f"ID {entry.eval_id}, but {named[0].where} has {named[0].eval_id},"
                    " and they would be joined by order",
                    where=entry.where,
                    remedy="give IDs in all files, or --id-column '' to ignore them",
                )
        eval_id = named[0].eval_id if named else ""
        evals.append(_Eval(eval_id or str(index + 1), by_system, row))
    if len({joined.eval_id for joined in evals}) == size:
        return evals
    return [
        joined._replace(eval_id=str(number)) for number, joined in enumerate(evals, 1)
    ]


def _check_lists(
    column: str,
    prediction: RecordTexts,
    references: Iterator[tuple[str, RecordTexts | None]],
    request: ColumnNames,
) -> None:
    """Raise RougeError if lists could be sentences or several texts.

    Args:
        column: The column of the prediction.
        references: The column and the entry of each file of references.
    """
    for name, reference in references:
        if reference is None or not isinstance(prediction.value, list):
            continue
        # Both sides may have a column of the same name.
        other = name if name != column else f"{name} of references"
        columns = ColumnNames(
            predictions=[column], references=[other], lists=request.lists
        )
        values = {column: prediction.value, other: reference.value}
        by_name.check_lists(values, columns, prediction.where)


def _read_table(
    source: Operand, reading: RecordReading, predicted: Sequence[SourceTexts] = ()
) -> SourceTexts:
    """Read the texts of a file or folder; raise up to ten errors together.

    Args:
        predicted: The predictions of a source of references; whether these are lists
            tells what the lists of references hold.
    """
    place = files.place(source.path)
    if set(source.files.values()) == {kinds.LINES}:
        return _table_of_lines(source, reading, place)
    rows = _rows(source, reading)
    columns = _columns(source, reading, rows, predicted)
    by_system: dict[str, list[RecordTexts]] = {}
    missing: dict[str, cells.MissingCells] = {}
    errors = []
    for row in rows:
        if row.place not in missing:
            missing[row.place] = cells.MissingCells(row.place, reading.notify)
        try:
            texts = _texts(row, columns, source.name, missing[row.place])
            for system, entry in texts:
                by_system.setdefault(system, []).append(entry)
        except RougeError as error:
            errors.append(error)
            if len(errors) == records.SHOWN:
                break
    raise_all(errors)
    for counter in missing.values():
        counter.report()
    column = (*columns.predictions, *columns.references)[0]
    return SourceTexts(
        place=place,
        column=column,
        has_ids=columns.id is not None,
        entries=by_system,
    )


def _table_of_lines(source: Operand, reading: RecordReading, place: str) -> SourceTexts:
    """Read the texts of files whose lines are texts."""
    entries = []
    role = ROLES[source.option]
    for path in source.files:
        for number, text in lines.texts(path, role, reading.encoding):
            entry = RecordTexts(
                eval_id=None,
                texts=[text],
                where=f"{place}:{number}",
                value=text,
            )
            entries.append(entry)
    if not entries:
        raise RougeError("no line in it", where=place)
    return SourceTexts(
        place=place,
        column=TEXT,
        has_ids=False,
        entries={source.name: entries},
    )


class _SourceRow(NamedTuple):
    """A row of one of the files of a source."""

    place: str  # of the file
    is_table: bool  # True if a list is JSON in a cell
    row: InputRow

    @property
    def where(self) -> str:
        """The place of the row, for messages."""
        return f"{self.place}:{self.row.line}"


def _rows(source: Operand, reading: RecordReading) -> list[_SourceRow]:
    """Return the rows of all files of a source."""
    by_file: dict[str, list[_SourceRow]] = {}
    for path, kind in source.files.items():
        module = kinds.named(kind)
        stated = reading.layout.of_kind(kind)
        try:
            rows = list(module.rows(path, reading.encoding, **stated))
        except nesting.NothingInside:
            # --records may be about the other side.
            rows = list(module.rows(path, reading.encoding))
        if kind == "json" and len(rows) == 1:
            rows = _split(rows[0], source.option, reading.request)
        place = files.place(path)
        is_table = hasattr(module, "CELLS_ARE_TEXT")
        by_file[path] = []
        for row in rows:
            record = _as_record(row.record)
            by_file[path].append(
                _SourceRow(place, is_table, row._replace(record=record))
            )
    are_files_evals = len(by_file) > 1 or os.path.isdir(source.path)
    if are_files_evals and all(len(rows) == 1 for rows in by_file.values()):
        return [_with_id(row, path) for path, (row,) in by_file.items()]
    return list(chain.from_iterable(by_file.values()))


def _with_id(row: _SourceRow, path: str) -> _SourceRow:
    """Return the single row of a file with the file's name as ID, unless it has one."""
    record = row.row.record
    if isinstance(record, RougeError) or _has_id(record):
        return row
    stem = files.stem(os.path.basename(path))
    return row._replace(row=row.row._replace(record={ID: stem, **record}))


def _has_id(record: Mapping[str, object]) -> bool:
    return any(by_name.is_common(name, ["ids"]) for name in record)


def _as_record(
    record: Mapping[str, object] | RougeError,
) -> Mapping[str, object] | RougeError:
    """Return a bare text as a record; others unchanged."""
    if isinstance(record, BareValue) and isinstance(record.value, str | list):
        return {TEXT: record.value}
    return record


def _split(row: InputRow, option: str, request: ColumnNames) -> list[InputRow]:
    """Return the rows of an object that is a column of texts, or of texts by ID; else
    the row unchanged.
    """
    column, named = "references", request.references
    if option == PRED:
        column, named = "predictions", request.predictions
    if isinstance(row.record, RougeError) or named or not row.record:
        return [row]
    inner = nesting.records_of_texts(row.record, column)
    if inner is None:
        return [row]
    return [
        InputRow(number, row.line, record) for number, record in enumerate(inner, 1)
    ]


def _columns(
    source: Operand,
    reading: RecordReading,
    rows: Sequence[_SourceRow],
    predicted: Sequence[SourceTexts],
) -> ColumnNames:
    """Return the columns of a source, by its first valid row; raise the errors of the
    rows before it if there is none among the first.
    """
    is_prediction = source.option == PRED
    errors = []
    for row in rows[: records.SHOWN]:
        record = row.row.record
        if isinstance(record, RougeError):
            errors.append(record)
            continue
        if row.is_table and not reading.layout.no_header:
            finding.check_names(
                record, reading.request, row.where, is_prediction=is_prediction
            )
        columns = finding.find_side(
            record, reading.request, row.where, is_prediction=is_prediction
        )
        if finding.is_weak(columns, reading.request):
            reading.notify(Notice(finding.state(columns)))
        if columns.references and columns.lists is None:
            place = files.place(source.path)
            return _with_lists(columns, rows, predicted, place, reading.notify)
        return columns
    raise_all(errors)
    raise RougeError("no record in it", where=files.place(source.path))


def _with_lists(
    columns: ColumnNames,
    rows: Sequence[_SourceRow],
    predicted: Sequence[SourceTexts],
    place: str,
    notify: Notify,
) -> ColumnNames:
    """Return the columns of references with the meaning of their lists, by the first
    records of both sides.
    """
    sample = []
    for number, row in enumerate(rows[: by_name.SAMPLE]):
        if isinstance(row.row.record, RougeError):
            continue
        record = by_name.add_nested(row.row.record, columns.references)
        references = []
        for name in columns.references:
            value = record.get(name)
            references.append(cells.cell_of(value) if row.is_table else value)
        predictions = []
        for table in predicted:
            for entries in table.entries.values():
                if number < len(entries):
                    predictions.append(entries[number].value)
        sample.append(by_name.TextCells(predictions, references))
    named = dict.fromkeys(table.column for table in predicted)
    both = columns._replace(predictions=list(named))
    decided = by_name.decide_lists(sample, both, place, notify)
    return columns._replace(lists=decided.lists)


def _texts(
    row: _SourceRow,
    columns: ColumnNames,
    system: str,
    missing: cells.MissingCells,
) -> Iterator[tuple[str, RecordTexts]]:
    """Yield system and text of each prediction of a row, or its references.

    Args:
        row: The row.
        columns: The columns of its source.
        system: The system, unless a column states it; empty for references.
        missing: Counts the cells of its file that stand for missing texts.
    """
    where = row.where
    record = cells.record_of(row.row, columns, where)
    values = missing.texts(record, columns, row.row.line, is_table=row.is_table)
    eval_id = None
    if columns.id:
        eval_id = cells.name_of(record, columns.id, where)
    if columns.system:
        system = cells.name_of(record, columns.system, where)
    for column, text in cells.predictions_of(values, columns, where).items():
        named = column if len(columns.predictions) > 1 else system
        yield named, RecordTexts(eval_id, [text], where, values[column])
    if columns.references:
        column = columns.references[0]
        texts = cells.references_of(values, columns, where, is_table=row.is_table)
        source = cells.source_of(values, columns, where)
        yield system, RecordTexts(eval_id, texts, where, values[column], source)
