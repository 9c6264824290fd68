"""Kinds of inputs: a module for each, named as in `--input`; files are recognized by suffix or start.

SUFFIXES: in lower case. START: the first byte of such a file; a kind without it is recognized by
its suffix alone. A kind of records has `rows(path, encoding)`, which yields InputRows, and CELLS_ARE_TEXT
if it can hold only text; `records` interprets them. A kind that names the files of its texts has
`tasks(path, system, texts)`, and WHAT, its name in messages.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from rouge_cli import plugins
from rouge_cli.io import files

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import ModuleType

    from rouge_cli.core import Notify

LIST = "list"  # the default if neither suffix nor content identifies another kind


class Texts(NamedTuple):
    """How to read the texts that an input names."""

    format: str  # the default
    formats: Sequence[str]  # those that the input may state
    encoding: str  # that of the files
    notify: Notify


def names() -> list[str]:
    """Return the names of all kinds."""
    return plugins.names(__name__)


def named(kind: str) -> ModuleType:
    """Return the module of a kind."""
    return plugins.module(__name__, kind)


def is_records(kind: str) -> bool:
    """Return True if inputs of this kind hold records."""
    return hasattr(named(kind), "rows")


def is_list_by_name(path: str) -> bool:
    """Return True if the path has the suffix of a file list."""
    return _by_suffix(path) == LIST


def detect(path: str) -> str:
    """Return the file's kind; `-` is stdin, which can still be read from its start.

    Raises:
        UnreadableFile: If the content is needed and cannot be read.
    """
    if kind := _by_suffix(path):
        return kind
    starts = {getattr(module, "START", None): name for name, module in _modules()}
    return starts.get(files.head(path, "input")[:1], LIST)


def _by_suffix(path: str) -> str:
    suffix = os.path.splitext(files.uncompressed(path))[1].lower()
    return next((name for name, module in _modules() if suffix in module.SUFFIXES), "")


def _modules() -> Iterator[tuple[str, ModuleType]]:
    return ((name, named(name)) for name in names())
