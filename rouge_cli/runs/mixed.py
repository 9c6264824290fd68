"""A run whose metrics are scored partly by compiled code and partly by plain Python."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from rouge_cli.scoring.columns import Columns

if TYPE_CHECKING:
    from rouge_cli.core import EvalResult, EvalTask, Notify
    from rouge_cli.runs.evaluation import Results, Scorer

    ByLabel = Mapping[str, EvalResult]


class MixedScorer:
    """Scores evals by two scorers, and puts their metrics side by side.

    Args:
        compiled: The scorer of the metrics that have kernels.
        readable: The scorer of the others.
        labels: All metrics, in the order of the report.
    """

    is_compiled = True
    gains_by_threads = False
    is_reusable = False

    def __init__(
        self, compiled: Scorer, readable: Scorer, labels: Sequence[str]
    ) -> None:
        self._compiled = compiled
        self._readable = readable
        self.labels = labels
        self.is_scored = compiled.is_scored
        self.seconds = 0.0  # of the readable scorer, since the start
        self.seconds_compiled = 0.0

    @property
    def notify(self) -> Notify:
        """The function that receives notices."""
        return self._compiled.notify

    @notify.setter
    def notify(self, notify: Notify) -> None:
        self._compiled.notify = notify
        self._readable.notify = notify

    def score(
        self, tasks: Sequence[EvalTask], systems: Sequence[str] | None
    ) -> Iterator[tuple[Sequence[str], Results]]:
        """Score the systems in the evals; see `Scorer.score`."""
        start = time.monotonic()
        by_kernels = list(self._one_by_one(self._compiled, tasks, systems))
        middle = time.monotonic()
        self._readable.expect(tasks, systems)
        by_python = list(self._one_by_one(self._readable, tasks, systems))
        self.seconds_compiled += middle - start
        self.seconds += time.monotonic() - middle
        for (eval_id, compiled), (_, readable) in zip(
            by_kernels, by_python, strict=True
        ):
            results = {}
            for system in compiled:
                if system in readable:
                    scores = {**compiled[system], **readable[system]}
                    results[system] = {label: scores[label] for label in self.labels}
            yield [eval_id], results

    def _one_by_one(
        self,
        scorer: Scorer,
        tasks: Sequence[EvalTask],
        systems: Sequence[str] | None,
    ) -> Iterator[tuple[str, dict[str, ByLabel]]]:
        """Yield the ID and the results of each eval, unpacked."""
        for ids, results in scorer.score(tasks, systems):
            by_eval: list[dict[str, ByLabel]] = [{} for _ in ids]
            for system, scored in results.items():
                if isinstance(scored, bytes):
                    rows = self._unpacked(scorer, ids, scored)
                else:
                    rows = [scored]
                for by_system, row in zip(by_eval, rows, strict=True):
                    by_system[system] = row
            yield from zip(ids, by_eval, strict=True)

    def _unpacked(
        self, scorer: Scorer, ids: Sequence[str], packed: bytes
    ) -> list[ByLabel]:
        """Return the results of evals, given their rows."""
        columns = Columns(scorer.labels, is_scored=scorer.is_scored)
        columns.append(ids, packed)
        rows = zip(*columns.columns, strict=True)
        return [dict(zip(scorer.labels, row, strict=True)) for row in rows]

    def expect(self, tasks: Iterable[EvalTask], systems: Sequence[str] | None) -> None:
        """Count the uses of files by evals that plain Python will score."""
        self._readable.expect(tasks, systems)

    def use_threads(self, number: int) -> bool:  # noqa: ARG002 - of a Scorer
        """Return False: plain Python does not gain by threads."""
        return False

    def details(self) -> Mapping[str, object]:
        """Return the details of the texts, which both scorers have read."""
        self._readable.details()
        return self._compiled.details()
