"""What `identify` searches: the published numbers, and the set-ups that it tries.

The numbers come from a command line, or from a file with a number for each eval or system. For each dialect
there are lists of options, usual values first; a space is the product of these lists. Values that give
every text of an input the same tokens form a class, which is scored once and reported together.
"""

from __future__ import annotations

import re
from contextlib import suppress
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from rouge_cli import api, dialects, metrics, plugins
from rouge_cli.core import Document
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.io import decoding, files
from rouge_cli.results.identification import Published
from rouge_cli.results.scores import FIGURES
from rouge_cli.tasks import columns, kinds
from rouge_cli.text import reading, sentences

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from rouge_cli.core import EvalTask

    Options = Mapping[str, Any]

# Values of `--sentences`.
SENTENCES = ("newline", "none", "mark:<q>", "split", "punkt")
# Tried only without a length limit: nobody cuts texts before splitting them into sentences.
UNLIMITED = ("none", "split", "punkt")
# Length limits of shared tasks and papers.
LIMITS = ("none", "75words", "100words", "250words", "665bytes", "75bytes")
MEASURE_LETTERS = "FRP"  # tried for a published number that is not marked as R, P or F
# Ways of rounding a printed score.
ROUNDINGS = ("half even", "half up", "half up of five decimals", "truncated")


class Space(NamedTuple):
    """The set-ups of one dialect: every combination of one element of each list.

    counting: lists of options that change the counts. averages: options for averaging over evals. limits:
    length limits, if the dialect has any. by_reference: options for combining several references.
    """

    counting: Sequence[Sequence[Options]]
    averages: Sequence[Options]
    limits: Sequence[str] = ()
    by_reference: Sequence[Options] = ({},)


SPACES: Mapping[str, Space] = {
    "rouge155": Space(
        counting=(
            ({"stemmer": "rouge"}, {"stemmer": "rouge", "irregular": "none"}, {"stemmer": "none"}),
            ({}, {"stop": "rouge"}),
        ),
        averages=(
            {"samples": 0},
            {"samples": 1000},
            {"average": "micro", "samples": 0},
            {"average": "micro", "samples": 1000},
        ),
        limits=LIMITS,
        by_reference=({}, {"formula": "best"}),
    ),
    "google": Space(
        counting=(({"stemmer": "nltk"}, {}),),
        averages=({},),
    ),
    "rouge2": Space(
        counting=(({}, {"stemmer": "snowball:english"}), ({}, {"stop": "glasgow"})),
        averages=({},),
    ),
    "torchmetrics": Space(
        counting=(({"stemmer": "nltk"}, {}),),
        averages=({},),
        by_reference=({}, {"accumulate": "avg"}),
    ),
}
# The other dialects have no compiled program, and take minutes.
DEFAULT_DIALECTS = ("rouge155", "google")


def parse_measure(label: str) -> str:
    """Return the label of the measure that a user named, as the first dialect that has it writes it.

    Raises UsageError with similar labels if no dialect has the measure.
    """
    for dialect in SPACES:
        with suppress(UsageError):
            return str(dialects.named(dialect).parse(label).label)
    return str(dialects.named(api.DIALECT).parse(label).label)


def changes_tokens(boundary: str) -> bool:
    """Return True if splitting removes text: a mark of sentence ends may contain letters."""
    return boundary.startswith("mark:")


def vary_sentences(tasks: Sequence[EvalTask]) -> tuple[dict[str, list[EvalTask]], dict[str, list[str]]]:
    """Split the texts at each kind of sentence boundary; return the tasks by boundary, and the classes.

    Only the first boundary of a class has tasks; the classes list the others under its name. Tasks with the
    boundaries of their format are returned unchanged, others with one sentence a line. All texts must be in
    memory. Raises RougeError for texts that are invalid in their format.
    """
    units = {
        id(source): reading.units(source, task.input_format) for task in tasks for source in _sources(task)
    }
    variants: dict[str, list[EvalTask]] = {}
    classes: dict[str, list[str]] = {}
    texts_of: dict[str, list[bytes]] = {}
    for name in _supported_boundaries():
        split = sentences.named(name)
        texts = {
            key: b"\n".join(
                unit.replace(b"\n", b" ") for unit in (split(b"\n".join(lines)) if split else lines)
            )
            for key, lines in units.items()
        }
        first = next((other for other, others in texts_of.items() if others == list(texts.values())), None)
        if first is not None:
            classes[first].append(name)
            continue
        texts_of[name] = list(texts.values())
        classes[name] = []
        variants[name] = [_replace_texts(task, texts) if split else task for task in tasks]
    return variants, classes


def limits(names: Sequence[str], tasks: Sequence[EvalTask]) -> dict[str, list[str]]:
    """Return, for each limit that cuts a text and for `none`, the other limits with the same effect."""
    texts = [source.data for task in tasks for source in _sources(task) if isinstance(source, Document)]
    longest = {
        "words": max((len(text.split()) + text.count(b"\n") + 1 for text in texts), default=0),
        "bytes": max(map(len, texts), default=0),
    }
    classes: dict[str, list[str]] = {"none": []}
    for name in names:
        number, unit = re.fullmatch(r"(\d*)(\w+)", name).groups()  # type: ignore[union-attr]
        if name != "none" and int(number) > longest[unit]:
            classes["none"].append(name)
        elif name != "none":
            classes[name] = []
    return classes


def _supported_boundaries() -> Iterable[str]:
    """Yield the sentence boundaries that this installation supports."""
    for name in SENTENCES:
        try:
            split = sentences.named(name)
            if split:
                split(b"A sentence.")
        except RougeError:  # a library is not installed
            continue
        yield name


def _sources(task: EvalTask) -> Iterable[str | Document]:
    yield from (source for source in task.peers.values() if source)
    yield from (source for _, source in task.models)


def _replace_texts(task: EvalTask, texts: Mapping[int, bytes]) -> EvalTask:
    def text(source: str | Document | None) -> Document | None:
        return source._replace(data=texts[id(source)]) if isinstance(source, Document) else None

    return task._replace(
        peers={peer_id: text(source) for peer_id, source in task.peers.items()},
        models=[(model_id, text(source) or "") for model_id, source in task.models],
        input_format="spl",
    )


_PRINTED = re.compile(r"[0-9]+(?:\.[0-9]+)?|\.[0-9]+")
MOST_DECIMALS = 10  # numbers with more were stored, not printed
HIGHEST = 100


def read_published(values: Sequence[str]) -> list[Published]:
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


def scale_of(numbers: Sequence[Published]) -> int:
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
        yield Published("", "", parse_measure(label), figure, float(number), _decimals(number), "")


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
        name = parse_measure(label)
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
