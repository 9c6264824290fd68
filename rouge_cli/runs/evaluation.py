"""The evaluation loop: score every system in every eval by one dialect, collect the
scores in columns, and average them.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import (
    Callable,
    Container,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from rouge_cli.core import EvalResult, EvalTask, Notice, Notify, Report, Result
from rouge_cli.errors import RougeError, raise_all, until_error
from rouge_cli.scoring.columns import Columns, keyed
from rouge_cli.scoring.totals import Drawing, Totals
from rouge_cli.tasks.streams import FEW, Batch, parts
from rouge_cli.text.survey import add_details

if TYPE_CHECKING:
    from typing import Protocol

    from rouge_cli.dialects._run import DialectRun

    # Makes a dialect from the number of uses of every path, and the function that
    # receives notices.
    Make = Callable[[Counter[str], Notify], DialectRun]
    Watch = Callable[[Iterator[Sequence[EvalTask]]], Iterable[Sequence[EvalTask]]]
    # The results of evals: system -> (label -> result) of one eval, or system -> the
    # packed rows of all.
    Results = Mapping[str, Mapping[str, EvalResult] | bytes]

if TYPE_CHECKING:

    class AnyScorer(Protocol):
        """What scores evals.

        Attributes:
            labels: The metrics.
            notify: Receives notices.
            most_at_once: The most evals that are scored in a call.
            is_scored: False if packed rows have only counts, no scores.
            gains_by_threads: True if several scorers in threads are faster than one.
        """

        labels: Sequence[str]
        notify: Notify
        most_at_once: int
        is_scored: bool
        gains_by_threads: bool

        def use_threads(self, number: int) -> bool:
            """Score in so many threads, if it can; return True if it uses several."""

        def expect(
            self, tasks: Iterable[EvalTask], systems: Sequence[str] | None
        ) -> None:
            """Count the uses of files by evals that will be scored."""

        def score(
            self, tasks: Sequence[EvalTask], systems: Sequence[str] | None
        ) -> Iterator[tuple[Sequence[str], Results]]:
            """Score the systems in the evals that have them; None for all systems.

            Yields:
                IDs of evals, and the results of their systems: of one eval, or the
                joined packed rows of several evals.
            """

        def details(self) -> Mapping[str, object]:
            """Return the details that were recorded since the last call."""


MOST_BYTES = 1 << 23  # of the texts in a batch, unless a single eval has more


class Collected(NamedTuple):
    """The scores of evals before they are averaged. The parts of a run add up to the
    whole.
    """

    # System -> its results by eval; of a run that keeps totals, its totals
    systems: dict[str, Columns | Totals]
    evals: int  # the number of evals
    # The distinct numbers of references of an eval, ascending
    references: Sequence[int]
    details: Mapping[str, object]  # of the dialect
    sample: Sequence[EvalTask] = ()  # some of the evals, for `hints.remarks`
    # The IDs of evals in which no system has a result; not of a run that keeps totals
    unscored: Sequence[str] = ()
    totals: Drawing | None = None  # how a run that keeps totals resamples them

    @property
    def limits(self) -> list[int]:
        """The fewest and the most references of an eval; one number if these are
        equal.
        """
        return [*self.references[:1], *self.references[1:][-1:]]

    @property
    def by_eval(self) -> dict[str, Columns]:
        """The results of each system; empty if the run keeps totals."""
        systems = self.systems.items()
        return {name: kept for name, kept in systems if isinstance(kept, Columns)}

    @property
    def added(self) -> dict[str, Totals]:
        """The totals of each system; empty unless the run keeps these."""
        systems = self.systems.items()
        return {name: kept for name, kept in systems if isinstance(kept, Totals)}

    def empty(
        self, labels: Iterable[str], *, is_scored: bool = True
    ) -> Columns | Totals:
        """Return what collects the results of a system in this run."""
        if self.totals is None:
            return Columns(labels, is_scored=is_scored)
        return Totals(labels, self.totals, is_scored=is_scored)


class ScoredPart(NamedTuple):
    """What a worker returns for one chunk.

    Attributes:
        result: The scores, or an error.
        notices: The notices before it.
        missing: The number of missing texts of a part that it read, and the first.
        is_unread: True for an error in the part that it read.
    """

    result: Collected | RougeError
    notices: Sequence[Notice]
    missing: tuple[int, str] = (0, "")
    is_unread: bool = False


def collect(  # noqa: PLR0913 - what a run is made of
    tasks: Iterable[EvalTask],
    systems: Sequence[str] | None,
    scorer: AnyScorer,
    notify: Notify,
    watch: Watch = iter,
    *,
    totals: Drawing | None = None,
) -> Collected:
    """Score the systems (None for all) in the evals, in order, without averaging: work
    that can be divided.

    A system that is missing in an eval is averaged over the other evals, with a notice.
    `watch` passes batches on, to show progress. `totals` says how totals are resampled,
    if these are kept in place of evals.
    """
    nothing = Collected({}, 0, (), {}, totals=totals)
    if not scorer.labels or (systems is not None and not systems):
        return nothing
    by_system = nothing.systems
    number, references = 0, set[int]()
    unscored: list[str] = []
    if isinstance(tasks, Sequence) and not isinstance(tasks, Batch):
        scorer.expect(tasks, systems)
    for batch in watch(batches(tasks, scorer.most_at_once)):
        number += len(batch)
        if isinstance(batch, Batch):
            references.update(batch.numbers_of_references())
        else:
            references |= {len(task.references) for task in batch}
        missing = _missing(batch, systems or ())
        scored = iter(batch if missing else ())
        for ids, results in scorer.score(batch, systems):
            if not results and totals is None:
                unscored.extend(ids)
            for task in islice(scored, len(ids)):
                _report_missing(task, missing, notify)
            for system, by_label in results.items():
                if system not in by_system:
                    labels = scorer.labels if isinstance(by_label, bytes) else by_label
                    of_system = nothing.empty(labels, is_scored=scorer.is_scored)
                    by_system[system] = of_system
                _append(by_system[system], ids, by_label, system)
    return nothing._replace(
        evals=number,
        references=sorted(references),
        details=scorer.details(),
        unscored=unscored,
    )


def _append(
    kept: Columns | Totals,
    ids: Sequence[str],
    results: Mapping[str, EvalResult] | bytes,
    system: str,
) -> None:
    """Add results of a system; raise RougeError for numbers that totals cannot have."""
    try:
        kept.append(ids, results)
    except ValueError as error:
        if not isinstance(kept, Totals):
            raise
        where = f"evals {ids[0]} to {ids[-1]}" if len(ids) > 1 else f"eval {ids[0]}"
        raise RougeError(
            f"{error}, which totals cannot have",
            where=f"{where}, system {system}",
            remedy="score without --totals",
        ) from None


def _missing(batch: Sequence[EvalTask], systems: Iterable[str]) -> list[str]:
    """Return the systems that lack a text in some eval of a batch."""
    if isinstance(batch, Batch):
        return [system for system in systems if system not in batch.systems]
    missing = []
    for system in systems:
        if not all(task.predictions.get(system) for task in batch):
            missing.append(system)
    return missing


def _report_missing(task: EvalTask, systems: Iterable[str], notify: Notify) -> None:
    """Warn of each of these systems that has no text in an eval."""
    for system in systems:
        if not task.predictions.get(system):
            remark = f"no text of {system}; it is averaged over the other evals"
            notice = Notice(f"eval {task.eval_id}: {remark}", of_the_original=True)
            notify(notice)


def batches(tasks: Iterable[EvalTask], size: int) -> Iterator[Sequence[EvalTask]]:
    """Yield the evals in batches of at most so many, which hold few texts of many
    bytes. Packed evals are a batch of their own, unless they are few.

    If the source of the evals raises an error, the evals before it are yielded first.
    """
    if isinstance(tasks, Sequence):
        starts = range(0, len(tasks), size)
        if len(starts) == 1:
            yield tasks
            return
        for start in starts:
            yield tasks[start : start + size]
        return
    batch: list[EvalTask] = []
    held = 0  # bytes of its texts
    errors: list[RougeError] = []
    for part in until_error(parts(tasks), errors):
        evals = part if isinstance(part, Batch) else [part]
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
    systems: dict[str, Columns | Totals] = {}
    evals = 0
    totals: Drawing | None = None
    references: set[int] = set()
    details: dict[str, object] = {}
    unscored: list[str] = []
    for part in parts:
        evals += part.evals
        totals = part.totals
        unscored.extend(part.unscored)
        references.update(part.references)
        for system, columns in part.systems.items():
            whole = systems.setdefault(system, columns.empty())
            whole.extend(columns)  # type: ignore[arg-type]  # all parts keep the same
        details = add_details(details, part.details)
    return Collected(
        systems,
        evals,
        sorted(references),
        details,
        unscored=unscored,
        totals=totals,
    )


def completed(
    collected: Collected,
    systems: Sequence[str] | None,
    labels: Sequence[str],
    notify: Notify,
) -> tuple[Collected, dict[str, object]]:
    """Return the results of a report of the systems, and its details; notify of every
    incomplete system.
    """
    by_system = collected.systems
    if systems is not None:
        nothing = {system: collected.empty(labels) for system in systems}
        collected = collected._replace(systems={**nothing, **by_system})
    else:
        for system, columns in by_system.items():
            if columns.size < collected.evals:
                remark = (
                    f"in {columns.size} of {collected.evals} evals only, and"
                    " averaged over these"
                )
                notify(Notice(f"{system}: {remark}"))
    details = {
        "evals": collected.evals,
        "references_per_eval": collected.limits,
        **collected.details,
    }
    return collected, details


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
    whole, details = completed(collected, systems, dialect.labels, notify)
    columns = keyed(whole.by_eval, averaged)
    if systems is not None and not columns:
        return Report(())
    averages = dialect.average(columns, jobs or usable_cores())
    return Report(
        [Result(*key, averages[key], evals) for key, evals in columns.items()],
        details=details,
    )


def one_by_one(
    scored: Iterable[tuple[Sequence[str], Results]],
) -> Iterator[tuple[str, Results]]:
    """Yield the results of a scorer eval by eval; packed rows stay packed."""
    for ids, results in scored:
        if len(ids) == 1:
            yield ids[0], results
            continue
        for place, eval_id in enumerate(ids):
            of_eval: dict[str, Mapping[str, EvalResult] | bytes] = {}
            for system, rows in results.items():
                assert isinstance(rows, bytes)  # noqa: S101 - of several evals
                width = len(rows) // len(ids)
                of_eval[system] = rows[width * place : width * (place + 1)]
            yield eval_id, of_eval


class Scorer:
    """Scores evals one after the other, by the run of a dialect.

    Args:
        make: Makes the run.
        notify: Receives notices.
    """

    most_at_once = 1
    is_scored = True
    gains_by_threads = False

    def __init__(self, make: Make, notify: Notify) -> None:
        self.notify = notify
        # How often every path will be read, so that a file is read only once.
        self._uses: Counter[str] = Counter()
        self._run = make(self._uses, lambda notice: self.notify(notice))  # noqa: PLW0108 - it may change
        self.labels = self._run.labels

    def use_threads(self, number: int) -> bool:  # noqa: ARG002 - of all scorers
        """Return False: threads of Python wait for each other."""
        return False

    def expect(self, tasks: Iterable[EvalTask], systems: Sequence[str] | None) -> None:
        """Count the uses of files by evals that will be scored."""
        for task in tasks:
            requested = task.predictions if systems is None else systems
            self._uses.update(task.paths(requested))

    def score(
        self, tasks: Sequence[EvalTask], systems: Sequence[str] | None
    ) -> Iterator[tuple[Sequence[str], Results]]:
        """Score the systems in the evals that have them; None for all systems."""
        for task in tasks:
            requested = task.predictions if systems is None else dict.fromkeys(systems)
            yield [task.eval_id], self._run.score(task, requested)

    def details(self) -> Mapping[str, object]:
        """Return the details that were recorded since the last call."""
        return self._run.details()
