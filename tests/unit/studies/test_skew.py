"""Skewed differences are measured, and warned of where a claim rests on few evals."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from rouge_cli.core import Notice
from rouge_cli.results.comparison import Plan
from rouge_cli.studies import significance, skew
from rouge_cli.studies.matrix import Scores

CHANCE = np.random.default_rng(3)


def messages(gaps: np.ndarray) -> list[str]:
    """Return the warnings of skewed differences between two systems."""
    values = np.stack([gaps, np.zeros_like(gaps)])
    evals = [str(number) for number in range(len(gaps))]
    notices: list[Notice] = []
    plan = Plan(correction="none")
    significance.compare(
        [Scores("M F", ["a", "b"], evals, values)], plan, notices.append
    )
    return [str(notice) for notice in notices if "too small" in str(notice)]


def test_skewness_is_scipys() -> None:
    """The skewness is scipy's; differences that do not vary have none."""
    gaps = CHANCE.lognormal(size=30)
    assert pytest.approx(stats.skew(gaps)) == skew.skewness(gaps)
    assert skew.skewness(np.full(5, 0.1)) is None
    assert skew.skewness(np.zeros(5)) is None


def test_a_difference_rests_on_the_evals_without_which_it_is_gone() -> None:
    """The count is the least number of evals that turn the difference, either way."""
    gaps = np.array([0.9, 0.8, -0.1, -0.1, -0.5, 0.0])
    assert 2 == skew.rests_on(gaps) == skew.rests_on(-gaps)
    assert skew.rests_on(np.array([0.1, -0.1])) is None
    assert 3 == skew.rests_on(np.array([0.1, 0.1, 0.1]))


def test_a_claim_that_rests_on_few_evals_is_warned_of() -> None:
    """A significant difference of skewed evals is warned of; one of symmetric evals,
    one far from 0 and one that is not significant are not.
    """
    few = np.array([0.0] * 14 + [0.2, 0.25, 0.3, 0.5, 0.6, 0.9])
    symmetric = np.linspace(-0.1, 0.4, 20)
    far = 3 + few

    (message,) = messages(few)
    assert "a minus b rests on 6 of 20 evals (skewness +1.8)" in message
    assert [] == messages(symmetric)
    assert [] == messages(far)
    assert [] == messages(few - few.mean())
