"""Reading the texts of tasks: each file once, kept while it is needed, and counted."""

from __future__ import annotations

from dataclasses import dataclass
from operator import add
from typing import TYPE_CHECKING, Generic, TypeVar

from rouge_cli import files, formats
from rouge_cli.core import Document
from rouge_cli.text.survey import CUT_UP, SIZE, record

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from rouge_cli.core import EvalTask
    from rouge_cli.text.sentences import Split
    from rouge_cli.text.survey import Survey

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Read(Generic[T]):
    """A text that was read, its place, and its part of the tally."""

    text: T
    where: str
    numbers: Sequence[int]


class Reader(Generic[T]):
    """Reads the texts of a run.

    make: makes of a document and its sentences whatever the dialect counts in. split: None for the
    sentences of the input format. uses: how often each path will be read. survey: looks for what costs
    points in a text.
    """

    def __init__(
        self,
        make: Callable[[Document, Sequence[bytes]], T],
        split: Split | None,
        uses: Counter[str],
        survey: Survey,
    ) -> None:
        self._make = make
        self._split = split
        self._uses = uses
        self._survey = survey
        self._kept: dict[tuple[str, str], _Read[T]] = {}
        self._tallies = {side: ([0] * SIZE, [""]) for side in ("peers", "models")}

    @property
    def tally(self) -> Mapping[str, Mapping[str, Any]]:
        """By side, what was read and what was found in it; each use of a text counts."""
        return {side: record(numbers, first) for side, (numbers, (first,)) in self._tallies.items()}

    def pair(self, task: EvalTask, present: Mapping[str, str | Document]) -> tuple[list[T], list[T]]:
        """The task's models, and those of its peers that are asked for; raises UnreadableFile."""
        models = [self._read(source, task, f"model {one}", "models") for one, source in task.models]
        peers = [self._read(source, task, f"peer {one}", "peers") for one, source in present.items()]
        return models, peers

    def forget(self) -> None:
        """Keep nothing of what was read so far."""
        self._kept.clear()

    def _read(self, source: str | Document, task: EvalTask, role: str, side: str) -> T:
        """The text of a file, which is kept while it is needed, or of a document."""
        if isinstance(source, Document):
            return self._tallied(self._text(source, task), side)
        key = (source, task.input_format)
        found = self._kept.get(key)
        if found is None:
            data = files.read(source, f"{role} of eval {task.eval_id} ({task.where})")
            found = self._text(Document(data, source), task)
        self._uses[source] -= 1
        if self._uses[source] > 0:
            self._kept[key] = found
        else:
            self._kept.pop(key, None)
        return self._tallied(found, side)

    def _tallied(self, found: _Read[T], side: str) -> T:
        """Count each use of a text, which does not depend on how a run is divided."""
        numbers, first = self._tallies[side]
        numbers[:] = map(add, numbers, found.numbers)
        if numbers[CUT_UP]:
            first[0] = first[0] or found.where
        return found.text

    def _text(self, document: Document, task: EvalTask) -> _Read[T]:
        units = formats.summary(task.input_format or "spl", document).units
        if self._split:
            units = self._split(b"\n".join(units))
        numbers = (1, len(units), sum(map(len, units)), *self._survey(units))
        return _Read(self._make(document, units), document.where, numbers)
