"""One eval: reading its texts, counting each model against each peer, combining, rounding."""

from __future__ import annotations

from functools import partial
from math import isnan
from typing import TYPE_CHECKING, Any

from rouge_cli.core import EvalResult, Notice
from rouge_cli.dialects.rouge155.program import MEAN_OF_SCORES
from rouge_cli.dialects.rouge155.texts import Preparation, load
from rouge_cli.metrics._lcs import power
from rouge_cli.scoring.formula import BEST, SUM, Weighted, five_places, ratio
from rouge_cli.text.reading import Reader

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from rouge_cli.core import Counts, EvalTask, Notify, Score
    from rouge_cli.dialects.rouge155.program import Setup, WordForms
    from rouge_cli.dialects.rouge155.texts import Readings
    from rouge_cli.metrics import Metric
    from rouge_cli.scoring.formula import Scored


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
        self._formulas = [Rounded(setup, metric) for metric in setup.metrics]
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
                metric.label: EvalResult(
                    task.eval_id, *self._scored(formula, [counts[place] for counts in by_model])
                )
                for place, (metric, formula) in enumerate(
                    zip(self._setup.metrics, self._formulas, strict=True)
                )
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

    def _scored(self, formula: Rounded, pairs: Sequence[Counts]) -> tuple[Counts, Score | None]:
        counts, score = formula.combine(pairs)
        return counts, score if self._setup.averaging == MEAN_OF_SCORES else None


class Rounded(Weighted):
    """The original's formulas: R, P and F are rounded to five places, F after R and P (QUIRKS 25)."""

    def __init__(self, setup: Setup, metric: Metric) -> None:
        super().__init__(setup.alpha, BEST if setup.best_model else SUM)
        self.root, self.written_root = metric.root, metric.written_root
        self._rounds_rank = metric.rounds_rank
        self.compared = metric.rank_name + " rounded to five places" * metric.rounds_rank

    def share(self, match: float, whole: float) -> float:
        """Return recall or precision; ROUGE-W's is raised to the inverse of its weight."""
        return five_places(power(ratio(match, whole), 1 / self.root))

    def f(self, recall: float, precision: float) -> float:
        """Return F, rounded as well."""
        return five_places(super().f(recall, precision))

    def rank(self, counts: Counts) -> float:
        """Return the rank rounded to five places, but not rounded for L and W (QUIRKS 24)."""
        return five_places(counts.rank) if self._rounds_rank else counts.rank

    def combine(self, pairs: Sequence[Counts]) -> Scored:
        """Return the counts and the score of the best model, with its rank, or of the sums (QUIRKS 23)."""
        if self.several == BEST:
            pairs = [pair._replace(rank=self.rank(pair)) for pair in pairs if not isnan(pair.rank)]
        return super().combine(pairs)

    def additions(
        self, pairs: Sequence[Counts], whole: Counts, note: str = " (once a model)"
    ) -> Iterator[str]:
        """Yield the steps of the sums."""
        return super().additions(pairs, whole, note)
