"""PyPI's `rouge-chinese` 1.0.3: `rouge` with other sentences, and ROUGE-L of the whole text.

Words are separated by white space, so segment Chinese first. Sentences, and the words in them, end with
the line and after the Chinese full stop, its exclamation mark and both question marks. Each n-gram counts
once, but ROUGE-L counts repeated words. F is 2 P R / (P + R + 1e-8). The package takes one model for each
peer; with several, scores are means here.

A drop-in for Python code: `from rouge_cli.dialects.chinese import FilesRouge, Rouge` in place of
`from rouge_chinese import FilesRouge, Rouge`. It is much faster on long texts.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

from rouge_cli.dialects import Dialect, _get_scores, label_parser
from rouge_cli.metrics.sentence_lcs import SentenceLcs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rouge_cli.metrics import Metric


_STOPS, _CLOSING = "。！？?", "”’"  # noqa: RUF001 - Chinese marks
# The ends of sentences, unless one of these characters follows; applied one after the other. The character
# that follows is consumed, so it ends nothing in the same pass (QUIRKS 77).
_PASSES = (
    (f"[{_STOPS}]", _CLOSING),
    (re.escape("." * 6), _CLOSING),
    ("…" * 2, _CLOSING),
    (f"[{_STOPS}][{_CLOSING}]", f"，{_STOPS}"),  # noqa: RUF001
)


class Rouge(_get_scores.Rouge):
    """`rouge_chinese.Rouge`."""

    __doc__ = _get_scores.Rouge.__doc__

    def cut_sent(self, para: str) -> list[str]:
        """Return the sentences of a paragraph."""
        return split_sentences(para)

    @staticmethod
    def sentences(string: str) -> list[list[str]]:
        """Return the words of each sentence; a sentence of only white space has one empty word."""
        return [sentence.split() or [""] for sentence in split_sentences(string) if sentence]

    @staticmethod
    def lcs(*, exclusive: bool) -> Metric:  # noqa: ARG004 - it makes no difference
        """Return the metric of rouge-l: the longest common subsequence of the whole texts."""
        return SentenceLcs()


class FilesRouge(_get_scores.FilesRouge):
    """`rouge_chinese.FilesRouge`."""

    package = Rouge


class Chinese(_get_scores.SetRun):
    """The dialect for one run."""

    package = Rouge

    def words(self, string: str) -> Sequence[Sequence[tuple[str, str]]]:
        """Return all words as one sentence, since no measure uses sentences."""
        return [list(chain.from_iterable(super().words(string)))]


def split_sentences(paragraph: str) -> list[str]:
    """Split into sentences, which also end at line ends; for two marks in a row see QUIRKS 77."""
    for end, unless in _PASSES:
        paragraph = re.sub(rf"({end})([^{unless}])", "\\1\n\\2", paragraph)
    return paragraph.rstrip().split("\n")


DIALECT = Dialect(_get_scores.DEFAULTS, label_parser("chinese", _get_scores.LABELS), Chinese)
