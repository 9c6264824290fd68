"""The evaluation loop: score every system in every eval by one dialect, and make a
report.

The compiled program scores batches of evals. Python scores the evals that the program
hands back.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import (
    Callable,
    Collection,
    Container,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from rouge_cli import native
from rouge_cli.core import EvalResult, EvalTask, Notice, Notify, Report, Result
from rouge_cli.errors import RougeError, raise_all, until_error
from rouge_cli.scoring import formula
from rouge_cli.scoring.columns import Columns, keyed
from rouge_cli.tasks.streams import FEW, PackedTasks, parts
from rouge_cli.text.survey import SIDES, record

if TYPE_CHECKING:
    from typing import Any, Protocol

    from rouge_cli.core import Document
    from rouge_cli.options import DialectRun

    # Makes a dialect from the number of uses of every path, and the function that
    # receives notices.
    Make = Callable[[Counter[str], Notify], DialectRun]
    Watch = Callable[[Iterator[Sequence[EvalTask]]], Iterable[Sequence[EvalTask]]]
    # The results of one eval: system -> (label -> result), or system -> packed rows.
    Results = Mapping[str, Mapping[str, EvalResult] | bytes]
    # Side -> index of an eval and its first text whose words are cut up, a path or a
    # document
    FirstCuts = Mapping[int, tuple[int, str | Document]]
    # The rows of every eval, None for evals that Python must score
    Compiled = tuple[Sequence[list[bytes] | None], FirstCuts]
    # The same for packed evals, as `native.Program.score_plain` returns it
    Packed = tuple[list[bytes], list[int], dict[int, tuple[int, int]]]

if TYPE_CHECKING:

    class AnyScorer(Protocol):
        """What scores evals: a Scorer, or several of them."""

        labels: Sequence[str]
        is_compiled: bool
        is_scored: bool

        def expect(
            self, tasks: Iterable[EvalTask], systems: Sequence[str] | None
        ) -> None:
            """Count the uses of files by evals that will be scored."""

        def score(
            self, tasks: Sequence[EvalTask], systems: Sequence[str] | None
        ) -> Iterator[tuple[Sequence[str], Results]]:
            """Score the systems in the evals that have them."""

        def details(self) -> Mapping[str, object]:
            """Return the details that were recorded since the last call."""


# evals in a batch of the compiled program, which lists the folders of the texts
MOST_AT_ONCE = 2000
MOST_BYTES = 1 << 23  # of the texts in such a batch, unless a single eval has more
MOST_REFERENCES = 20_000  # of jackknifed evals that are scored together
MOST_REMEMBERED = 50_000  # word forms of a scorer that is kept for the next run


class Collected(NamedTuple):
    """The scores of evals before they are averaged. The parts of a run add up to the
    whole.
    """

    systems: dict[str, Columns]  # system -> its results by eval
    evals: int  # the number of evals
    # The distinct numbers of references of an eval, ascending
    references: Sequence[int]
    details: Mapping[str, object]  # of the dialect
    sample: Sequence[EvalTask] = ()  # some of the evals, for `hints.remarks`

    @property
    def limits(self) -> list[int]:
        """The fewest and the most references of an eval; one number if these are
        equal.
        """
        return [*self.references[:1], *self.references[1:][-1:]]


def collect(
    tasks: Iterable[EvalTask],
    systems: Sequence[str] | None,
    scorer: AnyScorer,
    notify: Notify,
    watch: Watch = iter,
) -> Collected:
    """Score the systems (None for all) in the evals, in order, without averaging: work
    that can be divided.

    A system that is missing in an eval is averaged over the other evals, with a notice.
    `watch` passes batches on, to show progress.
    """
    by_system: dict[str, Columns] = {}
    if not scorer.labels or (systems is not None and not systems):
        return Collected(by_system, 0, (), {})
    number, references = 0, set[int]()
    if (
        not scorer.is_compiled
        and isinstance(tasks, Sequence)
        and not isinstance(tasks, PackedTasks)
    ):
        scorer.expect(tasks, systems)
    for batch in watch(batches(tasks, MOST_AT_ONCE if scorer.is_compiled else 1)):
        number += len(batch)
        if isinstance(batch, PackedTasks):
            references |= batch.texts.numbers_of_references()
            missing = [
                system for system in systems or () if system not in batch.systems
            ]
        else:
            references |= {len(task.references) for task in batch}
            texts = [task.predictions for task in batch]
            missing = [
                system
                for system in systems or ()
                if not all(by.get(system) for by in texts)
            ]
        scored = iter(batch if missing else ())
        for ids, results in scorer.score(batch, systems):
            for task in islice(scored, len(ids)):
                for system in missing:
                    if not task.predictions.get(system):
                        remark = (
                            f"no text of {system}; it is averaged over the other evals"
                        )
                        notify(
                            Notice(
                                f"eval {task.eval_id}: {remark}", of_the_original=True
                            )
                        )
            for system, by_label in results.items():
                if system not in by_system:
                    labels = scorer.labels if isinstance(by_label, bytes) else by_label
                    by_system[system] = Columns(labels, is_scored=scorer.is_scored)
                by_system[system].append(ids, by_label)
    return Collected(by_system, number, sorted(references), scorer.details())


def batches(tasks: Iterable[EvalTask], size: int) -> Iterator[Sequence[EvalTask]]:
    """Yield the evals in batches of at most so many, which hold few texts of many
    bytes. Packed evals are a batch of their own, unless they are few.

    If the source of the evals raises an error, the evals before it are yielded first.
    """
    if isinstance(tasks, Sequence):
        starts = range(0, len(tasks), size)
        yield from (
            [tasks]
            if len(starts) == 1
            else (tasks[start : start + size] for start in starts)
        )
        return
    batch: list[EvalTask] = []
    held = 0  # bytes of its texts
    errors: list[RougeError] = []
    for part in until_error(parts(tasks), errors):
        evals = part if isinstance(part, PackedTasks) else [part]
        is_own_batch = len(evals) >= FEW
        if not is_own_batch:
            batch.extend(evals)
            held += sum(map(_bytes_of, evals))
        is_full = len(batch) >= size or held >= MOST_BYTES
        if batch and (is_own_batch or is_full):
            yield batch
            batch, held = [], 0
        if is_own_batch:
            yield evals
    if batch:
        yield batch
    raise_all(errors)


def _bytes_of(task: EvalTask) -> int:
    """Return the bytes of the eval's texts that are in memory."""
    references = [source for _, source in task.references]
    size = 0
    for text in [*task.predictions.values(), *references]:
        if text is not None and not isinstance(text, str):
            size += len(text.data)
    return size


def merge(parts: Iterable[Collected]) -> Collected:
    """Merge the parts of a run, which are in order."""
    systems: dict[str, Columns] = {}
    evals = 0
    references: set[int] = set()
    details: dict[str, object] = {}
    for part in parts:
        evals += part.evals
        references.update(part.references)
        for system, columns in part.systems.items():
            systems.setdefault(system, Columns(columns.labels)).extend(columns)
        details = add_details(details, part.details)
    return Collected(systems, evals, sorted(references), details)


def completed(
    collected: Collected,
    systems: Sequence[str] | None,
    labels: Sequence[str],
    notify: Notify,
) -> tuple[Mapping[str, Columns], dict[str, object]]:
    """Return the results and details of a report of the systems; notify of every
    incomplete system.
    """
    by_system = collected.systems
    if systems is not None:
        by_system = {**{system: Columns(labels) for system in systems}, **by_system}
    else:
        for system, columns in by_system.items():
            if len(columns.ids) < collected.evals:
                remark = (
                    f"in {len(columns.ids)} of {collected.evals} evals only, and"
                    " averaged over these"
                )
                notify(Notice(f"{system}: {remark}"))
    details = {
        "evals": collected.evals,
        "references_per_eval": collected.limits,
        **collected.details,
    }
    return by_system, details


def usable_cores() -> int:
    """Return the number of cores that this process may use: fewer than there are
    where it is pinned.
    """
    return (
        len(os.sched_getaffinity(0))
        if hasattr(os, "sched_getaffinity")
        else os.cpu_count() or 1
    )


def finish(  # noqa: PLR0913 - what a report is made of
    collected: Collected,
    systems: Sequence[str] | None,
    dialect: DialectRun,
    notify: Notify,
    jobs: int = 1,
    *,
    averaged: Container[str] = "RPF",
) -> Report:
    """Average the collected scores in `jobs` threads (0 for all cores) and return
    the report.

    Averages of measures that are not in `averaged` may be undefined.
    """
    by_system, details = completed(collected, systems, dialect.labels, notify)
    columns = keyed(by_system, averaged)
    if systems is not None and not columns:
        return Report(())
    averages = dialect.average(columns, jobs or usable_cores())
    return Report(
        [Result(*key, averages[key], evals) for key, evals in columns.items()],
        details=details,
    )


class Scorer:
    """Scores evals, in one thread unless the compiled program shares them out.

    Jackknifing scores a system against M sets of M - 1 references (Lin 2004, section
    2.1), and takes the mean of the M scores. To compare people with systems on equal
    terms, every reference is also scored against the other references, as a system
    `human ID`. An eval with one reference is scored as it is. The references of a set
    are combined as in the dialect: the paper takes the best of them, the campaigns
    added their counts.
    """

    def __init__(
        self,
        make: Make,
        notify: Notify,
        *,
        jackknife: bool = False,
        readable: bool = False,  # True to score by plain Python
    ) -> None:
        self.notify = notify  # replaced when another run takes the scorer
        # How often the dialect's Python program will read every path, so that it reads
        # a file only once.
        self._uses: Counter[str] = Counter()
        self._dialect = dialect = make(self._uses, lambda notice: self.notify(notice))  # noqa: PLW0108 - it may change
        self._jackknife = jackknife
        self._humans: dict[str, None] = {}
        # Side -> place and language of the first text whose words the tokenizer cuts
        # up.
        self._first_cut: dict[str, tuple[str, str]] = {}
        self._handed_back: Mapping[
            str, Any
        ] = {}  # details of evals that the compiled program hands back
        setup = None if readable else dialect.kernel_setup()
        if setup and len(setup.labels) < len(dialect.labels):
            setup = None
        self._program = native.program(setup)
        # Of the evals that are scored next, if `rows` has begun them
        self._packed: Packed | None = None
        self._reads_in_python = False
        self.labels = dialect.labels
        # True if a batch is scored in one call; otherwise, batches are single evals.
        self.is_compiled = self._program is not None
        # False if Python makes all words: threads would only wait for each other.
        self.gains_by_threads = bool(
            setup and self._program and not setup.reading.lines
        )
        # True if packed rows contain scores, not only counts.
        self.is_scored = setup is None or self._program is None or setup.is_scored

    @property
    def is_reusable(self) -> bool:
        """True if another run can use the scorer: it remembers nothing of a run but
        few words.
        """
        remembers = self._reads_in_python or self._first_cut or self._jackknife
        return (
            self._program is not None
            and not remembers
            and self._program.forms <= MOST_REMEMBERED
        )

    def use_threads(self, number: int) -> bool:
        """Let the compiled program score in so many threads; return True if it uses
        several.
        """
        return self._program is not None and self._program.use_threads(number) > 1

    def expect(self, tasks: Iterable[EvalTask], systems: Sequence[str] | None) -> None:
        """Count the uses of files by evals that Python will score."""
        read = None if self._jackknife else systems
        for task in tasks:
            for subset in self._sets(task, systems) if self._jackknife else [task]:
                self._uses.update(
                    subset.paths(subset.predictions if read is None else read)
                )

    def score(
        self, tasks: Sequence[EvalTask], systems: Sequence[str] | None
    ) -> Iterator[tuple[Sequence[str], Results]]:
        """Score the systems in the evals that have them; None for all systems.

        Yields:
            IDs of evals, and the results of their systems: of one eval, or the joined
            packed rows of several evals.
        """
        systems = None if systems is None else list(dict.fromkeys(systems))
        if self._jackknife:
            for task, of_sets in self._score_sets(tasks, systems):
                means = of_sets[0]
                if len(of_sets) > 1:
                    means = self._means(task.eval_id, of_sets)
                yield [task.eval_id], means
            return
        if (
            self._program
            and isinstance(tasks, PackedTasks)
            and systems in (None, list(tasks.systems))
        ):
            yield from self._score_packed(self._program, tasks)
            return
        rows_of_tasks, first_cuts = compiled = self._score_compiled(tasks, systems)
        ids = [task.eval_id for task in tasks]
        predictions = list(tasks[0].predictions) if systems is None else systems
        if all(
            rows is not None
            and len(rows) == len(predictions)
            and [*task.predictions] == predictions
            for task, rows in zip(tasks, rows_of_tasks, strict=True)
        ):
            self._note_compiled_cuts(first_cuts, range(len(tasks)))
            by_system = zip(*filter(None, rows_of_tasks), strict=True)
            yield ids, dict(zip(predictions, map(b"".join, by_system), strict=True))
        else:
            results = self._score_each(tasks, systems, compiled)
            yield from zip(([eval_id] for eval_id in ids), results, strict=True)

    def rows(
        self, tasks: PackedTasks
    ) -> tuple[Columns, Sequence[Sequence[int]]] | None:
        """Return the results of the first system, without IDs, and the tallies of both
        sides.

        None if it takes more than one call of compiled code; then `score` the same
        evals next.
        """
        if (
            self._program is None
            or self._jackknife
            or not self.labels
            or len(tasks) > MOST_AT_ONCE
        ):
            return None
        self._packed = (rows, *_), handed_back, cuts = self._program.score_plain(
            tasks.texts
        )
        if handed_back or cuts:
            return None
        self._packed = None
        columns = Columns(self.labels, is_scored=self.is_scored)
        columns.rows.frombytes(rows)
        return columns, self._program.tally()

    def details(self) -> Mapping[str, object]:
        """Return the details for the report that were recorded since the last call."""
        details: Mapping[str, object]
        if self._program:
            self._take_details()
            tallies = zip(SIDES, self._program.tally(), strict=True)
            details = {
                side: record(numbers, self._first_cut.get(side, ("", "")))
                for side, numbers in tallies
            }
            if self._handed_back:
                details, self._handed_back = add_details(details, self._handed_back), {}
        else:
            details = self._dialect.details()
        return {**details, "humans": list(self._humans)} if self._jackknife else details

    def _score_compiled(
        self, tasks: Sequence[EvalTask], systems: Sequence[str] | None
    ) -> Compiled:
        """Return the result of `native.Program.score`; without a compiled program,
        nothing is scored.
        """
        return (
            self._program.score(tasks, systems)
            if self._program
            else ([None] * len(tasks), {})
        )

    def _score_packed(
        self, program: native.Program, tasks: PackedTasks
    ) -> Iterator[tuple[Sequence[str], Results]]:
        """Yield the results of `score` for all systems of packed evals."""
        packed, self._packed = self._packed or program.score_plain(tasks.texts), None
        rows_of_predictions, handed_back, places = packed
        first_cuts: dict[int, tuple[int, str | Document]] = {}
        for side, (first, text) in places.items():
            _, predictions, references, *_ = tasks[first]
            cut_up = references[text][1] if side else predictions[tasks.systems[text]]
            first_cuts[side] = first, cut_up or ""
        ids, size = tasks.ids, len(tasks)
        width = len(rows_of_predictions[0]) // max(size - len(handed_back), 1)
        start = used = 0
        for index in [*handed_back, size]:
            if start < index:
                self._note_compiled_cuts(first_cuts, range(start, index))
                end = used + (index - start) * width
                of_systems = zip(tasks.systems, rows_of_predictions, strict=True)
                yield (
                    ids[start:index],
                    {system: rows[used:end] for system, rows in of_systems},
                )
                used = end
            if index < size:
                self._reads_in_python = True
                yield (
                    ids[index : index + 1],
                    self._dialect.score(tasks[index], tasks.systems),
                )
            start = index + 1

    def _score_each(
        self,
        tasks: Sequence[EvalTask],
        systems: Sequence[str] | None,
        compiled: Compiled,
    ) -> Iterator[Results]:
        """Yield the results of every eval; evals without rows are scored in Python."""
        rows_of_tasks, first_cuts = compiled
        if self._program:
            handed_back = [
                task
                for task, rows in zip(tasks, rows_of_tasks, strict=True)
                if rows is None
            ]
            for task in handed_back:
                self._uses.update(
                    task.paths(task.predictions if systems is None else systems)
                )
        for index, (task, rows) in enumerate(zip(tasks, rows_of_tasks, strict=True)):
            requested: Collection[str] = (
                task.predictions if systems is None else systems
            )
            if rows is None:
                self._reads_in_python = True
                yield self._dialect.score(task, requested)
                continue
            self._note_compiled_cuts(first_cuts, (index,))
            if len(rows) < len(requested):
                requested = [
                    system for system in requested if task.predictions.get(system)
                ]
            yield dict(zip(requested, rows, strict=True))

    def _note_compiled_cuts(
        self, first_cuts: FirstCuts, indices: Collection[int]
    ) -> None:
        """Note the texts whose words are cut up, of compiled evals with these
        indices.
        """
        for side, (first, text) in first_cuts.items():
            if first in indices and SIDES[side] not in self._first_cut:
                from rouge_cli.text import languages  # most texts never get here

                self._take_details()  # of the evals before
                self._first_cut.setdefault(
                    SIDES[side], languages.place_and_language(text)
                )

    def _take_details(self) -> None:
        """Take the details of evals that were handed back; note the first text of a
        side that is cut up.
        """
        if self._reads_in_python:
            self._handed_back = add_details(self._handed_back, self._dialect.details())
            for side in SIDES:
                cut_up = self._handed_back[side]["cut_up"]
                if cut_up["first"]:
                    self._first_cut.setdefault(
                        side, (cut_up["first"], cut_up["language"])
                    )

    def _score_sets(
        self, tasks: Sequence[EvalTask], systems: Sequence[str] | None
    ) -> Iterator[tuple[EvalTask, list[Results]]]:
        """Yield every eval with the results of its jackknifed evals.

        These are made and scored in groups: together they have about as many
        references as the square of the eval's.
        """
        sets = (
            (task, subset) for task in tasks for subset in self._sets(task, systems)
        )
        of_sets: list[Results] = []
        for group in _groups_of_sets(sets):
            subsets = [subset for _, subset in group]
            compiled = self._score_compiled(subsets, None)
            results = self._score_each(subsets, None, compiled)
            for (task, _), result in zip(group, results, strict=True):
                of_sets.append(result)
                if len(of_sets) == self._number_of_sets(task, systems):
                    yield task, of_sets
                    of_sets = []

    def _number_of_sets(self, task: EvalTask, systems: Iterable[str] | None) -> int:
        """Return how many evals `_sets` yields for an eval."""
        requested = task.predictions if systems is None else systems
        is_predicted = any(task.predictions.get(system) for system in requested)
        if len(task.references) > 1 and is_predicted:
            return len(task.references)
        return 1

    def _sets(
        self, task: EvalTask, systems: Iterable[str] | None
    ) -> Iterator[EvalTask]:
        """Yield the jackknifed evals of an eval: one for every reference, which
        becomes a prediction.

        An eval with one reference or without predictions is yielded itself.
        """
        requested = task.predictions if systems is None else systems
        predictions = {
            system: source
            for system in requested
            if (source := task.predictions.get(system))
        }
        if self._number_of_sets(task, systems) == 1:
            yield task._replace(predictions=predictions)
            return
        for left_out, (reference_id, source) in enumerate(task.references):
            # A system may have the same ID as a reference
            human = f"human {reference_id}"
            self._humans[human] = None
            references = [
                reference
                for index, reference in enumerate(task.references)
                if index != left_out
            ]
            yield task._replace(
                references=references, predictions={**predictions, human: source}
            )

    def _means(self, eval_id: str, results_of_sets: Sequence[Results]) -> Results:
        """Return the mean of every system's results in the sets of an eval, systems
        before people.
        """
        by_system: dict[str, Columns] = {}
        for results in results_of_sets:
            for system, rows in results.items():
                if system not in by_system:
                    by_system[system] = Columns(self.labels, is_scored=self.is_scored)
                by_system[system].append([eval_id], rows)
        return {
            system: dict(
                zip(
                    self.labels,
                    map(formula.mean, by_system[system].columns),
                    strict=True,
                )
            )
            for system in sorted(by_system, key=self._humans.__contains__)
        }


def _groups_of_sets(
    sets: Iterable[tuple[EvalTask, EvalTask]],
) -> Iterator[list[tuple[EvalTask, EvalTask]]]:
    """Yield (eval, jackknifed eval) in groups of a bounded number of references."""
    group: list[tuple[EvalTask, EvalTask]] = []
    held = 0
    for task, subset in sets:
        group.append((task, subset))
        held += len(subset.references)
        if held >= MOST_REFERENCES:
            yield group
            group, held = [], 0
    if group:
        yield group


def add_details(first: Any, second: Any) -> Any:  # noqa: ANN401 - as in JSON
    """Add the details of two parts of a run.

    Numbers are added, and lists of names are merged. Mappings are added name by name,
    but their strings belong together: they are those of the first part that has any.
    """
    if isinstance(first, dict):
        strings = {
            name: value for name, value in first.items() if isinstance(value, str)
        }
        kept = strings if any(strings.values()) else {}
        both = (name for name in first if name in second and name not in strings)
        added = {name: add_details(first[name], second[name]) for name in both}
        return {**first, **second, **kept, **added}
    if isinstance(first, list):
        return list(dict.fromkeys([*first, *second]))
    return first + second
