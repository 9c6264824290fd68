"""Line-aligned files: every line is a text, and line n of every file belongs to eval n.

A file of predictions is a system. Files of references are the references 1, 2, ... of
every eval. An empty line is an empty text. Files are read in blocks, so they may have
any size.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from io import BytesIO

from rouge_cli.core import EvalTask
from rouge_cli.errors import RougeError, UsageError, all_of
from rouge_cli.io import files
from rouge_cli.io.spans import LineSpan
from rouge_cli.tasks.kinds import _tables
from rouge_cli.tasks.streams import Batch, Stream, parts_of, task_of
from rouge_cli.twins import twin

Blocks = Iterator[tuple[int, bytes]]


def read(
    hyps: Mapping[str, str],
    refs: Sequence[str],
    *,
    encoding: str = files.UTF8,
    has_source: bool = False,
) -> Stream:
    """Return one eval per line.

    Args:
        hyps: System -> path of its predictions.
        refs: Paths of references. One of all paths may be `-` for stdin. Both sides
            have a file.
        encoding: The encoding of all files.
        has_source: True if the last of the references is the file of sources.

    Raises:
        RougeError: If the files have no lines, or different numbers of lines.
        UsageError: If stdin is named twice. Errors of `files.blocks` are raised, too.
    """
    paths = [*hyps.values(), *refs]
    files.check_stdin(paths)
    roles = ["file of predictions"] * len(hyps) + ["file of references"] * len(refs)
    if has_source:
        roles[-1] = "file of sources"
    streams = [
        files.blocks(path, role, encoding)
        for path, role in zip(paths, roles, strict=True)
    ]
    return Stream(_parts(list(hyps), [files.place(path) for path in paths], streams))


def read_spans(
    systems: Sequence[str],
    paths: Sequence[str],
    spans: Sequence[LineSpan],
    encoding: str,
) -> Stream:
    """Return the evals of the same lines of each file.

    Args:
        paths: What the files are called in messages, those of the systems first.
        spans: The lines of each file.
    """
    streams = [
        files.blocks(path, "file of texts", encoding, span)
        for path, span in zip(paths, spans, strict=True)
    ]
    places = [files.place(path) for path in paths]
    return Stream(_parts(systems, places, streams, spans[0].first))


def texts(path: str, role: str, encoding: str) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a file, with their numbers; raise RougeError if they end in CR
    alone.
    """
    blocks = files.blocks(path, role, encoding)
    number = 1
    while True:
        block = _filled(b"", blocks, files.place(path))
        if not block:
            return
        for line in BytesIO(block):
            yield number, line.removesuffix(b"\r\n").removesuffix(b"\n")
            number += 1


def names(paths: Sequence[str]) -> dict[str, str]:
    """Return paths by the stem of each file, with as many folders as make all names
    different.
    """
    seen: set[str] = set()
    for path in paths:
        absolute = path if path == files.STDIN else os.path.abspath(path)
        if absolute in seen:
            raise UsageError(
                f"{files.place(path)} is named twice", remedy="name each file once"
            )
        seen.add(absolute)
    stems = []
    for path in paths:
        name = _tables.name_of(path)
        folders_and_stem = files.stem(files.place(name)).replace(os.sep, "/")
        stems.append(folders_and_stem.split("/"))
    for depth in range(1, max(map(len, stems), default=0) + 1):
        named = {}
        for stem, path in zip(stems, paths, strict=True):
            named["/".join(stem[-depth:])] = path
        if len(named) == len(paths) and all(named):
            return named
    return {files.place(path): path for path in paths}


def named(words: Sequence[str]) -> dict[str, str]:
    """Return paths by name, in order, for arguments FILE or NAME=FILE; raise UsageError
    for repeated ones.

    An argument that is an existing path, or has a folder before the `=`, is a FILE.
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
            raise UsageError(
                f"two files are called {system}", remedy="write --pred NAME=FILE"
            )
        systems[system] = path
    return systems


def _parts(
    systems: Sequence[str],
    places: Sequence[str],
    streams: Sequence[Blocks],
    number: int = 1,
) -> Iterator[EvalTask | Batch]:
    prefixes = [f"{place}:" for place in places]
    blocks = [b""] * len(places)  # the lines of each file that are not yet evals
    while True:
        blocks = _fill(blocks, streams, places)
        if not all(blocks):
            break
        tasks, ends = evals_of_lines(blocks, number, systems, prefixes)
        yield from parts_of(tasks)
        number += len(tasks)
        blocks = [block[end:] for block, end in zip(blocks, ends, strict=True)]
    number -= 1
    if any(blocks):
        raise _different_lengths(number, blocks, streams, places)
    if number == 0:
        raise RougeError("no line in any file", where=", ".join(places))


@twin
def evals_of_lines(
    blocks: Sequence[bytes], number: int, systems: Sequence[str], places: Sequence[str]
) -> tuple[Sequence[EvalTask], Sequence[int]]:
    """Return the evals of lines, and the end of the last of them in each block.

    Args:
        blocks: Whole lines of each file, of the systems first.
        number: The number of the first line.
        systems: The systems, in the order of their files.
        places: What stands before the number of a line in messages, for each file.
    """
    lines = [BytesIO(block).readlines() for block in blocks]
    tasks = []
    for line, row in enumerate(zip(*lines, strict=False), number):
        texts = [text.removesuffix(b"\r\n").removesuffix(b"\n") for text in row]
        tasks.append(task_of(str(line), systems, texts, places, line))
    ends = [sum(map(len, of_file[: len(tasks)])) for of_file in lines]
    return tasks, ends


def _different_lengths(
    number: int,
    blocks: Sequence[bytes],
    streams: Sequence[Blocks],
    places: Sequence[str],
) -> RougeError:
    """Return the error of files that go on after `number` lines, at which others end;
    read them to count their lines.
    """
    sizes = []
    for block, stream, place in zip(blocks, streams, places, strict=True):
        size = number + _count_lines(block)
        for _, more in stream:
            size += _count_lines(more)
        sizes.append(f"{place} {size}")
    ended = places[blocks.index(b"")]
    longer = next(place for place, block in zip(places, blocks, strict=True) if block)
    whole = "1 line" if number == 1 else f"{number} lines"
    return RougeError(
        f"ends after {whole}, but {longer} goes on (lines: {', '.join(sizes)})",
        where=f"{ended}:{number}" if number else ended,
        remedy="line n of every file must be of the same eval",
    )


def _count_lines(block: bytes) -> int:
    return len(BytesIO(block).readlines())


def _fill(
    blocks: Sequence[bytes], streams: Sequence[Blocks], places: Sequence[str]
) -> list[bytes]:
    """Return the block of each file, its next one if it is empty; raise the errors of
    all files together.
    """
    reads = []
    for block, stream, place in zip(blocks, streams, places, strict=True):
        reads.append(partial(_filled, block, stream, place))
    return all_of(reads)


def _filled(block: bytes, stream: Blocks, place: str) -> bytes:
    """Return the block, or the file's next block if it is empty; empty at the end of
    the file.
    """
    if block:
        return block
    number, block = next(stream, (0, b""))
    if number == 1 and b"\n" not in block and b"\r" in block.rstrip(b"\r"):
        what = "lines that end in CR alone, which would be read as one line"
        raise RougeError(
            what,
            where=place,
            remedy="end lines in LF: tr '\\r' '\\n' < FILE > NEW_FILE",
        )
    return block
