"""The days that each metric compares, and the cost of each pair.

Section and equation numbers are those of Martschat and Markert, "Improving ROUGE for Timeline
Summarization", 2017.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from rouge_cli.dialects.tilse.labels import AGREEMENT, ALIGN, CONTENT, MANY
from rouge_cli.scoring import alignment

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import date

    from rouge_cli.dialects.tilse.texts import Days
    from rouge_cli.scoring.alignment import Costs, Pairs


class Plan(NamedTuple):
    """The day of theirs (by place) that each of our days is compared with, and the cost."""

    precision: Pairs
    recall: Pairs
    cost: Callable[[int, int], float]


def plans(
    prediction: Days,
    references: Sequence[Days],
    ours: Sequence[date],
    theirs: Sequence[date],
    metrics: Sequence[str],
) -> dict[str, Plan]:
    """Return the comparisons of each metric that has any."""
    by_metric: dict[str, Plan] = {}
    if AGREEMENT in metrics:
        place = {day: number for number, day in enumerate(theirs)}
        same = [(number, place[day]) for number, day in enumerate(ours) if day in place]
        by_metric[AGREEMENT] = Plan(same, same, lambda _, __: 0.0)
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


def _plan(costs: Costs, align: Callable[[Costs], Pairs]) -> Plan:
    """Use one matrix for both directions; with equal sizes it may choose otherwise (QUIRKS 40)."""
    recall = align(alignment.transpose(costs))
    return Plan(align(costs), [(ours, theirs) for theirs, ours in recall], lambda i, j: costs[i][j])


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
