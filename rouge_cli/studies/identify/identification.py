"""The search itself: every set-up is scored, and compared with the published numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rouge_cli import plugins
from rouge_cli.core import ignore_notice
from rouge_cli.errors import RougeError, UsageError
from rouge_cli.studies.identify import published as published_numbers
from rouge_cli.studies.identify import search_space
from rouge_cli.studies.identify.nearness import Ranking, Setup
from rouge_cli.studies.identify.search import Search
from rouge_cli.studies.identify.search_space import FIGURES
from rouge_cli.text.reading import load, load_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from rouge_cli.core import Document, EvalTask, Notify
    from rouge_cli.results.identification import Identification, Published
    from rouge_cli.studies.identify.search import Count, Numbers

    Watch = Callable[[Iterable[Count]], Iterable[Count]]

NEAREST = 5  # set-ups shown in addition to those that fit
_FIGURES = "RPF"  # in the order of results


def identify(  # noqa: PLR0913 - each is a parameter of the search
    tasks: Sequence[EvalTask],
    published: Sequence[Published],
    dialects: Sequence[str] = search_space.DEFAULT_DIALECTS,
    *,
    systems: Sequence[str] | None = None,
    reading: Mapping[str, str] = {},
    notify: Notify,
    watch: Watch = iter,
    most: int | None = NEAREST,
) -> Identification:
    """Return the set-ups that give the published numbers, and the nearest others.

    systems: those that the numbers may belong to; None for all. reading: how texts were read, for
    signatures. most: the number of nearest set-ups to return; None for all.
    Raises RougeError for numbers that do not belong to the tasks, UsageError for metrics that none of the
    dialects has.
    """
    published = _with_systems(tasks, published, systems)
    tasks = list(_load_systems(tasks, {number.system for number in published}))
    scale = published_numbers.scale(published)
    search = Search(tasks, published)
    setups: list[Setup] = []
    vectors: list[Numbers] = []
    figures = list(FIGURES) if any(not number.figure for number in published) else [""]
    for count in watch(list(search.counts(dialects, notify))):
        for oddity, options, numbers in search.numbers(count, notify if not setups else ignore_notice):
            for place, figure in enumerate(figures):
                setups.append(Setup(count.dialect, options, figure, oddity + place, count.also))
                vectors.append(_select_figure(numbers, published, figure) * scale)
    ranking = Ranking(published, setups, vectors, scale, reading)
    return ranking.identification(most, one_line=search.one_line)


def _select_figure(numbers: Numbers, published: Sequence[Published], figure: str) -> NDArray[Any]:
    """Return one figure of each number: its own, or the one assumed."""
    letters = [_FIGURES.index(number.figure or figure) for number in published]
    chosen: NDArray[Any] = numbers[np.arange(len(published)), letters]
    return chosen


def _with_systems(
    tasks: Sequence[EvalTask], published: Sequence[Published], systems: Sequence[str] | None
) -> list[Published]:
    """Return the numbers with their systems; raise UsageError if their system is ambiguous."""
    systems = systems or list(dict.fromkeys(peer_id for task in tasks for peer_id in task.peers))
    if not systems:
        raise RougeError("nothing to score: the input has no eval")
    for number in published:
        if not number.system and len(systems) > 1:
            shown = ", ".join(systems[:5]) + (", ..." if len(systems) > 5 else "")
            raise UsageError(
                f"{len(systems)} systems in the input ({shown})",
                remedy="name the published one with --system",
            )
        if number.system and number.system not in systems:
            raise RougeError(
                f"no system {number.system!r} in the input",
                where=number.where,
                remedy=plugins.suggestion(number.system, list(systems)),
            )
    return [number._replace(system=number.system or systems[0]) for number in published]


def _load_systems(tasks: Iterable[EvalTask], systems: set[str]) -> Iterator[EvalTask]:
    """Yield the tasks with these systems only and their texts in memory, each file read once."""
    read: dict[str, Document] = {}

    def load_once(path: str, role: str) -> Document:
        if path not in read:
            read[path] = load(path, role)
        return read[path]

    for task in tasks:
        named = [name for name in task.peers if name in systems]
        in_memory = load_texts(task, [name for name in named if task.peers[name]], load_once)
        yield in_memory._replace(peers={name: in_memory.peers.get(name) for name in named})
