"""The union of longest common subsequences, on whole machine words.

A model text is laid out as one integer: each token of each sentence is a bit, first token lowest,
and two sentences are separated by a guard bit that is always 0. One step of the bit-parallel recurrence
(Hyyro 2004) then advances the dynamic programme of *all* model sentences by one peer token.

In column j of the table c[i][j] (i: model, j: peer), a 0 bit at row i of V means c[i][j] =
c[i-1][j] + 1, an *increment*. The original's traceback goes diagonally on equal tokens, else up when
c[i-1][j] >= c[i][j-1], else left. On these bits that is: at row i of column j jump to the highest bit
at or below i in (match mask | increments), since every row between goes up; a match is marked and
goes diagonally, an increment goes left (c[i][j] > c[i-1][j] can then only come from the left).
To the left the row is still an increment, up to the column in which a match made it one: so the next mark
is always at that row, in the nearest column, this one or one to the left, that matches it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    Sentences = Sequence[Sequence[int]]


class Rows(NamedTuple):
    """A model text laid out as bits.

    tokens: the id at each bit, -1 at guards. fields: per sentence the mask of its bits.
    all_rows: every bit but the guards. masks: token id -> the bits of its occurrences.
    """

    tokens: Sequence[int]
    fields: Sequence[int]
    all_rows: int
    masks: dict[int, int]


GUARD = -1


def rows(sentences: Sentences) -> Rows:
    """Lay out a model text; an empty sentence has no bit of its own."""
    tokens: list[int] = []
    fields = []
    for sentence in sentences:
        fields.append((1 << len(sentence)) - 1 << len(tokens))
        tokens.extend(sentence)
        tokens.append(GUARD)
    masks = dict.fromkeys(tokens, 0)
    bit = 1
    for token in tokens:
        masks[token] |= bit
        bit <<= 1
    masks.pop(GUARD, None)
    return Rows(tokens, fields, sum(fields), masks)


def paths(model: Rows, peer: Sentences) -> list[int]:
    """Return, for each peer sentence, the rows on the original's LCS path with any model sentence."""
    return [_path(model, sentence) for sentence in peer]


def _path(model: Rows, sentence: Sequence[int]) -> int:
    """Advance the table over one peer sentence, keeping each column that the traceback visits."""
    all_rows = model.all_rows
    match_of = model.masks.get
    v = all_rows
    matches: list[int] = []
    reached: list[int] = []
    before = 0
    for token in sentence:
        match = match_of(token, 0)
        if match:
            seen = v & match
            v = (v + seen | v - seen) & all_rows
        elif not before:
            continue  # a column without a match equals the one before it, if that has none either
        before = match
        matches.append(match)
        reached.append(match | all_rows ^ v)
    return _trace(model.fields, matches, reached) if matches else 0


def _trace(fields: Sequence[int], matches: list[int], reached: list[int]) -> int:
    """Return the rows that the original's traceback marks, over all model sentences.

    matches, reached: column by column, the rows that match, and those that match or increment.
    """
    marked = 0
    for field in fields:
        below = field
        column = len(matches)
        while column and (reachable := reached[column - 1] & below):
            bit = 1 << reachable.bit_length() - 1
            marked |= bit
            below &= bit - 1
            column -= 1
            while not matches[column] & bit:
                column -= 1
    return marked


def longest(model: Rows, peer: Sequence[int]) -> int:
    """Return the length of the longest common subsequence of the whole model text and the peer's.

    Here a guard is a token that the peer never has.
    """
    everything = (1 << len(model.tokens)) - 1
    v = everything
    for match in filter(None, map(model.masks.get, peer)):
        seen = v & match
        v = (v + seen | v - seen) & everything
    return len(model.tokens) - v.bit_count()


def lengths(model: Rows, sentence: Sequence[int]) -> list[int]:
    """Return the length of the longest common subsequence of the peer sentence and each model sentence."""
    v = model.all_rows
    for token in sentence:
        seen = v & model.masks.get(token, 0)
        if seen:
            v = (v + seen | v - seen) & model.all_rows
    increments = model.all_rows ^ v
    return [(increments & field).bit_count() for field in model.fields]
