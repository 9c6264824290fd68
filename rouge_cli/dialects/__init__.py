"""Dialects: the programs that rouge-cli reproduces. Each module of this folder defines
one as `DIALECT`.

A large dialect is a folder. The run of a dialect derives from `DialectRun`; if it
scores plain strings, from `StringRun`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rouge_cli import plugins

if TYPE_CHECKING:
    from rouge_cli.dialects._base import Dialect, StringRun, label_parser
    from rouge_cli.dialects._run import DialectRun

__all__ = ["DEFAULT", "Dialect", "DialectRun", "StringRun", "label_parser", "named"]
DEFAULT = "rouge155"
Label = str  # for plug-ins that wrap their labels


def named(name: str) -> Dialect:
    """Return the dialect with the name that a user typed; raise UsageError for an
    unknown name.
    """
    dialect: Dialect = plugins.find(__name__, name, "dialect").DIALECT
    return dialect


def __getattr__(name: str) -> object:
    """Import what a dialect is made of at its first use; ROUGE-1.5.5.pl does not
    need it.
    """
    if name in __all__:
        return getattr(plugins.module(__name__, "_base"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
