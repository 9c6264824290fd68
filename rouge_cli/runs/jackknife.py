"""Jackknifing (Lin 2004, section 2.1): systems and people on equal terms.

A system is scored against M sets of M - 1 references, and has the mean of the M scores.
Every reference is also scored against the others, as a system `human ID`. An eval with
one reference is scored as it is. The references of a set are combined as in the
dialect: the paper takes the best of them, the campaigns added their counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from rouge_cli.runs.evaluation import one_by_one
from rouge_cli.scoring import formula
from rouge_cli.scoring.columns import Columns

if TYPE_CHECKING:
    from rouge_cli.core import EvalTask, Notify
    from rouge_cli.runs.evaluation import AnyScorer, Results

MOST_REFERENCES = 20_000  # of the sets that are scored together


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
            self._scorer.expect(self._sets(task, systems), None)

    def score(
        self, tasks: Sequence[EvalTask], systems: Sequence[str] | None
    ) -> Iterator[tuple[Sequence[str], Results]]:
        """Yield every eval with the means of its sets.

        Sets are scored in groups of a bounded number of references, since together an
        eval's have about as many as the square of its number.
        """
        of_eval: list[Results] = []
        for group in self._groups(tasks, systems):
            results = one_by_one(self._scorer.score([own for _, own in group], None))
            for (task, _), (_, of_set) in zip(group, results, strict=True):
                of_eval.append(of_set)
                if len(of_eval) < _number_of_sets(task, systems):
                    continue
                means = of_eval[0]
                if len(of_eval) > 1:
                    means = self._means(task.eval_id, of_eval)
                yield [task.eval_id], means
                of_eval = []

    def details(self) -> Mapping[str, object]:
        """Return the details that were recorded since the last call, and the people."""
        return {**self._scorer.details(), "humans": list(self._humans)}

    def _groups(
        self, tasks: Iterable[EvalTask], systems: Sequence[str] | None
    ) -> Iterator[list[tuple[EvalTask, EvalTask]]]:
        """Yield (eval, its set) in groups of a bounded number of references."""
        group: list[tuple[EvalTask, EvalTask]] = []
        held = 0
        for task in tasks:
            for own in self._sets(task, systems):
                group.append((task, own))
                held += len(own.references)
                if held >= MOST_REFERENCES:
                    yield group
                    group, held = [], 0
        if group:
            yield group

    def _sets(
        self, task: EvalTask, systems: Iterable[str] | None
    ) -> Iterator[EvalTask]:
        """Yield the sets of an eval as evals: one for every reference, which becomes a
        prediction.

        An eval with one reference or without predictions is yielded itself.
        """
        requested = task.predictions if systems is None else systems
        predictions = task.present(requested)
        if _number_of_sets(task, systems) == 1:
            yield task._replace(predictions=predictions)
            return
        for left_out, (reference_id, source) in enumerate(task.references):
            # A system may have the same ID as a reference.
            human = f"human {reference_id}"
            self._humans[human] = None
            references = list(task.references)
            del references[left_out]
            yield task._replace(
                references=references, predictions={**predictions, human: source}
            )

    def _means(self, eval_id: str, of_sets: Sequence[Results]) -> Results:
        """Return the mean of every system's results in the sets of an eval, systems
        before people.
        """
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


def _number_of_sets(task: EvalTask, systems: Iterable[str] | None) -> int:
    """Return how many sets an eval has."""
    requested = task.predictions if systems is None else systems
    if len(task.references) > 1 and task.present(requested):
        return len(task.references)
    return 1
