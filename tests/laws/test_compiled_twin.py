"""The compiled kernels compute the same numbers as the readable ones, to the last
bit.
"""

from __future__ import annotations

import gc
import random
import subprocess
import sys
import weakref
from collections import namedtuple
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from compiled_runs import same_without_extension
from everyday import THOROUGH, sampled
from hypothesis import example, given
from hypothesis import strategies as st

from rouge_cli import native
from rouge_cli.core import Text
from rouge_cli.dialects.google import RougeScorer, word_forms
from rouge_cli.dialects.google.scoring import BootstrapAggregator, Score, make_score
from rouge_cli.metrics import overlap
from rouge_cli.metrics.lcs import Lcs, WeightedLcs
from rouge_cli.metrics.mead_lcs import MeadLcs
from rouge_cli.metrics.ngram import NGram
from rouge_cli.metrics.sentence_lcs import SentenceLcs
from rouge_cli.metrics.skip_bigram import SkipBigram, skip_bigrams
from rouge_cli.native import _compiled
from rouge_cli.native.kernels import kernel_of
from rouge_cli.native.setups import ReadingRules
from rouge_cli.scoring import bootstrap
from rouge_cli.text import porter
from rouge_cli.text.tokens import Normalizer

Texts = Sequence[Text]
METRICS: list[Any] = [
    *(NGram(n) for n in (1, 2, 3, 5, 2)), Lcs(), *(WeightedLcs(weight) for weight in (0.5, 1.0, 1.2, 2.0)),
    SentenceLcs(),
    *(SkipBigram(distance, unigrams) for distance in (0, 1, 4, 99, None) for unigrams in (False, True)),
]  # fmt: skip

pytestmark = pytest.mark.usefixtures("compiled")


def readable_counts(
    metrics: Sequence[Any], references: Texts, predictions: Texts
) -> list[Any]:
    """Return what the metrics count by themselves."""
    return [
        m.count(reference, text)
        for text in predictions
        for reference in references
        for m in metrics
    ]


def compiled_counts(
    metrics: Sequence[Any], references: Texts, predictions: Texts
) -> list[Any]:
    """Return the metrics' counts from those of the extension."""
    extension = native.extension()
    assert extension
    of_references, of_predictions = (
        [(text.tokens, text.sentences) for text in texts]
        for texts in (references, predictions)
    )
    kernels = [kernel_of(metric) for metric in metrics]
    specs = [spec for spec in kernels if spec]
    rows = extension.count(of_references, of_predictions, specs)
    assert len(rows) == len(metrics) * len(references) * len(predictions)
    return [
        metrics[place % len(metrics)].counts(*row) for place, row in enumerate(rows)
    ]


def assert_counts(
    metrics: Sequence[Any], references: Texts, predictions: Texts
) -> list[Any]:
    """Assert that the extension counts what the metrics count by themselves; return
    it.
    """
    counts = readable_counts(metrics, references, predictions)
    assert counts == compiled_counts(metrics, references, predictions)
    return counts


SENTENCES = st.lists(st.lists(st.integers(0, 4), max_size=9), max_size=4)


@st.composite
def texts(draw: st.DrawFn) -> Text:
    """Generate a text of few different words; its first reading may be shorter, as
    under `-b`.
    """
    sentences = draw(SENTENCES)
    tokens = [token for sentence in sentences for token in sentence]
    return Text(
        tokens[: draw(st.integers(0, len(tokens)))] if draw(st.booleans()) else tokens,
        sentences,
    )


@given(st.lists(texts(), max_size=3), st.lists(texts(), min_size=1, max_size=3))
def test_counts_are_the_same(references: list[Text], predictions: list[Text]) -> None:
    """For any texts, empty ones too, the extension counts what every metric counts."""
    assert_counts(METRICS, references, predictions)


@example(Text([0], [[0, 1]]), Text([0, 1], [[0, 1]]))
@given(texts(), texts())
def test_metrics_alone_count_the_same(reference: Text, prediction: Text) -> None:
    """ROUGE-L alone, with a shorter way for texts of one sentence, counts what it
    counts beside others.
    """
    for metrics in ([Lcs()], [Lcs(), SentenceLcs()], [SentenceLcs()]):
        assert_counts(metrics, [reference], [prediction])


def test_metrics_without_a_twin_have_no_specification() -> None:
    """A metric without a compiled twin, or with weights beyond doubles, has no
    specification.
    """
    assert [None, None] == [kernel_of(MeadLcs()), kernel_of(WeightedLcs(2.5))]


def long_text(chance: random.Random, words: int, vocabulary: int) -> Text:
    """Return one sentence of words drawn uniformly, and a short one."""
    sentence = chance.choices(range(vocabulary), k=words)
    return Text([*sentence, 1, 2], [sentence, [1, 2]])


@pytest.mark.parametrize(
    "words",
    [
        63,
        64,
        65,
        127,
        128,
        129,
        *(pytest.param(size, marks=pytest.mark.slow) for size in (700, 1001)),
    ],
)
def test_sentences_longer_than_a_machine_word(words: int) -> None:
    """Carries between machine words, and weighted paths of long sentences, do not
    change counts.
    """
    chance = random.Random(words)
    references, predictions = (
        [long_text(chance, words + more, 30) for more in (0, 1)] for _ in range(2)
    )

    assert_counts(METRICS, references, predictions)


def test_sentences_of_thousands_of_words() -> None:
    """The checkpoints that long columns require do not change counts."""
    chance = random.Random(1)
    metrics: list[Any] = [NGram(2), Lcs(), SentenceLcs(), SkipBigram(4, unigrams=True)]
    reference, prediction = long_text(chance, 5000, 400), long_text(chance, 14_000, 400)

    assert_counts(metrics, [reference], [prediction])


@pytest.mark.parametrize(
    ("distance", "unigrams"),
    [
        (900, False),
        *sampled(product([0, 3, 400, 900, 1398, 1399, 1400, None], [False, True]), 8),
    ],
)
def test_pairs_beyond_a_table(
    distance: int | None, unigrams: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counting by the first word, without a table of pairs, gives what a table
    gives.
    """
    chance = random.Random(f"{distance}")
    references, predictions = (  # of frequent words, and of words that occur once
        [
            Text([int(chance.paretovariate(0.6)) % 5000 for _ in range(size)])
            for size in (1400, 9)
        ]
        for _ in range(2)
    )
    metrics: list[Any] = [SkipBigram(distance, unigrams)]
    reach = 2000 if distance is None else distance
    bags = [
        [skip_bigrams(text, reach, unigrams) for text in texts]
        for texts in (references, predictions)
    ]
    table = [
        overlap(reference, prediction)
        for prediction in bags[1]
        for reference in bags[0]
    ]
    monkeypatch.setattr("rouge_cli.metrics.skip_bigram.MOST_TABULATED", 0)

    assert table == [
        counts.match for counts in assert_counts(metrics, references, predictions)
    ]


def test_more_pairs_than_room() -> None:
    """A table of pairs that was made for fewer grows, and counts the same."""
    chance = random.Random(3)
    references, predictions = ([Text(chance.sample(range(400), 150))] for _ in range(2))
    metrics: list[Any] = [
        SkipBigram(None, unigrams=False),
        SkipBigram(40, unigrams=True),
    ]

    assert_counts(metrics, references, predictions)


KINDS = ["rouge1", "rouge2", "rougeLsum", "rouge4", "rougeL", "rouge3"]
WORDS_OF_LINES = st.sampled_from(
    [
        "a",
        "b",
        "c",
        "d",
        "e-f",
        "\xe9",
        "ran",
        "runs",
        "i",
        "k",
        "\u212a",
        "\u212ais",
        "\u0130",
        "\ud800",
    ]
)
STRINGS = st.lists(st.lists(WORDS_OF_LINES, max_size=9).map(" ".join), max_size=5).map(
    "\n".join
)


def assert_pairs_are_the_same(
    targets: list[str], predictions: list[str], *, stem: bool
) -> None:
    """Assert equal scores with the extension and without, pair by pair and all
    together.
    """

    def scores() -> tuple[str, str]:
        scorer = RougeScorer(KINDS, use_stemmer=stem)
        by_pair = [
            scorer.score(*pair) for pair in zip(targets, predictions, strict=True)
        ]
        return repr(by_pair), repr(scorer.score_batch(targets, predictions))

    same_without_extension(scores)
    assert len(set(scores())) == 1


@given(st.lists(st.tuples(STRINGS, STRINGS), min_size=1, max_size=4), st.booleans())
def test_pairs_of_strings_are_the_same(
    pairs: list[tuple[str, str]], stem: bool
) -> None:
    """Google's scores of any strings are the same with both kernels, one by one and
    in batches.
    """
    assert_pairs_are_the_same(
        [target for target, _ in pairs],
        [prediction for _, prediction in pairs],
        stem=stem,
    )


@pytest.mark.parametrize("words", [60, 63, 64, 65, 200, 5000])
def test_long_strings_are_the_same(words: int) -> None:
    """Texts of many machine words, and those too long for the fast path, have the
    same scores.
    """
    chance = random.Random(words)
    target, prediction = (
        "".join(
            f"w{chance.randrange(40)}{chance.choice('    .' + chr(10))}"
            for _ in range(words)
        )
        for _ in range(2)
    )
    assert_pairs_are_the_same([target], [prediction], stem=False)


def test_a_vocabulary_begun_anew_changes_no_score(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Scores are the same if the scorer resets its vocabulary again and again."""
    monkeypatch.setattr(word_forms, "MOST_FORMS", 5)
    chance = random.Random(3)
    strings = [" ".join(f"w{chance.randrange(9)}" for _ in range(6)) for _ in range(40)]
    assert_pairs_are_the_same(strings[:20], strings[20:], stem=True)


def test_threads_may_share_a_scorer() -> None:
    """Several threads that share a scorer with a Python stemmer get the scores of
    one thread.
    """
    chance = random.Random(1)

    def string() -> str:
        ends = ("running", "organs", "national", "es")
        return " ".join(
            f"{chance.choice(ends)}{chance.randrange(10**6)}ing" for _ in range(60)
        )

    pairs_by_thread = [
        [(text := string(), f"{string()} {text[:200]}") for _ in range(60)]
        for _ in range(3)
    ]
    scorers = [RougeScorer(["rouge1", "rougeL"], use_stemmer=True) for _ in range(2)]

    def scores(
        pairs: list[tuple[str, str]], scorer: RougeScorer = scorers[0]
    ) -> list[dict[str, Score]]:
        return [scorer.score(*pair) for pair in pairs]

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(3) as pool:
            shared = list(pool.map(scores, pairs_by_thread))
    finally:
        sys.setswitchinterval(interval)

    assert [scores(pairs, scorers[1]) for pairs in pairs_by_thread] == shared


FIGURES = st.floats(0, 1) | st.sampled_from(
    [0.1, 0.2, 0.3, 1e16, float("inf"), float("nan")]
)


@example([[0.1, 0.2, float("nan"), 0.3, 0.5]], 37, 95, 0)
@given(
    st.integers(1, 6).flatmap(
        lambda size: st.lists(
            st.lists(FIGURES, min_size=size, max_size=size), min_size=1, max_size=4
        )
    ),
    st.sampled_from([1, 1.5, 2, 10.5, 37]),
    st.sampled_from([0, 33.3, 95, 100]),
    st.sampled_from([0, 1, 12345, 2**32]),
)
def test_the_bootstrap_is_the_same(
    columns: list[list[float]], samples: float, confidence: float, seed: int
) -> None:
    """Sums, means and intervals of any columns are the same with both kernels."""
    same_without_extension(lambda: bootstrap.resampled_sums(columns, samples, seed))
    same_without_extension(
        lambda: bootstrap.estimates_of_means(columns, samples, confidence, seed)
    )


@pytest.mark.parametrize("width", range(1, 21))
def test_sums_of_any_number_of_columns_are_the_same(width: int) -> None:
    """With any number of figures resampled together, each gets the sums that it
    would get alone.
    """
    chance = random.Random(width)
    columns = [[chance.random() for _ in range(9)] for _ in range(width)]
    same_without_extension(lambda: bootstrap.resampled_sums(columns, 5, 3))


@pytest.mark.parametrize("width", [3, 9])
def test_rows_that_do_not_fit_into_the_cache(width: int) -> None:
    """Rows that are fetched ahead give the same sums."""
    columns = [
        [(place * 7919 + column) % 10007 / 10007 for place in range(40_000)]
        for column in range(width)
    ]
    same_without_extension(lambda: bootstrap.resampled_sums(columns, 3, 5))


@pytest.mark.parametrize("jobs", [2, 3, 7, 1000])
def test_threads_draw_the_same_samples(jobs: int) -> None:
    """For any number of threads, the sums are those of one thread."""
    columns = [
        [place / 1009 for place in range(1200)],
        [place % 7 / 7 for place in range(1200)],
    ]
    samples = 9000  # enough draws for seven threads
    assert bootstrap.resampled_sums(
        columns, samples, 1, jobs
    ) == bootstrap.resampled_sums(columns, samples, 1)


WITHOUT_THREADS = """
import os, resource
from rouge_cli.native import _compiled
if os.geteuid() == 0:
    os.setuid(65534)  # root has no limit
resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
columns = [[place / 1009 for place in range(1200)]]
assert _compiled.resampled_sums(columns, 2000, 0, 2) == _compiled.resampled_sums(columns, 2000, 0, 1)
"""


@pytest.mark.skipif(
    sys.platform != "linux", reason="limits the threads of a user as Linux does"
)
def test_samples_are_drawn_if_the_system_has_no_thread() -> None:
    """A thread that cannot be started costs time, not the run."""
    run = subprocess.run(
        [sys.executable, "-c", WITHOUT_THREADS],
        capture_output=True,
        text=True,
        check=False,
    )
    assert not run.returncode, run.stderr


@pytest.mark.parametrize("size", [1, 2, 3, 5, 1000])
@pytest.mark.parametrize("seed", [0, 1, 2**32 - 1])
def test_samples_are_drawn_as_numpy_draws_them(
    size: int,
    seed: int,
    compiled: Any,  # noqa: ANN401
) -> None:
    """In consecutive calls, the rows drawn are those of numpy's own generator."""
    numpy = pytest.importorskip("numpy")
    rows = numpy.random.RandomState(7).rand(size, 3)
    theirs = numpy.random.RandomState(seed)
    _, words, place, *_ = theirs.get_state()
    key = words.tobytes()
    for samples in (4, 1):
        expected = [
            rows[theirs.choice(size, size)].mean(axis=0).tolist()
            for _ in range(samples)
        ]

        means, key, place = compiled.resampled_means(
            rows.ravel().tolist(), 3, samples, key, place
        )
        assert [figure for row in expected for figure in row] == means


@pytest.mark.parametrize("size", [1, 2, 3, 700])
def test_samples_without_a_seed_are_drawn_from_numpys_generator(size: int) -> None:
    """Without a seed, draws are those of numpy's global generator, and leave it as
    numpy's own would.
    """
    numpy = pytest.importorskip("numpy")
    aggregator = BootstrapAggregator(n_samples=5)
    for recall, precision, f in numpy.random.RandomState(7).rand(size, 3):
        aggregator.add_scores(
            {
                "rouge1": Score(precision, recall, f),
                "rougeL": Score(f, recall, precision),
            }
        )

    def outcome() -> object:
        numpy.random.seed(3)
        numpy.random.normal(size=size)  # also a number that is kept for the next call
        aggregates = [aggregator.aggregate() for _ in range(2)]
        return repr(
            (aggregates, numpy.random.normal(), numpy.random.randint(1 << 40, size=3))
        )

    same_without_extension(outcome)


@pytest.mark.parametrize("width", [0, 1, 2])
def test_aggregates_of_any_width_are_numpys(width: int) -> None:
    """Named tuples of few figures, even of none, have the aggregates that numpy's
    own means give.
    """
    pytest.importorskip("numpy")
    chance = random.Random(width)
    aggregator = BootstrapAggregator(n_samples=7, seed=5)
    figures = namedtuple("Figures", [f"figure{number}" for number in range(width)])  # type: ignore[misc]  # noqa: PYI024
    for _ in range(200):
        aggregator.add_scores(
            {"type": figures(*(chance.random() for _ in range(width)))}
        )
    same_without_extension(aggregator.aggregate)


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_seeds_that_numpy_refuses_are_refused(seed: int) -> None:
    """A seed of more than 32 bits is a ValueError, whichever program draws."""
    pytest.importorskip("numpy")
    aggregator = BootstrapAggregator(n_samples=7, seed=seed)
    aggregator.add_scores({"type": (0.5, 0.5, 0.5)})
    with pytest.raises(ValueError, match="Seed must be between"):
        aggregator.aggregate()


def test_more_samples_than_memory_are_an_error(compiled: Any) -> None:  # noqa: ANN401
    """Numbers of samples whose figures exceed any memory raise MemoryError; they
    overflowed.
    """
    rows = [0.5] * 4
    with pytest.raises(MemoryError):
        compiled.resampled_means(rows, 4, 2**62, bytes(2496), 0)
    with pytest.raises(MemoryError):
        compiled.resampled_sums([[figure] for figure in rows], 2**62, 0, 1)


WORDS = st.text("yyaeioubcstlz1", min_size=0, max_size=8).flatmap(
    lambda start: st.sampled_from(
        ("", "s", "sses", "ies", "eed", "ed", "ing", "y", "ational", "bli", "logi", "icate", "ness",
         "ement", "ment", "ent", "sion", "tion", "ize", "e", "ll", "\xe9", "\0\0ed")
    ).map(lambda end: start + end)
)  # fmt: skip


@given(WORDS, st.sampled_from(["", "s", "ed", "ing"]))
def test_stems_are_the_same(word: str, end: str) -> None:
    """Any string of single bytes has the same stem with both stemmers."""
    compiled: Any = native.extension()

    assert porter.stem(word + end).encode("latin-1") == compiled.stem(
        (word + end).encode("latin-1")
    )


def test_stems_of_real_words_are_the_same(root: Path, compiled: Any) -> None:  # noqa: ANN401
    """The 12,633 golden words have the same stems with both stemmers."""
    lines = (root / "fixtures/rouge155/stems.tsv").read_bytes().splitlines()
    words = [line.split(b"\t")[0] for line in lines]
    stems = [porter.stem(word.decode("latin-1")).encode("latin-1") for word in words]

    assert stems == list(map(compiled.stem, words))


def pairs_of(normalize: Normalizer | None) -> _compiled.Pairs[Score]:
    """Return a scorer of pairs by single words, and by the words' order."""
    specs = [kernel_of(metric) for metric in (NGram(1), SentenceLcs())]
    names = ["rouge1", "rougeL"]
    return _compiled.Pairs(
        ReadingRules(),
        normalize,
        native.MOST_FORMS,
        names,
        [spec for spec in specs if spec],
        Score,
        make_score,
    )


@pytest.mark.parametrize("size", [1, 7, 8, 9, 15, 16, 17, 40])
def test_words_that_begin_alike_are_different_forms(size: int) -> None:
    """Words of any length that differ in one letter, at any position, are different
    forms.
    """
    words = [
        "a" * size,
        *("a" * place + "b" + "a" * (size - place - 1) for place in range(size)),
        "a" * (size + 1),
    ]
    pairs = pairs_of(None)
    every = [(prediction, reference) for prediction in words for reference in words]
    scores = pairs.score_batch(
        [prediction.upper() for prediction, _ in every],
        [reference for _, reference in every],
    )
    assert scores

    assert pairs.forms() == size + 2
    assert [float(prediction == reference) for prediction, reference in every] == [
        score["rouge1"].fmeasure for score in scores
    ]


def test_thousands_of_words_keep_their_ids() -> None:
    """The compiled hash table keeps all words as it grows."""
    pairs = pairs_of(None)
    text = " ".join(f"w{number}" for number in range(20_000))

    for prediction in (text, text.replace(" ", "\xff"), text.upper()):
        assert {"rouge1": (1, 1, 1), "rougeL": (1, 1, 1)} == pairs.score(
            text, prediction
        )
        assert pairs.forms() == 20_000


def test_an_exception_of_a_stemmer_reaches_the_caller() -> None:
    """A stemmer's exception is raised unchanged at each look-up; all bytes of other
    words' forms count.
    """
    error = KeyError("bad")

    def stem(raw: bytes) -> bytes:
        if raw == b"bad":
            raise error
        return raw[:3] + b"\0" * raw.endswith(b"s")

    pairs = pairs_of(Normalizer(frozenset({b"the"}), stem))
    for _ in range(2):
        for call in (
            lambda: pairs.score("the cats", "bad"),
            lambda: pairs.score_batch(["cat"], ["a bad cat"]),
        ):
            with pytest.raises(KeyError) as raised:
                call()
            assert raised.value is error
        assert [
            pairs.score("cats", word)["rouge1"][0]
            for word in ("the cattle", "the catties")
        ] == [0, 1]


def test_a_stemmer_may_score_while_it_is_asked() -> None:
    """A stemmer that scores with the pairs that ask it, in several threads, changes
    no score.
    """

    def stem(raw: bytes) -> bytes:
        if raw.startswith(b"n"):
            assert pairs.score(f"a w{raw[1:].decode()}", "b a")["rouge1"] == (
                0.5,
                0.5,
                0.5,
            )
        return raw[:3]

    pairs = pairs_of(Normalizer(frozenset(), stem))

    def scores(
        first: int,
    ) -> Any:  # noqa: ANN401 - the scores of words that no call had before
        words = [f"n{number}" for number in range(first, first + 300)]
        return pairs.score_batch(
            [f"{word} x1 x2" for word in words], [f"{word} y1 x2" for word in words]
        )

    with ThreadPoolExecutor(4) as pool:
        batches = list(pool.map(scores, range(10_000, 22_000, 1000)))
    third = pytest.approx((2 / 3, 2 / 3, 2 / 3))
    assert all(score["rouge1"] == third for batch in batches for score in batch)


def test_a_dictionary_of_scores_in_a_cycle_is_collected() -> None:
    """The collector passes over scores, but collects a dictionary that a caller
    makes part of a cycle.
    """
    scores: dict[str, Any] = pairs_of(None).score("a b", "a c")
    assert not gc.is_tracked(scores["rouge1"])
    holder = type("Holder", (), {})()
    scores["holder"], holder.scores = holder, scores
    ended = weakref.ref(holder)
    del scores, holder
    gc.collect()

    assert ended() is None


def test_weighted_paths_of_tables_too_large_to_keep() -> None:
    """A table of ROUGE-W that is filled again in parts gives the path of the
    readable twin.
    """
    source = random.Random(5)
    size = 300_000 if THOROUGH else 60_000  # parts of parts, or parts
    # The path runs through all parts, up and to the left: each word of the peer is only
    # in some of them.
    long = [source.randrange(2) + row // (size // 5) for row in range(size)]
    sentences = long, [0, 9, 1, 9, 2, 9, 3, 9, 4, 5]
    reference, prediction = (Text(sentence, [sentence]) for sentence in sentences)

    assert assert_counts([WeightedLcs(1.2)], [reference], [prediction])[0].match


def test_weighted_paths_take_memory_for_the_texts_only() -> None:
    """ROUGE-W of two lines of 25,000 words takes less than 30 MB; its whole table
    has 75 MB.
    """
    code = (
        "import resource, sys; from rouge_cli import native; extension ="
        " native.extension();from rouge_cli.metrics.lcs import WeightedLcs; from"
        " rouge_cli.native.kernels import kernel_of; specs ="
        " [kernel_of(WeightedLcs(1.2))];texts = lambda n: [([i * i % 997 for i in"
        " range(n)], [[i * i % 997 for i in range(n)]])];peak = lambda n:"
        " (extension.count(texts(n), texts(n + 1), specs),"
        " resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)[1];print(-peak(500) +"
        " peak(25_000))"
    )
    # By a shell, since a process's peak is at least what the process that starts it
    # has.
    command = ["sh", "-c", '"$0" -c "$1" && true', sys.executable, code]
    ended = subprocess.run(command, capture_output=True, check=True)

    assert int(ended.stdout) < 30_000
