"""Weighted longest common subsequences, in which runs of consecutive matches count for more.

The table is the usual one with doubles: c = c[i-1][j-1] + f(k+1) - f(k) on equal tokens, k being the
length of the run so far at (i-1, j-1), else as in `lcs`. Ties between doubles decide the path, so
the operations are in exactly the original's order (QUIRKS 18).

Two shortcuts do not change results. If no match follows another diagonally, every run
has length 1 and gains exactly 1.0, so the table and the path are those of the plain LCS. And a run of
columns (or rows) without any match equals its first one: a cell without a match is the maximum of its
neighbours, and the maximum of maxima is the same again.
"""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from rouge_cli.scoring import perl_numbers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rouge_cli.metrics._lcs_bits import Rows

NOTHING = -1
# Up to this exponent no weight of a text of feasible size has more than 53 bits.
QUADRATIC = 2


def weights(longest: int, exponent: float) -> list[float]:
    """Return f(0) .. f(longest) with f(k) = k^exponent, in doubles."""
    return [power(k, exponent) for k in range(longest + 1)]


def power(base: float, exponent: float) -> float:
    """Return base^exponent, in doubles up to QUADRATIC and to the last digit beyond (QUIRKS 29)."""
    return (perl_numbers.power if exponent > QUADRATIC else perl_numbers.double_power)(base, exponent)


def marked_rows(
    model: Rows, peer: Sequence[Sequence[int]], plain: Sequence[int], weight: Sequence[float]
) -> int:
    """Return the union over peer sentences of the rows on the weighted path.

    plain: the unweighted paths of the same texts.
    weight: f(k) for every k up to the longest possible run and one more.
    """
    union = 0
    for sentence, path in zip(peer, plain, strict=True):
        runs = adjacent(model, sentence)
        if not runs:
            union |= path
            continue
        for field in model.fields:
            if runs & field:
                start, end = (field & -field).bit_length() - 1, field.bit_length()
                for row in _path(model.tokens[start:end], sentence, weight):
                    union |= 1 << start + row
            else:
                union |= path & field
    return union


def adjacent(model: Rows, sentence: Sequence[int]) -> int:
    """Return the rows whose match diagonally follows one of the row before, so that weights may differ."""
    matches = [model.masks.get(token, 0) for token in sentence]
    marked = 0
    for before, match in pairwise(matches):
        marked |= match & before << 1
    return marked


def _path(model: Sequence[int], peer: Sequence[int], weight: Sequence[float]) -> list[int]:
    """Return the positions in one model sentence that the weighted traceback marks, last first."""
    shared = set(model).intersection(peer)
    rows, positions = _collapse(model, shared)
    columns, _ = _collapse(peer, shared)
    table = _table(rows, columns, weight)
    path = []
    i, j = len(rows), len(columns)
    while i and j:
        if rows[i - 1] == columns[j - 1] != NOTHING:
            i, j = i - 1, j - 1
            path.append(positions[i])
        elif table[i - 1][j] >= table[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return path


def _collapse(sentence: Sequence[int], shared: set[int]) -> tuple[list[int], list[int]]:
    """Replace each run of tokens that are not shared by one NOTHING; return the positions as well."""
    collapsed: list[int] = []
    positions = []
    for position, token in enumerate(sentence):
        code = token if token in shared else NOTHING
        if code != NOTHING or not collapsed or collapsed[-1] != NOTHING:
            collapsed.append(code)
            positions.append(position)
    return collapsed, positions


def _table(rows: Sequence[int], columns: Sequence[int], weight: Sequence[float]) -> list[list[float]]:
    """Return the dynamic programming table, (rows + 1) x (columns + 1) doubles."""
    previous = [0.0] * (len(columns) + 1)
    no_runs = [0] * (len(columns) + 1)
    runs = no_runs
    table = [previous]
    for token in rows:
        if token == NOTHING:
            previous, runs = list(accumulate(previous, max)), no_runs
        else:
            previous, runs = _row(token, columns, previous, runs, weight)
        table.append(previous)
    return table


def _row(
    token: int,
    columns: Sequence[int],
    above: list[float],
    runs_above: list[int],
    weight: Sequence[float],
) -> tuple[list[float], list[int]]:
    """Return one row of the table, and the length of the run that ends in each of its cells."""
    value = 0.0
    row, runs = [value], [0]
    for column, other in enumerate(columns):
        run = 0
        if other == token:
            run = runs_above[column]
            value = above[column] + weight[run + 1] - weight[run]
            run += 1
        elif above[column + 1] > value:
            value = above[column + 1]
        row.append(value)
        runs.append(run)
    return row, runs
