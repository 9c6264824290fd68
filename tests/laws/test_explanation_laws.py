"""An explanation shows what is counted: on any two texts it adds up to the scores."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from rouge_cli import api, formats, metrics
from rouge_cli.core import Document, EvalTask, Explanation, Notice, Pair, Side, Source
from rouge_cli.dialects.rouge155.program import Rouge155
from rouge_cli.dialects.rouge155.setup import FORMATS, Setup
from rouge_cli.dialects.rouge155.texts import Preparation
from rouge_cli.metrics import Metric
from rouge_cli.metrics._lcs import power
from rouge_cli.metrics.lcs import Lcs, WeightedLcs
from rouge_cli.metrics.mead_lcs import MeadLcs
from rouge_cli.metrics.ngram import NGram
from rouge_cli.metrics.skip_bigram import SkipBigram
from rouge_cli.runs import assembly
from rouge_cli.studies import setups
from rouge_cli.text.survey import PREDICTIONS, REFERENCES
from rouge_cli.text.tokens import Limit

REGISTERED = [metrics.parse(label) for label in metrics.labels()]
VARIANTS: Sequence[Metric] = [
    NGram(3),
    *(WeightedLcs(weight) for weight in (0.5, 2.0)),
    *(SkipBigram(0, unigrams) for unigrams in (False, True)),
]
METRICS = [*(metric for metric in REGISTERED if not metric.counts_elements), *VARIANTS]
ELEMENT_METRICS = [metric for metric in REGISTERED if metric.counts_elements]

# Words that repeat, that are stop words, that are stemmed in either way, and separators.
PIECES = st.sampled_from(
    [*"ab", "the", "The", "geese", "running", "flies", "was", "-", "'", "é", " ", " ", "  "]
)
SENTENCES = st.lists(PIECES, max_size=10).map("".join)
TEXTS = st.lists(SENTENCES, max_size=4).map(lambda sentences: "\n".join(sentences).encode())
WORDS = st.lists(st.sampled_from(["a ", "b ", "c ", "\n"]), max_size=12).map(
    lambda pieces: "".join(pieces).encode()
)
LINES = st.lists(st.sampled_from(["a", "b", "nil", "nils", "houses"]), min_size=3, max_size=3).map("|".join)
ELEMENTS = st.lists(LINES, max_size=6).map(lambda lines: "\n".join(lines).encode())
LIMITS = st.sampled_from(
    [
        None, *(Limit(most, in_words=False) for most in (0, 5, 12, 30)), Limit(1, in_words=True),
        Limit(4, in_words=True),
    ]
)  # fmt: skip
SETUPS = st.builds(
    Setup, stem=st.booleans(), stem_models=st.booleans(), drop_stop_words=st.booleans(), limit=LIMITS,
    best_model=st.booleans(), alpha=st.sampled_from([0.0, 0.3, 0.5, 1.0]),
)  # fmt: skip


def say_nothing(_: Notice) -> None:
    """Discard notices, which have tests of their own."""


def explain(setup: Setup, task: EvalTask) -> Sequence[Explanation]:
    """Explain the prediction of a task."""
    return Rouge155(setup, Counter(), say_nothing).explain(task)["X"]


def eval_of(prediction: bytes, references: Sequence[bytes], input_format: str) -> EvalTask:
    """Return a task of texts."""
    documents = [(f"M.{number}", Document(text, "reference")) for number, text in enumerate(references, 1)]
    return EvalTask("1", {"X": Document(prediction, "prediction")}, documents, input_format, "here")


def figures(pair: Pair, metric: Metric) -> Iterator[tuple[float, float]]:
    """Return the match count, and the sum over what the explanation shows, which are equal."""
    total = 0.0
    for match in pair.matches:
        total += match.counted * match.worth
    yield pair.counts.match, total
    if isinstance(metric, WeightedLcs):
        for match in pair.matches:
            yield match.worth, power(len(match.unit), metric.weight)
        yield sum(len(match.unit) for match in pair.matches), len(pair.reference.counted)
    elif (isinstance(metric, NGram) and metric.n == 1) or isinstance(metric, Lcs | MeadLcs):
        yield pair.counts.match, len(pair.reference.counted)
        yield pair.counts.matched, len(pair.prediction.counted)


def held(setup: Setup, task: EvalTask) -> None:
    """Assert that every explanation adds up to its counts, and that its score is the dialect's."""
    scores = Rouge155(setup, Counter(), say_nothing).score(task, ["X"])["X"]
    for metric, explanation in zip(setup.metrics, explain(setup, task), strict=True):
        result = scores[metric.label]
        assert (result.score, result.counts) == (explanation.score, explanation.counts)
        assert result.score is not None
        for value, line in zip(result.score, explanation.arithmetic[-3:], strict=True):
            assert f" = {value:.5f}" in line
        for pair in explanation.pairs:
            for counted, explained in figures(pair, metric):
                assert counted == explained, f"{metric.label}: `places` differs from `count`"


@given(SETUPS, TEXTS, st.lists(TEXTS, min_size=1, max_size=3))
def test_explanations_add_up(setup: Setup, prediction: bytes, references: Sequence[bytes]) -> None:
    """For any texts and set-up, matches add up to the counts, and the score is the dialect's."""
    held(setup._replace(metrics=METRICS), eval_of(prediction, references, "spl"))


@given(st.booleans(), WORDS, st.lists(WORDS, min_size=1, max_size=2))
def test_explanations_of_many_matches_add_up(
    best_model: bool,  # noqa: FBT001 - drawn
    prediction: bytes,
    references: Sequence[bytes],
) -> None:
    """Explanations add up if nearly every word matches, with much clipping and many ties."""
    held(Setup(METRICS, best_model=best_model), eval_of(prediction, references, "spl"))


@given(st.booleans(), ELEMENTS, st.lists(ELEMENTS, min_size=1, max_size=2))
def test_explanations_of_elements_add_up(
    stem: bool,  # noqa: FBT001 - drawn
    prediction: bytes,
    references: Sequence[bytes],
) -> None:
    """Explanations of basic elements add up under every mode."""
    held(Setup(ELEMENT_METRICS, stem=stem), eval_of(prediction, references, "simple"))


@given(WORDS, WORDS)
def test_both_sides_show_as_many_words(prediction: bytes, reference: bytes) -> None:
    """If single words are counted, prediction and reference have as many of each word highlighted."""
    setup = Setup([NGram(1), Lcs(), WeightedLcs(1.2)])
    for explanation in explain(setup, eval_of(prediction, [reference], "spl")):
        (pair,) = explanation.pairs
        ours, theirs = (
            Counter(side.tokens[place].form for place in side.counted)
            for side in (pair.reference, pair.prediction)
        )
        assert ours == theirs
        for side in (pair.reference, pair.prediction):
            assert not side.counted & side.clipped


def counted_forms(source: Source) -> tuple[list[str], list[list[str]]]:
    """Return the forms that count, of both readings, without sentences that have none."""
    sentences: dict[int, list[str]] = {}
    for token in source.by_sentence:
        if not token.why_dropped:
            sentences.setdefault(token.sentence, []).append(token.form)
    return [token.form for token in source.tokens if not token.why_dropped], list(sentences.values())


@example(setup=Setup(stem=True), text=b"was gas geese running flies", is_reference=False, metric=NGram(1))
@given(
    setup=SETUPS, text=TEXTS, is_reference=st.booleans(),
    metric=st.sampled_from([NGram(1), Lcs(), WeightedLcs(1.2)]),
)  # fmt: skip
def test_tokens_are_the_readers(setup: Setup, text: bytes, is_reference: bool, metric: Metric) -> None:  # noqa: FBT001
    """The tokens of an explanation are those that scoring reads, in both readings."""
    task, document = eval_of(text, [text], "spl"), Document(text, "text")
    setup = setup._replace(metrics=[metric])
    texts = Preparation(setup, say_nothing)
    side = REFERENCES if is_reference else PREDICTIONS
    read = texts.prepare(document, task, side)[0].of(metric)
    forms = [form.decode() for form in read.forms]

    tokens, sentences = counted_forms(texts.source(task, document, texts.stems(metric, side), side))
    assert [forms[number] for number in read.tokens] == tokens
    assert [
        [forms[number] for number in sentence] for sentence in read.sentences if len(sentence)
    ] == sentences


@given(SETUPS, TEXTS, st.sampled_from([name for name in FORMATS if name != "simple"]))
def test_places_are_in_the_text(setup: Setup, text: bytes, name: str) -> None:
    """A token's place contains its surface, sentences' places contain the sentences, and places ascend."""
    wrapped = {
        "spl": text,
        "see": b'<a name="1">[1]</a> <a href="#1" id=1>' + text.replace(b"\n", b" ") + b"</a>\n",
        "isi": b'<S SNTNO="1">' + text.replace(b"\n", b" ") + b"</S>\n",
    }[name]
    task, document = eval_of(wrapped, [wrapped], name), Document(wrapped, "text")
    texts = Preparation(setup, say_nothing)
    explained = texts.source(task, document, texts.stems(NGram(1), PREDICTIONS), PREDICTIONS)

    units = [wrapped[start:end] for start, end in explained.sentences]
    assert list(formats.named(name).read(wrapped).units) == units
    for tokens in (explained.tokens, explained.by_sentence):
        assert [wrapped[token.start : token.end].decode("utf-8", "replace") for token in tokens] == [
            token.surface for token in tokens
        ]
        borders = list(chain.from_iterable((token.start, token.end) for token in tokens))
        assert sorted(borders) == borders


ODD = st.lists(
    st.sampled_from([*"ab", "cats", "Cat", "\u0130a", "\u212a", "\u00e9", "K\u00f6ln", " ", "\n", "\r\n"])
)


@given(
    ODD.map("".join), st.lists(ODD.map("".join), min_size=1, max_size=3),
    st.sampled_from(["none", "nltk"]),
    st.sampled_from(["google", "unicode", "char", "whitespace"]),
    st.sampled_from(["none", "nfkc", "diacritics"]),
)  # fmt: skip
@example("\u0130stanbul", ["istanbul"], "none", "google", "none")
@example("a b a", ["b a b", "a b a"], "nltk", "google", "none")
def test_googles_scores_are_explained(
    prediction: str, references: list[str], stemmer: str, tokenizer: str, normalize: str
) -> None:
    """Counts and scores are those of `score --dialect google`, and tokens are at their stated places."""
    documents = [
        (str(place), Document(reference.encode(), "m")) for place, reference in enumerate(references)
    ]
    task = EvalTask("1", {"p": Document(prediction.encode(), "p")}, documents, "spl", "here")
    options: dict[str, Any] = {"stemmer": stemmer, "tokenizer": tokenizer, "normalize": normalize}
    report = api.evaluate([task], dialect="google", notify=lambda _: None, **options)
    run = assembly.set_up("google", options, None)
    explanations = setups.explain(task, "p", "google", run.options, lambda _: None).metrics

    assert [
        (result.label, result.evals[0].counts[:3], result.evals[0].score) for result in report.results
    ] == [(explanation.label, explanation.counts[:3], explanation.score) for explanation in explanations]
    for explanation, pair in [(explained, pair) for explained in explanations for pair in explained.pairs]:
        assert pair.counts.match == sum(match.counted for match in pair.matches)
        for side in (pair.reference, pair.prediction):
            data = side.source.data
            assert [token.surface for token in side.tokens] == [
                data[token.start : token.end].decode() for token in side.tokens
            ]
            assert all(token.surface for token in side.tokens) or tokenizer != "google"
            assert explanation.label != "rouge1" or len(side.tokens) == side_count(pair, side)


def side_count(pair: Pair, side: Side) -> float:
    """Return the counts of a side of a pair."""
    return pair.counts.reference if side is pair.reference else pair.counts.prediction
