"""The set-ups that `identify` tries, as data: for each dialect its options, usual values first.

A space is the product of its axes. Values that give every text of an input the same tokens form a class
(`classes`): they are scored once, and reported together.
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from rouge_cli import api, reading
from rouge_cli.core import Document
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.text import sentences

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rouge_cli.core import EvalTask

    Options = Mapping[str, Any]

# Sentence boundaries of `--sentences`; names that this version lacks are left out.
SENTENCES = ("newline", "none", "mark:<q>", "split", "punkt")
# The boundaries that are tried only without a limit: texts are never cut before they are split.
UNLIMITED = ("none", "split", "punkt")
# Lengths in shared tasks and papers.
LIMITS = ("none", "75words", "100words", "250words", "665bytes", "75bytes")
FIGURES = "FRP"  # the possible figures of a published number without one
# Ways of printing a score.
ROUNDINGS = ("half even", "half up", "half up of five decimals", "truncated")


class Space(NamedTuple):
    """The set-ups of one dialect.

    counting: axes that change the counts, each a list of options that are tried together. averages:
    ways of averaging over evals. labels: measure -> its labels, if they differ from those of the dialect's
    parser. limits: lengths that the dialect can cut texts to. by_reference: ways of combining several
    references.
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
# The default dialects; the others have no compiled program, and take minutes.
DEFAULT_DIALECTS = ("rouge155", "google")


def parse_measure(label: str) -> str:
    """Return the space's name of the measure that a user writes.

    Raises UsageError with the nearest labels if no dialect has the measure.
    """
    for dialect in SPACES:
        with suppress(UsageError):
            return str(api.options_module(dialect).parse(label).label)
    return str(api.options_module(api.DIALECT).parse(label).label)


def labels(dialect: str, name: str) -> Sequence[str]:
    """Return the dialect's labels for a measure; none if the dialect does not have it."""
    if name in SPACES[dialect].labels:
        return SPACES[dialect].labels[name]
    try:
        return (api.options_module(dialect).parse(name).label,)
    except UsageError:
        return ()


def changes_tokens(division: str) -> bool:
    """Return True if a way of splitting removes something from the text: a mark may contain letters."""
    return division.startswith("mark:")


@cache
def depends_on_sentences(dialect: str, label: str) -> bool:
    """Return whether the score depends on sentence boundaries."""
    return api.set_up(dialect, {"metrics": [label]}, None).averages.needs_sentences


def vary_sentences(tasks: Sequence[EvalTask]) -> tuple[dict[str, list[EvalTask]], dict[str, list[str]]]:
    """Return the tasks with each kind of sentence on lines, and the classes of kinds.

    With the sentences of their format, tasks are unchanged. All texts are in memory. A class is named
    after its first kind, and lists the others.
    Raises RougeError for texts that are invalid in their format.
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
    """Return the classes of limits: those that no text reaches are equivalent to none."""
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
        except RougeError:  # a library is not installed, or the name is of another version
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
