"""PyPI's `rouge-chinese` 1.0.3: `rouge` with Chinese sentences, and ROUGE-L of the
whole text.

Words are separated by white space, so segment Chinese first. Sentences end at line ends
and after the Chinese full stop, the Chinese exclamation mark and both question marks;
words end there, too. Each n-gram counts once, but ROUGE-L counts repeated words. F is 2
P R / (P + R + 1e-8). The package takes one reference per prediction. With several
references rouge-cli returns the mean scores.

A drop-in for Python code: `from rouge_cli.dialects.chinese import FilesRouge, Rouge` in
place of `from rouge_chinese import FilesRouge, Rouge`. It is much faster on long texts.
"""

import re
from collections.abc import Sequence
from itertools import chain

from rouge_cli.dialects import pltrdy
from rouge_cli.dialects._base import of_strings
from rouge_cli.metrics import Metric, sentence_lcs

_STOPS, _CLOSING = "。！？?", "”’"  # noqa: RUF001 - Chinese marks
# Ends of sentences, each with the characters that must not follow it. The passes run in
# this order. A match includes the next character, which therefore cannot end a sentence
# in the same pass (QUIRKS 77).
_PASSES = (
    (f"[{_STOPS}]", _CLOSING),
    (re.escape("." * 6), _CLOSING),
    ("…" * 2, _CLOSING),
    (f"[{_STOPS}][{_CLOSING}]", f"，{_STOPS}"),  # noqa: RUF001
)
_ENDS = (*_STOPS, "." * 6, "…" * 2)


class Rouge(pltrdy.Rouge):
    """`rouge_chinese.Rouge`."""

    __doc__ = pltrdy.Rouge.__doc__

    @staticmethod
    def cut_sent(para: str) -> list[str]:
        """Split into sentences; line ends end sentences, too (two marks in a row:
        QUIRKS 77).
        """
        # Like the package's re.sub, str.count raises TypeError for all but strings.
        if any(str.count(para, end) for end in _ENDS):
            for end, unless in _PASSES:
                para = re.sub(rf"({end})([^{unless}])", "\\1\n\\2", para)
        return para.rstrip().split("\n")

    @staticmethod
    def cut(string: str) -> list[str]:
        """Split after Chinese marks and at line ends."""
        return Rouge.cut_sent(string)

    def metric(self, label: str) -> Metric:
        """Return the metric of a label; rouge-l is the longest common subsequence of
        the whole texts.
        """
        if label == pltrdy.LCS:
            return sentence_lcs.SentenceLcs()
        return super().metric(label)


pltrdy.offer_metrics(Rouge)


class FilesRouge(pltrdy.FilesRouge):
    """`rouge_chinese.FilesRouge`."""

    package = Rouge


class Chinese(pltrdy.Pltrdy):
    """A run of the dialect."""

    package = Rouge

    def counted(self, string: str) -> Sequence[Sequence[str]]:
        """Return all words as one sentence, since no metric uses sentences."""
        return [list(chain.from_iterable(super().counted(string)))]


DEFAULTS = dict(pltrdy.DEFAULTS)
del DEFAULTS["blank_sentences"]  # of a fork of `rouge`
DIALECT = of_strings("chinese", pltrdy.LABELS, Chinese, DEFAULTS)
