"""Jackknifing (Lin 2004, section 2.1): systems and people on equal terms.

A system is scored against M sets of M - 1 references, and has the mean of the M scores.
Every reference is also scored against the others, as a system `human ID`. An eval with
one reference is scored as it is. The references of a set are combined as in the
dialect: the paper takes the best of them, the campaigns added their counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from rouge_cli.runs.evaluation import one_by_one
from rouge_cli.scoring import formula
from rouge_cli.scoring.columns import Columns

if TYPE_CHECKING:
    from rouge_cli.core import EvalTask, Notify
    from rouge_cli.runs.evaluation import AnyScorer, Results

MOST_REFERENCES = 20_000  # of the sets that are scored together


class OneOut(NamedTuple):
    """A set of an eval: all references but one.

    Attributes:
        eval_id: The eval.
        task: The set as an eval, with the reference that was left out as a
            prediction.
        is_last: True for the last set of the eval.
    """

    eval_id: str
    task: EvalTask
    is_last: bool


class Jackknife:
    """Scores every eval as the mean of its sets.

    Args:
        scorer: Scores the sets, each of which is an eval.
    """

    def __init__(self, scorer: AnyScorer) -> None:
        self._scorer = scorer
        self._humans: dict[str, None] = {}  # in the order of their appearance
        self.labels = scorer.labels
        self.most_at_once = scorer.most_at_once
        self.is_scored = scorer.is_scored
        self.gains_by_threads = scorer.gains_by_threads

    @property
    def notify(self) -> Notify:
        """The function that receives notices."""
        return self._scorer.notify

    @notify.setter
    def notify(self, notify: Notify) -> None:
        self._scorer.notify = notify

    def use_threads(self, number: int) -> bool:
        """Score in so many threads, if the scorer can."""
        return self._scorer.use_threads(number)

    def expect(self, tasks: Iterable[EvalTask], systems: Sequence[str] | None) -> None:
        """Count the uses of files by the sets of evals."""
        for task in tasks:
            # One after the other: together they have the square of the references.
            for each in self._sets(task, systems):
                self._scorer.expect([each.task], None)

    def score(
        self, tasks: Sequence[EvalTask], systems: Sequence[str] | None
    ) -> Iterator[tuple[Sequence[str], Results]]:
        """Yield every eval with the means of its sets.

        Sets are scored in groups of a bounded number of references, since together an
        eval's have about as many as the square of its number.
        """
        of_sets: list[Results] = []  # of an eval, until its last set is scored
        for group in self._groups(tasks, systems):
            scored = self._scorer.score([each.task for each in group], None)
            for each, (_, results) in zip(group, one_by_one(scored), strict=True):
                of_sets.append(results)
                if each.is_last:
                    yield [each.eval_id], self._means(each.eval_id, of_sets)
                    of_sets = []

    def details(self) -> Mapping[str, object]:
        """Return the details that were recorded since the last call, and the people."""
        return {**self._scorer.details(), "humans": list(self._humans)}

    def _groups(
        self, tasks: Iterable[EvalTask], systems: Sequence[str] | None
    ) -> Iterator[list[OneOut]]:
        """Yield the sets of evals in groups of a bounded number of references."""
        group: list[OneOut] = []
        held = 0
        for task in tasks:
            for each in self._sets(task, systems):
                group.append(each)
                held += len(each.task.references)
                if held >= MOST_REFERENCES:
                    yield group
                    group, held = [], 0
        if group:
            yield group

    def _sets(self, task: EvalTask, systems: Iterable[str] | None) -> Iterator[OneOut]:
        """Yield the sets of an eval: one for every reference, which becomes a
        prediction.

        An eval with one reference or without predictions is its only set.
        """
        requested = task.predictions if systems is None else systems
        predictions = task.present(requested)
        if len(task.references) < 2 or not predictions:
            whole = task._replace(predictions=predictions)
            yield OneOut(task.eval_id, whole, is_last=True)
            return
        last = len(task.references) - 1
        for left_out, (reference_id, source) in enumerate(task.references):
            # A system may have the same ID as a reference.
            human = f"human {reference_id}"
            self._humans[human] = None
            references = list(task.references)
            del references[left_out]
            others = task._replace(
                references=references, predictions={**predictions, human: source}
            )
            yield OneOut(task.eval_id, others, is_last=left_out == last)

    def _means(self, eval_id: str, of_sets: Sequence[Results]) -> Results:
        """Return the mean of every system's results in the sets of an eval, systems
        before people.
        """
        if len(of_sets) == 1:
            return of_sets[0]
        by_system: dict[str, Columns] = {}
        for results in of_sets:
            for system, rows in results.items():
                if system not in by_system:
                    by_system[system] = Columns(self.labels, is_scored=self.is_scored)
                by_system[system].append([eval_id], rows)
        means = {}
        for system in sorted(by_system, key=self._humans.__contains__):
            columns = by_system[system].columns
            of_labels = map(formula.mean, columns)
            means[system] = dict(zip(self.labels, of_labels, strict=True))
        return means
