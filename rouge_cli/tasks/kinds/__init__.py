"""Kinds of inputs: a module a kind, called as in `--input`; a file is told by its suffix or its start.

SUFFIXES: of its files, in lower case. START: the first byte of such a file; a kind without one is told by
its suffix alone. A kind of records has `rows(path, encoding)`, which yields a Row each, and CELLS_ARE_TEXT
if all that it can hold is text; `records` says what they mean. A kind that names the files of its texts has
`tasks(path, system, named)`, and WHAT it is called in a message.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rouge_cli import folders

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from rouge_cli.core import Notify


class Named(NamedTuple):
    """How the texts that an input names are read.

    format: if it states none. formats: those that it may state.
    """

    format: str
    formats: Sequence[str]
    notify: Notify


def names() -> list[str]:
    """Return all kinds."""
    return folders.names(__name__)


def named(kind: str) -> ModuleType:
    """Return the module of a kind."""
    return folders.module(__name__, kind)


def is_records(kind: str) -> bool:
    """Return whether inputs of a kind hold records."""
    return hasattr(named(kind), "rows")
