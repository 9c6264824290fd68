"""`rouge-cli plan`: print how many evals show a difference."""

from typing import ClassVar

import click

from rouge_cli.cli import option_groups, output, streams, study_scores
from rouge_cli.cli.inputs import InputOptions
from rouge_cli.cli.option_groups import Conflict, named, option
from rouge_cli.cli.scoring import EvalOptions
from rouge_cli.cli.source_options import SourceOptions
from rouge_cli.cli.study_scores import DrawOptions, SignificanceOptions, setting
from rouge_cli.errors import require
from rouge_cli.results.planning import Assumption, Goal

SECTION = "Study"


class PlanOptions(SignificanceOptions):
    """The difference to find, and the output."""

    conflicts: ClassVar = {Conflict.EVERYTHING_SHOWN: "every"}
    sd: float | None = option(
        "--sd POINTS",
        "Plan without INPUT, for this SD of differences.",
        type=click.FloatRange(0, min_open=True),
        callback=study_scores.finite,
    )
    detect: float = setting("--detect POINTS", Goal, "detect")
    power: float = setting("--power P", Goal, "power")
    baseline: str | None = study_scores.baseline_option()
    trials: int = setting("--trials N", Goal, "trials")
    every: bool = output.every_option("pairs")
    format: str | None = output.format_option("plan")
    plot: str | None = output.plot_option("the stability")
    plot_for: str | None = output.purpose_option()


@named("plan")
def command(
    options: PlanOptions,
    study: DrawOptions,
    texts: InputOptions,
    sources: SourceOptions,
    scored: EvalOptions,
) -> None:
    """Print how many evals show a difference.

    INPUT is any input of `score`, or the output of `score --per-eval`. Without INPUT,
    name the standard deviation of the differences of two systems in single evals.

    Example: rouge-cli plan scores.json -m ROUGE-2 --detect 0.5
             rouge-cli plan --sd 12 --detect 1
    """
    if options.sd is not None:
        _plan_without_data(options, study.output)
        return
    study_scores.check_alpha(scored, "--significance", has_power=True)
    form = output.chosen_format("plan", options.format, study.output)
    output.check_plot(options.plot, options.plot_for, study.output)
    level = options.p
    require("plans need", "numpy", extra="stats")
    with streams.Notices(quiet=scored.quiet) as notices:
        signed, scores = study_scores.of_evals(
            texts,
            scored,
            study,
            notices,
            sources,
            plot=options.plot,
            baseline=options.baseline,
        )
        from rouge_cli.studies import planning

        goal = Goal(
            detect=options.detect,
            power=options.power,
            level=level,
            baseline=options.baseline,
            trials=options.trials,
            seed=study.seed,
        )
        planned = planning.plan_comparison(scores, goal, notices)
        planned = planned._replace(signature=signed)
        output.write_plot(options.plot, options.plot_for, notices, planned)
        output.write_result(planned, form, study.output, show_all=options.every)


_WITHOUT_DATA = {
    *("sd", "detect", "power", "significance", "level", "format", "output", "quiet")
}


def _plan_without_data(options: PlanOptions, path: str | None) -> None:
    """Print the evals that a difference needs, if differences vary as assumed."""
    option_groups.check_no_others(_WITHOUT_DATA, "with --sd, which plans without data")
    form = output.chosen_format("plan", options.format, path)
    output.check_targets([path])
    goal = Assumption(
        sd=float(options.sd or 0),
        detect=options.detect,
        power=options.power,
        level=options.p,
    )
    require("plans need", "numpy", extra="stats")
    from rouge_cli.studies import planning

    output.write_result(planning.plan_without_data(goal), form, path)
