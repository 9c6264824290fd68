"""Recall, precision and F from counts."""

from __future__ import annotations


def ratio(part: float, whole: float) -> float:
    """The quotient; 0 where there is nothing to divide by."""
    return part / whole if whole > 0 else 0.0


def f_measure(recall: float, precision: float, alpha: float) -> float:
    """PR / ((1 - alpha) P + alpha R), van Rijsbergen's F: alpha 1 is precision, 0 is recall."""
    return ratio(precision * recall, (1 - alpha) * precision + alpha * recall)


def five_places(value: float) -> float:
    """The value as the original keeps it, having printed it: rounded to five decimals (QUIRKS 25)."""
    return round(value, 5)
