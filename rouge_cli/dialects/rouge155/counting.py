"""One eval: reading its texts, counting each model against each peer, combining, rounding."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from rouge_cli.core import EvalResult, Notice, Score
from rouge_cli.dialects.rouge155.program import MEAN_OF_SCORES
from rouge_cli.dialects.rouge155.texts import Preparation, load
from rouge_cli.metrics._weighted_lcs import power
from rouge_cli.scoring import formula
from rouge_cli.scoring.ratio import f_measure, five_places, ratio
from rouge_cli.text.reading import Reader

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from rouge_cli.core import Counts, EvalTask, Notify
    from rouge_cli.dialects.rouge155.program import Setup
    from rouge_cli.dialects.rouge155.texts import Readings
    from rouge_cli.dialects.rouge155.words import WordForms
    from rouge_cli.metrics._metric import Metric


class Counting:
    """Scores evals one by one, with the texts of a run in a cache.

    uses: how often each path will be read. trace: receives a line on each count; None for no trace.
    """

    def __init__(
        self,
        setup: Setup,
        words: WordForms,
        uses: Counter[str],
        notify: Notify,
        trace: Callable[[str], None] | None,
    ) -> None:
        self._setup = setup
        self._trace = trace
        self._notify = notify
        self._reader = Reader(
            Preparation(setup, notify, trace, words).prepare,
            uses,
            partial(load, notify=notify),
            sides_differ=setup.stem_models,
        )

    @property
    def tally(self) -> Mapping[str, Any]:
        """Return the number of texts read and of sentences in them, by side."""
        return self._reader.tally

    def score(self, task: EvalTask, peer_ids: Iterable[str]) -> Mapping[str, Mapping[str, EvalResult]]:
        """Score each of the peers that the task has, under each metric, against all models together."""
        present = {peer_id: path for peer_id in peer_ids if (path := task.peers.get(peer_id))}
        if not present or not self._setup.metrics:
            return {}
        if not task.models:
            self._notify(Notice(f"{task.where}: eval {task.eval_id} has no models; its scores are 0"))
        models, peers = self._reader.models(task), list(self._reader.peers(task, present))
        self._remark(task, models)
        table = self._count(models, peers)
        if self._trace:
            self._trace_counts(task, list(present), table)
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

    def _trace_counts(
        self, task: EvalTask, peer_ids: Sequence[str], table: Sequence[Sequence[Sequence[Counts]]]
    ) -> None:
        """Pass every count to the trace, for debugging."""
        trace = self._trace or (lambda _: None)
        for peer_id, by_model in zip(peer_ids, table, strict=True):
            for (model_id, _), by_metric in zip(task.models, by_model, strict=True):
                for metric, counts in zip(self._setup.metrics, by_metric, strict=True):
                    trace(
                        f"eval {task.eval_id} peer {peer_id} model {model_id} {metric.label}: "
                        f"model {counts.model:g} peer {counts.peer:g} match {counts.match:g}"
                    )

    def _result(self, eval_id: str, metric: Metric, pairs: Sequence[Counts]) -> EvalResult:
        """Combine the counts against several models, and compute R, P and F, all rounded (QUIRKS 25)."""
        if self._setup.best_model:
            counts = formula.best([rank(metric, pair) for pair in pairs])
        else:
            counts = formula.average(pairs)
        if self._setup.averaging != MEAN_OF_SCORES:
            return EvalResult(eval_id, counts, None)
        recall = five_places(power(ratio(counts.match, counts.model), 1 / metric.root))
        precision = five_places(power(ratio(counts.matched, counts.peer), 1 / metric.root))
        f = five_places(f_measure(recall, precision, self._setup.alpha))
        return EvalResult(eval_id, counts, Score(recall, precision, f))


def rank(metric: Metric, counts: Counts) -> Counts:
    """Rank by recall rounded to five places, but not rounded for L and W (QUIRKS 24)."""
    return counts._replace(rank=five_places(counts.rank)) if metric.rounds_rank else counts
