"""TIMELINE, dated days as in timeline17: a date line, a line for each sentence, and 32 hyphens.

    2010-05-06
    BP tries to stop the spill .
    --------------------------------

Read as by the toolkit of Martschat and Markert (2017), except for input that it loses or fails on (QUIRKS
38): a date is a line of its own, year-month-day; of two blocks with one date the last counts. Content that
begins with `[` or `{` is JSON, as in news-tls: `[["2010-05-06", ["a sentence", ...]], ...]`, or an
object of dates; a line of jsonl is a timeline. Dialects without dates read the sentences of all days.
"""

from __future__ import annotations

import codecs
import re
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from rouge_cli.core import Notice, Summary
from rouge_cli.errors import RougeError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rouge_cli.core import Notify

# Each date with its sentences, in ascending order.
Timeline = dict[date, list[str]]

SEPARATOR = "-" * 32
HAS_DATES = True  # `convert` cannot invent them
TEXT, JSON, JSONL = KINDS = ("text", "json", "jsonl")
# The treatment of repeated dates.
LAST, MERGE, REJECT = REPEATED = ("last", "merge", "reject")


class _Line(NamedTuple):
    """A line without the white space at its ends; number: as in editors."""

    number: int
    text: str


class _Block(NamedTuple):
    """The lines above a separator, or above the end of the file if closed is false."""

    dates: list[tuple[_Line, date]]
    texts: list[_Line]
    closed: bool


def read(data: bytes) -> Summary:
    """Return the sentences in the order of their dates; a day without text is one empty sentence.

    Raises RougeError for text without a date, for JSON that is not a timeline, and for several timelines.
    """
    days = only(data, "", lambda _: None)
    dated = [(sentence.encode(), day) for day, sentences in days.items() for sentence in sentences]
    return Summary([unit for unit, _ in dated], [day for _, day in dated])


def write(summary: Summary, _: str) -> bytes:
    """Write a block a day; raise RougeError for units without dates, and if it would not read back."""
    by_day: dict[date, list[bytes]] = {}
    if len(summary.dates) == len(summary.units):
        for day, unit in zip(summary.dates, summary.units, strict=True):
            by_day.setdefault(day, []).append(unit)
    data = b"".join(
        b"\n".join([day.isoformat().encode(), *units, SEPARATOR.encode(), b""])
        for day, units in by_day.items()
    )
    try:
        same = read(data) == Summary(list(summary.units), list(summary.dates))
    except RougeError:  # 32 hyphens among the sentences
        same = False
    if not same:
        raise RougeError("sentences without dates, or with breaks in them, cannot be written as TIMELINE")
    return data


def only(data: bytes, where: str, notify: Notify, kind: str = "", repeated: str = LAST) -> Timeline:
    """Return the single timeline in a file; otherwise like `several`."""
    timelines = several(data, where, notify, kind, repeated)
    if len(timelines) != 1:
        raise RougeError(f"{len(timelines)} timelines in it; expected one", where=where)
    return timelines[0]


def several(
    data: bytes, where: str, notify: Notify, kind: str = "", repeated: str = LAST
) -> list[Timeline]:
    """Return the timelines in a file; JSON may hold any number.

    where: the file, for messages. kind: one of KINDS; empty to detect it. repeated: one of
    REPEATED. Repairs are reported, each with its line.
    Raises RougeError with the line of text without a date, and of JSON that is not a timeline; UsageError
    for an unknown kind or treatment.
    """
    for what, value, choices in (("input", kind or TEXT, KINDS), ("repeated", repeated, REPEATED)):
        if value not in choices:
            raise UsageError(f"unknown {what} {value!r}", remedy=f"use one of {', '.join(choices)}")
    text = _decode(data, where, notify)
    kind = kind or (JSON if text.lstrip()[:1] in ("[", "{") else TEXT)
    if kind == TEXT:
        return [_timeline(text, Days(where, notify, repeated))]
    from rouge_cli.formats import _timeline_json  # costs start-up time

    lines = kind == JSONL
    return _timeline_json.timelines(text, lambda: Days(where, notify, repeated), lines=lines)


class Days:
    """Collects the days of a timeline, and reports repairs."""

    def __init__(self, where: str, notify: Notify, repeated: str) -> None:
        self.where = where
        self._notify = notify
        self._repeated = repeated
        self._days: Timeline = {}
        self._places: dict[date, str] = {}

    def add(self, day: date, sentences: list[str], place: str) -> None:
        """Add a day; place: its line or entry, to follow the file in messages."""
        before = self._places.setdefault(day, place)
        if day not in self._days:
            self._days[day] = sentences
            return
        what = f"{day} is repeated; first at {self.where}{before}"
        if self._repeated == REJECT:
            raise RougeError(what, where=f"{self.where}{place}", remedy="give each date once")
        if self._repeated == MERGE:
            self._days[day] = [*self._days[day], *sentences]
            self.report(f"{what}; both count", place)
        else:
            self._days[day] = sentences
            self.report(f"{what}; only this one counts", place)

    def report(self, what: str, place: str) -> None:
        """Report a repair."""
        self._notify(Notice(f"{self.where}{place}: {what}"))

    def timeline(self) -> Timeline:
        """Return the collected days, by date."""
        return dict(sorted(self._days.items()))


def day_of(text: str) -> date | None:
    """Parse year-month-day, with leading zeros or without; return None if it is not a date."""
    match = re.fullmatch("([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})", text)
    try:
        return date(*map(int, match.groups())) if match else None
    except ValueError:  # 30 February
        return None


def _timeline(text: str, days: Days) -> Timeline:
    for block in _blocks(text):
        first = next((line for line in block.texts if line.text), None)
        if not block.dates:
            if first:
                raise RougeError(
                    f"text without a date: {first.text[:60]!r}",
                    where=f"{days.where}:{first.number}",
                    remedy="write the date of a day's sentences alone on a line above them: 2010-05-06",
                )
            continue  # two separators in a row
        line, day = block.dates[-1]
        place = f":{line.number}"
        if len(block.dates) > 1:
            days.report(f"{len(block.dates)} dates in one block; all of its text goes to the last", place)
        if not block.closed:
            days.report("no line of 32 hyphens after the last block; the block counts all the same", place)
        sentences = "\n".join(line.text for line in block.texts).strip().split("\n")
        days.add(day, sentences, place)
    return days.timeline()


def _blocks(text: str) -> Iterator[_Block]:
    dates: list[tuple[_Line, date]] = []
    texts: list[_Line] = []
    number = 1
    for raw in text.splitlines(keepends=True):
        line = _Line(number, raw.strip())
        number += raw.endswith(("\n", "\r"))  # editors count no other line boundaries
        day = day_of(line.text)
        if line.text == SEPARATOR:
            yield _Block(dates, texts, closed=True)
            dates, texts = [], []
        elif day:
            dates.append((line, day))
        else:
            texts.append(line)
    yield _Block(dates, texts, closed=False)


def _decode(data: bytes, where: str, notify: Notify) -> str:
    """Decode the text without its byte order mark; invalid UTF-8 becomes U+FFFD, which separates tokens."""
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        notify(
            Notice(f"{where}:{line}: not UTF-8: byte 0x{data[error.start]:02x}; such bytes separate words")
        )
        return data.decode("utf-8", "replace")
