"""Evals as they are read: a stream, in which those of plain lines of jsonl are packed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, overload

from rouge_cli.core import Document, EvalTask

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rouge_cli.native._compiled import PlainTexts

FEW = 16  # evals that are not worth a batch of their own


class PackedTasks(Sequence[EvalTask]):
    """The evals of consecutive lines, of one system.

    Compiled code holds their texts and scores them; a task is made when somebody asks for it.
    texts: of the lines. place: their file, as messages show it.
    """

    input_format = "spl"

    def __init__(self, texts: PlainTexts, system: str, place: str) -> None:
        self.texts = texts
        self.system = system
        self.place = place

    @cached_property
    def ids(self) -> list[str]:
        """The IDs of the evals."""
        return self.texts.ids()

    @cached_property
    def lines(self) -> list[int]:
        """The numbers of the lines."""
        return self.texts.lines()

    def where(self, index: int) -> str:
        """Return the place that an eval comes from."""
        return f"{self.place}:{self.lines[index]}"

    def __len__(self) -> int:
        return len(self.texts)

    @overload
    def __getitem__(self, index: int) -> EvalTask: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[EvalTask]: ...
    def __getitem__(self, index: int | slice) -> EvalTask | Sequence[EvalTask]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        return self._task(range(len(self))[index])

    def __iter__(self) -> Iterator[EvalTask]:
        return map(self._task, range(len(self)))

    def _task(self, index: int) -> EvalTask:
        where = self.where(index)
        peers = {self.system: Document(self.texts.peer(index), where)}
        texts = self.texts.models(index)
        models = [(str(number), Document(text, where)) for number, text in enumerate(texts, 1)]
        return EvalTask(self.ids[index], peers, models, self.input_format, where)

    def __reduce__(self) -> tuple[type[list[EvalTask]], tuple[list[EvalTask]]]:
        """Pickle the evals as a list, for another process."""
        return list, (list(self),)


class Stream(Iterator[EvalTask]):
    """Evals that are read when they are needed, and once.

    parts: the evals in order, single ones and packed ones.
    """

    def __init__(self, parts: Iterable[EvalTask | PackedTasks]) -> None:
        self.parts = iter(parts)
        self._tasks = self._each()

    def __next__(self) -> EvalTask:
        return next(self._tasks)

    def _each(self) -> Iterator[EvalTask]:
        for part in self.parts:
            if isinstance(part, PackedTasks):
                yield from part
            else:
                yield part


def parts(tasks: Iterable[EvalTask]) -> Iterator[EvalTask | PackedTasks]:
    """Return the evals of a stream or a batch in order, packed ones together."""
    if isinstance(tasks, Stream):
        return tasks.parts
    return iter((tasks,) if isinstance(tasks, PackedTasks) else tasks)


def numbers_of_models(batch: Sequence[EvalTask]) -> set[int]:
    """Return the numbers of models that evals of a batch have."""
    if isinstance(batch, PackedTasks):
        return batch.texts.numbers_of_models()
    return {len(task.models) for task in batch}


def lacking(batch: Sequence[EvalTask], peer_ids: Sequence[str]) -> list[str]:
    """Return those of the peers that some evals of a batch do not have."""
    if isinstance(batch, PackedTasks):
        return [peer_id for peer_id in peer_ids if peer_id != batch.system]
    return [peer_id for peer_id in peer_ids if not all(task.peers.get(peer_id) for task in batch)]
