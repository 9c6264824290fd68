"""`rouge-cli compare`, `plan`, `correlate` and `sweep`: studies of the scores of
single evals.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from rouge_cli import dialects, reports
from rouge_cli.cli import inputs, output, scoring, streams, study_scores
from rouge_cli.cli.inputs import InputOptions
from rouge_cli.cli.option_groups import (
    Conflict,
    OptionGroup,
    Words,
    argument,
    flag,
    named,
    option,
)
from rouge_cli.cli.scoring import EvalOptions, ReferenceOptions
from rouge_cli.cli.study_scores import (
    DrawOptions,
    HumanOptions,
    SignificanceOptions,
    StudyOptions,
    setting,
)
from rouge_cli.errors import UsageError, require
from rouge_cli.io import files
from rouge_cli.results.base import SHOWN, Layout
from rouge_cli.results.comparison import SIGNIFICANTLY, Goal, Plan
from rouge_cli.results.correlation import LEVELS, CorrelationPlan, SweepPlan
from rouge_cli.studies import eval_texts, sweeping

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rouge_cli.core import EvalTask, Report
    from rouge_cli.results.base import LayoutFields

SECTION = "Study"


class CompareOptions(SignificanceOptions):
    """The tests, and the output."""

    conflicts: ClassVar = {
        Conflict.BASELINE: "all_pairs",
        Conflict.NO_BASELINE: "allowed",
        Conflict.EVERYTHING_SHOWN: "every",
        Conflict.FOR_PAPERS: "equivalence",
        Conflict.NOT_FOR_PAPERS: "digits scale intervals ranks",
        Conflict.SAVED: "over draws",
        Conflict.NO_REFERENCES_DRAWN: "draws",
        Conflict.JUNIT: "equivalence",
    }
    baseline: str | None = option(
        "--baseline SYSTEM", "Compare only with this system, not all pairs."
    )
    all_pairs: bool = flag(
        "--all-pairs", "Compare all pairs (default without --baseline)."
    )
    trials: int = setting("--trials N", Plan, "trials")
    correction: str = setting("--correction NAME", Plan, "correction")
    equivalence: float = setting("--equivalence POINTS", Plan, "equivalence")
    over: str = setting("--over WHAT", Plan, "over")
    draws: int = setting("--draws N", Plan, "draws")
    allowed: str | None = option(
        "--fail-if-worse HOW",
        "Exit with 3 for a worse system: significantly, or by N points.",
    )
    every: bool = flag("--all", f"Show all pairs, not only the first {SHOWN}.")
    format: str | None = output.format_option("comparison")
    digits: int | None = option(
        "--digits N", "Decimals in latex and markdown.", type=output.DIGITS
    )
    scale: str | None = option(
        "--scale",
        "Multiply scores in latex and markdown (default 100).",
        type=output.SCALE,
    )
    intervals: bool = flag("--intervals", "Show intervals in latex and markdown.")
    ranks: bool = flag("--ranks", "Show ranks in latex and markdown.")
    plot: str | None = option("--plot FILE", "Draw the ranking as .png, .svg or .pdf.")


@named("compare")
def command(
    options: CompareOptions,
    study: StudyOptions,
    texts: InputOptions,
    scored: EvalOptions,
) -> None:
    """Compare systems on the same evals, with p-values.

    INPUT is any input of `score`, or the output of `score --per-eval`.

    Example: rouge-cli compare scores.json --baseline lead -m ROUGE-2
    """
    study_scores.check_alpha(scored, "--significance")
    _check_allowed(options.allowed)
    form = output.chosen_format("comparison", options.format, study.output)
    for_papers = reports.is_for_papers(form, "comparison")
    draws_references = "references" in options.over
    shows_intervals = bool(options.intervals or options.plot)
    marks_people = reports.is_complete(form) or bool(options.plot)
    Conflict.check(
        {
            Conflict.BASELINE: options.baseline is not None,
            Conflict.NO_BASELINE: options.baseline is None,
            Conflict.NO_REFERENCES_DRAWN: not draws_references,
            Conflict.NO_INTERVALS: for_papers and not shows_intervals,
            Conflict.FOR_PAPERS: for_papers,
            Conflict.NOT_FOR_PAPERS: not for_papers,
            Conflict.JUNIT: form == "junit",
            Conflict.PEOPLE_NOT_MARKED: not marks_people,
        }
    )
    output.check_plot(options.plot, study.output)
    level = options.p
    inputs_of_texts = (*texts.paths, *texts.predictions, *texts.references)
    if draws_references and any(map(files.is_pipe, inputs_of_texts)):
        what = "--over references reads INPUT twice, and stdin can be read once"
        raise UsageError(what, remedy="name a file")
    require("comparisons need", "numpy", extra="stats")
    with streams.Notices(quiet=scored.quiet) as notices:
        signed, scores = study_scores.of_evals(
            texts,
            scored,
            study,
            notices,
            plot=options.plot,
            baseline=options.baseline,
        )
        from rouge_cli.studies import significance

        settings = Plan(
            baseline=options.baseline,
            trials=options.trials,
            seed=study.seed,
            confidence=study.confidence,
            correction=options.correction,
            level=level,
            equivalence=options.equivalence,
            over=options.over,
            draws=options.draws,
        )
        watch = scoring.watch(quiet=scored.quiet, noun="steps of tests")
        comparison = significance.compare(scores, settings, notices, watch)
        comparison = comparison._replace(signature=signed)
        if draws_references:
            read = inputs.read(texts, notices, scoring.request(scored).expected)
            again = eval_texts.in_memory(read.listed(), read.systems)
            comparison = significance.over_references(comparison, again)
        output.write_plot(options.plot, notices, comparison)
        layout: LayoutFields = {
            **output.of_table(options.digits, options.scale),
            **output.of_paper(intervals=options.intervals, ranks=options.ranks),
        }
        if options.allowed:
            layout["allowed"] = options.allowed
        output.write_result(
            comparison, form, study.output, layout, show_all=options.every
        )
    output.check_gates(comparison, Layout(allowed=options.allowed))


def _check_allowed(worse: str | None) -> None:
    """Raise UsageError unless this is a value of --fail-if-worse."""
    if not worse or worse == SIGNIFICANTLY:
        return
    if not re.fullmatch(r"[0-9]+(\.[0-9]*)?", worse):
        raise UsageError(
            f"--fail-if-worse {worse}",
            remedy=f"write {SIGNIFICANTLY}, or points, as in 0.5",
        )


class PlanOptions(SignificanceOptions):
    """The difference to find, and the output."""

    conflicts: ClassVar = {Conflict.EVERYTHING_SHOWN: "every"}
    detect: float = setting("--detect POINTS", Goal, "detect")
    power: float = setting("--power P", Goal, "power")
    baseline: str | None = option(
        "--baseline SYSTEM", "Compare only with this system, not all pairs."
    )
    trials: int = setting("--trials N", Goal, "trials")
    every: bool = flag("--all", f"Show all pairs, not only the first {SHOWN}.")
    format: str | None = output.format_option("plan")
    plot: str | None = option(
        "--plot FILE", "Draw the stability as .png, .svg or .pdf."
    )


@named("plan")
def plan(
    options: PlanOptions, study: DrawOptions, texts: InputOptions, scored: EvalOptions
) -> None:
    """Print how many evals show a difference.

    INPUT is any input of `score`, or the output of `score --per-eval`.

    Example: rouge-cli plan scores.json -m ROUGE-2 --detect 0.5
    """
    study_scores.check_alpha(scored, "--significance", has_power=True)
    form = output.chosen_format("plan", options.format, study.output)
    output.check_plot(options.plot, study.output)
    level = options.p
    require("plans need", "numpy", extra="stats")
    with streams.Notices(quiet=scored.quiet) as notices:
        signed, scores = study_scores.of_evals(
            texts,
            scored,
            study,
            notices,
            plot=options.plot,
            baseline=options.baseline,
        )
        from rouge_cli.studies import significance

        goal = Goal(
            detect=options.detect,
            power=options.power,
            level=level,
            baseline=options.baseline,
            trials=options.trials,
            seed=study.seed,
        )
        planning = significance.plan_comparison(scores, goal, notices)
        planning = planning._replace(signature=signed)
        output.write_plot(options.plot, notices, planning)
        output.write_result(planning, form, study.output, show_all=options.every)


class CorrelateOptions(HumanOptions):
    """The file of human scores, the last argument, and how to correlate."""

    conflicts: ClassVar = {Conflict.NO_BOOTSTRAP: "over"}
    human: str = argument(metavar="HUMAN")
    levels: Words = study_scores.levels(CorrelationPlan, "--confidence")
    over: str = setting("--over WHAT", CorrelationPlan, "over")
    samples: int = setting("--samples N", CorrelationPlan, "samples")
    sort: bool = flag(
        "--sort", "Order metrics by the first coefficient, the best first."
    )
    format: str | None = output.format_option("correlation")
    plot: str | None = option(
        "--plot FILE", "Draw the correlations as .png, .svg or .pdf."
    )


@named("correlate")
def correlate(
    study: StudyOptions,
    texts: InputOptions,
    options: CorrelateOptions,
    scored: ReferenceOptions,
) -> None:
    """Correlate metrics with human scores.

    The coefficients are Pearson's, Spearman's and Kendall's. INPUT is any input of
    `score`, or the output of `score --per-eval`. HUMAN is a file with columns eval,
    system and scores: csv, tsv, json, jsonl, or a table separated by white space, as in
    AESOP.

    Example: rouge-cli correlate scores.json human.csv -m ROUGE-2.R
    """
    files.check_stdin(
        [*texts.paths, *texts.predictions, *texts.references, options.human]
    )
    study_scores.check_alpha(scored, "--confidence")
    form = output.chosen_format("correlation", options.format, study.output)
    Conflict.check(
        {
            Conflict.NO_BOOTSTRAP: not options.samples,
            Conflict.NO_EVALS_DRAWN: options.over == "systems",
        }
    )
    output.check_plot(options.plot, study.output)
    require("correlations need", "numpy", "scipy", extra="stats")
    with streams.Notices(quiet=scored.quiet) as notices:
        # Beside saved scores, options that describe records are about this file.
        id_column = None
        system_column = None
        if study_scores.are_saved(texts):
            id_column = texts.id_column
            system_column = texts.system_column
        measures = options.read(options.human, texts.encoding, id_column, system_column)
        signed, scores = study_scores.of_evals(
            texts, scored, study, notices, plot=options.plot, human=options.human
        )
        from rouge_cli.studies import correlation

        settings = CorrelationPlan(
            levels=options.levels or LEVELS,
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
        output.write_plot(options.plot, notices, result)
        output.write_result(result, form, study.output)


class SweepOptions(OptionGroup):
    """The variants, the human scores, and the tests."""

    conflicts: ClassVar = {
        Conflict.EVERYTHING_SHOWN: "every",
        Conflict.SAVED: "dialect",
        Conflict.NO_TRIALS: "permute seed significance",
    }
    alpha: str | None = option("--alpha", hidden=True)  # only to name the options meant
    human: str = option(
        "--human FILE", "Human scores (the HUMAN of `correlate`).", required=True
    )
    grid: str = option(
        "--grid NAME=VALUE|...,...",
        "What varies: metric=all,stem=yes|no,...",
        default="",
    )
    dialect: str = option(
        "--dialect NAME",
        "Program to reproduce (default rouge155).",
        default=dialects.DEFAULT,
    )
    levels: Words = study_scores.levels(SweepPlan, "--significance")
    coefficient: str = setting("--coefficient NAME", SweepPlan, "coefficient")
    permute: str = setting("--permute WHAT", SweepPlan, "permute")
    trials: int = setting("--trials N", SweepPlan, "trials")
    significance: float = setting("--significance P", SweepPlan, "significance")
    seed: int = setting("--seed N", SweepPlan, "seed")
    every: bool = flag("--all", f"Show all variants, not only the first {SHOWN}.")
    format: str | None = output.format_option("sweep")
    output: str | None = option(
        "-o --output FILE", "Write the report to FILE, whole or not at all."
    )
    quiet: bool = flag("--quiet", "Print no warnings and no progress.")


@named("sweep")
def sweep(options: SweepOptions, judged: HumanOptions, texts: InputOptions) -> None:
    """Rank variants of ROUGE by their correlation with people.

    INPUT is any input of `score`, or the output of `score --per-eval`. A grid varies
    metric, measure, stem, stop, references (1 or all), and any option of the dialect.

    Example: rouge-cli sweep run.jsonl --human people.csv --grid 'stem=yes|no'
    """
    if options.alpha is not None:
        remedy = (
            f"write --significance {options.alpha} for the level of the tests, or"
            f" --grid alpha={options.alpha} for the weight of precision in F"
        )
        raise UsageError(f"--alpha {options.alpha} in a sweep", remedy=remedy)
    form = output.chosen_format("sweep", options.format, options.output)
    Conflict.check({Conflict.NO_TRIALS: not options.trials})
    require("sweeps need", "numpy", "scipy", extra="stats")
    if form == "html":
        require("a page needs", "jinja2", extra="report")  # before texts are scored
    settings = SweepPlan(
        coefficient=options.coefficient,
        permute=options.permute,
        trials=options.trials,
        seed=options.seed,
        significance=options.significance,
    )
    if options.levels:
        settings = settings._replace(levels=options.levels)
    grid = sweeping.parse_grid(options.grid)
    files.check_stdin(
        [*texts.paths, *texts.predictions, *texts.references, options.human]
    )
    with streams.Notices(quiet=options.quiet) as notices:
        source = None
        paths: Iterable[str] = texts.paths
        if not study_scores.are_saved(texts):
            source = inputs.read(texts, notices, apart=True)
            paths = source.paths()
        Conflict.check({Conflict.SAVED: source is None})
        output.check_targets([options.output], [*paths, options.human], texts.folders)
        human = judged.read(options.human, texts.encoding)

        swept: Report | tuple[Sequence[EvalTask], str]
        if source is None:
            swept = study_scores.read_saved(
                texts.paths, texts.systems, texts.renames, notices
            )
        else:
            tasks = eval_texts.in_memory(source.listed(), source.systems)
            swept = (tasks, options.dialect)
        watch = scoring.watch(quiet=options.quiet, noun="ways to count")
        scored, varied = sweeping.score(swept, grid, notices, watch)
        result = sweeping.rank(scored, varied, human, settings, notices)
        output.write_result(result, form, options.output, show_all=options.every)
