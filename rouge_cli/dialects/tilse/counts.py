"""Timelines: the alignment of their days, and the counting of matches.

Section and equation numbers refer to Martschat and Markert, "Improving ROUGE for Timeline Summarization",
2017.
"""

import string
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cached_property
from math import inf
from typing import NamedTuple

from rouge_cli import native
from rouge_cli.core import Counts, Notify, Text
from rouge_cli.data import irregular_forms, stop_words
from rouge_cli.formats.timeline import Timeline
from rouge_cli.metrics.ngram import NGram
from rouge_cli.text import stemmers
from rouge_cli.text.tokens import Vocabulary, make_normalizer, tokens

METRICS = ("concat", "agreement", "align", "align-content", "align-content-m1")
CONCAT, AGREEMENT, ALIGN, CONTENT, MANY = METRICS


class Day(NamedTuple):
    """A day of a timeline."""

    text: Text  # tokens, for matches
    words: Counter[str]  # words, for costs (QUIRKS 39)


Days = dict[date, Day]  # in ascending order
Costs = Sequence[Sequence[float]]
Pairs = list[tuple[int, int]]  # (row, column), sorted by row
# The distance of each column, the row before each column on its path, the columns that the search passed,
# and the free column at the end.
Path = tuple[list[float], list[int], list[int], int]


class Link(NamedTuple):
    """A day of the prediction, and the day of the references that it is aligned with."""

    prediction: date
    reference: date
    cost: float  # cost of the alignment
    weight: float  # weight of a match
    matches: Sequence[float]  # numbers of matches for n = 1, 2, ..., summed over the references


class Aligned(NamedTuple):
    """The links of an alignment in both directions."""

    precision: Sequence[Link]  # sorted by days of the prediction
    recall: Sequence[Link]  # sorted by days of the references


class TimelineCounts(NamedTuple):
    """The counts of a prediction against its references."""

    prediction: Days
    references: Sequence[Days]
    # Metric -> counts for n = 1, 2, ...: weighted matches, n-grams of the references, and n-grams of the
    # prediction times the number of references.
    counts: Mapping[str, Sequence[Counts]]
    alignments: Mapping[str, Aligned]  # metric -> links; without concat
    dates: Counts  # numbers of days, and of common days


class Engine:
    """Prepares and scores timelines, with n-grams of up to `longest` words.

    Prepared days may be scored repeatedly without reading and stemming words again.
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
        """Prepare the days of a timeline for the metrics."""
        days = {}
        for day, sentences in sorted(timeline.items()):
            text = " ".join(sentences)
            numbers = self._vocabulary.ids(tokens(text.encode("utf-8", "replace")))
            # As in the toolkit, drop every substring of the string of ASCII punctuation (QUIRKS 39).
            words = Counter(word for word in text.split() if word not in string.punctuation)
            days[day] = Day(Text(numbers, forms=self._vocabulary.forms.by_number), words)
        return days

    def score(
        self, prediction: Days, references: Sequence[Days], metrics: Sequence[str] = METRICS
    ) -> TimelineCounts:
        """Count the matches of a prediction with its pooled references.

        Scores of a side without n-grams are 0; in some of these cases the toolkit stops with an error.
        """
        pair = _Pair(self._metrics, prediction, references)
        alignments = {metric: pair.aligned(metric) for metric in metrics if metric != CONCAT}
        counts = {
            metric: pair.counts(alignments[metric]) if metric in alignments else pair.joined()
            for metric in metrics
        }
        common = set(pair.predicted_dates) & set(pair.reference_dates)
        dates = Counts(len(pair.reference_dates), len(pair.predicted_dates), len(common))
        return TimelineCounts(prediction, references, counts, alignments, dates)


class _Pair:
    """A prediction with its references; matches of days are counted on demand and cached."""

    def __init__(self, metrics: Sequence[NGram], prediction: Days, references: Sequence[Days]) -> None:
        self.predicted_dates, self.reference_dates = list(prediction), sorted(set().union(*references))
        self._metrics = metrics
        self._references = references
        self._predicted_days = list(prediction.values())
        self._reference_days = [
            [reference[day] for reference in references if day in reference] for day in self.reference_dates
        ]
        self._cached_matches: dict[tuple[int, int], Sequence[float]] = {}

    def aligned(self, metric: str) -> Aligned:
        """Return the links of a metric that aligns days."""
        if metric == AGREEMENT:
            index = {day: j for j, day in enumerate(self.reference_dates)}
            same = [
                self._link(i, index[day], 0.0) for i, day in enumerate(self.predicted_dates) if day in index
            ]
            return Aligned(same, same)
        if compiled := native.extension():
            predicted = self.predicted_dates, [[day.words] for day in self._predicted_days]
            references = (
                self.reference_dates,
                [[day.words for day in days] for days in self._reference_days],
            )
            times = 0 if metric == ALIGN else len(self._references)
            directions = compiled.align_days(predicted, references, times, many=metric == MANY)
        else:
            # Align in both directions: on ties the transposed matrix may give other pairs (QUIRKS 40).
            costs = self._date_costs if metric == ALIGN else self._content_costs
            align = many_to_one if metric == MANY else one_to_one
            recall = [(i, j) for j, i in align(transpose(costs))]
            directions = [[(i, j, costs[i][j]) for i, j in pairs] for pairs in (align(costs), recall)]
        return Aligned(*([self._link(*link) for link in links] for links in directions))

    @cached_property
    def _date_costs(self) -> Costs:
        """Equation 9. Ties must be equal to the last bit, so do not change the order of operations."""
        references = [day.toordinal() for day in self.reference_dates]
        return [
            [1 - weight(day.toordinal() - reference) for reference in references]
            for day in self.predicted_dates
        ]

    @cached_property
    def _content_costs(self) -> Costs:
        """Equation 10: the cost of two days is reduced by the F1 of their common words (QUIRKS 39)."""
        totals = [sum(day.words.total() for day in days) for days in self._reference_days]
        columns_of: dict[str, list[tuple[int, int]]] = defaultdict(list)  # word -> (column, frequency)
        for column, days in enumerate(self._reference_days):
            for day in days:
                for word, times in day.words.items():
                    columns_of[word].append((column, times))
        costs = [list(row) for row in self._date_costs]
        for row, predicted in zip(costs, self._predicted_days, strict=True):
            shared: dict[int, int] = defaultdict(int)
            for word, times in predicted.words.items():
                for column, reference_times in columns_of.get(word, ()):
                    shared[column] += min(times, reference_times)
            total = len(self._references) * predicted.words.total()
            for column, match in shared.items():
                precision, recall = match / total, match / totals[column]
                row[column] *= 1 - 2 * precision * recall / (precision + recall)
        return costs

    def _link(self, i: int, j: int, cost: float) -> Link:
        predicted, reference = self.predicted_dates[i], self.reference_dates[j]
        if (i, j) not in self._cached_matches:
            texts = [day.text for day in self._reference_days[j]]
            self._cached_matches[i, j] = self._matches(self._predicted_days[i].text, texts)
        distance = (predicted - reference).days
        return Link(predicted, reference, cost, weight(distance), self._cached_matches[i, j])

    def counts(self, aligned: Aligned) -> list[Counts]:
        """Return the sums of equation 7 before division, added in the order of dates as in the toolkit."""
        predicted = [day.text for day in self._predicted_days]
        references = [day.text for days in self._reference_days for day in days]
        return [
            Counts(
                size(references, metric.n),
                len(self._references) * size(predicted, metric.n),
                _sum_weighted(aligned.recall, index),
                prediction_match=_sum_weighted(aligned.precision, index),
            )
            for index, metric in enumerate(self._metrics)
        ]

    def joined(self) -> list[Counts]:
        """Return the counts of the joined days of each timeline (section 3.1); n-grams may cross days."""
        predicted, *references = (
            Text([token for day in days for token in day.text.tokens])
            for days in (self._predicted_days, *(reference.values() for reference in self._references))
        )
        return [
            Counts(size(references, metric.n), len(references) * size([predicted], metric.n), match)
            for metric, match in zip(self._metrics, self._matches(predicted, references), strict=True)
        ]

    def _matches(self, predicted: Text, references: Sequence[Text]) -> list[float]:
        """Return the matches for each n, summed over the references."""
        if compiled := native.extension():
            texts = [(text.tokens, ()) for text in references]
            specs = [native.KernelSpec(native.NGRAM, metric.n) for metric in self._metrics]
            matches = [int(match) for *_, match in compiled.count(texts, [(predicted.tokens, ())], specs)]
            return [sum(matches[index :: len(self._metrics)]) for index in range(len(self._metrics))]
        return [
            sum(metric.count(reference, predicted).match for reference in references)
            for metric in self._metrics
        ]


def weight(days: int) -> float:
    """Return the weight of matches of dates that are k days apart: 1 / (k + 1), equation 6."""
    return 1 / (abs(days) + 1)


def size(texts: Sequence[Text], n: int) -> int:
    """Return the number of n-grams in the texts."""
    return sum(max(len(text.tokens) - n + 1, 0) for text in texts)


def _sum_weighted(links: Sequence[Link], index: int) -> float:
    """Return the weighted sum of matches; not with `sum`, which compensates rounding since Python 3.12."""
    total = 0.0
    for link in links:
        total += link.weight * link.matches[index]
    return total


# Two ways to align dates by a matrix of costs (section 4.2). The paper does not specify ties, which are
# common (equal distances in time) and change the third decimal of scores. The toolkit uses SciPy's
# `linear_sum_assignment`, whose choice changed with SciPy 1.4 and may change again. This implementation
# repeats SciPy's order of steps and of floating-point operations, so that it chooses as SciPy since 1.4 on
# every machine (QUIRKS 40).


def transpose(costs: Costs) -> Costs:
    """Return the transposed matrix."""
    return list(zip(*costs, strict=True))


def many_to_one(costs: Costs) -> Pairs:
    """Return the first column of least cost for each row; empty if there are no columns."""
    return [(index, row.index(min(row))) for index, row in enumerate(costs) if row]


def one_to_one(costs: Costs) -> Pairs:
    """Return the assignment of least total cost; the number of pairs is the size of the smaller side.

    The algorithm is shortest augmenting paths (Jonker and Volgenant 1987; Crouse 2016). On ties it returns
    SciPy's choice: the diagonal for a square matrix of equal costs.
    """
    if not costs or not costs[0]:
        return []
    if len(costs[0]) < len(costs):
        return sorted((row, column) for column, row in one_to_one(transpose(costs)))
    columns = len(costs[0])
    of_row = [-1] * len(costs)
    of_column = [-1] * columns
    potential, prices = [0.0] * len(costs), [0.0] * columns
    for start in range(len(costs)):
        distances, before, seen, end = _path(costs, start, of_column, potential, prices)
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
    # In descending order; a removed column is replaced by the last. The choice on ties depends on it.
    left = list(range(len(prices) - 1, -1, -1))
    seen: list[int] = []
    row, reached = start, 0.0
    while True:
        nearest, nearest_index = inf, -1
        row_costs, row_potential = costs[row], potential[row]
        for index, column in enumerate(left):
            # Ties must be equal to the last bit, so do not change the order of operations.
            distance = reached + row_costs[column] - row_potential - prices[column]
            if distance < distances[column]:
                distances[column] = distance
                before[column] = row
            else:
                distance = distances[column]
            if distance < nearest or (distance == nearest and of_column[column] < 0):
                nearest, nearest_index = distance, index
        reached, column = nearest, left[nearest_index]
        seen.append(column)
        left[nearest_index] = left[-1]
        left.pop()
        if of_column[column] < 0:
            return distances, before, seen, column
        row = of_column[column]
