"""`rouge-cli evaluate-module`: write a metric module for Hugging Face's `evaluate`."""

from __future__ import annotations

from pathlib import Path

import click

from rouge_cli.cli import evaluate_module, streams
from rouge_cli.errors import UsageError


@click.command("evaluate-module")
@click.argument("folder", type=click.Path(file_okay=False))
def command(folder: str) -> None:
    """Write a metric to FOLDER for `evaluate.load(FOLDER)`, offline: the numbers of evaluate's own `rouge`.

    Example: rouge-cli evaluate-module metrics/rouge
    """
    if not folder:
        raise UsageError("no folder named", remedy="give a path, `metrics/rouge` perhaps")
    streams.emit(f"{evaluate_module.write(Path(folder))}\n")
