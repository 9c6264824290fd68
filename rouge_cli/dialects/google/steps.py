"""The single steps of rouge_score, which programs import from `rouge_score.rouge_scorer` by private names.

They take tokens of any hashable kind. `RougeScorer` has faster ways to the same numbers, and calls none of
them: replacing one changes no score.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

from rouge_cli.dialects.google.scoring import Score, make_score

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    Tokens = Sequence[Hashable]
    Table = list[list[int]]


def _create_ngrams(tokens: Tokens, n: int) -> Counter[tuple[Hashable, ...]]:
    """Return each n-gram of the tokens, and how often it comes."""
    return Counter(tuple(tokens[start : start + n]) for start in range(len(tokens) - n + 1))


def _score_ngrams(
    target_ngrams: Mapping[Hashable, int], prediction_ngrams: Mapping[Hashable, int]
) -> Score:
    """Return the score of n-grams against n-grams."""
    match = sum(min(count, prediction_ngrams.get(ngram, 0)) for ngram, count in target_ngrams.items())
    return make_score("", sum(target_ngrams.values()), sum(prediction_ngrams.values()), match)


def _score_lcs(target_tokens: Tokens, prediction_tokens: Tokens) -> Score:
    """Return the score of the longest common subsequence of two lists of tokens."""
    match = _lcs_table(target_tokens, prediction_tokens)[-1][-1]
    return make_score("rougeL", len(target_tokens), len(prediction_tokens), match)


def _lcs_table(ref: Tokens, can: Tokens) -> Table:
    """Return the length of the longest common subsequence of the first tokens: [of `ref`][of `can`]."""
    table = [[0] * (len(can) + 1) for _ in range(len(ref) + 1)]
    for row, token in enumerate(ref):
        above, own = table[row], table[row + 1]
        for column, other in enumerate(can):
            own[column + 1] = above[column] + 1 if token == other else max(above[column + 1], own[column])
    return table


def _backtrack_norec(t: Table, ref: Tokens, can: Tokens) -> list[int]:
    """Return the places in `ref` of one longest common subsequence, read from the table `t`."""
    row, column = len(ref), len(can)
    places = []
    while row and column:
        if ref[row - 1] == can[column - 1]:
            row, column = row - 1, column - 1
            places.append(row)
        elif t[row][column - 1] > t[row - 1][column]:
            column -= 1
        else:
            row -= 1
    return places[::-1]


def lcs_ind(ref: Tokens, can: Tokens) -> list[int]:
    """Return the places in `ref` of one longest common subsequence."""
    return _backtrack_norec(_lcs_table(ref, can), ref, can)


def _find_union(lcs_list: Iterable[Iterable[int]]) -> list[int]:
    """Return the places that are in any of the lists, in order."""
    return sorted(set().union(*lcs_list))


def _union_lcs(ref: Tokens, c_list: Iterable[Tokens]) -> list[Hashable]:
    """Return the tokens of `ref` on a longest common subsequence with any of the sentences."""
    return [ref[place] for place in _find_union(lcs_ind(ref, can) for can in c_list)]


def _summary_level_lcs(ref_sent: Sequence[Tokens], can_sent: Sequence[Tokens]) -> Score:
    """Return the score of the union LCS of sentences, in which each token counts as often as it comes."""
    left = Counter(chain.from_iterable(can_sent))
    whole, match = sum(left.values()), 0
    for token in chain.from_iterable(_union_lcs(ref, can_sent) for ref in ref_sent):
        if left[token] > 0:
            left[token] -= 1
            match += 1
    return make_score("rougeLsum", sum(map(len, ref_sent)), whole, match)
