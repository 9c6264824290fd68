"""The set-ups that `identify` tries: for each dialect lists of options, usual values first.

A space is the product of these lists. Values that give every text of an input the same tokens form a class,
which is scored once and reported together.
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from rouge_cli import api
from rouge_cli.core import Document
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.text import reading, sentences

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rouge_cli.core import EvalTask

    Options = Mapping[str, Any]

# Values of `--sentences`.
SENTENCES = ("newline", "none", "mark:<q>", "split", "punkt")
# Tried only without a length limit: nobody cuts texts before splitting them into sentences.
UNLIMITED = ("none", "split", "punkt")
# Length limits of shared tasks and papers.
LIMITS = ("none", "75words", "100words", "250words", "665bytes", "75bytes")
FIGURES = "FRP"  # tried for a published number that is not marked as R, P or F
# Ways of rounding a printed score.
ROUNDINGS = ("half even", "half up", "half up of five decimals", "truncated")


class Space(NamedTuple):
    """The set-ups of one dialect: every combination of one element of each list.

    counting: lists of options that change the counts. averages: options for averaging over evals. labels:
    measure -> labels, if not those that the dialect parses from its name. limits: length limits, if the
    dialect has any. by_reference: options for combining several references.
    """

    counting: Sequence[Sequence[Options]]
    averages: Sequence[Options]
    labels: Mapping[str, Sequence[str]] = {}
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
        labels={"rougeLsum": ("ROUGE-L",)},
        limits=LIMITS,
        by_reference=({}, {"formula": "best"}),
    ),
    "google": Space(
        counting=(({"stemmer": "nltk"}, {}),),
        averages=({},),
        labels={"ROUGE-L": ("rougeLsum", "rougeL")},
    ),
    "rouge2": Space(
        counting=(({}, {"stemmer": "snowball:english"}), ({}, {"stop": "glasgow"})),
        averages=({},),
    ),
    "torchmetrics": Space(
        counting=(({"stemmer": "nltk"}, {}),),
        averages=({},),
        labels={"ROUGE-L": ("rougeLsum", "rougeL")},
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
            return str(api.options_module(dialect).parse(label).label)
    return str(api.options_module(api.DIALECT).parse(label).label)


def labels(dialect: str, name: str) -> Sequence[str]:
    """Return the dialect's labels for a measure, empty if it has none."""
    if name in SPACES[dialect].labels:
        return SPACES[dialect].labels[name]
    try:
        return (api.options_module(dialect).parse(name).label,)
    except UsageError:
        return ()


def changes_tokens(boundary: str) -> bool:
    """Return True if splitting removes text: a mark of sentence ends may contain letters."""
    return boundary.startswith("mark:")


@cache
def depends_on_sentences(dialect: str, label: str) -> bool:
    """Return True if the score depends on sentence boundaries."""
    return api.set_up(dialect, {"metrics": [label]}, None).averages.needs_sentences


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
