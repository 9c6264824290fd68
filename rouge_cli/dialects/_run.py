"""The base of the runs of all dialects.

A run is a dialect with its options. It scores the evals one by one, averages the scores
of all evals, and explains them. What all dialects have in common is here. A dialect
adds how it reads a text (the reader of its run), how it scores a prediction (`scores`),
and how it shows a text in explanations (`by_label`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, partial
from math import fsum
from typing import TYPE_CHECKING, Any, NamedTuple

from rouge_cli import explanation
from rouge_cli.core import Average, Estimate, EvalResult
from rouge_cli.errors import RougeError

if TYPE_CHECKING:
    from rouge_cli.core import (
        Counts,
        Document,
        EvalTask,
        Explanation,
        Notify,
        Score,
    )
    from rouge_cli.metrics import Metric
    from rouge_cli.scoring.columns import Averages, KeyedColumns
    from rouge_cli.scoring.formula import Formula
    from rouge_cli.text.reading import Reader

# The counts of a prediction, and its score; None if a score is made of averages only.
CountsAndScore = tuple["Counts", "Score | None"]


class MetricAndFormula(NamedTuple):
    """What a label means in a dialect."""

    metric: Metric  # counts
    formula: Formula  # makes a score of the counts


class DialectRun:
    """A dialect with the options of a run: it scores evals, averages the scores, and
    explains them.

    Args:
        measures: The metric and the formula of each label, in the report's order.
        reader: Reads the texts of evals as the dialect counts them.
        notify: Receives notices.
    """

    needs_references = True  # True if an eval without references is an error
    ignores_empty = False  # True if texts without tokens are left out
    # True if the average F is computed from the mean R and the mean P
    averages_f_of_means = False

    def __init__(
        self,
        measures: Mapping[str, MetricAndFormula],
        reader: Reader[Any],
        notify: Notify,
    ) -> None:
        self.measures = measures
        self.reader = reader
        self.notify = notify
        self.labels: Sequence[str] = list(measures)

    @cached_property
    def needs_sentences(self) -> bool:
        """True if any metric uses the sentences of the input, which are lines by
        default; dialects that find sentences in lines override it.
        """
        metrics = [measure.metric for measure in self.measures.values()]
        return any(metric.needs_sentences for metric in metrics)

    # Scores.

    def score(
        self, task: EvalTask, systems: Iterable[str]
    ) -> Mapping[str, Mapping[str, EvalResult]]:
        """Score the predictions of these systems against the eval's references.

        Returns:
            System -> label -> result, for the systems that have a prediction.

        Raises:
            RougeError: If the eval cannot be scored, or a text cannot be read.
        """
        self.check(task)
        present = task.present(systems)
        if not present or not self.measures:
            return {}

        references, predictions = self.read_eval(task, present)
        results = {}
        for system, prediction in zip(present, predictions, strict=True):
            scores = self.scores(task, system, references, prediction)
            if not scores:
                continue
            of_system = {}
            for label in self.labels:
                counts, score = scores[label]
                of_system[label] = EvalResult(task.eval_id, counts, score)
            results[system] = of_system
        return results

    def check(self, task: EvalTask) -> None:
        """Raise RougeError if the dialect cannot score an eval."""
        if self.needs_references and not task.references:
            raise RougeError(
                f"eval {task.eval_id} has no references",
                where=task.where,
                remedy="give each eval a reference",
            )

    def read_eval(
        self, task: EvalTask, present: Mapping[str, str | Document]
    ) -> tuple[Sequence[Any], Iterable[Any]]:
        """Return the references and the predictions of an eval, as they are counted.

        Args:
            present: System -> prediction. Each is read when it is scored.
        """
        references = self.reader.references(task)
        return references, self.reader.predictions(task, present)

    def scores(
        self,
        task: EvalTask,
        system: str,
        references: Sequence[Any],
        prediction: Any,  # noqa: ANN401 - a text, as the reader returns it
    ) -> Mapping[str, CountsAndScore]:
        """Return label -> counts and score of a prediction against all its references;
        empty to leave the prediction out.
        """
        raise NotImplementedError

    def score_of(self, label: str, counts: Counts) -> Score | None:
        """Return the score that the counts of an eval give, without jackknifing; None
        if they do not determine it, as the mean of scores of several references.
        """
        return self.measures[label].formula.of_counts(counts)

    def average(self, columns: KeyedColumns, jobs: int = 1) -> Averages:  # noqa: ARG002 - of a bootstrap
        """Return the averages of all columns: plain means of R, P and F, or the F of
        the mean R and the mean P.

        Args:
            columns: (system, label) -> its results.
            jobs: The number of threads, for dialects that resample.
        """
        averages = {}
        for (system, label), column in columns.items():
            recall, precision, f = map(mean, column.scores())
            if self.averages_f_of_means:
                f = self.measures[label].formula.f(recall, precision)
            averages[system, label] = Average(
                Estimate(recall), Estimate(precision), Estimate(f)
            )
        return averages

    def details(self) -> Mapping[str, object]:
        """Return details of the evals since the last call, for reports: the number of
        texts and sentences read, by side.
        """
        return self.reader.tally()

    # Words.

    def explain(self, task: EvalTask) -> dict[str, list[Explanation]]:
        """Explain the scores of every system of a loaded eval, with one explanation per
        metric.
        """
        return explanation.explain(
            task,
            self.measures,
            partial(self.by_label, task),
            ignores_empty=self.ignores_empty,
        )

    def by_label(
        self, task: EvalTask, document: Document, side: str
    ) -> explanation.ByLabel:
        """Return a function from a label to the words of a document of one of SIDES,
        with their positions.
        """
        raise NotImplementedError

    def forms(self, document: Document, input_format: str) -> Sequence[tuple[str, str]]:
        """Return the words of a document, each with its counted form."""
        raise NotImplementedError

    def readings(
        self, document: Document, input_format: str
    ) -> Sequence[Sequence[str]]:
        """Return the words of a document, once for each way in which the dialect reads
        it.
        """
        return [[word for word, _ in self.forms(document, input_format)]]


def mean(values: Sequence[float]) -> float:
    """Return the mean; 0 for an empty sequence."""
    return fsum(values) / max(len(values), 1)
