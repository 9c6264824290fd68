"""The compiled halves of what reads evals: lines, lists, records and settings.

Compiled code keeps the texts that it has read, and scores them where they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

from rouge_cli import native
from rouge_cli.core import Document, EvalTask
from rouge_cli.tasks.streams import SPL, Batch, task_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from typing import overload

    from pyarrow import Array, RecordBatch

    from rouge_cli.native._compiled import (
        PlainColumns,
        PlainRecords,
        PlainTable,
        PlainTexts,
        RecordGroups,
    )
    from rouge_cli.tasks.columns import InputRow
    from rouge_cli.tasks.records import RecordFile
    from rouge_cli.tasks.streams import Lookahead

Block = tuple[int, bytes]
Parse = Callable[..., Iterator["InputRow"]]
GROUPED_TOGETHER = 2000  # evals of records in a batch
LONGEST_ROW = 1 << 20  # bytes of a row of a table that compiled code tries to read


class PackedTasks(Batch):
    """Evals whose texts compiled code keeps.

    Args:
        texts: The texts, with their IDs or the numbers of their lines.
        systems: The systems, in the order of their texts.
        places: What stands before the number of a line in messages, such as `FILE:`:
            one per text of an eval, predictions first; the first is also that of all
            further texts.
        before: What is added to the number of a line to name its eval, without IDs.
    """

    def __init__(
        self,
        texts: PlainTexts,
        systems: Sequence[str],
        places: Sequence[str],
        before: int = 0,
    ) -> None:
        self.packed = texts
        self.systems = systems
        self.places = places
        self.before = before

    @cached_property
    def ids(self) -> list[str]:
        """The IDs of the evals, the same strings for all who keep them."""
        if self.before and not self.packed.have_ids:
            return [str(self.before + line) for line in self.packed.lines()]
        return self.packed.ids()

    @property
    def lines(self) -> list[int]:
        """The number of each eval's line, or its place."""
        return self.packed.lines()

    def where(self, index: int) -> str:
        """Return the place of an eval, for messages."""
        return f"{self.places[0]}{self.packed.line(index)}"

    def texts(self, index: int) -> list[bytes]:
        """Return the texts of an eval: of the systems, then of its references."""
        return self.packed.row(index)[self.packed.have_ids :]

    def numbers_of_references(self) -> set[int]:
        """Return the distinct numbers of references of an eval."""
        return self.packed.numbers_of_references()

    def beside(self, others: Sequence[Batch], number: int) -> PackedTasks:
        """Return evals of the systems of all, while their references are the same."""
        batches = [self, *others]
        packed = [batch.packed for batch in batches if isinstance(batch, PackedTasks)]
        systems: list[str] = []
        places: list[str] = []
        for batch in batches:
            if isinstance(batch, PackedTasks):
                systems += batch.systems
                places += batch.places
        return PackedTasks(packed[0].beside(packed[1:], number), systems, places)

    def after(self, number: int) -> AddedTasks:
        """Return the evals, named and placed by their numbers after so many others."""
        return AddedTasks(self.packed, self.systems, self.places, number)

    def __len__(self) -> int:
        return len(self.packed)

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, index: int) -> EvalTask: ...
        @overload
        def __getitem__(self, index: slice) -> Sequence[EvalTask]: ...

    def __getitem__(self, index: int | slice) -> EvalTask | Sequence[EvalTask]:
        if not isinstance(index, slice):
            return self._task(range(len(self))[index])
        start, stop, step = index.indices(len(self))
        if step != 1:
            return [self._task(place) for place in range(start, stop, step)]
        part = self.packed.part(start, max(start, stop))
        return type(self)(part, self.systems, self.places, self.before)

    def __iter__(self) -> Iterator[EvalTask]:
        return map(self._task, range(len(self)))

    def _task(self, index: int) -> EvalTask:
        line = self.packed.line(index)
        return task_of(
            self.ids[index], self.systems, self.texts(index), self.places, line
        )

    def __reduce__(
        self,
    ) -> tuple[Callable[..., Sequence[EvalTask]], tuple[object, ...]]:
        """Pickle the bare texts, for another process."""
        rows = [self.packed.row(index) for index in range(len(self))]
        have_ids = self.packed.have_ids
        names = (self.systems, self.places, self.before)
        return _unpickled, (self.lines, have_ids, rows, *names)


def _unpickled(  # noqa: PLR0913, PLR0917 - pickled by position
    lines: Sequence[int],
    have_ids: bool,  # noqa: FBT001
    rows: Sequence[Sequence[bytes]],
    systems: Sequence[str],
    places: Sequence[str],
    before: int,
) -> Sequence[EvalTask]:
    """Return the evals; not packed if the other process has no compiled code."""
    compiled = native.extension()
    if compiled:
        texts = compiled.plain_texts(lines, have_ids, len(systems), rows)
        return PackedTasks(texts, systems, places, before)
    tasks = []
    for line, row in zip(lines, rows, strict=True):
        eval_id, texts_ = str(before + line), row
        if have_ids:
            eval_id, texts_ = row[0].decode(), row[1:]
        tasks.append(task_of(eval_id, systems, texts_, places, line))
    return tasks


def evals_of_lines(
    blocks: Sequence[bytes], number: int, systems: Sequence[str], places: Sequence[str]
) -> tuple[PackedTasks, list[int]]:
    """Keep the blocks as they are."""
    packed, ends = native.loaded().plain_lines(blocks, number, len(systems))
    return PackedTasks(packed, systems, places), ends


def evals_of_lists(
    systems: Mapping[str, list[Any]],
    references: list[Any],
    ids: list[str] | None,
    input_format: str,
    notify: object,  # noqa: ARG001 - of the readable half
) -> object:
    """Keep the strings; not if one is no string, or has no bytes in UTF-8."""
    if not systems or input_format != SPL:
        return NotImplemented
    packed = native.loaded().plain_texts([], ids is not None, len(systems), [])
    if not packed.add(ids, list(systems.values()), references):
        return NotImplemented
    return PackedTasks(packed, list(systems), ["eval "])


def evals_of_settings(
    data: bytes,
    path: str,
    formats: Collection[str],
    notify: object,  # noqa: ARG001 - of the readable half
) -> object:
    """Read settings that a program has written; others need a parser of XML."""
    tasks = native.loaded().plain_settings(data, path, formats, EvalTask)
    return tasks or NotImplemented


class AddedTasks(PackedTasks):
    """Evals of lists after `before` others: not only their names count these, but also
    their places in messages.
    """

    def where(self, index: int) -> str:
        """Return the place of an eval, for messages."""
        return f"{self.places[0]}{self.before + self.packed.line(index)}"

    def _task(self, index: int) -> EvalTask:
        number = self.before + self.packed.line(index)
        return task_of(
            str(number), self.systems, self.texts(index), self.places, number
        )

    def __reduce__(
        self,
    ) -> tuple[Callable[..., Sequence[EvalTask]], tuple[object, ...]]:
        """Pickle single evals, which have their names and places."""
        return list, (list(self),)


class PackedRecords(PackedTasks):
    """Records of one system each, which they name.

    Args:
        texts: The texts, with the number of each record's system.
        systems: The systems by their numbers.
        places: As those of PackedTasks.
    """

    def _task(self, index: int) -> EvalTask:
        line = self.packed.line(index)
        system = self.systems[self.packed.system(index)]
        return task_of(self.ids[index], [system], self.texts(index), self.places, line)

    def __reduce__(
        self,
    ) -> tuple[Callable[..., Sequence[EvalTask]], tuple[object, ...]]:
        """Pickle single evals: records are grouped before they are scored."""
        return list, (list(self),)


class GroupedTasks(PackedTasks):
    """Evals of records that were read in different places.

    Args:
        texts: The texts, with their IDs and the places of their records.
        systems: The systems, in the order of their texts.
        places: What stands before the number of a line in messages, by file.
    """

    def where(self, index: int) -> str:
        """Return the place of an eval, for messages."""
        return self._wheres(index)[0]

    def _wheres(self, index: int) -> list[str]:
        """Return the places of an eval and of its predictions."""
        origins = self.packed.origins(index)
        return [f"{self.places[file]}{line}" for file, line in origins]

    def _task(self, index: int) -> EvalTask:
        texts, wheres = self.texts(index), self._wheres(index)
        return _eval_of(self.ids[index], self.systems, texts, wheres)

    def __reduce__(
        self,
    ) -> tuple[Callable[..., Sequence[EvalTask]], tuple[object, ...]]:
        """Pickle the bare texts, for another process."""
        rows = [self.packed.row(index) for index in range(len(self))]
        origins = list(chain.from_iterable(map(self.packed.origins, range(len(self)))))
        return _regrouped, (self.lines, rows, self.systems, self.places, origins)


def _regrouped(
    lines: Sequence[int],
    rows: Sequence[Sequence[bytes]],
    systems: Sequence[str],
    places: Sequence[str],
    origins: Sequence[tuple[int, int]],
) -> Sequence[EvalTask]:
    """Return evals of records; not packed if this process has no compiled code."""
    compiled = native.extension()
    if compiled:
        texts = compiled.plain_texts(lines, True, len(systems), rows, origins)  # noqa: FBT003 - have_ids
        return GroupedTasks(texts, systems, places)
    wheres = [f"{places[file]}{line}" for file, line in origins]
    tasks = []
    for number, row in enumerate(rows):
        start = number * (1 + len(systems))
        of_eval = wheres[start : start + 1 + len(systems)]
        tasks.append(_eval_of(row[0].decode(), systems, row[1:], of_eval))
    return tasks


def _eval_of(
    eval_id: str, systems: Sequence[str], texts: Sequence[bytes], wheres: Sequence[str]
) -> EvalTask:
    """Return an eval of the texts of the systems, then of its references.

    Args:
        wheres: The place of the eval and its references, then of each prediction.
    """
    predictions = {}
    for system, text, where in zip(systems, texts, wheres[1:], strict=False):
        predictions[system] = Document(text, where)
    references = []
    for number, text in enumerate(texts[len(systems) :], 1):
        references.append((str(number), Document(text, wheres[0])))
    return EvalTask(eval_id, predictions, references, SPL, wheres[0])


def grouped(
    by_file: Sequence[Lookahead[EvalTask | Batch]], *, have_ids: bool, apart: bool
) -> object:
    """Group packed records; not if one has to be reported."""
    groups = native.loaded().RecordGroups(have_ids=have_ids, apart=apart)
    systems: dict[str, int] = {}  # system -> its number
    places: dict[str, int] = {}  # what stands before a line -> the number of the file
    for records in by_file:
        groups.start_file()
        for part in _packed_parts(records.ahead(), have_ids=have_ids):
            if part is None:
                return NotImplemented
            of_part = [systems.setdefault(name, len(systems)) for name in part.systems]
            files = [places.setdefault(place, len(places)) for place in part.places]
            if not groups.add(part.packed, files, of_part):
                return NotImplemented
    return _evals_of_groups(groups, list(systems), list(places))


def _evals_of_groups(
    groups: RecordGroups, names: Sequence[str], places: Sequence[str]
) -> Iterator[GroupedTasks]:
    start = 0
    while start < len(groups):
        texts, systems = groups.copy(start, GROUPED_TOGETHER)
        yield GroupedTasks(texts, [names[number] for number in systems], places)
        start += len(texts)


def _packed_parts(
    parts: Iterable[EvalTask | Batch], *, have_ids: bool
) -> Iterator[PackedTasks | None]:
    """Yield batches, and records that Python has read as batches of one; None for
    another kind of eval.
    """
    for part in parts:
        if isinstance(part, PackedTasks):
            yield part
        elif isinstance(part, Batch) or len(part.predictions) > 1:
            yield None
        else:
            yield _packed_record(part, have_ids=have_ids)


def _packed_record(task: EvalTask, *, have_ids: bool) -> PackedTasks | None:
    """Return a record that Python has read as a batch."""
    if task.source is not None:
        return None
    place, colon, line = task.where.rpartition(":")
    row: list[bytes] = []
    if have_ids:
        try:
            row.append(task.eval_id.encode())
        except UnicodeEncodeError:
            return None
    documents = [*task.predictions.values(), *dict(task.references).values()]
    for document in documents:
        if not isinstance(document, Document) or document.where != task.where:
            return None
        row.append(document.data)
    texts = native.loaded().plain_texts([int(line)], have_ids, 1, [row])
    return PackedTasks(texts, list(task.predictions), [place + colon])


def rows_of(file: RecordFile, blocks: Iterator[Block]) -> object:
    """Keep the texts of plain rows."""
    columns = file.columns
    if file.parse is None or len(columns.predictions) != 1 or columns.source:
        return NotImplemented
    if file.kind == "parquet":
        return _of_columns(file, file.parse, blocks)
    if file.kind == "jsonl":
        if len(columns.references) > 1:
            return NotImplemented
        return _of_jsonl(file, file.parse, blocks)
    if file.delimiter and file.has_names:
        return _of_table(file, file.parse, blocks)
    return NotImplemented


def _of_jsonl(
    file: RecordFile, parse: Parse, blocks: Iterable[Block]
) -> Iterator[InputRow | PackedTasks]:
    columns = file.columns
    (prediction,), (reference,) = columns.predictions, columns.references
    plain = native.loaded().PlainRecords(
        prediction,
        reference,
        columns.id or "",
        columns.system or "",
        reads_lists=not file.lists_are_sentences,
    )
    for first, block in blocks:
        number = first
        start = 0
        while start < len(block):
            texts, start, number = plain.read(block, start, number)
            if texts:
                yield _batch_of(texts, plain, file)
            # The end of the line of another kind, if there is one
            end = block.find(b"\n", start) + 1 or len(block)
            yield from parse([(number, block[start:end])], file.place)
            start = end
            number += 1


def _of_columns(
    file: RecordFile, parse: Parse, blocks: Iterable[tuple[int, RecordBatch]]
) -> Iterator[InputRow | PackedTasks]:
    plain = native.loaded().PlainColumns()
    for first, batch in blocks:
        arrays = _arrays_of(file, batch)
        row = 0
        while row < batch.num_rows:
            if arrays is not None:
                texts, row = plain.read(*arrays, row, first)
                if texts:
                    yield _batch_of(texts, plain, file)
            if row < batch.num_rows:
                # The row of another kind; all rows if a column is
                rest = batch.slice(row, None if arrays is None else 1)
                yield from parse([(first + row, rest)], file.place)
                row += rest.num_rows


def _arrays_of(
    file: RecordFile, batch: RecordBatch
) -> tuple[Array, list[Array], Array | None, Array | None] | None:
    """Return the prediction, the references, the ID and the system of rows; None if
    one is of a kind that only Python reads, or has what is not UTF-8.
    """
    from pyarrow import ArrowInvalid, string, types

    columns = file.columns
    names = [*columns.predictions, *columns.references]
    names += filter(None, (columns.id, columns.system))
    arrays = {}
    for name in names:
        if name not in batch.schema.names:
            return None
        array = arrays[name] = batch.column(name)
        is_name = name in {columns.id, columns.system}
        if is_name and types.is_integer(array.type):
            arrays[name] = array.cast(string())
        elif not _are_texts(array, with_lists=name in columns.references):
            return None
        if (
            types.is_list(array.type) or types.is_large_list(array.type)
        ) and file.lists_are_sentences:
            return None
        try:
            array.validate(full=True)
        except ArrowInvalid:
            return None
    (prediction,) = columns.predictions
    references = [arrays[name] for name in columns.references]
    eval_id = arrays[columns.id] if columns.id else None
    system = arrays[columns.system] if columns.system else None
    return arrays[prediction], references, eval_id, system


def _are_texts(array: Array, *, with_lists: bool) -> bool:
    """Return True for an array of texts, in a dictionary of Parquet or not."""
    from pyarrow import types

    kind = array.type
    if with_lists and (types.is_list(kind) or types.is_large_list(kind)):
        kind = kind.value_type
    if types.is_dictionary(kind) and types.is_int32(kind.index_type):
        kind = kind.value_type
    return bool(types.is_string(kind) or types.is_large_string(kind))


def _batch_of(
    texts: PlainTexts, plain: PlainRecords | PlainTable | PlainColumns, file: RecordFile
) -> PackedTasks:
    places = [f"{file.place}:"]
    if file.columns.system:
        return PackedRecords(texts, plain.systems(), places, file.before)
    return PackedTasks(texts, [file.system], places, file.before)


def _of_table(
    file: RecordFile, parse: Parse, blocks: Iterator[Block]
) -> Iterator[InputRow | PackedTasks]:
    """Yield the rows, packed up to the first that needs Python."""
    names, columns = file.names, file.columns
    (prediction,) = columns.predictions
    plain = native.loaded().PlainTable(
        file.delimiter,
        len(names),
        names.index(prediction),
        [names.index(name) for name in columns.references],
        names.index(columns.id) if columns.id else len(names),
        names.index(columns.system) if columns.system else len(names),
    )
    if file.is_begun:
        header = file.delimiter.join('"{}"'.format(n.replace('"', '""')) for n in names)
        plain.read(f"{header}\n".encode(), 0, 1)
    number, rest = 1, b""
    for first, block in blocks:
        if not rest:
            number = first
        rest += block
        texts, start, number = plain.read(rest, 0, number)
        if texts:
            yield _batch_of(texts, plain, file)
        rest = rest[start:]
        # Read the next block only if a row is incomplete, so that errors come in the
        # order of lines.
        if rest and (not plain.is_incomplete or len(rest) > LONGEST_ROW):
            break
    others = chain([(number, rest)], blocks)
    yield from parse(others, file.place, names=names if plain.has_names else ())


TABLE: Mapping[str, Callable[..., object]] = {
    "rouge_cli.tasks.containers.evals_of_lists": evals_of_lists,
    "rouge_cli.tasks.kinds.settings.evals_of_settings": evals_of_settings,
    "rouge_cli.tasks.lines.evals_of_lines": evals_of_lines,
    "rouge_cli.tasks.records.grouped": grouped,
    "rouge_cli.tasks.records.rows_of": rows_of,
}
