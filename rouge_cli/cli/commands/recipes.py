"""`rouge-cli recipes`: set-ups that have a name."""

from __future__ import annotations

import click

from rouge_cli.cli.catalogue import print_entries


@click.command("recipes")
def command() -> None:
    """List recipes: set-ups of campaigns, benchmarks and scripts, for --recipe.

    Example: rouge-cli recipes && rouge-cli describe tac2008
    """
    print_entries("recipe")
