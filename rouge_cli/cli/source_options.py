"""The options for texts beside their scores: `--source`, what was summarized, and
`--lengths`.
"""

from typing import ClassVar

from rouge_cli.cli.option_groups import Conflict, OptionGroup, flag, option
from rouge_cli.dialects import DialectRun
from rouge_cli.errors import UsageError


class SourceOptions(OptionGroup):
    """The texts that were summarized."""

    section: ClassVar = "Input"
    conflicts: ClassVar = {
        Conflict.SAVED: "source",
        Conflict.SETTINGS: "source",
        Conflict.FILE_LIST: "source",
        Conflict.BETWEEN_DIALECTS: "source",
    }
    source: str | None = option(
        "--source WHAT", "What was summarized: a column, lines, or a folder."
    )

    def check(self, run: DialectRun) -> None:
        """Raise UsageError if metrics need sources that are not named, or no metric of
        the run needs them.
        """
        if self.source is None and run.labels_of_sources:
            names = ", ".join(run.labels_of_sources)
            raise UsageError(
                f"{names}: no source named",
                remedy="name the texts that were summarized: --source COLUMN, FILE or"
                " FOLDER",
            )
        if self.source is not None and not run.labels_of_sources:
            raise UsageError(
                "--source without a metric that reads it",
                remedy="add one, as in -m coverage,density,novel-2, or leave it out",
            )


class BesideOptions(SourceOptions):
    """The texts that were summarized, and the lengths of texts beside scores."""

    section: ClassVar = "Output"
    conflicts: ClassVar = {
        Conflict.SCORE_ONLY: "lengths",
        Conflict.JUNIT: "lengths",
        Conflict.LENGTHS_FOR_PAPERS: "lengths",
        Conflict.NO_TABLE_OF_LENGTHS: "lengths",
        Conflict.TOTALS: "lengths",
    }
    lengths: bool = flag("--lengths", "Show words of predictions and references.")
