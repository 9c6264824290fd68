"""`rouge-cli compare`: test whether one system is better than another."""

from __future__ import annotations

import click

from rouge_cli import reports
from rouge_cli.cli import applicability, output, plots, scoring, study_scores
from rouge_cli.cli.inputs import InputOptions
from rouge_cli.cli.notices import Notices
from rouge_cli.cli.option_groups import OptionGroup, flag, option, takes
from rouge_cli.cli.scoring import EvalOptions
from rouge_cli.cli.study_scores import StudyOptions
from rouge_cli.errors import require
from rouge_cli.results.comparison import METHODS, Plan
from rouge_cli.tasks import systems


class CompareOptions(OptionGroup):
    """The tests, and the output."""

    baseline: str | None = option("--baseline SYSTEM", "Compare only with this system, not all pairs.")
    all_pairs: bool = flag("--all-pairs", "Compare all pairs (default without --baseline).")
    trials: int = option(
        "--trials N", "Trials per test (default 10000).", default=10_000, type=click.IntRange(1, 1_000_000)
    )
    correction: str = option(
        "--correction NAME",
        "Correction of p-values: holm (default), bh, none.",
        default="holm",
        type=click.Choice(list(METHODS)),
    )
    level: float = option(
        "--level P",
        "Significance level (default 0.05).",
        default=0.05,
        type=click.FloatRange(0, 1, min_open=True),
        callback=study_scores.number,
    )
    every: bool = flag("--all", f"Show all pairs, not the first {output.SHOWN}.")
    format: str | None = output.format_option("comparison")
    digits: int | None = option(
        "--digits N", "Decimals in latex and markdown.", type=click.IntRange(0, reports.MOST_DIGITS)
    )
    scale: str = option(
        "--scale",
        "Multiply scores there by this (default 100).",
        default="100",
        type=click.Choice(["1", "100"]),
    )
    intervals: bool = flag("--intervals", "Show intervals in latex and markdown.")
    ranks: bool = flag("--ranks", "Show ranks in latex and markdown.")
    plot: str | None = option("--plot FILE", "Draw the ranking as .png, .svg or .pdf.")
    plot_matrix: str | None = option("--plot-matrix FILE", "Draw the p-values of all pairs.")


@click.command("compare")
@takes(CompareOptions, StudyOptions, InputOptions, EvalOptions)
def command(options: CompareOptions, study: StudyOptions, texts: InputOptions, scored: EvalOptions) -> None:
    """Compare systems by their scores of the same evals, with p-values.

    \b
    INPUT is any input of `score`, or the output of `score --per-eval`.
    Example: rouge-cli compare scores.json --baseline lead -m ROUGE-2
    """  # noqa: D301 - click's mark for lines to be kept
    form = output.chosen_format("comparison", options.format, study.output)
    for_papers = reports.is_for_papers(form, "comparison")
    applicability.check(
        "baseline" if options.baseline is not None else "",
        "everything shown" if for_papers or not reports.is_table(form) else "",
        "intervals left out" if for_papers and not (options.intervals or options.plot) else "",
        "" if for_papers else "not for papers",
        "people not marked" if not reports.is_complete(form) and not options.plot else "",
    )
    paths = {"draw_comparison": options.plot, "draw_p_values": options.plot_matrix}
    plots.check(paths.values(), study.output)
    require("comparisons need", "numpy", extra="stats")
    with Notices(quiet=scored.quiet) as notices:
        report, columns = study_scores.report(texts, scored, study, paths.values(), notices)
        from rouge_cli.studies import matrix
        from rouge_cli.studies.compare import compare

        systems.check([options.baseline], systems.of_report(report))
        scores = matrix.of_report(report, columns, study.humans, notices)
        plan = Plan(
            baseline=options.baseline,
            trials=options.trials,
            seed=study.seed,
            confidence=study.confidence,
            correction=options.correction,
            level=options.level,
        )
        watch = scoring.watch(quiet=scored.quiet, noun="steps of tests")
        comparison = compare(scores, plan, notices, watch)
        for name, path in paths.items():
            if path:
                plots.write(path, name, notices, comparison)
        layout = reports.Layout(most=None if options.every else output.SHOWN)
        if for_papers:
            digits = options.digits if options.digits is not None else 2 if options.scale == "100" else 4
            layout = layout._replace(
                digits=digits, scale=float(options.scale), ranks=options.ranks, intervals=options.intervals
            )
        output.write_result(comparison._replace(signature=report.signature), form, layout, study.output)
