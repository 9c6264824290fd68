"""TIMELINE, days as in timeline17: a line with the date, a line per sentence, and a line of 32 hyphens.

    2010-05-06
    BP tries to stop the spill .
    --------------------------------

A date is a line of its own, year-month-day. The last of several blocks with the same date counts. Files are
read as by the toolkit of Martschat and Markert (2017), except for input that the toolkit loses or fails on
(QUIRKS 38). Content that begins with `[` or `{` is JSON, as in news-tls:
`[["2010-05-06", ["a sentence", ...]], ...]`, or an object with dates as names. Each line of jsonl is a
timeline. Dialects without dates read the sentences of all days.
"""

import codecs
import json
import re
from collections.abc import Callable, Iterator
from datetime import date

from rouge_cli.core import Notice, Notify, Summary
from rouge_cli.errors import RougeError, UsageError, not_json

# (date, sentences, line or entry); messages append the line or entry to the file.
Dated = Iterator[tuple[date, list[str], str]]
# Receives the description of a repair, and its line or entry.
Report = Callable[[str, str], None]

Timeline = dict[date, list[str]]  # date -> sentences, in ascending order

SEPARATOR = "-" * 32
HAS_DATES = True  # `convert` cannot invent them
TEXT, JSON, JSONL = KINDS = ("text", "json", "jsonl")
# Values of `repeated`, for repeated dates.
LAST, MERGE, REJECT = REPEATED = ("last", "merge", "reject")
_MORE_TEXT = "not JSON: Extra data"  # json's error if text follows a document, as in jsonl
_REMEDY = 'a timeline is [["2010-05-06", ["a sentence", ...]], ...], on one line each in jsonl'


def read(data: bytes) -> Summary:
    """Return the sentences in the order of their dates; a day without text is one empty sentence.

    Raises:
        RougeError: If text has no date, JSON is not a timeline, or there are several timelines.
    """
    days = only(data, "", lambda _: None)
    dated = [(sentence.encode(), day) for day, sentences in days.items() for sentence in sentences]
    return Summary([unit for unit, _ in dated], [day for _, day in dated])


def write(summary: Summary, _: str) -> bytes:
    """Write one block per day.

    Raises:
        RougeError: If sentences have no dates, or if `read` would not return them unchanged.
    """
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
    except RougeError:  # a sentence of 32 hyphens
        same = False
    if not same:
        raise RougeError("sentences without dates, or with breaks in them, cannot be written as TIMELINE")
    return data


def only(data: bytes, where: str, notify: Notify, kind: str = "", repeated: str = LAST) -> Timeline:
    """Return the only timeline of a file, read as by `several`; raise RougeError if it has several."""
    timelines = several(data, where, notify, kind, repeated)
    if len(timelines) != 1:
        raise RougeError(f"{len(timelines)} timelines; expected one", where=where)
    return timelines[0]


def several(
    data: bytes, where: str, notify: Notify, kind: str = "", repeated: str = LAST
) -> list[Timeline]:
    """Return the timelines of a file; JSON may contain any number.

    Args:
        where: The file, for messages.
        notify: Receives repairs, with their lines.
        kind: One of KINDS, or empty to detect the kind.
        repeated: One of REPEATED.

    Raises:
        RougeError: If text has no date, or JSON is not a timeline. The error has the line.
        UsageError: If `kind` or `repeated` is unknown.
    """
    for what, value, choices in (("input", kind or TEXT, KINDS), ("repeated", repeated, REPEATED)):
        if value not in choices:
            raise UsageError(f"unknown {what} {value!r}", remedy=f"use one of {', '.join(choices)}")

    def report(what: str, place: str) -> None:
        notify(Notice(f"{where}{place}: {what}"))

    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        report(f"not UTF-8: byte 0x{data[error.start]:02x}; such bytes separate words", f":{line}")
        text = data.decode("utf-8", "replace")
    kind = kind or (JSON if text.lstrip()[:1] in ("[", "{") else TEXT)
    dated = (
        [_of_blocks(text, where, report)] if kind == TEXT else _of_json(text, where, lines=kind == JSONL)
    )
    timelines = []
    for days in dated:
        timeline: Timeline = {}
        places: dict[date, str] = {}
        for day, sentences, place in days:
            if day in timeline:
                what = f"{day} is repeated; first at {where}{places[day]}"
                if repeated == REJECT:
                    raise RougeError(what, where=f"{where}{place}", remedy="give each date once")
                report(f"{what}; {'both count' if repeated == MERGE else 'only this one counts'}", place)
            places.setdefault(day, place)
            timeline[day] = [*timeline.get(day, ()), *sentences] if repeated == MERGE else sentences
        timelines.append(dict(sorted(timeline.items())))
    return timelines


def packed(days: Timeline) -> bytes:
    """Write a timeline as JSON, from which it is read without repairs."""
    return json.dumps({str(day): sentences for day, sentences in days.items()}).encode()


def _day_of(text: str) -> date | None:
    """Parse year-month-day, with or without leading zeros; return None if it is not a date."""
    match = re.fullmatch("([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})", text)
    try:
        return date(*map(int, match.groups())) if match else None
    except ValueError:  # 30 February
        return None


def _of_blocks(text: str, where: str, report: Report) -> Dated:
    dates: list[tuple[int, date]] = []  # (line number, date)
    texts: list[tuple[int, str]] = []
    number = 1
    for raw in text.splitlines(keepends=True):
        line = raw.strip()
        if line == SEPARATOR:
            yield from _of_block(dates, texts, where, report)
            dates, texts = [], []
        elif day := _day_of(line):
            dates.append((number, day))
        else:
            texts.append((number, line))
        number += raw.endswith(("\n", "\r"))  # editors do not count other line boundaries
    for day, sentences, place in _of_block(dates, texts, where, report):
        report("no line of 32 hyphens after the last block; the block counts all the same", place)
        yield day, sentences, place


def _of_block(
    dates: list[tuple[int, date]], texts: list[tuple[int, str]], where: str, report: Report
) -> Dated:
    """Yield the day of the lines above a separator, if there are any."""
    text = [line for _, line in texts]
    if dates:
        number, day = dates[-1]
        if len(dates) > 1:
            report(f"{len(dates)} dates in one block; all of its text goes to the last", f":{number}")
        yield day, "\n".join(text).strip().split("\n"), f":{number}"
    elif any(text):
        number, line = next(numbered for numbered in texts if numbered[1])
        remedy = "write the date of a day's sentences alone on a line above them: 2010-05-06"
        raise RougeError(f"text without a date: {line[:60]!r}", where=f"{where}:{number}", remedy=remedy)


def _of_json(text: str, where: str, *, lines: bool) -> Iterator[Dated]:
    """Yield the timelines of a document, or of each line.

    A timeline is an array of pairs `[time, sentences]` or an object, date -> sentences. Only the date of a
    time counts. Sentences may be one string. A document is a timeline, an array of timelines, or a result
    file of news-tls: `{"results": [[scores, scores, timeline], ...]}`.

    Args:
        lines: True for jsonl. If text follows a complete document, the file is read as jsonl, too.

    Raises:
        RougeError: If a timeline is invalid. The error has the line, or the number of the entry.
    """
    if not lines:
        try:
            document = _parse(text, where)
        except RougeError as error:
            if error.what != _MORE_TEXT:
                raise
        else:
            yield from _of_document(document, where)
            return
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield _of_pairs(_parse(line, where, number), where, f":{number}")


def _parse(text: str, where: str, line: int = 0) -> object:
    """Parse JSON, an object as a tuple of pairs; `line` is the line of the text, 0 for a document."""
    try:
        value: object = json.loads(text, object_pairs_hook=tuple)
    except (ValueError, RecursionError) as error:
        place = f"{where}:{line}" if line else where
        remedy = "if these are dated blocks of text: --input text"
        raise not_json(error, place, remedy, is_line=line > 0) from None
    return value


def _of_document(document: object, where: str) -> Iterator[Dated]:
    results = dict(document).get("results") if isinstance(document, tuple) else None
    if isinstance(results, list):
        for number, result in enumerate(results, 1):
            if not isinstance(result, list) or len(result) != 3:
                raise RougeError(f"result {number} is not [scores, scores, timeline]", where=where)
            yield _of_pairs(result[2], where, f": result {number}")
    elif isinstance(document, list) and document and not any(map(_is_pair, document)):
        for number, timeline in enumerate(document, 1):
            yield _of_pairs(timeline, where, f": timeline {number}")
    else:
        yield _of_pairs(document, where, "")


def _is_pair(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and isinstance(value[0], str)


def _of_pairs(value: object, where: str, place: str) -> Dated:
    """Yield the days of a timeline in JSON; messages append `place`, its line or entry, to the file."""
    pairs = list(map(list, value)) if isinstance(value, tuple) else value
    if not isinstance(pairs, list):
        raise RougeError("not a timeline", where=f"{where}{place}", remedy=_REMEDY)
    for number, pair in enumerate(pairs, 1):
        inside = f"{place}: entry {number}"
        if not _is_pair(pair):
            raise RougeError("not a pair of time and sentences", where=where + inside, remedy=_REMEDY)
        time, sentences = pair
        day = _day_of(re.split("[T ]", time.strip(), maxsplit=1)[0])
        if day is None:
            remedy = "write times as in 2010-05-06T00:00:00"
            raise RougeError(f"not a date: {time[:40]!r}", where=where + inside, remedy=remedy)
        yield day, _sentences(sentences, where + inside), inside


def _sentences(value: object, where: str) -> list[str]:
    """Return the sentences of a day; a string is one sentence, an empty list is one empty sentence."""
    sentences = [value] if isinstance(value, str) else value
    if not isinstance(sentences, list) or not all(isinstance(sentence, str) for sentence in sentences):
        raise RougeError("sentences are not a list of strings", where=where, remedy=_REMEDY)
    # Replace half surrogate pairs, which are not text; like other non-ASCII characters they separate words.
    return [sentence.encode("utf-8", "replace").decode() for sentence in sentences] or [""]
