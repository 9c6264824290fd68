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
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from rouge_cli import twins
from rouge_cli.core import EvalTask, Notice, Notify, ignore_notice, once
from rouge_cli.errors import RougeError, raise_all, until_error
from rouge_cli.native.scorer import MOST_AT_ONCE, CompiledScorer
from rouge_cli.native.setups import setup_of
from rouge_cli.runs import evaluation, samples
from rouge_cli.runs.evaluation import Collected, ScoredPart, Scorer, collect
from rouge_cli.runs.jackknife import Jackknife
from rouge_cli.runs.mixed import MixedScorer
from rouge_cli.tasks.streams import Batch, Stream, parts

if TYPE_CHECKING:
    from rouge_cli.dialects._run import DialectRun
    from rouge_cli.native.setups import KernelSetup
    from rouge_cli.runs.evaluation import AnyScorer, Make, Watch
    from rouge_cli.runs.pools import Machines, Threads
    from rouge_cli.scoring.totals import Drawing
    from rouge_cli.tasks.dividing import PartToRead


# At least that many chunks for each worker, if the number of evals is known
PARTS_PER_WORKER = 4
MOST_JOBS = 1024
# texts; fewer take as long in one thread, which starts none and has one vocabulary
WORTH_THREADS = 2000
# Chunks of packed evals in a message to a machine: it takes longer than scoring
PACKED_TOGETHER = 16
MANY = 1000  # evals after which it is reported what plain Python scored
LONG = 10  # seconds of scoring after which a missing compiled extension is reported


class Division(NamedTuple):
    """What compiled code scores of a run, and what plain Python.

    Attributes:
        labels: All metrics, in the order of the report.
        setup: What compiled code scores; None if plain Python scores all metrics.
        unknown: The options or metrics that compiled code would be needed for but does
            not understand, for messages.
    """

    labels: Sequence[str]
    setup: KernelSetup | None = None
    unknown: Sequence[str] = ()

    @property
    def plain(self) -> list[str]:
        """The metrics that plain Python scores."""
        compiled = self.setup.labels if self.setup else ()
        return [label for label in self.labels if label not in compiled]


class Work(NamedTuple):
    """How to score the evals of a run; it can be sent to another process.

    Attributes:
        make: Makes the run.
        systems: The systems to score; None for all.
        jackknife: Score every eval as the mean of its sets of references.
        make_some: Makes the run of some of the metrics, given their labels; None if
            they cannot be divided.
        unknown: The options off their defaults that compiled code does not understand.
        sentences: The option `sentences` of a run whose texts are examined for marks;
            None if they are not.
        totals: How totals are resampled, if the run keeps these in place of evals.
    """

    make: Make
    systems: Sequence[str] | None
    jackknife: bool = False
    make_some: Callable[[Sequence[str]], Make] | None = None
    unknown: Sequence[str] = ()
    sentences: str | None = None
    totals: Drawing | None = None

    def dialect(self, notify: Notify) -> DialectRun:
        """Return a dialect for averaging; raise UsageError for invalid options."""
        return self.make(Counter(), notify)

    def division(self, run: DialectRun) -> Division:
        """Decide what compiled code scores of a run of this work."""
        setup = None
        if twins.kernels() == twins.COMPILED:
            setup = setup_of(run)
        if setup is None:
            return Division(run.labels)
        if self.unknown:
            return Division(run.labels, None, self.unknown)

        division = Division(run.labels, setup)
        if not division.plain:
            return division
        if self.make_some is None:
            return Division(run.labels, None, division.plain)
        return division._replace(unknown=division.plain)

    def scorer(self, notify: Notify, division: Division | None = None) -> AnyScorer:
        """Return the scorer of one thread.

        Args:
            notify: Receives notices, also of the options unless there is a division.
            division: What compiled code scores, if it is decided already.
        """
        if division is None:
            division = self.division(self.dialect(notify))
        scorer = self._scorer_of_evals(notify, division)
        return Jackknife(scorer) if self.jackknife else scorer

    def _scorer_of_evals(self, notify: Notify, division: Division) -> AnyScorer:
        setup = division.setup
        if setup is None:
            return _readable(self.make, notify)
        if not division.plain:
            return CompiledScorer(setup, partial(Scorer, self.make), notify)

        assert self.make_some  # noqa: S101 - else the run was not divided
        make_compiled = self.make_some(setup.labels)
        compiled = CompiledScorer(setup, partial(Scorer, make_compiled), notify)
        readable = _readable(self.make_some(division.plain), notify)
        return MixedScorer(compiled, readable, division.labels)


def _readable(make: Make, notify: Notify) -> Scorer:
    """Return the scorer in plain Python of a run, whose options have been warned of."""
    scorer = Scorer(make, ignore_notice)
    scorer.notify = notify
    return scorer


class Worker:
    """Scores chunks of a run in one thread, all with the same scorer."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._scorer: AnyScorer | None = None

    def __call__(
        self, group: Sequence[Sequence[EvalTask]] | PartToRead
    ) -> list[ScoredPart]:
        """Score a group of chunks, or a part of the input."""
        if not isinstance(group, Sequence):
            return [self._read(group)]
        return list(map(self._score, group))

    def _read(self, reading: PartToRead) -> ScoredPart:
        errors: list[RougeError] = []
        stream, cells = reading.source.stream(reading.part)
        scored = self._score(Stream(until_error(stream.parts, errors)))
        if errors and not isinstance(scored.result, RougeError):
            return ScoredPart(errors[0], scored.notices, is_unread=True)
        if cells:
            return scored._replace(missing=(cells.number, cells.first))
        return scored

    def _score(self, tasks: Iterable[EvalTask]) -> ScoredPart:
        notices: list[Notice] = []
        try:
            # The run has already reported notices about the options
            if self._scorer is None:
                self._scorer = self._work.scorer(ignore_notice)
            self._scorer.notify = notices.append
            systems = self._work.systems
            totals = self._work.totals
            result = collect(
                tasks, systems, self._scorer, notices.append, totals=totals
            )
            return ScoredPart(result, notices)
        except RougeError as error:
            return ScoredPart(error, notices)
        except MemoryError:
            full = RougeError("out of memory", remedy="try again with fewer jobs")
            return ScoredPart(full, notices)


def collected(  # noqa: PLR0913 - each is independent of the others
    work: Work,
    tasks: Iterable[EvalTask],
    notify: Notify,
    *,
    jobs: int = 1,
    scheduler: str | None = None,
    watch: Watch = iter,
    division: Division | None = None,
    scorer: AnyScorer | None = None,
) -> Collected:
    """Score all evals of a run, and return the scores before averaging.

    Args:
        division: What compiled code scores of the work, if it is decided already.
        scorer: The scorer of this division, if it is made already.
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
    tasks = samples.take_evals(tasks, sample)
    examined = None
    if work.sentences is not None:
        examined = samples.TextSample(work.systems, work.sentences)
        tasks = examined.watch(tasks)
    if division is None:
        # Invalid options raise here, not in every worker.
        division = work.division(work.dialect(notify))
    if scorer is None:
        scorer = work.scorer(notify, division)
    scorer.notify = notify

    jobs = jobs or evaluation.usable_cores()
    size = MOST_AT_ONCE
    if (jobs > 1 or scheduler) and isinstance(tasks, Sequence):
        size = max(1, min(size, -(-len(tasks) // (jobs * PARTS_PER_WORKER))))
    if jobs > 1 and scorer.gains_by_threads and scheduler is None:
        tasks, are_few = _looked_ahead(tasks)
        jobs = 1 if are_few else jobs
    if scheduler is None and jobs == 1:
        result = collect(tasks, work.systems, scorer, notify, watch, totals=work.totals)
    elif scheduler is None:
        pool = _pool(work, notify, jobs, scorer)
        result = _on_this_machine(pool, tasks, size, notify, watch)
    else:
        machines = _machines(work, notify, scheduler)
        result = _on_machines(machines, tasks, size, notify, watch)

    details = result.details
    if examined is not None:
        dialect = partial(work.dialect, ignore_notice)
        details = examined.add_marks(details, dialect)
    seconds = time.monotonic() - start
    if division.unknown and result.evals >= MANY:
        notify(Notice(_slowness(division.unknown, scorer)))
    if seconds >= LONG and _is_extension_missing(work):
        notify(Notice(_slow_without_kernels(seconds)))
    return result._replace(details=details, sample=sample)


def _pool(
    work: Work, notify: Notify, jobs: int, scorer: AnyScorer
) -> Threads[Sequence[Sequence[EvalTask]], list[ScoredPart]]:
    """Return the pool of this machine that scores groups of chunks: threads for
    compiled code, or processes.
    """
    from rouge_cli.runs import pools  # imports multiprocessing

    kind = pools.Threads if scorer.gains_by_threads else pools.Processes
    return kind(partial(Worker, work), jobs, notify)


def _machines(
    work: Work, notify: Notify, scheduler: str
) -> Machines[Sequence[Sequence[EvalTask]] | PartToRead, list[ScoredPart]]:
    """Return the pool of the machines of a scheduler."""
    from rouge_cli.runs import pools  # imports multiprocessing

    return pools.Machines(partial(Worker, work), scheduler, notify)


def _on_this_machine(
    pool: Threads[Sequence[Sequence[EvalTask]], list[ScoredPart]],
    tasks: Iterable[EvalTask],
    size: int,
    notify: Notify,
    watch: Watch,
) -> Collected:
    """Score the evals in a pool, in chunks of a size, and merge the scores in order;
    raise as `collected`, after the evals before an error are scored.
    """
    errors: list[RougeError] = []
    chunks = watch(until_error(evaluation.batches(tasks, size), errors))
    with closing(pool.run(grouped(chunks, 1))) as groups:
        result = evaluation.merge(_results(chain.from_iterable(groups), notify))
    raise_all(errors)
    return result


def _on_machines(
    pool: Machines[Any, list[ScoredPart]],
    tasks: Iterable[EvalTask],
    size: int,
    notify: Notify,
    watch: Watch,
) -> Collected:
    """Score the evals on machines, which read them if they can."""
    from rouge_cli.runs.divided import (
        DividedInput,  # imported late: the drop-in reads no records
    )

    errors: list[RougeError] = []

    def passing() -> Iterator[list[Sequence[EvalTask]]]:
        chunks = watch(until_error(evaluation.batches(tasks, size), errors))
        return grouped(chunks)

    divided = DividedInput(tasks, pool)
    with closing(pool.run(divided.groups(passing, notify))) as groups:
        parts = divided.checked(chain.from_iterable(groups))
        results = _results(parts, notify)
        result = evaluation.merge(divided.watched(results, watch))
    raise_all(errors)
    divided.finish(result, notify)
    return result


def _slow_without_kernels(seconds: float) -> str:
    """Return the notice of a long run without compiled kernels."""
    remark = (
        f"scoring took {seconds:.0f} s without compiled kernels, which were not built"
    )
    remedy = "install rouge-cli again with a C++ compiler at hand"
    silence = f"set {twins.VARIABLE}={twins.PYTHON} to suppress this warning"
    return f"{remark}; {remedy}, or {silence}"


def _slowness(unknown: Sequence[str], scorer: AnyScorer) -> str:
    """Return the notice of what plain Python scored, and how much slower that was."""
    slower = ""
    if isinstance(scorer, MixedScorer) and scorer.seconds_compiled:
        times = scorer.seconds / scorer.seconds_compiled
        slower = f", {times:.0f} times slower than the compiled metrics beside it"
    what = " and ".join(unknown)
    return f"{what}: not compiled; plain Python scored it{slower}"


def _is_extension_missing(work: Work) -> bool:
    """Return True if compiled code would score a run, but was not built."""
    is_wanted = twins.kernels() == twins.PYTHON and not os.environ.get(twins.VARIABLE)
    return is_wanted and setup_of(work.dialect(ignore_notice)) is not None


def _looked_ahead(tasks: Iterable[EvalTask]) -> tuple[Iterable[EvalTask], bool]:
    """Return the evals, and whether they have fewer texts than WORTH_THREADS, for which
    the first of a stream are read.
    """
    errors: list[RougeError] = []
    coming = until_error(parts(tasks), errors)
    seen: list[EvalTask | Batch] = []
    texts = 0
    for part in coming:
        seen.append(part)
        texts += _number_of_texts(part)
        if texts >= WORTH_THREADS:
            break
    if isinstance(tasks, Sequence):
        return tasks, texts < WORTH_THREADS

    def evals() -> Iterator[EvalTask | Batch]:
        yield from chain(seen, coming)
        raise_all(errors)

    return Stream(evals()), texts < WORTH_THREADS


def _number_of_texts(part: EvalTask | Batch) -> int:
    """Return how many texts there are, if all evals of a batch have as many as the
    first.
    """
    evals = part if isinstance(part, Batch) else [part]
    if not evals:
        return 0
    first = evals[0]
    return len(evals) * (len(first.predictions) + len(first.references))


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


def _results(parts: Iterable[ScoredPart], notify: Notify) -> Iterator[Collected]:
    """Yield the scores of the parts in order; pass their notices on, and raise the
    first error.
    """
    for part in parts:
        for notice in part.notices:
            notify(notice)
        if isinstance(part.result, RougeError):
            raise part.result
        yield part.result
