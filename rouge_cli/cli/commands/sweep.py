"""`rouge-cli sweep`: rank variants of ROUGE by their correlation with people."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rouge_cli import dialects
from rouge_cli.cli import inputs, output, scoring, streams, study_scores
from rouge_cli.cli.inputs import InputOptions
from rouge_cli.cli.option_groups import (
    Conflict,
    OptionGroup,
    Words,
    flag,
    named,
    option,
)
from rouge_cli.cli.study_scores import HumanOptions, setting
from rouge_cli.errors import UsageError, require
from rouge_cli.io import files
from rouge_cli.results.correlation import ACCURACIES, SweepPlan
from rouge_cli.studies import eval_texts, sweeping

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rouge_cli.core import EvalTask, Report

SECTION = "Study"


class SweepOptions(OptionGroup):
    """The variants, the human scores, and the tests."""

    conflicts: ClassVar = {
        Conflict.EVERYTHING_SHOWN: "every",
        Conflict.SAVED: "dialect",
        Conflict.NO_TRIALS: "permute seed significance",
        Conflict.NO_TEST: "permute trials significance",
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
    every: bool = output.every_option("variants")
    format: str | None = output.format_option("sweep")
    output: str | None = option(
        "-o --output FILE", "Write the report to FILE, whole or not at all."
    )
    quiet: bool = flag("--quiet", "Print no warnings and no progress.")


@named("sweep")
def command(options: SweepOptions, judged: HumanOptions, texts: InputOptions) -> None:
    """Rank variants of ROUGE by their correlation with people.

    INPUT is any input of `score`, or the output of `score --per-eval`. A grid varies
    metric, measure, stem, stop, references (1 or all), and any option of the dialect.

    Example: rouge-cli sweep run.jsonl --human people.csv --grid 'stem=yes|no'
    """
    _refuse_alpha(options.alpha)
    form = output.chosen_format("sweep", options.format, options.output)
    Conflict.check(
        {
            Conflict.NO_TRIALS: not options.trials,
            Conflict.NO_TEST: options.coefficient in ACCURACIES,
        }
    )
    require("sweeps need", "numpy", "scipy", extra="stats")
    if form == "html":
        require("a page needs", "jinja2", extra="report")  # before texts are scored
    settings = _settings(options)
    grid = sweeping.parse_grid(options.grid)
    files.check_stdin([*texts.all_paths, options.human])
    with streams.Notices(quiet=options.quiet) as notices:
        source = None
        paths: Iterable[str] = texts.paths
        if not study_scores.are_saved(texts):
            source = inputs.read(texts, notices, apart=True)
            paths = source.paths()
        Conflict.check({Conflict.SAVED: source is None})
        output.check_targets([options.output], [*paths, options.human], texts.folders)
        human = judged.read(options.human, texts.encoding, notify=notices)

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


def _refuse_alpha(alpha: str | None) -> None:
    """Raise UsageError for --alpha, with the two options that it may mean."""
    if alpha is None:
        return
    remedy = (
        f"write --significance {alpha} for the level of the tests, or"
        f" --grid alpha={alpha} for the weight of precision in F"
    )
    raise UsageError(f"--alpha {alpha} in a sweep", remedy=remedy)


def _settings(options: SweepOptions) -> SweepPlan:
    """Return the settings of the ranking and of its tests."""
    settings = SweepPlan(
        coefficient=options.coefficient,
        permute=options.permute,
        trials=options.trials,
        seed=options.seed,
        significance=options.significance,
    )
    if options.levels:
        settings = settings._replace(levels=options.levels)
    return settings
