"""Divide the evals of a run among threads, processes or machines; the result is the
same to the last bit.

Chunks of evals are scored separately, and their results are merged in order
(`evaluation.collect` and `merge`). The compiled program runs in threads; where Python
makes the words, processes run. Machines are Dask workers. Processes and machines are in
`pools`.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from rouge_cli import twins
from rouge_cli.core import EvalTask, Notice, Notify, ignore_notice, once
from rouge_cli.errors import RougeError, raise_all, until_error
from rouge_cli.native.scorer import MOST_AT_ONCE, CompiledScorer
from rouge_cli.native.setups import setup_of
from rouge_cli.runs import eval_samples, evaluation
from rouge_cli.runs.evaluation import Collected, Scorer, collect
from rouge_cli.runs.jackknife import Jackknife
from rouge_cli.runs.mixed import MixedScorer
from rouge_cli.tasks.streams import Batch, Stream, parts

if TYPE_CHECKING:
    from rouge_cli.native.setups import KernelSetup
    from rouge_cli.options import DialectRun
    from rouge_cli.runs.evaluation import AnyScorer, Make, Watch

    # The result of a worker for one chunk: the scores or an error, and the notices
    # before it
    Part = tuple[Collected | RougeError, Sequence[Notice]]

# At least that many chunks for each worker, if the number of evals is known
PARTS_PER_WORKER = 4
MOST_JOBS = 1024
# texts; fewer take as long in one thread, which starts none and has one vocabulary
WORTH_THREADS = 2000
# Chunks of packed evals in a message to a machine: it takes longer than scoring
PACKED_TOGETHER = 16
MANY = 1000  # evals after which it is reported what plain Python scored
LONG = 10  # seconds of scoring after which a missing compiled extension is reported


class Plain(NamedTuple):
    """What compiled code does not understand of a run, so that plain Python scores it.

    Attributes:
        what: The options or the metrics, for messages.
        make: Makes the run of the metrics that plain Python scores.
        labels: All metrics, in the order of the report.
        others: Makes the run of the metrics with kernels; None if plain Python scores
            all.
    """

    what: str
    make: Make
    labels: Sequence[str]
    others: Make | None = None


class Work(NamedTuple):
    """How to score the evals of a run; it can be sent to another process."""

    make: Make
    systems: Sequence[str] | None  # None for all
    jackknife: bool = False
    plain: Plain | None = None  # what plain Python scores; None for nothing
    # The option `sentences` of a run whose texts are examined for marks; None if they
    # are not.
    sentences: str | None = None

    def dialect(self, notify: Notify) -> DialectRun:
        """Return a dialect for averaging; raise UsageError for invalid options."""
        return self.make(Counter(), notify)

    def scorer(self, notify: Notify, setup: KernelSetup | None = None) -> AnyScorer:
        """Return the scorer of one thread.

        Args:
            notify: Receives notices, also of the options unless `setup` is given.
            setup: What compiled code understands of the run, if it is known.
        """
        scorer = self._scorer_of_evals(notify, setup)
        return Jackknife(scorer) if self.jackknife else scorer

    def _scorer_of_evals(self, notify: Notify, setup: KernelSetup | None) -> AnyScorer:
        plain = self.plain
        if plain and plain.others is None:
            return Scorer(plain.make, notify)
        if twins.kernels() == twins.PYTHON:
            return Scorer(self.make, notify)
        if setup is None:
            notices: list[Notice] = []
            dialect = self.dialect(notices.append)
            setup = setup_of(dialect)
            has_all = setup is not None and len(setup.labels) == len(dialect.labels)
            if setup is None or not (plain or has_all):
                return Scorer(self.make, notify)
            for notice in notices:
                notify(notice)
        if plain is None or plain.others is None:
            return CompiledScorer(setup, partial(Scorer, self.make), notify)
        compiled = CompiledScorer(setup, partial(Scorer, plain.others), notify)
        return MixedScorer(compiled, Scorer(plain.make, notify), plain.labels)


class Worker:
    """Scores chunks of a run in one thread, all with the same scorer."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._scorer: AnyScorer | None = None

    def __call__(self, group: Iterable[Sequence[EvalTask]]) -> list[Part]:
        """Score a group of chunks."""
        return list(map(self._score, group))

    def _score(self, tasks: Sequence[EvalTask]) -> Part:
        notices: list[Notice] = []
        try:
            # The run has already reported notices about the options
            if self._scorer is None:
                self._scorer = self._work.scorer(ignore_notice)
            self._scorer.notify = notices.append
            return (
                collect(tasks, self._work.systems, self._scorer, notices.append),
                notices,
            )
        except RougeError as error:
            return error, notices
        except MemoryError:
            return (
                RougeError("out of memory", remedy="try again with fewer jobs"),
                notices,
            )


def collected(  # noqa: PLR0913 - each is independent of the others
    work: Work,
    tasks: Iterable[EvalTask],
    notify: Notify,
    *,
    jobs: int = 1,
    scheduler: str | None = None,
    watch: Watch = iter,
    scorer: AnyScorer | None = None,
) -> Collected:
    """Score all evals of a run, and return the scores before averaging.

    Args:
        scorer: The scorer of the work, if it is made already.
        jobs: The number of workers; 0 for all cores.
        scheduler: The address of a Dask scheduler, or `local` to start one.
        watch: Passes batches on, to show progress.

    Raises:
        RougeError: An eval cannot be scored, a worker dies, or the scheduler cannot be
            reached.
    """
    # Every thread or process reads a shared text, and warns of it
    notify = once(notify)
    start = time.monotonic()
    sample: list[EvalTask] = []
    tasks = eval_samples.taken(tasks, sample)
    jobs = jobs or evaluation.usable_cores()
    size = MOST_AT_ONCE
    examined = None
    if work.sentences is not None:
        from rouge_cli.runs import (
            text_samples,  # imported late: the drop-in needs no re
        )

        examined = text_samples.TextSample(work.systems, work.sentences)
        tasks = examined.watch(tasks)
    if scorer is None:
        scorer = work.scorer(notify)  # invalid options raise here, not in every worker
    scorer.notify = notify
    if (jobs > 1 or scheduler) and isinstance(tasks, Sequence):
        size = max(1, min(size, -(-len(tasks) // (jobs * PARTS_PER_WORKER))))
    if jobs > 1 and scorer.gains_by_threads and scheduler is None:
        tasks, are_few = _begun(tasks)
        jobs = 1 if are_few else jobs
    if scheduler is None and jobs == 1:
        result = collect(tasks, work.systems, scorer, notify, watch)
    else:
        from rouge_cli.runs import pools

        pool: pools.Threads[Sequence[Sequence[EvalTask]], list[Part]]
        if scheduler is not None:
            pool = pools.Machines(partial(Worker, work), scheduler, notify)
        else:
            kind = pools.Threads if scorer.gains_by_threads else pools.Processes
            pool = kind(partial(Worker, work), jobs, notify)
        errors: list[RougeError] = []
        chunks = watch(until_error(evaluation.batches(tasks, size), errors))
        with closing(
            pool.run(grouped(chunks, PACKED_TOGETHER if scheduler else 1))
        ) as groups:
            result = evaluation.merge(_results(chain.from_iterable(groups), notify))
        raise_all(errors)
    details = result.details
    if examined is not None:
        dialect = partial(work.dialect, ignore_notice)
        details = examined.add_marks(details, dialect)
    seconds = time.monotonic() - start
    is_compiled = twins.kernels() == twins.COMPILED
    if work.plain and is_compiled and result.evals >= MANY:
        notify(Notice(_slowness(work.plain, scorer)))
    is_missing = seconds >= LONG and not (is_compiled or os.environ.get(twins.VARIABLE))
    if is_missing and setup_of(work.dialect(ignore_notice)):
        remark = (
            f"scoring took {seconds:.0f} s without compiled kernels, which were not"
            " built"
        )
        remedy = "install rouge-cli again with a C++ compiler at hand"
        silence = f"set {twins.VARIABLE}={twins.PYTHON} to suppress this warning"
        notify(Notice(f"{remark}; {remedy}, or {silence}"))
    return result._replace(details=details, sample=sample)


def _slowness(plain: Plain, scorer: AnyScorer) -> str:
    """Return the notice of what plain Python scored, and how much slower that was."""
    slower = ""
    if isinstance(scorer, MixedScorer) and scorer.seconds_compiled:
        times = scorer.seconds / scorer.seconds_compiled
        slower = f", {times:.0f} times slower than the compiled metrics beside it"
    return f"{plain.what}: not compiled; plain Python scored it{slower}"


def _begun(tasks: Iterable[EvalTask]) -> tuple[Iterable[EvalTask], bool]:
    """Return the evals, whose first are read, and whether they have fewer texts than
    WORTH_THREADS.
    """
    read: list[EvalTask | Batch] = []
    errors: list[RougeError] = []
    rest, number = until_error(parts(tasks), errors), 0
    while number < WORTH_THREADS and (part := next(rest, None)) is not None:
        read.append(part)
        some = part if isinstance(part, Batch) else [part]
        for task in some[:1]:
            number += (len(task.predictions) + len(task.references)) * len(some)
    if isinstance(tasks, Sequence):
        return tasks, number < WORTH_THREADS

    def evals() -> Iterator[EvalTask | Batch]:
        yield from chain(read, rest)
        raise_all(errors)

    return Stream(evals()), number < WORTH_THREADS


def grouped(
    chunks: Iterable[Sequence[EvalTask]], most: int = PACKED_TOGETHER
) -> Iterator[list[Sequence[EvalTask]]]:
    """Yield the chunks in groups of at most that many, which end after a chunk that
    is not packed.
    """
    group = []
    for chunk in chunks:
        group.append(chunk)
        if len(group) == most or not isinstance(chunk, Batch):
            yield group
            group = []
    if group:
        yield group


def _results(parts: Iterable[Part], notify: Notify) -> Iterator[Collected]:
    """Yield the scores of the parts in order; pass their notices on, and raise the
    first error.
    """
    for result, notices in parts:
        for notice in notices:
            notify(notice)
        if isinstance(result, RougeError):
            raise result
        yield result
