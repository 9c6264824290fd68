"""Kinds of inputs. A kind is a module with the name that `--input` takes.

A module defines:

    SUFFIXES         the suffixes of its files, in lower case
    START            the first byte of its files, for files without such a suffix;
                     optional
    rows             for records: a function of (path, encoding) that yields InputRows
                     for `records`
    CELLS_ARE_TEXT   for records: defined if cells can only be text
    tasks            for lists of files: a function of (path, system, texts) that
                     returns evals
    WHAT             for lists of files: the kind's name in messages
"""

import os
from collections.abc import Sequence
from types import ModuleType

from rouge_cli import plugins
from rouge_cli.core import NamedTuple, Notify
from rouge_cli.io import files

LIST = "list"  # the default if neither suffix nor content identifies another kind


class Texts(NamedTuple):
    """How to read the texts that an input names."""

    format: str  # the default format
    formats: Sequence[str]  # the formats that the input may state
    encoding: str  # the encoding of the files
    notify: Notify


def names() -> list[str]:
    """Return the names of all kinds."""
    return plugins.names(__name__)


def named(kind: str) -> ModuleType:
    """Return the module of a kind."""
    return plugins.module(__name__, kind)


def is_records(kind: str) -> bool:
    """Return True if inputs of this kind contain records."""
    return hasattr(named(kind), "rows")


def detect(path: str) -> str:
    """Return the kind of a file, by its suffix or its start; `-` is stdin. A folder has
    tables of parquet.

    Stdin can be read from its start afterwards. A file whose suffix is unknown may
    raise UnreadableFile.
    """
    if kind := "parquet" if os.path.isdir(path) else by_suffix(path):
        return kind
    starts = {getattr(named(name), "START", None): name for name in names()}
    return starts.get(files.head(path, "input")[:1], LIST)


def by_suffix(path: str) -> str:
    """Return the kind with the suffix of the path; empty for an unknown suffix."""
    suffix = os.path.splitext(files.uncompressed(path))[1].lower()
    likely = sorted(
        names(), key=suffix[1:].__ne__
    )  # a kind that is called so first: few are imported
    return next((name for name in likely if suffix in named(name).SUFFIXES), "")
