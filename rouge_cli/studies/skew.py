"""Skewed differences: the tests rely on differences whose signs could be exchanged.

If one of two systems has rare high scores, and the other none, their differences are
skewed also if their means are equal. Tests and intervals of few evals then err more
often than their level says. Most of it shows in the skewness of the differences: what
is above `MOST` times the root of the number of evals gets a warning. What no eval of
the sample shows, such as a rare score that none of them has, cannot be warned of.
"""

from collections.abc import Sequence
from math import sqrt

import numpy as np

from rouge_cli.core import Notice, Notify
from rouge_cli.results.comparison import ComparedPair, Plan
from rouge_cli.results.printed import pluralize
from rouge_cli.studies.draws import Array
from rouge_cli.studies.intervals import FEWEST

# Simulated (`make calibrate`): of significant differences between equal systems with
# lognormal differences, more than half are above it with 20 evals; of normal ones 2%.
MOST = 0.25
FAR = 5  # standard errors from 0, which no skewness explains
_ROUNDING = 1e-12  # of a difference, relative to the largest


def skewness(gaps: Array) -> float | None:
    """Return the skewness of differences; None if they do not vary."""
    largest = float(np.abs(gaps).max(initial=0))
    if largest == 0:
        return None
    errors = (gaps - gaps.mean()) / largest
    variance = float((errors * errors).mean())
    if variance < _ROUNDING**2:
        return None
    return float((errors * errors * errors).mean()) / (variance * sqrt(variance))


def rests_on(gaps: Array) -> int | None:
    """Return the least number of units without which the sum of the differences would
    be 0 or of the other sign; None if it is 0.
    """
    total = float(gaps.sum())
    slack = _ROUNDING * float(np.abs(gaps).sum())
    if abs(total) <= slack:
        return None
    toward = np.sort(gaps * np.sign(total))[::-1]
    left = abs(total) - np.cumsum(toward)
    return int(np.argmax(left <= slack)) + 1


def is_skewed(pair: ComparedPair) -> bool:
    """Return True if the differences are so skewed that the tests are not reliable."""
    if pair.skewness is None or pair.effect is None or pair.units < FEWEST:
        return False
    is_far = abs(pair.effect) * sqrt(pair.units) > FAR
    return not is_far and abs(pair.skewness) > MOST * sqrt(pair.units)


def remark(pairs: Sequence[ComparedPair], plan: Plan, notify: Notify) -> None:
    """Warn of pairs of one metric that are called different, or equal, although their
    differences are skewed.
    """
    doubtful = []
    for pair in pairs:
        is_called = pair.randomization_corrected < plan.level or pair.answer == "equal"
        if is_called and is_skewed(pair):
            doubtful.append(pair)
    if not doubtful:
        return

    pair = max(doubtful, key=_excess)
    unit = "eval" if pair.clusters is None else "cluster"
    what = f"{pair.system} minus {pair.other}"
    if pair.rests_on is not None and 2 * pair.rests_on <= pair.units:
        number = f"{pair.rests_on} of {pluralize(pair.units, unit)}"
        what += f" rests on {number} (skewness {pair.skewness:+.1f})"
    else:
        what += f" has skewness {pair.skewness:+.1f} over {unit}s"
    if len(doubtful) > 1:
        what += f", and {pluralize(len(doubtful) - 1, 'other pair')} like it"
    remedy = f"score more {unit}s before you rely on it"
    notify(Notice(f"{pair.name}: p may be too small, since {what}: {remedy}"))


def _excess(pair: ComparedPair) -> float:
    """Return the skewness in units of what is usual for so many evals."""
    return abs(pair.skewness or 0.0) / sqrt(pair.units)
