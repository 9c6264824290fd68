"""Scoring of batches of evals by the compiled program, and in Python for the evals that it hands back."""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING, Any

from rouge_cli import native
from rouge_cli.core import Counts, EvalResult, Score
from rouge_cli.scoring import formula
from rouge_cli.scoring.columns import PackedResults
from rouge_cli.tasks.streams import PackedTasks
from rouge_cli.text.survey import SIDES, record

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from rouge_cli.core import EvalTask
    from rouge_cli.dialects._base import DialectRun

    # The results of one eval: peer id -> label -> result, or its packed rows.
    Results = Mapping[str, Mapping[str, EvalResult] | bytes]


class Scorer:
    """Scores evals in one thread.

    uses: how often the dialect's program will read each path. It is the dialect's own and empty at first;
    the tasks left to the program are counted here. None if the dialect has counted already.
    jackknife: score each peer against M sets of M - 1 models (Lin 2004, section 2.1). A peer's score is the
    mean of the M. To compare people with systems on equal terms, each model is also a peer, scored
    against the others. An eval with one model is scored as it is, and has no human. The models of a set are
    combined as in the dialect: the paper takes the best of them, the campaigns added their counts.
    """

    def __init__(
        self, dialect: DialectRun, uses: Counter[str] | None = None, *, jackknife: bool = False
    ) -> None:
        self._dialect = dialect
        self._uses = uses
        self._jackknife = jackknife
        self._humans: dict[str, None] = {}
        self._first_cut: dict[str, str] = {}  # side -> the first text that the tokenizer cuts up
        self._reported: Mapping[str, Any] = {}
        self._program = native.program(dialect.kernel_setup())
        self.labels = dialect.labels
        # True if a batch is scored in one call. If not, batches may as well be single tasks.
        self.is_compiled = self._program is not None
        # True if packed rows hold scores, not only counts.
        self.is_scored = self._program is None or self._program.is_scored

    def expect(self, tasks: Iterable[EvalTask], peer_ids: Sequence[str] | None) -> None:
        """Count the files that the dialect's program reads for these tasks, so that it reads each once."""
        for task in tasks:
            self._expect(self._sets(task, peer_ids) if self._jackknife else [task], peer_ids)

    def score(
        self, tasks: Sequence[EvalTask], peer_ids: Sequence[str] | None
    ) -> Iterator[tuple[Sequence[str], Results]]:
        """Score those of the peers that a task has; None for all.

        Yield IDs of evals with their peers' results: those of one eval, or the packed rows of several evals
        one after the other.
        """
        peer_ids = None if peer_ids is None else list(dict.fromkeys(peer_ids))
        if not self._jackknife:
            if self._program and isinstance(tasks, PackedTasks) and peer_ids in (None, list(tasks.systems)):
                yield from self._score_packed(self._program, tasks)
                return
            rows_of_tasks, first_cuts = self._score_compiled(tasks, peer_ids)
            ids = [task.eval_id for task in tasks]
            peers = list(tasks[0].peers) if peer_ids is None else peer_ids
            if _is_uniform(rows_of_tasks, len(peers)) and all([*task.peers] == peers for task in tasks):
                for side, (_, text) in first_cuts.items():
                    self._first_cut.setdefault(SIDES[side], text)
                by_peer = zip(*filter(None, rows_of_tasks), strict=True)
                yield ids, dict(zip(peers, map(b"".join, by_peer), strict=True))
                return
            results = self._score_each(tasks, peer_ids, rows_of_tasks, first_cuts)
            yield from zip(([eval_id] for eval_id in ids), results, strict=True)
            return
        sets_of_tasks = [self._sets(task, peer_ids) for task in tasks]
        subsets = [subset for sets in sets_of_tasks for subset in sets]
        results = self._score_each(subsets, None, *self._score_compiled(subsets, None))
        for sets in sets_of_tasks:
            of_sets = [next(results) for _ in sets]
            eval_id = sets[0].eval_id
            yield [eval_id], self._means(eval_id, of_sets) if len(sets) > 1 else of_sets[0]

    def details(self) -> Mapping[str, Any]:
        """Return the details recorded since the last call, for the report."""
        details = self._dialect.details()
        if self._program:
            tallies = zip(SIDES, self._program.tally(), strict=True)
            program = {side: record(numbers, self._first_cut.get(side, "")) for side, numbers in tallies}
            details = add_details(program, details)
        if self._jackknife:
            details = {**details, "humans": list(self._humans)}
        before, self._reported = self._reported, details
        return {name: _subtract(value, before.get(name, {})) for name, value in details.items()}

    def _expect(self, tasks: Iterable[EvalTask], peer_ids: Sequence[str] | None) -> None:
        if self._uses is not None:
            for task in tasks:
                requested = task.peers if self._jackknife or peer_ids is None else peer_ids
                self._uses.update(task.paths(requested))

    def _score_compiled(
        self, tasks: Sequence[EvalTask], peer_ids: Sequence[str] | None
    ) -> tuple[Sequence[list[bytes] | None], Mapping[int, tuple[int, str]]]:
        """Return the result of `native.Program.score`; nothing is scored without a compiled program."""
        return self._program.score(tasks, peer_ids) if self._program else ([None] * len(tasks), {})

    def _score_packed(
        self, program: native.Program, tasks: PackedTasks
    ) -> Iterator[tuple[Sequence[str], Results]]:
        """Yield the results of `score` for all systems of the tasks."""
        rows_of_peers, others, first_cuts = program.score_plain(tasks.texts)
        width = len(rows_of_peers[0]) // max(len(tasks) - len(others), 1)
        start = used = 0
        for place in [*others, len(tasks)]:
            if start < place:
                for side, (first, text) in first_cuts.items():
                    if start <= first < place:
                        where = tasks.where(first, text + (len(tasks.systems) if side else 0))
                        self._first_cut.setdefault(SIDES[side], where)
                end = used + (place - start) * width
                of_evals = (rows[used:end] for rows in rows_of_peers)
                yield tasks.ids[start:place], dict(zip(tasks.systems, of_evals, strict=True))
                used = end
            if place < len(tasks):
                yield tasks.ids[place : place + 1], self._dialect.score(tasks[place], tasks.systems)
                self._note_first_cut()
            start = place + 1

    def _score_each(
        self,
        tasks: Sequence[EvalTask],
        peer_ids: Sequence[str] | None,
        rows_of_tasks: Sequence[list[bytes] | None],
        first_cuts: Mapping[int, tuple[int, str]],
    ) -> Iterator[Results]:
        """Yield each task's results; those without rows are scored by the dialect's program."""
        if self._program:
            handed_back = (task for task, rows in zip(tasks, rows_of_tasks, strict=True) if rows is None)
            self._expect(handed_back, peer_ids)
        for place, (task, rows) in enumerate(zip(tasks, rows_of_tasks, strict=True)):
            requested: Collection[str] = task.peers if peer_ids is None else peer_ids
            if rows is None:
                yield self._dialect.score(task, requested)
                self._note_first_cut()
                continue
            for side, (first, text) in first_cuts.items():
                if first == place:
                    self._first_cut.setdefault(SIDES[side], text)
            if len(rows) < len(requested):
                requested = [peer_id for peer_id in requested if task.peers.get(peer_id)]
            yield dict(zip(requested, rows, strict=True))

    def _note_first_cut(self) -> None:
        """Note the first text of each side that is cut up, if the dialect's program has just read it."""
        if self._program and len(self._first_cut) < len(SIDES):
            details = self._dialect.details()
            for side in SIDES:
                if text := details[side]["cut_up"]["first"]:
                    self._first_cut.setdefault(side, text)

    def _sets(self, task: EvalTask, peer_ids: Iterable[str] | None) -> list[EvalTask]:
        """Return a task for each model as a peer; the task itself if it has one model or no peer."""
        requested = task.peers if peer_ids is None else peer_ids
        peers = {peer_id: source for peer_id in requested if (source := task.peers.get(peer_id))}
        if len(task.models) < 2 or not peers:
            return [task._replace(peers=peers)]
        sets = []
        for left_out, (model_id, source) in enumerate(task.models):
            human = f"human {model_id}"  # systems may be called by numbers too
            self._humans[human] = None
            models = [model for place, model in enumerate(task.models) if place != left_out]
            sets.append(task._replace(models=models, peers={**peers, human: source}))
        return sets

    def _means(self, eval_id: str, results_of_sets: Sequence[Results]) -> Results:
        by_peer: dict[str, list[Mapping[str, EvalResult]]] = {}
        for results in results_of_sets:
            for peer_id, rows in results.items():
                by_label = (
                    PackedResults(eval_id, self.labels, rows, is_scored=self.is_scored)
                    if isinstance(rows, bytes)
                    else rows
                )
                by_peer.setdefault(peer_id, []).append(by_label)
        return {
            peer_id: {
                label: _mean([by_label[label] for by_label in by_peer[peer_id]]) for label in self.labels
            }
            for peer_id in sorted(by_peer, key=self._humans.__contains__)  # systems first
        }


def _is_uniform(rows_of_tasks: Iterable[list[bytes] | None], peers: int) -> bool:
    """Return True if every task has rows, one for each of that many peers."""
    return all(rows is not None and len(rows) == peers for rows in rows_of_tasks)


def add_details(first: Any, second: Any) -> Any:  # noqa: ANN401 - numbers, names, and mappings of them
    """Add the details of two parts: numbers are added, names are merged, the first text is kept."""
    if isinstance(first, dict):
        return {
            **second,
            **{name: add_details(value, second.get(name, 0)) for name, value in first.items()},
        }
    if isinstance(first, str):
        return first or second
    return list(dict.fromkeys([*first, *second])) if isinstance(first, list) else first + second


def _subtract(details: Any, before: Any) -> Any:  # noqa: ANN401 - as above
    """Subtract earlier details: numbers are subtracted, names and texts stay."""
    if isinstance(details, dict):
        return {name: _subtract(value, before.get(name, {})) for name, value in details.items()}
    return details - before if isinstance(details, int) and before else details


def _mean(results: Sequence[EvalResult]) -> EvalResult:
    """Return the mean of the scores, if there are any, and of the counts."""
    scores = [result.score for result in results if result.score]
    mean = (
        Score(*(fsum(figures) / len(scores) for figures in zip(*scores, strict=True))) if scores else None
    )
    counts = formula.average([result.counts for result in results])
    size = len(results)
    own = None if counts.peer_match is None else counts.peer_match / size
    means = Counts(counts.model / size, counts.peer / size, counts.match / size, peer_match=own)
    return EvalResult(results[0].eval_id, means, mean)
