"""`rouge-cli correlate`: measure whether a metric agrees with people."""

from __future__ import annotations

from dataclasses import dataclass

import click

from rouge_cli import files
from rouge_cli.cli import applicability, drawn, output, saved, scoring
from rouge_cli.cli.declared import argument, option, takes
from rouge_cli.cli.saved import Selection, StudyOptions
from rouge_cli.errors import UsageError, require
from rouge_cli.reports import Layout


@dataclass(frozen=True, slots=True)
class CorrelateOptions:
    """The scores, the judgements, and what is correlated."""

    scores: str = argument(metavar="SCORES")
    human: str = argument(metavar="HUMAN")
    metrics: tuple[str, ...] = option(
        "-m", "--metric", default=(), metavar="LABEL[.RPF]", help="Only this metric; repeatable."
    )
    systems: tuple[str, ...] = option(
        "--system", default=(), metavar="NAME", help="Only this system; repeatable."
    )
    renames: tuple[str, ...] = option(
        "--rename", default=(), metavar="OLD=NEW", help="Rename a system; repeatable."
    )
    measures: tuple[str, ...] = option(
        "--human-score", default=(), metavar="NAME", help="Column of scores in HUMAN; repeatable."
    )
    id_column: str | None = option("--id-column", metavar="NAME", help="Column of evals in HUMAN.")
    system_column: str | None = option(
        "--system-column", metavar="NAME", help="Column of systems in HUMAN."
    )
    encoding: str = option(
        "--encoding", default="utf-8", metavar="NAME", help="Encoding of HUMAN (default UTF-8)."
    )
    levels: tuple[str, ...] = option(
        "--level",
        default=(),
        type=click.Choice(["system", "summary", "pooled"]),
        help="Only this level; repeatable.",
    )
    over: str = option(
        "--over",
        default="both",
        type=click.Choice(["evals", "systems", "both"]),
        show_default=True,
        help="What the bootstrap draws.",
    )
    samples: int = option(
        "--samples",
        default=1000,
        type=click.IntRange(0, 1_000_000),
        help="Bootstrap samples; 0 for none.  [default: 1000]",
    )
    quiet: bool = option("--quiet", default=False, help="Print no notices on stderr.")
    format: str | None = output.format_option("correlation")
    plot: str | None = option(
        "--plot", metavar="FILE", help="Draw metrics against human scores: .png, .svg or .pdf."
    )


@click.command("correlate")
@takes(CorrelateOptions, StudyOptions)
def command(options: CorrelateOptions, study: StudyOptions) -> None:
    """Correlate metrics with human scores: Pearson, Spearman, Kendall.

    SCORES is the output of `score --per-eval`. HUMAN has columns eval, system and scores: csv, tsv, json,
    jsonl, or a table separated by white space, as in AESOP.

    \b
    Example: rouge-cli correlate scores.json human.csv -m ROUGE-2.R
    """  # noqa: D301 - click's mark for lines to be kept
    if options.scores == options.human == files.STDIN:
        raise UsageError("stdin can be read only once", remedy="use a file for one of the two")
    form = output.chosen_format("correlation", options.format, study.output)
    applicability.check("" if options.samples else "no bootstrap")
    drawn.check([options.plot], study.output)
    output.check_targets([study.output, options.plot], [options.scores, options.human])
    wanted = Selection(options.metrics, study.measure, options.systems, options.renames, study.humans)
    require("correlations need", "numpy", "scipy", extra="stats")
    notices = scoring.Notices(quiet=options.quiet)
    with notices:
        report, columns = saved.of_file(options.scores, wanted, notices)
        from rouge_cli.results.correlation import Plan
        from rouge_cli.scoring import matrix
        from rouge_cli.studies.correlate import correlate
        from rouge_cli.tasks import judgements

        measures = judgements.read(
            options.human,
            options.measures,
            id_column=options.id_column,
            system_column=options.system_column,
            encoding=options.encoding,
        )
        plan = Plan(
            levels=options.levels or Plan().levels,
            over=options.over,
            samples=options.samples,
            seed=study.seed,
            confidence=study.confidence,
        )
        scores = matrix.of_report(report, columns, study.humans, notices)
        correlations = correlate(scores, measures, plan, notices)
        if options.plot:
            drawn.write(options.plot, "scatter", notices, correlations)
    output.write_result(correlations._replace(signature=report.signature), form, Layout(), study.output)
