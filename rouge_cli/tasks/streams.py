"""Streams of evals; the evals that compiled code has read are packed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain, repeat
from typing import TYPE_CHECKING

from rouge_cli import native
from rouge_cli.core import Document, EvalTask

if TYPE_CHECKING:
    from typing import overload

    from rouge_cli.native._compiled import PlainTexts

SPL = "spl"
FEW = 16  # evals that are not worth a batch of their own


class PackedTasks(Sequence[EvalTask]):
    """Consecutive evals of the same systems.

    Compiled code stores their texts and scores them; a task is made only when it is
    accessed.

    Args:
        systems: The systems, in the order of their texts.
        places: What stands before the number of a line in messages, such as `FILE:`:
            one per text of an eval, predictions first; the first is also that of all
            further texts.
    """

    input_format = SPL

    def __init__(
        self, texts: PlainTexts, systems: Sequence[str], places: Sequence[str]
    ) -> None:
        self.texts = texts
        self.systems = systems
        self.places = places

    @cached_property
    def ids(self) -> list[str]:
        """The IDs of the evals, the same strings for all who keep them."""
        return self.texts.ids()

    def __len__(self) -> int:
        return len(self.texts)

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, index: int) -> EvalTask: ...
        @overload
        def __getitem__(self, index: slice) -> Sequence[EvalTask]: ...

    def __getitem__(self, index: int | slice) -> EvalTask | Sequence[EvalTask]:
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            if step != 1:
                return [self[i] for i in range(start, stop, step)]
            return PackedTasks(
                self.texts.part(start, max(start, stop)), self.systems, self.places
            )
        return self._task(range(len(self))[index])

    def __iter__(self) -> Iterator[EvalTask]:
        return map(self._task, range(len(self)))

    def _task(self, index: int) -> EvalTask:
        texts = self.texts.row(index)[self.texts.have_ids :]
        return task_of(
            self.ids[index], self.systems, texts, self.places, self.texts.line(index)
        )

    def __reduce__(
        self,
    ) -> tuple[Callable[..., Sequence[EvalTask]], tuple[object, ...]]:
        """Pickle the bare texts, for another process."""
        rows = list(map(self.texts.row, range(len(self))))
        return _packed, (
            self.texts.lines(),
            self.texts.have_ids,
            rows,
            self.systems,
            self.places,
        )


def _packed(
    lines: Sequence[int],
    have_ids: bool,  # noqa: FBT001 - pickled by position
    rows: Sequence[Sequence[bytes]],
    systems: Sequence[str],
    places: Sequence[str],
) -> Sequence[EvalTask]:
    """Return the evals; not packed if the other process has no compiled code."""
    if compiled := native.extension():
        return PackedTasks(
            compiled.plain_texts(lines, have_ids, len(systems), rows), systems, places
        )
    tasks = []
    for line, row in zip(lines, rows, strict=True):
        eval_id, texts = (row[0].decode(), row[1:]) if have_ids else (str(line), row)
        tasks.append(task_of(eval_id, systems, texts, places, line))
    return tasks


class Stream(Iterator[EvalTask]):
    """An iterator over evals that are read on demand: single evals, and packed evals.

    `formats` and `systems` are those of the evals that have been read.
    """

    def __init__(self, parts: Iterable[EvalTask | PackedTasks]) -> None:
        self.formats: set[str] = set()
        self.systems: set[str] = set()
        self._parts = map(self._note, parts)
        # The remaining evals of the current part
        self._begun: Iterator[EvalTask] = iter(())

    def _note(self, part: EvalTask | PackedTasks) -> EvalTask | PackedTasks:
        self.formats.add(part.input_format)
        self.systems.update(
            part.systems if isinstance(part, PackedTasks) else part.predictions
        )
        return part

    @property
    def parts(self) -> Iterator[EvalTask | PackedTasks]:
        """The remaining evals in order, without unpacking."""
        return chain(self._begun, self._parts)

    def __next__(self) -> EvalTask:
        while (task := next(self._begun, None)) is None:
            part = next(self._parts)
            self._begun = iter(part if isinstance(part, PackedTasks) else [part])
        return task


def task_of(  # noqa: PLR0913, PLR0917 - names are slower, and every text passes here without kernels
    eval_id: str,
    systems: Sequence[str],
    texts: Sequence[bytes],
    places: Sequence[str],
    line: int,
    input_format: str = SPL,
) -> EvalTask:
    """Make an eval of the texts of the systems, then of references 1, 2, ...; places
    as for PackedTasks.
    """
    where = f"{places[0]}{line}"
    wheres = chain([f"{place}{line}" for place in places], repeat(where))
    documents = list(map(Document, texts, wheres))
    predictions = dict(zip(systems, documents, strict=False))
    references = [
        (str(number), document)
        for number, document in enumerate(documents[len(systems) :], 1)
    ]
    return EvalTask(eval_id, predictions, references, input_format, where)


def parts(tasks: Iterable[EvalTask]) -> Iterator[EvalTask | PackedTasks]:
    """Return the evals of a stream or a batch in order, without unpacking."""
    if isinstance(tasks, PackedTasks):
        return iter((tasks,))
    return tasks.parts if isinstance(tasks, Stream) else iter(tasks)


def watched(
    tasks: Iterable[EvalTask], look: Callable[[Sequence[EvalTask]], None]
) -> Iterable[EvalTask]:
    """Return the evals of a run; call a function with each part before it is scored.

    Args:
        look: Takes all evals of a batch at once, and of a stream each as it is read.
    """
    if isinstance(tasks, Sequence):
        look(tasks)
        return tasks
    return Stream(_shown(parts(tasks), look))


def _shown(
    source: Iterable[EvalTask | PackedTasks],
    look: Callable[[Sequence[EvalTask]], None],
) -> Iterator[EvalTask | PackedTasks]:
    for part in source:
        look(part if isinstance(part, PackedTasks) else [part])
        yield part


def formats_of(tasks: Iterable[EvalTask]) -> Collection[str]:
    """Return the formats of the texts; of a stream, of those that have been read."""
    if isinstance(tasks, PackedTasks):
        return {tasks.input_format}
    return (
        tasks.formats
        if isinstance(tasks, Stream)
        else {task.input_format for task in tasks}
    )
