"""`rouge-cli correlate`: measure how well metrics agree with human scores."""

from __future__ import annotations

from typing import ClassVar

import click

from rouge_cli.cli import output, scoring, streams, study_scores
from rouge_cli.cli.option_groups import Conflict, OptionGroup, Words, argument, flag, option, several, takes
from rouge_cli.errors import require
from rouge_cli.io import files
from rouge_cli.results.correlation import LEVELS, RESAMPLED, CorrelationPlan


class CorrelateOptions(OptionGroup):
    """The scores of metrics and of people, and how to correlate them."""

    conflicts: ClassVar = {Conflict.NO_BOOTSTRAP: "over"}
    scores: str = argument(metavar="SCORES")
    human: str = argument(metavar="HUMAN")
    metrics: Words = several("-m --metric LABEL[.RPF]", "Only this metric; repeatable.")
    systems: Words = several("--system NAME", "Only this system; repeatable.")
    renames: Words = several("--rename OLD=NEW", "Rename a system; repeatable.")
    measures: Words = several("--human-score NAME", "Column of scores in HUMAN; repeatable.")
    id_column: str | None = option("--id-column NAME", "Column of eval IDs in HUMAN.")
    system_column: str | None = option("--system-column NAME", "Column of system names in HUMAN.")
    encoding: str = option("--encoding NAME", "Encoding of HUMAN (default UTF-8).", default="utf-8")
    levels: Words = study_scores.levels("Only this level: system, summary, pooled; repeatable.", LEVELS)
    over: str = study_scores.one_of(
        "--over WHAT", "Resample evals, systems or both (default).", RESAMPLED, "both"
    )
    samples: int = study_scores.samples("--samples N", "Bootstrap samples (default 1000); 0 for none.")
    quiet: bool = flag("--quiet", "Print no warnings.")
    format: str | None = output.format_option("correlation")
    plot: str | None = option("--plot FILE", "Draw the correlations as .png, .svg or .pdf.")


@click.command("correlate")
@takes(CorrelateOptions, study_scores.StudyOptions)
def command(options: CorrelateOptions, study: study_scores.StudyOptions) -> None:
    """Correlate metrics with human scores.

    The coefficients are Pearson's, Spearman's and Kendall's. SCORES is the output of `score --per-eval`.
    HUMAN is a file with columns eval, system and scores: csv, tsv, json, jsonl, or a table separated by
    white space, as in AESOP.

    \b
    Example: rouge-cli correlate scores.json human.csv -m ROUGE-2.R
    """  # noqa: D301 - click's mark for lines to be kept
    files.check_stdin([options.scores, options.human])
    form = output.chosen_format("correlation", options.format, study.output)
    Conflict.check(
        {
            Conflict.NO_BOOTSTRAP: not options.samples,
            Conflict.NO_EVALS_DRAWN: options.over == "systems",
            Conflict.NO_CLUSTER: study.cluster is None,
        }
    )
    output.check_plot(options.plot, study.output, [options.scores, options.human])
    require("correlations need", "numpy", "scipy", extra="stats")
    with streams.Notices(quiet=options.quiet) as notices:
        requested = study_scores.requested(options.metrics)
        report = study_scores.read_saved([options.scores], options.systems, options.renames, notices)
        from rouge_cli.studies import selection
        from rouge_cli.studies.correlation import correlate
        from rouge_cli.tasks import judgements

        measures = judgements.read(
            options.human,
            options.measures,
            id_column=options.id_column,
            system_column=options.system_column,
            encoding=options.encoding,
        )
        plan = study_scores.settings(CorrelationPlan, options, study)
        clusters = study_scores.clusters(study, [options.scores], None, None)
        columns = report, requested
        scores = selection.matrices(columns, study.measure, study.humans, notices, clusters=clusters)
        watch = scoring.watch(quiet=options.quiet, noun="pairs of measures")
        correlations = correlate(scores, measures, plan, notices, watch)
        output.write_plot(options.plot, notices, correlations)
        output.write_result(correlations._replace(signature=report.signature), form, study.output)
