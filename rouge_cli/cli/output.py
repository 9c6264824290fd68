"""Output of a command's report: its options, layout, and printing or writing."""

from __future__ import annotations

import os
import stat
import sys
import textwrap
from typing import TYPE_CHECKING, Any, ClassVar

import click

from rouge_cli import dialects, plugins, reports
from rouge_cli.cli import option_groups, streams
from rouge_cli.cli.option_groups import Conflict, OptionGroup, check_conflicts, flag, option
from rouge_cli.errors import UsageError
from rouge_cli.io import files
from rouge_cli.tasks import system_names

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from click.shell_completion import CompletionItem

    from rouge_cli.results import LayoutFields
    from rouge_cli.results._presentation import Presentable
    from rouge_cli.results.scores import Results


# --score-only replaces the format for a single figure, which users cannot name.
SCORE_ONLY = "score_only"


class FormatOption(click.Option):
    """--format: its help and its completions list the formats for the command's kind of results.

    The help fits on one line, however many formats there are; `rouge-cli list formats` lists all.
    """

    def __init__(self, *args: Any, result: str, **settings: Any) -> None:  # noqa: ANN401 - click's
        """Create the option. result: the kind."""
        super().__init__(*args, **settings)
        self.result = result

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return the option and the formats."""
        names = textwrap.shorten(" ".join(reports.names_for(self.result)), 50, placeholder=" ...")
        self.help = names.replace(" ", "|")
        return super().get_help_record(ctx)

    def shell_complete(self, _: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the formats with this beginning."""
        return option_groups.starting(reports.names_for(self.result), incomplete)


def format_option(result: str) -> str | None:
    """Declare a field for --format, for results of a kind."""
    field: str | None = option("--format NAME", cls=FormatOption, result=result)
    return field


class ReportOptions(OptionGroup):
    """How to show a report of scores, and where to write it."""

    conflicts: ClassVar = {
        Conflict.SCORE_ONLY: "format per_eval",
        Conflict.COUNTS: "format per_eval score_only baseline digits scale intervals ranks plot",
        Conflict.CLASSIC: "baseline digits scale",
        Conflict.UNROUNDED: "digits",
        Conflict.NO_SAMPLES: "intervals",
        Conflict.NOT_FOR_PAPERS: "intervals ranks",
    }
    format: str | None = format_option("scores")
    output: str | None = option("-o --output FILE", "Write the report to FILE, whole or not at all.")
    per_eval: bool = flag("--per-eval", "One row for each eval, system and metric.")
    score_only: str | None = option("--score-only R2.F", "Print only this figure, as a number.")
    baseline: str | None = option("--baseline SYSTEM", "Put this system first.")
    digits: int | None = option(
        "--digits", "Decimals in tables.", type=click.IntRange(0, reports.MOST_DIGITS)
    )
    scale: str | None = option(
        "--scale",
        "Multiply scores by this (default 1; 100 in latex and markdown).",
        type=click.Choice(["1", "100"]),
    )
    intervals: bool = flag("--intervals", "Show intervals in latex and markdown.")
    ranks: bool = flag("--ranks", "Show ranks in latex and markdown.")
    plot: str | None = option("--plot FILE", "Draw the averages as .png, .svg or .pdf.")


def form(options: ReportOptions) -> str:
    """Return the report's format: the one named, or the output file's suffix; text otherwise.

    Raises:
        UsageError: For an unknown name.
    """
    if options.score_only:
        return SCORE_ONLY
    return chosen_format("scores", options.format, options.output)


def chosen_format(
    kind: str, name: str | None, path: str | None, *, without: str = "", plain: str = ""
) -> str:
    """Return the format for results of a kind: the one named, or by the file's suffix, or text.

    Args:
        without: The option that asks for this kind.
        plain: The kind of results without it.

    Raises:
        UsageError: For a name or a suffix of a format that does not render the kind, and for the suffix of
            a compression.
    """
    _check_uncompressed(path)
    where, ways = "", ""
    if name is None:
        name = reports.of_file(path) if path else ""
        if not path or not name:
            return "text"
        where, ways = path, " by --format, or another suffix"
    if plugins.is_known(reports.__name__, name) and reports.renders(name, kind):
        return name
    if name in reports.names() or name in plugins.others(reports.__name__):
        remedy = f"use one of {', '.join(reports.names_for(kind))}{ways}"
        if plain and reports.renders(name, plain):
            remedy += f", or leave {without} out: {name} renders the {plain} by one dialect"
        raise UsageError(
            f"report format {name!r} does not render results of this kind ({kind})",
            where=where,
            remedy=remedy,
        )
    raise UsageError(
        f"unknown report format {name!r}", remedy=plugins.suggestion(name, reports.names_for(kind))
    )


def check_suffix(path: str | None, allowed: str, remedy: str) -> None:
    """Raise UsageError for the suffix of a compression, and of a report format other than the allowed one.

    For commands that write one format only.
    """
    _check_uncompressed(path)
    name = reports.of_file(path) if path else ""
    if path and name not in ("", allowed):
        raise UsageError(f"the suffix is that of report format {name!r}", where=path, remedy=remedy)


def _check_uncompressed(path: str | None) -> None:
    if path and (suffix := files.compression(path)):
        raise UsageError("reports are not compressed", where=path, remedy=f"leave {suffix} out")


def is_unrounded(name: str) -> bool:
    """Return True if --digits has no effect on a format."""
    return name != SCORE_ONLY and not reports.is_table(name)


def write_result(
    result: Presentable,
    name: str,
    path: str | None,
    *,
    every: bool = False,
    **typed: Any,  # noqa: ANN401 - of any field
) -> None:
    """Render the result in that format, and print it or write it to the file.

    Args:
        result: Its kind decides on the fields that are not typed.
        name: The format.
        path: The file; None for stdout.
        every: Whether long lists are whole.
        typed: Fields of the layout; None for those that the user did not name.
    """
    fields = {field: value for field, value in typed.items() if value is not None}
    fields |= {"most": None} if every else {}
    write(reports.render(result, name, result.layout(name, **fields)), path)


def check(options: ReportOptions, *, samples: int | None = None) -> None:
    """Raise UsageError for an unknown format, and for options without an effect on it.

    Args:
        samples: The number on the command line.
    """
    name = form(options)
    for_papers = reports.is_for_papers(name, "scores") and not options.per_eval
    evals_alone = options.per_eval and not reports.has_averages_beside_evals(name)
    check_conflicts(
        {
            Conflict.SCORE_ONLY: name == SCORE_ONLY,
            Conflict.CLASSIC: name == "classic",
            Conflict.UNROUNDED: is_unrounded(name),
            Conflict.NOT_FOR_PAPERS: not for_papers,
            Conflict.NO_INTERVALS: for_papers and not (options.intervals or options.plot),
            Conflict.EVALS_ALONE: evals_alone,
            Conflict.EVALS_RESAMPLED: evals_alone and samples,
        }
    )


def check_targets(targets: Sequence[str | None], sources: Iterable[str] = ()) -> None:
    """Raise UsageError if two outputs are one file, or if an output would overwrite a source.

    Raises:
        UnwritableFile: For a file that is read-only.
    """
    paths = [path for path in targets if path and path != files.STDIN]
    for path in paths:
        files.check_target(path)
    if len({os.path.realpath(path) for path in paths}) < len(paths):
        raise UsageError("two outputs in one file", remedy="name another for each")
    existing = {(status.st_dev, status.st_ino): path for path in paths if (status := _file(path))}
    for source in sources if existing else ():
        if (status := _file(source)) and (status.st_dev, status.st_ino) in existing:
            output = existing[status.st_dev, status.st_ino]
            raise UsageError(f"{output} is also an input", remedy="write to another file")


def _file(path: str) -> os.stat_result | None:
    """Return the system's record of a regular file, `-` for stdin; None for anything else."""
    try:
        status = os.stat(0 if path == files.STDIN else path)
    except (OSError, ValueError):
        return None
    return status if stat.S_ISREG(status.st_mode) else None


def show(
    report: Results,
    options: ReportOptions,
    figures: Sequence[tuple[str, str]],
    dialect: str,
    confidence: str,
) -> None:
    """Print the report, or write it to the file that was named.

    Args:
        figures: The requested labels and their figures, as written.
        confidence: The level of the intervals as typed.
    """
    name = form(options)
    write_result(
        _order(report, options.baseline, by_id=name == "classic"),
        name,
        options.output,
        **on_screen(options.output),
        columns=columns(report, figures, dialect),
        per_eval=options.per_eval,
        digits=options.digits,
        scale=options.scale and float(options.scale),
        confidence=confidence,
        ranks=options.ranks or None,
        intervals=options.intervals,
    )


def on_screen(path: str | None) -> LayoutFields:
    """Return the fields of a layout for a person's terminal if stdout is one and no file is named."""
    if path or sys.stdout is None or not sys.stdout.isatty():
        return {}
    from shutil import get_terminal_size  # imports the compressions

    return {"terminal": True, "width": get_terminal_size().columns}


def write(text: str, output: str | None) -> None:
    """Write the text to stdout, or to the file, either all of it or nothing."""
    if output and output != files.STDIN:
        files.write(output, text)
    else:
        streams.emit(text)


def columns(report: Results, figures: Sequence[tuple[str, str]], dialect: str) -> Sequence[tuple[str, str]]:
    """Return the figures that a table shows: those requested, or the default of the report."""
    if not figures:
        return report.layout().columns
    parse = dialects.named(dialect).parse
    named = [(parse(label).label, figure) for label, figure in figures]
    labels = dict.fromkeys(result.label for result in report.results)
    # Options may have extended labels (`ROUGE-1+Stemming`), but these keep their number and their order.
    written = dict.fromkeys(label for label, _ in named)
    shown = dict(zip(written, labels, strict=True)) if len(written) == len(labels) else {}
    named = [(_report_label(label, shown.get(label, label), labels), figure) for label, figure in named]
    return [(label, figure or "F") for label, figure in named]


def _report_label(label: str, completed: str, labels: Collection[str]) -> str:
    """Return the report's label for the user's spelling; raise UsageError if there is none."""
    if label in labels:
        return label
    if completed in labels and completed.partition("+")[0] == label.partition("+")[0]:
        return completed
    raise UsageError(f"no {label} in the report", remedy=plugins.suggestion(label, list(labels)))


def _order(report: Results, baseline: str | None, *, by_id: bool) -> Results:
    """Return the baseline's results first; those of the classic report by ID, as its readers expect."""
    system_names.check([baseline], system_names.of_report(report))
    key = (lambda result: result.system) if by_id else (lambda result: result.system != baseline)
    return report._replace(results=sorted(report.results, key=key))
