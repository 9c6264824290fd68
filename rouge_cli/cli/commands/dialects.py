"""`rouge-cli dialects`: whose definitions can be computed."""

from __future__ import annotations

import click

from rouge_cli.cli.describing import listing


@click.command("dialects")
def command() -> None:
    """List dialects: whose program defines the scores.

    Example: rouge-cli dialects && rouge-cli describe rouge155
    """
    listing("dialect")
