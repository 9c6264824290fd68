"""An explanation shows what is counted: it has the counts, the arithmetic and the
words of `score`.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from math import isclose
from pathlib import Path
from typing import Any

import pytest
from everyday import share
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rouge_cli import api, dialects, formats, metrics, plugins
from rouge_cli.api import DialectName
from rouge_cli.core import (
    Document,
    EvalTask,
    Explanation,
    Pair,
    Side,
    Source,
    ignore_notice,
)
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
from rouge_cli.studies import explainers
from rouge_cli.text.survey import PREDICTIONS, REFERENCES
from rouge_cli.text.tokens import Limit

DIALECTS = plugins.names(dialects.__name__)
PIECES = [
    "a",
    "b",
    "screen",
    "Screens",
    "display",
    "the",
    "12",
    "@",
    "\u00e9",
    "\u0130a",
    "\u212a",
    "K\u00f6ln",
]
TEXTS = st.lists(st.sampled_from([*PIECES, *"-_.!   \n"]), max_size=14).map("".join)
DAYS = st.dictionaries(
    st.integers(1, 9).map("2010-05-0{}".format), TEXTS.map(lambda text: text.replace("-", "")), min_size=1
).map(
    lambda days: "".join(f"{day}\n{text}\n{'-' * 32}\n" for day, text in days.items())
)  # fmt: skip


def eval_of(
    prediction: str, references: Sequence[str], input_format: str = "spl"
) -> EvalTask:
    """Return a task of texts."""
    documents = [
        (f"M{place}", Document(text.encode(), "m"))
        for place, text in enumerate(references)
    ]
    # A source has words of its own, and is longer than any limit.
    source = Document("\n".join([*references, "a b c", *references]).encode(), "s")
    if input_format != "spl":
        source = Document(prediction.encode(), "s")
    return EvalTask(
        eval_id="1",
        predictions={"p": Document(prediction.encode(), "p")},
        references=documents,
        input_format=input_format,
        where="here",
        source=source,
    )


def explained(
    dialect: str, task: EvalTask, options: dict[str, Any]
) -> Sequence[Explanation]:
    """Explain the prediction, and compare counts and arithmetic with the scores."""
    report = api.evaluate(
        [task], dialect=DialectName(dialect), notify=ignore_notice, **options
    )
    run = assembly.set_up(dialect, options, None)
    explanations = explainers.explain(
        task, "p", dialect, run.options, ignore_notice
    ).metrics
    again = explainers.explainer(dialect, run.options)(task)["p"]
    assert [explanation[:-1] for explanation in explanations] == [
        explanation[:-1] for explanation in again
    ]
    for result, explanation in zip(report.results, explanations, strict=True):
        (scored,) = result.evals
        assert scored.score is not None
        assert (result.label, *scored.counts) == (
            explanation.label,
            *explanation.counts,
        )
        assert repr(scored.score) == repr(explanation.score)  # NaN equals nothing
        for value, line in zip(scored.score, explanation.arithmetic[-3:], strict=True):
            assert f" = {value:.5f}" in line
        for pair in explanation.pairs:
            total = sum(match.counted * match.worth for match in pair.matches)
            assert isclose(pair.counts.match, total, abs_tol=1e-9), explanation.label
            for side in (pair.reference, pair.prediction):
                hold_places(side)
            if explanation.label == "rouge1":
                assert [
                    len(side.tokens) for side in (pair.reference, pair.prediction)
                ] == list(pair.counts[:2])
    return explanations


def hold_places(side: Side) -> None:
    """Assert that tokens are at their stated places, in the order of the text, each
    in one state.
    """
    data, tokens = side.source.data, side.tokens
    assert [token.surface for token in tokens] == [
        data[token.start : token.end].decode("utf-8", "replace") for token in tokens
    ]
    borders = [border for token in tokens for border in (token.start, token.end)]
    assert sorted(borders) == borders
    assert not side.counted & side.clipped
    assert not {
        place for place in side.counted | side.clipped if tokens[place].why_dropped
    }


@pytest.mark.parametrize("dialect", DIALECTS)
@settings(max_examples=share(30))
@given(data=st.data())
def test_counts_and_scores_are_those_of_score(
    dialect: str, data: st.DataObject
) -> None:
    """For any texts each metric's explanation has score's counts and figures, and
    its lines print them.
    """
    texts = DAYS if dialect == "tilse" else TEXTS.map(lambda text: f"{text} a")
    prediction, references = (
        data.draw(texts),
        data.draw(st.lists(texts, min_size=1, max_size=3)),
    )

    explained(dialect, eval_of(prediction, references), {})


@pytest.mark.parametrize(
    ("dialect", "options"),
    [
        ("pltrdy", {"exclusive": False}),
        ("pltrdy", {"formula": "best", "ignore_empty": True}),
        ("chinese", {"exclusive": False, "formula": "best"}),
        ("coco", {"beta": 0.5}),
        ("torchmetrics", {"accumulate": "avg", "stemmer": "nltk"}),
        ("torchmetrics", {"metrics": ("rougeLsum", "rougeL", "rouge2")}),
        (
            "rouge_metric",
            {"metrics": ("rouge-w-1.2", "rouge-su4", "rouge-s*"), "alpha": 0.2},
        ),
        (
            "rouge_metric",
            {"metrics": ("rouge-w-1.2", "rouge-l", "rouge-3"), "formula": "best"},
        ),
        ("google", {"sentences": "none"}),
        *(
            (
                "google",
                {"tokenizer": tokenizer, "normalize": normalize, "stemmer": stemmer},
            )
            for tokenizer, normalize, stemmer in (
                ("google", "none", "nltk"),
                ("google", "diacritics", "nltk"),
                ("unicode", "none", "nltk"),
                ("unicode", "nfkc", "none"),
                ("char", "diacritics", "none"),
                ("whitespace", "nfkc", "nltk"),
            )
        ),
        ("tilse", {"stemmer": "none", "stop": "none", "alpha": 0.3}),
    ],
)
@settings(max_examples=share(25))
@given(data=st.data())
def test_other_options_are_explained(
    dialect: str, options: dict[str, Any], data: st.DataObject
) -> None:
    """The dialect's other formulas, metrics and readings are explained like its
    defaults.
    """
    texts = DAYS if dialect == "tilse" else TEXTS.map(lambda text: f"{text} a")
    references = data.draw(st.lists(texts, min_size=1, max_size=3))

    explained(dialect, eval_of(data.draw(texts), references), options)


def test_empty_models_that_are_ignored_stay_visible() -> None:
    """An empty reference is a pair that the mean ignores; an empty prediction has
    nothing to explain.
    """
    options = {"metrics": ("rouge-1",), "ignore_empty": True}
    (explanation,) = explained("pltrdy", eval_of("a b", ["a", "", "c"]), options)
    assert 3 == len(explanation.pairs)
    assert "recall = mean of 1.00000, 0.00000 = 0.50000" == explanation.arithmetic[0]

    run = assembly.set_up("pltrdy", options, None)
    assert {"p": []} == explainers.explainer("pltrdy", run.options)(eval_of("", ["a"]))


LABELS = (
    *(
        "ROUGE-1",
        "ROUGE-2",
        "ROUGE-L",
        "ROUGE-S2",
        "ROUGE-SU2",
        "ROUGE-1Uniq",
        "ROUGE-S*Uniq",
    ),
    *("ROUGE-Topic{NN|JJ}", "ROUGE-TopicUniq{NN}"),
)
MODIFIED = st.tuples(
    st.sampled_from(LABELS),
    st.sets(st.sampled_from(["+StopWordRemoval", "+Stemming", "+Synonyms"])),
).map(lambda parts: parts[0] + "".join(sorted(parts[1])))


@pytest.fixture(scope="session")
def synonyms(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Write a dictionary in which a word has a synonym that has another."""
    path: Path = tmp_path_factory.mktemp("synonyms") / "groups.txt"
    path.write_text("screen display\nb screen\n")
    return f"file:{path}"


@settings(max_examples=share(150))
@given(
    TEXTS, st.lists(TEXTS, min_size=1, max_size=2), MODIFIED, st.sampled_from(["paper", "program"]),
    st.sampled_from([0.0, 0.2, 0.5]),
)  # fmt: skip
def test_rouge2s_measures_are_explained(
    synonyms: str,
    prediction: str,
    references: list[str],
    label: str,
    definition: str,
    alpha: float,
) -> None:
    """Under every measure and definition matches add up, and are marked as often as
    they count.
    """
    options = {"metrics": (label,), "definition": definition, "alpha": alpha}
    if "+Synonyms" in label:
        options["synonyms"] = synonyms
    (explanation,) = explained("rouge2", eval_of(prediction, references), options)
    single = label.startswith(("ROUGE-1", "ROUGE-L", "ROUGE-Topic"))
    for pair in explanation.pairs:
        for side in (pair.reference, pair.prediction):
            assert not single or len(side.counted) == pair.counts.match
            counts = (
                pair.counts.reference
                if side is pair.reference
                else pair.counts.prediction
            )
            if (
                single
                and "Uniq" not in label
                and (definition, label[:7]) != ("program", "ROUGE-L")
            ):
                assert counts == sum(
                    1 for token in side.tokens if not token.why_dropped
                )


def test_synonyms_are_named(synonyms: str) -> None:
    """A match by a synonym has the words of both sides, and equal words match first."""
    options = {"metrics": ("ROUGE-1+Synonyms",), "synonyms": synonyms, "tagger": "none"}
    run = assembly.set_up("rouge2", options, None)
    task = eval_of("the display, a display", ["the screen display"])
    (explanation,) = explainers.explain(
        task, "p", "rouge2", run.options, ignore_notice
    ).metrics

    matches = [
        (match.unit, match.prediction_unit, match.counted)
        for match in explanation.pairs[0].matches
    ]
    assert [
        (("the",), (), 1),
        (("display",), (), 1),
        (("screen",), ("display",), 1),
    ] == sorted(matches, key=lambda match: match[1])


def test_days_of_timelines_are_named() -> None:
    """Aligned days are listed with distance and cost, and their words count by the
    weight.
    """
    task = eval_of(
        "2010-05-26\ntop kill starts\n" + "-" * 32,
        ["2010-05-28\nThe top kill failed\n" + "-" * 32],
    )
    (explanation,) = explained("tilse", task, {"metrics": ("ROUGE-1-align",)})

    days = "reference 2010-05-28 with prediction 2010-05-26: 2 days apart"
    line = f"{days}, cost 0.66667, match 2 x 1/3 = 0.66667"
    assert line == explanation.arithmetic[0]
    (pair,) = explanation.pairs
    assert {("top",): 1 / 3, ("kill",): 1 / 3} == {
        match.unit: match.worth for match in pair.matches
    }
    assert ["top", "kill"] == [
        pair.reference.tokens[place].surface for place in sorted(pair.reference.counted)
    ]


def test_directions_that_differ_have_lines_each() -> None:
    """If recall aligns other days than precision, both are listed, and each side is
    marked by its own.
    """
    day = "{}\n{}\n" + "-" * 32 + "\n"
    reference = "".join(
        day.format(f"2010-05-0{place}", "oil spill") for place in (1, 2, 3)
    )
    task = eval_of(day.format("2010-05-02", "oil spill"), [reference])
    (explanation,) = explained(
        "tilse", task, {"metrics": ("ROUGE-1-align-content-m1",)}
    )

    assert ["for recall"] * 3 + ["for precision"] == [
        " ".join(line.split()[:2]) for line in explanation.arithmetic[:4]
    ]
    (pair,) = explanation.pairs
    assert (6, 2) == (len(pair.reference.counted), len(pair.prediction.counted))


# ROUGE-1.5.5's own set-ups and readings.

REGISTERED = [metrics.parse(label) for label in metrics.labels()]
VARIANTS: Sequence[Metric] = [
    NGram(3),
    *(WeightedLcs(weight) for weight in (0.5, 2.0)),
    *(SkipBigram(0, unigrams) for unigrams in (False, True)),
]
METRICS = [*(metric for metric in REGISTERED if not metric.counts_elements), *VARIANTS]
ELEMENT_METRICS = [metric for metric in REGISTERED if metric.counts_elements]

# Words that repeat, that are stop words, that are stemmed in either way, and
# separators.
WORDS_155 = st.sampled_from(
    [
        *"ab",
        "the",
        "The",
        "geese",
        "running",
        "flies",
        "was",
        "-",
        "'",
        "é",
        " ",
        " ",
        "  ",
    ]
)
SENTENCES = st.lists(WORDS_155, max_size=10).map("".join)
TEXTS_155 = st.lists(SENTENCES, max_size=4).map("\n".join)
MATCHING = st.lists(st.sampled_from(["a ", "b ", "c ", "\n"]), max_size=12).map("".join)
LINES = st.lists(
    st.sampled_from(["a", "b", "nil", "nils", "houses"]), min_size=3, max_size=3
).map("|".join)
ELEMENTS = st.lists(LINES, max_size=6).map("\n".join)
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


def explain(setup: Setup, task: EvalTask) -> Sequence[Explanation]:
    """Explain the prediction of a task."""
    return Rouge155(setup, Counter(), ignore_notice).explain(task)["p"]


def figures(pair: Pair, metric: Metric) -> Iterator[tuple[float, float]]:
    """Return the match count, and the sum over what the explanation shows, which are
    equal.
    """
    total = 0.0
    for match in pair.matches:
        total += match.counted * match.worth
    yield pair.counts.match, total
    if isinstance(metric, WeightedLcs):
        for match in pair.matches:
            yield match.worth, power(len(match.unit), metric.weight)
        yield (
            sum(len(match.unit) for match in pair.matches),
            len(pair.reference.counted),
        )
    elif (isinstance(metric, NGram) and metric.n == 1) or isinstance(
        metric, Lcs | MeadLcs
    ):
        yield pair.counts.match, len(pair.reference.counted)
        yield pair.counts.matched, len(pair.prediction.counted)


def held(setup: Setup, task: EvalTask) -> None:
    """Assert that every explanation adds up to its counts, and that its score is the
    dialect's.
    """
    scores = Rouge155(setup, Counter(), ignore_notice).score(task, ["p"])["p"]
    for metric, explanation in zip(setup.metrics, explain(setup, task), strict=True):
        result = scores[metric.label]
        assert (result.score, result.counts) == (explanation.score, explanation.counts)
        assert result.score is not None
        for value, line in zip(result.score, explanation.arithmetic[-3:], strict=True):
            assert f" = {value:.5f}" in line
        for pair in explanation.pairs:
            for counted, explained in figures(pair, metric):
                assert counted == explained, (
                    f"{metric.label}: `matches`, which follows from `units`, differs"
                    " from `count`, which follows from `bag`; a class that overrides"
                    " one of them overrides the other, too"
                )


@given(SETUPS, TEXTS_155, st.lists(TEXTS_155, min_size=1, max_size=3))
def test_explanations_add_up(
    setup: Setup, prediction: str, references: Sequence[str]
) -> None:
    """For any texts and set-up, matches add up to the counts, and the score is the
    dialect's.
    """
    held(setup._replace(metrics=METRICS), eval_of(prediction, references, "spl"))


@given(st.booleans(), MATCHING, st.lists(MATCHING, min_size=1, max_size=2))
def test_explanations_of_many_matches_add_up(
    best_model: bool, prediction: str, references: Sequence[str]
) -> None:
    """Explanations add up if nearly every word matches, with much clipping and many
    ties.
    """
    held(Setup(METRICS, best_model=best_model), eval_of(prediction, references, "spl"))


@given(st.booleans(), ELEMENTS, st.lists(ELEMENTS, min_size=1, max_size=2))
def test_explanations_of_elements_add_up(
    stem: bool, prediction: str, references: Sequence[str]
) -> None:
    """Explanations of basic elements add up under every mode."""
    held(Setup(ELEMENT_METRICS, stem=stem), eval_of(prediction, references, "simple"))


@given(MATCHING, MATCHING)
def test_both_sides_show_as_many_words(prediction: str, reference: str) -> None:
    """If single words are counted, prediction and reference have as many of each
    word highlighted.
    """
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
    """Return the forms that count, of both readings, without sentences that have
    none.
    """
    sentences: dict[int, list[str]] = {}
    for token in source.by_sentence:
        if not token.why_dropped:
            sentences.setdefault(token.sentence, []).append(token.form)
    return [token.form for token in source.tokens if not token.why_dropped], list(
        sentences.values()
    )


@example(
    setup=Setup(stem=True),
    text="was gas geese running flies",
    is_reference=False,
    metric=NGram(1),
)
@given(
    setup=SETUPS, text=TEXTS_155, is_reference=st.booleans(),
    metric=st.sampled_from([NGram(1), Lcs(), WeightedLcs(1.2)]),
)  # fmt: skip
def test_tokens_are_the_readers(
    setup: Setup, text: str, is_reference: bool, metric: Metric
) -> None:
    """The tokens of an explanation are those that scoring reads, in both readings."""
    task, document = eval_of(text, [text]), Document(text.encode(), "text")
    setup = setup._replace(metrics=[metric])
    texts = Preparation(setup, ignore_notice)
    side = REFERENCES if is_reference else PREDICTIONS
    read = texts.prepare(document, task, side)[0][metric.reading]
    forms = [form.decode() for form in read.forms]

    tokens, sentences = counted_forms(
        texts.source(task, document, side, texts.stems(metric.reading, side))
    )
    assert [forms[number] for number in read.tokens] == tokens
    assert [
        [forms[number] for number in sentence]
        for sentence in read.sentences
        if len(sentence)
    ] == sentences


@given(
    SETUPS, TEXTS_155, st.sampled_from([name for name in FORMATS if name != "simple"])
)
def test_places_are_in_the_text(setup: Setup, text: str, name: str) -> None:
    """A token's place contains its surface, sentences' places contain the sentences,
    and places ascend.
    """
    wrapped = {
        "spl": text,
        "see": (
            f'<a name="1">[1]</a> <a href="#1" id=1>{text.replace(chr(10), " ")}</a>\n'
        ),
        "isi": f'<S SNTNO="1">{text.replace(chr(10), " ")}</S>\n',
    }[name]
    task, data = eval_of(wrapped, [wrapped], name), wrapped.encode()
    document = Document(data, "text")
    texts = Preparation(setup, ignore_notice)
    explained = texts.source(
        task, document, PREDICTIONS, texts.stems("plain", PREDICTIONS)
    )

    units = [data[start:end] for start, end in explained.sentences]
    assert list(formats.named(name).read(data).units) == units
    for tokens in (explained.tokens, explained.by_sentence):
        assert [
            data[token.start : token.end].decode("utf-8", "replace") for token in tokens
        ] == [token.surface for token in tokens]
        borders = list(
            chain.from_iterable((token.start, token.end) for token in tokens)
        )
        assert sorted(borders) == borders
