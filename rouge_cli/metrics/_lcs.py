"""Unions of longest common subsequences (LCS), plain and weighted, with bit-parallel
integers.

Why not the table of Lin's paper: filled cell by cell in plain Python it takes 4 times
as long for single sentences, and 12 to 17 times for summaries of 4 to 10 sentences, of
which every pair has a table. Only weighted subsequences have one, where words match in
a row.

A reference is laid out as one integer. Each token of each sentence is a bit, the first
token the lowest. A guard bit, always 0, separates two sentences. One step of the
bit-parallel recurrence (Hyyro 2004) then advances the dynamic programme of *all*
sentences of the reference by one token of the prediction.

Let c[i][j] be the table, with rows i for the reference and columns j for the
prediction. A 0 bit at row i of V in column j means c[i][j] = c[i-1][j] + 1: an
*increment*. The original's traceback goes diagonally on equal tokens, else up if
c[i-1][j] >= c[i][j-1], else left. On bits, this works as follows:

- At row i of column j, jump to the highest bit at or below i in (match mask |
  increments). The rows between go up.
- A match is marked, and the path goes diagonally. An increment goes left, since c[i][j]
  > c[i-1][j] can only come from the left.
- To the left, the row is still an increment, up to the column in which a match made it
  one. So the next mark is at the same row, in the nearest column that matches it: this
  column or one to its left.

The table of weighted subsequences has doubles: c[i][j] = c[i-1][j-1] + f(k+1) - f(k) on
equal tokens, if k is the length of the run that ends at (i-1, j-1). Ties between
doubles decide the path, so all operations are in the original's order (QUIRKS 18).

Two shortcuts do not change results. First, if no match follows another diagonally,
every run has length 1 and gains exactly 1.0, so the table and the path are those of the
plain LCS. Second, a run of columns (or rows) without any match equals the first of
them: a cell without a match is the maximum of its neighbours.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache, reduce
from itertools import accumulate, pairwise
from operator import or_
from typing import NamedTuple

from rouge_cli.core import Text
from rouge_cli.scoring import perl_numbers

Sentences = Sequence[Sequence[int]]
GUARD = -1  # the token between two sentences
NOTHING = -1  # stands for a run of tokens that the other text does not have
# Up to this exponent, no weight of a text of feasible size has more than 53 bits.
QUADRATIC = 2


class Rows(NamedTuple):
    """A reference laid out as bits."""

    tokens: Sequence[int]  # the token's ID at each bit, GUARD at guards
    fields: Sequence[int]  # for each sentence, the mask of its bits
    all_rows: int  # all bits except guards
    masks: dict[int, int]  # token's ID -> the bits of its occurrences


def rows(sentences: Sentences) -> Rows:
    """Lay out a reference; an empty sentence has only a guard."""
    tokens: list[int] = []
    fields = []
    for sentence in sentences:
        ones = (1 << len(sentence)) - 1  # as many as it has tokens
        fields.append(ones << len(tokens))
        tokens.extend(sentence)
        tokens.append(GUARD)
    masks: dict[int, int] = {}
    for row, token in enumerate(tokens):
        if token != GUARD:
            masks[token] = masks.get(token, 0) | (1 << row)
    return Rows(tokens, fields, sum(fields), masks)


def layout(text: Text) -> Rows:
    """Lay out the sentences of a text."""
    return rows(text.sentences)


def marked_bits(marked: int) -> list[int]:
    """Return the numbers of the marked rows, in ascending order."""
    flags = reversed(bin(marked).removeprefix("0b"))  # from the lowest bit
    return [row for row, flag in enumerate(flags) if flag == "1"]


def union(paths: Iterable[int]) -> int:
    """Return the rows that are on any path."""
    return reduce(or_, paths, 0)


def tokens_of_sentences(reference: Rows, path: int) -> list[list[int]]:
    """Return the marked tokens of each sentence of a reference."""
    marked = []
    for field in reference.fields:
        tokens = [reference.tokens[row] for row in marked_bits(path & field)]
        marked.append(tokens)
    return marked


def positions(layout: Rows) -> dict[int, int]:
    """Return, for each row that is not a guard, the position of its token in the
    joined sentences.
    """
    rows = (row for row, token in enumerate(layout.tokens) if token != GUARD)
    return {row: position for position, row in enumerate(rows)}


def paths(reference: Rows, prediction: Sentences) -> list[int]:
    """Return, for each sentence of the prediction, the rows on the original's paths
    in the reference.
    """
    return [_path(reference, sentence) for sentence in prediction]


def _path(reference: Rows, sentence: Sequence[int]) -> int:
    """Advance the table over one sentence of the prediction, and trace the paths
    back.
    """
    all_rows = reference.all_rows
    match_of = reference.masks.get
    v = all_rows
    matches: list[int] = []  # for each column, the rows that match
    reached: list[int] = []  # for each column, the rows that match or are increments
    before = 0
    for token in sentence:
        match = match_of(token, 0)
        if match:
            v = _next_column(v, match, all_rows)
        elif not before:
            continue  # equal to the column before, which has no match either
        before = match
        increments = all_rows ^ v
        matches.append(match)
        reached.append(match | increments)
    if not matches:
        return 0
    marked = 0
    for field in reference.fields:
        below = field
        column = len(matches)
        while column:
            reachable = reached[column - 1] & below
            if not reachable:
                break
            bit = 1 << (reachable.bit_length() - 1)  # the highest
            marked |= bit
            below &= bit - 1  # the bits below it
            column -= 1
            while not matches[column] & bit:
                column -= 1
    return marked


def _next_column(v: int, match: int, all_rows: int) -> int:
    """Return V of a column, given V of the column before it and the rows that match."""
    seen = v & match
    return ((v + seen) | (v - seen)) & all_rows


@lru_cache(maxsize=1)
def length(reference: Text, prediction: Text) -> int:
    """Return the length of the LCS of the whole texts; the last result is cached."""
    (length,) = lengths(reference.once(_whole), prediction.tokens)
    return length


def _whole(text: Text) -> Rows:
    """Lay out the whole text as one sentence."""
    return rows([text.tokens])


def lengths(reference: Rows, sentence: Sequence[int]) -> list[int]:
    """Return the lengths of the LCS of a sentence of the prediction with each
    sentence of the reference.
    """
    v = reference.all_rows
    for match in filter(None, map(reference.masks.get, sentence)):
        v = _next_column(v, match, reference.all_rows)
    increments = reference.all_rows ^ v
    return [(increments & field).bit_count() for field in reference.fields]


# Weighted paths.


@lru_cache(maxsize=64, typed=True)
def weights(longest: int, exponent: float) -> list[float]:
    """Return f(0) .. f(longest) with f(k) = k^exponent, in doubles."""
    return [power(k, exponent) for k in range(longest + 1)]


def power(base: float, exponent: float) -> float:
    """Return base^exponent: in doubles for exponents up to QUADRATIC, else as Perl
    does (QUIRKS 29).
    """
    if exponent > QUADRATIC:
        return perl_numbers.power(base, exponent)
    return perl_numbers.double_power(base, exponent)


def weighted_path(
    reference: Rows, sentence: Sequence[int], plain: int, weight: Sequence[float]
) -> int:
    """Return the rows on the weighted paths of a sentence of the prediction with the
    reference.

    Args:
        plain: The rows on the unweighted paths.
        weight: f(k) for every k up to the longest possible run, and one more.
    """
    runs = adjacent(reference, sentence)
    if not runs:
        return plain
    marked = 0
    for field in reference.fields:
        if runs & field:
            lowest = field & -field
            start = lowest.bit_length() - 1
            of_field = reference.tokens[start : field.bit_length()]
            for row in _weighted_path(of_field, sentence, weight):
                marked |= 1 << (start + row)
        else:
            marked |= plain & field
    return marked


def adjacent(reference: Rows, sentence: Sequence[int]) -> int:
    """Return the rows with a match that diagonally follows another; only in such
    runs do weights matter.
    """
    matches = [reference.masks.get(token, 0) for token in sentence]
    marked = 0
    for before, match in pairwise(matches):
        marked |= match & (before << 1)
    return marked


def _weighted_path(
    reference: Sequence[int], prediction: Sequence[int], weight: Sequence[float]
) -> list[int]:
    """Return the positions in a sentence of the reference that the weighted
    traceback marks, last first.
    """
    shared = set(reference).intersection(prediction)
    rows, positions = _collapse(reference, shared)
    columns, _ = _collapse(prediction, shared)
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
    """Replace each run of tokens that are not shared by one NOTHING; also return the
    positions kept.
    """
    codes: list[int] = []
    kept: list[int] = []
    for position, token in enumerate(sentence):
        if token in shared:
            codes.append(token)
            kept.append(position)
        elif not codes or codes[-1] != NOTHING:
            codes.append(NOTHING)
            kept.append(position)
    return codes, kept


def _table(
    rows: Sequence[int], columns: Sequence[int], weight: Sequence[float]
) -> list[list[float]]:
    """Return the dynamic programming table: (rows + 1) x (columns + 1) doubles."""
    above = [0.0] * (len(columns) + 1)
    # The length of the run that ends in each cell
    no_runs = [0] * (len(columns) + 1)
    runs_above = no_runs
    table = [above]
    for token in rows:
        if token == NOTHING:
            row = list(accumulate(above, max))
            runs = no_runs
        else:
            value = 0.0
            row = [value]
            runs = [0]
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
        table.append(row)
        above = row
        runs_above = runs
    return table
