"""The record of a dialect, and the protocol of its runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from rouge_cli.core import Document, EvalResult, EvalTask, Explanation, NamedTuple, Notify
from rouge_cli.errors import all_of
from rouge_cli.native import KernelSetup
from rouge_cli.scoring.columns import Averages, KeyedColumns

if TYPE_CHECKING:
    from rouge_cli.options import Options


class Labeled(Protocol):
    """A parsed label."""

    @property
    def label(self) -> str:
        """The label in its canonical spelling."""


class DialectRun(Protocol):
    """A dialect with the options of a run: it scores tasks, averages the scores, and explains them."""

    needs_sentences: bool  # True if any metric of the run uses sentences

    @property
    def labels(self) -> Sequence[str]:
        """The labels of the metrics, in the report's order."""

    def score(self, task: EvalTask, systems: Iterable[str]) -> Mapping[str, Mapping[str, EvalResult]]:
        """Return the task's results for these systems: system -> label -> result."""

    def kernel_setup(self) -> KernelSetup | None:
        """Return the setup of the compiled program, or None if it does not support the options."""

    def details(self) -> Mapping[str, Any]:
        """Return details for the report, such as the number of sentences; call it after all tasks."""

    def average(self, columns: KeyedColumns, jobs: int = 1, /) -> Averages:
        """Return the averages of all columns, resampled in one call by so many threads."""

    def explain(self, task: EvalTask) -> Mapping[str, list[Explanation]]:
        """Explain the scores of every system of a loaded eval, with one explanation per metric."""

    def forms(self, document: Document, input_format: str) -> Sequence[tuple[str, str]]:
        """Return the words of a document, each with its counted form."""


class Dialect(NamedTuple):
    """A program that rouge-cli reproduces, as commands and the Python API see it."""

    # Option name -> default value, in the order of the signature. A value is a string, a number or a
    # boolean; `metrics` is a tuple of labels.
    defaults: Mapping[str, Any]
    # Parses a label in any spelling; raises UsageError for an unknown label.
    parse: Callable[[str], Labeled]
    # Builds a run from canonical options, the number of times that each path will be read, and a function
    # that receives warnings; raises UsageError for invalid values.
    build: Callable[[Options, Counter[str], Notify], DialectRun]
    # Completes options with canonical labels for the signature; raises UsageError for invalid values.
    complete: Callable[[Options], Options] = dict
    # The labels that only this dialect has, and their help text.
    labels: Sequence[str] = ()
    help: str = ""
    # The values that `--stem` and `--stop` select; empty if the program has neither.
    stemmer: str = ""
    stop_list: str = ""
    # True if the average F is computed from the mean R and the mean P.
    averages_f_of_means: bool = False
    # True if the bootstrap draws evals in the order of their IDs.
    draws_by_id: bool = False
    # Returns the original's command that prints the same numbers, or None if there is none.
    command_line: Callable[[Options], str | None] = lambda _: None

    def canonical(self, options: Options) -> Options:
        """Return the options as in the signature: labels in canonical spelling, without repeats."""
        parsed = all_of(partial(self.parse, label) for label in dict.fromkeys(options["metrics"]))
        labels = tuple(dict.fromkeys(metric.label for metric in parsed))
        return self.complete({**options, "metrics": labels})
