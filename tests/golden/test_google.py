"""Google's rouge_score: all its recorded output, within 1e-9, by compiled and
readable kernels.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from everyday import sampled

import rouge_cli
from rouge_cli.dialects.google import BootstrapAggregator, RougeScorer, Score, compute
from rouge_cli.text import porter

GOLDEN: dict[str, Any] = json.loads(
    (
        Path(__file__).resolve().parents[2] / "fixtures" / "google" / "cases.json"
    ).read_text("utf-8")
)
TOLERANCE = 1e-9
MODES = {"plain": False, "stem": True}
both = pytest.mark.usefixtures("kernels")


@both
@pytest.mark.parametrize("case", GOLDEN["cases"], ids=lambda case: case["id"])
def test_scores_are_googles(case: dict[str, Any]) -> None:
    """Each golden case has Google's precision, recall and F, with and without
    stemming.
    """
    for mode, stem in MODES.items():
        scorer = RougeScorer(GOLDEN["rouge_types"], use_stemmer=stem)
        scores = scorer.score_multi(case["references"], case["prediction"])

        assert {
            kind: pytest.approx(score, abs=TOLERANCE)
            for kind, score in case["expected"][mode].items()
        } == {kind: list(score) for kind, score in scores.items()}
        if len(case["references"]) == 1:
            assert scores == scorer.score(case["references"][0], case["prediction"])


@both
@pytest.mark.parametrize(
    "case", sampled(GOLDEN["cases"], 4), ids=lambda case: case["id"]
)
@pytest.mark.filterwarnings("ignore::rouge_cli.RougeWarning")
def test_the_command_scores_the_same(case: dict[str, Any]) -> None:
    """`rouge-cli score` gives the same scores for a golden case."""
    for mode, stem in MODES.items():
        scores = rouge_cli.score(
            [case["prediction"]], [case["references"]], GOLDEN["rouge_types"], dialect="google",
            stemmer="nltk" if stem else "none",
        ).to_dict()["system"]  # fmt: skip

        for kind, (precision, recall, f) in case["expected"][mode].items():
            expected = {"precision": precision, "recall": recall, "f": f}
            assert pytest.approx(expected, abs=TOLERANCE) == scores[kind]


@both
@pytest.mark.parametrize("corpus", GOLDEN["corpus"], ids=lambda corpus: corpus["id"])
def test_compute_is_hugging_faces(corpus: dict[str, Any]) -> None:
    """With the seed the aggregate has Hugging Face's figures and keys; without it, each
    item's F.

    Aggregated figures are numpy's, as there.
    """
    texts = corpus["predictions"], corpus["references"]
    aggregated = compute(*texts, seed=corpus["seed"], **corpus["kwargs"])
    each = compute(*texts, use_aggregator=False, **corpus["kwargs"])

    assert list(corpus["aggregated"]) == list(aggregated)
    assert {"float64"} == {type(figure).__name__ for figure in aggregated.values()}
    assert pytest.approx(corpus["aggregated"], abs=TOLERANCE) == aggregated
    for kind, values in corpus["each"].items():
        assert pytest.approx(values, abs=TOLERANCE) == each[kind]


@pytest.mark.parametrize("corpus", GOLDEN["corpus"], ids=lambda corpus: corpus["id"])
def test_the_command_aggregates_the_same(corpus: dict[str, Any]) -> None:
    """`score` gives the plain mean by default, and with samples and a seed Hugging
    Face's figure.
    """
    kwargs = corpus["kwargs"]
    options: dict[str, Any] = {
        "dialect": "google",
        "stemmer": "nltk" if kwargs.get("use_stemmer") else "none",
    }
    types = kwargs.get("rouge_types", ["rouge1", "rouge2", "rougeL", "rougeLsum"])
    references = [
        [reference] if isinstance(reference, str) else reference
        for reference in corpus["references"]
    ]
    plain = rouge_cli.score(
        corpus["predictions"], references, types, **options
    ).to_dict()["system"]
    drawn = rouge_cli.score(
        corpus["predictions"],
        references,
        types,
        samples=1000,
        seed=corpus["seed"],
        **options,
    ).to_dict()["system"]

    for kind in types:
        assert (
            pytest.approx(corpus["plain_mean"][kind], abs=TOLERANCE) == plain[kind]["f"]
        )
        assert (
            pytest.approx(corpus["aggregated"][kind], abs=TOLERANCE) == drawn[kind]["f"]
        )


@pytest.mark.parametrize("case", GOLDEN["bootstrap"], ids=lambda case: case["id"])
def test_the_bootstrap_is_googles(case: dict[str, Any]) -> None:
    """With a seed, the aggregator's low, mid and high are Google's."""
    aggregator = BootstrapAggregator(
        case["confidence_interval"], case["n_samples"], case["seed"]
    )
    for kind, rows in case["scores"].items():
        for row in rows:
            aggregator.add_scores({kind: Score(*row)})

    for kind, aggregate in aggregator.aggregate().items():
        for end, expected in case["expected"][kind].items():
            assert pytest.approx(expected, abs=TOLERANCE) == list(
                getattr(aggregate, end)
            )


def test_stems_are_nltks() -> None:
    """All 3,962 golden words have NLTK's stem."""
    assert GOLDEN["stems"] == {word: porter.nltk_stem(word) for word in GOLDEN["stems"]}


def test_the_articles_example() -> None:
    """The example of the article on Hugging Face's metric: 0.7833, 0.5833, 0.7833,
    0.7833.
    """
    predictions = ["Summarization is cool", "I love Machine Learning", "Good night"]
    references = [
        ["Summarization is beneficial and cool", "Summarization saves time"],
        [
            "People are getting used to Machine Learning",
            "I think i love Machine Learning",
        ],
        ["Good night everyone!", "Night!"],
    ]

    assert [0.7833, 0.5833, 0.7833, 0.7833] == [
        round(value, 4) for value in compute(predictions, references).values()
    ]
