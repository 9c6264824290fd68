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
from rouge_cli.tasks import columns as by_name
from rouge_cli.tasks import kinds, lines, lists, nesting, records
from rouge_cli.tasks.columns import ColumnNames, Finder, InputRow
from rouge_cli.tasks.contents import PRED, ROLES, Operand
from rouge_cli.tasks.kinds import RecordLayout
from rouge_cli.tasks.kinds.jsonl import BareValue
from rouge_cli.tasks.streams import SPL, Stream

_TEXT = "text"  # the column of a record that is nothing but a text
_ID = "id"
_MARKS = frozenset("<>{}[]")  # which names of columns do not have


class RecordReading(NamedTuple):
    """How sources are read."""

    request: ColumnNames
    layout: RecordLayout
    encoding: str
    notify: Notify


class RecordTexts(NamedTuple):
    """The texts of a record: one prediction, or references."""

    eval_id: str | None  # None without a column of IDs
    texts: Sequence[bytes]
    where: str
    value: object  # of the column, before it became texts


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
) -> Stream:
    """Return an eval for each prediction.

    The stream raises RougeError for invalid records, for a prediction without
    reference, and for different numbers of texts that are joined by order.
    """
    return Stream(_tasks(predictions, references, reading))


def _tasks(
    predictions: Sequence[Operand],
    references: Sequence[Operand],
    reading: RecordReading,
) -> Iterator[EvalTask]:
    sources = [*predictions, *references]
    files.check_stdin(chain.from_iterable(source.files for source in sources))
    of_systems = all_of(partial(_read_table, source, reading) for source in predictions)
    of_references = all_of(
        partial(_read_table, source, reading, of_systems) for source in references
    )
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
    for eval_id, by_system, entries in evals:
        for system, prediction in by_system.items():
            _check_lists(
                (column_of[system], prediction),
                zip(reference_columns, entries, strict=True),
                reading.request,
            )
        yield _task(eval_id, by_system, entries)


# ID, system -> prediction, and the references of each file (None if it has none).
_Eval = tuple[str, Mapping[str, RecordTexts], Sequence[RecordTexts | None]]


def _task(
    eval_id: str,
    by_system: Mapping[str, RecordTexts],
    references: Sequence[RecordTexts | None],
) -> EvalTask:
    predictions = {}
    for system, entry in by_system.items():
        predictions[system] = Document(entry.texts[0], entry.where)
    numbered: list[tuple[str, Document]] = []
    for reference in references:
        if reference is None:
            continue
        for text in reference.texts:
            number = str(len(numbered) + 1)
            numbered.append((number, Document(text, reference.where)))
    return EvalTask(
        eval_id=eval_id,
        predictions=predictions,
        references=numbered,
        input_format=SPL,
        where=next(iter(by_system.values())).where,
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
        evals.append((eval_id, predictions, references_of_eval))
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
    lists = {system: table.entries[system] for system, table in systems.items()}
    of_references = [table.entries[""] for table in references]
    evals: list[_Eval] = []
    size = len(next(iter(lists.values())))
    for index in range(size):
        by_system = {system: entries[index] for system, entries in lists.items()}
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
        eval_id = (named[0].eval_id if named else None) or str(index + 1)
        evals.append((eval_id, by_system, row))
    if len({eval_id for eval_id, _, _ in evals}) == size:
        return evals
    numbered: list[_Eval] = []
    for number, (_, predictions, references_of_eval) in enumerate(evals, 1):
        numbered.append((str(number), predictions, references_of_eval))
    return numbered


def _check_lists(
    prediction: tuple[str, RecordTexts],
    references: Iterator[tuple[str, RecordTexts | None]],
    request: ColumnNames,
) -> None:
    """Raise RougeError if lists could be sentences or several texts."""
    column, entry = prediction
    for name, reference in references:
        if reference is None or not isinstance(entry.value, list):
            continue
        # Both sides may have a column of the same name.
        other = name if name != column else f"{name} of references"
        columns = ColumnNames(
            predictions=[column], references=[other], lists=request.lists
        )
        values = {column: entry.value, other: reference.value}
        lists.check_lists(values, columns, entry.where)


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
    rows = list(_rows(source, reading))
    columns = None
    errors = []
    by_system: dict[str, list[RecordTexts]] = {}
    missing: dict[str, records.MissingCells] = {}
    for file, is_table, row in rows:
        here = f"{files.place(file)}:{row.line}"
        if columns is None and not isinstance(row.record, RougeError):
            if is_table and not reading.layout.no_header:
                _check_names(row.record, source.option, reading.request, here)
            columns = _find_columns(row.record, source.option, reading.request, here)
            if by_name.is_weak(columns, reading.request):
                reading.notify(Notice(by_name.state(columns)))
            if columns.references and columns.lists is None:
                columns = _with_lists(columns, rows, predicted, place, reading.notify)
        if file not in missing:
            missing[file] = records.MissingCells(files.place(file), reading.notify)
        try:
            record = records.record_of(row, columns or ColumnNames(), here)
            if columns is None:
                continue
            values = missing[file].texts(record, columns, row.line, is_table=is_table)
            eval_id = None
            if columns.id:
                eval_id = records.name_of(record, columns.id, here)
            system = source.name
            if columns.system:
                system = records.name_of(record, columns.system, here)
            for column, texts in _texts(values, columns, here, is_table=is_table):
                named = column if len(columns.predictions) > 1 else system
                entry = RecordTexts(
                    eval_id=eval_id,
                    texts=texts,
                    where=here,
                    value=values.get(column),
                )
                by_system.setdefault(named, []).append(entry)
        except RougeError as error:
            errors.append(error)
            if len(errors) == records.SHOWN:
                break
    raise_all(errors)
    if columns is None:
        raise RougeError("no record in it", where=place)
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
        column=_TEXT,
        has_ids=False,
        entries={source.name: entries},
    )


def _with_lists(
    columns: ColumnNames,
    rows: Sequence[tuple[str, bool, InputRow]],
    predicted: Sequence[SourceTexts],
    place: str,
    notify: Notify,
) -> ColumnNames:
    """Return the columns of references with the meaning of their lists, by the first
    records of both sides.
    """
    sample = []
    for number, (_, is_table, row) in enumerate(rows[: lists.SAMPLE]):
        if isinstance(row.record, RougeError):
            continue
        record = by_name.add_nested(row.record, columns.references)
        references = []
        for name in columns.references:
            value = record.get(name)
            references.append(records.cell_of(value) if is_table else value)
        predictions = []
        for table in predicted:
            for entries in table.entries.values():
                if number < len(entries):
                    predictions.append(entries[number].value)
        sample.append(lists.Cells(predictions, references))
    named = dict.fromkeys(table.column for table in predicted)
    both = columns._replace(predictions=list(named))
    return columns._replace(lists=lists.decide(sample, both, place, notify).lists)


def _texts(
    values: Mapping[str, object], columns: ColumnNames, where: str, *, is_table: bool
) -> Iterator[tuple[str, Sequence[bytes]]]:
    """Yield column and text of each prediction, or the references of all columns."""
    for column, text in records.predictions_of(values, columns, where).items():
        yield column, [text]
    if columns.references:
        texts = records.references_of(values, columns, where, is_table=is_table)
        yield columns.references[0], texts


def _rows(
    source: Operand, reading: RecordReading
) -> Iterator[tuple[str, bool, InputRow]]:
    """Yield the rows of all files: path, whether it is a table, and the row."""
    by_file: list[tuple[str, bool, list[InputRow]]] = []
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
        rows = [row._replace(record=_as_record(row.record)) for row in rows]
        by_file.append((path, hasattr(module, "CELLS_ARE_TEXT"), rows))
    are_single = len(by_file) > 1 and all(len(rows) == 1 for _, _, rows in by_file)
    for path, is_table, rows in by_file:
        for row in rows:
            yield path, is_table, _with_id(row, path) if are_single else row


def _with_id(row: InputRow, path: str) -> InputRow:
    """Return the single row of a file with the file's name as ID, unless it has one."""
    record = row.record
    if isinstance(record, RougeError) or _has_id(record):
        return row
    stem = files.stem(os.path.basename(path))
    return row._replace(record={_ID: stem, **record})


def _has_id(record: Mapping[str, object]) -> bool:
    return any(by_name.is_common(name, ["ids"]) for name in record)


def _as_record(
    record: Mapping[str, object] | RougeError,
) -> Mapping[str, object] | RougeError:
    """Return a bare text as a record; others unchanged."""
    if isinstance(record, BareValue) and isinstance(record.value, str | list):
        return {_TEXT: record.value}
    return record


def _split(row: InputRow, option: str, request: ColumnNames) -> list[InputRow]:
    """Return the texts of an object that is a column of texts, or of texts by ID; else
    the row unchanged.
    """
    record = row.record
    named = request.predictions if option == PRED else request.references
    if isinstance(record, RougeError) or named or not record:
        return [row]
    texts = record.get("predictions" if option == PRED else "references")
    if isinstance(texts, list):
        others = {
            name: values
            for name, values in record.items()
            if isinstance(values, list) and len(values) == len(texts)
        }
        rows = []
        for index in range(len(texts)):
            values_of_text = {name: values[index] for name, values in others.items()}
            rows.append(InputRow(index + 1, row.line, values_of_text))
        return rows
    if any(map(by_name.is_common, record)):
        return [row]
    if not all(map(nesting.is_text, record.values())):
        return [row]
    return [
        InputRow(number, row.line, {_ID: name, _TEXT: text})
        for number, (name, text) in enumerate(record.items(), 1)
    ]


def _find_columns(
    record: Mapping[str, object], option: str, request: ColumnNames, where: str
) -> ColumnNames:
    """Return the columns of one side, given its first record."""
    is_prediction = option == PRED
    named = request.predictions if is_prediction else request.references
    system = request.system if is_prediction else ""
    nested = by_name.add_nested(record, [request.id, *named, system])
    finder = _SideFinder(nested, [request.id, *named, system], where)
    if request.id is None:
        eval_id = next(iter(finder.single("--id-column", "ids")), None)
    else:
        eval_id = request.id or None
    if not is_prediction:
        references = finder.references(named)
        return ColumnNames(id=eval_id, references=references, lists=request.lists)
    predictions = named or finder.predictions()
    if system is None:
        systems = [name for name in finder.system() if name not in predictions]
        system = next(iter(systems), None)
    if system and len(predictions) > 1:
        raise RougeError(
            f"a column of systems ({system}) and {len(predictions)} of predictions",
            where=where,
            remedy="name one column of predictions, or --system-column ''",
        )
    return ColumnNames(
        id=eval_id,
        predictions=predictions,
        system=system or None,
        lists=request.lists,
    )


def _check_names(
    record: Mapping[str, object], option: str, request: ColumnNames, where: str
) -> None:
    """Raise RougeError if the first row of a table has no names, but texts."""
    named = request.predictions if option == PRED else request.references
    odd = [
        name
        for name in record
        if by_name.is_no_name(name)
        or not _MARKS.isdisjoint(name)
        or (len(record) == 1 and len(name.split()) > 1)
    ]
    if odd and not named and not any(map(by_name.is_common, record)):
        raise RougeError(
            f"the first line has no names of columns ({by_name.list_names(odd)})",
            where=where,
            remedy=f"if it has texts, give --no-header; else {option}-column NAME",
        )


class _SideFinder(Finder):
    """Finds the columns of one side: if none has a common name, the only column of
    texts beside the ID.
    """

    def __init__(
        self, record: Mapping[str, object], named: Sequence[str | None], where: str
    ) -> None:
        super().__init__(record, named, where)
        self.has_predictions = True  # in their own file
        self._references = [""]  # in their own file

    def no_column(self, what: str, option: str, names: Sequence[str]) -> Sequence[str]:  # type: ignore[override]
        """Return the only column of texts; raise RougeError if there is another
        number.
        """
        texts = [
            name
            for name in names
            if not by_name.is_common(name, ["ids", "systems"])
            and _is_words(self.record[name])
        ]
        if len(texts) != 1 or any(map(nesting.has_records, self.record.values())):
            super().no_column(what, option, names)
        return texts


def _is_words(value: object) -> bool:
    """Return True for texts; a number in a cell of a table is not one."""
    if not isinstance(value, str):
        return nesting.is_text(value)
    try:
        float(value)
    except ValueError:
        return True
    return False
