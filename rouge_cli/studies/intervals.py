"""Intervals of means and of differences: which of them are printed, and why the others
are not.

An interval that is printed lies within the possible scores, has the level that it
names, and agrees with the p of its bootstrap: it excludes 0 exactly if p is at most 1
minus the level. If one of these fails, no interval is printed, but the reason.
"""

from __future__ import annotations

from math import ceil, exp, floor, inf, isfinite, log
from typing import NamedTuple

from rouge_cli.core import Estimate

# With fewer evals, or clusters, the interval says little. Simulated by
# tests/bench/significance_rates.py: with 4 its median width is 2.4 times that of
# Student's t, with 5 1.3 times, with 6 1.2 times. With 6, randomization can also find a
# difference at the level 0.05 for the first time: its least p is 2 / 2^6.
FEWEST = 6
_ROUNDING = 1e-9  # of a score, which may exceed 1 by it


class Possible(NamedTuple):
    """The least and the largest possible value."""

    low: float = -inf
    high: float = inf

    def differences(self) -> Possible:
        """Return the possible differences of two values."""
        return Possible(self.low - self.high, self.high - self.low)

    def __str__(self) -> str:
        return f"{self.low:g} to {self.high:g}"


SCORES = Possible(0, 1)


class Drawn(NamedTuple):
    """How the bootstrap was drawn: what all intervals of a sample share."""

    units: int
    unit: str  # what is drawn: an eval or a cluster
    trials: int
    confidence: float  # in percent


class Bounds(NamedTuple):
    """An estimate with its interval, or without one and with the reason."""

    estimate: Estimate
    reason: str = ""  # why there is no interval


def rank_of_end(confidence: float, trials: int) -> int:
    """Return which of the errors of the trials, counted from the largest, is half of
    the interval; 0 if the trials are too few for this level.

    As many errors as this rank are at least as large as half of the interval. Their
    share, rank / (trials + 1), is at most 1 minus the level.
    """
    return floor((1 - confidence / 100) * (trials + 1) + 1e-9)


def trials_needed(confidence: float) -> int:
    """Return the least number of trials that gives intervals of this level."""
    return ceil(1 / (1 - confidence / 100) - 1e-6) - 1


def of_mean(
    value: float, low: float, high: float, possible: Possible, drawn: Drawn
) -> Bounds:
    """Return a mean with its interval, or with the reason why there is none.

    An end that would leave the possible is where it is by the log odds of the mean
    (delta method), which is within the possible. There is no interval if it would be
    wider than the possible. Simulated (`make calibrate`), such intervals contain the
    mean as often as unbounded ones; the others alone contain it too rarely.

    Args:
        value: The mean as printed.
        low: The lower end by the bootstrap; -inf if too few samples have a standard
            error.
        high: The upper end.
        possible: The possible scores.
        drawn: How the bootstrap was drawn.
    """
    is_narrow = high - low < possible.high - possible.low
    if is_narrow and not _is_within(low, high, possible):
        least, largest = _by_log_odds(low, high, possible)
        if low < possible.low:
            low = least
        if high > possible.high:
            high = largest
    return _bounds(value, low, high, possible, drawn)


def of_difference(
    value: float, low: float, high: float, possible: Possible, drawn: Drawn
) -> Bounds:
    """Return a difference with its interval, or with the reason why there is none.

    It has none if it would leave the possible: any other interval of this level would
    disagree with the p of the bootstrap.

    Args:
        value: The difference as printed.
        low: As in `of_mean`.
        high: The upper end.
        possible: The possible scores, from which the differences follow.
        drawn: How the bootstrap was drawn.
    """
    return _bounds(value, low, high, possible.differences(), drawn)


def _is_within(low: float, high: float, possible: Possible) -> bool:
    """Return True if both ends are possible, apart from rounding errors."""
    return possible.low - _ROUNDING <= low and high <= possible.high + _ROUNDING


def _by_log_odds(low: float, high: float, possible: Possible) -> tuple[float, float]:
    """Return the ends of the interval symmetric for the log odds of the mean."""
    width = possible.high - possible.low
    share = ((low + high) / 2 - possible.low) / width  # the mean, from 0 to 1
    if not 0 < share < 1:
        return low, high
    center = log(share / (1 - share))
    half = (high - low) / 2 / width / (share * (1 - share))
    low_share = _inverse_log_odds(center - half)
    high_share = _inverse_log_odds(center + half)
    return possible.low + width * low_share, possible.low + width * high_share


def _inverse_log_odds(value: float) -> float:
    """Return the share that has these log odds; larger negative ones would overflow."""
    return 1 / (1 + exp(min(-value, 700)))


def _bounds(
    value: float, low: float, high: float, possible: Possible, drawn: Drawn
) -> Bounds:
    """Return the estimate with this interval if it can be printed, else with the reason
    why it cannot.
    """
    reason = _reason(value, low, high, possible, drawn)
    if reason:
        return Bounds(Estimate(value), reason)
    return Bounds(Estimate(value, low, high))


def _reason(
    value: float, low: float, high: float, possible: Possible, drawn: Drawn
) -> str:
    """Return why there is no interval; empty if there is one."""
    if drawn.units < FEWEST:
        return f"fewer than {FEWEST} {drawn.unit}s"
    if rank_of_end(drawn.confidence, drawn.trials) < 1:
        return f"too few trials for {drawn.confidence:g}%"
    if low == high:
        return f"equal in all {drawn.unit}s"
    if not isfinite(low):
        return f"too few {drawn.unit}s differ"
    if not _is_within(low, high, possible):
        return f"too few {drawn.unit}s for an interval within {possible}"
    if not low <= value <= high:
        return "the printed average is outside of it"
    return ""
