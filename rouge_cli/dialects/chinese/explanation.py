"""Explain how PyPI's `rouge-chinese` reads a text, token by token, and its arithmetic."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from rouge_cli.dialects.chinese.options import build
from rouge_cli.dialects.chinese.program import Rouge
from rouge_cli.metrics.lcs import Lcs
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
    sentences = Rouge.sentences(units_of(options, document, input_format))
    return [(word, word) for words in sentences for word in words if word]


def _specification(options: Options) -> explanation.Specification:
    # The LCS of two texts is the union LCS of texts of one sentence each, which can be explained.
    return explanation.of_rouge(
        options, build, lambda string: [list(chain(*Rouge.sentences(string)))], Lcs()
    )
