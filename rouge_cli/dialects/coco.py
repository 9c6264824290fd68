"""ROUGE-L of captions, as in pycocoevalcap 1.2: the best P and the best R over all
references, beta 1.2.

The score is the longest common subsequence of the whole texts, split at single blanks
(two blanks enclose an empty word). P is the highest over all references. So is R,
perhaps from a different reference. F is 2.44 P R / (R + 1.44 P). COCO's evaluation
lower-cases and tokenizes the captions first. Do the same: the metric does neither.

A drop-in for Python code: `from rouge_cli.dialects.coco import Rouge` in place of
`from pycocoevalcap.rouge.rouge import Rouge`.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from rouge_cli.core import Text
from rouge_cli.dialects._base import Beta, Dialect, StringRun, texts_of
from rouge_cli.errors import UsageError, require
from rouge_cli.metrics import Metric, _lcs, sentence_lcs
from rouge_cli.options import in_range
from rouge_cli.scoring.formula import HIGHEST, Formula
from rouge_cli.tasks.ordering import refuse_sets

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


K = TypeVar("K")

LABEL = "ROUGE_L"
BETA = 1.2


class HighestShares(Beta):
    """F with beta of the highest R and the highest P; the counts come from the
    reference with that R.
    """

    def __init__(self, beta: float) -> None:
        super().__init__(beta, HIGHEST)

    def f(self, recall: float, precision: float) -> float:
        """Return F with beta; 0 if R or P is 0."""
        if not (recall and precision):
            return 0.0
        weighted = float(recall + self.beta**2 * precision)
        return ((1 + self.beta**2) * precision * recall) / weighted


class Rouge:
    """`pycocoevalcap.rouge.rouge.Rouge`."""

    def __init__(self) -> None:
        self.beta = BETA

    def calc_score(self, candidate: Sequence[str], refs: Sequence[str]) -> float:
        """Return the F of the candidate; raise AssertionError unless there is
        exactly one candidate.
        """
        refuse_sets(candidate, refs)
        if len(candidate) != 1 or len(refs) == 0:
            raise AssertionError(f"{len(candidate)} candidates, or no references")
        strings = candidate[0], *refs
        documents = [[string.split(" ")] for string in strings]
        prediction, *references = texts_of(
            *documents, entry=f"{__name__}.Rouge", strings=strings
        )
        metric = sentence_lcs.SentenceLcs()
        counts = [metric.count(reference, prediction) for reference in references]
        return HighestShares(self.beta).combine(counts)[1].f

    def compute_score(
        self, gts: Mapping[K, list[str]], res: Mapping[K, list[str]]
    ) -> tuple[np.floating, NDArray[np.float64]]:
        """Return the mean and the array of the scores, in the order of `gts`.

        Args:
            gts: Image -> list of references.
            res: Image -> list of one candidate.

        Raises:
            AssertionError: If the keys differ, or if a value is not such a list.
        """
        require("the mean of the scores needs", "numpy", extra="stats")
        import numpy as np

        if gts.keys() != res.keys():
            raise AssertionError("gts and res have different images")
        for key, references in gts.items():
            if not isinstance(res[key], list) or not isinstance(references, list):
                raise AssertionError(f"image {key!r}: not a list")  # noqa: TRY004 - the package's
        by_image = [self.calc_score(res[key], gts[key]) for key in gts]
        scores = np.array(by_image)
        return np.mean(scores), scores

    def method(self) -> str:
        """Return the metric's name."""
        return "Rouge"


class Coco(StringRun):
    """A run of the dialect."""

    def measure(self, label: str) -> tuple[Metric, Formula]:  # noqa: ARG002 - the only one
        """Return the metric (the longest common subsequence of whole texts) and its
        formulas.
        """
        beta = in_range(self.options, "beta", 0, 1e6)
        return sentence_lcs.SentenceLcs(), HighestShares(beta)

    def counted(self, string: str) -> Sequence[Sequence[str]]:
        """Return the text split at blanks, as one sentence."""
        return [string.split(" ")]


def my_lcs(string: Sequence[Hashable], sub: Sequence[Hashable]) -> int:
    """Return the length of the longest common subsequence of two lists of words."""
    refuse_sets(string, sub)
    ids: dict[Hashable, int] = {}
    texts = []
    for words in (string, sub):
        tokens = [ids.setdefault(word, len(ids)) for word in words]
        texts.append(Text(tokens, [tokens]))
    return _lcs.length(*texts)


def parse(label: str) -> str:
    """Return the only label, in any spelling; raise UsageError for any other label."""
    if label.lower().replace("_", "-") in ("rouge-l", "rougel", "rl", "l", "rouge"):
        return LABEL
    raise UsageError(f"unknown metric {label!r} in dialect coco", remedy=f"use {LABEL}")


DIALECT = Dialect(
    {"metrics": (LABEL,), "beta": BETA, "samples": 0, "sentences": "newline"},
    parse,
    Coco,
    labels=(LABEL,),
    help="""ROUGE_L of captions: the longest common subsequence of whole texts (--dialect coco).

P and R are the best over all references. F has beta 1.2, as in pycocoevalcap.
""",  # noqa: E501 - columns of a table, and its first line is a sentence
)
