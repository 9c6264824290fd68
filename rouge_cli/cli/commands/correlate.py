"""`rouge-cli correlate`: does a metric agree with people."""

from __future__ import annotations

from typing import Any

import click

from rouge_cli import files
from rouge_cli.cli import applicability, drawn, output, saved, scoring
from rouge_cli.errors import UsageError
from rouge_cli.reports import Layout


@click.command("correlate")
@click.argument("scores", metavar="SCORES")
@click.argument("human", metavar="HUMAN")
@click.option("-m", "--metric", "metrics", multiple=True, metavar="LABEL[.RPF]", help="Only these; repeat.")
@click.option("--system", multiple=True, metavar="NAME", help="Only these systems.")
@click.option("--rename", multiple=True, metavar="OLD=NEW", help="Another name for a system; repeat.")
@click.option("--human-score", "measures", multiple=True, metavar="NAME", help="HUMAN's columns of scores.")
@click.option("--id-column", metavar="NAME", help="HUMAN's column of evals.")
@click.option("--system-column", metavar="NAME", help="HUMAN's column of systems.")
@click.option("--encoding", default="utf-8", metavar="NAME", help="Of HUMAN, if it is not UTF-8.")
@click.option(
    "--level",
    "levels",
    type=click.Choice(["system", "summary", "pooled"]),
    multiple=True,
    help="Only these levels.",
)
@click.option(
    "--over", type=click.Choice(["evals", "systems", "both"]), default="both", show_default=True,
    help="What the bootstrap draws.",
)  # fmt: skip
@click.option(
    "--samples",
    type=click.IntRange(0, 1_000_000),
    default=1000,
    help="Of the bootstrap; 0 for none.  [default: 1000]",
)
@saved.options
@output.format_option("correlation")
@click.option("--quiet", is_flag=True, help="No notices on stderr.")
@click.option("--plot", metavar="FILE", help="Metric against human scores: png, svg or pdf.")
def command(**given: Any) -> None:  # noqa: ANN401 - click's
    """Correlate metrics with human scores: Pearson, Spearman, Kendall.

    SCORES is what `score --per-eval` saved. HUMAN has columns eval, system and scores: csv, tsv, jsonl, or
    a table of white space as AESOP's.

    \b
    Example: rouge-cli correlate scores.json human.csv -m ROUGE-2.R
    """  # noqa: D301 - click's mark for lines to be kept
    if given["scores"] == given["human"] == files.STDIN:
        raise UsageError("stdin can be read once", remedy="give one of the two as a file")
    form = output.chosen_format("correlation", given["form"], given["target"])
    applicability.check("" if given["samples"] else "no bootstrap")
    drawn.check([given["plot"]], given["target"])
    output.check_targets(saved.targets(given), [given["scores"], given["human"]])
    notices = scoring.Notices(quiet=given["quiet"])
    with notices:
        report, columns = saved.of_file(given["scores"], given, notices)
        from rouge_cli.results.correlation import Plan
        from rouge_cli.scoring import matrix
        from rouge_cli.studies.correlate import correlate
        from rouge_cli.tasks import judgements

        measures = judgements.read(
            given["human"],
            given["measures"],
            id_column=given["id_column"],
            system_column=given["system_column"],
            encoding=given["encoding"],
        )
        plan = Plan(
            levels=given["levels"] or Plan().levels,
            **{name: given[name] for name in ("over", "samples", "seed", "confidence")},
        )
        scores = matrix.of_report(report, columns, given["humans"], notices)
        found = correlate(scores, measures, plan, notices)
        if given["plot"]:
            drawn.write(given["plot"], "scatter", found, notices)
    found = found._replace(signature=report.signature)
    output.write_result(found, form, Layout(), given["target"])
