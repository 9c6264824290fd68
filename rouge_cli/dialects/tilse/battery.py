"""Tests that a metric for timelines should pass (Martschat and Markert 2017, section 5).

Operations on a copy of a timeline, which is then scored against the timeline itself. Two of the paper's
operations are fixed here to be reproducible: the paper removes a random date, and adds the first sentence
of an article (QUIRKS 43).
"""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise
from typing import TYPE_CHECKING

from rouge_cli.errors import RougeError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rouge_cli.formats.timeline import Timeline

NONSENSE = " ".join(["zzyzx"] * 10)
SHIFTS = (1, 5)


def copies(timeline: Timeline, shifts: Sequence[int] = SHIFTS) -> Mapping[str, Timeline]:
    """Return the changed copies by the name of the operation, as the paper prints it.

    shifts: numbers of days, negative into the past. Raises RougeError for fewer than two dates, and
    at the ends of the calendar.
    """
    if len(timeline) < 2:
        raise RougeError("fewer than two dates; removing and merging dates needs at least two")
    try:
        return {
            "Remove": remove_date(timeline),
            "Add": add_sentence(timeline),
            "Merge": merge_days(timeline),
            **{f"Shift {k} day{'' if abs(k) == 1 else 's'}": shift_dates(timeline, k) for k in shifts},
        }
    except OverflowError:
        raise RougeError("dates cannot be moved beyond the years 1 to 9999") from None


def remove_date(timeline: Timeline) -> Timeline:
    """Remove the date in the middle, the later of two."""
    middle = sorted(timeline)[len(timeline) // 2]
    return {day: sentences for day, sentences in timeline.items() if day != middle}


def add_sentence(timeline: Timeline) -> Timeline:
    """Add a sentence of unused words on the first day after a date that is not in the timeline."""
    after = (day + timedelta(1) for day in sorted(timeline))
    return {**timeline, next(day for day in after if day not in timeline): [NONSENSE]}


def merge_days(timeline: Timeline) -> Timeline:
    """Merge two neighbouring days on the earlier date: the closest two, the first on ties."""
    days = sorted(timeline)
    earlier, later = min(pairwise(days), key=lambda pair: pair[1] - pair[0])
    return {
        day: [*sentences, *timeline[later]] if day == earlier else sentences
        for day, sentences in timeline.items()
        if day != later
    }


def shift_dates(timeline: Timeline, days: int) -> Timeline:
    """Shift every date by this number of days."""
    return {day + timedelta(days): sentences for day, sentences in timeline.items()}
