"""Explain how PyRouge reads a text, token by token, and its arithmetic."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from rouge_cli import metrics
from rouge_cli.dialects.rouge_metric.options import build
from rouge_cli.dialects.rouge_metric.program import BEST, words_of
from rouge_cli.explanation import weighted_f
from rouge_cli.pairwise import explanation

if TYPE_CHECKING:
    from rouge_cli.options import Options


def specification(options: Options) -> explanation.Specification:
    """Return the parts of an explanation that only this dialect has."""
    return explanation.Specification(
        build,
        metrics.parse,
        explanation.BEST if options["formula"] == BEST else explanation.SUM,
        lambda score: weighted_f(score, options["alpha"]).rpartition(" = ")[0],
        lambda string: [[(word, word) for word in words] for words in words_of(string)],
        best="recall",
        root=lambda label: metrics.parse(label).written_root,
    )


explainer = partial(explanation.explainer, specification)
forms = partial(explanation.forms, specification)
