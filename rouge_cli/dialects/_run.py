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
from rouge_cli.core import Average, Estimate, EvalResult, Score
from rouge_cli.errors import RougeError
from rouge_cli.metrics import ITSELF, REFERENCES, SOURCE

if TYPE_CHECKING:
    from rouge_cli.core import (
        Counts,
        Document,
        EvalTask,
        Explanation,
        Notify,
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
    is_scored = True  # False if evals have only counts, which are averaged

    def __init__(
        self,
        measures: Mapping[str, MetricAndFormula],
        reader: Reader[Any],
        notify: Notify,
    ) -> None:
        self.all_measures = measures
        # Those that the dialect scores itself, and those that are the same in each
        self.measures: dict[str, MetricAndFormula] = {}
        self.others: dict[str, MetricAndFormula] = {}
        for label, measure in measures.items():
            metric = measure.metric
            if metric.against == REFERENCES and not metric.is_value:
                self.measures[label] = measure
            else:
                self.others[label] = measure
        self.reader = reader
        self.notify = notify
        self.labels: Sequence[str] = list(measures)

    @cached_property
    def needs_sentences(self) -> bool:
        """True if any metric uses the sentences of the input, which are lines by
        default; dialects that find sentences in lines override it.
        """
        metrics = [measure.metric for measure in self.all_measures.values()]
        return any(metric.needs_sentences for metric in metrics)

    @cached_property
    def labels_of_sources(self) -> list[str]:
        """The metrics that are counted against the source of an eval."""
        labels = []
        for label, measure in self.others.items():
            if measure.metric.against == SOURCE:
                labels.append(label)
        return labels

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
        if not present or not self.labels:
            return {}

        references, predictions = self.read_eval(task, present)
        sources = []
        if self.labels_of_sources:
            sources.append(self.reader.source(task))
        results = {}
        for system, prediction in zip(present, predictions, strict=True):
            scores: dict[str, CountsAndScore] = {}
            if self.measures:
                scores.update(self.scores(task, system, references, prediction))
                if not scores:
                    continue
            scores |= self._scores_of_others(references, sources, prediction)
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
        if self.labels_of_sources and task.source is None:
            raise RougeError(
                f"eval {task.eval_id} has no source, which"
                f" {', '.join(self.labels_of_sources)} needs",
                where=task.where,
                remedy="name the texts that were summarized: --source",
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

    def count(self, metric: Metric, text: Any, prediction: Any) -> Counts:  # noqa: ANN401 - texts, as the reader returns them
        """Return the counts of a prediction against another text."""
        return metric.count(text, prediction)

    def _scores_of_others(
        self,
        references: Sequence[Any],
        sources: Sequence[Any],
        prediction: Any,  # noqa: ANN401 - as in `scores`
    ) -> dict[str, CountsAndScore]:
        """Return label -> counts and score under the metrics of one value, and those
        that are not counted against references.
        """
        texts = {REFERENCES: references, SOURCE: sources, ITSELF: [prediction]}
        scores: dict[str, CountsAndScore] = {}
        for label, (metric, formula) in self.others.items():
            pairs = []
            for text in texts[metric.against]:
                pairs.append(self.count(metric, text, prediction))
            counts, score = formula.combine(pairs)
            scores[label] = counts, (score if self.is_scored else None)
        return scores

    def score_of(self, label: str, counts: Counts) -> Score | None:
        """Return the score that the counts of an eval give, without jackknifing; None
        if they do not determine it, as the mean of scores of several references.
        """
        return self.all_measures[label].formula.of_counts(counts)

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
                f = self.all_measures[label].formula.f(recall, precision)
            averages[system, label] = Average(
                Estimate(recall), Estimate(precision), Estimate(f)
            )
        return averages

    def score_of_sums(self, label: str, sums: Sequence[float], size: int) -> Score:
        """Return the average of evals without resampling, given their totals.

        Args:
            label: The metric.
            sums: Of R, P and F; of the counts of references, predictions, matches and
                matched prediction units if the run averages counts.
            size: The number of evals.
        """
        recall, precision, f = (total / max(size, 1) for total in sums)
        if self.averages_f_of_means:
            f = self.measures[label].formula.f(recall, precision)
        return Score(recall, precision, f)

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
            self.all_measures,
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
