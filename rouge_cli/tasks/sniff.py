"""Detect the kind of an input file, by its suffix or else by its first bytes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from rouge_cli.io import files
from rouge_cli.tasks import kinds

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

LIST = "list"  # the default if neither suffix nor content identifies another kind


def is_list_by_name(path: str) -> bool:
    """Return True if the path has the suffix of a file list."""
    return _by_suffix(path) == LIST


def kind(path: str) -> str:
    """Return the file's kind, one of `kinds`; `-` is stdin, which can still be read from its start.

    Raises UnreadableFile if the content is needed and cannot be read.
    """
    if named := _by_suffix(path):
        return named
    starts = {getattr(module, "START", None): name for name, module in _modules()}
    return starts.get(files.head(path, "input")[:1], LIST)


def _by_suffix(path: str) -> str:
    suffix = os.path.splitext(files.uncompressed(path))[1].lower()
    return next((name for name, module in _modules() if suffix in module.SUFFIXES), "")


def _modules() -> Iterator[tuple[str, ModuleType]]:
    return ((name, kinds.named(name)) for name in kinds.names())
