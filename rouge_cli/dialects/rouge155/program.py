"""The program of ROUGE-1.5.5: texts are counted and scored, and scores are averaged."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import chain
from math import fsum, nan
from typing import TYPE_CHECKING

from rouge_cli import explanation
from rouge_cli.core import Average, Counts, Estimate, EvalResult, EvalTask, Notice
from rouge_cli.dialects.rouge155 import texts
from rouge_cli.dialects.rouge155.setup import (
    MEAN_OF_COUNTS,
    MEAN_OF_SCORES,
    TOTALS,
    Rounded,
    Setup,
    WordForms,
)
from rouge_cli.metrics.ngram import NGram
from rouge_cli.scoring import bootstrap
from rouge_cli.scoring.columns import Averages, KeyedColumns
from rouge_cli.scoring.formula import average, f_measure, ratio
from rouge_cli.text.reading import Reader
from rouge_cli.text.survey import NOTHING_READ, PREDICTIONS, ROLES

if TYPE_CHECKING:
    from rouge_cli.core import Document, Explanation, Notify, Score, Token
    from rouge_cli.dialects.rouge155.texts import Readings

# Columns of equal length, each as R, P and F, or as the four counts.
Group = Sequence[Sequence[Sequence[float]]]


class Rouge155:
    """A run of the dialect, with its vocabulary and its cache of texts.

    Args:
        uses: How often each path will be read. A file is read once and cached until its
            last use.
        trace: Receives a line for every count, for debugging; None for no trace.
        roles: What messages call the writer of a prediction, and a reference.
    """

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
        self._roles = roles
        self._notify = notify
        self._uses = uses
        self.words = WordForms(setup, notify)
        self._formulas = [Rounded(setup, metric) for metric in setup.metrics]
        self._reader: Reader[Readings] | None = None
        self.labels = [metric.label for metric in setup.metrics]
        self.needs_sentences = any(metric.needs_sentences for metric in setup.metrics)

    def score(
        self, task: EvalTask, systems: Iterable[str]
    ) -> Mapping[str, Mapping[str, EvalResult]]:
        """Score these peers of a task, under each metric, against all models
        together.
        """
        present = task.present(systems)
        if not present or not self.setup.metrics:
            return {}
        if not task.references:
            what = f"eval {task.eval_id} has no models; its scores are 0"
            self._notify(Notice(f"{task.where}: {what}"))

        if self._reader is None:
            self._reader = self._open_reader()
        references = self._reader.references(task)
        predictions = list(self._reader.predictions(task, present))
        self._warn_of_empty_models(task, references)

        results = {}
        for system, prediction in zip(present, predictions, strict=True):
            by_reference = []
            for (name, _), reference in zip(task.references, references, strict=True):
                texts = f"eval {task.eval_id} peer {system} model {name}"
                by_reference.append(self._count(reference, prediction, texts))
            results[system] = self._combine(task.eval_id, by_reference)
        return results

    def _count(
        self, reference: Readings, prediction: Readings, texts: str
    ) -> list[Counts]:
        """Return the counts of each metric; `texts` names both texts in the trace."""
        row = []
        for metric in self.setup.metrics:
            counts = metric.count(reference[metric.reading], prediction[metric.reading])
            if self.trace:
                self.trace(
                    f"{texts} {metric.label}: model {counts.reference:g} peer"
                    f" {counts.prediction:g} match {counts.match:g}"
                )
            row.append(counts)
        return row

    def _combine(
        self, eval_id: str, by_reference: Sequence[Sequence[Counts]]
    ) -> dict[str, EvalResult]:
        """Return label -> result of a prediction, given its counts of each metric by
        reference.
        """
        is_scored = self.setup.averaging == MEAN_OF_SCORES
        by_metric = zip(self.labels, self._formulas, *by_reference, strict=True)
        results = {}
        for label, formula, *pairs in by_metric:
            counts, score = formula.combine(pairs)
            results[label] = EvalResult(eval_id, counts, score if is_scored else None)
        return results

    def score_of(self, label: str, counts: Counts) -> Score:
        """Return the score that the counts of an eval give, without jackknifing."""
        return self._formulas[self.labels.index(label)].score(counts)

    def _open_reader(self) -> Reader[Readings]:
        """Return the reader of texts."""
        preparation = texts.Preparation(
            self.setup, self._notify, self.trace, self.words
        )
        return Reader(
            preparation.prepare,
            self._uses,
            partial(texts.load, notify=self._notify),
            roles=self._roles,
            sides_differ=self.setup.stem_models,
        )

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
                self._notify(Notice(f"eval {task.eval_id}: {what} ({why})"))

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

    def explain(self, task: EvalTask) -> dict[str, list[Explanation]]:
        """Explain every peer of a loaded eval; scores are those of `-t 0`."""
        preparation = texts.Preparation(self.setup, lambda _: None, words=self.words)
        measures = list(
            zip(self.labels, self.setup.metrics, self._formulas, strict=True)
        )
        by_label = {label: metric for label, metric, _ in measures}

        def read(document: Document, side: str) -> explanation.ByLabel:
            by_stems = cache(partial(preparation.source, task, document, side))
            return lambda label: by_stems(
                preparation.stems(by_label[label].reading, side)
            )

        return explanation.explain(task, measures, read)

    def tokens(self, document: Document, input_format: str) -> Sequence[Token]:
        """Return the tokens of a document as ROUGE-1 of a peer reads it."""
        setup = self.setup._replace(metrics=[NGram(1)])
        task = EvalTask("", {}, [], input_format, "")
        preparation = texts.Preparation(setup, lambda _: None, words=self.words)
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

    def details(self) -> Mapping[str, object]:
        """Return the numbers of texts and sentences read since the last call, by
        side.
        """
        return self._reader.tally() if self._reader else NOTHING_READ


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
    """
    is_beyond_doubles = any(isinstance(values, list) for values in columns)
    if is_beyond_doubles:
        _total(columns)  # an addition changes how Perl stores its operands


def _plain_means(group: Group) -> list[Average]:
    """Return the means of columns of scores, without resampling (`-r 0`)."""
    means = []
    for values in chain.from_iterable(group):
        means.append(Estimate(fsum(values) / max(len(values), 1)))
    return _in_threes(means)


def _in_threes(estimates: Sequence[Estimate]) -> list[Average]:
    """Return the averages that estimates make: R, P and F of each in a row."""
    averages = []
    for first in range(0, len(estimates), 3):
        recall, precision, f = estimates[first : first + 3]
        averages.append(Average(recall, precision, f))
    return averages
