"""Explain how pycocoevalcap's ROUGE-L reads a text, token by token, and its arithmetic."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from rouge_cli.dialects.coco.program import Coco
from rouge_cli.metrics.lcs import Lcs
from rouge_cli.pairwise import explanation

if TYPE_CHECKING:
    from rouge_cli.core import Score
    from rouge_cli.options import Options


def specification(options: Options) -> explanation.Specification:
    """Return the parts of an explanation that only this dialect has."""
    beta = options["beta"]

    def f(score: Score) -> str:
        r, p = f"{score.recall:.5f}", f"{score.precision:.5f}"
        square = f"{beta**2:g}"
        return f"F = (1 + b^2) P R / (R + b^2 P) = (1 + {square}) x {p} x {r} / ({r} + {square} x {p})"

    # The LCS of two texts is the union LCS of texts of one sentence each, which can be explained.
    return explanation.Specification(
        Coco,
        lambda _: Lcs(),
        explanation.HIGHEST,
        f,
        lambda string: [[(word, word) for word in string.split(" ")]],
    )


explainer = partial(explanation.explainer, specification)
forms = partial(explanation.forms, specification)
