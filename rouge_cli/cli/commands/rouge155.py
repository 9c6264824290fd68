"""`rouge-cli rouge155`: the drop-in for ROUGE-1.5.5.pl as a command."""

import sys

import click

from rouge_cli.cli import rouge155 as drop_in

SECTION = "Score"


class _Verbatim(click.Command):
    """A command that parses its own arguments, including `--`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Pass every argument on unchanged."""
        ctx.params["arguments"] = tuple(args)
        return []


@click.command("rouge155", cls=_Verbatim, add_help_option=False)
def command(arguments: tuple[str, ...]) -> None:
    """Run the drop-in for ROUGE-1.5.5.pl.

    It has the same options, and prints the same bytes.

    Example: rouge-cli rouge155 -n 2 -m -a settings.xml
    """
    sys.exit(drop_in.main(arguments))
