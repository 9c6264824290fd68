"""The days that timelines are compared by, their alignment, and the counting of their matches.

Section and equation numbers are those of Martschat and Markert, "Improving ROUGE for Timeline
Summarization", 2017.
"""

from __future__ import annotations

import string
from collections import Counter, defaultdict
from contextlib import suppress
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from rouge_cli.core import Counts, Text
from rouge_cli.data import irregular_forms, stop_words
from rouge_cli.metrics.ngram import NGram
from rouge_cli.text import stemmers
from rouge_cli.text.tokens import Vocabulary, make_normalizer, tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import date

    import numpy as np
    from numpy.typing import NDArray

    from rouge_cli.core import Notify
    from rouge_cli.formats.timeline import Timeline

    # Each date with its day, in ascending order.
    Days = dict[date, "Day"]

    Costs = Sequence[Sequence[float]]
    # Rows with their columns, by rows.
    Pairs = list[tuple[int, int]]
    # Each column's distance, the row before it on its path, the columns that were passed, and the free one.
    Path = tuple[list[float], list[int], list[int], int]

CONCAT, AGREEMENT, ALIGN, CONTENT, MANY = METRICS = (
    "concat",
    "agreement",
    "align",
    "align-content",
    "align-content-m1",
)


class Day(NamedTuple):
    """A day of a timeline."""

    text: Text  # its tokens, for counting matches
    words: Counter[str]  # for computing costs, see QUIRKS 39


class Link(NamedTuple):
    """A day of the prediction, and the day of the references that it is compared with."""

    prediction: date
    reference: date
    cost: float  # the cost of aligning them
    weight: float  # the weight of each of their matches
    matches: Sequence[float]  # the number of matches for n = 1, 2, ..., summed over the references


class Aligned(NamedTuple):
    """The links for precision, by days of the prediction, and for recall, by the references'."""

    precision: Sequence[Link]
    recall: Sequence[Link]


class TimelineCounts(NamedTuple):
    """The counts of a prediction and its references, which are kept with them."""

    prediction: Days
    references: Sequence[Days]
    # Metric -> for n = 1, 2, ... its weighted matches, the references' n-grams, and the prediction's, once
    # for each reference.
    counts: Mapping[str, Sequence[Counts]]
    alignments: Mapping[str, Aligned]  # metric -> its links; none for concat
    dates: Counts  # days, and common ones


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
        days = {}
        for day, sentences in sorted(timeline.items()):
            text = " ".join(sentences)
            numbers = self._vocabulary.ids(tokens(text.encode("utf-8", "replace")))
            # Tokens inside the string of ASCII punctuation are dropped (QUIRKS 39).
            words = Counter(word for word in text.split() if word not in string.punctuation)
            days[day] = Day(Text(numbers), words)
        return days

    def score(
        self, prediction: Days, references: Sequence[Days], metrics: Sequence[str] = METRICS
    ) -> TimelineCounts:
        """Score a prediction against its references, which are pooled.

        A ratio with a denominator of 0 is 0, also in cases in which the toolkit stops with an error.
        """
        pair = _Pair(self._metrics, prediction, references)
        alignments = pair.alignments(metrics)
        counts = {
            metric: pair.counts(alignments[metric]) if metric in alignments else pair.joined()
            for metric in metrics
        }
        dates = Counts(len(pair.theirs), len(pair.ours), len(set(pair.ours) & set(pair.theirs)))
        return TimelineCounts(prediction, references, counts, alignments, dates)


class _Pair:
    """A prediction with its references: their days, and the n-grams these share, counted when needed."""

    def __init__(self, metrics: Sequence[NGram], prediction: Days, references: Sequence[Days]) -> None:
        self.ours, self.theirs = list(prediction), sorted(set().union(*references))
        self._metrics = metrics
        self._references = references
        self._our_days = list(prediction.values())
        self._their_days = [
            [reference[day] for reference in references if day in reference] for day in self.theirs
        ]
        self._kept: dict[tuple[int, int], Sequence[float]] = {}

    def alignments(self, metrics: Sequence[str]) -> dict[str, Aligned]:
        """Return the links of each metric that compares days."""
        aligned: dict[str, Aligned] = {}
        for metric in metrics:
            if metric == AGREEMENT:
                place = {day: number for number, day in enumerate(self.theirs)}
                same = [self._link(i, place[day], 0.0) for i, day in enumerate(self.ours) if day in place]
                aligned[metric] = Aligned(same, same)
            elif metric != CONCAT:
                # One matrix for both directions; with equal sizes they may choose otherwise (QUIRKS 40).
                costs = self._date_costs if metric == ALIGN else self._content_costs
                align = many_to_one if metric == MANY else one_to_one
                recall = [(ours, theirs) for theirs, ours in align(transpose(costs))]
                links = ([self._link(i, j, costs[i][j]) for i, j in way] for way in (align(costs), recall))
                aligned[metric] = Aligned(*links)
        return aligned

    @cached_property
    def _date_costs(self) -> Costs:
        """Equation 9. Equal costs are equal to the last bit, so the order of operations matters."""
        places = [day.toordinal() for day in self.theirs]
        return [[1 - weight(day.toordinal() - place) for place in places] for day in self.ours]

    @cached_property
    def _content_costs(self) -> Costs:
        """Equation 10: the costs of days that share words are lowered by the F1 of these (QUIRKS 39)."""
        totals = [sum(day.words.total() for day in days) for days in self._their_days]
        holders: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for place, days in enumerate(self._their_days):
            for day in days:
                for word, times in day.words.items():
                    holders[word].append((place, times))
        costs = [list(row) for row in self._date_costs]
        for row, own in zip(costs, self._our_days, strict=True):
            shared: dict[int, int] = defaultdict(int)
            for word, times in own.words.items():
                for place, others in holders.get(word, ()):
                    shared[place] += min(times, others)
            total = len(self._references) * own.words.total()
            for place, match in shared.items():
                precision, recall = match / total, match / totals[place]
                row[place] *= 1 - 2 * precision * recall / (precision + recall)
        return costs

    def _link(self, ours: int, theirs: int, cost: float) -> Link:
        days = self.ours[ours], self.theirs[theirs]
        if (ours, theirs) not in self._kept:
            texts = [day.text for day in self._their_days[theirs]]
            self._kept[ours, theirs] = self._matches(self._our_days[ours].text, texts)
        return Link(*days, cost, weight((days[0] - days[1]).days), self._kept[ours, theirs])

    def counts(self, aligned: Aligned) -> list[Counts]:
        """Return the sums of equation 7 before division, in the order of the dates, as in the toolkit."""
        ours = [day.text for day in self._our_days]
        theirs = [day.text for days in self._their_days for day in days]
        return [
            Counts(
                size(theirs, metric.n),
                len(self._references) * size(ours, metric.n),
                _sum_weighted(aligned.recall, place),
                prediction_match=_sum_weighted(aligned.precision, place),
            )
            for place, metric in enumerate(self._metrics)
        ]

    def joined(self) -> list[Counts]:
        """Return the counts of each timeline's joined days (section 3.1): n-grams cross the days' ends."""
        ours, *theirs = (
            Text([token for day in days for token in day.text.tokens])
            for days in (self._our_days, *(reference.values() for reference in self._references))
        )
        return [
            Counts(size(theirs, metric.n), len(theirs) * size([ours], metric.n), match)
            for metric, match in zip(self._metrics, self._matches(ours, theirs), strict=True)
        ]

    def _matches(self, ours: Text, theirs: Sequence[Text]) -> list[float]:
        """Return the matches for each n, summed over the references."""
        return [sum(metric.count(text, ours).match for text in theirs) for metric in self._metrics]


def weight(days: int) -> float:
    """Return the weight of a match of dates that are this many days apart: 1 / (k + 1), equation 6."""
    return 1 / (abs(days) + 1)


def size(texts: Sequence[Text], n: int) -> int:
    """Return the number of n-grams in the texts."""
    return sum(max(len(text.tokens) - n + 1, 0) for text in texts)


def _sum_weighted(links: Sequence[Link], place: int) -> float:
    """Add the matches one by one, as Python before 3.12 does; `sum` compensates rounding since then."""
    total = 0.0
    for link in links:
        total += link.weight * link.matches[place]
    return total


# Alignment of dates by a matrix of costs, in two ways (section 4.2). The paper does not specify ties, which
# are common (dates equally far away) and change the third decimal of scores. Their toolkit uses SciPy's
# `linear_sum_assignment`, whose choice changed with SciPy 1.4 and may change again. The search is therefore
# written out here: its order of steps and of floating-point operations repeats the choice of SciPy since
# 1.4, on every machine (QUIRKS 40).


# From this number of columns on, importing numpy pays.
MANY_COLUMNS = 200


def transpose(costs: Costs) -> Costs:
    """Return the transposed matrix."""
    return list(zip(*costs, strict=True))


def many_to_one(costs: Costs) -> Pairs:
    """Return, for each row, the first column of the least cost; nothing if it has none."""
    return [(place, row.index(min(row))) for place, row in enumerate(costs) if row]


def one_to_one(costs: Costs) -> Pairs:
    """Return the assignment of the least total cost: as many pairs as the smaller side has.

    Shortest augmenting paths (Jonker and Volgenant 1987; Crouse 2016). Of several best assignments it
    returns SciPy's: a square matrix of equal costs gives the diagonal.
    """
    if not costs or not costs[0]:
        return []
    if len(costs[0]) < len(costs):
        return sorted((row, column) for column, row in one_to_one(transpose(costs)))
    columns = len(costs[0])
    of_row = [-1] * len(costs)
    of_column = [-1] * columns
    potential = [0.0] * len(costs)
    rows: Costs | NDArray[np.float64] = costs
    prices: list[float] | NDArray[np.float64] = [0.0] * columns
    find: Callable[..., Path] = _path
    if columns >= MANY_COLUMNS:
        with suppress(ImportError):  # numpy makes it faster, no more
            import numpy as np

            rows, prices, find = np.array(costs), np.zeros(columns), _path_by_rows
    for start in range(len(costs)):
        distances, before, seen, end = find(rows, start, of_column, potential, prices)
        reached = distances[end]
        potential[start] += reached
        for column in seen:
            if column != end:
                potential[of_column[column]] += reached - distances[column]
            prices[column] -= reached - distances[column]
        column = end
        while column != -1:
            row = before[column]
            of_column[column] = row
            of_row[row], column = column, of_row[row]
    return list(enumerate(of_row))


def _path(
    costs: Costs, start: int, of_column: Sequence[int], potential: Sequence[float], prices: Sequence[float]
) -> Path:
    """Return the shortest path from a row to a free column, which is -1 in `of_column`."""
    distances = [inf] * len(prices)
    before = [-1] * len(prices)
    # In descending order, with gaps filled from the end: ties depend on it.
    left = list(range(len(prices) - 1, -1, -1))
    seen: list[int] = []
    row, reached = start, 0.0
    while True:
        nearest, place = inf, -1
        cost, own = costs[row], potential[row]
        for here, column in enumerate(left):
            # The order of operations matters: equal costs are equal to the last bit.
            distance = reached + cost[column] - own - prices[column]
            if distance < distances[column]:
                distances[column] = distance
                before[column] = row
            else:
                distance = distances[column]
            if distance < nearest or (distance == nearest and of_column[column] < 0):
                nearest, place = distance, here
        reached, column = nearest, left[place]
        seen.append(column)
        left[place] = left[-1]
        left.pop()
        if of_column[column] < 0:
            return distances, before, seen, column
        row = of_column[column]


def _path_by_rows(
    costs: NDArray[np.float64],
    start: int,
    of_column: Sequence[int],
    potential: Sequence[float],
    prices: NDArray[np.float64],
) -> Path:
    """Return the same path as `_path`, to the last bit, computed on whole rows of costs and prices."""
    import numpy as np

    distances = np.full(len(prices), inf)
    before = np.full(len(prices), -1)
    passed = np.zeros(len(prices))  # inf if the column was passed
    left = list(range(len(prices) - 1, -1, -1))
    places = left.copy()  # of each column in `left`
    seen: list[int] = []
    row, reached = start, 0.0
    while True:
        via_row = reached + costs[row] - potential[row] - prices
        nearer = via_row + passed < distances
        distances[nearer] = via_row[nearer]
        before[nearer] = row
        open_ones = distances + passed
        nearest = open_ones.min()
        # The result of scanning `left`: the last of the free columns, else the first.
        ties = np.flatnonzero(open_ones == nearest).tolist()
        free = [column for column in ties if of_column[column] < 0]
        column = max(free, key=places.__getitem__) if free else min(ties, key=places.__getitem__)
        reached = float(nearest)
        seen.append(column)
        passed[column] = inf
        last = left.pop()
        if last != column:
            left[places[column]], places[last] = last, places[column]
        if of_column[column] < 0:
            return distances.tolist(), before.tolist(), seen, column
        row = of_column[column]
