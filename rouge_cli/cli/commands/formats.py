"""`rouge-cli formats`: the list of input and output formats."""

from __future__ import annotations

import click

from rouge_cli.cli.catalogue import print_entries


@click.command("formats")
def command() -> None:
    """List kinds of input (--input), formats of texts (--read-as) and of reports (--format).

    Example: rouge-cli formats && rouge-cli describe see
    """
    print_entries("input kind", "text format", "report format")
