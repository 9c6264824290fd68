"""ROUGE-L and ROUGE-W compared with slow, plain tables, written from the spec."""

import math
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, pairwise

import numpy as np
import pytest
from everyday import THOROUGH, share
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rouge_cli.core import Counts, Text
from rouge_cli.metrics._lcs import (
    GUARD,
    Rows,
    adjacent,
    paths,
    rows,
    weighted_path,
    weights,
)
from rouge_cli.metrics.lcs import Lcs, WeightedLcs
from rouge_cli.metrics.sentence_lcs import SentenceLcs

Sentence = Sequence[int]
Sentences = Sequence[Sentence]
Place = tuple[int, int]  # sentence, position in it
Mark = Callable[[Sentence, Sentence], set[int]]

WEIGHTS = (0.5, 1.0, 1.2, 2.0, 3.0)


# The oracle.


def lcs_table(reference: Sentence, prediction: Sentence) -> list[list[float]]:
    """Return lengths of longest common subsequences of all pairs of prefixes."""
    return wlcs_table(reference, prediction, 1)


def wlcs_table(
    reference: Sentence, prediction: Sentence, weight: float
) -> list[list[float]]:
    """Return the table with f(k) = k^weight for k consecutive matches, in doubles,
    left to right.
    """

    def f(k: int) -> float:
        return math.pow(k, weight)

    c = [[0.0] * (len(prediction) + 1) for _ in range(len(reference) + 1)]
    run = [[0] * (len(prediction) + 1) for _ in range(len(reference) + 1)]
    for i in range(1, len(reference) + 1):
        for j in range(1, len(prediction) + 1):
            if reference[i - 1] == prediction[j - 1]:
                k = run[i - 1][j - 1]
                c[i][j] = c[i - 1][j - 1] + f(k + 1) - f(k)
                run[i][j] = k + 1
            elif c[i - 1][j] >= c[i][j - 1]:
                c[i][j] = c[i - 1][j]
            else:
                c[i][j] = c[i][j - 1]
    return c


def trace(
    c: Sequence[Sequence[float]], reference: Sentence, prediction: Sentence
) -> set[int]:
    """Return the model's positions on the original's traceback through a table."""
    marked = set()
    i, j = len(reference), len(prediction)
    while i > 0 and j > 0:
        if reference[i - 1] == prediction[j - 1]:
            i, j = i - 1, j - 1
            marked.add(i)
        elif c[i - 1][j] >= c[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return marked


def plain(reference: Sentence, prediction: Sentence) -> set[int]:
    """Return the positions that ROUGE-L marks in a model sentence against a peer
    sentence.
    """
    return trace(lcs_table(reference, prediction), reference, prediction)


def weighted(weight: float) -> Mark:
    """Return the positions that ROUGE-W marks."""
    return lambda reference, prediction: trace(
        wlcs_table(reference, prediction, weight), reference, prediction
    )


def union(references: Sentences, predictions: Sentences, mark: Mark) -> set[Place]:
    """Return, for each model sentence, the union of its marks against every peer
    sentence.
    """
    return {
        (number, position)
        for number, sentence in enumerate(references)
        for prediction in predictions
        for position in mark(sentence, prediction)
    }


def hits_of(
    reference: Text, prediction: Text, marked: set[Place]
) -> Iterator[tuple[Sentence, list[int]]]:
    """Yield each model sentence with its positions that count: marked, and words
    left on both sides.
    """
    left_in_reference, left_in_prediction = (
        Counter(reference.tokens),
        Counter(prediction.tokens),
    )
    for number, sentence in enumerate(reference.sentences):
        hits = []
        for position, token in enumerate(sentence):
            if (number, position) in marked and min(
                left_in_reference[token], left_in_prediction[token]
            ) > 0:
                left_in_reference[token] -= 1
                left_in_prediction[token] -= 1
                hits.append(position)
        yield sentence, hits


def lcs_counts(reference: Text, prediction: Text) -> Counts:
    """Return the spec's ROUGE-L."""
    marked = union(reference.sentences, prediction.sentences, plain)
    hits = sum(len(places) for _, places in hits_of(reference, prediction, marked))
    length = sum(map(len, reference.sentences))
    return Counts(
        length, len(prediction.tokens), hits, hits / length if length else 0.0
    )


def wlcs_counts(reference: Text, prediction: Text, weight: float) -> Counts:
    """Return the spec's ROUGE-W."""
    marked = union(reference.sentences, prediction.sentences, weighted(weight))
    hits = lengths = 0.0
    for number, (sentence, places) in enumerate(hits_of(reference, prediction, marked)):
        run = 0
        for position in places:
            run += 1
            if (number, position + 1) not in marked:
                hits += math.pow(run, weight)
                run = 0
        lengths += math.pow(len(sentence), weight)
    rank = math.pow(hits / lengths, 1 / weight) if lengths else 0.0
    return Counts(
        math.pow(lengths, weight), math.pow(len(prediction.tokens), weight), hits, rank
    )


# From the oracle's sets to the kernels' bits.


def row_numbers(reference: Rows, number: int) -> list[int]:
    """Return the bits of one sentence, first token first."""
    field = reference.fields[number]
    return [bit for bit in range(field.bit_length()) if field >> bit & 1]


def to_bits(places: set[Place], reference: Rows) -> int:
    """Return places as the kernels write them."""
    numbers = {number: row_numbers(reference, number) for number, _ in places}
    return sum(1 << numbers[number][position] for number, position in places)


def random_ids(seed: int, length: int, size: int) -> list[int]:
    """Generate a sentence too long to be drawn token by token."""
    return random.Random(seed).choices(range(size), k=length)


def sentences(size: int) -> st.SearchStrategy[Sentences]:
    """Generate up to five sentences over a small alphabet, at most one of them
    beyond a machine word.
    """

    def insert(short: list[list[int]], place: int, seed: int, length: int) -> Sentences:
        return [*short[:place], random_ids(seed, length, size), *short[place:]]

    def several(most: int) -> st.SearchStrategy[list[list[int]]]:
        return st.lists(st.lists(st.integers(0, size - 1), max_size=9), max_size=most)

    place, seed, length = (
        st.integers(0, 4),
        st.integers(0, 1 << 30),
        st.integers(60, 90),
    )
    return several(5) | st.builds(insert, several(4), place, seed, length)


def texts(size: int) -> st.SearchStrategy[Text]:
    """Generate texts whose two readings may differ, as they do under a byte limit."""

    def text(sentences: Sentences, first: Sentence | None) -> Text:
        return Text(
            list(chain.from_iterable(sentences)) if first is None else first, sentences
        )

    return st.builds(
        text,
        sentences(size),
        st.none() | st.lists(st.integers(0, size - 1), max_size=30),
    )


ALPHABETS = st.integers(2, 6)
PAIRS = ALPHABETS.flatmap(lambda size: st.tuples(sentences(size), sentences(size)))
TEXTS = ALPHABETS.flatmap(lambda size: st.tuples(texts(size), texts(size)))


# The laws.


@given(sentences(3))
def test_each_sentence_has_its_own_rows(reference: Sentences) -> None:
    """A model's layout has every token in order, with an empty bit between any two
    sentences.
    """
    layout = rows(reference)
    numbers = [row_numbers(layout, number) for number in range(len(reference))]

    assert [list(sentence) for sentence in reference] == [
        [layout.tokens[row] for row in sentence] for sentence in numbers
    ]
    for before, after in zip(
        filter(None, numbers), list(filter(None, numbers))[1:], strict=False
    ):
        assert set(layout.tokens[before[-1] + 1 : after[0]]) == {GUARD}
    assert layout.all_rows == sum(1 << row for row in chain.from_iterable(numbers))


@settings(max_examples=share(100))
@given(PAIRS)
@example(([[0, 1]], [[1, 0]]))
@example(([[0, 0, 1], [], [1, 0]], [[0, 1, 0], []]))
def test_marks_are_those_of_the_full_table(pair: tuple[Sentences, Sentences]) -> None:
    """Bit-parallel marks of all model sentences are those of the traceback through
    full tables.
    """
    references, predictions = pair
    layout = rows(references)
    expected = [
        to_bits(union(references, [prediction], plain), layout)
        for prediction in predictions
    ]

    assert expected == paths(layout, predictions)


@settings(max_examples=share(60))
@given(PAIRS)
def test_adjacent_rows_are_diagonal_runs(pair: tuple[Sentences, Sentences]) -> None:
    """A row is adjacent if it and the row before match two consecutive peer tokens."""
    references, predictions = pair
    layout = rows(references)
    expected = [
        {
            (number, i)
            for number, reference in enumerate(references)
            for i in range(1, len(reference))
            if (reference[i - 1], reference[i]) in set(pairwise(prediction))
        }
        for prediction in predictions
    ]

    assert [to_bits(places, layout) for places in expected] == [
        adjacent(layout, prediction) for prediction in predictions
    ]


@settings(max_examples=share(100))
@given(PAIRS, st.sampled_from(WEIGHTS))
@example(
    ([[0, 1, 0, 1, 0]], [[0, 0, 1, 0, 1, 1]]), 0.5
)  # doubles: c + f(k+1) - f(k), left to right
@example(([[0, 1, 3, 1, 0]], [[0, 0, 1, 3, 1]]), 0.5)
@example(
    ([[0, 0, 1, 2]], [[0, 1, 1, 1]]), 1.2
)  # a match worth less than the cell to its left
@example(([[3, 3, 0, 4, 2, 2]], [[3, 0, 0, 3]]), 3.0)
def test_weighted_marks_are_those_of_the_full_table(
    pair: tuple[Sentences, Sentences], weight: float
) -> None:
    """Weighted marks are those of the traceback through full tables of doubles."""
    references, predictions = pair
    layout = rows(references)
    expected = to_bits(union(references, predictions, weighted(weight)), layout)
    f = weights(max(map(len, references), default=0) + 1, weight)

    marked = 0
    for sentence, path in zip(predictions, paths(layout, predictions), strict=True):
        marked |= weighted_path(layout, sentence, path, f)
    assert expected == marked


@settings(max_examples=share(100))
@given(TEXTS)
def test_rouge_l_counts_are_the_specs(pair: tuple[Text, Text]) -> None:
    """ROUGE-L takes lengths and hits from the reading that the spec names, and clips
    by the other.
    """
    assert lcs_counts(*pair) == Lcs().count(*pair)


@settings(max_examples=share(60))
@given(TEXTS)
def test_whole_texts_have_the_length_of_the_full_table(pair: tuple[Text, Text]) -> None:
    """ROUGE-L of whole texts has the full table's length, however they are split
    into sentences.
    """
    reference, prediction = pair
    length = int(lcs_table(reference.tokens, prediction.tokens)[-1][-1])

    assert (
        len(reference.tokens),
        len(prediction.tokens),
        length,
    ) == SentenceLcs().count(reference, prediction)[:3]


@settings(max_examples=share(100))
@given(TEXTS, st.sampled_from(WEIGHTS))
def test_rouge_w_counts_are_the_specs(pair: tuple[Text, Text], weight: float) -> None:
    """ROUGE-W's weights, runs and hits are the spec's to the last bit that doubles
    have (QUIRKS 29).
    """
    expected, counts = wlcs_counts(*pair, weight), WeightedLcs(weight).count(*pair)
    large = max(expected[:3]) > 2.0**53

    assert (
        pytest.approx(expected[:4], rel=1e-15) if large else expected[:4]
    ) == counts[:4]


def words(*sentences: str) -> Text:
    """Return a text whose words are single letters."""
    split = [[ord(word) for word in sentence.split()] for sentence in sentences]
    return Text(list(chain.from_iterable(split)), split)


@pytest.mark.parametrize(
    ("reference", "predictions", "match"),
    [
        ("p k t g", ["p x t g"], 3),  # police killed the gunman; police kill the gunman
        ("p k t g", ["t g x p"], 2),  # the gunman kill police
        ("p k t g", ["t g p k"], 2),  # the gunman police killed
        (
            "1 2 3 4 5",
            ["1 2 6 7 8", "1 3 8 9 5"],
            4,
        ),  # section 3.2: the union is 1 2 3 5
    ],
)
def test_rouge_l_of_the_paper(
    reference: str, predictions: list[str], match: int
) -> None:
    """Lin's examples (2004, sections 3.1 and 3.2) have the matches that the paper
    gives.
    """
    assert match == Lcs().count(words(reference), words(*predictions)).match


@pytest.mark.parametrize(
    ("reference", "prediction", "match"),
    [
        ("A B C D E F G", "A B C D H I K", 16.0),
        (
            "A B C D E F G",
            "A H B K C I D",
            16.0,
        ),  # the paper: 4, since the peer has no two in a row
        ("A H B K C I D", "A B C D E F G", 4.0),
    ],
)
def test_rouge_w_sees_runs_of_the_model_only(
    reference: str, prediction: str, match: float
) -> None:
    """In Lin's example of ROUGE-W (2004, section 4), runs are those of the model,
    whatever the peer's.
    """
    assert match == WeightedLcs(2.0).count(words(reference), words(prediction)).match


def test_long_sentences() -> None:
    """Sentences of 5,000 tokens have as many marks as the length of their LCS, at
    the original's places.
    """
    size = 5000 if THOROUGH else 1500
    reference, prediction = random_ids(1, size, 40), random_ids(2, size, 40)
    prediction_row = np.array(prediction)
    table = np.zeros((len(reference) + 1, len(prediction) + 1), dtype=np.int16)
    for i, token in enumerate(reference):
        # Row by row: the best of the cell above and of a match, and of every such cell
        # to the left.
        best = np.maximum(
            table[i, 1:], np.where(prediction_row == token, table[i, :-1] + 1, 0)
        )
        np.maximum.accumulate(best, out=table[i + 1, 1:])
    expected = trace(table.tolist(), reference, prediction)

    layout = rows([reference])
    (path,) = paths(layout, [prediction])

    assert int(table[-1, -1]) == path.bit_count()
    assert to_bits({(0, position) for position in expected}, layout) == path
