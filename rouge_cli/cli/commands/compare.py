"""`rouge-cli compare`: compare systems on the same evals, with p-values."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from rouge_cli import reports
from rouge_cli.cli import inputs, output, scoring, streams, study_scores
from rouge_cli.cli.inputs import InputOptions
from rouge_cli.cli.option_groups import Conflict, flag, named, option
from rouge_cli.cli.scoring import EvalOptions
from rouge_cli.cli.source_options import BesideOptions
from rouge_cli.cli.study_scores import SignificanceOptions, StudyOptions, setting
from rouge_cli.errors import UsageError, require
from rouge_cli.io import files
from rouge_cli.results.base import Layout
from rouge_cli.results.comparison import SIGNIFICANTLY, Plan
from rouge_cli.studies import eval_texts

if TYPE_CHECKING:
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
        Conflict.NO_TABLE: "signature",
    }
    baseline: str | None = study_scores.baseline_option()
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
    every: bool = output.every_option("pairs")
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
    signature: str | None = output.signature_option()
    plot: str | None = output.plot_option("the ranking")
    plot_for: str | None = output.purpose_option()

    @property
    def draws_references(self) -> bool:
        """True if references are drawn again."""
        return "references" in self.over


@named("compare")
def command(
    options: CompareOptions,
    study: StudyOptions,
    texts: InputOptions,
    beside: BesideOptions,
    scored: EvalOptions,
) -> None:
    """Compare systems on the same evals, with p-values.

    INPUT is any input of `score`, or the output of `score --per-eval`.

    Example: rouge-cli compare scores.json --baseline lead -m ROUGE-2
    """
    study_scores.check_alpha(scored, "--significance")
    _check_allowed(options.allowed)
    form = output.chosen_format("comparison", options.format, study.output)
    _check_conflicts(options, form)
    has_tables = reports.constant(form, "NEEDS") == "tables" or form == "json"
    Conflict.check({Conflict.NO_TABLE_OF_LENGTHS: not has_tables})
    output.check_plot(options.plot, options.plot_for, study.output)
    level = options.p
    if options.draws_references and any(map(files.is_pipe, texts.all_paths)):
        what = "--over references reads INPUT twice, and stdin can be read once"
        raise UsageError(what, remedy="name a file")
    require("comparisons need", "numpy", extra="stats")
    with streams.Notices(quiet=scored.quiet) as notices:
        signed, scores = study_scores.of_evals(
            texts,
            scored,
            study,
            notices,
            beside,
            lengths=beside.lengths,
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
        if options.draws_references:
            read = inputs.read(
                texts,
                notices,
                scoring.request(scored).expected,
                source=beside.source,
            )
            again = eval_texts.in_memory(read.listed(), read.systems)
            comparison = significance.over_references(comparison, again)
        layout: LayoutFields = {
            **output.of_table(options.digits, options.scale),
            **output.of_paper(intervals=options.intervals, ranks=options.ranks),
            **output.of_signature(options.signature),
        }
        scale = comparison.layout(form, **layout).scale  # as the table beside it
        output.write_plot(
            options.plot, options.plot_for, notices, comparison, scale=scale
        )
        if beside.lengths:
            layout["lengths"] = True
        if options.allowed:
            layout["allowed"] = options.allowed
        output.write_result(
            comparison, form, study.output, layout, show_all=options.every
        )
    output.check_gates(comparison, Layout(allowed=options.allowed))


def _check_conflicts(options: CompareOptions, form: str) -> None:
    """Raise UsageError for options that have no effect in a format, or on others."""
    for_papers = reports.is_for_papers(form, "comparison")
    shows_intervals = bool(options.intervals or options.plot)
    marks_people = reports.is_complete(form) or bool(options.plot)
    Conflict.check(
        {
            Conflict.BASELINE: options.baseline is not None,
            Conflict.NO_BASELINE: options.baseline is None,
            Conflict.NO_REFERENCES_DRAWN: not options.draws_references,
            Conflict.NO_INTERVALS: for_papers and not shows_intervals,
            Conflict.FOR_PAPERS: for_papers,
            Conflict.NOT_FOR_PAPERS: not for_papers,
            Conflict.JUNIT: form == "junit",
            Conflict.LENGTHS_FOR_PAPERS: for_papers,
            Conflict.NO_TABLE: not reports.is_table(form),
            Conflict.PEOPLE_NOT_MARKED: not marks_people,
        }
    )


def _check_allowed(worse: str | None) -> None:
    """Raise UsageError unless this is a value of --fail-if-worse."""
    if not worse or worse == SIGNIFICANTLY:
        return
    if not re.fullmatch(r"[0-9]+(\.[0-9]*)?", worse):
        raise UsageError(
            f"--fail-if-worse {worse}",
            remedy=f"write {SIGNIFICANTLY}, or points, as in 0.5",
        )
