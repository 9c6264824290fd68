"""Input formats. A format is a module with `read(data: bytes) -> Summary`; its name is its file's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rouge_cli import folders

if TYPE_CHECKING:
    from types import ModuleType


def named(name: str) -> ModuleType:
    """The format's module.

    Raises ModuleNotFoundError where there is none; callers check names where they read them.
    """
    return folders.module(__name__, name)
