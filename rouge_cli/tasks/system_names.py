"""The systems of an input or a report: their names, checks of names, and `--rename
OLD=NEW`.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from rouge_cli.core import EvalTask
from rouge_cli.errors import UsageError, suggestion


def of_tasks(tasks: Iterable[EvalTask]) -> list[str]:
    """Return the systems of the tasks, sorted."""
    systems: set[str] = set()
    for task in tasks:
        systems.update(task.predictions)
    return sorted(systems)


def of_report(report: Any) -> list[str]:  # noqa: ANN401 - with `results`, of this run or saved
    """Return the systems of a report, in its order."""
    return list(dict.fromkeys(result.system for result in report.results))


def humans(report: Any) -> list[str]:  # noqa: ANN401 - with `details`, as above
    """Return the systems that the report lists as people."""
    humans = report.details.get("humans")
    return list(map(str, humans)) if isinstance(humans, list | tuple) else []


def check(
    names: Iterable[str | None], systems: Collection[str], option: str = ""
) -> None:
    """Raise UsageError with the nearest names if a system does not exist; None is
    skipped.
    """
    for name in names:
        if name is not None and name not in systems:
            remedy = suggestion(str(name), list(systems))
            raise UsageError(f"{option}no system {name!r} in the input", remedy=remedy)


def new_names(words: Sequence[str]) -> dict[str, str]:
    """Parse arguments OLD=NEW to old name -> new name; raise UsageError for invalid
    or repeated ones.
    """
    olds = [word.partition("=")[0] for word in words]
    names = {}
    for word in words:
        old, _, new = word.partition("=")
        if not old or not new or olds.count(old) > 1:
            raise UsageError(
                f"--rename {word}",
                remedy="write --rename OLD=NEW, once for each system",
            )
        names[old] = new
    return names


def check_new(new_names: Mapping[str, str], systems: Collection[str]) -> None:
    """Raise UsageError if no system has an old name, or if two systems would have
    the same name.
    """
    check(new_names, systems, "--rename: ")
    taken: set[str] = set()
    for system in systems:
        name = new_names.get(system, system)
        if name in taken:
            what = f"--rename: two systems would be called {name!r}"
            raise UsageError(what, remedy="choose another name")
        taken.add(name)


def rename_systems(
    tasks: Iterable[EvalTask], new_names: Mapping[str, str]
) -> Iterator[EvalTask]:
    """Yield the tasks with their systems renamed."""
    systems: dict[str, None] = {}
    for task in tasks:
        if not task.predictions.keys() <= systems.keys():
            systems.update(dict.fromkeys(task.predictions))
            names = {old: new for old, new in new_names.items() if old in systems}
            check_new(names, systems)
        predictions = {}
        for system, text in task.predictions.items():
            predictions[new_names.get(system, system)] = text
        yield task._replace(predictions=predictions)
    check_new(new_names, systems)
