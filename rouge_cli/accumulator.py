"""Batches of texts that are scored together, as in the loop of an evaluation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from rouge_cli.api import AnyDialect, Metrics, Text, evaluate
from rouge_cli.core import EvalTask
from rouge_cli.runs import assembly
from rouge_cli.tasks import containers

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from rouge_cli.options import RunsOptions
    from rouge_cli.results.scores import Results


class Accumulator:
    """Collects the texts of batches, and scores them together.

        >>> batches = rouge_cli.Accumulator("R1", samples=0)
        >>> batches.add(["the cat sat"], ["the cat sat down"])
        >>> batches.add(["a dog"], [["the dog", "a dog ran"]])
        >>> batches.report()["system"]["R1"].f

    The parameters are those of `score`. The report is that of `score` for all texts in the order of their
    addition, with the IDs 1, 2, ... The texts are kept in memory. An accumulator can be pickled: each
    process adds its own batches, and one of them merges the accumulators.
    """

    def __init__(
        self,
        metrics: Metrics = None,
        *,
        dialect: AnyDialect | None = None,
        read_as: str | None = None,
        **options: Unpack[RunsOptions],
    ) -> None:
        self._score = partial(evaluate, metrics=metrics, dialect=dialect, **options)
        self._read_as = assembly.text_format(read_as, {})
        self.tasks: list[EvalTask] = []

    def add(
        self,
        predictions: Text | Iterable[Text] | Mapping[str, Text | Iterable[Text]],
        references: Text | Iterable[Text] | Iterable[Iterable[Text]],
    ) -> None:
        """Add a batch of texts, as in `score`."""
        self.tasks += containers.tasks(predictions, references, None, self._read_as)

    def merge(self, other: Accumulator) -> None:
        """Add the batches of another accumulator after those of this one."""
        self.tasks += other.tasks

    def report(self) -> Results:
        """Score all texts that were added; texts may be added afterwards."""
        tasks = [
            task._replace(eval_id=str(number), where=f"eval {number}")
            for number, task in enumerate(self.tasks, 1)
        ]
        return self._score(tasks)
