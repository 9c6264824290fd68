"""`rouge-cli plan`: how many evals a comparison needs, and how stable its ranking is."""

from __future__ import annotations

from typing import ClassVar

import click

from rouge_cli import reports
from rouge_cli.cli import inputs, output, scoring, streams, study_scores
from rouge_cli.cli.option_groups import TRIALS, Conflict, OptionGroup, flag, option, takes
from rouge_cli.errors import require
from rouge_cli.results.base import SHOWN
from rouge_cli.results.comparison import Goal


class PlanOptions(OptionGroup):
    """The difference to find, and the output."""

    conflicts: ClassVar = {Conflict.EVERYTHING_SHOWN: "every"}
    detect: float = study_scores.real(
        "--detect POINTS",
        "Difference to find, in 0.01 of a score (default 1).",
        1.0,
        click.FloatRange(0, min_open=True),
    )
    power: float = study_scores.share("--power P", "Probability of finding it (default 0.8).", 0.8)
    level: float = study_scores.share("--level P", "Significance level (default 0.05).", 0.05)
    baseline: str | None = option("--baseline SYSTEM", "Compare only with this system, not all pairs.")
    trials: int = option("--trials N", "Subsets of each size (default 1000).", default=1000, type=TRIALS)
    every: bool = flag("--all", f"Show all pairs, not only the first {SHOWN}.")
    format: str | None = output.format_option("plan")
    plot: str | None = option("--plot FILE", "Draw the stability as .png, .svg or .pdf.")


@click.command("plan")
@takes(PlanOptions, study_scores.DrawOptions, inputs.InputOptions, scoring.EvalOptions)
def command(
    options: PlanOptions,
    study: study_scores.DrawOptions,
    texts: inputs.InputOptions,
    scored: scoring.EvalOptions,
) -> None:
    """Print how many evals show a difference.

    \b
    INPUT is any input of `score`, or the output of `score --per-eval`.
    Example: rouge-cli plan scores.json -m ROUGE-2 --detect 0.5
    """  # noqa: D301 - click's mark for lines to be kept
    form = output.chosen_format("plan", options.format, study.output)
    Conflict.check(
        {
            Conflict.EVERYTHING_SHOWN: not reports.is_table(form),
            Conflict.NO_CLUSTER: study.cluster is None,
        }
    )
    output.check_plot(options.plot, study.output)
    require("plans need", "numpy", extra="stats")
    with streams.Notices(quiet=scored.quiet) as notices:
        signed, scores = study_scores.of_evals(
            texts, scored, study, notices, plot=options.plot, baseline=options.baseline
        )
        from rouge_cli.studies.significance import plan_comparison

        goal = study_scores.settings(Goal, options, study)
        planning = plan_comparison(scores, goal, notices)._replace(signature=signed)
        output.write_plot(options.plot, notices, planning)
        output.write_result(planning, form, study.output, every=options.every)
