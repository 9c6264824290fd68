"""The protocol of a dialect's runs: all that the loop of an evaluation knows of a dialect."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from rouge_cli.core import Document, EvalResult, EvalTask, Explanation
from rouge_cli.native import KernelSetup
from rouge_cli.scoring.columns import Averages, KeyedColumns


class DialectRun(Protocol):
    """A dialect with the options of a run: it scores tasks, averages the scores, and explains them."""

    @property
    def needs_sentences(self) -> bool:
        """True if any metric of the run uses sentences."""

    @property
    def labels(self) -> Sequence[str]:
        """The labels of the metrics, in the report's order."""

    def score(self, task: EvalTask, systems: Iterable[str]) -> Mapping[str, Mapping[str, EvalResult]]:
        """Return the task's results for these systems: system -> label -> result."""

    def kernel_setup(self) -> KernelSetup | None:
        """Return the setup of the compiled program, or None if it does not support the options."""

    def details(self) -> Mapping[str, Any]:
        """Return details of the tasks since the last call, such as the number of sentences, for reports."""

    def average(self, columns: KeyedColumns, jobs: int = 1, /) -> Averages:
        """Return the averages of all columns, resampled in one call by so many threads."""

    def explain(self, task: EvalTask) -> Mapping[str, list[Explanation]]:
        """Explain the scores of every system of a loaded eval, with one explanation per metric."""

    def forms(self, document: Document, input_format: str) -> Sequence[tuple[str, str]]:
        """Return the words of a document, each with its counted form."""
