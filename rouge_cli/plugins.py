"""Plugins: every module in the folder of the formats, reports, metrics or dialects adds one."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from rouge_cli.errors import UsageError

if TYPE_CHECKING:
    from types import ModuleType


def names(package: str) -> list[str]:
    """Return the sorted names of the modules in a package, without those that begin with `_`."""
    from importlib import import_module

    return list(_names(tuple(import_module(package).__path__)))


@cache
def _names(path: tuple[str, ...]) -> list[str]:
    """List a folder once, since labels are looked up in it thousands of times."""
    from pkgutil import iter_modules  # costs start-up time

    return sorted(module.name for module in iter_modules(path) if not module.name.startswith("_"))


def module(package: str, name: str) -> ModuleType:
    """Import and return the module; raise ModuleNotFoundError if there is none."""
    from importlib import import_module

    return import_module(f"{package}.{name}")


def find(package: str, name: str, what: str) -> ModuleType:
    """Return the module of a name that a user typed.

    what: the kind of name for messages, such as `report format`.
    Raises UsageError with similar names, or all names.
    """
    valid = names(package)
    if name in valid:
        return module(package, name)
    raise UsageError(f"unknown {what} {name!r}", remedy=suggestion(name, valid))


def suggestion(name: str, valid: list[str]) -> str:
    """Return the remedy for an unknown name: similar valid names, or all of them."""
    from difflib import get_close_matches

    spelled = {spelling.lower(): spelling for spelling in valid}
    near = [spelled[spelling] for spelling in get_close_matches(name.lower(), spelled, n=3, cutoff=0.5)]
    return f"did you mean {' or '.join(near)}?" if near else f"use one of {', '.join(valid)}"
