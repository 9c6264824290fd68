"""PyPI's package `rouge` 1.0.1 (pltrdy's): n-grams as sets, and a ROUGE-L of its own.

Words are separated by white space and keep their case; sentences end at every `.`, also in
`U.S.` and `3.5`, and line ends are only white space. Each n-gram counts once, however often it
occurs. ROUGE-L counts the different words on any longest common subsequence of two sentences. F is
2 P R / (P + R + 1e-8). The package takes one model for each peer; with several, scores are means here.

A drop-in for Python code: `from rouge_cli.dialects.pltrdy import FilesRouge, Rouge` in place of
`from rouge import FilesRouge, Rouge`. Long sentences, which exceed the recursion limit in the
package, are scored.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from rouge_cli.dialects import Dialect, _get_scores, label_parser
from rouge_cli.metrics import Marks, Match, Matches, Metric
from rouge_cli.metrics._lcs import GUARD, layout, marked_bits, paths

if TYPE_CHECKING:
    from rouge_cli.core import Counts, Text


class PathWords(Metric):
    """The package's rouge-l: different words on any path, or if not exclusive the words of each path.

    On ties the package's paths are those of ROUGE-1.5.5 with model and peer exchanged.
    """

    __slots__ = fields = ("exclusive",)
    label = _get_scores.LCS

    def __init__(self, *, exclusive: bool) -> None:
        self.exclusive = exclusive

    def count(self, reference: Text, prediction: Text) -> Counts:
        """Return the different words on any path, or if not exclusive the summed lengths of all paths."""
        rows = prediction.once(layout)
        by_sentence = paths(rows, reference.sentences)
        if not self.exclusive:
            match = sum(path.bit_count() for path in by_sentence)
            return self.counts(len(reference.tokens), len(prediction.tokens), match)
        marked = 0
        for path in by_sentence:
            marked |= path
        words = {token for token, mask in rows.masks.items() if mask & marked}
        return self.counts(len(set(reference.tokens)), len(set(prediction.tokens)), len(words))

    def matches(self, reference: Text, prediction: Text) -> Matches:
        """Return the words on paths, and their first places; beyond these they are clipped."""
        rows = prediction.once(layout)
        on_path: dict[int, list[int]] = defaultdict(list)  # word -> its rows
        for path in paths(rows, reference.sentences):
            for row in marked_bits(path):
                on_path[rows.tokens[row]].append(row)
        places = [place for place, token in enumerate(rows.tokens) if token != GUARD]
        of_row = {row: place for place, row in enumerate(places)}
        marks = Marks(set(), set()), Marks(set(), set())
        matches = []
        for word, taken in on_path.items():
            in_reference = [place for place, token in enumerate(reference.tokens) if token == word]
            in_prediction = sorted({of_row[row] for row in taken})
            for side, where in zip(marks, (in_reference, in_prediction), strict=True):
                side.counted.update(where[:1] if self.exclusive else where)
                side.matching.update(where)
            times = 1 if self.exclusive else len(taken)
            matches.append(Match((word,), len(in_reference), prediction.tokens.count(word), times))
        return Matches(matches, *marks)


class Rouge(_get_scores.Rouge):
    """`rouge.Rouge`."""

    __doc__ = _get_scores.Rouge.__doc__

    @staticmethod
    def sentences(string: str) -> list[list[str]]:
        """Split at dots; a sentence of only white space has one empty word."""
        return [part.split() or [""] for part in string.split(".") if part]

    @staticmethod
    def lcs(*, exclusive: bool) -> Metric:
        """Return the metric of rouge-l."""
        return PathWords(exclusive=exclusive)


class FilesRouge(_get_scores.FilesRouge):
    """`rouge.FilesRouge`."""

    package = Rouge


class Pltrdy(_get_scores.SetRun):
    """The dialect for one run."""

    package = Rouge


DIALECT = Dialect(_get_scores.DEFAULTS, label_parser("pltrdy", _get_scores.LABELS), Pltrdy)
