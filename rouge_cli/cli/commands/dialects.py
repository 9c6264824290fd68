"""`rouge-cli dialects`: the list of dialects."""

from __future__ import annotations

import click

from rouge_cli.cli.catalogue import print_entries


@click.command("dialects")
def command() -> None:
    """List dialects: the programs whose scores can be computed.

    Example: rouge-cli dialects && rouge-cli describe rouge155
    """
    print_entries("dialect")
