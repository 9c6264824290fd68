"""`rouge-cli compare`: is one system better than another, or is it chance."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from rouge_cli import reports
from rouge_cli.cli import applicability, drawn, inputs, output, saved, scoring
from rouge_cli.cli.declared import Option, declare
from rouge_cli.results.comparison import METHODS

if TYPE_CHECKING:
    from collections.abc import Sequence


# In the order of the help text; each has one line.
OPTIONS: Sequence[Option] = (
    (("--baseline",), {"metavar": "SYSTEM", "help": "Hold the others against it, and not all pairs."}),
    (("--all-pairs",), {"is_flag": True, "help": "All against all, as without --baseline."}),
    (("--trials",), {
        "type": click.IntRange(1, 1_000_000), "default": 10_000, "metavar": "N",
        "help": "Of either test; 10000 by default."}),
    (("--correction",), {
        "type": click.Choice(list(METHODS)), "default": "holm", "metavar": "NAME",
        "help": "Over all tests: holm (default), bh, none."}),
    (("--level",), {
        "type": click.FloatRange(0, 1, min_open=True), "default": 0.05, "callback": saved.number,
        "metavar": "P", "help": "Below it p tells apart; 0.05 by default."}),
    (("--all", "every"), {"is_flag": True, "help": f"Show all pairs, not the first {output.SHOWN}."}),
    (("--plot",), {"metavar": "FILE", "help": "Draw the ranking as .png, .svg or .pdf."}),
    (("--plot-matrix",), {"metavar": "FILE", "help": "Draw all p-values."}),
)  # fmt: skip


@click.command("compare")
@partial(declare, options=OPTIONS)
@saved.options
@output.format_option("comparison")
@inputs.options
@scoring.options(*saved.SCORING)
def command(**given: Any) -> None:  # noqa: ANN401 - click's
    """Compare systems by their scores of the same evals, with p-values.

    INPUT is what score takes, or what `score --per-eval` saved as json, jsonl, csv or tsv.

    \b
    Example: rouge-cli compare scores.json --baseline lead -m ROUGE-2
    """  # noqa: D301 - click's mark for lines to be kept
    form = output.chosen_format("comparison", given["form"], given["target"])
    applicability.check(
        "baseline" if given["baseline"] is not None else "",
        "" if reports.is_table(form) else "everything shown",
        "people not marked" if not reports.is_complete(form) and not given["plot"] else "",
    )
    drawn.check([given["plot"], given["plot_matrix"]], given["target"])
    notices = scoring.Notices(quiet=given["quiet"])
    with notices:
        report, columns = saved.report(given, notices)
        from rouge_cli.results.comparison import Plan
        from rouge_cli.scoring import matrix
        from rouge_cli.studies.compare import compare

        systems = list(dict.fromkeys(result.peer_id for result in report.results))
        scoring.check_systems([given["baseline"]] if given["baseline"] is not None else [], systems)
        scores = matrix.of_report(report, columns, given["humans"], notices)
        plan = Plan(*(given[name] for name in Plan._fields))
        watch = scoring.watch(quiet=given["quiet"], noun="steps of tests") or iter
        found = compare(scores, plan, notices, watch)
        for name, draw in (("plot", "forest"), ("plot_matrix", "matrix")):
            if given[name]:
                drawn.write(given[name], draw, found, notices)
    found = found._replace(signature=report.signature)
    layout = reports.Layout(most=None if given["every"] else output.SHOWN)
    output.write_result(found, form, layout, given["target"])
