"""The compiled kernels against the readable ones: the same numbers to the last bit."""

from __future__ import annotations

import random
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rouge_cli.core import Text
from rouge_cli.dialects.google import RougeScorer
from rouge_cli.kernels import choice, counting
from rouge_cli.kernels.bags import overlap, skip_bigrams
from rouge_cli.metrics.lcs import Lcs, WeightedLcs
from rouge_cli.metrics.mead_lcs import MeadLcs
from rouge_cli.metrics.ngram import NGram
from rouge_cli.metrics.sentence_lcs import SentenceLcs
from rouge_cli.metrics.skip_bigram import SkipBigram
from rouge_cli.scoring import bootstrap
from rouge_cli.text import porter, vocabulary

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

METRICS: list[Any] = [
    *(NGram(n) for n in (1, 2, 3, 5, 2)),
    Lcs(),
    *(WeightedLcs(weight) for weight in (0.5, 1.0, 1.2, 2.0)),
    SentenceLcs(),
    *(SkipBigram(distance, unigrams) for distance in (0, 1, 4, 99, None) for unigrams in (False, True)),
    MeadLcs(),
]

pytestmark = pytest.mark.skipif(
    find_spec("rouge_cli.kernels._compiled") is None, reason="the compiled kernels were not built"
)


@pytest.fixture(autouse=True)
def compiled(monkeypatch: pytest.MonkeyPatch) -> Any:  # noqa: ANN401 - an extension module
    """The compiled kernels, whatever the environment asks for."""
    extension = import_module("rouge_cli.kernels._compiled")
    monkeypatch.setattr(choice, "compiled", lambda: extension)
    return extension


def readable(metrics: Sequence[Any], models: Sequence[Text], peers: Sequence[Text]) -> list[Any]:
    """What the metrics count by themselves."""
    return [[[metric.count(model, peer) for metric in metrics] for model in models] for peer in peers]


SENTENCES = st.lists(st.lists(st.integers(0, 4), max_size=9), max_size=4)


@st.composite
def texts(draw: st.DrawFn) -> Text:
    """A text of few different words; its first reading may be shorter, as under `-b`."""
    sentences = draw(SENTENCES)
    tokens = [token for sentence in sentences for token in sentence]
    return Text(tokens[: draw(st.integers(0, len(tokens)))] if draw(st.booleans()) else tokens, sentences)


@given(st.lists(texts(), max_size=3), st.lists(texts(), min_size=1, max_size=3))
def test_counts_are_the_same(models: list[Text], peers: list[Text]) -> None:
    """For any texts, empty ones too, every metric counts the same with either kernels."""
    assert readable(METRICS, models, peers) == counting.count(METRICS, models, peers)


def long_text(chance: random.Random, words: int, vocabulary: int) -> Text:
    """One sentence of words drawn evenly, and a short one."""
    sentence = chance.choices(range(vocabulary), k=words)
    return Text([*sentence, 1, 2], [sentence, [1, 2]])


@pytest.mark.parametrize("words", [63, 64, 65, 127, 128, 129, 700, 1001])
def test_sentences_longer_than_a_machine_word(words: int) -> None:
    """Carries between machine words, and weighted paths of long sentences, change nothing."""
    chance = random.Random(words)
    models, peers = ([long_text(chance, words + more, 30) for more in (0, 1)] for _ in range(2))

    assert readable(METRICS, models, peers) == counting.count(METRICS, models, peers)


def test_sentences_of_thousands_of_words() -> None:
    """The checkpoints that long columns need change nothing."""
    chance = random.Random(1)
    metrics: list[Any] = [NGram(2), Lcs(), SkipBigram(4, unigrams=True)]
    model, peer = long_text(chance, 5000, 400), long_text(chance, 14_000, 400)

    assert readable(metrics, [model], [peer]) == counting.count(metrics, [model], [peer])


@pytest.mark.parametrize("distance", [0, 3, 400, 900, 1398, 1399, 1400, None])
@pytest.mark.parametrize("unigrams", [False, True])
def test_pairs_beyond_a_table(
    distance: int | None,
    unigrams: bool,  # noqa: FBT001 - drawn by position
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Counting by the first word, which needs no table of pairs, gives what a table gives."""
    chance = random.Random(f"{distance}")
    models, peers = (  # of words that are frequent, and words that come once
        [Text([int(chance.paretovariate(0.6)) % 5000 for _ in range(size)]) for size in (1400, 9)]
        for _ in range(2)
    )
    metrics: list[Any] = [SkipBigram(distance, unigrams)]
    reach = 2000 if distance is None else distance
    bags = [
        [skip_bigrams(text.tokens, reach, unigrams=unigrams) for text in texts] for texts in (models, peers)
    ]
    table = [[[overlap(model, peer)] for model in bags[0]] for peer in bags[1]]
    monkeypatch.setattr("rouge_cli.metrics.skip_bigram.MOST_TABULATED", 0)
    plain = readable(metrics, models, peers)

    assert plain == counting.count(metrics, models, peers)
    assert table == [[[counts.match for counts in row] for row in rows] for rows in plain]


ENDS = "    .\n"
WORDS_OF_LINES = st.sampled_from(["a", "b", "c", "d", "e-f", "\xe9", "ran", "runs", "\u212a"])
LINES = st.lists(st.lists(WORDS_OF_LINES, max_size=9).map(" ".join), max_size=5)
STRINGS = LINES.map("\n".join)


@given(STRINGS, STRINGS, st.booleans())
def test_pairs_of_strings_are_the_same(target: str, prediction: str, stem: bool) -> None:  # noqa: FBT001
    """Google's scores of any two strings are the same with either kernels."""
    kinds = ["rouge1", "rouge2", "rougeLsum", "rouge4", "rougeL", "rouge3"]
    compiled = RougeScorer(kinds, use_stemmer=stem).score(target, prediction)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(choice, "compiled", lambda: None)
        assert RougeScorer(kinds, use_stemmer=stem).score(target, prediction) == compiled


@pytest.mark.parametrize("words", [60, 63, 64, 65, 200, 5000])
def test_long_strings_are_the_same(words: int) -> None:
    """Texts of many machine words, and those too long for the quick way, have the same scores."""
    chance = random.Random(words)
    target, prediction = (
        "".join(f"w{chance.randrange(40)}{chance.choice(ENDS)}" for _ in range(words)) for _ in range(2)
    )
    test_pairs_of_strings_are_the_same.hypothesis.inner_test(target, prediction, False)  # type: ignore[attr-defined]  # noqa: FBT003


FIGURES = st.floats(0, 1) | st.sampled_from([0.1, 0.2, 0.3, 1e16, float("inf")])


@given(
    st.integers(1, 6).flatmap(
        lambda size: st.lists(st.lists(FIGURES, min_size=size, max_size=size), min_size=1, max_size=4)
    ),
    st.sampled_from([1, 1.5, 2, 10.5, 37]),
    st.sampled_from([0, 33.3, 95, 100]),
    st.sampled_from([0, 1, 12345, 2**32]),
)
def test_the_bootstrap_is_the_same(
    columns: list[list[float]], samples: float, confidence: float, seed: int
) -> None:
    """Sums, means and intervals of any columns are the same with either kernels."""
    sums, estimates = (
        bootstrap.resampled_sums(columns, samples, seed),
        bootstrap.estimates_of_means(columns, samples, confidence, seed),
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(choice, "compiled", lambda: None)
        assert repr(bootstrap.resampled_sums(columns, samples, seed)) == repr(sums)
        assert repr(bootstrap.estimates_of_means(columns, samples, confidence, seed)) == repr(estimates)


WORDS = st.text("yyaeioubcstlz1", min_size=0, max_size=8).flatmap(
    lambda start: st.sampled_from(
        ("", "s", "sses", "ies", "eed", "ed", "ing", "y", "ational", "bli", "logi", "icate", "ness",
         "ement", "ment", "ent", "sion", "tion", "ize", "e", "ll", "\xe9", "\0\0ed")
    ).map(lambda end: start + end)
)  # fmt: skip


@given(WORDS, st.sampled_from(["", "s", "ed", "ing"]))
def test_stems_are_the_same(word: str, end: str) -> None:
    """Any string of single bytes has the same stem with either stemmer."""
    compiled = choice.compiled()

    assert porter.stem(word + end).encode("latin-1") == compiled.Stemmer({})((word + end).encode("latin-1"))


def test_stems_of_real_words_are_the_same(root: Path) -> None:
    """The 12,633 golden words have the same stems with either stemmer."""
    compiled = choice.compiled()
    lines = (root / "fixtures/rouge155/stems.tsv").read_bytes().splitlines()
    words = [line.split(b"\t")[0] for line in lines]

    assert list(map(porter.stem_of_bytes, words)) == list(map(compiled.Stemmer({}), words))


UNITS = st.lists(
    st.text("aAzZ09 -\t\n\xe9\0.", max_size=12).map(lambda text: text.encode("latin-1")), max_size=5
)


@given(UNITS, st.none() | UNITS, st.booleans())
def test_texts_are_read_the_same(second: list[bytes], first: list[bytes] | None, two: bool) -> None:  # noqa: FBT001
    """Any bytes become the same ids, with dropped words, one vocabulary or two, one reading or two."""

    def read() -> tuple[list[int], list[list[int]]]:
        forms: dict[bytes, int] = {}
        plain = vocabulary.Vocabulary(None, forms)
        other = vocabulary.Vocabulary(lambda raw: None if raw < b"a" else raw[:1], forms) if two else plain
        text = vocabulary.text(other, first, plain, second)
        return list(text.tokens), [list(sentence) for sentence in text.sentences]

    compiled = read()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(choice, "compiled", lambda: None)
        assert read() == compiled


@pytest.mark.parametrize("size", [1, 7, 8, 9, 15, 16, 17, 40])
def test_words_that_begin_alike_are_told_apart(size: int) -> None:
    """Words of any length have ids of their own, though they differ in one letter only, wherever it is."""
    other = [b"a" * place + b"B" + b"a" * (size - place - 1) for place in range(size)]
    units = [b"\xff-".join([b"A" * size, *other, b"a" * (size + 1)]), b"a" * size]
    words = vocabulary.Vocabulary(None, {})

    assert [list(range(size + 2)), [0]] == vocabulary.text(words, None, words, units).sentences


def test_thousands_of_words_keep_their_ids() -> None:
    """The compiled look-up grows with its words and loses none."""
    units = [b" ".join(b"w%d" % number for number in range(20_000))] * 2
    words = vocabulary.Vocabulary(None, {})

    assert [list(range(20_000))] * 2 == vocabulary.text(words, None, words, units).sentences
