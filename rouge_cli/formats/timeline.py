"""TIMELINE, days as in timeline17: a line with the date, a line per sentence, and a
line of 32 hyphens.

    2010-05-06
    BP tries to stop the spill .
    --------------------------------

A date is a line of its own, year-month-day. The last of several blocks with the same
date counts. Files are read as by the toolkit of Martschat and Markert (2017), except
for input that the toolkit loses or fails on (QUIRKS 38). Content that begins with `[`
or `{` is JSON, as in news-tls: `[["2010-05-06", ["a sentence", ...]], ...]`, or an
object with dates as names. Each line of jsonl is a timeline. Dialects without dates
read the sentences of all days.
"""

import codecs
import json
import re
from collections.abc import Iterator
from datetime import date
from io import StringIO

from rouge_cli.core import Notice, Notify, Summary
from rouge_cli.errors import RougeError, UsageError, not_json

# Date, sentences, and for messages the file with the line
Dated = Iterator[tuple[date, list[str], str]]
Timeline = dict[date, list[str]]  # date -> sentences, in ascending order

SEPARATOR = "-" * 32
HAS_DATES = True  # `convert` cannot invent them
TEXT, JSON, JSONL = KINDS = ("text", "json", "jsonl")
# Values of `repeated`, for repeated dates.
LAST, MERGE, REJECT = REPEATED = ("last", "merge", "reject")
# The error of json if text follows a document, as in jsonl
_MORE_TEXT = "not JSON: Extra data"
_REMEDY = (
    'a timeline is [["2010-05-06", ["a sentence", ...]], ...], on one line each in'
    " jsonl"
)


def read(data: bytes) -> Summary:
    """Return the sentences of the only timeline by date; a day without text is one
    empty sentence.
    """
    days = only(data, "", lambda _: None)
    units = []
    dates = []
    for day, sentences in days.items():
        for sentence in sentences:
            units.append(sentence.encode())
            dates.append(day)
    return Summary(units, dates)


def write(summary: Summary, _: str) -> bytes:
    """Write one block per day; raise RougeError if `read` would not return the
    summary unchanged.
    """
    by_day: dict[date, list[bytes]] = {}
    if len(summary.dates) == len(summary.units):
        for day, unit in zip(summary.dates, summary.units, strict=True):
            by_day.setdefault(day, []).append(unit)
    data = b""
    for day, units in by_day.items():
        lines = [day.isoformat().encode(), *units, SEPARATOR.encode()]
        data += b"".join(line + b"\n" for line in lines)
    try:
        same = read(data) == Summary(list(summary.units), list(summary.dates))
    except RougeError:  # a sentence of 32 hyphens
        same = False
    if not same:
        raise RougeError(
            "sentences without dates, or with breaks in them, cannot be written as"
            " TIMELINE"
        )
    return data


def only(data: bytes, where: str, notify: Notify, repeated: str = LAST) -> Timeline:
    """Return the only timeline of a file, read as by `several`; raise RougeError if
    it has several.
    """
    timelines = several(data, where, notify, repeated=repeated)
    if len(timelines) != 1:
        raise RougeError(f"{len(timelines)} timelines; expected one", where=where)
    return timelines[0]


def several(
    data: bytes, where: str, notify: Notify, kind: str = "", repeated: str = LAST
) -> list[Timeline]:
    """Return the timelines of a file; JSON may contain any number.

    Args:
        notify: Receives repairs, with their lines.
        kind: One of KINDS, or empty to detect the kind.
        repeated: One of REPEATED.

    Raises:
        RougeError: If text has no date, or JSON is not a timeline. The error has the
            line, or the entry.
        UsageError: If `kind` or `repeated` is unknown.
    """
    for what, value, choices in (
        ("input", kind or TEXT, KINDS),
        ("repeated", repeated, REPEATED),
    ):
        if value not in choices:
            raise UsageError(
                f"unknown {what} {value!r}", remedy=f"use one of {', '.join(choices)}"
            )

    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        what = f"not UTF-8: byte 0x{data[error.start]:02x}; such bytes separate words"
        notify(Notice(f"{where}:{line}: {what}"))
        text = data.decode("utf-8", "replace")
    kind = kind or (JSON if text.lstrip()[:1] in ("[", "{") else TEXT)
    blocks = _of_blocks(text, where, notify)
    timelines = []
    for days in (
        [blocks] if kind == TEXT else _of_json(text, where, lines=kind == JSONL)
    ):
        timeline: Timeline = {}
        places: dict[date, str] = {}
        for day, sentences, place in days:
            if day in timeline:
                what = f"{day} is repeated; first at {places[day]}"
                if repeated == REJECT:
                    raise RougeError(what, where=place, remedy="give each date once")
                counted = "both count" if repeated == MERGE else "only this one counts"
                notify(Notice(f"{place}: {what}; {counted}"))
            places.setdefault(day, place)
            timeline[day] = (
                [*timeline.get(day, ()), *sentences] if repeated == MERGE else sentences
            )
        timelines.append(dict(sorted(timeline.items())))
    return timelines


def packed(days: Timeline) -> bytes:
    """Write a timeline as JSON, from which it is read without repairs."""
    return json.dumps({str(day): sentences for day, sentences in days.items()}).encode()


def _day_of(text: str) -> date | None:
    """Parse year-month-day, with or without leading zeros; return None if it is not
    a date.
    """
    match = re.fullmatch("([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})", text)
    try:
        return date(*map(int, match.groups())) if match else None
    except ValueError:  # 30 February
        return None


def _of_blocks(text: str, where: str, notify: Notify) -> Dated:
    # Lines: number, text, and date if it is one
    blocks: list[list[tuple[int, str, date | None]]] = [[]]
    # Lines end as in a text file of Python's, which tilse reads: not at U+2028, say.
    for number, raw in enumerate(StringIO(text, newline=None), 1):
        line = raw.strip()
        if line == SEPARATOR:
            blocks.append([])
        else:
            blocks[-1].append((number, line, _day_of(line)))
    for block in blocks:
        dates = [(f"{where}:{number}", day) for number, _, day in block if day]
        texts = [(number, line) for number, line, day in block if not day]
        if dates:
            place, day = dates[-1]
            if len(dates) > 1:
                what = (
                    f"{len(dates)} dates in one block; all of its text goes to the last"
                )
                notify(Notice(f"{place}: {what}"))
            if block is blocks[-1]:
                what = (
                    "no line of 32 hyphens after the last block; the block counts all"
                    " the same"
                )
                notify(Notice(f"{place}: {what}"))
            yield day, "\n".join(line for _, line in texts).strip().split("\n"), place
        elif any(line for _, line in texts):
            number, line = next(numbered for numbered in texts if numbered[1])
            what = f"text without a date: {line[:60]!r}"
            remedy = (
                "write the date of a day's sentences alone on a line above them:"
                " 2010-05-06"
            )
            raise RougeError(what, where=f"{where}:{number}", remedy=remedy)


def _of_json(text: str, where: str, *, lines: bool) -> Iterator[Dated]:
    """Yield the timelines of a document, or of each line.

    A timeline is an array of pairs `[time, sentences]` or an object, date -> sentences.
    Only the date of a time counts. Sentences may be one string. A document is a
    timeline, an array of timelines, or a result file of news-tls: `{"results":
    [[scores, scores, timeline], ...]}`. Without `lines`, too, the file is read as jsonl
    if text follows a complete document.
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
            place = f"{where}:{number}"
            yield _of_pairs(_parse(line, place, is_line=True), place)


def _parse(text: str, where: str, *, is_line: bool = False) -> object:
    """Parse JSON, an object as a tuple of pairs."""
    try:
        value: object = json.loads(text, object_pairs_hook=tuple)
    except (ValueError, RecursionError) as error:
        remedy = "if these are dated blocks of text: --input text"
        raise not_json(error, where, remedy, is_line=is_line) from None
    return value


def _of_document(document: object, where: str) -> Iterator[Dated]:
    results = dict(document).get("results") if isinstance(document, tuple) else None
    if isinstance(results, list):
        for number, result in enumerate(results, 1):
            if not isinstance(result, list) or len(result) != 3:
                raise RougeError(
                    f"result {number} is not [scores, scores, timeline]", where=where
                )
            yield _of_pairs(result[2], f"{where}: result {number}")
    elif isinstance(document, list) and document and not any(map(_is_pair, document)):
        for number, timeline in enumerate(document, 1):
            yield _of_pairs(timeline, f"{where}: timeline {number}")
    else:
        yield _of_pairs(document, where)


def _is_pair(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and isinstance(value[0], str)


def _of_pairs(value: object, where: str) -> Dated:
    """Yield the days of a timeline in JSON."""
    pairs = list(map(list, value)) if isinstance(value, tuple) else value
    if not isinstance(pairs, list):
        raise RougeError("not a timeline", where=where, remedy=_REMEDY)
    for number, pair in enumerate(pairs, 1):
        place = f"{where}: entry {number}"
        if not _is_pair(pair):
            raise RougeError(
                "not a pair of time and sentences", where=place, remedy=_REMEDY
            )
        time, value = pair
        day = _day_of(re.split("[T ]", time.strip(), maxsplit=1)[0])
        if day is None:
            remedy = "write times as in 2010-05-06T00:00:00"
            raise RougeError(f"not a date: {time[:40]!r}", where=place, remedy=remedy)
        sentences = [value] if isinstance(value, str) else value
        if not isinstance(sentences, list) or not all(
            isinstance(sentence, str) for sentence in sentences
        ):
            raise RougeError(
                "sentences are not a list of strings", where=place, remedy=_REMEDY
            )
        # Half surrogate pairs are not text; like other non-ASCII characters they
        # separate words.
        texts = [sentence.encode("utf-8", "replace").decode() for sentence in sentences]
        yield day, texts or [""], place
