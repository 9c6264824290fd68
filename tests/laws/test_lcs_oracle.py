"""ROUGE-L and ROUGE-W compared with slow, plain tables, written from the spec."""

from __future__ import annotations

import math
import random
from collections import Counter
from itertools import chain, pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
from everyday import share
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rouge_cli.core import Counts, Text
from rouge_cli.metrics._lcs import GUARD, Rows, adjacent, paths, rows, weighted_path, weights
from rouge_cli.metrics.lcs import Lcs, WeightedLcs
from rouge_cli.metrics.sentence_lcs import SentenceLcs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Sentence = Sequence[int]
    Sentences = Sequence[Sentence]
    Place = tuple[int, int]  # sentence, position in it
    Mark = Callable[[Sentence, Sentence], set[int]]

WEIGHTS = (0.5, 1.0, 1.2, 2.0, 3.0)


# The oracle.


def lcs_table(model: Sentence, peer: Sentence) -> list[list[float]]:
    """Return lengths of longest common subsequences of all pairs of prefixes."""
    c = [[0.0] * (len(peer) + 1) for _ in range(len(model) + 1)]
    for i in range(1, len(model) + 1):
        for j in range(1, len(peer) + 1):
            if model[i - 1] == peer[j - 1]:
                c[i][j] = c[i - 1][j - 1] + 1
            else:
                c[i][j] = max(c[i - 1][j], c[i][j - 1])
    return c


def wlcs_table(model: Sentence, peer: Sentence, weight: float) -> list[list[float]]:
    """Return the table with f(k) = k^weight for k consecutive matches, in doubles, left to right."""

    def f(k: int) -> float:
        return math.pow(k, weight)

    c = [[0.0] * (len(peer) + 1) for _ in range(len(model) + 1)]
    run = [[0] * (len(peer) + 1) for _ in range(len(model) + 1)]
    for i in range(1, len(model) + 1):
        for j in range(1, len(peer) + 1):
            if model[i - 1] == peer[j - 1]:
                k = run[i - 1][j - 1]
                c[i][j] = c[i - 1][j - 1] + f(k + 1) - f(k)
                run[i][j] = k + 1
            elif c[i - 1][j] >= c[i][j - 1]:
                c[i][j] = c[i - 1][j]
            else:
                c[i][j] = c[i][j - 1]
    return c


def trace(c: Sequence[Sequence[float]], model: Sentence, peer: Sentence) -> set[int]:
    """Return the model's positions on the original's traceback through a table."""
    marked = set()
    i, j = len(model), len(peer)
    while i > 0 and j > 0:
        if model[i - 1] == peer[j - 1]:
            i, j = i - 1, j - 1
            marked.add(i)
        elif c[i - 1][j] >= c[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return marked


def plain(model: Sentence, peer: Sentence) -> set[int]:
    """Return the positions that ROUGE-L marks in a model sentence against a peer sentence."""
    return trace(lcs_table(model, peer), model, peer)


def weighted(weight: float) -> Mark:
    """Return the positions that ROUGE-W marks."""
    return lambda model, peer: trace(wlcs_table(model, peer, weight), model, peer)


def union(models: Sentences, peers: Sentences, mark: Mark) -> set[Place]:
    """Return, for each model sentence, the union of its marks against every peer sentence."""
    return {
        (number, position)
        for number, sentence in enumerate(models)
        for peer in peers
        for position in mark(sentence, peer)
    }


def lcs_counts(model: Text, peer: Text) -> Counts:
    """Return the spec's ROUGE-L."""
    marked = union(model.sentences, peer.sentences, plain)
    left_in_model, left_in_peer = Counter(model.tokens), Counter(peer.tokens)
    hits = 0
    for number, sentence in enumerate(model.sentences):
        for position, token in enumerate(sentence):
            if (number, position) in marked and left_in_model[token] > 0 and left_in_peer[token] > 0:
                left_in_model[token] -= 1
                left_in_peer[token] -= 1
                hits += 1
    length = sum(len(sentence) for sentence in model.sentences)
    return Counts(length, len(peer.tokens), hits, hits / length if length else 0.0)


def wlcs_counts(model: Text, peer: Text, weight: float) -> Counts:
    """Return the spec's ROUGE-W."""
    marked = union(model.sentences, peer.sentences, weighted(weight))
    left_in_model, left_in_peer = Counter(model.tokens), Counter(peer.tokens)
    hits = lengths = 0.0
    for number, sentence in enumerate(model.sentences):
        run = 0
        for position, token in enumerate(sentence):
            if (number, position) in marked and left_in_model[token] > 0 and left_in_peer[token] > 0:
                left_in_model[token] -= 1
                left_in_peer[token] -= 1
                run += 1
                if (number, position + 1) not in marked:
                    hits += math.pow(run, weight)
                    run = 0
        lengths += math.pow(len(sentence), weight)
    rank = math.pow(hits / lengths, 1 / weight) if lengths else 0.0
    return Counts(math.pow(lengths, weight), math.pow(len(peer.tokens), weight), hits, rank)


# From the oracle's sets to the kernels' bits.


def row_numbers(model: Rows, number: int) -> list[int]:
    """Return the bits of one sentence, first token first."""
    field = model.fields[number]
    return [bit for bit in range(field.bit_length()) if field >> bit & 1]


def to_bits(places: set[Place], model: Rows) -> int:
    """Return places as the kernels write them."""
    numbers = {number: row_numbers(model, number) for number, _ in places}
    return sum(1 << numbers[number][position] for number, position in places)


def random_ids(seed: int, length: int, size: int) -> list[int]:
    """Generate a sentence too long to be drawn token by token."""
    return random.Random(seed).choices(range(size), k=length)


def sentences(size: int) -> st.SearchStrategy[Sentences]:
    """Generate up to five sentences over a small alphabet, at most one of them beyond a machine word."""

    def insert(short: list[list[int]], place: int, seed: int, length: int) -> Sentences:
        return [*short[:place], random_ids(seed, length, size), *short[place:]]

    def several(most: int) -> st.SearchStrategy[list[list[int]]]:
        return st.lists(st.lists(st.integers(0, size - 1), max_size=9), max_size=most)

    place, seed, length = st.integers(0, 4), st.integers(0, 1 << 30), st.integers(60, 90)
    return several(5) | st.builds(insert, several(4), place, seed, length)


def texts(size: int) -> st.SearchStrategy[Text]:
    """Generate texts whose two readings may differ, as they do under a byte limit."""

    def text(sentences: Sentences, first: Sentence | None) -> Text:
        return Text(list(chain.from_iterable(sentences)) if first is None else first, sentences)

    return st.builds(text, sentences(size), st.none() | st.lists(st.integers(0, size - 1), max_size=30))


ALPHABETS = st.integers(2, 6)
PAIRS = ALPHABETS.flatmap(lambda size: st.tuples(sentences(size), sentences(size)))
TEXTS = ALPHABETS.flatmap(lambda size: st.tuples(texts(size), texts(size)))


# The laws.


@given(sentences(3))
def test_each_sentence_has_its_own_rows(model: Sentences) -> None:
    """A model's layout has every token in order, with an empty bit between any two sentences."""
    layout = rows(model)
    numbers = [row_numbers(layout, number) for number in range(len(model))]

    assert [list(sentence) for sentence in model] == [
        [layout.tokens[row] for row in sentence] for sentence in numbers
    ]
    for before, after in zip(filter(None, numbers), list(filter(None, numbers))[1:], strict=False):
        assert set(layout.tokens[before[-1] + 1 : after[0]]) == {GUARD}
    assert layout.all_rows == sum(1 << row for row in chain.from_iterable(numbers))


@settings(max_examples=share(100))
@given(PAIRS)
@example(([[0, 1]], [[1, 0]]))
@example(([[0, 0, 1], [], [1, 0]], [[0, 1, 0], []]))
def test_marks_are_those_of_the_full_table(pair: tuple[Sentences, Sentences]) -> None:
    """Bit-parallel marks of all model sentences are those of the traceback through full tables."""
    models, peers = pair
    layout = rows(models)
    expected = [to_bits(union(models, [peer], plain), layout) for peer in peers]

    assert expected == paths(layout, peers)


@settings(max_examples=share(60))
@given(PAIRS)
def test_adjacent_rows_are_diagonal_runs(pair: tuple[Sentences, Sentences]) -> None:
    """A row is adjacent if it and the row before match two consecutive peer tokens."""
    models, peers = pair
    layout = rows(models)
    expected = [
        {
            (number, i)
            for number, model in enumerate(models)
            for i in range(1, len(model))
            if (model[i - 1], model[i]) in set(pairwise(peer))
        }
        for peer in peers
    ]

    assert [to_bits(places, layout) for places in expected] == [adjacent(layout, peer) for peer in peers]


@settings(max_examples=share(100))
@given(PAIRS, st.sampled_from(WEIGHTS))
@example(([[0, 1, 0, 1, 0]], [[0, 0, 1, 0, 1, 1]]), 0.5)  # doubles: c + f(k+1) - f(k), left to right
@example(([[0, 1, 3, 1, 0]], [[0, 0, 1, 3, 1]]), 0.5)
@example(([[0, 0, 1, 2]], [[0, 1, 1, 1]]), 1.2)  # a match worth less than the cell to its left
@example(([[3, 3, 0, 4, 2, 2]], [[3, 0, 0, 3]]), 3.0)
def test_weighted_marks_are_those_of_the_full_table(
    pair: tuple[Sentences, Sentences], weight: float
) -> None:
    """Weighted marks are those of the traceback through full tables of doubles."""
    models, peers = pair
    layout = rows(models)
    expected = to_bits(union(models, peers, weighted(weight)), layout)
    f = weights(max(map(len, models), default=0) + 1, weight)

    marked = 0
    for sentence, path in zip(peers, paths(layout, peers), strict=True):
        marked |= weighted_path(layout, sentence, path, f)
    assert expected == marked


@settings(max_examples=share(100))
@given(TEXTS)
def test_rouge_l_counts_are_the_specs(pair: tuple[Text, Text]) -> None:
    """ROUGE-L takes lengths and hits from the reading that the spec names, and clips by the other."""
    assert lcs_counts(*pair) == Lcs().count(*pair)


@settings(max_examples=share(60))
@given(TEXTS)
def test_whole_texts_have_the_length_of_the_full_table(pair: tuple[Text, Text]) -> None:
    """ROUGE-L of whole texts has the full table's length, however they are split into sentences."""
    model, peer = pair
    length = int(lcs_table(model.tokens, peer.tokens)[-1][-1])

    assert (len(model.tokens), len(peer.tokens), length) == SentenceLcs().count(model, peer)[:3]


@settings(max_examples=share(100))
@given(TEXTS, st.sampled_from(WEIGHTS))
def test_rouge_w_counts_are_the_specs(pair: tuple[Text, Text], weight: float) -> None:
    """ROUGE-W's weights, runs and hits are the spec's to the last bit that doubles have (QUIRKS 29)."""
    expected, counts = wlcs_counts(*pair, weight), WeightedLcs(weight).count(*pair)
    large = max(expected[:3]) > 2.0**53

    assert (pytest.approx(expected[:4], rel=1e-15) if large else expected[:4]) == counts[:4]


def words(*sentences: str) -> Text:
    """Return a text whose words are single letters."""
    split = [[ord(word) for word in sentence.split()] for sentence in sentences]
    return Text(list(chain.from_iterable(split)), split)


@pytest.mark.parametrize(
    ("model", "peers", "match"),
    [
        ("p k t g", ["p x t g"], 3),  # police killed the gunman; police kill the gunman
        ("p k t g", ["t g x p"], 2),  # the gunman kill police
        ("p k t g", ["t g p k"], 2),  # the gunman police killed
        ("1 2 3 4 5", ["1 2 6 7 8", "1 3 8 9 5"], 4),  # section 3.2: the union is 1 2 3 5
    ],
)
def test_rouge_l_of_the_paper(model: str, peers: list[str], match: int) -> None:
    """Lin's examples (2004, sections 3.1 and 3.2) have the matches that the paper gives."""
    assert match == Lcs().count(words(model), words(*peers)).match


@pytest.mark.parametrize(
    ("model", "peer", "match"),
    [
        ("A B C D E F G", "A B C D H I K", 16.0),
        ("A B C D E F G", "A H B K C I D", 16.0),  # the paper: 4, since the peer has no two in a row
        ("A H B K C I D", "A B C D E F G", 4.0),
    ],
)
def test_rouge_w_sees_runs_of_the_model_only(model: str, peer: str, match: float) -> None:
    """In Lin's example of ROUGE-W (2004, section 4), runs are those of the model, whatever the peer's."""
    assert match == WeightedLcs(2.0).count(words(model), words(peer)).match


def test_long_sentences() -> None:
    """Sentences of 5,000 tokens have as many marks as the length of their LCS, at the original's places."""
    model, peer = random_ids(1, 5000, 40), random_ids(2, 5000, 40)
    peer_row = np.array(peer)
    table = np.zeros((len(model) + 1, len(peer) + 1), dtype=np.int16)
    for i, token in enumerate(model):
        # Row by row: the best of the cell above and of a match, and of every such cell to the left.
        best = np.maximum(table[i, 1:], np.where(peer_row == token, table[i, :-1] + 1, 0))
        np.maximum.accumulate(best, out=table[i + 1, 1:])
    expected = set()
    i, j = len(model), len(peer)
    while i and j:
        if model[i - 1] == peer[j - 1]:
            i, j = i - 1, j - 1
            expected.add(i)
        elif table[i - 1, j] >= table[i, j - 1]:
            i -= 1
        else:
            j -= 1

    layout = rows([model])
    (path,) = paths(layout, [peer])

    assert int(table[-1, -1]) == path.bit_count()
    assert to_bits({(0, position) for position in expected}, layout) == path
