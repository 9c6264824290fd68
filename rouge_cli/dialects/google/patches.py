"""Modules that record which of their names a program replaced.

Scores are computed in compiled code, which calls none of the functions that programs
replace in rouge_score. To compare all of them with the originals in each call would
take a fifth of the time of a short pair. So the module records it instead when a name
is set, as `setattr`, `mock.patch` and `monkeypatch` do.
"""

from __future__ import annotations

import sys
from types import ModuleType

REPLACED: set[tuple[str, str]] = set()  # (module, name), if not the original object


class PatchedModule(ModuleType):
    """A module that records its replaced names in REPLACED."""

    def __setattr__(self, name: str, value: object) -> None:
        super().__setattr__(name, value)
        self._compare(name)

    def __delattr__(self, name: str) -> None:
        super().__delattr__(name)
        self._compare(name)

    def _compare(self, name: str) -> None:
        original = _ORIGINALS[self.__name__].get(name, _MISSING)
        if vars(self).get(name, _MISSING) is original:
            REPLACED.discard((self.__name__, name))
        else:
            REPLACED.add((self.__name__, name))


_MISSING = object()
_ORIGINALS: dict[str, dict[str, object]] = {}  # module -> its names


def watch(name: str) -> None:
    """Record from now on which names of a module are replaced."""
    module = sys.modules[name]
    _ORIGINALS[name] = dict(vars(module))
    module.__class__ = PatchedModule  # Python's way to customize a module
