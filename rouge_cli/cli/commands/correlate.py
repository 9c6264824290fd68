"""`rouge-cli correlate`: measure how well metrics agree with human scores."""

from __future__ import annotations

from typing import ClassVar

import click

from rouge_cli.cli import inputs, output, scoring, streams, study_scores
from rouge_cli.cli.option_groups import Conflict, OptionGroup, Words, argument, option, takes
from rouge_cli.errors import require
from rouge_cli.io import files
from rouge_cli.results.correlation import LEVELS, RESAMPLED, CorrelationPlan


class CorrelateOptions(OptionGroup):
    """How to correlate the scores of metrics and of people."""

    conflicts: ClassVar = {Conflict.NO_BOOTSTRAP: "over"}
    levels: Words = study_scores.levels("Only this level: system, summary, pooled; repeatable.", LEVELS)
    over: str = study_scores.one_of(
        "--over WHAT", "Resample evals, systems or both (default).", RESAMPLED, "both"
    )
    samples: int = study_scores.samples("--samples N", "Bootstrap samples (default 1000); 0 for none.")
    format: str | None = output.format_option("correlation")
    plot: str | None = option("--plot FILE", "Draw the correlations as .png, .svg or .pdf.")


class JudgedOptions(study_scores.HumanOptions):
    """The file of human scores, the last argument, and how to read it."""

    human: str = argument(metavar="HUMAN")


@click.command("correlate")
@takes(
    CorrelateOptions,
    study_scores.StudyOptions,
    inputs.InputOptions,
    JudgedOptions,
    scoring.ReferenceOptions,
)
def command(
    options: CorrelateOptions,
    study: study_scores.StudyOptions,
    texts: inputs.InputOptions,
    judged: JudgedOptions,
    scored: scoring.ReferenceOptions,
) -> None:
    """Correlate metrics with human scores.

    The coefficients are Pearson's, Spearman's and Kendall's. INPUT is any input of `score`, or the output
    of `score --per-eval`. HUMAN is a file with columns eval, system and scores: csv, tsv, json, jsonl, or
    a table separated by white space, as in AESOP.

    \b
    Example: rouge-cli correlate scores.json human.csv -m ROUGE-2.R
    """  # noqa: D301 - click's mark for lines to be kept
    files.check_stdin([*texts.paths, *texts.predictions, *texts.references, judged.human])
    form = output.chosen_format("correlation", options.format, study.output)
    Conflict.check(
        {
            Conflict.NO_BOOTSTRAP: not options.samples,
            Conflict.NO_EVALS_DRAWN: options.over == "systems",
            Conflict.NO_CLUSTER: study.cluster is None,
        }
    )
    output.check_plot(options.plot, study.output)
    require("correlations need", "numpy", "scipy", extra="stats")
    with streams.Notices(quiet=scored.quiet) as notices:
        columns = (texts.id_column, texts.system_column) if study_scores.are_saved(texts) else ()
        measures = judged.read(judged.human, texts.encoding, *columns)
        signed, scores = study_scores.of_evals(
            texts, scored, study, notices, plot=options.plot, human=judged.human
        )
        from rouge_cli.studies.correlation import correlate

        plan = study_scores.settings(CorrelationPlan, options, study)
        watch = scoring.watch(quiet=scored.quiet, noun="pairs of measures")
        correlations = correlate(scores, measures, plan, notices, watch)._replace(signature=signed)
        output.write_plot(options.plot, notices, correlations)
        output.write_result(correlations, form, study.output)
