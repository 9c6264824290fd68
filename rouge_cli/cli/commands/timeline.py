"""`rouge-cli timeline`: score timelines with metrics that use their dates."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain
from typing import ClassVar

import click
from click.core import ParameterSource

from rouge_cli import reports
from rouge_cli.cli import inputs, option_groups, output, scoring, streams
from rouge_cli.cli.option_groups import (
    Conflict,
    OptionGroup,
    Words,
    argument,
    flag,
    option,
    several,
    takes,
)
from rouge_cli.dialects import tilse
from rouge_cli.dialects.tilse import counts
from rouge_cli.errors import UsageError
from rouge_cli.runs.timelines import TimelineRun
from rouge_cli.tasks import doubts, timelines

SECTION = "Score"

SEVERAL = {"-p": "-p", "--pred": "-p", "-r": "-r", "--ref": "-r"}
PRESETS = {"tilse": "rouge", "paper": "none"}  # stemmer and stop list
ALL = "all"


class _Timeline(click.Group):
    """A command that accepts several values after one -p or -r, as the command of
    the toolkit tilse.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the option before every one of its values, as click expects."""
        words: list[str] = []
        option = ""
        for word in args:
            if option and (word == "-" or not word.startswith("-")):
                # The option already precedes the first value.
                words += [word] if words[-1] == option else [option, word]
            else:
                option = SEVERAL.get(word, "")
                words.append(option or word)
        return super().parse_args(ctx, words)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the sub-command of that name; raise UsageError if there is none,
        except for completion.
        """
        command = super().get_command(ctx, cmd_name)
        if command is None and not ctx.resilient_parsing:
            remedy = "pass files with -p and -r, or name battery DIR"
            raise UsageError(f"unexpected argument {cmd_name!r}", remedy=remedy)
        return command


_preset = partial(
    option,
    "--preset",
    "tilse: stem, drop stop words; paper: do neither.",
    type=click.Choice(list(PRESETS)),
    show_default=True,
)
_longest = partial(
    option,
    "-n",
    "Length of the longest n-grams.",
    type=click.IntRange(1, 9),
    show_default=True,
)


class TimelineOptions(OptionGroup):
    """Options of both commands: the treatment of words and dates, and the output."""

    conflicts: ClassVar = {Conflict.UNROUNDED: "digits"}
    preset: str = _preset(default="tilse")
    longest: int = _longest(default=2)
    stem: bool | None = option("--stem/--no-stem", "Stem words, whatever the preset.")
    stop: bool | None = option(
        "--stop/--no-stop", "Drop stop words, whatever the preset."
    )
    beta: float = option(
        "--beta", "Beta of F (default 1).", default=1.0, type=click.FloatRange(0)
    )
    kind: str = option(
        "--input KIND", "text, json or jsonl (default: by content).", default=""
    )
    repeated: str = option(
        "--repeated HOW",
        "Repeated dates: last (default), merge, reject.",
        default="last",
    )
    digits: int | None = option(
        "--digits", "Decimals in tables (default 5).", type=output.DIGITS
    )
    format: str | None = output.format_option("timeline")
    output: str | None = option(
        "-o --output FILE", "Write the report to FILE, whole or not at all."
    )
    quiet: bool = flag("--quiet", "Print no warnings.")


class ComparisonOptions(OptionGroup):
    """The timelines to compare, and the metrics."""

    conflicts: ClassVar = {Conflict.NO_ALIGNMENTS: "alignments"}
    predictions: Words = several(
        "-p --pred PRED...", "Files or folders of predictions."
    )
    references: Words = several("-r --ref REF...", "Files or folders of references.")
    metrics: Words = several(
        "-m --metric METRIC|all",
        "A metric listed above; repeatable (default all).",
        shell_complete=option_groups.completing(lambda: (ALL, *counts.METRICS)),
    )
    pool: bool = option(
        "--pool/--per-reference", "Score against all references, or each.", default=True
    )
    alignments: bool = flag("--alignments", "Show which dates were aligned.")


class BatteryOptions(TimelineOptions):
    """The same options with the defaults of Martschat and Markert's paper."""

    preset: str = _preset(default="paper")
    longest: int = _longest(default=1)
    format: str | None = output.format_option("battery")


class FolderOptions(OptionGroup):
    """The timelines that metrics are tested on, and how to change them."""

    folder: str = argument(metavar="DIR")
    shifts: tuple[int, ...] = several(
        "--shift DAYS", "Shift dates by DAYS; repeatable (default 1 and 5).", type=int
    )


def _names(typed: Sequence[str], form: str) -> dict[str, str]:
    """Return metric -> its name in a report of that format, for metrics as typed; all
    if none is typed.

    Raises:
        UsageError: For an unknown metric.
    """
    usual_names = tilse.PAPER if reports.is_table(form) else tilse.TOOLKIT
    names: dict[str, str] = {}
    for name in typed or [ALL]:
        if name.lower() != ALL:
            names[tilse.metric(name)] = name
            continue
        for metric, usual_name in usual_names.items():
            names.setdefault(metric, usual_name)
    return names


def _run(
    options: TimelineOptions, metrics: Mapping[str, str], *, pool: bool
) -> TimelineRun:
    """Return the run of these metrics that the options describe; raise UsageError for
    an invalid one.
    """
    preset = PRESETS[options.preset]
    values = {
        "alpha": 1 / (1 + options.beta * options.beta),
        "repeated": options.repeated,
    }
    for name, switch in (("stemmer", options.stem), ("stop", options.stop)):
        if switch is None:
            values[name] = preset
        else:
            values[name] = "rouge" if switch else "none"
    return TimelineRun(metrics, options.longest, values, pool=pool)


@click.group("timeline", cls=_Timeline, invoke_without_command=True)
@takes
@click.pass_context
def command(
    context: click.Context, /, compared: ComparisonOptions, options: TimelineOptions
) -> None:
    """Score timelines with metrics that use dates.

    METRIC is concat, agreement, align, align+ or align+ m:1, or a name of the toolkit
    tilse, such as align_date_costs. PRED and REF are files, or folders with a file or
    sub-folder per topic. Among equally good alignments, rouge-cli takes the one that
    SciPy (since 1.4) finds. Among equally near dates, align+ m:1 takes the earliest.

    Example: rouge-cli timeline -p mine.txt -r ap.txt bbc.txt -m all
    """
    if context.invoked_subcommand is not None:
        if any(
            context.get_parameter_source(name) is ParameterSource.COMMANDLINE
            for name in context.params
        ):
            remedy = (
                "write its options after it; it has no -p, -r and -m, and scores by all"
                " metrics"
            )
            raise UsageError(
                f"options before {context.invoked_subcommand}", remedy=remedy
            )
        return
    typed = scoring.split_labels(compared.metrics)
    if compared.metrics and not typed:
        raise UsageError(
            "no metric named",
            remedy="name metrics as in -m align, or leave -m out for all",
        )
    form = output.chosen_format("timeline", options.format, options.output)
    run = _run(options, _names(typed, form), pool=compared.pool)
    is_table = reports.is_table(form)
    has_alignments = is_table or reports.is_complete(form)
    Conflict.check(
        {Conflict.UNROUNDED: not is_table, Conflict.NO_ALIGNMENTS: not has_alignments}
    )
    with streams.Notices(quiet=options.quiet) as notices:
        sides = compared.predictions, compared.references
        doubts.warn_of_same_sources(*sides, notices)
        are_topics = timelines.are_folders(*sides)
        reader = timelines.TimelineReader(options.kind, options.repeated, notices)
        tasks = list(reader.tasks(*sides, each=not compared.pool))
        output.check_targets([options.output], inputs.paths(tasks))
        result = run.compare(
            tasks, notices, are_topics=are_topics, alignments=compared.alignments
        )
        layout = output.of_table(options.digits)
        output.write_result(result, form, options.output, layout)


@command.command("battery")
@takes
def battery(tested: FolderOptions, options: BatteryOptions) -> None:
    """Test how metrics react to changes of timelines.

    As in Martschat and Markert's paper, every timeline in DIR is scored against itself
    with a date removed, a date added, two dates merged, and all dates shifted. A table
    has the differences from 1, json has the scores.

    Example: rouge-cli timeline battery data --shift 1 --shift -2
    """
    form = output.chosen_format("battery", options.format, options.output)
    Conflict.check({Conflict.UNROUNDED: not reports.is_table(form)})
    output.check_targets(
        [options.output], chain.from_iterable(timelines.topics(tested.folder).values())
    )
    run = _run(options, _names((), form), pool=False)
    with streams.Notices(quiet=options.quiet) as notices:
        reader = timelines.TimelineReader(options.kind, options.repeated, notices)
        tasks = reader.tests(tested.folder, tested.shifts or timelines.SHIFTS)
        result = run.test(tasks, notices)
        layout = output.of_table(options.digits)
        output.write_result(result, form, options.output, layout)
