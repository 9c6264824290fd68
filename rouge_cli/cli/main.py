"""The command `rouge-cli`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from rouge_cli import __version__
from rouge_cli.cli import home as rouge_home
from rouge_cli.cli import rouge155
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.kernels import choice

DOCUMENTED_STATUS = "Exit status: 0 done, 1 wrong data, 2 wrong usage."


def _version(context: click.Context, _: click.Parameter, wanted: bool) -> None:  # noqa: FBT001 - click's
    """Print the version, and which kernels run."""
    if wanted:
        click.echo(f"rouge-cli {__version__}, {choice.name()} kernels")
        context.exit()


@click.group(epilog=DOCUMENTED_STATUS)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="Show the version, and which kernels run.",
)
def commands() -> None:
    """ROUGE, the summary evaluator: ROUGE-1.5.5 byte for byte, without Perl."""


class _Verbatim(click.Command):
    """A command whose words are its own affair, `--` included."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Hand on every word as it was typed."""
        ctx.params["arguments"] = tuple(args)
        return []


@commands.command("rouge155", cls=_Verbatim, add_help_option=False)
def rouge155_command(arguments: tuple[str, ...]) -> None:
    """Run the drop-in for ROUGE-1.5.5.pl: the same options, bytes and exit status.

    Example: rouge-cli rouge155 -n 2 -m -a settings.xml
    """
    sys.exit(rouge155.main(arguments))


@commands.command()
@click.argument("folder", type=click.Path(file_okay=False))
def home(folder: str) -> None:
    """Write a ROUGE home to FOLDER: what wrappers expect of a ROUGE-1.5.5 folder.

    Example: rouge-cli home ~/rouge && pyrouge_set_rouge_path ~/rouge
    """
    if not folder:
        raise UsageError("no folder named", remedy="give a path, `.` for this folder")
    for path in rouge_home.write(Path(folder)):
        click.echo(path)


def main() -> None:
    """Run the command; errors of input end it with one line on stderr."""
    try:
        commands()
    except RougeError as error:
        click.echo(f"rouge-cli: {error}", err=True)
        sys.exit(error.exit_code)
    except OSError as reason:  # stdout that cannot be written
        click.echo(f"rouge-cli: cannot write: {reason.strerror}", err=True)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # or the interpreter complains about it at exit
        sys.exit(1)
