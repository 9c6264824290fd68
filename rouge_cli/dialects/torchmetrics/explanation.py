"""Explain how torchmetrics reads a text, token by token, and its arithmetic."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from rouge_cli.core import Text
from rouge_cli.dialects.torchmetrics.program import (
    BEST,
    LCS,
    STEMMER,
    Torchmetrics,
    make_metric,
    splitter,
    tokens_by_sentence,
)
from rouge_cli.metrics.lcs import Lcs
from rouge_cli.pairwise import explanation

if TYPE_CHECKING:
    from rouge_cli.core import Counts
    from rouge_cli.metrics._matches import Matches
    from rouge_cli.options import Options


def specification(options: Options) -> explanation.Specification:
    """Return the parts of an explanation that only this dialect has."""
    split = splitter(options["metrics"])
    return explanation.Specification(
        Torchmetrics,
        lambda label: _OneSentence() if label == LCS else make_metric(label),
        explanation.BEST if options["accumulate"] == BEST else explanation.MEAN,
        explanation.harmonic_f,
        lambda string: tokens_by_sentence(string, split, stems=options["stemmer"] == STEMMER),
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


explainer = partial(explanation.explainer, specification)
forms = partial(explanation.forms, specification)
