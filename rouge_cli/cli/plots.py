"""Plots of a command: their files are checked before anything is computed, and written all or nothing."""

from __future__ import annotations

import os
import warnings
from typing import TYPE_CHECKING

from rouge_cli.cli import output
from rouge_cli.core import Notice
from rouge_cli.errors import UsageError, require
from rouge_cli.io import files
from rouge_cli.tasks import system_names

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from rouge_cli.cli.output import ReportOptions
    from rouge_cli.core import Notify
    from rouge_cli.results.scores import Results

KINDS = ("png", "svg", "pdf")


def kind(path: str) -> str:
    """Return the kind of picture by the file's suffix.

    Raises:
        UsageError: The suffix is not one of KINDS.
        RougeError: matplotlib is not installed.
    """
    suffix = path.rpartition(".")[2].lower()
    if suffix not in KINDS:
        raise UsageError(f"{path}: unknown kind of picture", remedy=f"end the name in .{', .'.join(KINDS)}")
    os.environ["MPLBACKEND"] = "agg"  # Jupyter's may not be installed; it would fail the import
    require("plots need", "matplotlib", "numpy", extra="plots")
    return suffix


def check(plots: Collection[str | None], target: str | None) -> None:
    """Check the files of plots and of the report, as `kind` and `output.check_targets` do."""
    for path in filter(None, plots):
        kind(path)
    output.check_targets([*plots, target])


def write(path: str, plot: str, notify: Notify, *contents: object) -> None:
    """Draw the contents with a function of `plots`; matplotlib's warnings become notices."""
    from rouge_cli.studies import plots

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        data = plots.render(getattr(plots, plot)(*contents), kind(path))
    files.write_bytes(path, data)
    messages = [str(warning.message) for warning in caught if issubclass(warning.category, UserWarning)]
    if any(message.startswith("Glyph ") for message in messages):
        notify(Notice(f"{path}: the font lacks letters of some names, which are drawn as boxes"))
    for message in dict.fromkeys(message for message in messages if not message.startswith("Glyph ")):
        notify(Notice(f"{path}: {message}"))


def show(  # noqa: PLR0913, PLR0917 - as `output.show`
    report: Results,
    options: ReportOptions,
    figures: Sequence[tuple[str, str]],
    dialect: str,
    confidence: str,
    notify: Notify,
) -> None:
    """Draw the scores if --plot names a file, and show the report as `output.show` does."""
    if options.plot:
        system_names.check([options.baseline], system_names.of_report(report))
        columns, scale = output.columns(report, figures, dialect), float(options.scale or 1)
        write(options.plot, "draw_scores", notify, report, columns, scale, confidence, options.baseline)
    output.show(report, options, figures, dialect, confidence)
