"""`rouge-cli compare`: test whether the scores of systems differ significantly."""

from __future__ import annotations

import re
from typing import ClassVar

import click

from rouge_cli import reports
from rouge_cli.cli import inputs, output, scoring, streams, study_scores
from rouge_cli.cli.option_groups import TRIALS, Conflict, OptionGroup, flag, option, takes
from rouge_cli.errors import UsageError, require
from rouge_cli.io import files
from rouge_cli.results.base import SHOWN, Layout
from rouge_cli.results.comparison import METHODS, OVER, SIGNIFICANTLY, Plan


def _allowed(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    """Return how much worse a system may be; raise UsageError for another word or number."""
    if value not in (None, SIGNIFICANTLY) and not re.fullmatch(r"[0-9]+(\.[0-9]*)?", value):
        remedy = f"write {SIGNIFICANTLY}, or points, as in 0.5"
        raise UsageError(f"--fail-if-worse {value}", remedy=remedy)
    return value


class CompareOptions(OptionGroup):
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
    baseline: str | None = option("--baseline SYSTEM", "Compare only with this system, not all pairs.")
    all_pairs: bool = flag("--all-pairs", "Compare all pairs (default without --baseline).")
    trials: int = option("--trials N", "Trials per test (default 10000).", default=10_000, type=TRIALS)
    correction: str = study_scores.one_of(
        "--correction NAME", "Correct p-values by: holm (default), bh, none.", METHODS, "holm"
    )
    level: float = study_scores.share("--level P", "Significance level (default 0.05).", 0.05, closed=True)
    equivalence: float = study_scores.real(
        "--equivalence POINTS", "Test if systems differ by less than this.", 0.0, click.FloatRange(0)
    )
    over: str = study_scores.one_of(
        "--over WHAT", "Draw again: evals (default), references, or evals,references.", OVER, "evals"
    )
    draws: int = option("--draws N", "Draws of references (default 100).", default=100, type=TRIALS)
    allowed: str | None = option(
        "--fail-if-worse HOW",
        "Exit with 3 for a worse system: significantly, or by N points.",
        callback=_allowed,
    )
    every: bool = flag("--all", f"Show all pairs, not only the first {SHOWN}.")
    format: str | None = output.format_option("comparison")
    digits: int | None = option("--digits N", "Decimals in latex and markdown.", type=output.DIGITS)
    scale: str | None = option(
        "--scale", "Multiply scores in latex and markdown (default 100).", type=output.SCALE
    )
    intervals: bool = flag("--intervals", "Show intervals in latex and markdown.")
    ranks: bool = flag("--ranks", "Show ranks in latex and markdown.")
    plot: str | None = option("--plot FILE", "Draw the ranking as .png, .svg or .pdf.")


@click.command("compare")
@takes(CompareOptions, study_scores.StudyOptions, inputs.InputOptions, scoring.EvalOptions)
def command(
    options: CompareOptions,
    study: study_scores.StudyOptions,
    texts: inputs.InputOptions,
    scored: scoring.EvalOptions,
) -> None:
    """Compare systems on the same evals, with p-values.

    \b
    INPUT is any input of `score`, or the output of `score --per-eval`.
    Example: rouge-cli compare scores.json --baseline lead -m ROUGE-2
    """  # noqa: D301 - click's mark for lines to be kept
    form = output.chosen_format("comparison", options.format, study.output)
    for_papers = reports.is_for_papers(form, "comparison")
    Conflict.check(
        {
            Conflict.BASELINE: options.baseline is not None,
            Conflict.NO_BASELINE: options.baseline is None,
            Conflict.NO_CLUSTER: study.cluster is None,
            Conflict.NO_REFERENCES_DRAWN: "references" not in options.over,
            Conflict.EVERYTHING_SHOWN: for_papers or not reports.is_table(form),
            Conflict.NO_INTERVALS: for_papers and not (options.intervals or options.plot),
            Conflict.FOR_PAPERS: for_papers,
            Conflict.NOT_FOR_PAPERS: not for_papers,
            Conflict.JUNIT: form == "junit",
            Conflict.PEOPLE_NOT_MARKED: not reports.is_complete(form) and not options.plot,
        }
    )
    output.check_plot(options.plot, study.output)
    if "references" in options.over and any(map(files.is_pipe, texts.paths)):
        raise UsageError(
            "--over references reads INPUT twice, and stdin can be read once", remedy="name a file"
        )
    require("comparisons need", "numpy", extra="stats")
    with streams.Notices(quiet=scored.quiet) as notices:
        signed, scores = study_scores.of_evals(
            texts, scored, study, notices, plot=options.plot, baseline=options.baseline
        )
        from rouge_cli.studies.significance import compare, over_references

        plan = study_scores.settings(Plan, options, study)
        watch = scoring.watch(quiet=scored.quiet, noun="steps of tests")
        comparison = compare(scores, plan, notices, watch)._replace(signature=signed)
        if "references" in plan.over:
            comparison = over_references(comparison, study_scores.texts(texts, scored, notices))
        output.write_plot(options.plot, notices, comparison)
        output.write_result(
            comparison,
            form,
            study.output,
            every=options.every,
            digits=options.digits,
            scale=options.scale and float(options.scale),
            ranks=options.ranks,
            intervals=options.intervals,
            allowed=options.allowed,
        )
    output.check_gates(comparison, Layout(allowed=options.allowed))
