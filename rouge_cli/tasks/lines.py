"""Line-aligned files: line n of every file is eval n, each line a text.

Files of hypotheses are systems, files of references are the models 1, 2, ... of every eval. An empty line
is an empty text. Lines are read one at a time, so files may be of any size.
"""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from rouge_cli import files
from rouge_cli.core import Document, EvalTask
from rouge_cli.decoding import UTF8
from rouge_cli.errors import RougeError, UsageError, all_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Lines = Iterator[tuple[int, bytes]]


def read(hyps: Mapping[str, str], refs: Sequence[str], *, encoding: str = UTF8) -> Iterator[EvalTask]:
    """Return the evals, one a line.

    hyps: system -> path. refs: paths. One of all of them may be `-`.
    Raises RougeError if the files have no lines, or different numbers of them; UsageError if a side is
    missing; and the errors of `files.lines`.
    """
    if not hyps or not refs:
        raise UsageError(
            f"no file of {'references' if hyps else 'hypotheses'}", remedy="give --hyp FILE and --ref FILE"
        )
    paths = [*hyps.values(), *refs]
    files.check_stdin(paths)
    roles = ["file of hypotheses"] * len(hyps) + ["file of references"] * len(refs)
    streams = [files.lines(path, role, encoding) for path, role in zip(paths, roles, strict=True)]
    return _tasks(list(hyps), paths, streams)


def names(paths: Sequence[str]) -> dict[str, str]:
    """Return paths by name: each file's stem, or as much of the paths as makes all names differ.

    Raises UsageError for a path that is named twice.
    """
    seen: set[str] = set()
    for path in paths:
        absolute = path if path == files.STDIN else os.path.abspath(path)
        if absolute in seen:
            raise UsageError(f"{files.place(path)} is named twice", remedy="name each file once")
        seen.add(absolute)
    stems = [files.stem(files.place(path)).replace(os.sep, "/").split("/") for path in paths]
    for depth in range(1, max(map(len, stems), default=0) + 1):
        named = dict(zip(("/".join(stem[-depth:]) for stem in stems), paths, strict=True))
        if len(named) == len(paths) and all(named):
            return named
    return {files.place(path): path for path in paths}


def named(words: Sequence[str]) -> dict[str, str]:
    """Return paths by name for arguments written as FILE or NAME=FILE, in their order.

    An argument that is an existing path, or has a folder before the `=`, is a path. Raises UsageError for a
    name or a path that occurs twice.
    """
    files_: list[tuple[str, str]] = []
    for word in words:
        name, _, path = word.partition("=")
        is_path = not (name and path) or os.sep in name or os.path.exists(word)
        files_.append(("", word) if is_path else (name, path))
    names([path for _, path in files_])
    stems = iter(names([path for name, path in files_ if not name]))
    systems: dict[str, str] = {}
    for name, path in files_:
        system = name or next(stems)
        if system in systems:
            raise UsageError(f"two files are called {system}", remedy="write --hyp NAME=FILE")
        systems[system] = path
    return systems


def _tasks(systems: Sequence[str], paths: Sequence[str], streams: Sequence[Lines]) -> Iterator[EvalTask]:
    places = [files.place(path) for path in paths]
    steps = [partial(next, stream, (0, None)) for stream in streams]
    number = 0
    while None not in (row := [data for _, data in all_of(steps)]):
        number += 1
        documents = [
            Document(data, f"{where}:{number}")
            for data, where in zip(row, places, strict=True)
            if data is not None
        ]
        models = [(str(place), document) for place, document in enumerate(documents[len(systems) :], 1)]
        peers = dict(zip(systems, documents, strict=False))
        yield EvalTask(str(number), peers, models, "spl", f"{places[0]}:{number}")
    if any(data is not None for data in row):
        raise _unequal(places, row, streams, number)
    if not number:
        raise RougeError("no line in any file", where=", ".join(places))


def _unequal(
    places: Sequence[str], row: Sequence[bytes | None], streams: Sequence[Lines], number: int
) -> RougeError:
    """Return the error that names the files which end after that many lines, and a longer one."""
    goes_on = [data is not None for data in row]
    counts = [number + more + sum(1 for _ in stream) for more, stream in zip(goes_on, streams, strict=True)]
    every = ", ".join(f"{place} {count}" for place, count in zip(places, counts, strict=True))
    ended = places[goes_on.index(False)]
    longer = places[goes_on.index(True)]
    return RougeError(
        f"ends after {number} line{'' if number == 1 else 's'}, but {longer} goes on (lines: {every})",
        where=f"{ended}:{number}" if number else ended,
        remedy="line n of every file must be of the same eval",
    )
