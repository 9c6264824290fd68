"""`rouge-cli metrics`: the list of metrics."""

from __future__ import annotations

import click

from rouge_cli.cli.catalogue import print_entries


@click.command("metrics")
def command() -> None:
    """List metrics by label; numbers in labels stand for any.

    Example: rouge-cli metrics && rouge-cli describe ROUGE-SU4
    """
    print_entries("metric")
