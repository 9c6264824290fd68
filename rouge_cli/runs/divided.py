"""A run on many machines, each of which reads its parts of the input: only scores come
back.

The first process reads the beginning of the input, as far as notices and remarks need
it. What it cannot divide, or what the machines cannot see, passes through it as in any
run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from rouge_cli.core import Notice, Notify
from rouge_cli.io import spans
from rouge_cli.runs.evaluation import Collected, ScoredPart
from rouge_cli.tasks.dividing import DividedSource, Indivisible, Part, PartToRead
from rouge_cli.tasks.streams import Stream

if TYPE_CHECKING:
    from rouge_cli.core import EvalTask
    from rouge_cli.runs.pools import Machines


class DividedInput:
    """The evals of a run on machines.

    Args:
        tasks: The evals, as this process would read them.
        pool: The machines.
    """

    def __init__(self, tasks: Iterable[EvalTask], pool: Machines[Any, Any]) -> None:
        self._tasks = tasks
        self._pool = pool
        self._origin = tasks.origin if isinstance(tasks, Stream) else None
        self._source: DividedSource | None = None  # once the machines read it
        self._rest: Iterator[object] = iter(())
        # The numbers of missing texts of the parts, and the first of each
        self._missing: list[tuple[int, str]] = []

    def groups(
        self,
        passing: Callable[[], Iterable[list[Sequence[EvalTask]]]],
        notify: Notify,
    ) -> Iterator[list[Sequence[EvalTask]] | PartToRead]:
        """Yield what the machines are sent, once they are connected: the parts to read,
        or the evals.

        Args:
            passing: Returns the evals, to be sent with their texts.
        """
        try:
            source, parts = self._divide()
        except Indivisible as reason:
            if str(reason):
                what = f"{reason}; its texts pass through this process, which is slower"
                notify(Notice(what))
            yield from passing()
            return
        self._source = source
        self._read_beginning()
        for part in parts:
            yield PartToRead(source, part)

    def _divide(self) -> tuple[DividedSource, Sequence[Part]]:
        if self._origin is None:
            raise Indivisible("this kind of input is not divided among the workers")
        source: DividedSource = self._origin.source()
        for location in source.locations:
            own = spans.identity(location)
            if own is None:
                raise Indivisible(f"{location} cannot be read in parts")
            if {own} != set(self._pool.on_each(spans.identity, location)):
                raise Indivisible(f"not every worker sees the same file {location}")
        try:
            return source, source.parts(self._pool.number, self._pool.everywhere)
        except OSError as error:
            raise Indivisible(f"a worker cannot read the input ({error})") from None

    def _read_beginning(self) -> None:
        """Let those who watch the evals see as many as they want."""
        assert isinstance(self._tasks, Stream)  # noqa: S101 - it has an origin
        assert self._origin  # noqa: S101 - as above
        self._rest = self._tasks.parts
        for _ in self._rest:
            if not self._origin.is_wanted():
                return

    def checked(self, results: Iterable[ScoredPart]) -> Iterator[ScoredPart]:
        """Yield the results of the parts. If one of them found an error in the input,
        raise what this process raises for it.
        """
        for part in results:
            if part.is_unread:
                self._read_again()
            self._missing.append(part.missing)
            yield part

    def watched(
        self, results: Iterable[Collected], watch: Callable[[Any], Iterable[Any]]
    ) -> Iterator[Collected]:
        """Yield the results; show the progress of parts that machines read."""
        rest = iter(results)
        for first in rest:
            # By now it is decided who reads
            every = chain([first], rest)
            if self._source is None:
                yield from every
                return
            passed: list[Collected] = []
            for _ in watch(_sizes(every, passed)):
                yield passed.pop()

    def finish(self, result: Collected, notify: Notify) -> None:
        """Report what this process would at the end of the input; raise RougeError if
        an ID occurs twice.
        """
        if self._source is None or self._origin is None:
            return
        if self._source.has_ids:
            for columns in result.systems.values():
                if columns.repeated:
                    self._read_again()
        cells = self._source.missing_cells(notify)
        for number, first in self._missing:
            cells.add(number, first)
        cells.report()
        self._origin.end()
        for _ in self._rest:
            pass

    def _read_again(self) -> None:
        """Read the input in this process, which raises its errors."""
        if self._origin:
            for _ in self._origin.again().parts:
                pass


def _sizes(results: Iterable[Collected], passed: list[Collected]) -> Iterator[range]:
    """Append each result to the list; yield what is as long as it has evals."""
    for result in results:
        passed.append(result)
        yield range(result.evals)
