"""Published numbers, as a user gives them: on the command line, or in a file with a
number for each eval or system.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from rouge_cli import metrics
from rouge_cli.errors import RougeError, UsageError, suggestion
from rouge_cli.io import files
from rouge_cli.results.doubts import Published
from rouge_cli.results.single_evals import FIGURES
from rouge_cli.studies import equivalents
from rouge_cli.tasks import columns, kinds

_PRINTED = re.compile(r"[0-9]+(?:\.[0-9]+)?|\.[0-9]+")
# Lines of ROUGE-1.5.5: averages, and scores of an eval, whose ID ends in the system's.
_AVERAGE = re.compile(r"(.+) (\S+) Average_([RPF]): ([01]\.[0-9]{5}) \([^(]+\)")
_SCORES = re.compile(
    r"(.+) (\S+) Eval (.+)\.\1 R:([01]\.[0-9]{5}) P:([01]\.[0-9]{5}) F:([01]\.[0-9]{5})"
)
_HEADS = f"{', '.join(FIGURES[:-1])} or {FIGURES[-1]}"
MOST_DECIMALS = 10  # numbers with more decimals were stored, not printed
HIGHEST = 100


def read_published(values: Sequence[str]) -> list[Published]:
    """Read the published numbers: values such as `R1=44.16,R2.F=21.28`, or paths of
    files.

    Raises:
        UsageError: If a number of the command line is invalid.
        RougeError: If a number of a file is invalid, or if a number is published twice.
    """
    numbers: list[Published] = []
    for value in values:
        if "=" in value or _PRINTED.fullmatch(value):
            numbers += _words(value)
        else:
            numbers += _file(value)
    if not numbers:
        raise UsageError(
            "no published number", remedy="write --published R1=44.16,R2=21.28,RL=40.90"
        )

    published = set()
    for number in numbers:
        key = (number.system, number.eval_id, number.metric, number.measure)
        if key in published:
            raise RougeError(
                f"{number.name} is published twice",
                where=number.where,
                remedy="give one",
            )
        published.add(key)
    return numbers


def _words(text: str) -> Iterator[Published]:
    """Yield the numbers of the command line."""
    for word in text.split(","):
        name, equals, value = word.strip().partition("=")
        if not equals or not name:
            remedy = "write METRIC=NUMBER, as in R1=44.16 or R2.R=0.2128"
            raise UsageError(f"--published {word!r}", remedy=remedy)
        name = name.strip()
        label, measure = metrics.figure(name)
        number, decimals = _number(value.strip(), f"--published {name}")
        yield Published(
            system="",
            eval_id="",
            metric=equivalents.parse_metric(label),
            measure=measure,
            value=number,
            decimals=decimals,
            where="",
        )


def _file(path: str) -> Iterator[Published]:
    """Yield the numbers of a file: the output of ROUGE-1.5.5, or a table with columns
    metric, one or more of FIGURES, and perhaps eval and system.

    All numbers of a table get the largest number of decimals of any, since JSON and
    many tables omit trailing zeros.
    """
    kind = kinds.detect(path)
    if not kinds.is_records(kind):
        printed = list(_classic(path))
        if not printed:
            remedy = (
                "write R1=44.16,R2=21.28, or name a file that ends in .csv, .tsv,"
                " .jsonl or .json"
            )
            raise UsageError(
                f"--published {path}: neither METRIC=NUMBER nor a file of numbers",
                remedy=remedy,
            )
        yield from printed
        return

    place = files.place(path)
    numbers: list[Published] = []
    for row in kinds.named(kind).rows(path, files.UTF8):
        if isinstance(row.record, RougeError):
            raise row.record
        numbers += _row(row.record, f"{place}:{row.line}")
    if not numbers:
        remedy = f"give columns metric and {_HEADS}"
        raise RougeError("no published number in it", where=place, remedy=remedy)
    decimals = max(number.decimals for number in numbers)
    for number in numbers:
        yield number._replace(decimals=decimals)


def _classic(path: str) -> Iterator[Published]:
    """Yield the numbers that ROUGE-1.5.5 printed: averages, and with -d scores of
    single evals; nothing for any other file.
    """
    place = files.place(path)
    for line, data in files.lines(path, "published numbers"):
        text = data.decode("utf-8", "replace").rstrip()
        where = f"{place}:{line}"
        average = _AVERAGE.fullmatch(text)
        if average:
            system, label, measure, value = average.groups()
            yield _printed(system, "", label, measure, value, where)
            continue
        scores = _SCORES.fullmatch(text)
        if scores:
            system, label, eval_id, recall, precision, f = scores.groups()
            yield _printed(system, eval_id, label, "R", recall, where)
            yield _printed(system, eval_id, label, "P", precision, where)
            yield _printed(system, eval_id, label, "F", f, where)


def _printed(  # noqa: PLR0913, PLR0917 - the fields of a printed line
    system: str, eval_id: str, label: str, measure: str, value: str, where: str
) -> Published:
    """Return a number that ROUGE-1.5.5 printed."""
    metric = _parse_metric(label, where)
    number, decimals = _number(value, f"{label} {measure}", where)
    return Published(
        system=system,
        eval_id=eval_id,
        metric=metric,
        measure=measure,
        value=number,
        decimals=decimals,
        where=where,
    )


def _parse_metric(label: str, where: str) -> str:
    """Return the label as `equivalents.parse_metric` does; raise RougeError if no
    dialect has it, since the error is in a file.
    """
    try:
        return equivalents.parse_metric(label)
    except UsageError as error:
        raise RougeError(error.what, where=where, remedy=error.remedy) from None


def _row(record: Mapping[str, object], where: str) -> Iterator[Published]:
    """Yield the numbers of a row of a table."""
    heads = [head for head in FIGURES if record.get(head) not in (None, "")]
    label = record.get("metric")
    if not isinstance(label, str) or not label:
        raise RougeError(
            "no metric",
            where=where,
            remedy="name it in a column `metric`, as in ROUGE-1",
        )
    if not heads:
        others = [name for name in record if name not in {"metric", "eval", "system"}]
        near = suggestion("".join(others[:1]), list(FIGURES))
        raise RougeError(
            f"no number for {label}", where=where, remedy=f"give {_HEADS}; {near}"
        )
    metric = _parse_metric(label, where)
    system = _text_of(record, "system")
    eval_id = _text_of(record, "eval")
    for head in heads:
        value = record[head]
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise RougeError(
                f"{head} is {columns.describe(value)}",
                where=where,
                remedy="give a number",
            )
        if isinstance(value, str):
            text = value.strip()
        else:
            # A number from JSON is converted without an exponent.
            text = f"{Decimal(repr(value)):f}"
        number, decimals = _number(text, head, where)
        yield Published(
            system=system,
            eval_id=eval_id,
            metric=metric,
            measure=head[0].upper(),
            value=number,
            decimals=decimals,
            where=where,
        )


def _text_of(record: Mapping[str, object], name: str) -> str:
    """Return a field of a row as text; empty if it is missing."""
    value = record.get(name)
    return "" if value is None else str(value)


def _number(text: str, name: str, where: str = "") -> tuple[float, int]:
    """Return a printed number and its decimals; raise an error if it cannot be a
    score.
    """
    if not _PRINTED.fullmatch(text) or float(text) > HIGHEST:
        kind = RougeError if where else UsageError
        remedy = (
            "a published score is a number from 0 to 1 or from 0 to 100, as it is"
            " printed"
        )
        raise kind(f"{name} is {text!r:.40}", where=where, remedy=remedy)
    _, _, decimals = text.partition(".")
    return float(text), min(len(decimals), MOST_DECIMALS)
