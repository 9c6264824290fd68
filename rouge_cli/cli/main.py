"""The program `rouge-cli`: runs the modules of `commands`, and turns errors into
exit statuses.
"""

import os
import sys
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import zip_longest
from types import ModuleType
from typing import Any, NoReturn

import click

from rouge_cli import plugins, reports, twins
from rouge_cli._version import __version__
from rouge_cli.cli import commands, option_groups, streams
from rouge_cli.errors import (
    RougeError,
    UsageError,
    escape,
    is_out_of_memory,
    similar,
    suggestion,
)
from rouge_cli.io import interrupts

DOCUMENTED_STATUS = (
    "Exit status: 0 done, 1 wrong data, 2 wrong usage, 3 below a bound, 130"
    " interrupted, 141 closed pipe (docs/reference/reliability.md)."
)
# The sections of the help, in order; the module of a command names its SECTION.
SECTIONS = ("Score", "Study", "Doubt", "Convert", "Look up")
# These commands come first in their sections, in this order; others follow by name.
_FIRST = (
    *("score", "report", "merge", "verify", "timeline", "rouge2", "rouge155"),
    *("explain", "convert", "settings", "home", "list", "describe"),
)
_AT_ONCE: dict[str, Any] = {"is_flag": True, "is_eager": True, "expose_value": False}


def _help(context: click.Context, _: click.Parameter, is_given: bool) -> None:  # noqa: FBT001 - click's
    if is_given and not context.resilient_parsing:
        click.echo(context.get_help(), color=context.color)
        context.exit()


# Click's own looks for a translation of its text, which takes a twentieth of a short
# run.
_HELP = click.Option(
    ["-h", "--help"], callback=_help, help="Show this message and exit.", **_AT_ONCE
)


class _Commands(click.Group):
    """Commands that are imported only when they are called."""

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Return the option of the program and of its commands."""
        return _HELP if ctx.help_option_names else None

    def list_commands(self, _: click.Context) -> list[str]:
        """Return the names of the folder's modules, with hyphens."""
        names = plugins.names(commands.__name__)
        return sorted(name.replace("_", "-") for name in names)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        """Return the command of that name; raise UsageError with similar names if
        there is none.
        """
        names = self.list_commands(ctx)
        if cmd_name not in names:
            remedy = suggestion(cmd_name, names, plugins.other_names("command"))
            if os.path.exists(cmd_name):
                remedy = f"files follow the command, as in rouge-cli score {cmd_name}"
            raise UsageError(f"no command {cmd_name!r}", remedy=remedy)
        command: click.Command = _module(cmd_name).command
        command.format_options = partial(option_groups.write_help, command)  # type: ignore[method-assign]
        if command.add_help_option:
            command.get_help_option = self.get_help_option  # type: ignore[method-assign]
        return command

    def format_commands(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        """Write the commands by sections."""
        for title, names in sections().items():
            helps = []
            for name in names:
                command = self.get_command(ctx, name)
                helps.append((name, command.get_short_help_str(99)))
            with formatter.section(title):
                formatter.write_dl(helps)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read `help COMMAND` as `COMMAND --help`."""
        if args[:1] == ["help"]:
            args = [*args[1:2], "--help"]
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command and its arguments, with our names of options that other
        programs call otherwise.

        Raises:
            UsageError: An option that needs a value has none.
        """
        name, command, words = super().resolve_command(ctx, args)
        if words == ["help"] and not os.path.exists("help"):
            words = ["--help"]
        options = _options_of(command)
        words = [_our_name(word, options) for word in words]
        if not ctx.resilient_parsing:
            _check_values(str(name), words, options)
        # As typed, for messages and `score --lock`; click consumes the other list
        ctx.meta["words"] = list(words)
        return name, command, words


def _options_of(command: click.Command | None) -> dict[str, click.Option]:
    """Return the options of a command by each of their names."""
    options: dict[str, click.Option] = {}
    for param in command.params if command else ():
        if isinstance(param, click.Option):
            for name in param.opts:
                options[name] = param
    return options


def _module(command: str) -> ModuleType:
    """Import and return the module of a command."""
    return plugins.module(commands.__name__, command.replace("-", "_"))


def sections() -> dict[str, list[str]]:
    """Return section of the help -> its commands, both in the order of the help.

    All commands are imported. Those whose module names no section come last.
    """
    names = group.list_commands(click.Context(group))
    first = [name for name in _FIRST if name in names]
    others = [name for name in names if name not in _FIRST]
    by_section: dict[str, list[str]] = {title: [] for title in SECTIONS}
    for name in first + others:
        title = getattr(_module(name), "SECTION", "More")
        by_section.setdefault(title, []).append(name)
    return by_section


def _our_name(word: str, options: Collection[str]) -> str:
    """Return an option by our name if another program calls it otherwise."""
    option, equals, value = word.partition("=")
    ours = plugins.other_names("option").get(option)
    if ours in options and option not in options:
        return f"{ours}{equals}{value}"
    return word


def _check_values(
    command: str, words: Sequence[str], options: Mapping[str, click.Option]
) -> None:
    """Raise UsageError for an option with a value that is followed by another option.

    The metrics may be called as options are: `-m -2` is ROUGE-2.
    """
    for word, following in zip_longest(words, words[1:]):
        option = options.get(word)
        if option is None or option.is_flag:
            continue
        if following is None:
            what = f"{word} without a value"
        elif following in options and option.name != "metrics":
            what = f"{word} without a value, {following} follows"
        else:
            continue
        raise UsageError(f"{command}: {what}", remedy=f"see rouge-cli {command} --help")


def _version(context: click.Context, _: click.Parameter, is_given: bool) -> None:  # noqa: FBT001 - click's
    """Print the version and the kind of kernels."""
    if is_given:
        streams.emit(f"rouge-cli {__version__}, {twins.kernels()} kernels\n")
        context.exit()


@click.group(
    cls=_Commands,
    epilog=DOCUMENTED_STATUS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "--version",
    callback=_version,
    help="Show the version, and whether compiled kernels run.",
    **_AT_ONCE,
)
def group() -> None:
    """Evaluate summaries with ROUGE: the numbers of ROUGE-1.5.5, byte for byte,
    without Perl.
    """


def main() -> NoReturn:
    """Run the command; report an error as one message on stderr, and exit with the
    documented status.
    """
    message, status = "", 1
    try:
        status = group.main(prog_name="rouge-cli", standalone_mode=False)
    except click.ClickException as error:
        status = error.exit_code
        # Since click 8.2
        if isinstance(error, getattr(click.exceptions, "NoArgsIsHelpError", ())):
            with suppress(OSError):
                error.show()
        else:
            message = usage_message(error)
    except RougeError as error:
        message = "" if isinstance(error, streams.ReaderGone) else str(error)
        status = error.exit_code
    except (KeyboardInterrupt, click.Abort):
        message, status = "interrupted", interrupts.STATUS
    except OSError as reason:
        place = "" if reason.filename is None else f"{reason.filename}: "
        message = escape(f"{place}{reason.strerror or reason}")
        if _has_lost_folder():
            message = "the current folder no longer exists; change to another folder"
    except (MemoryError, SystemError, ImportError) as error:
        if not is_out_of_memory(error):
            raise
        message = "out of memory"
    if message:
        streams.say(message, has_lines=True)
    sys.exit(status)


def _has_lost_folder() -> bool:
    """Return True if the current folder was deleted."""
    try:
        os.getcwd()
    except FileNotFoundError:
        return True
    return False


def usage_message(error: click.ClickException) -> str:
    """Return click's error as one line: the command, what is wrong, what to do."""
    context = getattr(error, "ctx", None)
    command = context.command_path.partition(" ")[2] if context else ""
    what = " ".join(error.format_message().split()).rstrip(".").replace(". ", ": ")
    what = what[:1].lower() + what[1:]
    remedy = f"see rouge-cli {command} --help".replace("  ", " ")
    if isinstance(error, click.NoSuchOption) and context:
        what = f"no such option {error.option_name!r}"
        remedy = _remedy(error.option_name, command, context) or remedy
    return f"{command}: {what}; {remedy}".removeprefix(": ")


def _remedy(option: str, command: str, context: click.Context) -> str:
    """Return what to type in place of an option that a command does not have; empty if
    nothing resembles it.
    """
    if not command:
        score = group.get_command(context, "score")
        if any(option in param.opts for param in score.params):
            return f"options follow the command, as in rouge-cli score {option}"
        return ""
    letters = plugins.other_names("letter")
    if command in ("score", "compare") and option in letters:
        remedy = f"here it is {letters[option]}"
        if not option.startswith("--"):
            remedy += " (or run ROUGE-1.5.5.pl itself)"
        return remedy
    options: dict[str, str] = {}  # the letters of an option -> what to type
    for param in context.command.params:
        if not getattr(param, "hidden", False):
            options |= {name.strip("-"): name for name in param.opts}
    our_word = plugins.other_names("word").get(option)
    if our_word in options.values():
        return f"use {our_word}"
    if "format" in options:
        options |= {name: f"--format {name}" for name in reports.names()}
    word = option.strip("-")
    near = [word]
    if word not in options:
        near = similar(word, options, 0.6)
    if not near:
        return ""
    return f"did you mean {' or '.join(options[word] for word in near)}?"
