"""Published numbers: from a command line, or from a file with a number for each eval or system."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING

from rouge_cli import metrics, plugins
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.io import decoding, files
from rouge_cli.results.identification import Published
from rouge_cli.results.scores import FIGURES
from rouge_cli.studies.identify import search_space
from rouge_cli.tasks import columns, kinds

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_PRINTED = re.compile(r"[0-9]+(?:\.[0-9]+)?|\.[0-9]+")
MOST_DECIMALS = 10  # numbers with more were stored, not printed
HIGHEST = 100


def read(values: Sequence[str]) -> list[Published]:
    """Read the numbers of each value: `R1=44.16,R2.F=21.28`, or the path of a file.

    Raises UsageError for invalid numbers, RougeError for those of a file.
    """
    numbers: list[Published] = []
    for value in values:
        numbers += _words(value) if "=" in value else _file(value)
    if not numbers:
        raise UsageError("no published number", remedy="write --published R1=44.16,R2=21.28,RL=40.90")
    seen: dict[tuple[str, str, str, str], Published] = {}
    for number in numbers:
        before = seen.setdefault(number[:4], number)
        if before is not number:
            raise RougeError(f"{number.name} is published twice", where=number.where, remedy="give one")
    return numbers


def scale(numbers: Sequence[Published]) -> int:
    """Return 1 if all numbers are at most 1, else 100."""
    return 1 if all(number.value <= 1 for number in numbers) else HIGHEST


def _words(text: str) -> Iterator[Published]:
    for word in text.split(","):
        name, equals, value = word.strip().partition("=")
        if not equals or not name:
            raise UsageError(
                f"--published {word!r}", remedy="write METRIC=NUMBER, as in R1=44.16 or R2.R=0.2128"
            )
        label, figure = metrics.figure(name.strip())
        number = _check(value.strip(), f"--published {name.strip()}")
        yield Published(
            "", "", search_space.parse_measure(label), figure, float(number), _decimals(number), ""
        )


def _file(path: str) -> Iterator[Published]:
    """Yield the numbers of a file with columns metric, one or more of FIGURES, and perhaps eval and system.

    All numbers get the most decimals of any, since JSON and many tables drop trailing zeros.
    """
    kind = kinds.detect(path)
    if not kinds.is_records(kind):
        raise UsageError(
            f"--published {path}: neither METRIC=NUMBER nor a file of numbers",
            remedy="write R1=44.16,R2=21.28, or name a file that ends in .csv, .tsv, .jsonl or .json",
        )
    place = files.place(path)
    printed: list[tuple[Published, str]] = []
    for row in kinds.named(kind).rows(path, decoding.UTF8):
        if isinstance(row.record, RougeError):
            raise row.record
        printed += _row(row.record, f"{place}:{row.line}")
    if not printed:
        raise RougeError(
            "no published number in it", where=place, remedy=f"give columns metric and {_heads()}"
        )
    decimals = max(_decimals(text) for _, text in printed)
    yield from (number._replace(decimals=decimals) for number, _ in printed)


def _row(record: Mapping[str, object], where: str) -> Iterator[tuple[Published, str]]:
    named = [head for head in FIGURES if record.get(head) not in (None, "")]
    label = record.get("metric")
    if not isinstance(label, str) or not label:
        raise RougeError("no metric", where=where, remedy="name it in a column `metric`, as in ROUGE-1")
    if not named:
        others = [name for name in record if name not in {"metric", "eval", "system"}]
        near = plugins.suggestion("".join(others[:1]), list(FIGURES))
        raise RougeError(f"no number for {label}", where=where, remedy=f"give {_heads()}; {near}")
    try:
        name = search_space.parse_measure(label)
    except UsageError as error:
        raise RougeError(error.what, where=where, remedy=error.remedy) from None
    system, eval_id = ("" if record.get(name) is None else str(record[name]) for name in ("system", "eval"))
    for head in named:
        value = record[head]
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise RougeError(f"{head} is {columns.describe(value)}", where=where, remedy="give a number")
        # A number of JSON is written without an exponent.
        text = value.strip() if isinstance(value, str) else f"{Decimal(repr(value)):f}"
        number = _check(text, head, where)
        figure = head[0].upper()
        yield Published(system, eval_id, name, figure, float(number), 0, where), number


def _heads() -> str:
    return f"{', '.join(FIGURES[:-1])} or {FIGURES[-1]}"


def _check(text: str, name: str, where: str = "") -> str:
    """Return the text of a number if it can be a score; raise an error otherwise."""
    if not _PRINTED.fullmatch(text) or float(text) > HIGHEST:
        kind = RougeError if where else UsageError
        raise kind(
            f"{name} is {text!r:.40}",
            where=where,
            remedy="a published score is a number from 0 to 1 or from 0 to 100, as it is printed",
        )
    return text


def _decimals(text: str) -> int:
    return min(len(text.partition(".")[2]), MOST_DECIMALS)
