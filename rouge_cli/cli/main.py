"""The command `rouge-cli`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from rouge_cli import __version__
from rouge_cli.cli import home as rouge_home
from rouge_cli.cli import rouge155
from rouge_cli.errors import RougeError
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


@commands.command(
    context_settings={"ignore_unknown_options": True, "help_option_names": []},
    add_help_option=False,
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def rouge155_command(arguments: tuple[str, ...]) -> None:
    """Run the drop-in for ROUGE-1.5.5.pl: the same options, the same bytes.

    Example: rouge-cli rouge155 -n 2 -m -a settings.xml
    """
    sys.exit(rouge155.main(arguments))


rouge155_command.name = "rouge155"


@commands.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
def home(folder: Path) -> None:
    """Write a ROUGE home to FOLDER: what wrappers expect of a ROUGE-1.5.5 folder.

    Example: rouge-cli home ~/rouge && pyrouge_set_rouge_path ~/rouge
    """
    for path in rouge_home.write(folder):
        click.echo(path)


def main() -> None:
    """Run the command; errors of input end it with one line on stderr."""
    try:
        commands()
    except RougeError as error:
        click.echo(f"rouge-cli: {error}", err=True)
        sys.exit(error.exit_code)
