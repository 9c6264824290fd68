"""Kinds of inputs. A kind is a module with the name that `--input` takes.

A module defines:

    SUFFIXES         the suffixes of its files, in lower case
    START            the first bytes of its files, or a tuple of them, for files
                     without such a suffix; optional
    rows             for records: a function of (path, encoding) that yields an InputRow
                     for each, with its error in place of an invalid one. It reads
                     `files.blocks(path, ROLE, encoding)`: stdin and compressed files,
                     too, in UTF-8 and within the bounds of a record
    OPTIONS          for records: the fields of `RecordLayout` that `rows` takes as
                     keywords; optional
    CELLS_ARE_TEXT   for records: defined if cells can only be text
    tasks            for lists of files: a function of (path, system, texts) that
                     returns evals
    WHAT             for lists of files: the kind's name in messages
"""

import os
from collections.abc import Mapping, Sequence
from itertools import chain
from types import ModuleType
from typing import NamedTuple

from rouge_cli import plugins
from rouge_cli.core import Notify
from rouge_cli.errors import UsageError
from rouge_cli.io import files
from rouge_cli.tasks.kinds import _tables

# The kind of a file whose lines are texts; only --pred and --ref take it.
LINES = "lines"
LIST = "list"  # the default if neither suffix nor content identifies another kind


class Texts(NamedTuple):
    """How to read the texts that an input names."""

    format: str  # the default format
    formats: Sequence[str]  # the formats that the input may state
    encoding: str  # the encoding of the files
    notify: Notify


class RecordLayout(NamedTuple):
    """What the user states about the layout of files of records."""

    records: Sequence[str] = ()  # dotted paths of the records in JSON documents
    delimiter: str | None = None  # the character between the columns of a table
    no_header: bool = False  # True if a table's first row has texts

    def of_kind(self, kind: str) -> dict[str, object]:
        """Return what is stated as keywords of the kind's `rows`, without what files of
        this kind do not have.
        """
        taken = getattr(named(kind), "OPTIONS", ())
        stated = self._asdict()
        return {name: stated[name] for name in taken if stated[name]}

    def check(self, by_path: Mapping[str, str]) -> None:
        """Raise UsageError for what is stated, but has no effect on any of the files.

        Args:
            by_path: Path -> kind; LINES for texts without columns.
        """
        read_kinds = sorted({*by_path.values()} - {LINES})
        taken = set(chain.from_iterable(map(self.of_kind, read_kinds)))
        for name, value in self._asdict().items():
            if value and name not in taken:
                option = f"--{name.replace('_', '-')}"
                raise UsageError(
                    f"{option} has no effect on {' and '.join(read_kinds)}",
                    remedy="leave it out, or name the kind with --input",
                )


AS_USUAL = RecordLayout()  # nothing is stated


def names() -> list[str]:
    """Return the names of all kinds."""
    return plugins.names(__name__)


def named(kind: str) -> ModuleType:
    """Return the module of a kind."""
    return plugins.module(__name__, kind)


def check(kind: str) -> None:
    """Raise UsageError, with similar names, for an unknown kind of files."""
    plugins.find(__name__, kind, "kind of input")


def is_records(kind: str) -> bool:
    """Return True if inputs of this kind contain records."""
    return hasattr(named(kind), "rows")


def detect(path: str) -> str:
    """Return the kind of a file, by its suffix or its start; `-` is stdin. A folder, or
    a pattern, has the kind of its parts.

    Stdin can be read from its start afterwards. A file whose suffix is unknown may
    raise UnreadableFile.
    """
    if os.path.isdir(path) or _tables.is_pattern(path):
        parts = _tables.files_of(path)
        return by_suffix(parts[0]) if parts and parts[0] != path else "parquet"
    kind = by_suffix(path)
    return kind or by_start(files.head(path, "input")) or LIST


def by_start(start: bytes) -> str:
    """Return the kind of a file that begins so; empty for an unknown beginning."""
    for name in names():
        if start.startswith(getattr(named(name), "START", ())):
            return name
    return ""


def by_suffix(path: str) -> str:
    """Return the kind with the suffix of the path; empty for an unknown suffix."""
    suffix = os.path.splitext(files.uncompressed(path))[1].lower()
    # A kind that is called so comes first, so that few are imported
    likely = sorted(names(), key=suffix[1:].__ne__)
    for name in likely:
        if suffix in named(name).SUFFIXES:
            return name
    return ""
