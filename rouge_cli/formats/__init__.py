"""Input formats. A format is a module with `read(data: bytes) -> Summary`; its name is its file's.

A format that can be converted to has `write(summary, name) -> bytes` beside it: reading it back gives the
same summary, and what the format cannot hold is a RougeError. name: what the text is called.
"""

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
