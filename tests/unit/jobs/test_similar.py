"""`rouge_cli.similar` and its index: arguments, warnings and results."""

from __future__ import annotations

import math
from typing import Any

import pytest

import rouge_cli
from rouge_cli.errors import UsageError

TEXTS = ["Name a large city.", "Sort the list.", "Name a very large city."]


def test_pairs_keep_and_group() -> None:
    """Pairs are in order; the first of similar texts is kept, and leads its group."""
    pairs = rouge_cli.similar(TEXTS)

    assert [(0, 2, 0.88889)] == pairs
    assert (0, 2) == (pairs[0].first, pairs[0].second)
    assert [0, 1] == pairs.keep_first()
    assert [[0, 2], [1]] == pairs.groups()


def test_the_signature_repeats_the_scores() -> None:
    """`like` takes the signature of pairs, and of a report."""
    pairs = rouge_cli.similar(TEXTS, metric="R1", dialect="google", stem=True)
    report = rouge_cli.score(TEXTS, TEXTS[::-1], "R1", dialect="google", stem=True)

    for signature in (pairs.signature, report.signature):
        same = rouge_cli.similar(TEXTS, metric="R1", like=signature)
        assert (pairs, pairs.signature) == (same, same.signature)


def test_a_threshold_is_reached_or_exceeded() -> None:
    """A score that equals the threshold is enough; the next number above it is not."""
    texts = ["a b c d e f g h i j", "a b c d e f g x y z"]
    options: dict[str, Any] = {"dialect": "google"}

    assert [(0, 1, 0.7)] == rouge_cli.similar(texts, threshold=0.7, **options)
    assert [] == rouge_cli.similar(texts, threshold=math.nextafter(0.7, 1), **options)


def test_recall_is_of_the_first_text() -> None:
    """R is the share of the first text that the second has, P that of the second."""
    texts, others = ["a b c d"], ["x a b c d y", "a"]

    assert [(0, 0, 1.0)] == rouge_cli.similar(texts, others, metric="R1.R")
    assert [(0, 1, 1.0)] == rouge_cli.similar(texts, others, metric="R1.P")
    assert [] == rouge_cli.similar(texts, others, metric="R1.F", threshold=0.9)
    with pytest.raises(UsageError, match="groups of two sets"):
        rouge_cli.similar(texts, others).groups()
    kept = rouge_cli.similar(["a b", "c d"], ["c d"]).keep_first()
    assert [0] == kept


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metric": "R1,R2"}, "by one score, not by 2"),
        ({"metric": "W-1.2"}, "ROUGE-W-1.2 is no ratio of shared units"),
        ({"metric": "S4"}, "ROUGE-S4 is no ratio of shared units"),
        ({"dialect": "tilse", "metric": "R1-concat"}, "tilse scores timelines"),
        ({"dialect": "rouge2"}, "rouge2 matches words by"),
        ({"dialect": "pltrdy", "exclusive": False}, "rouge-l is no ratio"),
        ({"threshold": 0}, "the threshold is 0"),
        ({"threshold": 1.5}, "the threshold is 1.5"),
        ({"threshold": math.nan}, "the threshold is nan"),
        ({"jobs": -1}, "jobs"),
    ],
)
def test_what_cannot_be_compared_is_refused(
    options: dict[str, Any], message: str
) -> None:
    """Each refusal has its reason."""
    with pytest.raises(UsageError, match=message):
        rouge_cli.similar(TEXTS, **options)


def test_a_limit_in_bytes_is_refused_if_it_cuts_a_text_in_two_ways() -> None:
    """ROUGE-L reads a text twice under a limit in bytes (QUIRKS 8)."""
    texts = ["a b\nc d e f"]
    options: dict[str, Any] = {"limit": "6bytes"}

    assert [] == rouge_cli.similar(texts, metric="R1", **options)
    with pytest.raises(rouge_cli.errors.RougeError, match="other words in the sent"):
        rouge_cli.similar(texts, metric="RL", **options)


def test_doubtful_arguments_are_named() -> None:
    """Names of files, texts against themselves, lost letters and empty texts have a
    warning.
    """
    said: list[str] = []

    def notify(notice: Any) -> None:  # noqa: ANN401 - a Notice
        said.append(notice.message)

    rouge_cli.similar([__file__], notify=notify)
    rouge_cli.similar(TEXTS, TEXTS, notify=notify)
    rouge_cli.similar(["A café naïve é à", "Où est-ce né là ?"] * 30, notify=notify)
    rouge_cli.similar(["a", ""], notify=notify)
    for message in (
        "texts are names of files",
        "compared with themselves",
        "texts[0]: words with letters outside ASCII are dropped",
        "texts[1]: no text in it",
    ):
        assert any(message in each for each in said), message


def test_an_index_orders_by_score() -> None:
    """The most similar text comes first, of equal ones the first."""
    said: list[Any] = []
    index = rouge_cli.SimilarIndex("R1.R", notify=said.append)
    for text in ("a b c d", "a b c", "c b a", "x", ""):
        index.add(text)

    assert ["texts[4]: no text in it"] == [notice.message for notice in said]
    assert 5 == len(index)
    assert [(1, 1.0), (2, 1.0), (0, 0.75)] == index.most_similar("a b c", 0.5)
    assert [] == index.most_similar("", 0.1)
    with pytest.raises(UsageError, match="the threshold is 2"):
        index.most_similar("a", 2)
