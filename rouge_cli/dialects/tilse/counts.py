"""Timelines: the alignment of their days, and the counting of matches.

Section and equation numbers refer to Martschat and Markert, "Improving ROUGE for
Timeline Summarization", 2017.
"""

import string
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date
from functools import cache
from itertools import chain
from math import inf
from typing import NamedTuple

from rouge_cli.core import Counts, Text
from rouge_cli.data.word_lists import stop_words
from rouge_cli.formats.timeline import Timeline
from rouge_cli.metrics import count_all, overlap
from rouge_cli.metrics.ngram import NGram
from rouge_cli.text import stemmers
from rouge_cli.text.tokens import Normalizer, Vocabulary, tokens
from rouge_cli.twins import twin

METRICS = ("concat", "agreement", "align", "align-content", "align-content-m1")
CONCAT, AGREEMENT, ALIGN, CONTENT, MANY = METRICS


class Day(NamedTuple):
    """A day of a timeline."""

    text: Text  # tokens, for matches
    words: Counter[str]  # words, for costs (QUIRKS 39)


Days = dict[date, Day]  # in ascending order
Costs = Sequence[Sequence[float]]
Pairs = list[tuple[int, int]]  # (row, column), sorted by row
# (index of the predicted day, index of the reference day, cost)
CostedPairs = list[tuple[int, int, float]]


class Link(NamedTuple):
    """A day of the prediction, and the day of the references that it is aligned
    with.
    """

    prediction: date
    reference: date
    cost: float  # cost of the alignment
    weight: float  # weight of a match
    # Numbers of matches for n = 1, 2, ..., summed over the references.
    matches: Sequence[float]


class SideDays(NamedTuple):
    """The days of a prediction, or of all its references together."""

    dates: Sequence[date]
    # For each date, the frequencies of its words in each timeline that has it.
    words: Sequence[Sequence[Counter[str]]]


class Aligned(NamedTuple):
    """The links of an alignment in both directions."""

    precision: Sequence[Link]  # sorted by days of the prediction
    recall: Sequence[Link]  # sorted by days of the references


class Engine:
    """Prepares timelines, whose days may be scored repeatedly without reading and
    stemming words again.
    """

    def __init__(self, *, stem: bool, stop: bool) -> None:
        words = stop_words() if stop else frozenset[bytes]()
        stemmer = stemmers.RougeStemmer(None) if stem else None
        normalizer = Normalizer(words, stemmer, stemmers.SHORTEST_STEMMED)
        self.normalize = normalizer if words or stemmer else None
        self._vocabulary = Vocabulary(self.normalize)

    def days(self, timeline: Timeline) -> Days:
        """Prepare the days of a timeline for the metrics."""
        days = {}
        for day, sentences in sorted(timeline.items()):
            text = " ".join(sentences)
            numbers = self._vocabulary.ids(tokens(text.encode("utf-8", "replace")))
            # As in the toolkit, drop every substring of the string of ASCII punctuation
            # (QUIRKS 39).
            kept = [word for word in text.split() if word not in string.punctuation]
            days[day] = Day(
                text=Text(numbers, forms=self._vocabulary.forms.by_number),
                words=Counter(kept),
            )
        return days


class TimelineCounts:
    """The matches of a prediction with its pooled references, for n-grams of 1 to n
    words.

    Scores of a side without n-grams are 0; in some of these cases the toolkit stops
    with an error.

    Attributes:
        references: The days of each reference.
        predicted_dates: The dates of the prediction; `reference_dates`: those of any
            reference.
        dates: The numbers of these days, and of common days.
        alignments: Metric -> links; without concat.
        counts: Metric -> counts for n = 1, 2, ...: weighted matches, n-grams of the
            references, and n-grams of the prediction times the number of references.
    """

    def __init__(
        self,
        prediction: Days,
        references: Sequence[Days],
        metrics: Sequence[str] = METRICS,
        n: int = 2,
    ) -> None:
        self.predicted_dates = list(prediction)
        self.reference_dates = sorted(set().union(*references))
        self._ngrams = [NGram(size) for size in range(1, n + 1)]
        self.references = references
        self._predicted_days = list(prediction.values())
        self._reference_days = []
        for day in self.reference_dates:
            days = [reference[day] for reference in references if day in reference]
            self._reference_days.append(days)
        common = set(self.predicted_dates) & set(self.reference_dates)
        self.dates = Counts(
            len(self.reference_dates), len(self.predicted_dates), len(common)
        )
        self._matches = cache(self._count_matches)
        self.alignments = {}
        self.counts = {}
        for metric in metrics:
            if metric == CONCAT:
                self.counts[metric] = self._joined()
            else:
                aligned = self._aligned(metric)
                self.alignments[metric] = aligned
                self.counts[metric] = self._counts(aligned)

    def _aligned(self, metric: str) -> Aligned:
        """Return the links of a metric that aligns days."""
        if metric == AGREEMENT:
            precision = recall = self._same_days()
        else:
            predicted = SideDays(
                dates=self.predicted_dates,
                words=[[day.words] for day in self._predicted_days],
            )
            words_of_days = []
            for days in self._reference_days:
                words_of_days.append([day.words for day in days])
            references = SideDays(dates=self.reference_dates, words=words_of_days)
            times = 0 if metric == ALIGN else len(self.references)
            precision, recall = align_days(
                predicted, references, times, many=metric == MANY
            )
        links_of_precision = [self._link(*pair) for pair in precision]
        links_of_recall = [self._link(*pair) for pair in recall]
        return Aligned(links_of_precision, links_of_recall)

    def _same_days(self) -> CostedPairs:
        """Return the pairs of days with the same date."""
        column_of = {day: column for column, day in enumerate(self.reference_dates)}
        pairs = []
        for row, day in enumerate(self.predicted_dates):
            if day in column_of:
                pairs.append((row, column_of[day], 0.0))
        return pairs

    def _link(self, i: int, j: int, cost: float) -> Link:
        """Return the link of a day of the prediction and a day of the references."""
        predicted = self.predicted_dates[i]
        reference = self.reference_dates[j]
        texts = [day.text for day in self._reference_days[j]]
        return Link(
            prediction=predicted,
            reference=reference,
            cost=cost,
            weight=weight((predicted - reference).days),
            matches=self._matches(self._predicted_days[i].text, *texts),
        )

    def _counts(self, aligned: Aligned) -> list[Counts]:
        """Return the sums of equation 7 before division, added in the order of dates
        as in the toolkit.
        """
        predicted = [day.text for day in self._predicted_days]
        references = []
        for days in self._reference_days:
            references += [day.text for day in days]
        by_length = []
        for index, ngram in enumerate(self._ngrams):
            counts = Counts(
                reference=size(references, ngram.n),
                prediction=len(self.references) * size(predicted, ngram.n),
                match=_sum_weighted(aligned.recall, index),
                prediction_match=_sum_weighted(aligned.precision, index),
            )
            by_length.append(counts)
        return by_length

    def _joined(self) -> list[Counts]:
        """Return the counts of the joined days of each timeline (section 3.1);
        n-grams may cross days.
        """
        predicted = _join(self._predicted_days)
        references = [_join(reference.values()) for reference in self.references]
        matches = self._matches(predicted, *references)
        by_length = []
        for ngram, match in zip(self._ngrams, matches, strict=True):
            counts = Counts(
                reference=size(references, ngram.n),
                prediction=len(references) * size([predicted], ngram.n),
                match=match,
            )
            by_length.append(counts)
        return by_length

    def _count_matches(self, predicted: Text, *references: Text) -> list[float]:
        """Return the matches for each n, summed over the references."""
        by_ngram = count_all(self._ngrams, references, predicted)
        matches = []
        for of_references in by_ngram:
            matches.append(sum(counts.match for counts in of_references))
        return matches


def _join(days: Iterable[Day]) -> Text:
    """Return the tokens of days as one text."""
    tokens_of_days = [day.text.tokens for day in days]
    return Text(list(chain.from_iterable(tokens_of_days)))


def weight(days: int) -> float:
    """Return the weight of matches of dates that are k days apart: 1 / (k + 1),
    equation 6.
    """
    return 1 / (abs(days) + 1)


def size(texts: Sequence[Text], n: int) -> int:
    """Return the number of n-grams in the texts."""
    return sum(max(len(text.tokens) - n + 1, 0) for text in texts)


def _sum_weighted(links: Sequence[Link], index: int) -> float:
    """Return the weighted sum of matches; not with `sum`, which compensates rounding
    since Python 3.12.
    """
    total = 0.0
    for link in links:
        total += link.weight * link.matches[index]
    return total


# Two ways to align dates by a matrix of costs (section 4.2). The paper does not specify
# ties, which are common (equal distances in time) and change the third decimal of
# scores. The toolkit uses SciPy's `linear_sum_assignment`, whose choice changed with
# SciPy 1.4 and may change again. This implementation repeats SciPy's order of steps and
# of floating-point operations, so that it chooses as SciPy since 1.4 on every machine
# (QUIRKS 40).


@twin
def align_days(
    predicted: SideDays, references: SideDays, times: int, *, many: bool
) -> tuple[CostedPairs, CostedPairs]:
    """Return the aligned days for precision and for recall, with their costs.

    They are aligned anew for recall: on ties the transposed matrix may give other pairs
    (QUIRKS 40).

    Args:
        times: The number of references; 0 if costs depend on dates only.
        many: Several days may share a day.
    """
    costs = date_costs(predicted.dates, references.dates)
    if times:
        reduce_by_content(costs, predicted, references, times)
    align = many_to_one if many else one_to_one
    precision = [(i, j, costs[i][j]) for i, j in align(costs)]
    recall = [(i, j, costs[i][j]) for j, i in align(transpose(costs))]
    return precision, recall


def date_costs(
    predicted: Sequence[date], references: Sequence[date]
) -> list[list[float]]:
    """Return the costs of equation 9, a row for each predicted date.

    Ties must be equal to the last bit, so do not change the order of operations.
    """
    columns = [day.toordinal() for day in references]
    costs = []
    for day in predicted:
        row = day.toordinal()
        costs.append([1 - weight(row - column) for column in columns])
    return costs


def reduce_by_content(
    costs: list[list[float]], predicted: SideDays, references: SideDays, times: int
) -> None:
    """Reduce the cost of two days by the F1 of their common words (equation 10,
    QUIRKS 39).
    """
    totals = []
    for days in references.words:
        totals.append(sum(words.total() for words in days))
    for row, (words,) in zip(costs, predicted.words, strict=True):
        total = times * words.total()
        for column, days in enumerate(references.words):
            match = sum(overlap(words, of_reference) for of_reference in days)
            if match:
                precision = match / total
                recall = match / totals[column]
                row[column] *= 1 - 2 * precision * recall / (precision + recall)


def transpose(costs: Costs) -> Costs:
    """Return the transposed matrix."""
    return list(zip(*costs, strict=True))


def many_to_one(costs: Costs) -> Pairs:
    """Return the first column of least cost for each row; empty if there are no
    columns.
    """
    return [(index, row.index(min(row))) for index, row in enumerate(costs) if row]


@twin
def one_to_one(costs: Costs) -> Pairs:
    """Return the assignment of least total cost; the number of pairs is the size of the
    smaller side.

    The algorithm is shortest augmenting paths (Jonker and Volgenant 1987; Crouse 2016).
    On ties it returns SciPy's choice: the diagonal for a square matrix of equal costs.
    """
    if not costs or not costs[0]:
        return []
    if len(costs[0]) < len(costs):
        return sorted((row, column) for column, row in one_to_one(transpose(costs)))
    of_row = [-1] * len(costs)
    of_column = [-1] * len(costs[0])  # -1 for a free column
    potential = [0.0] * len(of_row)
    prices = [0.0] * len(of_column)
    for start in range(len(of_row)):
        # Find the shortest path from the row to a free column.
        distances = [inf] * len(prices)
        before = [-1] * len(prices)  # the row before each column on its path
        # In descending order; a removed column is replaced by the last. The choice on
        # ties depends on it.
        left = list(range(len(prices) - 1, -1, -1))
        seen: list[int] = []
        row = start
        column = -1
        reached = 0.0
        while row >= 0:
            nearest = inf
            nearest_index = -1
            row_costs = costs[row]
            row_potential = potential[row]
            for index, column in enumerate(left):
                # Ties must be equal to the last bit, so do not change the order of
                # operations.
                distance = reached + row_costs[column] - row_potential - prices[column]
                if distance < distances[column]:
                    distances[column] = distance
                    before[column] = row
                else:
                    distance = distances[column]
                is_free = of_column[column] < 0
                if distance < nearest or (distance == nearest and is_free):
                    nearest = distance
                    nearest_index = index
            reached = nearest
            column = left[nearest_index]
            seen.append(column)
            left[nearest_index] = left[-1]
            left.pop()
            row = of_column[column]
        # Change the dual variables, and assign the columns of the path to the rows
        # before them.
        potential[start] += reached
        for passed in seen[:-1]:
            potential[of_column[passed]] += reached - distances[passed]
            prices[passed] -= reached - distances[passed]
        while column != -1:
            row = before[column]
            of_column[column] = row
            of_row[row], column = column, of_row[row]
    return list(enumerate(of_row))
