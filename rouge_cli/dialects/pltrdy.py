"""PyPI's package `rouge` 1.0.1 (pltrdy's): n-grams as sets, and a ROUGE-L of its own.

Words are separated by white space and keep their case. Sentences end at every `.`, also in `U.S.` and
`3.5`; line ends are only white space. Repeated n-grams count once. ROUGE-L counts the different words on
the longest common subsequences of all pairs of sentences. F is 2 P R / (P + R + 1e-8). The package takes
one reference per prediction. With several references rouge-cli returns the mean scores.

A drop-in for Python code: `from rouge_cli.dialects.pltrdy import FilesRouge, Rouge` in place of
`from rouge import FilesRouge, Rouge`. Long sentences are scored; in the package they exceed the recursion
limit.
"""

from __future__ import annotations

from collections import defaultdict

from rouge_cli.core import Counts, Match, Text
from rouge_cli.dialects import Dialect, _get_scores, label_parser
from rouge_cli.metrics import Marks, Matches, Metric
from rouge_cli.metrics._lcs import layout, marked_bits, paths, positions, union


class PathWords(Metric):
    """The package's rouge-l, counted on LCS paths of pairs of sentences.

    Counts the different words on all paths, or the length of all paths if not exclusive. On ties the
    package chooses the path that ROUGE-1.5.5 chooses with prediction and reference exchanged.
    """

    __slots__ = fields = ("exclusive",)
    label = _get_scores.LCS

    def __init__(self, *, exclusive: bool) -> None:
        self.exclusive = exclusive

    def count(self, reference: Text, prediction: Text) -> Counts:
        """Count the different words on all paths, or sum the lengths of the paths if not exclusive."""
        rows = prediction.once(layout)
        by_sentence = paths(rows, reference.sentences)
        if not self.exclusive:
            match = sum(path.bit_count() for path in by_sentence)
            return self.counts(len(reference.tokens), len(prediction.tokens), match)
        marked = union(by_sentence)
        words = {token for token, mask in rows.masks.items() if mask & marked}
        return self.counts(len(set(reference.tokens)), len(set(prediction.tokens)), len(words))

    def matches(self, reference: Text, prediction: Text) -> Matches:
        """Return the words on paths; if exclusive only the first position of a word counts."""
        rows = prediction.once(layout)
        on_path: dict[int, list[int]] = defaultdict(list)  # word -> its rows
        for path in paths(rows, reference.sentences):
            for row in marked_bits(path):
                on_path[rows.tokens[row]].append(row)
        position = positions(rows)
        marks = Marks(set(), set()), Marks(set(), set())
        matches = []
        for word, word_rows in on_path.items():
            in_reference = [index for index, token in enumerate(reference.tokens) if token == word]
            in_prediction = sorted({position[row] for row in word_rows})
            for side, occurrences in zip(marks, (in_reference, in_prediction), strict=True):
                side.counted.update(occurrences[:1] if self.exclusive else occurrences)
                side.matching.update(occurrences)
            times = 1 if self.exclusive else len(word_rows)
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
    """A run of the dialect."""

    package = Rouge


DIALECT = Dialect(_get_scores.DEFAULTS, label_parser("pltrdy", _get_scores.LABELS), Pltrdy)
