"""Plugins: metrics, dialects, text formats, kinds of input, and report formats.

Every module in one of their folders is a plugin. Another package adds a plugin by an
entry point:

    [project.entry-points."rouge_cli.metrics"]
    vowels = "my_package.vowels"

The entry point has the name of the plugin; its value is a module like the modules of
the folder. Entry points are looked up only if the folder does not have the name, so
they cost nothing unless they are used. `data/other_names.tsv` says what other programs
call them.
"""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from importlib.machinery import all_suffixes
from typing import TYPE_CHECKING

from rouge_cli.errors import RougeError, UsageError, is_out_of_memory, suggestion

if TYPE_CHECKING:
    from collections.abc import Mapping
    from importlib.metadata import EntryPoint
    from types import ModuleType

# The folders of plugins. Modules below a folder also ask for its plugins by name.
DIALECTS = "rouge_cli.dialects"
FORMATS = "rouge_cli.formats"
METRICS = "rouge_cli.metrics"
REPORTS = "rouge_cli.reports"
KINDS = "rouge_cli.tasks.kinds"
# Folder -> the group of entry points that add plugins to it.
GROUPS = {
    DIALECTS: DIALECTS,
    FORMATS: FORMATS,
    METRICS: METRICS,
    REPORTS: REPORTS,
    KINDS: "rouge_cli.inputs",
}


def names(package: str) -> list[str]:
    """Return the sorted names of the public modules in a folder."""
    return list(_names(tuple(import_module(package).__path__)))


@cache
def _names(path: tuple[str, ...]) -> list[str]:
    """List a folder once, since labels are looked up in it thousands of times."""
    suffixes = all_suffixes()
    found: set[str] = set()
    for folder in path:
        try:
            files = os.listdir(folder)
        except NotADirectoryError:  # of a zip application
            remedy = "unpack the archive, or install it: pip install rouge-cli"
            raise RougeError(
                "rouge-cli cannot run inside an archive", where=folder, remedy=remedy
            ) from None
        for file in files:
            name, _, _ = file.partition(".")
            is_public = name != "" and not name.startswith("_")
            if not is_public:
                continue
            is_module = file.removeprefix(name) in suffixes
            if is_module or _is_package(os.path.join(folder, file)):
                found.add(name)
    return sorted(found)


def _is_package(folder: str) -> bool:
    """Return True for a folder with a module `__init__`; one that is left of an earlier
    version may be empty.
    """
    for suffix in all_suffixes():
        if os.path.isfile(os.path.join(folder, f"__init__{suffix}")):
            return True
    return False


@cache
def others(package: str) -> dict[str, EntryPoint]:
    """Return name -> entry point for the plugins that other packages add to a
    folder.
    """
    if package not in GROUPS:
        return {}
    from importlib.metadata import entry_points  # costs start-up time

    entries = sorted(entry_points(group=GROUPS[package]), key=lambda entry: entry.name)
    return {entry.name: entry for entry in entries if entry.name not in names(package)}


def all_names(package: str) -> list[str]:
    """Return the names of a folder's plugins: first its own modules, then other
    packages'.
    """
    return [*names(package), *others(package)]


def is_known(package: str, name: str) -> bool:
    """Return True if a plugin has that name, of this package or another."""
    return name in names(package) or (name != "" and name in others(package))


def origin(package: str, name: str) -> str:
    """Return the name and version of the package that a plugin comes from; empty for
    this package.
    """
    if name in names(package):
        return ""
    entry = others(package).get(name)
    if entry is None or entry.dist is None:
        return ""
    return f"{entry.dist.name} {entry.dist.version}"


@cache
def module(package: str, name: str) -> ModuleType:
    """Import and return the module of a plugin, of this package or another.

    Raises:
        ModuleNotFoundError: No plugin has that name.
        RougeError: The module of another package cannot be imported.
    """
    try:
        return import_module(f"{package}.{name}")
    except ModuleNotFoundError as error:
        if error.name != f"{package}.{name}" or name not in others(package):
            raise
    try:
        loaded: ModuleType = others(package)[name].load()
    except Exception as error:
        if is_out_of_memory(error):
            raise
        what = f"{name}, which comes from {origin(package, name)}, cannot be imported"
        reason = f"({type(error).__name__}: {error})"
        raise RougeError(
            f"{what} {reason}", remedy="repair or remove that package"
        ) from error
    return loaded


def find(package: str, name: str, what: str) -> ModuleType:
    """Return the module of a plugin that a user named; raise UsageError if none of
    its kind has it.
    """
    if is_known(package, name):
        return module(package, name)
    remedy = suggestion(name, all_names(package), other_names(what))
    raise UsageError(f"unknown {what} {name!r}", remedy=remedy)


@cache
def other_names(kind: str) -> Mapping[str, str]:
    """Return what other programs call commands, options, ... -> the name here."""
    path = os.path.join(os.path.dirname(__file__), "data", "other_names.tsv")
    with open(path, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    return {other: row[1] for row in rows if row[0] == kind for other in row[2].split()}
