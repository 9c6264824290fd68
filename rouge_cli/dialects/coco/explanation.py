"""Explain how pycocoevalcap's ROUGE-L reads a text, token by token, and its arithmetic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rouge_cli.dialects.coco.options import build
from rouge_cli.metrics.lcs import Lcs
from rouge_cli.pairwise import explanation
from rouge_cli.pairwise.program import units_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from rouge_cli.core import Document, EvalTask, Notify, Score
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
    return [(word, word) for word in units_of(options, document, input_format).split(" ") if word]


def _specification(options: Options) -> explanation.Specification:
    beta = options["beta"]

    def f(score: Score) -> str:
        r, p = f"{score.recall:.5f}", f"{score.precision:.5f}"
        square = f"{beta**2:g}"
        return f"F = (1 + b^2) P R / (R + b^2 P) = (1 + {square}) x {p} x {r} / ({r} + {square} x {p})"

    # The LCS of two texts is the union LCS of texts of one sentence each, which can be explained.
    return explanation.Specification(
        build,
        lambda string: [[(word, word) for word in string.split(" ")]],
        lambda _: Lcs(),
        explanation.HIGHEST,
        f,
    )
