"""Counting of matches between the days that are compared.

Section numbers are those of Martschat and Markert, "Improving ROUGE for Timeline Summarization", 2017.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rouge_cli.core import Counts, Text
from rouge_cli.dialects.tilse.labels import CONCAT, METRICS
from rouge_cli.dialects.tilse.plans import plans, weight
from rouge_cli.dialects.tilse.texts import DayTexts
from rouge_cli.metrics.ngram import NGram

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from rouge_cli.core import Notify
    from rouge_cli.dialects.tilse.texts import Days
    from rouge_cli.formats.timeline import Timeline


class Link(NamedTuple):
    """A day of the prediction, and the day of the references that it is compared with.

    cost: the cost of aligning them. weight: the weight of each of their matches. matches: the number of
    matches for n = 1, 2, ..., summed over the references.
    """

    prediction: date
    reference: date
    cost: float
    weight: float
    matches: Sequence[float]


class Aligned(NamedTuple):
    """The links for precision, by days of the prediction, and for recall, by the references'."""

    precision: Sequence[Link]
    recall: Sequence[Link]


class TimelineCounts(NamedTuple):
    """The counts of a prediction.

    counts: metric -> for n = 1, 2, ... its weighted matches, the references' n-grams, and the prediction's,
    once for each reference. alignments: metric -> its links; none for concat. dates: days, and common ones.
    """

    counts: Mapping[str, Sequence[Counts]]
    alignments: Mapping[str, Aligned]
    dates: Counts


class Engine:
    """Reads timelines and scores them, with n-grams up to `longest`.

    Words are read and stemmed once; prepared days may be scored repeatedly.
    """

    def __init__(self, *, stem: bool, stop: bool, longest: int, notify: Notify) -> None:
        self.texts = DayTexts(stem=stem, stop=stop, notify=notify)
        self._metrics = [NGram(n) for n in range(1, longest + 1)]

    def days(self, timeline: Timeline) -> Days:
        """Return the timeline as the metrics see it."""
        return self.texts.days(timeline)

    def score(
        self, prediction: Days, references: Sequence[Days], metrics: Sequence[str] = METRICS
    ) -> TimelineCounts:
        """Score a prediction against its references, which are pooled.

        A ratio with a denominator of 0 is 0, also in cases in which the toolkit stops with an error.
        """
        theirs = sorted(set().union(*references))
        ours = list(prediction)
        pair = _Pair(self._metrics, prediction, references)
        compared = plans(prediction, references, ours, theirs, metrics)
        alignments = {}
        for metric, plan in compared.items():
            links = [
                [
                    Link(
                        ours[i],
                        theirs[j],
                        plan.cost(i, j),
                        weight((ours[i] - theirs[j]).days),
                        pair.matches(i, j),
                    )
                    for i, j in pairs
                ]
                for pairs in (plan.precision, plan.recall)
            ]
            alignments[metric] = Aligned(*links)
        return TimelineCounts(
            {
                metric: pair.joined() if metric == CONCAT else pair.counts(alignments[metric])
                for metric in metrics
            },
            alignments,
            Counts(len(theirs), len(ours), len(set(ours) & set(theirs))),
        )


class _Pair:
    """A prediction with its references: the n-grams that they share, counted when needed."""

    def __init__(self, metrics: Sequence[NGram], prediction: Days, references: Sequence[Days]) -> None:
        self._metrics = metrics
        self._references = references
        self._ours = [day.text for day in prediction.values()]
        theirs = sorted(set().union(*references))
        self._theirs = [
            [reference[day].text for reference in references if day in reference] for day in theirs
        ]
        self._kept: dict[tuple[int, int], Sequence[float]] = {}

    def matches(self, ours: int, theirs: int) -> Sequence[float]:
        """Return the matches of two days, for each n, summed over the references that have the day."""
        match = self._kept.get((ours, theirs))
        if match is None:
            match = self._kept[ours, theirs] = self._matches(self._ours[ours], self._theirs[theirs])
        return match

    def counts(self, aligned: Aligned) -> list[Counts]:
        """Return the sums of equation 7 before division, in the order of the dates, as in the toolkit."""
        every = [text for texts in self._theirs for text in texts]
        return [
            Counts(
                size(every, metric.n),
                len(self._references) * size(self._ours, metric.n),
                _sum_weighted(aligned.recall, place),
                peer_match=_sum_weighted(aligned.precision, place),
            )
            for place, metric in enumerate(self._metrics)
        ]

    def joined(self) -> list[Counts]:
        """Return the counts of each timeline's joined days (section 3.1): n-grams cross the days' ends."""
        ours = _join(self._ours)
        theirs = [
            _join([reference[day].text for day in sorted(reference)]) for reference in self._references
        ]
        matches = self._matches(ours, theirs)
        return [
            Counts(size(theirs, metric.n), len(theirs) * size([ours], metric.n), match)
            for metric, match in zip(self._metrics, matches, strict=True)
        ]

    def _matches(self, ours: Text, theirs: Sequence[Text]) -> list[float]:
        return [sum(metric.count(text, ours).match for text in theirs) for metric in self._metrics]


def _sum_weighted(links: Sequence[Link], place: int) -> float:
    """Add the matches one by one, as Python before 3.12 does; `sum` compensates rounding since then."""
    total = 0.0
    for link in links:
        total += link.weight * link.matches[place]
    return total


def _join(texts: Sequence[Text]) -> Text:
    return Text([number for text in texts for number in text.tokens])


def size(texts: Sequence[Text], n: int) -> int:
    """Return the number of n-grams in the texts."""
    return sum(max(len(text.tokens) - n + 1, 0) for text in texts)
