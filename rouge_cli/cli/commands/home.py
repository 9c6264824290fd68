"""`rouge-cli home`: write a ROUGE home."""

from __future__ import annotations

from pathlib import Path

import click

from rouge_cli.cli import home, streams
from rouge_cli.errors import UsageError


@click.command("home")
@click.argument("folder", type=click.Path(file_okay=False))
def command(folder: str) -> None:
    """Write a ROUGE home to FOLDER: the ROUGE-1.5.5 folder that wrappers expect.

    Example: rouge-cli home ~/rouge && pyrouge_set_rouge_path ~/rouge
    """
    if not folder:
        raise UsageError("no folder named", remedy="name a path, `.` for this folder")
    streams.emit("".join(f"{path}\n" for path in home.write(Path(folder))))
