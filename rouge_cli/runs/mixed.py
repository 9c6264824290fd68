"""A run whose metrics are scored partly by compiled code and partly by plain Python."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from rouge_cli.runs.evaluation import one_by_one
from rouge_cli.scoring.columns import Columns

if TYPE_CHECKING:
    from rouge_cli.core import EvalResult, EvalTask, Notify
    from rouge_cli.runs.evaluation import AnyScorer, Results


class MixedScorer:
    """Scores evals by two scorers, and puts their metrics side by side.

    Args:
        compiled: The scorer of the metrics that have kernels.
        readable: The scorer of the others.
        labels: All metrics, in the order of the report.
    """

    gains_by_threads = False

    def __init__(
        self, compiled: AnyScorer, readable: AnyScorer, labels: Sequence[str]
    ) -> None:
        self._compiled = compiled
        self._readable = readable
        self.labels = labels
        self.most_at_once = compiled.most_at_once
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
        """Score the systems in the evals; see `AnyScorer`."""
        start = time.monotonic()
        by_kernels = list(one_by_one(self._compiled.score(tasks, systems)))
        middle = time.monotonic()
        by_python = list(one_by_one(self._readable.score(tasks, systems)))
        self.seconds_compiled += middle - start
        self.seconds += time.monotonic() - middle
        for (eval_id, compiled), (_, readable) in zip(
            by_kernels, by_python, strict=True
        ):
            results = {}
            for system in compiled:
                if system in readable:
                    scores = _unpacked(self._compiled, eval_id, compiled[system])
                    scores |= _unpacked(self._readable, eval_id, readable[system])
                    results[system] = {label: scores[label] for label in self.labels}
            yield [eval_id], results

    def expect(self, tasks: Iterable[EvalTask], systems: Sequence[str] | None) -> None:
        """Count the uses of files by evals that plain Python will score."""
        self._readable.expect(tasks, systems)

    def use_threads(self, number: int) -> bool:  # noqa: ARG002 - of all scorers
        """Return False: plain Python does not gain by threads."""
        return False

    def details(self) -> Mapping[str, object]:
        """Return the details of the texts, which both scorers have read."""
        self._readable.details()
        return self._compiled.details()


def _unpacked(
    scorer: AnyScorer, eval_id: str, scored: Mapping[str, EvalResult] | bytes
) -> dict[str, EvalResult]:
    """Return label -> result of an eval, given what a scorer returned of a system."""
    columns = Columns(scorer.labels, is_scored=scorer.is_scored)
    columns.append([eval_id], scored)
    results = [column[0] for column in columns.columns]
    return dict(zip(scorer.labels, results, strict=True))
