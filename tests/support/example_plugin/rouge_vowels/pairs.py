"""Pairs: a prediction and a reference on each line, with `=>` between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rouge_cli.core import Document, EvalTask

if TYPE_CHECKING:
    from rouge_cli.tasks.kinds import Texts

SUFFIXES = (".pairs",)
WHAT = "a file of pairs"


def tasks(path: str, system: str, texts: Texts) -> list[EvalTask]:
    """Return an eval for each line."""
    evals = []
    with open(path, "rb") as lines:
        for number, line in enumerate(lines, 1):
            place = f"{path}:{number}"
            prediction, _, reference = (
                Document(part.strip(), place) for part in line.partition(b"=>")
            )
            evals.append(
                EvalTask(
                    str(number),
                    {system: prediction},
                    [("M", reference)],
                    texts.format,
                    place,
                )
            )
    return evals
