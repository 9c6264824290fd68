"""The union of longest common subsequences, on whole machine words.

A model text is laid out as one integer: each token of each sentence is a bit, first token lowest,
and between two sentences lies a guard bit that is always 0. One step of the bit-parallel recurrence
(Hyyro 2004) then advances the dynamic programme of *all* model sentences by one peer token.

In column j of the table c[i][j] (i: model, j: peer), a 0 bit at row i of V says c[i][j] =
c[i-1][j] + 1, an *increment*. The original's traceback goes diagonally on equal tokens, else up when
c[i-1][j] >= c[i][j-1], else left. On these bits that is: at row i of column j jump to the highest bit
at or below i in (match mask | increments), since every row between goes up; a match is marked and
goes diagonally, an increment goes left (c[i][j] > c[i-1][j] can then only come from the left).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    Sentences = Sequence[Sequence[int]]


class Rows(NamedTuple):
    """A model text laid out in bits.

    tokens: the id at each bit, -1 at guards. fields: per sentence the mask of its bits.
    all_rows: every bit but the guards. masks: token id -> the bits where it stands.
    """

    tokens: Sequence[int]
    fields: Sequence[int]
    all_rows: int
    masks: dict[int, int]


class Alignment(NamedTuple):
    """One peer sentence against all model sentences.

    marked: the rows on the original's LCS path, of every model sentence. adjacent: rows whose match
    follows a match of the row before, diagonally: the places where a weighted LCS can differ.
    """

    marked: int
    adjacent: int


GUARD = -1


def rows(sentences: Sentences) -> Rows:
    """Lay out a model text; an empty sentence takes no bit of its own."""
    tokens: list[int] = []
    fields = []
    masks: dict[int, int] = {}
    for sentence in sentences:
        start = len(tokens)
        for row, token in enumerate(sentence, start):
            masks[token] = masks.get(token, 0) | 1 << row
        fields.append((1 << len(sentence)) - 1 << start)
        tokens.extend(sentence)
        tokens.append(GUARD)
    return Rows(tokens, fields, sum(fields), masks)


def alignments(model: Rows, peer: Sentences) -> list[Alignment]:
    """Each peer sentence against all model sentences, in the peer's order."""
    return [_align(model, sentence) for sentence in peer]


def _align(model: Rows, sentence: Sequence[int]) -> Alignment:
    """Advance the table over one peer sentence, keeping each column that the traceback can see."""
    all_rows = model.all_rows
    match_of = model.masks.get
    v = all_rows
    matches: list[int] = []
    columns: list[int] = []
    matched = adjacent = before = 0
    for token in sentence:
        match = match_of(token, 0)
        if match:
            seen = v & match
            v = (v + seen | v - seen) & all_rows
            matched |= match
            adjacent |= match & before << 1
        elif not before:
            continue  # a column without a match equals the one before it, if that has none either
        before = match
        matches.append(match)
        columns.append(all_rows ^ v)
    if not matched:
        return Alignment(0, 0)
    return Alignment(_trace(model, matches, columns, matched), adjacent)


def _trace(model: Rows, matches: list[int], columns: list[int], matched: int) -> int:
    """The rows that the original's traceback marks, over all model sentences."""
    length = columns[-1]
    marked = 0
    for field in model.fields:
        candidates = matched & field
        if not candidates:
            continue
        if candidates.bit_count() == (length & field).bit_count():
            marked |= candidates  # as many matching rows as the LCS is long: all are on it
            continue
        below = field
        for match, increments in zip(reversed(matches), reversed(columns), strict=True):
            reachable = (match | increments) & below
            if not reachable:
                break
            bit = 1 << reachable.bit_length() - 1
            if match & bit:
                marked |= bit
                below &= bit - 1
            else:
                below &= (bit << 1) - 1
    return marked


def lengths(model: Rows, sentence: Sequence[int]) -> list[int]:
    """How long the longest common subsequence of the peer sentence and each model sentence is."""
    v = model.all_rows
    for token in sentence:
        seen = v & model.masks.get(token, 0)
        if seen:
            v = (v + seen | v - seen) & model.all_rows
    increments = model.all_rows ^ v
    return [(increments & field).bit_count() for field in model.fields]
