"""The record of a dialect, and the protocol of its runs."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from rouge_cli.errors import all_of

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from rouge_cli.core import Average, Counts, Document, EvalResult, EvalTask, Notify
    from rouge_cli.explanation import Explanation
    from rouge_cli.native import KernelSetup
    from rouge_cli.options import Options
    from rouge_cli.scoring.columns import Column


class Labeled(Protocol):
    """A parsed label."""

    @property
    def label(self) -> str:
        """The label in its canonical spelling."""


class DialectRun(Protocol):
    """A dialect with the options of a run: it scores tasks, averages their scores, and explains them."""

    needs_sentences: bool  # True if any of its metrics needs them

    @property
    def labels(self) -> Sequence[str]:
        """The labels of the metrics, in the report's order."""

    def score(self, task: EvalTask, systems: Iterable[str]) -> Mapping[str, Mapping[str, EvalResult]]:
        """Return the task's results for these peers: peer id -> label -> result."""

    def kernel_setup(self) -> KernelSetup | None:
        """Return the setup of an equivalent compiled program, or None if these options have none."""

    def details(self) -> Mapping[str, Any]:
        """Return details for the report, such as the number of sentences, when all tasks are scored."""

    def average(
        self, columns: Mapping[tuple[str, str], Column], jobs: int = 1, /
    ) -> Mapping[tuple[str, str], Average | Counts]:
        """Return the averages of all columns, (peer id, label) -> average, resampled in one call.

        Args:
            columns: the scored evals of each (peer id, label).
            jobs: the number of threads that may draw samples.
        """

    def explain(self, task: EvalTask) -> Mapping[str, list[Explanation]]:
        """Explain the scores of every peer of a loaded eval, one explanation a metric."""

    def forms(self, document: Document, input_format: str) -> Sequence[tuple[str, str]]:
        """Return each word of a document, and the form that is counted."""


class Dialect(NamedTuple):
    """A program that is reproduced, as commands and Python functions find it."""

    # The value of each option, in the order of the signature, under the name that commands and signatures
    # have for it. Values are plain: texts, numbers, booleans, and a tuple of labels for `metrics`.
    defaults: Mapping[str, Any]
    # Parses a label in any spelling; raises UsageError for an unknown one.
    parse: Callable[[str], Labeled]
    # Builds a run from canonical options, how often each path will be read, and a function that receives
    # notices; raises UsageError for invalid values.
    build: Callable[[Options, Counter[str], Notify], DialectRun]
    # Completes options that have canonical labels, for the signature; raises UsageError for invalid values.
    complete: Callable[[Options], Options] = dict
    # The labels to list, if only this dialect has them, and their help text.
    labels: Sequence[str] = ()
    help: str = ""
    # The values that `--stem` and `--stop` stand for; empty if the program has none.
    stemmer: str = ""
    stop_list: str = ""
    # True if the average F is that of the mean R and the mean P.
    averages_f_of_means: bool = False
    # True if the bootstrap draws evals in the order of their IDs.
    draws_by_id: bool = False
    # Returns the original's command that prints the same numbers, or None if there is none.
    command_line: Callable[[Options], str | None] = lambda _: None

    def canonical(self, options: Options) -> Options:
        """Return the options as in the signature: labels in their canonical spelling, each once."""
        parsed = all_of(partial(self.parse, label) for label in dict.fromkeys(options["metrics"]))
        return self.complete({**options, "metrics": tuple(dict.fromkeys(each.label for each in parsed))})
