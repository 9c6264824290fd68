"""The compiled program of a whole run: it scores batches of evals, and hands back those
that plain Python must score.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rouge_cli import native
from rouge_cli.core import EvalResult, EvalTask, Notice, Notify, ignore_notice
from rouge_cli.native.inputs import PackedTasks
from rouge_cli.native.setups import KernelSetup
from rouge_cli.text.languages import cut_text
from rouge_cli.text.survey import NO_TEXT, SIDES, CutText, Numbers, add_details, record

if TYPE_CHECKING:
    from typing import Protocol

    from rouge_cli.core import Document

    # The results of one eval: system -> (label -> result), or system -> packed rows.
    Results = Mapping[str, Mapping[str, EvalResult] | bytes]
    # Side -> index of an eval and its first text whose words are cut up, a path or a
    # document
    FirstCuts = Mapping[int, tuple[int, str | Document]]

    class ReadableScorer(Protocol):
        """What scores the evals that are handed back."""

        notify: Notify

        def expect(
            self, tasks: Iterable[EvalTask], systems: Sequence[str] | None
        ) -> None:
            """Count the uses of files by these evals."""

        def score(
            self, tasks: Sequence[EvalTask], systems: Sequence[str] | None
        ) -> Iterator[tuple[Sequence[str], Results]]:
            """Score them."""

        def details(self) -> Mapping[str, object]:
            """Return the details of their texts."""


MOST_AT_ONCE = 2000  # evals in a batch: their texts' folders are listed


class CompiledScorer:
    """Scores evals by compiled code, in one thread unless it is told to use several.

    Args:
        setup: What compiled code understands of the run.
        make_readable: Makes the scorer of the evals that are handed back, given what
            receives notices of the options.
        notify: Receives notices.
    """

    most_at_once = MOST_AT_ONCE

    def __init__(
        self,
        setup: KernelSetup,
        make_readable: Callable[[Notify], ReadableScorer],
        notify: Notify,
    ) -> None:
        self.notify = notify
        self.labels = setup.labels
        self.is_scored = setup.is_scored
        # Threads would wait for each other if Python makes all words.
        self.gains_by_threads = not setup.reading.lines
        self._program = native.loaded().Program(setup, native.MOST_FORMS)
        self._make_readable = make_readable
        self._readable: ReadableScorer | None = None  # made when an eval is handed back
        self._details: Mapping[str, Any] = {}  # of the evals that were handed back
        # Side -> the first text whose words are cut up.
        self._first_cut: dict[str, CutText] = {}

    def use_threads(self, number: int) -> bool:
        """Score in so many threads, if there are as many cores; return True if it uses
        several.
        """
        return self._program.use_threads(number) > 1

    def expect(self, tasks: Iterable[EvalTask], systems: Sequence[str] | None) -> None:
        """Do nothing: compiled code reads each file when it scores its evals."""

    def score(
        self, tasks: Sequence[EvalTask], systems: Sequence[str] | None
    ) -> Iterator[tuple[Sequence[str], Results]]:
        """Score the systems in the evals that have them; None for all systems.

        Yields:
            IDs of evals, and the results of their systems: of one eval, or the joined
            packed rows of several evals.
        """
        if systems is not None:
            systems = list(dict.fromkeys(systems))
        if isinstance(tasks, PackedTasks) and systems in (None, list(tasks.systems)):
            yield from self._score_packed(tasks)
            return

        rows_of_tasks, first_cuts = self._program.score(tasks, systems)
        ids = [task.eval_id for task in tasks]
        predictions = list(tasks[0].predictions) if systems is None else systems
        if all(
            rows is not None
            and len(rows) == len(predictions)
            and list(task.predictions) == predictions
            for task, rows in zip(tasks, rows_of_tasks, strict=True)
        ):
            self._note_cuts(first_cuts, range(len(tasks)))
            by_system = zip(*filter(None, rows_of_tasks), strict=True)
            joined = map(b"".join, by_system)
            yield ids, dict(zip(predictions, joined, strict=True))
            return

        handed_back = [
            task
            for task, rows in zip(tasks, rows_of_tasks, strict=True)
            if rows is None
        ]
        if handed_back:
            self._readable_scorer().expect(handed_back, systems)
        for index, (task, rows) in enumerate(zip(tasks, rows_of_tasks, strict=True)):
            if rows is None:
                yield from self._hand_back(task, systems)
                continue
            self._note_cuts(first_cuts, (index,))
            requested = list(task.predictions) if systems is None else systems
            if len(rows) < len(requested):
                requested = list(task.present(requested))
            yield [task.eval_id], dict(zip(requested, rows, strict=True))

    def details(self) -> Mapping[str, object]:
        """Return the details that were recorded since the last call."""
        self._take_details()
        details: dict[str, object] = {}
        for side, sums in zip(SIDES, self._program.tally(), strict=True):
            first_cut = self._first_cut.get(side, NO_TEXT)
            details[side] = record(Numbers(**sums), first_cut)
        if self._details:
            details = add_details(details, self._details)
            self._details = {}
        return details

    def _score_packed(
        self, tasks: PackedTasks
    ) -> Iterator[tuple[Sequence[str], Results]]:
        """Yield the results of all systems, as `score`."""
        rows_of_systems, handed_back, places = self._program.score_plain(tasks.packed)
        first_cuts: dict[int, tuple[int, str | Document]] = {}
        for side, (first, place) in places.items():
            task = tasks[first]
            if side:
                _, text = task.references[place]
            else:
                text = task.predictions[tasks.systems[place]] or ""
            first_cuts[side] = first, text

        ids, size = tasks.ids, len(tasks)
        width = len(rows_of_systems[0]) // max(size - len(handed_back), 1)
        start = used = 0
        for index in [*handed_back, size]:
            if start < index:
                self._note_cuts(first_cuts, range(start, index))
                end = used + (index - start) * width
                results = {}
                for system, rows in zip(tasks.systems, rows_of_systems, strict=True):
                    results[system] = rows[used:end]
                yield ids[start:index], results
                used = end
            if index < size:
                yield from self._hand_back(tasks[index], tasks.systems)
            start = index + 1

    def _hand_back(
        self, task: EvalTask, systems: Sequence[str] | None
    ) -> Iterator[tuple[Sequence[str], Results]]:
        """Yield the results of an eval by plain Python."""
        yield from self._readable_scorer().score([task], systems)

    def _readable_scorer(self) -> ReadableScorer:
        if self._readable is None:
            # The options have been warned of.
            self._readable = self._make_readable(ignore_notice)
            self._readable.notify = self._pass_on
        return self._readable

    def _pass_on(self, notice: Notice) -> None:
        """Pass a notice on to what receives them now."""
        self.notify(notice)

    def _note_cuts(self, first_cuts: FirstCuts, indices: Collection[int]) -> None:
        """Note the texts whose words are cut up, of evals with these indices."""
        for side, (first, text) in first_cuts.items():
            if first in indices and SIDES[side] not in self._first_cut:
                self._take_details()  # of the evals before
                self._first_cut.setdefault(SIDES[side], cut_text(text))

    def _take_details(self) -> None:
        """Take the details of evals that were handed back; note the first text of a
        side that is cut up.
        """
        if self._readable is None:
            return
        self._details = add_details(self._details, self._readable.details())
        for side in SIDES:
            cut_up = self._details[side]["cut_up"]
            if cut_up["first"]:
                first = CutText(cut_up["first"], cut_up["language"])
                self._first_cut.setdefault(side, first)
