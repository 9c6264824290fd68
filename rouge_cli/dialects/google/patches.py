"""Modules that record which of their names a program replaced.

Scores are computed in compiled code, which calls none of the functions that programs
replace in rouge_score. To compare all of them with the originals in each call would
take a fifth of the time of a short pair. So the module records it instead when a name
is set, as `setattr`, `mock.patch` and `monkeypatch` do.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

REPLACED: set[tuple[str, str]] = set()  # (module, name), if not the original object


class PatchedModule(ModuleType):
    """A module that records in REPLACED which of its watched names are replaced."""

    def __setattr__(self, name: str, value: object) -> None:
        super().__setattr__(name, value)
        self._compare(name)

    def __delattr__(self, name: str) -> None:
        super().__delattr__(name)
        self._compare(name)

    def _compare(self, name: str) -> None:
        originals = _ORIGINALS[self.__name__]
        if name not in originals:
            return
        if vars(self).get(name, _MISSING) is originals[name]:
            REPLACED.discard((self.__name__, name))
        else:
            REPLACED.add((self.__name__, name))


_MISSING = object()  # in place of a library that is imported at its first use
_ORIGINALS: dict[str, dict[str, object]] = {}  # module -> watched name -> object


def library(module_name: str, name: str, usual: str) -> Any:  # noqa: ANN401 - a module, or an object in its place
    """Return what a program put into a module under a name of rouge_score, such as
    `np`; without it, the usual library, which is imported at its first use.
    """
    return vars(sys.modules[module_name]).get(name) or import_module(usual)


def watch(module_name: str, *names: str) -> None:
    """Record from now on which of these names of a module are replaced."""
    module = sys.modules[module_name]
    _ORIGINALS[module_name] = {name: vars(module).get(name, _MISSING) for name in names}
    module.__class__ = PatchedModule  # Python's way to customize a module
