"""`rouge-cli timeline`: dated summaries, scored with their dates."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from rouge_cli import reports
from rouge_cli.cli import applicability, output, scoring
from rouge_cli.cli.declared import Command, Option, declare
from rouge_cli.errors import RougeError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


SEVERAL = {"-p": "-p", "--pred": "-p", "-r": "-r", "--ref": "-r"}
PRESETS = ("tilse", "paper")


class _Timeline(click.Group):
    """Takes several values behind one -p or -r, as the toolkit's command does."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Give each value an option of its own."""
        return super().parse_args(ctx, _spread(args))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name; UsageError where there is none, but in completions."""
        found = super().get_command(ctx, cmd_name)
        if found is None and not ctx.resilient_parsing:
            raise UsageError(
                f"unexpected argument {cmd_name!r}", remedy="pass files with -p and -r, or name battery DIR"
            )
        return found


def _spread(words: Sequence[str]) -> list[str]:
    found: list[str] = []
    option = ""
    for word in words:
        if option and (word == "-" or not word.startswith("-")):
            # The first value stands behind the option already.
            found += [word] if found[-1] == option else [option, word]
        else:
            option = SEVERAL.get(word, "")
            found.append(option or word)
    return found


# Those of both commands.
COUNTING: Sequence[Option] = (
    (("--stem/--no-stem",), {"default": None, "help": "Stem words, whatever the preset."}),
    (("--stop/--no-stop",), {"default": None, "help": "Drop stop words, whatever the preset."}),
    (("--beta",), {"type": click.FloatRange(0), "default": 1.0, "help": "F's beta."}),
    (("--input", "kind"), {"metavar": "KIND", "default": "", "help": "text, json, jsonl; or by content."}),
    (("--repeated",), {
        "metavar": "HOW", "default": "last", "help": "A date that comes again: last, merge, reject."}),
    (("--digits",), {"type": click.IntRange(0, 15), "default": 5, "help": "Decimals in tables."}),
    (("-o", "--output"), {"metavar": "FILE", "help": "Write the report there, all of it or nothing."}),
    (("--quiet",), {"is_flag": True, "help": "No notices on stderr."}),
)  # fmt: skip


def _options(preset: str, longest: int) -> Callable[[Command], Command]:
    """Give a command the options of counting, with this preset and n by default."""

    def decorate(command: Command) -> Command:
        command = click.option(
            "-n",
            "longest",
            type=click.IntRange(1, 9),
            default=longest,
            show_default=True,
            help="The longest n-grams.",
        )(declare(command, COUNTING))
        return click.option(
            "--preset",
            type=click.Choice(PRESETS),
            default=preset,
            show_default=True,
            help="tilse stems and drops stop words, paper does not.",
        )(command)

    return decorate


@click.group("timeline", cls=_Timeline, invoke_without_command=True)
@click.option("-p", "--pred", "predictions", multiple=True, metavar="PRED...", help="Predictions.")
@click.option("-r", "--ref", "references", multiple=True, metavar="REF...", help="References.")
@click.option("-m", "--metric", "metrics", multiple=True, metavar="METRIC|all", help="As above; repeat.")
@click.option("--pool/--per-reference", default=True, help="References as one, or one by one.")
@_options("tilse", 2)
@output.format_option("timeline")
@click.option("--alignments", is_flag=True, help="Say which date was matched with which.")
@click.pass_context
def command(context: click.Context, /, **given: Any) -> None:  # noqa: ANN401 - click's
    """Score timelines: concat, agreement, align, align+, align+ m:1.

    The toolkit's names, align_date_costs and so on, are METRICs too. PRED and REF are files, or folders of
    topics. Of equally good alignments the one counts that SciPy finds since 1.4; in align+ m:1 the earliest
    of equally near dates.

    Example: rouge-cli timeline -p mine.txt -r ap.txt bbc.txt -m all
    """
    if context.invoked_subcommand is not None:
        if any(context.get_parameter_source(name) is ParameterSource.COMMANDLINE for name in given):
            raise UsageError(
                f"options before {context.invoked_subcommand}",
                remedy="write its options after it; it takes no -p, -r or -m, and scores by all metrics",
            )
        return
    from rouge_cli.cli import timeline_scores, timelines

    given["form"] = output.chosen_format("timeline", given["form"], given["output"])
    written = scoring.divided(given["metrics"])
    if given["metrics"] and not written:
        raise UsageError("no metric named", remedy="name them as in -m align, or leave -m out for all")
    asked = timeline_scores.asked(given, written, pool=given["pool"])
    shown = reports.is_table(given["form"]) or reports.is_complete(given["form"])
    applicability.check(output.circumstance(given["form"]), "" if shown else "no alignments")
    notices = scoring.Notices(quiet=given["quiet"])
    with notices:
        folders = timelines.of_folders(given["predictions"], given["references"])
        reading = timelines.Reading(given["kind"], given["repeated"], notices)
        found = list(
            timelines.comparisons(
                given["predictions"], given["references"], reading, each=not given["pool"]
            )
        )
        if not found:
            raise RougeError("nothing to score: there is no timeline to compare")
        sources = [named.place for one in found for named in (one.prediction, *one.references)]
        output.check_targets([given["output"]], sources)
        result = timeline_scores.report(given, asked, found, notices, folders=folders)
        layout = reports.Layout(digits=given["digits"])
        output.write_result(result, given["form"], layout, given["output"])


@command.command("battery")
@click.argument("folder", metavar="DIR")
@click.option(
    "--shift", "shifts", type=int, multiple=True, metavar="DAYS", help="By so many; repeat. [1, 5]"
)
@_options("paper", 1)
@output.format_option("battery")
def battery(folder: str, **given: Any) -> None:  # noqa: ANN401 - click's
    """Test the metrics on the timelines of DIR, as Martschat and Markert do.

    Each timeline is scored against itself with a date removed, one added, two merged, and all of them
    shifted. The table has differences to 1, json the scores.

    Example: rouge-cli timeline battery data --shift 1 --shift -2
    """
    from rouge_cli.cli import timeline_scores, timelines
    from rouge_cli.tasks import topics

    given["form"] = output.chosen_format("battery", given["form"], given["output"])
    applicability.check(output.circumstance(given["form"]))
    output.check_targets([given["output"]], chain.from_iterable(topics.read(folder).values()))
    asked = timeline_scores.asked(given, (), pool=False)
    notices = scoring.Notices(quiet=given["quiet"])
    with notices:
        reading = timelines.Reading(given["kind"], given["repeated"], notices)
        result = timeline_scores.tests(given, asked, folder, reading)
        layout = reports.Layout(digits=given["digits"])
        output.write_result(result, given["form"], layout, given["output"])
