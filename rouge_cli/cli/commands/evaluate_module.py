"""`rouge-cli evaluate-module`: write a metric for Hugging Face's evaluate."""

import re
from pathlib import Path

import click

from rouge_cli import data
from rouge_cli.cli import streams
from rouge_cli.errors import RougeError, UnwritableFile, UsageError
from rouge_cli.io import files

SECTION = "Convert"

# A file with this text is a module that this command wrote.
MODULE_MARK = "ROUGE by rouge-cli"


@click.command("evaluate-module")
@click.argument("folder", type=click.Path(file_okay=False))
def command(folder: str) -> None:
    """Write a metric for Hugging Face's evaluate.load(FOLDER).

    It needs no network, and gives the numbers of evaluate's own metric `rouge`.

    Example: rouge-cli evaluate-module metrics/rouge
    """
    if not folder:
        raise UsageError("no folder named", remedy="name a path, such as metrics/rouge")
    name = Path(folder).resolve().name
    if not re.fullmatch("[A-Za-z_][A-Za-z0-9_-]*", name):
        remedy = "name a folder in letters, digits and `_`"
        raise UsageError(f"{name!r} cannot be the name of a module", remedy=remedy)
    path = Path(folder, f"{name}.py")
    try:
        if path.exists() and MODULE_MARK not in path.read_text("latin-1"):
            what = "another file has this name, and is left unchanged"
            raise RougeError(what, where=str(path), remedy="name a new folder")
        path.parent.mkdir(parents=True, exist_ok=True)
        files.write(str(path), data.read("evaluate_module.txt").decode())
    except OSError as reason:
        raise UnwritableFile(reason.filename or folder, reason) from None
    streams.emit(f"{path}\n")
