"""Timelines in JSON, as stored by news-tls and later papers, and the results of news-tls.

A timeline is an array of pairs `[time, sentences]`, of which only the date of the time counts and
sentences may be one string; or an object, date -> sentences. A document holds one timeline, or an array of
them, or is a result file of news-tls: `{"results": [[scores, scores, timeline], ...]}`.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from rouge_cli.errors import RougeError
from rouge_cli.formats.timeline import day_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import date

    from rouge_cli.formats.timeline import Days, Timeline


class _Object(NamedTuple):
    """An object as a list of pairs: a name may occur twice, which a dict cannot express."""

    pairs: list[tuple[str, Any]]


_MORE_TEXT = "not JSON: Extra data"  # after a whole document, as in jsonl
_REMEDY = 'a timeline is [["2010-05-06", ["a sentence", ...]], ...], on one line each in jsonl'


def timelines(text: str, days: Callable[[], Days], *, lines: bool) -> list[Timeline]:
    """Return the timelines of a document, or of each line.

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
        _timeline(_parse(line, where, number), days(), f":{number}")
        for number, line in enumerate(text.split("\n"), 1)
        if line.strip()
    ]


def _parse(text: str, where: str, line: int = 0) -> object:
    """Parse JSON; line: the number of its line, 0 for a whole document."""
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


def _of_document(document: Any, days: Callable[[], Days]) -> Iterator[Timeline]:  # noqa: ANN401 - any JSON
    results = dict(document.pairs).get("results") if isinstance(document, _Object) else None
    if isinstance(results, list):
        for number, result in enumerate(results, 1):
            gathered = days()
            if not isinstance(result, list) or len(result) != 3:
                raise RougeError(f"result {number} is not [scores, scores, timeline]", where=gathered.where)
            yield _timeline(result[2], gathered, f": result {number}")
    elif isinstance(document, list) and document and not any(map(_is_pair, document)):
        for number, timeline in enumerate(document, 1):
            yield _timeline(timeline, days(), f": timeline {number}")
    else:
        yield _timeline(document, days(), "")


def _is_pair(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and isinstance(value[0], str)


def _timeline(value: object, days: Days, place: str) -> Timeline:
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
    day = day_of(match[1]) if match else None
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
