"""Explain how PyPI's `rouge` reads a text, token by token, and its arithmetic."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from rouge_cli.dialects.pltrdy.options import build
from rouge_cli.dialects.pltrdy.program import Rouge
from rouge_cli.metrics._lcs_bits import GUARD, paths
from rouge_cli.metrics._matches import Marks, Match, Matches
from rouge_cli.metrics._metric import Metric
from rouge_cli.metrics.sentence_lcs import layout
from rouge_cli.pairwise import explanation
from rouge_cli.pairwise.get_scores import LCS
from rouge_cli.pairwise.program import units_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from rouge_cli.core import Counts, Document, EvalTask, Notify, Text
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


def _specification(options: Options) -> explanation.Specification:
    return explanation.of_rouge(options, build, Rouge.sentences, _Paths(exclusive=options["exclusive"]))
