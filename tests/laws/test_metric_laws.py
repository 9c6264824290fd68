"""Laws that every metric obeys by its definition, on any two texts."""

import math
from collections.abc import Mapping, Sequence
from itertools import chain, product
from random import Random

import pytest
from everyday import share
from hypothesis import given, settings
from hypothesis import strategies as st

from rouge_cli import metrics
from rouge_cli.core import Counts, Element, Text
from rouge_cli.dialects.rouge155 import options as rouge155
from rouge_cli.metrics import Metric
from rouge_cli.metrics.basic_elements import MODES, BasicElements
from rouge_cli.metrics.lcs import Lcs, WeightedLcs
from rouge_cli.metrics.mead_lcs import MeadLcs
from rouge_cli.metrics.ngram import NGram
from rouge_cli.metrics.novel_ngrams import NovelNGram
from rouge_cli.metrics.repetition import Repetition
from rouge_cli.metrics.sentence_lcs import SentenceLcs
from rouge_cli.metrics.skip_bigram import SkipBigram

# The content of a text; texts are compared by identity, so each use makes its own.
Content = tuple[Sequence[Sequence[int]], Sequence[Element]]

FAMILIES = {family.__name__.rpartition(".")[2]: family for family in metrics.families()}
# Metrics besides those of each family's LABELS, to represent all its variants.
VARIANTS: Mapping[str, Sequence[Metric]] = {
    "basic_elements": [*map(BasicElements, MODES), BasicElements("XX")],
    "lcs": [Lcs(), *(WeightedLcs(weight) for weight in (0.5, 1.0, 1.2, 2.0, 3.0))],
    "ngram": [NGram(n) for n in (1, 2, 3, 9)],
    "novel_ngrams": [
        NovelNGram(n, types=types) for n in (1, 3) for types in (False, True)
    ],
    "repetition": [
        Repetition(n, types=types) for n in (1, 3) for types in (False, True)
    ],
    "skip_bigram": [
        SkipBigram(distance, unigrams)
        for distance, unigrams in product((0, 1, 4, 99, None), (False, True))
    ],
}
ALL: list[Metric] = list(
    dict.fromkeys(
        chain(
            map(metrics.parse, metrics.labels()), chain.from_iterable(VARIANTS.values())
        )
    )
)
# Those of shared units, which have recall and precision
OVERLAPS = [metric for metric in ALL if not metric.is_value]
BAGS = [
    metric for metric in ALL if isinstance(metric, NGram | SkipBigram | BasicElements)
]

# Labels besides LABELS: the shortest form, and a form as a user may type it.
LABELLED: Mapping[str, Sequence[tuple[Metric, str]]] = {
    "basic_elements": [(BasicElements(mode), f"ROUGE-BE-{mode}") for mode in MODES],
    "lcs": [
        (Lcs(), "ROUGE-L"), (WeightedLcs(1.2), "ROUGE-W-1.2"),
        (WeightedLcs(1.2345678), "ROUGE-W-1.2345678"), (WeightedLcs(1.2, "1.20"), "ROUGE-W-1.20"),
        (WeightedLcs(0.5, ".5"), "ROUGE-W-.5"), (WeightedLcs(2.0, "2."), "ROUGE-W-2."),
    ],
    "mead_lcs": [(MeadLcs(), "LCS-MEAD")],
    "sentence_lcs": [(SentenceLcs(), "ROUGE-L-sentence")],
    "ngram": [(NGram(1), "ROUGE-1"), (NGram(10), "ROUGE-10")],
    "novel_ngrams": [(NovelNGram(10), "novel-10"), (NovelNGram(1, types=True), "novel-1-types")],
    "repetition": [(Repetition(3), "repetition-3"), (Repetition(1, types=True), "repetition-1-types")],
    "skip_bigram": [
        (SkipBigram(4, unigrams=False), "ROUGE-S4"), (SkipBigram(0, unigrams=True), "ROUGE-SU0"),
        (SkipBigram(4, unigrams=True, as_typed="04"), "ROUGE-SU04"),
        (SkipBigram(None, unigrams=False), "ROUGE-S*"), (SkipBigram(None, unigrams=True), "ROUGE-SU*"),
    ],
}  # fmt: skip

OTHER_WORDS = (
    *("", "ROUGE", "ROUGE-", "ROUGE-N", "ROUGE-0", "ROUGE-01", "ROUGE-1 ", "ROUGE-1\n", "rouge-1"),
    *(
        "ROUGE-L-Sentence", "LCS", "LCS-mead", "ROUGE-l", "ROUGE-W", "ROUGE-W-", "ROUGE-W-0", "ROUGE-W-.",
        "ROUGE-W--1", "ROUGE-W-1.2.3",
    ),
    *("ROUGE-S", "ROUGE-SU", "ROUGE-S-1", "ROUGE-S4*", "ROUGE-US4", "ROUGE-S\u0664"),
    *("ROUGE-BE", "ROUGE-BE-", "ROUGE-BE-hm", "ROUGE-BE-HM2"),
    *("Coverage", "density-2", "novel", "novel-0", "novel-2-type", "repetition-", "length"),
)  # fmt: skip

WORDS = st.sampled_from([b"a", b"b", b"nil"])
ELEMENTS = st.lists(st.builds(Element, WORDS, WORDS, WORDS, WORDS), max_size=6)
FORMS = (b"the", b"then", b"other", b"a")
SENTENCES = st.lists(st.lists(st.integers(0, 3), max_size=7), max_size=4)
CONTENTS = st.tuples(SENTENCES, ELEMENTS)


def text(content: Content, forms: Sequence[bytes] = FORMS) -> Text:
    """Return a new text, whose two readings agree."""
    sentences, elements = content
    return Text(list(chain.from_iterable(sentences)), sentences, elements, forms)


def count(
    metric: Metric,
    reference: Content,
    prediction: Content,
    forms: Sequence[bytes] = FORMS,
) -> Counts:
    """Return the counts of two texts without cached values."""
    return metric.count(text(reference, forms), text(prediction, forms))


@pytest.mark.parametrize("label", metrics.labels())
def test_command_words_are_understood(label: str) -> None:
    """A metric has a command of ROUGE-1.5.5.pl if and only if it declares the words
    for it.
    """
    command = rouge155.command_line({**rouge155.DEFAULTS, "metrics": (label,)})

    assert (command is None) == (metrics.parse(label).command_words is None)


# Labels.


def parsed(label: str) -> dict[str, Metric]:
    """Return the metric of each module that parses the label."""
    results = {name: family.parse(label) for name, family in FAMILIES.items()}
    return {name: metric for name, metric in results.items() if metric is not None}


@pytest.mark.parametrize(
    ("module", "metric", "label"),
    [
        pytest.param(module, metric, label, id=label)
        for module, family in FAMILIES.items()
        for metric, label in dict.fromkeys(
            [
                *((family.parse(label), label) for label in family.LABELS),
                *LABELLED.get(module, ()),
            ]
        )
    ],
)
def test_labels_parse_back(module: str, metric: Metric, label: str) -> None:
    """A metric prints its label, and only its own module parses it, to an equal
    metric.
    """
    assert (label, {module: metric}) == (metric.label, parsed(label))


@pytest.mark.parametrize("label", OTHER_WORDS)
def test_other_words_are_not_labels(label: str) -> None:
    """No module parses text that is not the label of a metric."""
    assert parsed(label) == {}


# Counts.


@given(CONTENTS, CONTENTS)
def test_counts_are_finite_and_not_negative(
    reference: Content, prediction: Content
) -> None:
    """For any texts, every count and rank is a number of at least 0."""
    for metric in ALL:
        counts = count(metric, reference, prediction)
        assert all(0 <= value < math.inf for value in (*counts[:4], counts.matched))


@given(CONTENTS, CONTENTS)
def test_no_more_matches_than_either_side_has(
    reference: Content, prediction: Content
) -> None:
    """A match is a unit of the model and one of the peer (ROUGE-W's runs have a law
    of their own).
    """
    for metric in OVERLAPS:
        if not isinstance(metric, WeightedLcs):
            counts = count(metric, reference, prediction)
            assert counts.matched <= counts.prediction
            assert counts.match <= counts.reference
            assert (
                counts.prediction_match is not None or counts.match <= counts.prediction
            )


@given(CONTENTS, CONTENTS)
def test_runs_are_worth_no_more_than_their_text(
    reference: Content, prediction: Content
) -> None:
    """ROUGE-W's runs are worth at most their text's weight, or for W below 1 its
    number of words.
    """
    # Runs are parts of a text. Above 1, k^W of parts is at most that of the whole.
    # Below 1 it can be more: two runs of one word are worth 2, the three words that
    # they are of only 3^W; but k^W is at most k.
    words = [len(text(content).tokens) for content in (reference, prediction)]
    for metric in VARIANTS["lcs"]:
        counts = count(metric, reference, prediction)
        assert counts.match <= min(
            [counts.reference, counts.prediction] if metric.root >= 1 else words
        )


@given(CONTENTS)
def test_a_text_matches_itself(content: Content) -> None:
    """A text matches all of its own units, and all of its own words in order."""
    for metric in [*BAGS, Lcs(), SentenceLcs(), MeadLcs()]:
        counts = count(metric, content, content)
        assert counts.reference == counts.prediction == counts.match == counts.matched
        assert counts.rank == (1 if counts.match else 0)


@given(CONTENTS)
def test_rouge_w_of_a_text_with_itself(content: Content) -> None:
    """Each sentence is one run, and the model counts the sum of their weights raised
    again (QUIRKS 19).
    """
    lengths = [len(sentence) for sentence in content[0]]
    for weight in (0.5, 1.0, 1.2, 2.0, 3.0):
        counts = count(WeightedLcs(weight), content, content)
        total = 0.0
        for length in lengths:
            total += length**weight
        assert (
            Counts(total**weight, sum(lengths) ** weight, total, 1 if total else 0)
            == counts
        )


@given(CONTENTS)
def test_nothing_matches_nothing(content: Content) -> None:
    """An empty text, on either side or on both, has no match, no units and no rank."""
    nothing: Content = ([], [])
    for metric in OVERLAPS:
        assert count(metric, content, nothing)[1:4] == (0, 0, 0)
        counts = count(metric, nothing, content)
        assert (counts.reference, counts.match, counts.rank) == (0, 0, 0)


@given(CONTENTS, CONTENTS)
def test_multisets_do_not_care_which_side_is_which(
    first: Content, second: Content
) -> None:
    """Exchanging model and peer exchanges their counts and keeps the match, for
    metrics on multisets.
    """
    for metric in BAGS:
        reference, prediction, match = count(metric, first, second)[:3]
        assert (prediction, reference, match) == count(metric, second, first)[:3]


@given(CONTENTS, CONTENTS, CONTENTS)
def test_more_text_takes_no_match_away(
    reference: Content, prediction: Content, more: Content
) -> None:
    """Text appended to the peer removes none of its matches, for metrics on
    multisets.
    """
    longer: Content = ([*prediction[0], *more[0]], [*prediction[1], *more[1]])
    for metric in BAGS:
        assert (
            count(metric, reference, prediction).match
            <= count(metric, reference, longer).match
        )


@given(
    CONTENTS,
    CONTENTS,
    st.permutations(range(4)),
    st.sampled_from([(b"a", b"b"), (b"b", b"x")]),
)
def test_names_do_not_matter(
    reference: Content,
    prediction: Content,
    numbers: Sequence[int],
    names: tuple[bytes, bytes],
) -> None:
    """Other ids for the same tokens, and other words than `nil` for the same
    elements, count the same.
    """
    words = dict(zip((b"a", b"b"), names, strict=True)) | {b"nil": b"nil"}
    forms = [FORMS[numbers.index(number)] for number in range(len(FORMS))]

    def renamed(content: Content) -> Content:
        sentences, elements = content
        return (
            [[numbers[token] for token in sentence] for sentence in sentences],
            [Element(*(words[word] for word in element)) for element in elements],
        )

    for metric in ALL:
        assert count(metric, reference, prediction) == count(
            metric, renamed(reference), renamed(prediction), forms
        )


@settings(max_examples=share(30))
@given(CONTENTS, CONTENTS, st.randoms(use_true_random=False))
def test_earlier_counts_do_not_matter(
    first: Content, second: Content, chance: Random
) -> None:
    """Counts on texts that were used before are those on new texts."""
    contents = [first, second]
    used = [text(content) for content in contents]
    calls = list(product(ALL, (0, 1), (0, 1)))
    chance.shuffle(calls)
    for metric, reference, prediction in calls:
        assert count(metric, contents[reference], contents[prediction]) == metric.count(
            used[reference], used[prediction]
        )


@given(CONTENTS, CONTENTS)
def test_metrics_declare_that_they_need_sentences(
    reference: Content, prediction: Content
) -> None:
    """A metric that does not declare a need for sentences counts the same without
    their ends.
    """

    def joined(content: Content) -> Content:
        return ([list(chain.from_iterable(content[0]))], content[1])

    for metric in ALL:
        if not metric.needs_sentences:
            assert count(metric, reference, prediction) == count(
                metric, joined(reference), joined(prediction)
            ), f"{metric.label} counts by sentence; declare needs_sentences = True"


@given(CONTENTS, CONTENTS)
def test_recall_ranks_models(reference: Content, prediction: Content) -> None:
    """Rank is match over model, or 0 without a model; ROUGE-W's is the root of that
    over its lengths.
    """
    for metric in ALL:
        counts = count(metric, reference, prediction)
        if isinstance(metric, WeightedLcs):
            lengths = 0.0
            for sentence in reference[0]:
                lengths += len(sentence) ** metric.weight
            expected = (counts.match / lengths) ** (1 / metric.weight) if lengths else 0
        else:
            expected = counts.match / counts.reference if counts.reference else 0
        assert expected == counts.rank
