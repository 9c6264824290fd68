"""Counting each model against each peer, combining, rounding, averaging."""

from __future__ import annotations

from array import array
from functools import partial
from itertools import chain
from math import fsum
from typing import TYPE_CHECKING, Any, NamedTuple

from rouge_cli.core import Average, Counts, Estimate, EvalResult, Notice, Score
from rouge_cli.dialects.rouge155.texts import Preparation, load
from rouge_cli.metrics._weighted_lcs import power
from rouge_cli.native.setup import KernelSetup
from rouge_cli.reading import Reader
from rouge_cli.scoring import bootstrap, formula
from rouge_cli.scoring.ratio import f_measure, five_places, ratio
from rouge_cli.text.places import folding
from rouge_cli.text.survey import survey
from rouge_cli.text.tokens import tokens

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from rouge_cli.core import EvalTask, Notify
    from rouge_cli.dialects.rouge155.texts import Readings
    from rouge_cli.metrics._metric import Metric
    from rouge_cli.scoring.columns import Column
    from rouge_cli.text.limit import Limit
    from rouge_cli.text.places import Fold
    from rouge_cli.text.survey import Survey

FORMATS = ("see", "spl", "isi", "simple")

# The values of `-t`.
MEAN_OF_SCORES, MEAN_OF_COUNTS, TOTALS = 0, 1, 2


class Setup(NamedTuple):
    """The original's options for scoring, with the original's defaults.

    stem: stem peers and models (`-m`). stem_models: the models only (`-M`, QUIRKS 21).
    alpha: the weight of precision in F: 1 is P, 0 is R. averaging: one of the three constants above.
    confidence: in percent. samples: how often to resample; 0 for the plain mean without an interval.
    data_folder: None for our own word lists.

    The others have no option in the original, and default to its behaviour. seed: of the bootstrap.
    tokenize: a sentence to its tokens. stemmer: None for Porter's with irregular forms, which leaves short
    words alone. irregular: form -> base form for that stemmer; None for the data folder's. stop_words: None
    for the list of the data folder. split: a text to its sentences; None for those of its input format.
    survey: counts common causes of low scores in a text. fold: how `tokenize` changes a text, for places.
    """

    metrics: Sequence[Metric] = ()
    stem: bool = False
    stem_models: bool = False
    drop_stop_words: bool = False
    limit: Limit | None = None
    best_model: bool = False
    alpha: float = 0.5
    averaging: int = MEAN_OF_SCORES
    confidence: float = 95.0
    samples: float = 1000.0
    data_folder: str | None = None
    seed: int = 0
    tokenize: Callable[[bytes], Sequence[bytes]] = tokens
    stemmer: Callable[[bytes], bytes] | None = None
    irregular: Mapping[bytes, bytes] | None = None
    stop_words: frozenset[bytes] | None = None
    split: Callable[[bytes], Sequence[bytes]] | None = None
    survey: Survey = survey
    fold: Fold = folding("classic")


class Rouge155:
    """The dialect for one run: its set-up, its vocabulary and its cache of texts.

    uses: how often each path will be read; a file is read once and cached until its last use.
    trace: receives a line on each count, for debugging; None for no trace.
    """

    def __init__(
        self,
        setup: Setup,
        uses: Counter[str],
        notify: Notify,
        trace: Callable[[str], None] | None = None,
    ) -> None:
        self._setup = setup
        self._trace = trace
        self._notify = notify
        self._texts = Preparation(setup, notify, trace)
        self._reader = Reader(
            self._texts.prepare, uses, partial(load, notify=notify), sides_differ=setup.stem_models
        )
        self.labels = [metric.label for metric in setup.metrics]
        self.needs_sentences = any(metric.needs_sentences for metric in setup.metrics)

    def score(self, task: EvalTask, peer_ids: Iterable[str]) -> Mapping[str, Mapping[str, EvalResult]]:
        """Score each of the peers that the task has, under each metric, against all models together."""
        present = {peer_id: path for peer_id in peer_ids if (path := task.peers.get(peer_id))}
        if not present or not self.labels:
            return {}
        if not task.models:
            self._notify(Notice(f"{task.where}: eval {task.eval_id} has no models; its scores are 0"))
        models, peers = self._reader.models(task), list(self._reader.peers(task, present))
        self._remark(task, models)
        table = self._count(models, peers)
        if self._trace:
            self._tell(task, list(present), table)
        return {
            peer_id: {
                metric.label: self._result(task.eval_id, metric, [counts[place] for counts in by_model])
                for place, metric in enumerate(self._setup.metrics)
            }
            for peer_id, by_model in zip(present, table, strict=True)
        }

    def _remark(self, task: EvalTask, models: Sequence[Readings]) -> None:
        """Report models for which the original would have died (QUIRKS 3)."""
        for metric in [metric for metric in self._setup.metrics if metric.divides_by_model]:
            for (model_id, _), model in zip(task.models, models, strict=True):
                if model.clipped.wordless:
                    self._notify(
                        Notice(
                            f"eval {task.eval_id}: model {model_id} is empty, {metric.label} counts 0 "
                            "for it (the original divides by zero)"
                        )
                    )

    def _count(self, models: Sequence[Readings], peers: Sequence[Readings]) -> list[list[list[Counts]]]:
        """Return the counts of every peer against every model: [peer][model][metric]."""
        return [
            [
                [
                    metric.count(model.for_metric(metric), peer.for_metric(metric))
                    for metric in self._setup.metrics
                ]
                for model in models
            ]
            for peer in peers
        ]

    def _tell(
        self,
        task: EvalTask,
        peer_ids: Sequence[str],
        table: Sequence[Sequence[Sequence[Counts]]],
    ) -> None:
        """Report every count, for debugging."""
        tell = self._trace or (lambda _: None)
        for peer_id, by_model in zip(peer_ids, table, strict=True):
            for (model_id, _), by_metric in zip(task.models, by_model, strict=True):
                for label, counts in zip(self.labels, by_metric, strict=True):
                    tell(
                        f"eval {task.eval_id} peer {peer_id} model {model_id} {label}: "
                        f"model {counts.model:g} peer {counts.peer:g} match {counts.match:g}"
                    )

    def _result(self, eval_id: str, metric: Metric, pairs: Sequence[Counts]) -> EvalResult:
        """Combine the counts against several models, and compute R, P and F, all rounded (QUIRKS 25)."""
        if self._setup.best_model:
            counts = formula.best([self.ranked(metric, pair) for pair in pairs])
        else:
            counts = formula.average(pairs)
        if self._setup.averaging != MEAN_OF_SCORES:
            return EvalResult(eval_id, counts, None)
        recall = five_places(power(ratio(counts.match, counts.model), 1 / metric.root))
        precision = five_places(power(ratio(counts.matched, counts.peer), 1 / metric.root))
        f = five_places(f_measure(recall, precision, self._setup.alpha))
        return EvalResult(eval_id, counts, Score(recall, precision, f))

    @staticmethod
    def ranked(metric: Metric, counts: Counts) -> Counts:
        """Rank by recall rounded to five places, but not rounded for L and W (QUIRKS 24)."""
        return counts._replace(rank=five_places(counts.rank)) if metric.rounds_rank else counts

    def average(
        self, columns: Mapping[tuple[str, str], Column], jobs: int = 1
    ) -> Mapping[tuple[str, str], Average | Counts]:
        """Return totals, or bootstrap averages; columns of one length share their draws."""
        ordered = dict(zip(columns, self._figures(columns), strict=True))
        if self._setup.averaging == TOTALS:
            return {key: formula.average(_pairs(figures)) for key, figures in ordered.items()}
        averages: dict[tuple[str, str], Average | Counts] = {}
        for size in sorted({len(column) for column in columns.values()}):
            group = {key: ordered[key] for key, column in columns.items() if len(column) == size}
            averages.update(zip(group, self._resample(list(group.values()), size, jobs), strict=True))
        return averages

    def _figures(self, columns: Mapping[tuple[str, str], Column]) -> Iterator[list[Sequence[float]]]:
        """Return the columns to average in the order of drawing (QUIRKS 28): R, P and F, or counts."""
        last: tuple[str, Sequence[str]] = "", ()
        order: Sequence[int] = ()
        for (peer_id, _), column in columns.items():
            if (peer_id, column.ids) != last:
                names = [f"{eval_id}.{peer_id}" for eval_id in column.ids]
                order = array("l", sorted(range(len(names)), key=names.__getitem__))
                last = peer_id, column.ids
            is_score = self._setup.averaging == MEAN_OF_SCORES
            yield column.scores(order) if is_score else column.counts(order)

    def _resample(
        self, group: Sequence[Sequence[Sequence[float]]], size: int, jobs: int
    ) -> Iterator[Average]:
        """Yield the averages of columns of one length, three figures each, from shared draws."""
        setup = self._setup
        if not size:
            nothing = Estimate(0.0, 0.0, 0.0) if setup.samples else Estimate(0.0, None, None)
            return (Average(nothing, nothing, nothing) for _ in group)
        figures = list(chain.from_iterable(group))
        if setup.averaging == MEAN_OF_SCORES:
            if not setup.samples:
                estimates = [Estimate(fsum(values) / size, None, None) for values in figures]
            else:
                estimates = bootstrap.estimates_of_means(
                    figures, setup.samples, setup.confidence, setup.seed, jobs
                )
        else:
            sums = (
                bootstrap.resampled_sums(figures, setup.samples, setup.seed, jobs)
                if setup.samples
                else [[fsum(values)] for values in figures]
            )
            scores = chain.from_iterable(
                self._scores_of_sums(*sums[first : first + 4]) for first in range(0, len(sums), 4)
            )
            if setup.samples:
                estimates = [
                    bootstrap.estimate(values, setup.samples, setup.confidence) for values in scores
                ]
            else:
                estimates = [Estimate(values[0], None, None) for values in scores]
        return (Average(*estimates[first : first + 3]) for first in range(0, len(estimates), 3))

    def _scores_of_sums(
        self,
        model: Sequence[float],
        peer: Sequence[float],
        match: Sequence[float],
        matched: Sequence[float],
    ) -> tuple[list[float], list[float], list[float]]:
        """Return each sample's scores: neither rounded nor, for ROUGE-W, taken to a root (QUIRKS 25)."""
        recall = list(map(ratio, match, model))
        precision = list(map(ratio, matched, peer))
        alpha = [self._setup.alpha] * len(recall)
        return recall, precision, list(map(f_measure, recall, precision, alpha))

    def kernel_setup(self) -> KernelSetup | None:
        """Return the compiled program's setup, if all metrics read one text of ROUGE's own tokens."""
        setup = self._setup
        specs = [spec for metric in setup.metrics if (spec := metric.kernel_spec)]
        ordinary = setup.tokenize is tokens and not (setup.split or setup.stem_models or self._trace)
        if not ordinary or len(specs) < len(setup.metrics):
            return None
        return KernelSetup(
            specs,
            self._texts.normalise,
            limit=setup.limit,
            best_model=setup.best_model,
            alpha=setup.alpha,
            is_scored=setup.averaging == MEAN_OF_SCORES,
        )

    def details(self) -> Mapping[str, Any]:
        """Return the number of texts read and of sentences in them, by side."""
        return self._reader.tally


def _pairs(figures: Sequence[Sequence[float]]) -> list[Counts]:
    return [Counts(model, peer, match, 0.0, own) for model, peer, match, own in zip(*figures, strict=True)]
