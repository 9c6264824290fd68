"""`rouge-cli timeline`: score timelines with metrics that use their dates."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import ClassVar, cast

import click
from click.core import ParameterSource

from rouge_cli import reports, signature
from rouge_cli._version import __version__
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
from rouge_cli.core import EvalTask, Notice, Notify
from rouge_cli.dialects import tilse
from rouge_cli.dialects.tilse import counts
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.results.timelines import Battery, Line, Timelines
from rouge_cli.runs import assembly

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


class _Run:
    """The run of a command line.

    Args:
        form: The report's format, which decides on the names of metrics.
        typed: The metrics as typed; empty for all.
        pool: Score against all references together, not one by one.

    Raises:
        UsageError: For an unknown metric, and for an invalid option.
    """

    def __init__(
        self, options: TimelineOptions, form: str, typed: Sequence[str], *, pool: bool
    ) -> None:
        self.names: dict[str, str] = {}  # metric -> its name in the report
        for name in typed or [ALL]:
            if name.lower() == ALL:
                spelled = tilse.PAPER if reports.is_table(form) else tilse.TOOLKIT
                self.names |= {
                    metric: spelled[metric]
                    for metric in spelled
                    if metric not in self.names
                }
            else:
                self.names[tilse.metric(name)] = name
        lengths = range(1, options.longest + 1)
        requested = {
            "metrics": [
                tilse.TimelineMeasure(n, metric).label
                for metric in self.names
                for n in lengths
            ],
            "alpha": 1 / (1 + options.beta * options.beta),
            "repeated": options.repeated,
        }
        for name, switch in (("stemmer", options.stem), ("stop", options.stop)):
            requested[name] = (
                PRESETS[options.preset]
                if switch is None
                else "rouge"
                if switch
                else "none"
            )
        run = assembly.set_up("tilse", requested, None)
        self._signed = {
            **run.options,
            "protocol": tilse.POOLED if pool else tilse.PER_REFERENCE,
        }
        self.dialect = cast("tilse.Tilse", run.averages)
        self.each = not pool

    def score(self, tasks: Iterable[EvalTask], notify: Notify) -> dict[str, list[Line]]:
        """Return system -> the scores of its evals."""
        by_system: dict[str, list[Line]] = {}
        for task in tasks:
            reference = task.references[0][0] if self.each else ""
            for system, counted in self.dialect.compare(task, task.predictions):
                for message in self._lacks(task, reference, counted):
                    notify(Notice(message))
                score = self.dialect.formula.score
                scores = {
                    metric: list(map(score, by_n))
                    for metric, by_n in counted.counts.items()
                }
                days = counted.predicted_dates, counted.reference_dates
                line = Line(
                    task.eval_id,
                    reference,
                    scores,
                    score(counted.dates),
                    counted.alignments,
                    days,
                )
                by_system.setdefault(system, []).append(line)
        return by_system

    def _lacks(
        self, task: EvalTask, reference: str, counted: counts.TimelineCounts
    ) -> Iterator[str]:
        """Yield warnings about missing references, and about timelines without dates
        or tokens.
        """
        if not task.references:
            yield (
                f"{task.where}: no reference for prediction {task.eval_id}; scores"
                " are 0"
            )
            return
        paths = list(inputs.paths([task]))
        sides = f"prediction {task.eval_id}", reference or "the references"
        for number, _, message in self.dialect.lacks(counted, *sides):
            yield f"{paths[number]}: {message}"
        if counted.dates.reference and len(task.references) > 1:
            for (name, _), where, days in zip(
                task.references, paths[1:], counted.references, strict=True
            ):
                if not any(day.text.tokens for day in days.values()):
                    what = "token that counts" if days else "date"
                    yield f"{where}: no {what} in {name}; it still counts"

    def average(self, name: str, lines: Sequence[Line]) -> Line:
        """Return a line of that name with the averages of the lines."""
        mean = partial(tilse.mean, formula=self.dialect.formula)
        scores = {
            metric: [line.scores[metric] for line in lines] for metric in self.names
        }
        means = {
            metric: list(map(mean, zip(*by_line, strict=True)))
            for metric, by_line in scores.items()
        }
        return Line(name, "", means, mean([line.dates for line in lines]))

    def signature(self, evals: int) -> str:
        """Return the signature of the scores."""
        fields = {
            "dialect": "tilse",
            **self._signed,
            "evals": evals,
            "version": __version__,
        }
        return signature.render(fields)


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
    from rouge_cli.tasks import doubts, timelines

    typed = scoring.split_labels(compared.metrics)
    if compared.metrics and not typed:
        raise UsageError(
            "no metric named",
            remedy="name metrics as in -m align, or leave -m out for all",
        )
    form = output.chosen_format("timeline", options.format, options.output)
    run = _Run(options, form, typed, pool=compared.pool)
    is_table = reports.is_table(form)
    hidden = not is_table and not reports.is_complete(form)
    Conflict.check({Conflict.UNROUNDED: not is_table, Conflict.NO_ALIGNMENTS: hidden})
    with streams.Notices(quiet=options.quiet) as notices:
        sides = compared.predictions, compared.references
        doubts.warn_of_same_sources(*sides, notices)
        folders = timelines.are_folders(*sides)
        reader = timelines.TimelineReader(options.kind, options.repeated, notices)
        tasks = list(
            reader.tasks(compared.predictions, compared.references, each=run.each)
        )
        if not tasks:
            raise RougeError("nothing to score: there is no timeline to compare")
        output.check_targets([options.output], inputs.paths(tasks))
        by_system = run.score(tasks, notices)
        several = len(by_system) > 1
        lines: list[Line] = []
        for system, own in by_system.items():
            prefix = f"{system}/" if folders and several else ""
            lines += (line._replace(name=f"{prefix}{line.name}") for line in own)
            if folders or len(own) > 1:
                lines.append(
                    run.average(f"average of {system}" if several else "average", own)
                )
        result = Timelines(
            lines, run.names, compared.alignments, run.signature(len(tasks))
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
    from rouge_cli.tasks import timelines

    form = output.chosen_format("battery", options.format, options.output)
    Conflict.check({Conflict.UNROUNDED: not reports.is_table(form)})
    output.check_targets(
        [options.output], chain.from_iterable(timelines.topics(tested.folder).values())
    )
    run = _Run(options, form, (), pool=False)
    with streams.Notices(quiet=options.quiet) as notices:
        reader = timelines.TimelineReader(options.kind, options.repeated, notices)
        by_test = run.score(
            reader.tests(tested.folder, tested.shifts or timelines.SHIFTS), notices
        )
        means = {
            (test, run.names[metric], n): score
            for test, lines in by_test.items()
            for metric, scores in run.average(test, lines).scores.items()
            for n, score in enumerate(scores, 1)
        }
        number = max(map(len, by_test.values()))
        result = Battery(means, number, run.signature(number))
        layout = output.of_table(options.digits)
        output.write_result(result, form, options.output, layout)
