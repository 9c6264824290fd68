"""Tables of several files: an input that is a folder, a pattern, or numbered files.

    run/                     the parts of a run, as Spark, Dask and Hugging Face write
    'run/part-*.jsonl'       a pattern in quotes, which the shell leaves alone
    test-00000-of-00002.parquet test-00001-of-00002.parquet
                             numbered files, if all of them are named

The parts have one system's records, or name their systems in a column. A folder has the
parts of one table if their names differ in nothing but numbers. Several files that are
named one by one, also by a pattern that the shell expands, are several systems.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from functools import partial
from itertools import chain, groupby

from rouge_cli.errors import RougeError, UsageError, shown
from rouge_cli.io import files, urls
from rouge_cli.tasks.file_order import natural

COLUMNS = (".parquet", ".arrow")
SUFFIXES = (*COLUMNS, ".jsonl", ".ndjson")  # of files that may be parts
_NUMBER = r"-[0-9]{5}-of-([0-9]{5})(?=\.[a-z]+$)"
_NUMBERED = r"-[0-9]{5}\b.*"  # all that follows may differ, as a hash does
_DIGITS = r"[0-9]+"
_SPECIAL = r"[*?\[]"  # begins what a pattern leaves open


def is_part(path: str, suffixes: tuple[str, ...] = SUFFIXES) -> bool:
    """Return True for the name of a file that may be a part of a table."""
    return files.uncompressed(path).lower().endswith(suffixes)


def is_pattern(path: str) -> bool:
    """Return True if a path is no file or folder, but may be a pattern of several."""
    if re.search(_SPECIAL, path) is None or os.path.exists(path):
        return False
    return urls.is_pattern(path) if urls.is_url(path) else True


def joined(paths: Sequence[str]) -> Sequence[str]:
    """Return the paths with numbered files as one if all of them are named.

    Raises:
        RougeError: No file matches a pattern.
    """
    every: list[str] = []
    for path in paths:
        if not is_pattern(path):
            every.append(path.rstrip(os.sep) or path)
            continue
        matches = _matches(path)
        if not matches and is_part(path):
            raise RougeError("no file matches the pattern", where=path)
        are_numbered = all(re.search(_NUMBER, file) for file in matches)
        every += matches if are_numbered and matches else [path]
    tables = []
    if not any("-of-" in path for path in every):
        return every  # without compiling the expression
    for table, numbered in groupby(every, partial(re.sub, _NUMBER, "")):
        parts = list(numbered)
        size = re.search(_NUMBER, parts[0])
        tables += [table] if size and len(parts) == int(size[1]) else parts
    return tables


def _matches(pattern: str) -> list[str]:
    from glob import glob  # costs start-up time

    found = urls.matches(pattern) or glob(pattern)
    return sorted(filter(is_part, found), key=natural)


def name_of(path: str) -> str:
    """Return the path that names the system of a table: of a pattern, what stands
    before its first open place, or else the folder.
    """
    if not is_pattern(path):
        return path
    fixed = re.split(_SPECIAL, path)[0]
    folder, name = os.path.split(fixed)
    return os.path.join(folder, name.rstrip("-_.")).rstrip(os.sep) or path


def files_of(path: str, suffixes: tuple[str, ...] = SUFFIXES) -> list[str]:
    """Return a table's files in natural order, none of a folder without a table; raise
    UsageError for several tables of Parquet and Arrow.

    Args:
        path: A file, a folder, a pattern, or the name of numbered files.
        suffixes: Those of a folder's files that count.
    """
    if os.path.exists(path) and not os.path.isdir(path):
        return [path]
    if is_pattern(path):
        return _matches(path) or [path]
    from glob import escape, glob  # costs start-up time

    if not os.path.isdir(path):
        start, suffix = os.path.splitext(path)
        if urls.is_url(path):
            is_table = suffix in COLUMNS
            numbered = urls.matches(f"{start}-*{suffix}") if is_table else []
        else:
            numbered = sorted(glob(f"{escape(start)}-*{suffix}"))
        return [file for file in numbered if re.sub(_NUMBER, "", file) == path] or [
            path
        ]
    names = sorted(
        (name for name in glob("[!.]*", root_dir=path) if is_part(name, suffixes)),
        key=natural,
    )
    # The library datasets leaves its caches there
    names = [name for name in names if not name.startswith("cache-")]
    splits = sorted(map(os.path.dirname, glob("*/dataset_info.json", root_dir=path)))
    tables = list(dict.fromkeys(map(_table_of, names))) or splits
    are_lines = bool(names) and not any(is_part(name, COLUMNS) for name in names)
    if len(tables) > 1 and are_lines:
        return []  # these may be anything
    if len(tables) > 1:
        remedy = f"name one, as in {os.path.join(path, tables[0])}"
        raise UsageError(
            f"a folder of several tables: {shown(tables)}", where=path, remedy=remedy
        )
    parts = [os.path.join(path, part) for part in names or splits]
    return parts if names else list(chain.from_iterable(map(files_of, parts)))


def _table_of(name: str) -> str:
    """Return the pattern of the parts of a file's table."""
    shortened = re.sub(_NUMBERED, "-*", name)
    return shortened if shortened != name else re.sub(_DIGITS, "*", name)
