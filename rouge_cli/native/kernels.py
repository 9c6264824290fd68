"""The kernels: which metrics they count, and which formulas compiled code has.

Metrics and formulas know nothing of kernels. What is not in the tables below is done by
plain Python, so that a metric or a formula that compiled code has never heard of cannot
change a number. Classes are named, not imported: a run imports its own dialect only. A
class derived from one of them may count in another way, and is not meant.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from rouge_cli.metrics._lcs import QUADRATIC

if TYPE_CHECKING:
    from rouge_cli.metrics import Metric
    from rouge_cli.scoring.formula import Formula

# The numbers of `Kind` in texts.hpp.
(
    NGRAM,
    SKIP_BIGRAM,
    LCS,
    WEIGHTED_LCS,
    SENTENCE_LCS,
    DISTINCT_NGRAM,
    DISTINCT_LCS,
    LINE_NGRAM,
) = range(8)
# The largest distance of a skip-bigram, which is longer than any text.
FARTHEST = 2**31 - 1


class KernelSpec(NamedTuple):
    """The kernel of one metric."""

    kind: int
    number: int = 0  # n of n-grams; the distance for SKIP_BIGRAM, negative for any
    unigrams: bool = False
    weight: float = 1.0  # for WEIGHTED_LCS


class Way(NamedTuple):
    """How the counts against several references become a score."""

    several: str  # one of the ways in `scoring.formula`
    f: str  # the name of the F in scoring.hpp
    constant: float = 0.0  # in this F


def _skip_bigram(metric: Any) -> KernelSpec | None:  # noqa: ANN401 - a SkipBigram
    if metric.distance is None:
        return KernelSpec(SKIP_BIGRAM, -1, metric.unigrams)
    # Perl has fractions, and distances that leave no pairs.
    if not isinstance(metric.distance, int) or metric.distance < 0:
        return None
    return KernelSpec(SKIP_BIGRAM, min(metric.distance, FARTHEST), metric.unigrams)


def _weighted_lcs(metric: Any) -> KernelSpec | None:  # noqa: ANN401 - a WeightedLcs
    if metric.weight > QUADRATIC:
        return None  # powers of runs do not fit in doubles
    return KernelSpec(WEIGHTED_LCS, weight=metric.weight)


def _path_words(metric: Any) -> KernelSpec | None:  # noqa: ANN401 - a PathWords
    return KernelSpec(DISTINCT_LCS) if metric.exclusive else None


def _py_rouge_grams(metric: Any) -> KernelSpec | None:  # noqa: ANN401 - a Grams
    # A text has a token, so that fewer than none are possible from three on.
    return KernelSpec(NGRAM, metric.n) if metric.n < 3 else None


def _units(metric: Any) -> KernelSpec | None:  # noqa: ANN401 - a Units of rouge2
    equal = metric.equal
    return kernel_of(equal) if equal and metric.has_plain_words else None


def _f_beta(formula: Any) -> Way | None:  # noqa: ANN401 - an FBeta of js
    return Way(formula.several, "even") if formula.beta == 1 else None


def _unrounded(formula: Any) -> Way | None:  # noqa: ANN401 - an Unrounded
    if formula.root != 1:
        return None
    return Way(formula.several, "weighted", formula.alpha)


# The metrics that kernels count given any texts.
COUNTED: Mapping[str, Callable[[Any], KernelSpec | None]] = {
    "dialects.pltrdy.PathWords": _path_words,
    "dialects.rouge2.counts.LineNGram": lambda own: KernelSpec(LINE_NGRAM, own.n),
    "metrics.lcs.Lcs": lambda _: KernelSpec(LCS),
    "metrics.lcs.WeightedLcs": _weighted_lcs,
    "metrics.ngram.DistinctNGram": lambda own: KernelSpec(DISTINCT_NGRAM, own.n),
    "metrics.ngram.NGram": lambda own: KernelSpec(NGRAM, own.n),
    "metrics.sentence_lcs.SentenceLcs": lambda _: KernelSpec(SENTENCE_LCS),
    "metrics.skip_bigram.SkipBigram": _skip_bigram,
}
# The same, and those that kernels count given the texts that a whole run reads.
OF_RUNS: Mapping[str, Callable[[Any], KernelSpec | None]] = {
    **COUNTED,
    "dialects.py_rouge.Grams": _py_rouge_grams,
    "dialects.rouge2.counts.Units": _units,
    # of tokens without tabs
    "dialects.rougeraw.JoinedNGram": lambda own: KernelSpec(NGRAM, own.n),
}
FORMULAS: Mapping[str, Callable[[Any], Way | None]] = {
    "dialects.coco.HighestShares": lambda own: Way(own.several, "beta", own.beta**2),
    "dialects.js.FBeta": _f_beta,
    "dialects.py_rouge.Roots": _unrounded,
    "dialects.rougeraw.Shares": lambda own: Way(own.several, "shares"),
    "dialects.torchmetrics.SinglePrecision": lambda own: Way(own.several, "single"),
    "scoring.formula.Harmonic": lambda own: Way(own.several, "harmonic", own.epsilon),
    "scoring.formula.Unrounded": _unrounded,
}


def name_of_class(value: object) -> str:
    """Return the name of a value's class within this package; empty if it is not of
    this package.
    """
    package, _, _ = __name__.partition(".")
    name = f"{type(value).__module__}.{type(value).__qualname__}"
    return name.removeprefix(f"{package}.") if name.startswith(f"{package}.") else ""


def kernel_of(
    metric: Metric, known: Mapping[str, Callable[[Any], KernelSpec | None]] = COUNTED
) -> KernelSpec | None:
    """Return the kernel of a metric; None if plain Python must count it."""
    make = known.get(name_of_class(metric))
    return make(metric) if make else None


def way_of(formula: Formula) -> Way | None:
    """Return what compiled code calls a formula; None if it does not have it."""
    make = FORMULAS.get(name_of_class(formula))
    return make(formula) if make else None
