"""The lengths of texts beside scores."""

from __future__ import annotations

from typing import Any

import pytest

import rouge_cli
from rouge_cli.results import lengths

SYSTEMS = {"a": ["a b c d", "a b"], "b": ["a b", "a b"]}
REFERENCES = [["a b c", "a"], ["a b", "a b c d"]]


@pytest.mark.parametrize(
    ("labels", "options"),
    [
        ("length-ratio", {}),
        ("R1", {}),
        ("R1,length-ratio", {"average": "micro"}),
        ("rouge1,length-ratio", {"dialect": "google"}),
    ],
)
def test_lengths_are_mean_words(labels: str, options: dict[str, Any]) -> None:
    """The words of 4 and 2 (or 2 and 2), and of references with 2 and 3 words on
    average, from any metric that counts words.
    """
    results = rouge_cli.score(SYSTEMS, REFERENCES, labels, samples=0, **options)

    expected = {"a": (3, 2.5), "b": (2, 2.5)}
    assert expected == {
        name: tuple(own) for name, own in lengths.of_report(results).items()
    }


def test_lengths_are_unknown_without_words() -> None:
    """ROUGE-2 does not count words, and counts of varying references cannot be
    divided.
    """
    without = rouge_cli.score(["a b"], ["a c"], "R2", samples=0)
    varying = rouge_cli.score(["a b", "a"], [["a c"], ["b", "c"]], "R1", samples=0)

    assert {} == lengths.of_report(without) == lengths.of_report(varying)


@pytest.mark.parametrize(
    ("words", "differ"), [((10, 12), False), ((10, 12.1), True), ((0, 1), True)]
)
def test_more_than_a_fifth_is_reported(
    words: tuple[float, float], *, differ: bool
) -> None:
    """Systems whose mean lengths differ by more than 20 % are named."""
    first, second = (lengths.Lengths(number, 10) for number in words)
    message = lengths.differ({"x": first, "y": second})

    assert differ == message.startswith("systems differ in length by more than 20%")
    assert len(message) <= 300
    assert lengths.differ({"x": first}) == ""


@pytest.mark.filterwarnings("error")
def test_a_comparison_warns_once() -> None:
    """`compare` notifies once, whatever the number of metrics; its numbers are those
    without lengths.
    """
    texts = {"a": ["a b c d e f", "a b"] * 3, "b": ["a b", "a c"] * 3}
    notices: list[str] = []
    comparison = rouge_cli.compare(
        texts,
        ["a b c", "a b d"] * 3,
        "R1,R2",
        trials=100,
        notify=lambda notice: notices.append(notice.message),
    )

    assert 1 == sum("differ in length" in message for message in notices)
    assert set(comparison.lengths) == {"a", "b"}
    assert "words" not in comparison.to_text()
    assert "reference words" in comparison.to_text(lengths=True)
