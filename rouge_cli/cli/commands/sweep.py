"""`rouge-cli sweep`: find the variant of ROUGE that agrees best with people."""

from __future__ import annotations

from typing import ClassVar

import click

from rouge_cli import dialects, reports
from rouge_cli.cli import inputs, output, scoring, streams, study_scores
from rouge_cli.cli.option_groups import Conflict, OptionGroup, Words, flag, option, takes
from rouge_cli.errors import require
from rouge_cli.io import files
from rouge_cli.results.base import SHOWN
from rouge_cli.results.correlation import COEFFICIENTS, LEVELS, RESAMPLED, SweepPlan


class SweepOptions(OptionGroup):
    """The variants, the human scores, and the tests."""

    conflicts: ClassVar = {
        Conflict.EVERYTHING_SHOWN: "every",
        Conflict.SAVED: "dialect",
        Conflict.NO_TRIALS: "permute seed significance",
    }
    human: str = option("--human FILE", "Human scores (the HUMAN of `correlate`).", required=True)
    grid: str = option("--grid NAME=VALUE|...,...", "What varies: metric=all,stem=yes|no,...", default="")
    dialect: str = option(
        "--dialect NAME", "Program to reproduce (default rouge155).", default=dialects.DEFAULT
    )
    levels: Words = study_scores.levels("Level: system (default), summary, pooled; repeatable.", LEVELS)
    coefficient: str = study_scores.one_of(
        "--coefficient NAME",
        "Rank and test by: pearson (default), spearman, kendall.",
        COEFFICIENTS,
        "pearson",
    )
    permute: str = study_scores.one_of(
        "--permute WHAT", "Exchange scores of evals, systems or both (default).", RESAMPLED, "both"
    )
    trials: int = study_scores.samples("--trials N", "Permutations (default 1000); 0 for no test.")
    significance: float = study_scores.share("--significance P", "Significance level (default 0.05).", 0.05)
    seed: int = option("--seed N", "Seed of all draws (default 0).", default=0, type=click.IntRange(0))
    every: bool = flag("--all", f"Show all variants, not only the first {SHOWN}.")
    format: str | None = output.format_option("sweep")
    output: str | None = option("-o --output FILE", "Write the report to FILE, whole or not at all.")
    quiet: bool = flag("--quiet", "Print no warnings and no progress.")


@click.command("sweep")
@takes(SweepOptions, study_scores.HumanOptions, inputs.InputOptions)
def command(options: SweepOptions, judged: study_scores.HumanOptions, texts: inputs.InputOptions) -> None:
    """Rank variants of ROUGE by their correlation with people.

    INPUT is any input of `score`, or the output of `score --per-eval`. A grid varies metric, measure,
    stem, stop, references (1 or all), and any option of the dialect.

    \b
    Example: rouge-cli sweep run.jsonl --human people.csv --grid 'stem=yes|no'
    """  # noqa: D301 - click's mark for lines to be kept
    form = output.chosen_format("sweep", options.format, options.output)
    Conflict.check(
        {
            Conflict.EVERYTHING_SHOWN: not reports.is_table(form),
            Conflict.NO_TRIALS: not options.trials,
        }
    )
    require("sweeps need", "numpy", "scipy", extra="stats")
    if form == "html":
        require("a page needs", "jinja2", extra="report")  # before texts are scored
    from rouge_cli.studies import setups, sweeping

    plan = study_scores.settings(SweepPlan, options)
    grid = setups.parse_grid(options.grid)
    files.check_stdin([*texts.paths, *texts.predictions, *texts.references, options.human])
    with streams.Notices(quiet=options.quiet) as notices:
        source = None if study_scores.are_saved(texts) else inputs.read(texts, notices, apart=True)
        Conflict.check({Conflict.SAVED: source is None})
        read = source.paths() if source else texts.paths
        output.check_targets([options.output], [*read, options.human])
        human = judged.read(options.human, texts.encoding)
        scored = sweeping.score(
            (setups.in_memory(source.listed(), source.systems), options.dialect)
            if source
            else study_scores.read_saved(texts.paths, texts.systems, texts.renames, notices),
            grid,
            notices,
            scoring.watch(quiet=options.quiet, noun="ways to count"),
        )
        result = sweeping.rank(*scored, human, plan, notices)
        output.write_result(result, form, options.output, every=options.every)
