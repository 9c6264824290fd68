"""The program of ROUGE-1.5.5: texts are counted and scored, and scores are averaged."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import chain
from math import fsum, nan
from typing import TYPE_CHECKING

from rouge_cli.core import Average, Counts, Estimate, EvalResult, EvalTask, Notice
from rouge_cli.dialects.rouge155.setup import (
    MEAN_OF_SCORES,
    TOTALS,
    Rounded,
    Setup,
    WordForms,
)
from rouge_cli.native import KernelSetup, ReadingRules
from rouge_cli.native.setups import kernel_of
from rouge_cli.scoring import bootstrap
from rouge_cli.scoring.columns import Averages, KeyedColumns
from rouge_cli.scoring.formula import average, f_measure, ratio
from rouge_cli.text.survey import NOTHING_READ, PREDICTIONS, ROLES

if TYPE_CHECKING:
    from rouge_cli.core import Document, Explanation, Notify, Token
    from rouge_cli.dialects.rouge155.texts import Readings
    from rouge_cli.text.reading import Reader


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
        self._setup = setup
        self._trace = trace
        self._roles = roles
        self._notify = notify
        self._uses = uses
        self._words = WordForms(setup, notify)
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
        present = {
            system: path for system in systems if (path := task.predictions.get(system))
        }
        if not present or not self._setup.metrics:
            return {}
        if not task.references:
            self._notify(
                Notice(
                    f"{task.where}: eval {task.eval_id} has no models; its scores are 0"
                )
            )
        reader = self._reader = self._reader or self._open_reader()
        references, predictions = (
            reader.references(task),
            list(reader.predictions(task, present)),
        )
        self._warn_of_empty_models(task, references)
        is_scored = self._setup.averaging == MEAN_OF_SCORES
        results: dict[str, dict[str, EvalResult]] = {}
        for system, prediction in zip(present, predictions, strict=True):
            by_reference = []
            for (reference_id, _), reference in zip(
                task.references, references, strict=True
            ):
                row = []
                for metric in self._setup.metrics:
                    texts = reference[metric.reading], prediction[metric.reading]
                    row.append(counts := metric.count(*texts))
                    if self._trace:
                        self._trace(
                            f"eval {task.eval_id} peer {system} model {reference_id}"
                            f" {metric.label}: model {counts.reference:g} peer"
                            f" {counts.prediction:g} match {counts.match:g}"
                        )
                by_reference.append(row)
            results[system] = {}
            for label, formula, *pairs in zip(
                self.labels, self._formulas, *by_reference, strict=True
            ):
                counts, score = formula.combine(pairs)
                results[system][label] = EvalResult(
                    task.eval_id, counts, score if is_scored else None
                )
        return results

    def _open_reader(self) -> Reader[Readings]:
        """Return the reader of texts; imported late, since a compiled run does not
        need it.
        """
        from rouge_cli.dialects.rouge155 import texts
        from rouge_cli.text.reading import Reader

        prepare = texts.Preparation(
            self._setup, self._notify, self._trace, self._words
        ).prepare
        load = partial(texts.load, notify=self._notify)
        return Reader(
            prepare,
            self._uses,
            load,
            roles=self._roles,
            sides_differ=self._setup.stem_models,
        )

    def _warn_of_empty_models(
        self, task: EvalTask, references: Sequence[Readings]
    ) -> None:
        """Warn of models that make the original die (QUIRKS 3)."""
        for metric in [
            metric for metric in self._setup.metrics if metric.divides_by_reference
        ]:
            for (reference_id, _), reference in zip(
                task.references, references, strict=True
            ):
                if not any(reference["clipped"].sentences):
                    what = (
                        f"model {reference_id} is empty, {metric.label} counts 0 for it"
                    )
                    self._notify(
                        Notice(
                            f"eval {task.eval_id}: {what} (the original divides by"
                            " zero)"
                        )
                    )

    def average(self, columns: KeyedColumns, jobs: int = 1) -> Averages:
        """Return totals, or bootstrap averages; columns of equal length share their
        draws.
        """
        ordered = dict(zip(columns, self._values(columns), strict=True))
        if self._setup.averaging == TOTALS:
            return {key: _total(values) for key, values in ordered.items()}
        averages: dict[tuple[str, str], Average | Counts] = {}
        for size in sorted({len(column) for column in columns.values()}):
            group = {
                key: ordered[key]
                for key, column in columns.items()
                if len(column) == size
            }
            averages.update(
                zip(
                    group, self._resample(list(group.values()), size, jobs), strict=True
                )
            )
        return averages

    def _values(self, columns: KeyedColumns) -> Iterator[list[Sequence[float]]]:
        """Yield R, P and F, or the counts, of each column in the order of drawing
        (QUIRKS 28).
        """
        is_score = self._setup.averaging == MEAN_OF_SCORES
        if is_score and not self._setup.samples:
            # Not sorted: fsum returns the same sum in any order.
            yield from (column.scores() for column in columns.values())
            return
        last: tuple[str, Sequence[str]] = "", ()
        order: Sequence[int] = ()
        for (system, _), column in columns.items():
            if (system, column.of.ids) != last:
                names = [f"{eval_id}.{system}" for eval_id in column.of.ids]
                order = array("l", sorted(range(len(names)), key=names.__getitem__))
                last = system, column.of.ids
            yield (
                column.scores(order, column.of.averaged)
                if is_score
                else column.counts(order)
            )

    def _resample(
        self, group: Sequence[Sequence[Sequence[float]]], size: int, jobs: int
    ) -> Iterator[Average]:
        """Yield the averages (R, P and F) of columns of equal length, from shared
        draws.
        """
        setup = self._setup
        rows = list(chain.from_iterable(group))
        if setup.samples and not size:
            estimates = [Estimate(0.0, 0.0, 0.0)] * 3 * len(group)
        elif setup.averaging == MEAN_OF_SCORES and setup.samples:
            drawn = bootstrap.estimates_of_means(
                list(filter(len, rows)),
                setup.samples,
                setup.confidence,
                setup.seed,
                jobs,
            )
            averaged = iter(drawn)
            estimates = [next(averaged) if values else Estimate(nan) for values in rows]
        elif setup.averaging == MEAN_OF_SCORES:
            estimates = [Estimate(fsum(values) / max(size, 1)) for values in rows]
        else:
            for columns in group:
                if any(
                    isinstance(values, list) for values in columns
                ):  # beyond doubles
                    _total(
                        columns
                    )  # the original adds the counts once before it draws (QUIRKS 29)
            sums = [[fsum(values)] for values in rows]
            if setup.samples:
                sums = bootstrap.resampled_sums(rows, setup.samples, setup.seed, jobs)
            estimates = []
            for first in range(0, len(sums), 4):
                reference, prediction, match, matched = sums[first : first + 4]
                # Without rounding and without ROUGE-W's root (QUIRKS 25).
                recall = list(map(ratio, match, reference))
                precision = list(map(ratio, matched, prediction))
                f = [
                    f_measure(r, p, setup.alpha)
                    for r, p in zip(recall, precision, strict=True)
                ]
                estimates += [
                    (
                        bootstrap.estimate(values, setup.samples, setup.confidence)
                        if setup.samples
                        else Estimate(values[0])
                    )
                    for values in (recall, precision, f)
                ]
        return (
            Average(*estimates[first : first + 3])
            for first in range(0, len(estimates), 3)
        )

    def explain(self, task: EvalTask) -> dict[str, list[Explanation]]:
        """Explain every peer of a loaded eval; scores are those of `-t 0`."""
        from rouge_cli import explanation
        from rouge_cli.dialects.rouge155.texts import Preparation

        texts = Preparation(self._setup, lambda _: None, words=self._words)
        measures = list(
            zip(self.labels, self._setup.metrics, self._formulas, strict=True)
        )
        by_label = {label: metric for label, metric, _ in measures}

        def read(document: Document, side: str) -> explanation.ByLabel:
            by_stems = cache(partial(texts.source, task, document, side))
            return lambda label: by_stems(texts.stems(by_label[label].reading, side))

        return explanation.explain(task, measures, read)

    def tokens(self, document: Document, input_format: str) -> Sequence[Token]:
        """Return the tokens of a document as ROUGE-1 of a peer reads it."""
        from rouge_cli.dialects.rouge155.texts import Preparation
        from rouge_cli.metrics.ngram import NGram

        setup, task = (
            self._setup._replace(metrics=[NGram(1)]),
            EvalTask("", {}, [], input_format, ""),
        )
        texts = Preparation(setup, lambda _: None, words=self._words)
        return texts.source(
            task, document, PREDICTIONS, (setup.stem, setup.stem)
        ).tokens

    def forms(self, document: Document, input_format: str) -> Sequence[tuple[str, str]]:
        """Return the lower-cased tokens of a document, each with its counted form;
        empty if dropped.
        """
        tokens = self.tokens(document, input_format)
        return [
            (token.surface.lower(), "" if token.why_dropped else token.form)
            for token in tokens
        ]

    def kernel_setup(self) -> KernelSetup | None:
        """Return the compiled program's setup; None if it has none of the metrics."""
        setup = self._setup
        labels, specs = [], []
        for metric in setup.metrics:
            if spec := kernel_of(metric):
                labels.append(metric.label)
                specs.append(spec)
        if self._trace or not specs:
            return None
        return KernelSetup(
            labels,
            specs,
            self._words.stemmed,
            stems_references=setup.stem_models and not setup.stem,
            limit=setup.limit,
            best_reference=setup.best_model,
            alpha=setup.alpha,
            is_scored=setup.averaging == MEAN_OF_SCORES,
            reading=setup.reading or ReadingRules(),
        )

    def details(self) -> Mapping[str, object]:
        """Return the numbers of texts and sentences read since the last call, by
        side.
        """
        return self._reader.tally() if self._reader else NOTHING_READ


def _total(columns: Sequence[Sequence[float]]) -> Counts:
    """Return the sums of columns of counts, in Perl's numbers if the counts have
    them.
    """
    rows = zip(*columns, strict=True)
    return average(
        [Counts(row[0], row[1], row[2], prediction_match=row[3]) for row in rows]
    )
