"""Output of reports: their options and layout, and printing them or writing them to files."""

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


# The format of --score-only, which --format does not offer.
SCORE_ONLY = "score_only"


class FormatOption(click.Option):
    """The option --format, whose help and completions list the formats for one kind of results."""

    def __init__(self, *args: Any, result: str, **settings: Any) -> None:  # noqa: ANN401 - click's
        """Create the option for a kind of results."""
        super().__init__(*args, **settings)
        self.result = result

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return the option and its formats on one line; `rouge-cli list formats` lists all of them."""
        names = textwrap.shorten(" ".join(reports.names_for(self.result)), 50, placeholder=" ...")
        self.help = names.replace(" ", "|")
        return super().get_help_record(ctx)

    def shell_complete(self, _: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the formats with this beginning."""
        return option_groups.starting(reports.names_for(self.result), incomplete)


def format_option(result: str) -> str | None:
    """Declare a field for --format, for one kind of results."""
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
    per_eval: bool = flag("--per-eval", "Print a row per eval, system and metric.")
    score_only: str | None = option("--score-only R2.F", "Print only this score, as a number.")
    baseline: str | None = option("--baseline SYSTEM", "Put this system first.")
    digits: int | None = option(
        "--digits N", "Decimals in tables.", type=click.IntRange(0, reports.MOST_DIGITS)
    )
    scale: str | None = option(
        "--scale",
        "Multiply scores (default 1; latex, markdown: 100).",
        type=click.Choice(["1", "100"]),
    )
    intervals: bool = flag("--intervals", "Show intervals in latex and markdown.")
    ranks: bool = flag("--ranks", "Show ranks in latex and markdown.")
    plot: str | None = option("--plot FILE", "Draw the averages as .png, .svg or .pdf.")


def form(options: ReportOptions) -> str:
    """Return the report's format: of --score-only or --format, else by the output file's suffix, else text.

    Raises:
        UsageError: The format is unknown.
    """
    if options.score_only:
        return SCORE_ONLY
    return chosen_format("scores", options.format, options.output)


def chosen_format(
    kind: str, name: str | None, path: str | None, *, without: str = "", plain: str = ""
) -> str:
    """Return the format for results of a kind: the name, else by the file's suffix, else text.

    Args:
        kind: The kind of results.
        name: The format on the command line; None without --format.
        path: The output file.
        without: The option that selects this kind of results.
        plain: The kind of results without that option.

    Raises:
        UsageError: The format is unknown or does not render this kind, or the file would be compressed.
    """
    _check_uncompressed(path)
    where, other_ways = "", ""
    if name is None:
        name = reports.of_file(path) if path else ""
        if not path or not name:
            return "text"
        where, other_ways = path, " by --format, or another suffix"
    if plugins.is_known(reports.__name__, name) and reports.renders(name, kind):
        return name
    if name in reports.names() or name in plugins.others(reports.__name__):
        remedy = f"use one of {', '.join(reports.names_for(kind))}{other_ways}"
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
    """Check the output file of a command that writes only one format.

    Raises:
        UsageError: The suffix is that of a compression, or of another format.
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
    """Render the result in a format, and print it or write it to a file.

    Args:
        result: The result, which has defaults for the fields of the layout.
        name: The format.
        path: The file; None for stdout.
        every: Do not shorten long lists.
        typed: Fields of the layout; None for a field that the user did not set.
    """
    fields = {field: value for field, value in typed.items() if value is not None}
    fields |= {"most": None} if every else {}
    write(reports.render(result, name, result.layout(name, **fields)), path)


def check(options: ReportOptions, *, samples: int | None = None) -> None:
    """Raise UsageError for an unknown format, and for options that do not affect it.

    Args:
        options: The options of the report.
        samples: The number of bootstrap samples on the command line.
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
    """Check the outputs before anything is computed.

    Raises:
        UsageError: Two outputs name the same file, or an output would overwrite a source.
        UnwritableFile: An output is read-only.
    """
    paths = [path for path in targets if path and path != files.STDIN]
    for path in paths:
        files.check_target(path)
    if len({os.path.realpath(path) for path in paths}) < len(paths):
        raise UsageError("two outputs name the same file", remedy="name another for one of them")
    existing = {(status.st_dev, status.st_ino): path for path in paths if (status := _file(path))}
    for source in sources if existing else ():
        if (status := _file(source)) and (status.st_dev, status.st_ino) in existing:
            output = existing[status.st_dev, status.st_ino]
            raise UsageError(f"{output} is also an input", remedy="write to another file")


def _file(path: str) -> os.stat_result | None:
    """Return the status of a regular file, `-` for stdin; None for anything else."""
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
    """Print the report, or write it to the output file.

    Args:
        report: The report.
        options: The options of the report.
        figures: The requested labels, as typed, each with R, P, F or an empty string.
        dialect: The dialect, which parses the labels.
        confidence: The level of the intervals, as typed.
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
    """Return the fields of a layout for a terminal, if the report is printed on one."""
    if path or sys.stdout is None or not sys.stdout.isatty():
        return {}
    from shutil import get_terminal_size  # imports the compressions

    return {"terminal": True, "width": get_terminal_size().columns}


def write(text: str, output: str | None) -> None:
    """Write the text to stdout or to a file, either all of it or nothing."""
    if output and output != files.STDIN:
        files.write(output, text)
    else:
        streams.emit(text)


def columns(report: Results, figures: Sequence[tuple[str, str]], dialect: str) -> Sequence[tuple[str, str]]:
    """Return the columns of a table, (label, measure): the requested ones, or the report's defaults."""
    if not figures:
        return report.layout().columns
    parse = dialects.named(dialect).parse
    requested = [(parse(label).label, measure) for label, measure in figures]
    labels = dict.fromkeys(result.label for result in report.results)
    # Options may have extended labels (`ROUGE-1+Stemming`), but these keep their number and their order.
    typed = dict.fromkeys(label for label, _ in requested)
    extended = dict(zip(typed, labels, strict=True)) if len(typed) == len(labels) else {}
    return [
        (_report_label(label, extended.get(label, label), labels), measure or "F")
        for label, measure in requested
    ]


def _report_label(label: str, completed: str, labels: Collection[str]) -> str:
    """Return the report's label for the user's label; raise UsageError if there is none."""
    if label in labels:
        return label
    if completed in labels and completed.partition("+")[0] == label.partition("+")[0]:
        return completed
    raise UsageError(f"no {label} in the report", remedy=plugins.suggestion(label, list(labels)))


def _order(report: Results, baseline: str | None, *, by_id: bool) -> Results:
    """Put the results of the baseline first; or sort them by system ID, as readers of `classic` expect."""
    system_names.check([baseline], system_names.of_report(report))
    key = (lambda result: result.system) if by_id else (lambda result: result.system != baseline)
    return report._replace(results=sorted(report.results, key=key))
