"""The program of ROUGE-1.5.5: texts are counted and scored, and scores are averaged."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, partial
from itertools import chain
from math import fsum, nan
from typing import TYPE_CHECKING

from rouge_cli.core import (
    Average,
    Counts,
    Estimate,
    EvalTask,
    Notice,
    Score,
    ignore_notice,
)
from rouge_cli.dialects._run import DialectRun, MetricAndFormula, mean
from rouge_cli.dialects.rouge155 import texts
from rouge_cli.dialects.rouge155.setup import (
    MEAN_OF_COUNTS,
    MEAN_OF_SCORES,
    TOTALS,
    Rounded,
    Setup,
    WordForms,
)
from rouge_cli.metrics import SOURCE
from rouge_cli.metrics.ngram import NGram
from rouge_cli.scoring import bootstrap
from rouge_cli.scoring.columns import Averages, KeyedColumns
from rouge_cli.scoring.formula import (
    Formula,
    OneValue,
    average,
    f_measure,
    five_places,
    ratio,
)
from rouge_cli.text.reading import Reader
from rouge_cli.text.survey import PREDICTIONS, ROLES

if TYPE_CHECKING:
    from rouge_cli.core import Document, Notify, Source, Token
    from rouge_cli.dialects._run import CountsAndScore
    from rouge_cli.dialects.rouge155.texts import Readings
    from rouge_cli.explanation import ByLabel
    from rouge_cli.metrics import Metric

# Columns of equal length, each as R, P and F, or as the four counts.
Group = Sequence[Sequence[Sequence[float]]]


class Rouge155(DialectRun):
    """A run of the dialect, with its vocabulary and its cache of texts.

    Args:
        uses: How often each path will be read. A file is read once and cached until its
            last use.
        trace: Receives a line for every count, for debugging; None for no trace.
        roles: What messages call the writer of a prediction, and a reference.
    """

    needs_references = False  # there is a warning

    def __init__(
        self,
        setup: Setup,
        uses: Counter[str],
        notify: Notify,
        trace: Callable[[str], None] | None = None,
        roles: tuple[str, str] = ROLES,
    ) -> None:
        self.setup = setup
        self.trace = trace
        self.words = WordForms(setup, notify)
        measures = {}
        for metric in setup.metrics:
            formula: Formula = Rounded(setup, metric)
            if metric.is_value:
                formula = OneValue(five_places)
            measures[metric.label] = MetricAndFormula(metric, formula)
        has_sources = any(metric.against == SOURCE for metric in setup.metrics)
        preparation = texts.Preparation(setup, notify, trace, self.words)
        reader = Reader(
            preparation.prepare,
            uses,
            partial(texts.load, notify=notify),
            roles=roles,
            sides_differ=setup.stem_models or has_sources,
        )
        super().__init__(measures, reader, notify)
        self.is_scored = setup.averaging == MEAN_OF_SCORES

    def read_eval(
        self, task: EvalTask, present: Mapping[str, str | Document]
    ) -> tuple[Sequence[Readings], Iterable[Readings]]:
        """Return the readings of models and peers; warn of models that are missing or
        empty.
        """
        if not task.references:
            what = f"eval {task.eval_id} has no models; its scores are 0"
            self.notify(Notice(f"{task.where}: {what}"))
        references, read_one_by_one = super().read_eval(task, present)
        predictions = list(read_one_by_one)
        self._warn_of_empty_models(task, references)
        return references, predictions

    def scores(
        self,
        task: EvalTask,
        system: str,
        references: Sequence[Readings],
        prediction: Readings,
    ) -> Mapping[str, CountsAndScore]:
        """Return label -> counts and score of a peer against all models together."""
        by_reference = []
        for (name, _), reference in zip(task.references, references, strict=True):
            texts = f"eval {task.eval_id} peer {system} model {name}"
            by_reference.append(self._count(reference, prediction, texts))

        scores: dict[str, CountsAndScore] = {}
        by_metric = zip(self.measures.items(), *by_reference, strict=True)
        for (label, measure), *pairs in by_metric:
            counts, score = measure.formula.combine(pairs)
            scores[label] = counts, (score if self.is_scored else None)
        return scores

    def count(self, metric: Metric, text: Readings, prediction: Readings) -> Counts:
        """Return the counts of a peer against another text, as the metric reads
        them.
        """
        return metric.count(text[metric.reading], prediction[metric.reading])

    def _count(
        self, reference: Readings, prediction: Readings, texts: str
    ) -> list[Counts]:
        """Return the counts of each metric; `texts` names both texts in the trace."""
        row = []
        for metric, _ in self.measures.values():
            counts = self.count(metric, reference, prediction)
            if self.trace:
                self.trace(
                    f"{texts} {metric.label}: model {counts.reference:g} peer"
                    f" {counts.prediction:g} match {counts.match:g}"
                )
            row.append(counts)
        return row

    def _warn_of_empty_models(
        self, task: EvalTask, references: Sequence[Readings]
    ) -> None:
        """Warn of models that make the original die (QUIRKS 3)."""
        for metric in self.setup.metrics:
            if not metric.divides_by_reference:
                continue
            for (name, _), reference in zip(task.references, references, strict=True):
                if any(reference["clipped"].sentences):
                    continue
                what = f"model {name} is empty, {metric.label} counts 0 for it"
                why = "the original divides by zero"
                self.notify(Notice(f"eval {task.eval_id}: {what} ({why})"))

    def average(self, columns: KeyedColumns, jobs: int = 1) -> Averages:
        """Return totals, or bootstrap averages; columns of equal length share their
        draws.
        """
        ordered = dict(zip(columns, self._values(columns), strict=True))
        if self.setup.averaging == TOTALS:
            return {key: _total(values) for key, values in ordered.items()}

        averages: dict[tuple[str, str], Average | Counts] = {}
        for size in sorted({len(column) for column in columns.values()}):
            keys = [key for key, column in columns.items() if len(column) == size]
            group = [ordered[key] for key in keys]
            averages.update(zip(keys, self._averages(group, size, jobs), strict=True))
        return averages

    def score_of_sums(self, label: str, sums: Sequence[float], size: int) -> Score:
        """Return the average of evals, given their totals; of counts (`-t 1`), the
        scores of their sums.
        """
        if self.setup.averaging == MEAN_OF_SCORES:
            return super().score_of_sums(label, sums, size)
        reference, prediction, match, matched = sums
        recall = ratio(match, reference)
        precision = ratio(matched, prediction)
        return Score(recall, precision, f_measure(recall, precision, self.setup.alpha))

    def _values(self, columns: KeyedColumns) -> Iterator[list[Sequence[float]]]:
        """Yield R, P and F, or the counts, of each column in the order of drawing
        (QUIRKS 28).
        """
        is_score = self.setup.averaging == MEAN_OF_SCORES
        if is_score and not self.setup.samples:
            # Not sorted: fsum returns the same sum in any order.
            for column in columns.values():
                yield column.scores()
            return

        last: tuple[str, Sequence[str]] = "", ()
        order: Sequence[int] = ()
        for (system, _), column in columns.items():
            # All columns of a system have the same evals.
            if (system, column.of.ids) != last:
                names = [f"{eval_id}.{system}" for eval_id in column.of.ids]
                order = array("l", sorted(range(len(names)), key=names.__getitem__))
                last = system, column.of.ids
            if is_score:
                yield column.scores(order, column.averaged)
            else:
                yield column.counts(order)

    def _averages(self, group: Group, size: int, jobs: int) -> list[Average]:
        """Return the averages of columns of this length, from shared draws."""
        setup = self.setup
        if setup.samples and not size:
            nothing = Estimate(0.0, 0.0, 0.0)
            return [Average(nothing, nothing, nothing) for _ in group]
        if setup.averaging == MEAN_OF_COUNTS:
            return self._averages_of_counts(group, jobs)
        if setup.samples:
            return self._resampled_means(group, jobs)
        return _plain_means(group)

    def _resampled_means(self, group: Group, jobs: int) -> list[Average]:
        """Return the bootstrap averages of columns of scores (`-t 0`).

        A measure without values, since nobody shows it, has the average nan.
        """
        setup = self.setup
        rows = list(chain.from_iterable(group))
        filled = [index for index, values in enumerate(rows) if values]
        drawn = bootstrap.estimates_of_means(
            [rows[index] for index in filled],
            setup.samples,
            setup.confidence,
            setup.seed,
            jobs,
        )
        estimates = [Estimate(nan)] * len(rows)
        for index, estimate in zip(filled, drawn, strict=True):
            estimates[index] = estimate
        return _in_threes(estimates)

    def _averages_of_counts(self, group: Group, jobs: int) -> list[Average]:
        """Return the averages of columns of counts (`-t 1`): the scores of their sums,
        resampled or not.
        """
        setup = self.setup
        for columns in group:
            _store_as_summed(columns)
        rows = list(chain.from_iterable(group))
        if setup.samples:
            sums = bootstrap.resampled_sums(rows, setup.samples, setup.seed, jobs)
        else:
            sums = [[fsum(values)] for values in rows]
        averages = []
        for first in range(0, len(sums), 4):
            reference, prediction, match, matched = sums[first : first + 4]
            recall = list(map(ratio, match, reference))
            precision = list(map(ratio, matched, prediction))
            averages.append(self._average_of_ratios(recall, precision))
        return averages

    def _average_of_ratios(
        self, recall: Sequence[float], precision: Sequence[float]
    ) -> Average:
        """Return the average of the samples' R and P, without rounding and without
        ROUGE-W's root (QUIRKS 25).
        """
        alpha = self.setup.alpha
        f = [f_measure(r, p, alpha) for r, p in zip(recall, precision, strict=True)]
        return Average(
            recall=self._estimate(recall),
            precision=self._estimate(precision),
            f=self._estimate(f),
        )

    def _estimate(self, values: Sequence[float]) -> Estimate:
        """Return the estimate from the value of each sample; there is one value
        without resampling.
        """
        setup = self.setup
        if not setup.samples:
            return Estimate(values[0])
        return bootstrap.estimate(values, setup.samples, setup.confidence)

    def by_label(self, task: EvalTask, document: Document, side: str) -> ByLabel:
        """Return a function from a label to the words of a document, with their
        positions.
        """
        preparation = self._silent_preparation
        by_stems = cache(partial(preparation.source, task, document, side))

        def source(label: str) -> Source:
            metric = self.all_measures[label].metric
            return by_stems(preparation.stems(metric.reading, side))

        return source

    @cached_property
    def _silent_preparation(self) -> texts.Preparation:
        """What prepares texts again, which were warned of before."""
        return texts.Preparation(self.setup, ignore_notice, words=self.words)

    def tokens(self, document: Document, input_format: str) -> Sequence[Token]:
        """Return the tokens of a document as ROUGE-1 of a peer reads it."""
        setup = self.setup._replace(metrics=[NGram(1)])
        task = EvalTask("", {}, [], input_format, "")
        preparation = texts.Preparation(setup, ignore_notice, words=self.words)
        stemmed = setup.stem, setup.stem
        return preparation.source(task, document, PREDICTIONS, stemmed).tokens

    def forms(self, document: Document, input_format: str) -> Sequence[tuple[str, str]]:
        """Return the lower-cased tokens of a document, each with its counted form;
        empty if dropped.
        """
        forms = []
        for token in self.tokens(document, input_format):
            form = "" if token.why_dropped else token.form
            forms.append((token.surface.lower(), form))
        return forms


def _total(columns: Sequence[Sequence[float]]) -> Counts:
    """Return the sums of columns of counts, in Perl's numbers if the counts have
    them.
    """
    rows = []
    for reference, prediction, match, matched in zip(*columns, strict=True):
        rows.append(Counts(reference, prediction, match, prediction_match=matched))
    return average(rows)


def _store_as_summed(columns: Sequence[Sequence[float]]) -> None:
    """Store columns of counts as they are after a sum, since the original adds the
    counts once before it draws (QUIRKS 29).

    The sum itself is not needed: an addition changes how Perl stores its operands, and
    the numbers of the columns remember that (`perl_numbers`). It cannot be done on
    copies, because `-d` prints the counts of the evals as they are stored then.
    """
    is_beyond_doubles = any(isinstance(values, list) for values in columns)
    if is_beyond_doubles:
        _total(columns)


def _plain_means(group: Group) -> list[Average]:
    """Return the means of columns of scores, without resampling (`-r 0`)."""
    means = []
    for values in chain.from_iterable(group):
        means.append(Estimate(mean(values)))
    return _in_threes(means)


def _in_threes(estimates: Sequence[Estimate]) -> list[Average]:
    """Return the averages that estimates make: R, P and F of each in a row."""
    averages = []
    for first in range(0, len(estimates), 3):
        recall, precision, f = estimates[first : first + 3]
        averages.append(Average(recall, precision, f))
    return averages
