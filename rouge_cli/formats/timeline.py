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
from typing import TYPE_CHECKING, Any, NamedTuple

from rouge_cli.core import Notice, Summary
from rouge_cli.errors import RougeError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rouge_cli.core import Notify

# Each date with its sentences, in ascending order.
Timeline = dict[date, list[str]]

SEPARATOR = "-" * 32
HAS_DATES = True  # `convert` cannot invent them
TEXT, JSON, JSONL = KINDS = ("text", "json", "jsonl")
# The treatment of repeated dates.
LAST, MERGE, REJECT = REPEATED = ("last", "merge", "reject")
_MORE_TEXT = "not JSON: Extra data"  # after a whole document, as in jsonl
_REMEDY = 'a timeline is [["2010-05-06", ["a sentence", ...]], ...], on one line each in jsonl'


class _Object(NamedTuple):
    """An object of JSON as a list of pairs: a name may occur twice, which a dict cannot express."""

    pairs: list[tuple[str, Any]]


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
        return [_of_blocks(text, _Days(where, notify, repeated))]
    return _of_json(text, lambda: _Days(where, notify, repeated), lines=kind == JSONL)


def packed(days: Timeline) -> bytes:
    """Return a timeline as a document, from which it is read as it is, without repairs."""
    import json  # costs start-up time

    return json.dumps({str(day): sentences for day, sentences in days.items()}).encode()


class _Days:
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


def _day_of(text: str) -> date | None:
    """Parse year-month-day, with leading zeros or without; return None if it is not a date."""
    match = re.fullmatch("([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})", text)
    try:
        return date(*map(int, match.groups())) if match else None
    except ValueError:  # 30 February
        return None


def _of_blocks(text: str, days: _Days) -> Timeline:
    dates: list[tuple[int, date]] = []  # with the numbers of their lines
    texts: list[tuple[int, str]] = []
    number = 1
    for raw in text.splitlines(keepends=True):
        line = raw.strip()
        if line == SEPARATOR:
            _add_block(days, dates, texts, closed=True)
            dates, texts = [], []
        elif day := _day_of(line):
            dates.append((number, day))
        else:
            texts.append((number, line))
        number += raw.endswith(("\n", "\r"))  # editors count no other line boundaries
    _add_block(days, dates, texts, closed=False)
    return days.timeline()


def _add_block(
    days: _Days, dates: list[tuple[int, date]], texts: list[tuple[int, str]], *, closed: bool
) -> None:
    """Add the lines above a separator, or above the end of the file, which closes no block."""
    if not dates:
        for number, text in texts:
            if text:
                raise RougeError(
                    f"text without a date: {text[:60]!r}",
                    where=f"{days.where}:{number}",
                    remedy="write the date of a day's sentences alone on a line above them: 2010-05-06",
                )
        return  # two separators in a row
    number, day = dates[-1]
    place = f":{number}"
    if len(dates) > 1:
        days.report(f"{len(dates)} dates in one block; all of its text goes to the last", place)
    if not closed:
        days.report("no line of 32 hyphens after the last block; the block counts all the same", place)
    days.add(day, "\n".join(text for _, text in texts).strip().split("\n"), place)


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


def _of_json(text: str, days: Callable[[], _Days], *, lines: bool) -> list[Timeline]:
    """Return the timelines of a document, or of each line.

    A timeline is an array of pairs `[time, sentences]`, of which only the date of the time counts and
    sentences may be one string; or an object, date -> sentences. A document holds one timeline, or an array
    of them, or is a result file of news-tls: `{"results": [[scores, scores, timeline], ...]}`.
    days: makes the collector of a timeline. lines: True for jsonl; text that continues after a whole
    document is also read as jsonl.
    Raises RougeError with the line, or the number of the entry.
    """
    where = days().where
    if not lines:
        try:
            return list(_of_document(_parse(text, where), days))
        except RougeError as error:
            if error.what != _MORE_TEXT:
                raise
    return [
        _of_pairs(_parse(line, where, number), days(), f":{number}")
        for number, line in enumerate(text.split("\n"), 1)
        if line.strip()
    ]


def _parse(text: str, where: str, line: int = 0) -> object:
    """Parse JSON; line: the number of its line, 0 for a whole document."""
    import json  # costs start-up time

    try:
        value: object = json.loads(text, object_pairs_hook=_Object)
    except json.JSONDecodeError as error:
        raise RougeError(
            f"not JSON: {error.msg}",
            where=f"{where}:{line or error.lineno}:{error.colno}",
            remedy="if these are dated blocks of text: --input text",
        ) from None
    except (ValueError, RecursionError) as error:
        place = f"{where}:{line}" if line else where
        raise RougeError(f"cannot read as JSON: {error}", where=place) from None
    return value


def _of_document(document: Any, days: Callable[[], _Days]) -> Iterator[Timeline]:  # noqa: ANN401 - any JSON
    results = dict(document.pairs).get("results") if isinstance(document, _Object) else None
    if isinstance(results, list):
        for number, result in enumerate(results, 1):
            if not isinstance(result, list) or len(result) != 3:
                what = f"result {number} is not [scores, scores, timeline]"
                raise RougeError(what, where=days().where)
            yield _of_pairs(result[2], days(), f": result {number}")
    elif isinstance(document, list) and document and not any(map(_is_pair, document)):
        for number, timeline in enumerate(document, 1):
            yield _of_pairs(timeline, days(), f": timeline {number}")
    else:
        yield _of_pairs(document, days(), "")


def _is_pair(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and isinstance(value[0], str)


def _of_pairs(value: object, days: _Days, place: str) -> Timeline:
    """Convert the value to a timeline; place: its own, to follow that of the file."""
    pairs = list(map(list, value.pairs)) if isinstance(value, _Object) else value
    if not isinstance(pairs, list):
        raise RougeError("not a timeline", where=f"{days.where}{place}", remedy=_REMEDY)
    for number, pair in enumerate(pairs, 1):
        inside = f"{place}: entry {number}" if place else f": entry {number}"
        if not _is_pair(pair):
            raise RougeError(
                "not a pair of time and sentences", where=f"{days.where}{inside}", remedy=_REMEDY
            )
        time, sentences = pair
        days.add(_day(time, f"{days.where}{inside}"), _sentences(sentences, days.where + inside), inside)
    return days.timeline()


def _day(time: str, where: str) -> date:
    match = re.match("([^T ]*)(?:[T ].*)?$", time.strip(), re.DOTALL)
    day = _day_of(match[1]) if match else None
    if day is None:
        raise RougeError(
            f"not a date: {time[:40]!r}", where=where, remedy="write times as in 2010-05-06T00:00:00"
        )
    return day


def _sentences(value: object, where: str) -> list[str]:
    """Return the sentences; one string is one sentence, and none are an empty one, as in dated blocks."""
    sentences = [value] if isinstance(value, str) else value
    if not isinstance(sentences, list) or not all(isinstance(sentence, str) for sentence in sentences):
        raise RougeError("sentences are not a list of strings", where=where, remedy=_REMEDY)
    # Half a surrogate pair is not text; it separates words, like any character outside ASCII.
    return [sentence.encode("utf-8", "replace").decode() for sentence in sentences] or [""]
