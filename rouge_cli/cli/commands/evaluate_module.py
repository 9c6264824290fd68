"""`rouge-cli evaluate-module`: write a metric for Hugging Face's `evaluate.load(FOLDER)`."""

from __future__ import annotations

import re
from pathlib import Path

import click

from rouge_cli.cli import streams
from rouge_cli.errors import RougeError, UnwritableFile, UsageError
from rouge_cli.io import files

# A file with this text is a module that this command wrote.
MARK = "ROUGE by rouge-cli"

MODULE = f'''\
"""{MARK}, for evaluate.load: the numbers of evaluate's own metric `rouge`, without a hub."""

import datasets
import evaluate

from rouge_cli.dialects.google import compute

TEXT = datasets.Value("string")


class Rouge(evaluate.Metric):
    """ROUGE as Google's rouge_score defines it."""

    def _info(self):
        return evaluate.MetricInfo(
            description="ROUGE as Google's rouge_score defines it, computed by rouge-cli.",
            citation="",
            inputs_description="""predictions: texts. references: a text, or a list of texts, for each.
rouge_types: of rouge1 to rouge9, rougeL and rougeLsum (of lines). use_aggregator: the median of resampled
means; if False a list of scores. use_stemmer: Porter's. tokenizer: from a text to its tokens.""",
            features=[
                datasets.Features({{"predictions": TEXT, "references": [TEXT]}}),
                datasets.Features({{"predictions": TEXT, "references": TEXT}}),
            ],
        )

    def _compute(self, predictions, references, **options):
        # evaluate seeds numpy with this number before it calls a metric.
        return compute(predictions, references, seed=int(self.seed), **options)
'''


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
        if path.exists() and MARK not in path.read_text("latin-1"):
            what = "another file has this name, and is left unchanged"
            raise RougeError(what, where=str(path), remedy="name a new folder")
        path.parent.mkdir(parents=True, exist_ok=True)
        files.write(str(path), MODULE)
    except OSError as reason:
        raise UnwritableFile(reason.filename or folder, reason) from None
    streams.emit(f"{path}\n")
