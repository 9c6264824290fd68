"""Alignment of dates by a matrix of costs, in two ways.

Martschat and Markert, "Improving ROUGE for Timeline Summarization", 2017, section 4.2. The paper does not
specify ties, which are common (dates equally far away) and change the third decimal of scores. Their
toolkit uses SciPy's `linear_sum_assignment`, whose choice changed with SciPy 1.4 and may change
again. The search is therefore written out here: its order of steps and of floating-point operations
repeats the choice of SciPy since 1.4, on every machine (QUIRKS 40).
"""

from __future__ import annotations

from contextlib import suppress
from math import inf
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    Costs = Sequence[Sequence[float]]
    # Rows with their columns, by rows.
    Pairs = list[tuple[int, int]]
    # Each column's distance, the row before it on its path, the columns that were passed, and the free one.
    Path = tuple[list[float], list[int], list[int], int]

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
    rows: Any = costs
    prices: Any = [0.0] * columns
    find: Any = _path
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
    costs: Any,  # noqa: ANN401 - numpy is imported lazily
    start: int,
    of_column: Sequence[int],
    potential: Sequence[float],
    prices: Any,  # noqa: ANN401
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
