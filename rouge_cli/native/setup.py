"""The setup of a compiled program: the facts that dialects and metrics declare."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rouge_cli.text.tokens import Limit
    from rouge_cli.text.vocabulary import Normalizer

# The numbers of `Kind` in texts.hpp.
NGRAM, SKIP_BIGRAM, LCS, WEIGHTED_LCS, SENTENCE_LCS = range(5)


class KernelSpec(NamedTuple):
    """The kernel of one metric.

    number: n for NGRAM; the distance for SKIP_BIGRAM, negative for any. weight: for WEIGHTED_LCS.
    """

    kind: int
    number: int = 0
    unigrams: bool = False
    weight: float = 1.0


class KernelSetup(NamedTuple):
    """A run that compiled code can do: tokens are ASCII letters and digits, sentences those of the format.

    normalize: from a raw token to the form that is counted; None if they are the same. is_google: best
    model by F, nothing rounded, text lower-cased as Unicode; else ROUGE-1.5.5's arithmetic. is_scored: rows
    hold scores; else counts only, to be averaged.
    """

    specs: Sequence[KernelSpec]
    normalize: Normalizer | None = None
    is_google: bool = False
    limit: Limit | None = None
    best_model: bool = False
    alpha: float = 0.5
    is_scored: bool = True
