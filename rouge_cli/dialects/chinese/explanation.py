"""Explain how PyPI's `rouge-chinese` reads a text, token by token, and its arithmetic."""

from __future__ import annotations

from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from rouge_cli.dialects.chinese.program import Chinese, Rouge
from rouge_cli.metrics.lcs import Lcs
from rouge_cli.pairwise import explanation

if TYPE_CHECKING:
    from rouge_cli.options import Options


def specification(options: Options) -> explanation.Specification:
    """Return the parts of an explanation that only this dialect has."""
    # The LCS of two texts is the union LCS of texts of one sentence each, which can be explained.
    return explanation.rouge_specification(
        options, Chinese, lambda string: [list(chain(*Rouge.sentences(string)))], Lcs()
    )


explainer = partial(explanation.explainer, specification)
forms = partial(explanation.forms, specification)
