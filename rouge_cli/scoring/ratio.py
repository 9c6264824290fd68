"""Recall, precision and F from counts."""

from __future__ import annotations


def ratio(part: float, whole: float) -> float:
    """Return the quotient; 0 if the denominator is 0."""
    return part / whole if whole > 0 else 0.0


def f_measure(recall: float, precision: float, alpha: float) -> float:
    """Return PR / ((1 - alpha) P + alpha R), van Rijsbergen's F: precision if alpha is 1, recall if 0."""
    return ratio(precision * recall, (1 - alpha) * precision + alpha * recall)


def five_places(value: float) -> float:
    """Return the value rounded to five decimals, as the original keeps it once printed (QUIRKS 25)."""
    return round(value, 5)
