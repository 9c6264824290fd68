"""The days that timelines are compared by, and the counting of their matches.

Section and equation numbers are those of Martschat and Markert, "Improving ROUGE for Timeline
Summarization", 2017.
"""

from __future__ import annotations

import string
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from rouge_cli.core import Counts, Text
from rouge_cli.dialects.tilse.labels import AGREEMENT, ALIGN, CONCAT, CONTENT, MANY, METRICS
from rouge_cli.metrics.ngram import NGram
from rouge_cli.scoring import alignment
from rouge_cli.text import stemmers
from rouge_cli.text.tokens import tokens
from rouge_cli.text.vocabulary import Vocabulary, make_normalizer
from rouge_cli.text.word_lists import irregular_forms, stop_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from datetime import date

    from rouge_cli.core import Notify
    from rouge_cli.formats.timeline import Timeline
    from rouge_cli.scoring.alignment import Costs, Pairs

    # Each date with its day, in ascending order.
    Days = dict[date, "Day"]


class Day(NamedTuple):
    """A day of a timeline.

    text: its tokens, for counting matches. words: for computing costs, see QUIRKS 39.
    """

    text: Text
    words: Counter[str]


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
    """The counts of a prediction and its references, which are kept with them.

    counts: metric -> for n = 1, 2, ... its weighted matches, the references' n-grams, and the prediction's,
    once for each reference. alignments: metric -> its links; none for concat. dates: days, and common ones.
    """

    prediction: Days
    references: Sequence[Days]
    counts: Mapping[str, Sequence[Counts]]
    alignments: Mapping[str, Aligned]
    dates: Counts


class Engine:
    """Reads timelines and scores them, with n-grams up to `longest`.

    Words are read and stemmed once; prepared days may be scored repeatedly.
    """

    def __init__(self, *, stem: bool, stop: bool, longest: int, notify: Notify) -> None:
        self.normalize = make_normalizer(
            stop_words(None, notify) if stop else frozenset(),
            stemmers.RougeStemmer(irregular_forms(None, notify)) if stem else None,
            stemmers.SHORTEST_STEMMED,
        )
        self._vocabulary = Vocabulary(self.normalize)
        self._metrics = [NGram(n) for n in range(1, longest + 1)]

    def days(self, timeline: Timeline) -> Days:
        """Return the timeline as the metrics see it."""
        return {
            day: Day(Text(self._ids(sentences)), Counter(_words(sentences)))
            for day, sentences in sorted(timeline.items())
        }

    def _ids(self, sentences: Sequence[str]) -> list[int]:
        return [
            number
            for sentence in sentences
            for number in self._vocabulary.ids(tokens(sentence.encode("utf-8", "replace")))
        ]

    def score(
        self, prediction: Days, references: Sequence[Days], metrics: Sequence[str] = METRICS
    ) -> TimelineCounts:
        """Score a prediction against its references, which are pooled.

        A ratio with a denominator of 0 is 0, also in cases in which the toolkit stops with an error.
        """
        theirs = sorted(set().union(*references))
        ours = list(prediction)
        pair = _Pair(self._metrics, prediction, references)

        def link(i: int, j: int, cost: float) -> Link:
            return Link(ours[i], theirs[j], cost, weight((ours[i] - theirs[j]).days), pair.matches(i, j))

        alignments = {}
        for metric, plan in _plans(prediction, references, ours, theirs, metrics).items():
            links = ([link(i, j, plan.cost(i, j)) for i, j in pairs] for pairs in plan[:2])
            alignments[metric] = Aligned(*links)
        counts = {
            metric: pair.joined() if metric == CONCAT else pair.counts(alignments[metric])
            for metric in metrics
        }
        dates = Counts(len(theirs), len(ours), len(set(ours) & set(theirs)))
        return TimelineCounts(prediction, references, counts, alignments, dates)


def _words(sentences: Sequence[str]) -> Iterator[str]:
    """Split at white space and drop every token inside the string of ASCII punctuation (QUIRKS 39)."""
    for sentence in sentences:
        for word in sentence.split():
            if word not in string.punctuation:
                yield word


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


class _Plan(NamedTuple):
    """The day of theirs (by place) that each of our days is compared with, and the cost."""

    precision: Pairs
    recall: Pairs
    cost: Callable[[int, int], float]


def _plans(
    prediction: Days,
    references: Sequence[Days],
    ours: Sequence[date],
    theirs: Sequence[date],
    metrics: Sequence[str],
) -> dict[str, _Plan]:
    """Return the comparisons of each metric that has any."""
    by_metric: dict[str, _Plan] = {}
    if AGREEMENT in metrics:
        place = {day: number for number, day in enumerate(theirs)}
        same = [(number, place[day]) for number, day in enumerate(ours) if day in place]
        by_metric[AGREEMENT] = _Plan(same, same, lambda _, __: 0.0)
    if not {ALIGN, CONTENT, MANY}.isdisjoint(metrics):
        # Equation 9. Equal costs are equal to the last bit, so the order of operations matters.
        places = [day.toordinal() for day in theirs]
        dates = [[1 - weight(day.toordinal() - place) for place in places] for day in ours]
        if ALIGN in metrics:
            by_metric[ALIGN] = _plan(dates, alignment.one_to_one)
        if not {CONTENT, MANY}.isdisjoint(metrics):
            costs = _with_content(dates, _similarities(prediction, references, theirs))
            if CONTENT in metrics:
                by_metric[CONTENT] = _plan(costs, alignment.one_to_one)
            if MANY in metrics:
                by_metric[MANY] = _plan(costs, alignment.many_to_one)
    return {metric: by_metric[metric] for metric in metrics if metric in by_metric}


def weight(days: int) -> float:
    """Return the weight of a match of dates that are this many days apart: 1 / (k + 1), equation 6."""
    return 1 / (abs(days) + 1)


def _plan(costs: Costs, align: Callable[[Costs], Pairs]) -> _Plan:
    """Use one matrix for both directions; with equal sizes it may choose otherwise (QUIRKS 40)."""
    recall = align(alignment.transpose(costs))
    return _Plan(align(costs), [(ours, theirs) for theirs, ours in recall], lambda i, j: costs[i][j])


def _with_content(dates: Costs, similarities: Sequence[Mapping[int, float]]) -> Costs:
    """Return the costs of equation 10."""
    return [
        [cost * (1 - similar[place]) if place in similar else cost for place, cost in enumerate(row)]
        for row, similar in zip(dates, similarities, strict=True)
    ]


def _similarities(
    prediction: Days, references: Sequence[Days], theirs: Sequence[date]
) -> list[dict[int, float]]:
    """Return, for each of our days, the F1 of the words of their days that share a word (QUIRKS 39)."""
    totals = [
        sum(reference[day].words.total() for reference in references if day in reference) for day in theirs
    ]
    holders: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for place, day in enumerate(theirs):
        for reference in references:
            if day in reference:
                for word, times in reference[day].words.items():
                    holders[word].append((place, times))
    similarities = []
    for own in prediction.values():
        shared: dict[int, int] = defaultdict(int)
        for word, times in own.words.items():
            for place, others in holders.get(word, ()):
                shared[place] += min(times, others)
        total = len(references) * own.words.total()
        similarities.append({place: _f1(match, total, totals[place]) for place, match in shared.items()})
    return similarities


def _f1(match: int, ours: int, theirs: int) -> float:
    precision, recall = match / ours, match / theirs
    return 2 * precision * recall / (precision + recall)
