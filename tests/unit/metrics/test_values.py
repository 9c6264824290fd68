"""Metrics of one value, on numbers worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

import rouge_cli
from rouge_cli import metrics
from rouge_cli.core import Text
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.metrics.fragments import Fragment, fragments

SOURCE = "a b c d e f a b"
PREDICTION = "b c x a b a b"


def quotient(label: str, other: str, prediction: str) -> tuple[float, float]:
    """Return numerator and denominator of a metric, for words between blanks."""
    ids = {word: number for number, word in enumerate(sorted({*other, *prediction}))}
    texts = [Text([ids[word] for word in text.split()]) for text in (other, prediction)]
    counts = metrics.parse(label).count(*texts)
    assert counts.reference == counts.prediction
    return counts.match, counts.reference


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        # The fragments are `b c`, `a b` and `a b`; `x` is in none.
        ("coverage", (6, 7)),
        ("density", (4 + 4 + 4, 7)),
        ("compression", (8, 7)),
        # Bigrams: bc cx xa ab ba ab, of which the source has bc and ab.
        ("novel-1", (1, 7)),
        ("novel-2", (3, 6)),
        ("novel-2-types", (3, 5)),
        ("novel-9", (0, 0)),
        # Words: b three times, a twice, c, x; of bigrams ab twice.
        ("repetition-1", (3, 7)),
        ("repetition-2", (1, 6)),
        ("repetition-2-types", (1, 5)),
        ("length-ratio", (7, 8)),
    ],
)
def test_values_are_as_defined(label: str, expected: tuple[float, float]) -> None:
    """A prediction of 7 words, some copied, and its source (or reference) of 8."""
    assert expected == quotient(label, SOURCE, PREDICTION)


def test_a_fragment_within_a_compared_one_is_not_found() -> None:
    """Of `a a b` and the source `a a a b`, the paper's search finds `a a`, goes on
    behind it, and finds `a` and `a b` only later: the fragments are `a a` and `b`.
    """
    source, prediction = Text([0, 0, 0, 1]), Text([0, 0, 1])

    assert [Fragment(0, 2), Fragment(2, 1)] == fragments(source, prediction)


def test_an_eval_without_a_source_is_an_error() -> None:
    """The error names the eval, the metric and what to do."""
    with pytest.raises(RougeError, match="no source, which coverage needs; name") as of:
        rouge_cli.score("a", "a", "R1,coverage", samples=0)
    assert "eval 1" in str(of.value)


def test_as_many_sources_as_evals_are_needed() -> None:
    """Another number of sources is an error."""
    with pytest.raises(UsageError, match="2 evals, 1 sources"):
        rouge_cli.score(["a", "b"], ["a c", "b c"], "coverage", sources=["a"])


def test_a_single_text_has_a_single_source() -> None:
    """A string is the source of the only prediction; a list of texts has a list."""
    results: Any = rouge_cli.score("a x", "a", "novel-1", sources="a", samples=0)
    assert results["novel-1"].f == 0.5

    explained = rouge_cli.explain("a x", "a", "novel-1", source="a")
    assert "novel-1 = n-grams that the source does not have" in explained.to_text()


@pytest.mark.parametrize("dialect", ["rouge2", "pltrdy", "js", "py_rouge"])
def test_other_dialects_do_not_have_them(dialect: Any) -> None:  # noqa: ANN401 - a name
    """Dialects that reproduce other programs refuse the labels."""
    with pytest.raises(UsageError, match="coverage"):
        rouge_cli.score("a", "a", "coverage", sources="a", dialect=dialect)
