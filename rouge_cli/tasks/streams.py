"""Streams of evals, which are read one by one or in batches."""

from __future__ import annotations

from abc import abstractmethod
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import chain, repeat
from typing import Any, TypeVar

from rouge_cli.core import Document, EvalTask

T = TypeVar("T")

SPL = "spl"
FEW = 16  # evals that are not worth a batch of their own


class Batch(Sequence[EvalTask]):
    """Consecutive evals of the same systems, each of which is made when it is accessed.

    Attributes:
        systems: The systems, in the order of their texts.
        input_format: The format of all texts.
    """

    systems: Sequence[str]
    input_format = SPL

    @property
    @abstractmethod
    def ids(self) -> Sequence[str]:
        """The IDs of the evals, the same strings for all who keep them."""

    @property
    @abstractmethod
    def lines(self) -> Sequence[int]:
        """The number of each eval's line, or its place."""

    @abstractmethod
    def where(self, index: int) -> str:
        """Return the place of an eval, for messages."""

    @abstractmethod
    def texts(self, index: int) -> Sequence[bytes]:
        """Return the texts of an eval: of the systems, then of its references."""

    @abstractmethod
    def numbers_of_references(self) -> Collection[int]:
        """Return the distinct numbers of references of an eval."""

    @abstractmethod
    def beside(self, others: Sequence[Batch], number: int) -> Batch:
        """Return evals of the systems of all, the n-th of each with the n-th of the
        others while these have the same ID and the same references.

        Args:
            others: Batches of other systems.
            number: The ID of the first eval, if they are named by their places.
        """

    @abstractmethod
    def after(self, number: int) -> Batch:
        """Return the evals of lists, named and placed by their numbers after so many
        others.
        """


class Origin:
    """Where the evals of a stream come from, for processes that read them themselves.

    The stream is then read only as far as anybody wants to see evals.

    Attributes:
        again: Makes the stream once more.
        source: Makes what reads parts of the input (`tasks.dividing`); raises
            `Indivisible` with the reason if it must be read as a whole.
        wanting: Functions that return True while somebody wants to see more evals.
    """

    def __init__(self, again: Callable[[], Stream], source: Callable[[], Any]) -> None:
        self.again = again
        self.source = source
        self.wanting: list[Callable[[], bool]] = []
        self._is_enough = False

    def beginning(self) -> Stream:
        """Return the stream, which `end` ends."""
        return Stream(self._until_enough(self.again()), self)

    def _until_enough(self, stream: Stream) -> Iterator[EvalTask | Batch]:
        for part in stream.parts:
            yield part
            if self._is_enough:
                return

    def is_wanted(self) -> bool:
        """Return True while somebody wants to see more evals."""
        return any(wants() for wants in self.wanting)

    def end(self) -> None:
        """End the stream after the part that it has yielded, as if there were no more:
        those who watch it report what they saw.
        """
        self._is_enough = True


class Stream(Iterator[EvalTask]):
    """An iterator over evals that are read on demand: single evals, and batches.

    `formats` and `systems` are those of the evals that have been read. `origin` is None
    if other processes cannot read the evals themselves.
    """

    def __init__(
        self, parts: Iterable[EvalTask | Batch], origin: Origin | None = None
    ) -> None:
        self.origin = origin
        self.formats: set[str] = set()
        self.systems: set[str] = set()
        self._parts = map(self._note, parts)
        # The remaining evals of the current part
        self._begun: Iterator[EvalTask] = iter(())

    def _note(self, part: EvalTask | Batch) -> EvalTask | Batch:
        self.formats.add(part.input_format)
        self.systems.update(
            part.systems if isinstance(part, Batch) else part.predictions
        )
        return part

    @property
    def parts(self) -> Iterator[EvalTask | Batch]:
        """The remaining evals in order, without making those of batches."""
        return chain(self._begun, self._parts)

    def __next__(self) -> EvalTask:
        while (task := next(self._begun, None)) is None:
            part = next(self._parts)
            self._begun = iter(part if isinstance(part, Batch) else [part])
        return task


class Lookahead(Iterator[T]):
    """An iterator whose next items can be looked at before they are taken."""

    def __init__(self, items: Iterable[T]) -> None:
        self._items = iter(items)
        self._seen: deque[T] = deque()

    def ahead(self) -> Iterator[T]:
        """Yield the next items without taking them. Take none in the meantime."""
        yield from list(self._seen)
        for item in self._items:
            self._seen.append(item)
            yield item

    def __next__(self) -> T:
        return self._seen.popleft() if self._seen else next(self._items)


def task_of(  # noqa: PLR0913, PLR0917 - names are slower, and every text passes here without kernels
    eval_id: str,
    systems: Sequence[str],
    texts: Sequence[bytes],
    places: Sequence[str],
    line: int,
    input_format: str = SPL,
) -> EvalTask:
    """Make an eval of the texts of the systems, then of references 1, 2, ...

    Args:
        places: What stands before the line in messages, one per text.
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


def parts_of(tasks: Sequence[EvalTask]) -> Sequence[EvalTask | Batch]:
    """Return evals as parts of a stream: a batch as it is, others one by one."""
    return [tasks] if isinstance(tasks, Batch) else tasks


def parts(tasks: Iterable[EvalTask]) -> Iterator[EvalTask | Batch]:
    """Return the evals of a stream or a batch in order; batches remain as they are."""
    if isinstance(tasks, Batch):
        return iter((tasks,))
    return tasks.parts if isinstance(tasks, Stream) else iter(tasks)


def watched(
    tasks: Iterable[EvalTask],
    look: Callable[[Sequence[EvalTask]], None],
    wants: Callable[[], bool],
) -> Iterable[EvalTask]:
    """Return the evals of a run; call a function with each part before it is scored.

    Args:
        look: Takes all evals of a batch at once, and of a stream each as it is read.
        wants: Returns True while the function needs to see more evals.
    """
    if isinstance(tasks, Sequence):
        look(tasks)
        return tasks
    return Stream(_shown(parts(tasks), look), origin_of(tasks, wants))


def origin_of(tasks: Iterable[EvalTask], wants: Callable[[], bool]) -> Origin | None:
    """Return the origin of evals, if they have one, which then waits for somebody who
    wants to see some of them.
    """
    origin = tasks.origin if isinstance(tasks, Stream) else None
    if origin:
        origin.wanting.append(wants)
    return origin


def _shown(
    source: Iterable[EvalTask | Batch],
    look: Callable[[Sequence[EvalTask]], None],
) -> Iterator[EvalTask | Batch]:
    for part in source:
        look(part if isinstance(part, Batch) else [part])
        yield part


def formats_of(tasks: Iterable[EvalTask]) -> Collection[str]:
    """Return the formats of the texts; of a stream, of those that have been read."""
    if isinstance(tasks, Batch):
        return {tasks.input_format}
    if isinstance(tasks, Stream):
        return tasks.formats
    return {task.input_format for task in tasks}
