"""`rouge-cli compare`: is one system better than another, or is it chance."""

from __future__ import annotations

from typing import Any

import click

from rouge_cli.cli import compared, drawn, inputs, output, saved, scoring
from rouge_cli.errors import UsageError


@click.command("compare")
@inputs.options
@scoring.options(*saved.SCORING)
@click.option("--baseline", metavar="SYSTEM", help="Hold the others against it, not all against all.")
@click.option("--all-pairs", is_flag=True, help="All against all, as without --baseline.")
@click.option(
    "--trials", type=click.IntRange(1, 10_000_000), default=10_000, help="Of either test.  [default: 10000]"
)
@click.option("--correction", type=click.Choice(["none", "holm", "bh"]), default="holm", show_default=True)
@click.option(
    "--level", type=click.FloatRange(0, 1), default=0.05, help="Below it p tells apart.  [default: 0.05]"
)
@saved.options
@click.option("--all", "every", is_flag=True, help=f"Show all pairs, not only the first {compared.SHOWN}.")
@click.option("--plot", metavar="FILE", help="Ranked systems with intervals: png, svg or pdf.")
@click.option("--plot-matrix", metavar="FILE", help="All p-values: png, svg or pdf.")
def command(**given: Any) -> None:  # noqa: ANN401 - click's
    """Compare systems by their scores of the same evals, with p-values.

    INPUT is what score takes, or what `score --per-eval` saved as json, jsonl, csv or tsv.

    \b
    Example: rouge-cli compare scores.json --baseline lead -m ROUGE-2
    """  # noqa: D301 - click's mark for lines to be kept
    if given["baseline"] is not None and (given["all_pairs"] or given["plot_matrix"]):
        other = "--all-pairs" if given["all_pairs"] else "--plot-matrix, which shows all pairs,"
        raise UsageError(f"--baseline and {other} together", remedy="give one of them")
    plots = {path: drawn.kind(path) for path in (given["plot"], given["plot_matrix"]) if path}
    notices = scoring.Notices(quiet=given["quiet"])
    with scoring.told(notices):
        report, columns = saved.report(given, notices)
        from rouge_cli.compare import Plan, compare
        from rouge_cli.scoring import matrix

        systems = list(dict.fromkeys(result.peer_id for result in report.results))
        scoring.check_systems([given["baseline"]] if given["baseline"] is not None else [], systems)
        scores = matrix.of_report(report, columns, given["humans"], notices)
        plan = Plan(*(given[name] for name in Plan._fields))
        found = compare(scores, plan, notices)
    if plots:
        from rouge_cli import plots as drawing

        for name, draw in (("plot", drawing.forest), ("plot_matrix", drawing.matrix)):
            if given[name]:
                drawn.write(given[name], draw(found))
    form = saved.form(given)
    if form == "text":
        shown = compared.as_text(found, report.signature, None if given["every"] else compared.SHOWN)
    else:
        shown = (compared.as_json if form == "json" else compared.as_csv)(found, report.signature)
    output.write(shown, given["target"])
