"""`rouge-cli score`: score predictions and print a report."""

from __future__ import annotations

from itertools import chain
from typing import ClassVar

import click

from rouge_cli.cli import inputs, output, scoring
from rouge_cli.cli.inputs import InputOptions
from rouge_cli.cli.notices import Notices
from rouge_cli.cli.option_groups import Conflict, OptionGroup, flag, option, takes
from rouge_cli.cli.output import ReportOptions
from rouge_cli.cli.scoring import RunOptions
from rouge_cli.io import files
from rouge_cli.options import users_files
from rouge_cli.runs import assembly


class ScoreOptions(OptionGroup):
    """How to divide the work, and outputs besides the report."""

    section: ClassVar = "Output"
    conflicts: ClassVar = {Conflict.STDOUT: "depfile", Conflict.SCHEDULER: "jobs"}
    depfile: str | None = option("--depfile FILE", "Write a make rule: -o depends on all files read.")
    jobs: int = scoring.jobs_option()
    scheduler: str | None = option("--scheduler ADDRESS", "Run on a Dask scheduler; `local` starts one.")
    counts: bool = flag("--counts", "Write counts for `rouge-cli merge`, no report.")


@click.command("score")
@takes(InputOptions, RunOptions, ReportOptions, ScoreOptions)
def command(texts: InputOptions, scored: RunOptions, shown: ReportOptions, options: ScoreOptions) -> None:
    """\b
    Score predictions against references.
    INPUT is settings XML, a file list, JSON or a table; - is stdin.
    An eval is what is scored together: one topic or document.
    Example: rouge-cli score --pred a.txt --pred b.txt --ref gold.txt -m R1,R2
    """  # noqa: D205, D301, D415 - the help fits a screen; click's mark for lines to be kept
    Conflict.check(
        {
            Conflict.COUNTS: options.counts,
            Conflict.STDOUT: shown.output in {None, files.STDIN},
            Conflict.SCHEDULER: options.scheduler,
        }
    )
    # Parts may have any suffix.
    output.check(shown.replace(format="text") if options.counts else shown, samples=scored.samples)
    output.check_plot(shown.plot, shown.output)
    if shown.score_only:
        scored = scored.replace(metrics=(shown.score_only,))
    request = scoring.request(scored)
    with Notices(quiet=request.quiet) as notices:
        source = inputs.read(texts, notices, request.expected)
        run = scoring.run(request, source.systems)
        bounds = output.gates(shown.bounds, request.dialect, run.averages.labels)
        Conflict.check({Conflict.NO_SAMPLES: run.options.get("samples") == 0})
        sources = chain(source.paths(), users_files(run.options))
        output.check_targets([shown.output, shown.plot, options.depfile], sources)
        run, collected = scoring.score_inputs(
            run, source, request, notices, options.jobs, options.scheduler
        )
        if options.counts:
            from rouge_cli.runs import parts

            lines = parts.lines(run.dialect, {**run.options, **run.reading}, collected)
            output.write("".join(lines), shown.output)
        else:
            report = assembly.make_report(run, collected, notices)
            columns = output.columns(report, request.columns, request.dialect, shown.baseline)
            if shown.plot:
                from rouge_cli.studies.plots import draw_scores, render

                contents = report, columns, float(shown.scale or 1), request.confidence, shown.baseline
                output.write_plot(shown.plot, notices, render, draw_scores, *contents)
            output.show(report, shown, columns, request.confidence)
        if options.depfile:
            paths = (path for path in source.paths() if path != files.STDIN)
            files.write(
                options.depfile, inputs.depfile(str(shown.output), [*paths, *users_files(run.options)])
            )
    if bounds:
        output.check_gates(report, bounds)
