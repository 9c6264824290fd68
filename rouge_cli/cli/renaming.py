"""Renaming of systems by `--rename OLD=NEW`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rouge_cli import plugins
from rouge_cli.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from rouge_cli.core import EvalTask


def new_names(words: Sequence[str]) -> dict[str, str]:
    """Return the new names by the old ones, from words OLD=NEW; raise UsageError for other words."""
    pairs = [word.partition("=")[::2] for word in words]
    for word, (old, new) in zip(words, pairs, strict=True):
        if not (old and new) or [name for name, _ in pairs].count(old) > 1:
            raise UsageError(f"--rename {word}", remedy="write --rename OLD=NEW, once for each system")
    return dict(pairs)


def check(new_names: Mapping[str, str], systems: Collection[str]) -> None:
    """Raise UsageError for a name that no system has, and for a new name that two would have."""
    for old in new_names:
        if old not in systems:
            raise UsageError(
                f"--rename: no system {old!r} in the input", remedy=plugins.suggestion(old, list(systems))
            )
    taken: set[str] = set()
    for system in (new_names.get(system, system) for system in systems):
        if system in taken:
            raise UsageError(
                f"--rename: two systems would be called {system!r}", remedy="choose another name"
            )
        taken.add(system)


def renamed(tasks: Iterable[EvalTask], new_names: Mapping[str, str]) -> Iterator[EvalTask]:
    """Yield the tasks with other names for their systems."""
    systems: dict[str, None] = {}
    for task in tasks:
        if not task.peers.keys() <= systems.keys():
            systems.update(dict.fromkeys(task.peers))
            check({old: new for old, new in new_names.items() if old in systems}, systems)
        yield task._replace(
            peers={new_names.get(peer_id, peer_id): text for peer_id, text in task.peers.items()}
        )
    check(new_names, systems)
