"""Explain how PyPI's `rouge` reads a text, token by token, and its arithmetic."""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from typing import TYPE_CHECKING

from rouge_cli.dialects.pltrdy.program import Pltrdy, Rouge
from rouge_cli.metrics._lcs_bits import GUARD, paths
from rouge_cli.metrics._matches import Marks, Match, Matches
from rouge_cli.metrics._metric import Metric
from rouge_cli.metrics.sentence_lcs import layout
from rouge_cli.pairwise import explanation
from rouge_cli.pairwise.get_scores import LCS

if TYPE_CHECKING:
    from rouge_cli.core import Counts, Text
    from rouge_cli.options import Options


class _Paths(Metric):
    """The package's rouge-l: different words on any path, or if not exclusive the words of each path."""

    __slots__ = fields = ("exclusive",)
    label = LCS

    def __init__(self, *, exclusive: bool) -> None:
        self.exclusive = exclusive

    def count(self, model: Text, peer: Text) -> Counts:
        """Return the package's counts."""
        return Rouge.lcs(model, peer, exclusive=self.exclusive)

    def matches(self, model: Text, peer: Text) -> Matches:
        """Return the words on paths, and their first places; beyond these they are clipped."""
        rows = peer.once(layout)
        on_path: dict[int, list[int]] = defaultdict(list)  # word -> its rows
        for path in paths(rows, model.sentences):
            for row in (row for row in range(path.bit_length()) if path >> row & 1):
                on_path[rows.tokens[row]].append(row)
        places = [place for place, token in enumerate(rows.tokens) if token != GUARD]
        of_row = {row: place for place, row in enumerate(places)}
        marks = Marks(set(), set()), Marks(set(), set())
        matches = []
        for word, taken in on_path.items():
            in_model = [place for place, token in enumerate(model.tokens) if token == word]
            in_peer = sorted({of_row[row] for row in taken})
            for side, where in zip(marks, (in_model, in_peer), strict=True):
                side.counted.update(where[:1] if self.exclusive else where)
                side.clipped.update(where)
            times = 1 if self.exclusive else len(taken)
            matches.append(Match((word,), len(in_model), peer.tokens.count(word), times))
        return Matches(matches, *marks)


def specification(options: Options) -> explanation.Specification:
    """Return the parts of an explanation that only this dialect has."""
    return explanation.rouge_specification(
        options, Pltrdy, Rouge.sentences, _Paths(exclusive=options["exclusive"])
    )


explainer = partial(explanation.explainer, specification)
forms = partial(explanation.forms, specification)
