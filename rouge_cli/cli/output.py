"""Output of reports and plots: their options and layout, and printing them or
writing them to files.
"""

from __future__ import annotations

import os
import re
import stat
import sys
import warnings
from collections.abc import Collection, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import click

from rouge_cli import dialects, metrics, plugins, reports
from rouge_cli.cli import option_groups, streams
from rouge_cli.cli.option_groups import (
    Conflict,
    OptionGroup,
    Words,
    flag,
    option,
    several,
)
from rouge_cli.core import Notice, Notify, Result
from rouge_cli.errors import (
    FailedGate,
    UsageError,
    combine,
    escape,
    require,
    suggestion,
)
from rouge_cli.io import compression, files
from rouge_cli.results import SIGNATURES
from rouge_cli.results.base import SHOWN, Gated, Presentable
from rouge_cli.results.scores import Results, averages_of
from rouge_cli.tasks import system_names

if TYPE_CHECKING:
    from rouge_cli.results.base import LayoutFields

PARQUET = "parquet"  # a binary format, which only files have
SCORE_ONLY = "score_only"  # the format of --score-only, which --format does not offer
PICTURES = ("png", "svg", "pdf")
DIGITS = click.IntRange(0, reports.MOST_DIGITS)
SCALE = click.Choice(["1", "100"])
_ROWS = ("rows", "tables")  # NEEDS of formats that can have wide rows
_LAYOUT = "baseline sort digits scale"  # options of tables


class FormatOption(click.Option):
    """The option --format, whose help lists the formats for one kind of results."""

    def __init__(self, *args: Any, result: str, **settings: Any) -> None:  # noqa: ANN401 - click's
        """Create the option for a kind of results."""
        names = option_groups.completing(partial(reports.names_for, result))
        super().__init__(*args, shell_complete=names, **settings)
        self.result = result

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return the option and its formats."""
        names = reports.names_for(self.result)
        if reports.renders("csv", self.result):
            names = sorted([*names, PARQUET])
        self.help = ", ".join(names)
        return super().get_help_record(ctx)


def plot_option(what: str) -> Any:  # noqa: ANN401 - as `option`
    """Declare a field for the file of a plot; `what` is what it shows."""
    return option("--plot FILE", f"Draw {what} as .png, .svg or .pdf.")


def signature_option() -> Any:  # noqa: ANN401 - as `option`
    """Declare a field for how tables state the signature."""
    return option(
        "--signature HOW",
        "In tables: short (without defaults), long or none.",
        type=click.Choice(SIGNATURES),
    )


def purpose_option() -> Any:  # noqa: ANN401 - as `option`
    """Declare a field for what a plot is for; None if it was not typed."""
    return option(
        "--plot-for WHAT",
        "Draw it for screen (default) or paper (a PDF).",
        type=click.Choice(["screen", "paper"]),
    )


def every_option(what: str) -> Any:  # noqa: ANN401 - as `option`
    """Declare a field that is true if long lists are not shortened."""
    return flag("--all", f"Show all {what}, not only the first {SHOWN}.")


def format_option(result: str) -> Any:  # noqa: ANN401 - as `option`
    """Declare a field for --format, for one kind of results."""
    return option("--format NAME", cls=FormatOption, result=result)


class ReportOptions(OptionGroup):
    """How to show a report of scores, and where to write it."""

    section: ClassVar = "Output"
    conflicts: ClassVar = {
        Conflict.SCORE_ONLY: "format per_eval wide signature",
        Conflict.COUNTS: (
            f"format per_eval wide score_only {_LAYOUT} intervals ranks safe_cells plot"
            " plot_for bounds signature"
        ),
        Conflict.TOTALS: "per_eval",
        Conflict.CLASSIC: _LAYOUT,
        Conflict.UNROUNDED: "digits",
        Conflict.NO_TABLE: "signature",
        Conflict.JUNIT: "per_eval wide scale",
        Conflict.NO_EVALS_SHOWN: "wide",
        Conflict.NO_ROWS: "wide",
        Conflict.NO_CELLS: "safe_cells",
        Conflict.NO_SAMPLES: "intervals",
        Conflict.NOT_FOR_PAPERS: "intervals ranks",
    }
    format: str | None = format_option("scores")
    output: str | None = option(
        "-o --output FILE", "Write the report to FILE, whole or not at all."
    )
    per_eval: bool = flag("--per-eval", "Print a row per eval, system and metric.")
    wide: bool = flag(
        "--wide", "With --per-eval: a row per eval and system, a column per score."
    )
    score_only: str | None = option(
        "--score-only R2.F", "Print only this score, as a number."
    )
    baseline: str | None = option("--baseline SYSTEM", "Put this system first.")
    sort: bool = flag("--sort", "Order systems by the first column, the best first.")
    digits: int | None = option("--digits N", "Decimals in tables.", type=DIGITS)
    scale: str | None = option(
        "--scale", "Multiply scores (default 1; latex, markdown: 100).", type=SCALE
    )
    intervals: bool = flag("--intervals", "Show intervals in latex and markdown.")
    ranks: bool = flag("--ranks", "Show ranks in latex and markdown.")
    safe_cells: bool = flag(
        "--safe-cells", "In csv and tsv, let spreadsheets run no formula of a name."
    )
    signature: str | None = signature_option()
    bounds: Words = several(
        "--fail-under R2.F=MIN", "Exit with 3 if an average is lower; repeatable."
    )
    plot: str | None = plot_option("the averages")
    plot_for: str | None = purpose_option()


def form(options: ReportOptions) -> str:
    """Return the report's format: of --score-only, else as `chosen_format`."""
    if options.score_only:
        return SCORE_ONLY
    return chosen_format("scores", options.format, options.output)


_OF_TEXT = ("", "log", "out", "text", "txt")  # suffixes of files in the default format


def chosen_format(kind: str, name: str | None, path: str | None) -> str:
    """Return the format for results of a kind: the name, else by the file's suffix,
    else text.

    Args:
        kind: The kind of results.
        name: The format on the command line; None without --format.
        path: The output file.
    """
    _check_written(path)
    by_suffix = name is None
    if name is None:
        name = _format_of_file(_uncompressed(path or ""))
    if name == PARQUET and reports.renders("csv", kind):
        _check_parquet(path)
        return name
    if plugins.is_known(reports.__name__, name) and reports.renders(name, kind):
        is_shortened = reports.is_table(name) and not reports.is_for_papers(name, kind)
        Conflict.check({Conflict.EVERYTHING_SHOWN: not is_shortened})
        return name
    valid, other_names = reports.names_for(kind), plugins.other_names("report format")
    if name not in reports.names() and name not in plugins.others(reports.__name__):
        remedy = suggestion(name, valid, other_names)
        if by_suffix:
            remedy += "; or name the format by --format"
            if name == "part":
                remedy = "write a part of a run with --counts"
            raise UsageError(
                f"no report format has the suffix .{name}",
                where=str(path),
                remedy=remedy,
            )
        raise UsageError(f"unknown report format {name!r}", remedy=remedy)
    remedy = f"use one of {', '.join(valid)}"
    if by_suffix:
        remedy += " by --format, or another suffix"
    if name in other_names and kind in ("comparison", "scores"):
        remedy += f", or {other_names[name]}"
    if kind == "dialects" and reports.renders(name, "explanation"):
        remedy += (
            f", or leave --dialects out: {name} renders the explanation by one dialect"
        )
    what = f"report format {name!r} does not render results of this kind ({kind})"
    where = str(path) if by_suffix else ""
    raise UsageError(what, where=where, remedy=remedy)


def _format_of_file(path: str) -> str:
    """Return the format of a file by its suffix; an unknown suffix itself."""
    name = reports.of_file(path)
    if name:
        return name
    suffix = os.path.splitext(path)[1][1:].lower()
    return "text" if suffix in _OF_TEXT else suffix


def check_suffix(path: str | None, allowed: str, remedy: str) -> None:
    """Raise UsageError for an output file with the suffix of a compression, or of
    another format.
    """
    _check_uncompressed(path)
    suffix = os.path.splitext(path or "")[1][1:].lower()
    if suffix and suffix not in allowed.split():
        raise UsageError(
            f"the suffix .{suffix} is that of another format",
            where=str(path),
            remedy=remedy,
        )


def _uncompressed(path: str) -> str:
    """Return the path without the suffix of a compression."""
    return path[: len(path) - len(compression.compression(path))]


def _check_written(path: str | None) -> None:
    """Raise UsageError for the suffix of a compression that is not written."""
    suffix = compression.compression(path) if path else ""
    if suffix and suffix not in compression.WRITTEN:
        written = " or ".join(compression.WRITTEN)
        raise UsageError(
            f"{suffix} is read, but not written",
            where=str(path),
            remedy=f"name a {written}, or leave {suffix} out",
        )


def _check_parquet(path: str | None) -> None:
    """Raise UsageError unless parquet goes into a file that is not compressed again."""
    if not path or path == files.STDIN:
        raise UsageError("parquet is not text", remedy="name a file: -o FILE.parquet")
    suffix = compression.compression(path)
    if suffix:
        what = "parquet is compressed already"
        raise UsageError(what, where=path, remedy=f"leave {suffix} out")
    require("writing parquet needs", "pyarrow", extra="parquet")


def _check_uncompressed(path: str | None) -> None:
    suffix = compression.compression(path) if path else ""
    if suffix:
        raise UsageError(
            "this file is not compressed", where=str(path), remedy=f"leave {suffix} out"
        )


def check(options: ReportOptions, *, samples: int | None = None) -> None:
    """Raise UsageError for an unknown format, and for options without effect;
    `samples` is as typed.
    """
    name = form(options)
    for_papers = reports.is_for_papers(name, "scores") and not options.per_eval
    evals_alone = options.per_eval and not reports.constant(name, "EVALS_BESIDE")
    circumstances = {
        Conflict.SCORE_ONLY: name == SCORE_ONLY,
        Conflict.CLASSIC: name == "classic",
        Conflict.NO_TABLE: name != SCORE_ONLY and not reports.is_table(name),
        Conflict.UNROUNDED: name != SCORE_ONLY and not reports.is_table(name),
        Conflict.JUNIT: name == "junit",
        Conflict.NO_CELLS: name not in {"csv", "tsv"},
        Conflict.NO_EVALS_SHOWN: not options.per_eval,
        Conflict.NO_ROWS: not (
            name in {"jsonl", PARQUET} or reports.constant(name, "NEEDS") in _ROWS
        ),
        Conflict.NOT_FOR_PAPERS: not for_papers,
        Conflict.NO_INTERVALS: for_papers and not (options.intervals or options.plot),
        Conflict.EVALS_ALONE: evals_alone,
        Conflict.EVALS_RESAMPLED: evals_alone and samples,
    }
    Conflict.check(circumstances)


def check_targets(
    targets: Sequence[str | None],
    sources: Iterable[str] = (),
    folders: Iterable[str] = (),
) -> None:
    """Raise an error for outputs that are one file, that are also a source, that the
    next run would read as a text, or that are read-only.

    Args:
        targets: The files to be written; None and `-` are skipped.
        sources: The files that are read.
        folders: Folders whose files, and files of sub-folders, are all texts.
    """
    paths = [path for path in targets if path and path != files.STDIN]
    for path in paths:
        files.check_target(path)
    different = {os.path.realpath(path) for path in paths}
    if len(different) < len(paths):
        raise UsageError(
            "two outputs name the same file", remedy="name another for one of them"
        )
    existing = {}
    for path in paths:
        number = _number(path)
        if number:
            existing[number] = path
    for source in sources if existing else ():
        number = _number(source)
        if number in existing:
            raise UsageError(
                f"{existing[number]} is also an input", remedy="write to another file"
            )
    for folder in filter(os.path.isdir, folders):
        for path in paths:
            if _is_among_texts(path, folder):
                what = (
                    f"{path} is in {folder}, and the next run would read it as a text"
                )
                raise UsageError(what, remedy="write it outside of the folder")


def _is_among_texts(path: str, folder: str) -> bool:
    """Return True for a file in the folder or in a sub-folder, unless it is hidden."""
    parent = os.path.dirname(os.path.realpath(path))
    root = os.path.realpath(folder)
    names = [os.path.basename(path)]
    if parent != root:
        names.append(os.path.basename(parent))
        parent = os.path.dirname(parent)
    return parent == root and not any(name.startswith(".") for name in names)


def _number(path: str) -> tuple[int, ...]:
    """Return the device and number of a regular file, `-` for stdin; an empty tuple
    for anything else.
    """
    source = 0 if path == files.STDIN else path
    try:
        status = os.stat(source)
    except (OSError, ValueError):
        return ()
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else ()


def check_plot(
    plot: str | None,
    purpose: str | None,
    target: str | None,
    sources: Iterable[str] = (),
) -> None:
    """Check the files of a plot and of the report as `check_targets` does, and that
    plots can be drawn, for this purpose.
    """
    if purpose and not plot:
        raise UsageError(
            "--plot-for without --plot", remedy="leave it out, or add --plot FILE.pdf"
        )
    if plot:
        if plot.rpartition(".")[2].lower() not in PICTURES:
            remedy = f"end the name in .{', .'.join(PICTURES)}"
            raise UsageError(f"{plot}: unknown kind of picture", remedy=remedy)
        if purpose == "paper" and not plot.lower().endswith(".pdf"):
            raise UsageError(
                f"{plot}: --plot-for paper writes PDF", remedy="end the name in .pdf"
            )
        # Jupyter's may not be installed; it would fail the import.
        os.environ["MPLBACKEND"] = "agg"
        require("plots need", "matplotlib", "numpy", extra="plots")
    check_targets([plot, target], sources)


def write_plot(
    path: str | None,
    purpose: str | None,
    notify: Notify,
    result: Presentable,
    **layout: object,
) -> None:
    """Draw the result into the file of --plot, if there is one; matplotlib's
    warnings become notices.
    """
    if not path:
        return
    from rouge_cli.studies import plots

    kind = path.rpartition(".")[2].lower()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        data = plots.render(
            plots.draw(result, purpose=purpose or plots.SCREEN, **layout), kind
        )
    files.write_bytes(path, data)
    messages = []
    for warning in caught:
        if not issubclass(warning.category, UserWarning):
            continue
        message = str(warning.message)
        if message.startswith("Glyph "):
            message = "the font lacks letters of some names, which are drawn as boxes"
        messages.append(message)
    for message in dict.fromkeys(messages):
        notify(Notice(f"{path}: {message}"))


def show(
    report: Results,
    options: ReportOptions,
    notify: Notify,
    layout: LayoutFields,
) -> None:
    """Draw the report, and print it or write it to a file.

    Args:
        layout: What does not come from these options: the columns, the bounds of tests,
            and the level of the intervals as typed.
    """
    name = form(options)
    # As the table beside it, which has its own default in a format for papers
    scale = report.layout(name, **of_table(options.digits, options.scale)).scale
    drawn: LayoutFields = {"scale": scale, **layout}
    write_plot(
        options.plot,
        options.plot_for,
        notify,
        report,
        baseline=options.baseline,
        **drawn,
    )
    results = _ordered(report, name, options, layout["columns"])
    layout = {
        **of_table(options.digits, options.scale),
        **of_paper(intervals=options.intervals, ranks=options.ranks),
        **of_signature(options.signature),
        **layout,
    }
    if options.per_eval:
        layout["per_eval"] = True
    if options.wide:
        layout["wide"] = True
    if options.safe_cells:
        layout["safe_cells"] = True
    write_result(report._replace(results=results), name, options.output, layout)


def of_table(digits: int | None, scale: str | None = None) -> LayoutFields:
    """Return the layout that --digits and --scale set; one that is not typed leaves
    the field to the result's default.
    """
    layout: LayoutFields = {}
    if digits is not None:
        layout["digits"] = digits
    if scale is not None:
        layout["scale"] = float(scale)
    return layout


def of_signature(stated: str | None) -> LayoutFields:
    """Return the layout that --signature sets, as `of_table`."""
    layout: LayoutFields = {}
    if stated is not None:
        layout["signature"] = stated
    return layout


def of_paper(*, intervals: bool, ranks: bool) -> LayoutFields:
    """Return the layout that --intervals and --ranks set, as `of_table`."""
    layout: LayoutFields = {}
    if intervals:
        layout["intervals"] = True
    if ranks:
        layout["ranks"] = True
    return layout


def _ordered(
    report: Results,
    name: str,
    options: ReportOptions,
    columns: Sequence[tuple[str, str]],
) -> Sequence[Result]:
    """Return the results in the order in which a format shows them."""
    results = report.results
    if name == "classic":  # its readers expect the order of IDs
        results = sorted(results, key=lambda result: result.system)
    elif options.sort and columns:
        label, letter = columns[0]
        means = averages_of(report, label, letter)
        if means:
            results = sorted(results, key=lambda result: -means[result.system].value)
    if options.baseline:
        results = sorted(results, key=lambda result: result.system != options.baseline)
    return results


def write_result(
    result: Presentable,
    name: str,
    path: str | None,
    layout: LayoutFields | None = None,
    *,
    show_all: bool = False,
) -> None:
    """Render the result in a format, and print it or write it to a file.

    Args:
        path: The file; None for stdout.
        layout: The fields of the layout that the user set.
        show_all: True if long lists are not shortened.
    """
    fields: LayoutFields = {**(layout or {})}
    if show_all:
        fields["most"] = None
    if not path and sys.stdout is not None and sys.stdout.isatty():
        from shutil import get_terminal_size  # imports the compressions

        fields["terminal"] = True
        fields["width"] = get_terminal_size().columns
    layout_of_report = result.layout(name, **fields)
    if name == PARQUET:
        from rouge_cli.reports import parquet

        files.write_bytes(str(path), parquet.render(result, layout_of_report))
        return
    parts = reports.stream(result, name, layout_of_report)
    if layout_of_report.terminal and not reports.constant(name, "COLOURS"):
        parts = map(_without_controls, parts)
    write(parts, path)


def _without_controls(text: str) -> str:
    """Return the text of a machine's format for a terminal, which its names must not
    steer: all but tabs and line ends is escaped.
    """
    lines = [map(escape, line.split("\t")) for line in text.split("\n")]
    return "\n".join("\t".join(line) for line in lines)


def write(text: Iterable[str], output: str | None) -> None:
    """Write the parts of a text to stdout or to a file, compressed if its suffix says
    so; a file gets all of it or nothing.
    """
    if not output or output == files.STDIN:
        streams.emit(text)
        return
    suffix = compression.compression(output)
    if suffix in compression.WRITTEN:
        data = compression.compress(files.encoded(text), suffix, output)
        files.write_bytes(output, data)
    else:
        files.write(output, text)


def columns(
    report: Results,
    figures: Sequence[tuple[str, str]],
    dialect: str,
    baseline: str | None,
) -> Sequence[tuple[str, str]]:
    """Return the columns of a table, (label, measure): the requested ones, or the
    report's defaults.

    Args:
        figures: The requested labels, as typed, each with R, P, F or an empty string.
        dialect: The dialect, which parses the labels.
        baseline: A system that must be in the report, or None.
    """
    system_names.check([baseline], system_names.of_report(report))
    if not figures:
        return report.layout().columns
    requested = [
        (dialects.named(dialect).parse(label), measure) for label, measure in figures
    ]
    labels = list(dict.fromkeys(result.label for result in report.results))
    # Options may have extended labels (`ROUGE-1+Stemming`), but these keep their number
    # and their order.
    typed = dict.fromkeys(label for label, _ in requested)
    extended = {}
    if len(typed) == len(labels):
        extended = dict(zip(typed, labels, strict=True))
    chosen = []
    for label, measure in requested:
        present = label if label in labels else extended.get(label, "")
        if present.partition("+")[0] != label.partition("+")[0]:
            raise UsageError(
                f"no {label} in the report", remedy=suggestion(label, labels)
            )
        chosen.append((present, measure or "F"))
    return list(dict.fromkeys(chosen))


_SHARE, _NUMBER = r"0?\.[0-9]+|1(\.0*)?", r"[0-9]*\.?[0-9]+"


def gates(
    bounds: Sequence[str], dialect: str, labels: Collection[str]
) -> list[tuple[str, str, float]]:
    """Return the label, the measure and the lowest average of each `--fail-under`, as
    typed.

    Raises:
        UsageError: A bound cannot be read, or is of a metric that is not in the report.
    """
    parsed = []
    for bound in bounds:
        name, _, least = bound.rpartition("=")
        value = metrics.value(metrics.figure(name)[0])
        pattern = _SHARE if value is None or value.is_bounded else _NUMBER
        if not re.fullmatch(pattern, least) or not name:
            raise UsageError(
                f"--fail-under {bound}", remedy="write it as in R2.F=0.35, from 0 to 1"
            )
        label, letter = metrics.figure(name)
        label = dialects.named(dialect).parse(label)
        if label not in labels:
            raise UsageError(
                f"--fail-under {bound}: {label} is not scored",
                remedy="name it with -m, too",
            )
        parsed.append((label, letter or "F", float(least)))
    return parsed


def check_gates(result: Gated, layout: reports.Layout) -> None:
    """Raise FailedGate, with a line for each case of the result that fails."""
    below = []
    for system, _, message in result.cases(layout):
        if message:
            below.append(FailedGate(message, where=system))
    if below:
        raise combine(below)
