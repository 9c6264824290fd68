"""What a score needs: the fewest matches that two texts of some sizes must have."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

from rouge_cli import metrics
from rouge_cli.errors import UsageError
from rouge_cli.metrics import Metric
from rouge_cli.metrics.ngram import grams
from rouge_cli.native.kernels import name_of_class

if TYPE_CHECKING:
    from rouge_cli.core import Text
    from rouge_cli.dialects._run import DialectRun
    from rouge_cli.scoring.formula import Formula

THRESHOLD = 0.7  # as of those who filter instructions (Wang et al. 2023)
Bag = Counter[Hashable]
Element = tuple[Hashable, int]
# The letter behind a label -> the field of a score.
MEASURES: Mapping[str, str] = {"R": "recall", "P": "precision", "F": "f"}


def _own(metric: Any, text: Text) -> Bag:  # noqa: ANN401 - a metric with a bag
    bag: Bag = metric.bag(text)
    return bag


def _words(_: object, text: Text) -> Bag:
    return grams(text, 1)


def _different_words(_: object, text: Text) -> Bag:
    return Counter(set(text.tokens))


# The metrics whose matches are at most the overlap of two bags, with the bag of a text.
# Classes are named, not imported: a run imports its own dialect only.
BAGS: Mapping[str, Callable[[Any, Text], Bag]] = {
    "dialects.pltrdy.PathWords": _different_words,
    "dialects.py_rouge.Grams": _own,
    "dialects.rougeraw.JoinedNGram": _own,
    "metrics.lcs.Lcs": _words,
    "metrics.sentence_lcs.SentenceLcs": _words,
}


def bag_of(metric: Metric) -> Callable[[Any, Text], Bag] | None:
    """Return the function that makes the bag of a text; None if the metric is no ratio
    of overlaps of bags.
    """
    if type(metric).count is Metric.count:
        return _own
    if not getattr(metric, "exclusive", True):
        return None  # a word of rouge-l counts once for each path
    return BAGS.get(name_of_class(metric))


class Overlap(NamedTuple):
    """A metric whose score is a ratio of overlaps: it follows from the sizes of two
    texts, and from the number of units that match.

    More matches never make a lower score. No more units match than both bags have:
    ROUGE-L counts those that are in the same order.

    Attributes:
        metric: Counts.
        formula: Makes a score of the counts.
        measure: A field of the score: `recall`, `precision` or `f`.
        threshold: The score that similar texts reach.
    """

    metric: Metric
    formula: Formula
    measure: str
    threshold: float

    def elements(self, text: Text) -> list[Element]:
        """Return the bag of a text as a set: the second occurrence of a unit is another
        element.
        """
        bag = bag_of(self.metric)
        assert bag  # noqa: S101 - `chosen` refuses other metrics
        elements: list[Element] = []
        for unit, times in bag(self.metric, text).items():
            elements += [(unit, occurrence) for occurrence in range(times)]
        return elements

    def score(self, reference: Text, prediction: Text) -> float:
        """Return the score of two texts."""
        (pairs,) = metrics.count_all([self.metric], [reference], prediction)
        _, score = self.formula.combine(pairs)
        value: float = getattr(score, self.measure)
        return value

    def needed(self, reference: int, prediction: int) -> float:
        """Return the fewest matches with which texts of these sizes reach the
        threshold; inf if they cannot.

        The dialect's own formula decides, so that its rounding is taken into account.
        """

        def is_enough(match: int) -> bool:
            counts = self.metric.counts(reference, prediction, match)
            _, score = self.formula.combine([counts])
            return bool(getattr(score, self.measure) >= self.threshold)

        matches = range(1, min(reference, prediction) + 1)
        place = bisect_left(matches, True, key=is_enough)  # noqa: FBT003 - what is found
        return matches[place] if place < len(matches) else inf


def check_threshold(threshold: float) -> None:
    """Raise UsageError for a score that all pairs reach, or none."""
    if not 0 < threshold <= 1:
        remedy = "give a score above 0 and up to 1, as in 0.7"
        raise UsageError(f"the threshold is {threshold}", remedy=remedy)


def chosen(run: DialectRun, dialect: str, letter: str, threshold: float) -> Overlap:
    """Return what a run with one metric computes of two texts.

    Args:
        letter: R, P or F.
        threshold: The score that similar texts reach.

    Raises:
        UsageError: The threshold is not above 0 and at most 1, or the score is no ratio
            of overlaps.
    """
    check_threshold(threshold)
    ((label, measure),) = run.measures.items()
    reason = ""
    if dialect == "tilse":
        reason = "scores timelines"
    elif dialect == "rouge2":
        reason = "matches words by their tags and synonyms"
    if reason:
        raise UsageError(
            f"dialect {dialect} {reason}: similar texts cannot be found by the words"
            " that they share",
            remedy="use another dialect",
        )
    if measure.metric.counts_elements or bag_of(measure.metric) is None:
        raise UsageError(
            f"{label} is no ratio of shared units: similar texts cannot be found by the"
            " words that they share",
            remedy="use ROUGE-N or ROUGE-L, as in R2 or RL",
        )
    return Overlap(measure.metric, measure.formula, MEASURES[letter], threshold)
