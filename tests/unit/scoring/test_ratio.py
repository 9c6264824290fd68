"""Quotients, F, and the original's rounding."""

from __future__ import annotations

import math

import pytest

from rouge_cli.scoring.ratio import f_measure, five_places, ratio


@pytest.mark.parametrize(
    ("part", "whole", "expected"), [(1, 4, 0.25), (0, 3, 0.0), (0, 0, 0.0), (2, 0.0, 0.0)]
)
def test_nothing_to_divide_by_is_nought(part: float, whole: float, expected: float) -> None:
    """A quotient is 0 if the denominator is 0."""
    assert expected == ratio(part, whole)


def test_an_undefined_whole_is_nothing_to_divide_by() -> None:
    """A quotient is 0 if the denominator is NaN, which is not above 0 either."""
    assert ratio(math.nan, math.nan) == 0.0


@pytest.mark.parametrize(
    ("recall", "precision", "alpha", "expected"),
    [
        (0.5, 0.25, 0.5, 1 / 3),  # 2PR / (P + R)
        (0.5, 0.25, 1, 0.25),  # alpha 1 is precision
        (0.5, 0.25, 0, 0.5),  # alpha 0 is recall
        (0.75, 0.25, 0.2, 0.1875 / 0.35),
        (0.0, 0.0, 0.5, 0.0),
        (0.0, 1.0, 1, 0.0),
        (1.0, 1.0, 0.3, 1.0),
    ],
)
def test_f_is_weighted_by_alpha(recall: float, precision: float, alpha: float, expected: float) -> None:
    """F = PR / ((1 - alpha) P + alpha R), and 0 if that has no denominator."""
    assert f_measure(recall, precision, alpha) == pytest.approx(expected, rel=1e-15)


def test_f_is_computed_in_this_very_order() -> None:
    """F is computed as P * R / ((1 - alpha) * P + alpha * R), operation by operation."""
    p, r, alpha = 0.57143, 0.08163, 0.3

    assert (p * r) / ((1 - alpha) * p + alpha * r) == f_measure(r, p, alpha)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1 / 3, 0.33333),
        (2 / 3, 0.66667),
        (0.0, 0.0),
        (1.0, 1.0),
        (0.000004, 0.0),
        (0.999996, 1.0),
        (0.000005, 0.00001),  # the double is a little above the half
        (0.000035, 0.00003),  # and here a little below
        (1 / 64, 0.01562),  # an exact half, 0.015625, goes to the even digit
        (3 / 64, 0.04688),  # and so does 0.046875
    ],
)
def test_rounding_is_that_of_printing(value: float, expected: float) -> None:
    """A value is what C prints with five decimals, read back (QUIRKS 25)."""
    assert expected == five_places(value)
