"""The compiled halves of what reads evals: lines, lists, records and settings.

Compiled code keeps the texts that it has read, and scores them where they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

from rouge_cli import native
from rouge_cli.core import EvalTask
from rouge_cli.tasks.streams import SPL, Batch, task_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from typing import overload

    from rouge_cli.native._compiled import PlainTexts
    from rouge_cli.tasks.columns import InputRow
    from rouge_cli.tasks.records import RecordFile

Block = tuple[int, bytes]
Parse = Callable[..., Iterator["InputRow"]]
LONGEST_ROW = 1 << 20  # bytes of a row of a table that compiled code tries to read


class PackedTasks(Batch):
    """Evals whose texts compiled code keeps.

    Args:
        texts: The texts, with their IDs or the numbers of their lines.
        systems: The systems, in the order of their texts.
        places: What stands before the number of a line in messages, such as `FILE:`:
            one per text of an eval, predictions first; the first is also that of all
            further texts.
    """

    def __init__(
        self, texts: PlainTexts, systems: Sequence[str], places: Sequence[str]
    ) -> None:
        self.packed = texts
        self.systems = systems
        self.places = places

    @cached_property
    def ids(self) -> list[str]:
        """The IDs of the evals, the same strings for all who keep them."""
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
        return PackedTasks(part, self.systems, self.places)

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
        return _unpickled, (self.lines, have_ids, rows, self.systems, self.places)


def _unpickled(
    lines: Sequence[int],
    have_ids: bool,  # noqa: FBT001 - pickled by position
    rows: Sequence[Sequence[bytes]],
    systems: Sequence[str],
    places: Sequence[str],
) -> Sequence[EvalTask]:
    """Return the evals; not packed if the other process has no compiled code."""
    compiled = native.extension()
    if compiled:
        texts = compiled.plain_texts(lines, have_ids, len(systems), rows)
        return PackedTasks(texts, systems, places)
    tasks = []
    for line, row in zip(lines, rows, strict=True):
        eval_id, texts_ = (row[0].decode(), row[1:]) if have_ids else (str(line), row)
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


def rows_of(file: RecordFile, blocks: Iterator[Block]) -> object:
    """Keep the texts of plain rows; not if a record is of several systems."""
    columns = file.columns
    if file.parse is None or columns.system or len(columns.predictions) != 1:
        return NotImplemented
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
        reads_lists=not file.lists_are_sentences,
    )
    for first, block in blocks:
        number = first
        start = 0
        while start < len(block):
            texts, start, number = plain.read(block, start, number)
            if texts:
                yield PackedTasks(texts, [file.system], [f"{file.place}:"])
            # The end of the line of another kind, if there is one
            end = block.find(b"\n", start) + 1 or len(block)
            yield from parse([(number, block[start:end])], file.place)
            start = end
            number += 1


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
            yield PackedTasks(texts, [file.system], [f"{file.place}:"])
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
    "rouge_cli.tasks.records.rows_of": rows_of,
}
