"""Explain how PyRouge reads a text, token by token, and its arithmetic."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from rouge_cli import metrics
from rouge_cli.dialects.rouge_metric.options import build
from rouge_cli.dialects.rouge_metric.program import BEST, words_of
from rouge_cli.explanation import weighted_f
from rouge_cli.pairwise import explanation
from rouge_cli.pairwise.program import units_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from rouge_cli.core import Document, EvalTask, Notify
    from rouge_cli.explanation import Explanation
    from rouge_cli.options import Options


def explain_eval(options: Options, task: EvalTask, peer_id: str, notify: Notify) -> list[Explanation]:
    """Return an explanation of the peer in this eval for each metric; raise RougeError as scoring does."""
    return explanation.explain_eval(options, _specification(options), task, peer_id, notify)


def explainer(options: Options) -> Callable[[EvalTask], Mapping[str, list[Explanation]]]:
    """Return what explains every peer of an eval that was scored."""
    return explanation.explainer(options, _specification(options))


def forms(options: Mapping[str, Any], document: Document, input_format: str) -> Sequence[tuple[str, str]]:
    """Return each token twice, since the counted form is the token itself."""
    words = chain(*words_of(units_of(options, document, input_format)))
    return [(word, word) for word in words]


def _specification(options: Options) -> explanation.Specification:
    return explanation.Specification(
        build,
        lambda string: [[(word, word) for word in words] for words in words_of(string)],
        metrics.parse,
        explanation.BEST if options["formula"] == BEST else explanation.SUM,
        lambda score: weighted_f(score, options["alpha"]).rpartition(" = ")[0],
        best="recall",
        root=lambda label: metrics.parse(label).written_root,
    )
