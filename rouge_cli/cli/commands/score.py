"""`rouge-cli score`: score predictions against references."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import click

from rouge_cli import reports
from rouge_cli.cli import by_language, inputs, locks, output, scoring, streams
from rouge_cli.cli.inputs import InputOptions
from rouge_cli.cli.option_groups import Conflict, OptionGroup, flag, named, option
from rouge_cli.cli.output import ReportOptions
from rouge_cli.cli.scoring import RunOptions
from rouge_cli.cli.source_options import BesideOptions
from rouge_cli.io import files, urls
from rouge_cli.io.users_files import users_files
from rouge_cli.results.base import dump
from rouge_cli.runs import assembly, part_lines, totals

if TYPE_CHECKING:
    from rouge_cli.results.base import LayoutFields

SECTION = "Score"


class ScoreOptions(OptionGroup):
    """How to divide the work, and outputs besides the report."""

    section: ClassVar = "Output"
    conflicts: ClassVar = {
        Conflict.STDOUT: "depfile",
        Conflict.SCHEDULER: "jobs",
        Conflict.COUNTS: "lock",
        Conflict.STDIN: "lock",
        Conflict.LANGUAGE_COLUMN: "counts lock scheduler totals",
        Conflict.TOTALS: "lock",
    }
    language_column: str | None = option(
        "--language-column NAME", "Column of the evals' languages."
    )
    depfile: str | None = option(
        "--depfile FILE", "Write a make rule: -o depends on all files read."
    )
    lock: str | None = option("--lock FILE", "Write digests and scores for `verify`.")
    jobs: int = scoring.jobs_option()
    scheduler: str | None = option(
        "--scheduler ADDRESS", "Run on a Dask scheduler; `local` starts one."
    )
    counts: bool = flag("--counts", "Write counts for `rouge-cli merge`, no report.")
    totals: bool = flag(
        "--totals", "Keep sums only: kilobytes, for any number of evals."
    )


@named("score")
def command(
    texts: InputOptions,
    beside: BesideOptions,
    scored: RunOptions,
    shown: ReportOptions,
    options: ScoreOptions,
) -> None:
    """\b
    Score predictions against references.
    INPUT is settings XML, a file list, JSON or a table; - is stdin.
    An eval is what is scored together: one topic or document.
    Example: rouge-cli score --pred a.txt --pred b.txt --ref gold.txt -m R1,R2
    """  # noqa: D301, D415 - the help fits a screen; click's mark for lines to be kept
    Conflict.check(
        {
            Conflict.COUNTS: options.counts,
            Conflict.TOTALS: options.totals,
            Conflict.STDIN: any(map(files.is_pipe, texts.all_paths)),
            Conflict.STDOUT: shown.output in {None, files.STDIN},
            Conflict.SCHEDULER: options.scheduler,
            Conflict.LANGUAGE_COLUMN: options.language_column,
        }
    )
    # Parts may have any suffix.
    output.check(
        shown.replace(format="text") if options.counts else shown,
        samples=scored.samples,
    )
    output.check_plot(shown.plot, shown.plot_for, shown.output)
    if beside.lengths and not options.counts:
        for_papers = reports.is_for_papers(output.form(shown), "scores")
        Conflict.check({Conflict.LENGTHS_FOR_PAPERS: for_papers})
    if shown.score_only:
        scored = scored.replace(metrics=(shown.score_only,))
    request = scoring.request(scored)
    if beside.lengths:
        request = scoring.with_lengths(request)
    with streams.Notices(quiet=request.quiet) as notices:
        source = inputs.read(
            texts,
            notices,
            request.expected,
            source=beside.source,
            remembers_ids=not options.totals,
        )
        run = scoring.run(request, source.systems)
        beside.check(run.averages)
        if options.totals:
            run = assembly.keeping_totals(run)
        bounds = output.gates(shown.bounds, request.dialect, run.averages.labels)
        Conflict.check({Conflict.NO_SAMPLES: run.options.get("samples") == 0})
        paths = [*source.paths(), *users_files(run.options)]
        output.check_targets(
            [shown.output, shown.plot, options.depfile, options.lock],
            paths,
            texts.folders,
        )
        if not options.language_column:
            run, collected = scoring.score_inputs(
                run, source, request, notices, options.jobs, options.scheduler
            )
        if options.depfile:
            named = [
                path
                for path in paths
                if path != files.STDIN and not urls.is_url(path)  # make has no URLs
            ]
            output.write(inputs.depfile(str(shown.output), named), options.depfile)
        if options.counts:
            totals.check_distinct(collected)
            options_of_run = {**run.options, **run.reading}
            lines = part_lines.lines(run.dialect, options_of_run, collected)
            assembly.remark_sample(run, collected, notices)
            output.write("".join(lines), shown.output)
        else:
            if options.language_column:
                column = by_language.LanguageColumn(
                    options.language_column,
                    texts.id_column,
                    options.jobs,
                    apart=not shown.per_eval,
                    lengths=beside.lengths,
                )
                report = by_language.score(column, scored, source, notices)
            else:
                report = assembly.make_report(run, collected, notices)
            columns = output.columns(
                report, request.columns, request.dialect, shown.baseline
            )
            # Before the report: if it cannot be written, no numbers are printed
            if options.lock:
                words = click.get_current_context().meta["words"]
                lock = locks.of_report(report, words, paths)
                output.write(dump(lock, 2) + "\n", options.lock)
            layout: LayoutFields = {
                "columns": columns,
                "bounds": bounds,
                "confidence": request.confidence,
                "lengths": beside.lengths,
            }
            output.show(report, shown, notices, layout)
    if bounds:
        output.check_gates(report, reports.Layout(bounds=bounds))
