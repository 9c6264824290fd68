"""Parts of a file of lines, which another process or machine reads by itself.

A file is divided in two steps: the ends of its lines are counted block by block, and
lines are found again by the block where they begin.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import accumulate, chain
from typing import NamedTuple

from rouge_cli.io import urls
from rouge_cli.io.compression import PIECE

_START = 4096  # bytes by which a file is told from another of the same size


class LineSpan(NamedTuple):
    """Consecutive lines of a file.

    Attributes:
        location: The absolute path of the file, or its URL.
        offset: Where the block begins in which the lines begin.
        skipped: The ends of lines of this block that precede the lines.
        first: The number of the first line, from 1.
        lines: How many lines; None for all to the end of the file.
    """

    location: str
    offset: int
    skipped: int
    first: int
    lines: int | None


class Identity(NamedTuple):
    """What tells whether two machines see the same file."""

    size: int
    start: bytes


def identity(location: str) -> Identity | None:
    """Return the identity of a file; None if it cannot be read from any offset."""
    try:
        with urls.opened(location) as file:
            start = file.read(_START)
            return Identity(file.seek(0, 2), start)
    except (OSError, ValueError):
        return None


def line_ends(location: str, start: int, stop: int) -> list[int]:
    """Return the number of ends of lines in each block of PIECE bytes of a part of a
    file; raise OSError.
    """
    numbers = []
    with urls.opened(location) as file:
        file.seek(start)
        for _ in range(start, stop, PIECE):
            numbers.append(file.read(PIECE).count(b"\n"))
    return numbers


def pieces(span: LineSpan) -> Iterator[tuple[int, bytes]]:
    """Yield the bytes of a file from the first line of a span on, each with its offset;
    raise OSError.
    """
    with urls.opened(span.location) as file:
        file.seek(span.offset)
        block = file.read(PIECE)
        start = after_lines(block, span.skipped)
        position = span.offset + start
        # The first may be empty, as the line may begin in the next block
        for piece in chain([block[start:]], iter(partial(file.read, PIECE), b"")):
            yield position, piece
            position += len(piece)


def after_lines(data: bytes, number: int) -> int:
    """Return the offset after so many ends of lines."""
    place = 0
    for _ in range(number):
        place = data.index(b"\n", place) + 1
    return place


def divided(
    locations: Sequence[str], ends: Sequence[Sequence[int]], size: int
) -> list[list[LineSpan]]:
    """Divide files of as many lines into parts of the same lines.

    Args:
        locations: The files.
        ends: The `line_ends` of each.
        size: The bytes of a part of the largest file, about.

    Returns:
        The spans of all files for each part.
    """
    before = [list(accumulate(of_file, initial=0)) for of_file in ends]
    largest = max(before, key=len)
    step = max(size // PIECE, 1)
    cuts = [0]
    for number in largest[step:-1:step]:
        # The first line that begins in the block, if one does
        line = number + 1
        if cuts[-1] < line < largest[-1]:
            cuts.append(line)
    parts = []
    for place, line in enumerate(cuts):
        lines = cuts[place + 1] - line if place + 1 < len(cuts) else None
        spans = []
        for location, numbers in zip(locations, before, strict=True):
            block = max(bisect_left(numbers, line) - 1, 0)
            skipped = line - numbers[block]
            spans.append(LineSpan(location, block * PIECE, skipped, line + 1, lines))
        parts.append(spans)
    return parts
