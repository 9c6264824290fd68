"""`rouge-cli timeline`: score dated summaries with metrics that use the dates."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar

import click
from click.core import ParameterSource

from rouge_cli import reports
from rouge_cli.cli import output, scoring, values
from rouge_cli.cli.notices import Notices
from rouge_cli.cli.option_groups import (
    Conflict,
    OptionGroup,
    argument,
    check_conflicts,
    flag,
    option,
    several,
    takes,
)
from rouge_cli.dialects.tilse.labels import METRICS
from rouge_cli.errors import RougeError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence


SEVERAL = {"-p": "-p", "--pred": "-p", "-r": "-r", "--ref": "-r"}
PRESETS = ("tilse", "paper")


class _Timeline(click.Group):
    """Accepts several values after one -p or -r, as the toolkit's command does."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Give each value a separate option."""
        return super().parse_args(ctx, _spread(args))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of that name; raise UsageError if there is none, except for completion."""
        command = super().get_command(ctx, cmd_name)
        if command is None and not ctx.resilient_parsing:
            raise UsageError(
                f"unexpected argument {cmd_name!r}", remedy="pass files with -p and -r, or name battery DIR"
            )
        return command


def _spread(words: Sequence[str]) -> list[str]:
    spread: list[str] = []
    option = ""
    for word in words:
        if option and (word == "-" or not word.startswith("-")):
            # The option already precedes the first value.
            spread += [word] if spread[-1] == option else [option, word]
        else:
            option = SEVERAL.get(word, "")
            spread.append(option or word)
    return spread


def _preset(*, default: str) -> Any:  # noqa: ANN401 - as `option`
    """Declare a field for --preset."""
    help_text = "tilse stems and drops stop words, paper does not."
    return option("--preset", help_text, default=default, type=click.Choice(PRESETS), show_default=True)


def _longest(*, default: int) -> Any:  # noqa: ANN401 - as above
    """Declare a field for -n."""
    return option(
        "-n",
        "Length of the longest n-grams.",
        default=default,
        type=click.IntRange(1, 9),
        show_default=True,
    )


class TimelineOptions(OptionGroup):
    """The treatment of words and dates, and the output: the options of both commands."""

    conflicts: ClassVar = {
        Conflict.UNROUNDED: "digits",
    }
    preset: str = _preset(default="tilse")
    longest: int = _longest(default=2)
    stem: bool | None = option("--stem/--no-stem", "Stem words, whatever the preset.")
    stop: bool | None = option("--stop/--no-stop", "Drop stop words, whatever the preset.")
    beta: float = option("--beta", "Beta of F (default 1).", default=1.0, type=click.FloatRange(0))
    kind: str = option("--input KIND", "text, json or jsonl (default: by content).", default="")
    repeated: str = option(
        "--repeated HOW", "Repeated dates: last (default), merge, reject.", default="last"
    )
    digits: int | None = option(
        "--digits",
        "Decimals in tables (default 5).",
        type=click.IntRange(0, reports.MOST_DIGITS),
    )
    format: str | None = output.format_option("timeline")
    output: str | None = option("-o --output FILE", "Write the report to FILE, whole or not at all.")
    quiet: bool = flag("--quiet", "Print no notices on stderr.")


class ComparisonOptions(OptionGroup):
    """The timelines to compare, and the metrics."""

    conflicts: ClassVar = {
        Conflict.NO_ALIGNMENTS: "alignments",
    }
    predictions: tuple[str, ...] = several("-p --pred PRED...", "Files or folders of predictions.")
    references: tuple[str, ...] = several("-r --ref REF...", "Files or folders of references.")
    metrics: tuple[str, ...] = several(
        "-m --metric METRIC|all",
        "A metric listed above; repeatable (default all).",
        shell_complete=lambda _, __, incomplete: values.starting(("all", *METRICS), incomplete),
    )
    pool: bool = option(
        "--pool/--per-reference", "Score against all references, or one by one.", default=True
    )
    alignments: bool = flag("--alignments", "Show which dates were matched.")


class BatteryOptions(TimelineOptions):
    """The same options, with the defaults of Martschat and Markert."""

    preset: str = _preset(default="paper")
    longest: int = _longest(default=1)
    format: str | None = output.format_option("battery")


class FolderOptions(OptionGroup):
    """The timelines that metrics are tested on, and the changes."""

    folder: str = argument(metavar="DIR")
    shifts: tuple[int, ...] = several(
        "--shift DAYS", "Shift by DAYS; repeatable (default 1 and 5).", type=int
    )


@click.group("timeline", cls=_Timeline, invoke_without_command=True)
@takes(ComparisonOptions, TimelineOptions)
@click.pass_context
def command(context: click.Context, /, compared: ComparisonOptions, options: TimelineOptions) -> None:
    """Score timelines: concat, agreement, align, align+, align+ m:1.

    METRIC may also be a name of the toolkit tilse, such as align_date_costs. PRED and REF are files, or
    folders of topics. Of equally good alignments, the one that SciPy finds since 1.4 counts; align+ m:1
    takes the earliest of equally near dates.

    Example: rouge-cli timeline -p mine.txt -r ap.txt bbc.txt -m all
    """
    if context.invoked_subcommand is not None:
        if any(
            context.get_parameter_source(name) is ParameterSource.COMMANDLINE for name in context.params
        ):
            raise UsageError(
                f"options before {context.invoked_subcommand}",
                remedy="write its options after it; it has no -p, -r and -m, and scores by all metrics",
            )
        return
    from rouge_cli.cli import timeline_scores, timelines

    written = scoring.split_labels(compared.metrics)
    if compared.metrics and not written:
        raise UsageError("no metric named", remedy="name them as in -m align, or leave -m out for all")
    form = output.chosen_format("timeline", options.format, options.output)
    request = timeline_scores.request(options, form, written, pool=compared.pool)
    shown = reports.is_table(form) or reports.is_complete(form)
    check_conflicts({Conflict.UNROUNDED: output.is_unrounded(form), Conflict.NO_ALIGNMENTS: not shown})
    with Notices(quiet=options.quiet) as notices:
        folders = timelines.of_folders(compared.predictions, compared.references)
        reading = timelines.Reading(options.kind, options.repeated, notices)
        comparisons = list(
            timelines.comparisons(
                compared.predictions, compared.references, reading, each=not compared.pool
            )
        )
        if not comparisons:
            raise RougeError("nothing to score: there is no timeline to compare")
        sources = [named.place for pair in comparisons for named in (pair.prediction, *pair.references)]
        output.check_targets([options.output], sources)
        result = timeline_scores.report(
            request, comparisons, notices, folders=folders, alignments=compared.alignments
        )
        output.write_result(result, form, options.output, digits=options.digits)


@command.command("battery")
@takes(FolderOptions, BatteryOptions)
def battery(tested: FolderOptions, options: BatteryOptions) -> None:
    """Test the metrics on the timelines of DIR, as in Martschat and Markert's paper.

    Score each timeline against itself with a date removed, one added, two merged, and all shifted. The
    table has differences from 1, json has the scores.

    Example: rouge-cli timeline battery data --shift 1 --shift -2
    """
    from rouge_cli.cli import timeline_scores, timelines
    from rouge_cli.tasks import topics

    form = output.chosen_format("battery", options.format, options.output)
    check_conflicts({Conflict.UNROUNDED: output.is_unrounded(form)})
    output.check_targets([options.output], chain.from_iterable(topics.read(tested.folder).values()))
    request = timeline_scores.request(options, form, (), pool=False)
    with Notices(quiet=options.quiet) as notices:
        reading = timelines.Reading(options.kind, options.repeated, notices)
        result = timeline_scores.tests(request, tested, reading)
        output.write_result(result, form, options.output, digits=options.digits)
