r"""What the names of files state: the key of their eval, and the system.

Without a pattern of the user, `find_key` finds the keys of references in their names.
For folders whose names do not pair, `propose` makes patterns from the names:

    000000_decoded.txt       --pred-pattern '(\d+)_decoded.txt'
    000000_reference.txt     --ref-pattern '#ID#_reference.txt'

The names of a side are cut into columns. Neighbouring columns of predictions are the
eval's ID if the same texts stand in neighbouring columns of the references. Among
several such columns, those with the most IDs count, then the fewest columns, then the
first. If several predictions of a folder have the same ID, the columns that tell them
apart are the system.
"""

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from itertools import pairwise, product
from typing import NamedTuple

from rouge_cli.errors import RougeError, UsageError
from rouge_cli.io import files

SEPARATORS = "._-"
REMEDY = (
    r"use matching names, or give --pred-pattern 'sum.(\d+).txt' and --ref-pattern"
    r" 'ref.[A-Z].#ID#.txt'"
)
_ID = "#ID#"
_SYSTEM = "system"
SYSTEM_REMEDY = (
    r"if names have systems, capture them, as in --pred-pattern"
    r" '(?P<id>\d+).(?P<system>\w+)'"
)


# The name of a reference's file, and the keys of evals -> its key, if it has one.
FindKey = Callable[[str, Collection[str]], "str | None"]


class PredictionName(NamedTuple):
    """What a prediction's file name states."""

    key: str
    system: str  # empty if the pattern has no group for it


def prediction_name_reader(
    pattern: str | None,
) -> Callable[[str], PredictionName | None]:
    """Return a function from a prediction's file name to its key and system, or to None
    if it does not match.
    """
    if pattern is None:
        return lambda name: PredictionName(files.stem(name), "")
    compiled = _compile(pattern, "--pred-pattern", pattern)
    system = compiled.groupindex.get(_SYSTEM)
    keys = [group for group in range(1, compiled.groups + 1) if group != system]
    if len(keys) != 1:
        remedy = (
            "put the eval's ID into round brackets, and nothing else, as in"
            rf" sum.(\d+).txt; or the system, too: (?P<id>\d+).(?P<{_SYSTEM}>\w+)"
        )
        beside = f" beside {_SYSTEM}" if system else ""
        raise UsageError(
            f"--pred-pattern {pattern}: {len(keys)} groups{beside}; expected one",
            remedy=remedy,
        )

    def read_name(name: str) -> PredictionName | None:
        match = compiled.fullmatch(name)
        if match is None or not match[keys[0]]:
            return None
        if system is None:
            return PredictionName(match[keys[0]], "")
        return PredictionName(match[keys[0]], match[system] or "")

    return read_name


def _longest_key(texts: Iterable[str], keys: Collection[str]) -> str:
    """Return the longest text that is a key; empty if none is."""
    return max((text for text in texts if text in keys), key=len, default="")


def find_key(name: str, keys: Collection[str]) -> str | None:
    """Return the key of a reference's file name: its stem, or the longest key at either
    end of the stem.

    Else it is the key that remains of the stem without one part. The name may lack a
    suffix. Return None if it has no key; raise RougeError if two keys fit equally well.
    """
    for stem in (files.stem(name), files.uncompressed(name)):
        key = stem if stem in keys else _key_in(stem, keys)
        if key:
            return key
    return None


def _key_in(stem: str, keys: Collection[str]) -> str:
    """Return the key at an end of a stem, or around a part of it; empty if there is
    none. Raise RougeError if two keys fit equally well.
    """
    ends = [index for index, letter in enumerate(stem) if letter in SEPARATORS]
    before = _longest_key((stem[:end] for end in ends), keys)
    after = _longest_key((stem[end + 1 :] for end in ends), keys)
    if before and after and before != after:
        are_numbers = before.isdigit() and after.isdigit()
        if are_numbers or len(before) == len(after):
            what = f"could be a reference of {before} or of {after}"
            raise RougeError(what, remedy=REMEDY)
    if before or after:
        return max(before, after, key=len)
    around = set()
    for start, end in pairwise(ends):
        without_part = stem[:start] + stem[end:]
        if without_part in keys:
            around.add(without_part)
    if len(around) > 1:
        what = f"could be a reference of {' or of '.join(sorted(around))}"
        raise RougeError(what, remedy=REMEDY)
    return around.pop() if around else ""


def remainder(stem: str, key: str) -> str:
    """Return a reference's stem without the key and the separators around the key."""
    if stem.startswith(key):
        return stem[len(key) :].strip(SEPARATORS)
    if key not in stem:
        start = len(os.path.commonprefix([stem, key]))  # noqa: RUF071 - letters, not folders
        end = len(stem) - len(key) + start
        return stem[start:end].strip(SEPARATORS)
    before, _, after = stem.rpartition(key)
    parts = before.strip(SEPARATORS), after.strip(SEPARATORS)
    return ".".join(filter(None, parts))


def key_finder(pattern: str) -> FindKey:
    """Return a function like `find_key` for a pattern with #ID#; it returns the
    longest matching key.
    """
    if _ID not in pattern:
        remedy = f"write {_ID} in place of the eval's ID"
        raise UsageError(f"--ref-pattern {pattern}: no {_ID}", remedy=remedy)
    _compile(pattern.replace(_ID, "1"), "--ref-pattern", pattern)
    compiled = cache(lambda key: re.compile(pattern.replace(_ID, re.escape(key))))
    # the pattern with a group for all keys, if the group captures nothing else
    capture = None
    if pattern.count(_ID) == 1 and not re.search(r"\\[0-9]|\(\?\(|#ID#[*+?{]", pattern):
        with suppress(re.error):
            capture = re.compile(pattern.replace(_ID, "(?P<rouge_id>.+)"))
    lengths: list[int] = []

    def find(name: str, keys: Collection[str]) -> str | None:
        if not lengths:
            lengths.extend(sorted(set(map(len, keys)), reverse=True))
        match = capture.fullmatch(name) if capture else None
        captured = match["rouge_id"] if match else None
        for length in lengths:
            starts = range(len(name) - length + 1)
            parts = {name[start : start + length] for start in starts}
            for key in sorted(part for part in parts if part in keys):
                if key == captured or compiled(key).fullmatch(name):
                    return key
        return None

    return find


def _compile(expression: str, option: str, pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(expression)
    except re.error as error:
        raise UsageError(
            f"{option} {pattern}: not a regular expression ({error})"
        ) from None


# Proposals.

# How names are cut: at the usual separators, or between letters, digits and the rest.
_CUTS = (re.compile(r"[^._-]+|[._-]"), re.compile(r"\d+|[^\W\d_]+|[\W_]"))
_SPECIAL = re.compile(r"([\\^$*+?{}\[\]|()])")  # a dot stays, as in the documentation
# Names that are looked at; the caller tries the patterns on all.
_MOST_PREDICTIONS = 200
_MOST_REFERENCES = 2000

Row = Sequence[str]  # the columns of a name


class Span(NamedTuple):
    """Neighbouring columns of names."""

    start: int  # the first column
    end: int  # the column behind the last


class Patterns(NamedTuple):
    """Values of --pred-pattern and --ref-pattern."""

    prediction: str
    reference: str


class _Match(NamedTuple):
    """Columns of predictions and of references that have the same IDs."""

    ids: int  # the number of different ones
    prediction: Span
    reference: Span
    is_padded: bool  # with zeros, in other numbers on the two sides


def propose(
    predictions: Iterable[tuple[str, str]], references: Iterable[str]
) -> Iterator[Patterns]:
    """Yield patterns that probably pair the names, the best ones first.

    Args:
        predictions: The folder and the name of each prediction's file.
        references: The name of each reference's file.
    """
    files = list(dict.fromkeys(predictions))[:_MOST_PREDICTIONS]
    names = list(dict.fromkeys(references))[:_MOST_REFERENCES]
    if not files or not names:
        return
    folders = [folder for folder, _ in files]
    prediction_names = [name for _, name in files]
    tables = [_table(prediction_names, cut) for cut in _CUTS]
    reference_tables = [_table(names, cut) for cut in _CUTS]
    proposed: set[Patterns] = set()
    for rows, reference_rows in product(tables, reference_tables):
        for match in _matches(rows, reference_rows):
            patterns = Patterns(
                _prediction_pattern(folders, rows, match),
                _reference_pattern(reference_rows, match),
            )
            if patterns.prediction and patterns not in proposed:
                proposed.add(patterns)
                yield patterns


def _table(names: Sequence[str], cut: re.Pattern[str]) -> list[Row]:
    """Cut names into the same number of columns.

    If the numbers differ, everything between the columns that all names begin with and
    those that all end with is a single column.
    """
    rows: list[Row] = [cut.findall(name) for name in names]
    widths = {len(row) for row in rows}
    if len(widths) == 1:
        return rows
    start = _common_columns(rows, min(widths))
    backwards = [row[::-1] for row in rows]
    end = _common_columns(backwards, min(widths) - start)
    table: list[Row] = []
    for row in rows:
        behind = len(row) - end
        middle = "".join(row[start:behind])
        table.append([*row[:start], middle, *row[behind:]])
    return table


def _common_columns(rows: Sequence[Row], most: int) -> int:
    """Return how many columns at the start are equal in all rows."""
    for column in range(most):
        if len({row[column] for row in rows}) > 1:
            return column
    return most


def _matches(rows: Sequence[Row], reference_rows: Sequence[Row]) -> list[_Match]:
    """Return the columns with the same IDs, the best ones first."""
    of_references = []
    for span in _spans(reference_rows):
        of_references.append((span, set(_texts(reference_rows, span))))
    matches = []
    for span in _spans(rows):
        ids = _texts(rows, span)
        for reference_span, reference_ids in of_references:
            is_padded = not reference_ids.issuperset(ids)
            if is_padded and not _are_numbers_of(ids, reference_ids):
                continue
            number = len(set(ids))
            if number == 1 and len(rows) > 1:
                continue  # a word that is in all names
            matches.append(_Match(number, span, reference_span, is_padded))
    matches.sort(key=_rank)
    return matches


def _rank(match: _Match) -> tuple[bool, int, int, int]:
    """Return a key that sorts better matches first."""
    start, end = match.prediction
    # In a single name nothing tells the ID from other words: it is all that is shared.
    width = end - start if match.ids > 1 else start - end
    return match.is_padded, -match.ids, width, start


def _are_numbers_of(ids: Iterable[str], reference_ids: Iterable[str]) -> bool:
    """Return True if all are numbers, and the IDs occur without leading zeros."""
    reference_numbers = set()
    for text in reference_ids:
        if text.isdecimal():
            reference_numbers.add(text.lstrip("0"))
    return all(
        text.isdecimal() and text.lstrip("0") in reference_numbers for text in ids
    )


def _spans(rows: Sequence[Row]) -> list[Span]:
    """Return the columns that may be an ID: they begin and end with a letter or digit,
    and leave out the suffix of a file type.
    """
    first = rows[0]
    width = len(first)
    if width > 2 and first[-2] == "." and first[-1].isalpha():
        width -= 2
    words = []
    for column in range(width):
        if any(map(str.isalnum, first[column])):
            words.append(column)
    spans = []
    for start in words:
        for last in words:
            if start <= last:
                spans.append(Span(start, last + 1))
    return spans


def _texts(rows: Iterable[Row], span: Span) -> list[str]:
    start, end = span
    return ["".join(row[start:end]) for row in rows]


def _prediction_pattern(
    folders: Sequence[str], rows: Sequence[Row], match: _Match
) -> str:
    """Return the pattern; empty if the names of an ID differ on both sides of it."""
    systems = _system_columns(folders, rows, match.prediction)
    groups = {match.prediction: "("}
    if systems:
        system = Span(min(systems), max(systems) + 1)
        if system.start < match.prediction.end and match.prediction.start < system.end:
            return ""
        groups = {match.prediction: "(?P<id>", system: "(?P<system>"}
    pattern = ""
    for column in range(len(rows[0])):
        for span, opening in groups.items():
            if span.start == column:
                if match.is_padded and span == match.prediction:
                    pattern += "0*"
                pattern += opening
        is_id = match.prediction.start <= column < match.prediction.end
        pattern += _column_pattern(rows, column, is_id=is_id)
        for span in groups:
            if span.end == column + 1:
                pattern += ")"
    return pattern


def _system_columns(
    folders: Sequence[str], rows: Sequence[Row], ids: Span
) -> list[int]:
    """Return the columns that tell predictions of the same ID in a folder apart."""
    of_id: dict[tuple[str, str], list[Row]] = {}
    for folder, row, eval_id in zip(folders, rows, _texts(rows, ids), strict=True):
        of_id.setdefault((folder, eval_id), []).append(row)
    columns = []
    for column in range(len(rows[0])):
        if any(differ(group, column) for group in of_id.values()):
            columns.append(column)
    return columns


def differ(rows: Iterable[Row], column: int) -> bool:
    """Return True if the names have different texts in a column."""
    return len({row[column] for row in rows}) > 1


def _reference_pattern(rows: Sequence[Row], match: _Match) -> str:
    start, end = match.reference
    before = [_column_pattern(rows, column) for column in range(start)]
    after = [_column_pattern(rows, column) for column in range(end, len(rows[0]))]
    eval_id = "0*#ID#" if match.is_padded else "#ID#"
    return "".join([*before, eval_id, *after])


def _column_pattern(rows: Sequence[Row], column: int, *, is_id: bool = False) -> str:
    """Return a pattern for the texts of a column.

    A text that all names have stands for itself; an ID that is alone does not.
    """
    texts = {row[column] for row in rows}
    if len(texts) == 1 and (len(rows) > 1 or not is_id or texts.issubset(SEPARATORS)):
        return _SPECIAL.sub(r"\\\1", texts.pop())
    if all(re.fullmatch(r"[0-9]+", text) for text in texts):
        return r"\d+"
    if all(re.fullmatch(r"[A-Z]", text) for text in texts):
        return "[A-Z]"
    letters = {re.sub(r"[0-9]+\Z", "", text) for text in texts}
    if len(letters) == 1 and letters.isdisjoint(texts):
        return _SPECIAL.sub(r"\\\1", letters.pop()) + r"\d+"
    if all(re.fullmatch(r"\w+", text) for text in texts):
        return r"\w+"
    return ".*" if "" in texts else ".+"
