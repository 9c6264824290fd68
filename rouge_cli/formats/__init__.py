"""Input formats. A format is a module with `read(data: bytes) -> Summary`; its name is its file's."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType


def named(name: str) -> ModuleType:
    """The format's module.

    Raises ModuleNotFoundError where there is none; callers check names where they read them.
    """
    return import_module(f"{__name__}.{name}")
