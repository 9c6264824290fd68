"""The warning of google's stand-in about sentences that share a line."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from rouge_cli import errors
from rouge_cli.dialects import google
from rouge_cli.dialects.google import rouge_scorer
from rouge_cli.errors import RougeWarning
from rouge_cli.text.segmentation import FEWEST_PAIRS, MOST_PAIRS, LineWatch

LINES = "Rain fell on the hills. A cat sat.", "A cat sat. Rain fell over the hills."
SPLIT = "Rain fell.\nA cat sat.", "A cat sat.\nRain fell."
TYPES = ["rouge1", "rougeL", "rougeLsum"]


@pytest.fixture
def caught(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[warnings.WarningMessage]]:
    """Yield the warnings, as in a process that has not scored anything."""
    monkeypatch.setattr(errors, "_GIVEN", set())
    monkeypatch.setattr(rouge_scorer, "_LINES", LineWatch())
    with warnings.catch_warnings(record=True) as record:
        warnings.simplefilter("always")
        yield record


def _loop(pair: tuple[str, str], number: int, **settings: Any) -> None:  # noqa: ANN401
    scorer = rouge_scorer.RougeScorer(settings.pop("types", TYPES), **settings)
    for _ in range(number):
        scorer.score(*pair)


def _multi(pair: tuple[str, str], number: int) -> None:
    scorer = rouge_scorer.RougeScorer(TYPES)
    for _ in range(number):
        scorer.score_multi([pair[0], pair[0]], pair[1])


def _batch(pair: tuple[str, str], number: int) -> None:
    scorer = rouge_scorer.RougeScorer(TYPES)
    scorer.score_batch([pair[0]] * number, [pair[1]] * number)


def _compute(pair: tuple[str, str], number: int) -> None:
    google.compute([pair[1]] * number, [pair[0]] * number)


WAYS = [_loop, _multi, _batch, _compute]


@pytest.mark.parametrize("score", WAYS)
def test_lines_of_sentences_are_said_once(
    score: Callable[..., None], caught: list[warnings.WarningMessage]
) -> None:
    """Whoever scores one-line texts of several sentences with rougeLsum is told once
    that rougeLsum is rougeL then, and what to do.
    """
    score(LINES, FEWEST_PAIRS)
    score(LINES, FEWEST_PAIRS)

    assert [warning.category for warning in caught] == [RougeWarning]
    message = str(caught[0].message)
    assert "one line of several sentences" in message
    assert "split_summaries=True" in message
    assert caught[0].filename == __file__


@pytest.mark.parametrize("score", WAYS)
def test_texts_with_a_sentence_in_a_line_cause_no_warning(
    score: Callable[..., None], caught: list[warnings.WarningMessage]
) -> None:
    """Texts as rouge_score expects them, one sentence per line, cause no warning."""
    score(SPLIT, MOST_PAIRS + 1)

    assert not caught


@pytest.mark.parametrize(
    "settings", [{"types": ["rouge1", "rougeL"]}, {"split_summaries": True}]
)
def test_who_needs_no_lines_is_not_warned(
    settings: dict[str, Any], caught: list[warnings.WarningMessage]
) -> None:
    """Without rougeLsum, or with split sentences, lines do not matter."""
    try:
        _loop(LINES, FEWEST_PAIRS, **settings)
    except LookupError:
        pytest.skip("nltk's data of sentence ends is missing")

    assert not caught


def test_a_few_such_lines_among_others_cause_no_warning(
    caught: list[warnings.WarningMessage],
) -> None:
    """A program most of whose texts are split is not told that they are not."""
    scorer = rouge_scorer.RougeScorer(TYPES)
    for number in range(MOST_PAIRS + FEWEST_PAIRS):
        scorer.score(*(LINES if number % MOST_PAIRS < FEWEST_PAIRS - 1 else SPLIT))

    assert not caught
