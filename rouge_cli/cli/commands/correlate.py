"""`rouge-cli correlate`: correlate metrics with human scores."""

from typing import ClassVar

from rouge_cli import reports
from rouge_cli.cli import output, scoring, streams, study_scores
from rouge_cli.cli.inputs import InputOptions
from rouge_cli.cli.option_groups import Conflict, Words, argument, flag, named, option
from rouge_cli.cli.scoring import ReferenceOptions
from rouge_cli.cli.source_options import SourceOptions
from rouge_cli.cli.study_scores import HumanOptions, StudyOptions, setting
from rouge_cli.errors import UsageError, require
from rouge_cli.io import files
from rouge_cli.results.correlation import COEFFICIENTS, LEVELS, CorrelationPlan

SECTION = "Study"


class CorrelateOptions(HumanOptions):
    """The file of human scores, the last argument, and how to correlate."""

    conflicts: ClassVar = {
        Conflict.NO_BOOTSTRAP: "over",
        Conflict.NO_TABLE: "signature",
    }
    human: str | None = argument(metavar="HUMAN", required=False)
    human_file: str | None = option(
        "--human FILE", "Human scores, in place of HUMAN at the end."
    )
    levels: Words = study_scores.levels(CorrelationPlan, "--confidence")
    coefficients: Words = setting(
        "--coefficient NAME", CorrelationPlan, "coefficients", multiple=True, default=()
    )
    over: str = setting("--over WHAT", CorrelationPlan, "over")
    samples: int = setting("--samples N", CorrelationPlan, "samples")
    sort: bool = flag(
        "--sort", "Order metrics by the first coefficient, the best first."
    )
    format: str | None = output.format_option("correlation")
    signature: str | None = output.signature_option()
    plot: str | None = output.plot_option("the correlations")
    plot_for: str | None = output.purpose_option()


@named("correlate")
def command(
    study: StudyOptions,
    texts: InputOptions,
    sources: SourceOptions,
    options: CorrelateOptions,
    scored: ReferenceOptions,
) -> None:
    """Correlate metrics with human scores.

    The coefficients are Pearson's, Spearman's and Kendall's, or accuracies of pairs.
    INPUT is any input of `score`, or the output of `score --per-eval`. HUMAN is a file
    with columns eval, system and scores: csv, tsv, json, jsonl, or a table separated by
    white space, as in AESOP.

    Example: rouge-cli correlate scores.json human.csv -m ROUGE-2.R
    """
    human = options.human_file or options.human
    if human is None:
        raise UsageError(
            "no file of human scores", remedy="name it last, or by --human"
        )
    if options.human_file and options.human:
        texts = texts.replace(paths=(*texts.paths, options.human))
    files.check_stdin([*texts.all_paths, human])
    study_scores.check_alpha(scored, "--confidence")
    form = output.chosen_format("correlation", options.format, study.output)
    Conflict.check(
        {
            Conflict.NO_BOOTSTRAP: not options.samples,
            Conflict.NO_EVALS_DRAWN: options.over == "systems",
            Conflict.NO_TABLE: not reports.is_table(form),
        }
    )
    output.check_plot(options.plot, options.plot_for, study.output)
    require("correlations need", "numpy", "scipy", extra="stats")
    with streams.Notices(quiet=scored.quiet) as notices:
        # Beside saved scores, options that describe records are about this file.
        id_column = None
        system_column = None
        if study_scores.are_saved(texts):
            id_column = texts.id_column
            system_column = texts.system_column
        measures = options.read(
            human, texts.encoding, id_column, system_column, notices
        )
        signed, scores = study_scores.of_evals(
            texts,
            scored,
            study,
            notices,
            sources,
            plot=options.plot,
            human=human,
        )
        from rouge_cli.studies import correlation

        settings = CorrelationPlan(
            levels=options.levels or LEVELS,
            coefficients=options.coefficients or COEFFICIENTS,
            over=options.over,
            samples=options.samples,
            seed=study.seed,
            confidence=study.confidence,
        )
        watch = scoring.watch(quiet=scored.quiet, noun="pairs of measures")
        result = correlation.correlate(scores, measures, settings, notices, watch)
        if options.sort:
            result = result.ranked()
        result = result._replace(signature=signed)
        output.write_plot(options.plot, options.plot_for, notices, result)
        layout = output.of_signature(options.signature)
        output.write_result(result, form, study.output, layout)
