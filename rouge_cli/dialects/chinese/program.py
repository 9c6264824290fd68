"""Texts, ROUGE-L and the class `Rouge` as in PyPI's `rouge-chinese`."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

from rouge_cli.metrics.sentence_lcs import SentenceLcs
from rouge_cli.pairwise import get_scores

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


class Rouge(get_scores.Rouge):
    """`rouge_chinese.Rouge`."""

    __doc__ = get_scores.Rouge.__doc__

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


class FilesRouge(get_scores.FilesRouge):
    """`rouge_chinese.FilesRouge`."""

    package = Rouge


class Chinese(get_scores.SetProgram):
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
