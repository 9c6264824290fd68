"""Dialects: the programs that are reproduced. Each module of this folder is a dialect, with its DIALECT.

A large dialect is a folder. A dialect that scores a string against a string derives
its run from `StringRun`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rouge_cli import plugins
from rouge_cli.dialects._base import Dialect, DialectRun

if TYPE_CHECKING:
    from rouge_cli.dialects._strings import Label, StringRun, label_parser

__all__ = ["DEFAULT", "Dialect", "DialectRun", "Label", "StringRun", "label_parser", "named"]
DEFAULT = "rouge155"


def named(name: str) -> Dialect:
    """Return the dialect of a name that a user typed; raise UsageError for an unknown one."""
    dialect: Dialect = plugins.find(__name__, name, "dialect").DIALECT
    return dialect


def __getattr__(name: str) -> object:
    """Import what dialects of strings share when it is used: ROUGE-1.5.5 starts without it."""
    if name in __all__:
        return getattr(plugins.module(__name__, "_strings"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
