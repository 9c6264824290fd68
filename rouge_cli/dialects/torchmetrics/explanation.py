"""Explain how torchmetrics reads a text, token by token, and its arithmetic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rouge_cli.core import Text
from rouge_cli.dialects.torchmetrics.options import build
from rouge_cli.dialects.torchmetrics.program import (
    BEST,
    LCS,
    STEMMER,
    metric,
    splitter,
    tokens,
    tokens_by_sentence,
)
from rouge_cli.metrics.lcs import Lcs
from rouge_cli.pairwise import explanation
from rouge_cli.pairwise.program import units_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from rouge_cli.core import Counts, Document, EvalTask, Notify, Score
    from rouge_cli.explanation import Explanation
    from rouge_cli.metrics._matches import Matches
    from rouge_cli.options import Options


def explain_eval(options: Options, task: EvalTask, peer_id: str, notify: Notify) -> list[Explanation]:
    """Return an explanation of the peer in this eval for each metric; raise RougeError as scoring does."""
    return explanation.explain_eval(options, _specification(options), task, peer_id, notify)


def explainer(options: Options) -> Callable[[EvalTask], Mapping[str, list[Explanation]]]:
    """Return what explains every peer of an eval that was scored."""
    return explanation.explainer(options, _specification(options))


def forms(options: Mapping[str, Any], document: Document, input_format: str) -> Sequence[tuple[str, str]]:
    """Return each token as in the text (but lower-cased), and the counted form."""
    return tokens(units_of(options, document, input_format), stems=options["stemmer"] == STEMMER)


def _specification(options: Options) -> explanation.Specification:
    def f(score: Score) -> str:
        r, p = f"{score.recall:.5f}", f"{score.precision:.5f}"
        return f"F = 2 P R / (P + R) = 2 x {p} x {r} / ({p} + {r})"

    split = splitter(options["metrics"])
    return explanation.Specification(
        build,
        lambda string: tokens_by_sentence(string, split, stems=options["stemmer"] == STEMMER),
        lambda label: _OneSentence() if label == LCS else metric(label),
        explanation.BEST if options["accumulate"] == BEST else explanation.MEAN,
        f,
        lowers=True,
    )


class _OneSentence(Lcs):
    """rougeL, explained as the union LCS of texts of one sentence each, which it is."""

    __slots__ = ()

    def count(self, model: Text, peer: Text) -> Counts:
        """Return the counts of the whole texts."""
        return super().count(_whole(model), _whole(peer))

    def matches(self, model: Text, peer: Text) -> Matches:
        """Return the matches of the whole texts."""
        return super().matches(_whole(model), _whole(peer))


def _whole(text: Text) -> Text:
    return Text(text.tokens, [text.tokens], forms=text.forms)
