"""How far the files of a run have been read, for its progress.

Readers of files that are read bit by bit note where they are, in bytes of the file:
those of a compressed file are compressed.
"""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from rouge_cli.io.compression import PIECE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import BinaryIO

# The bytes of all files from which their share tells how much is done: pieces are read
# before their evals are scored, and a few pieces would be done at once.
_LEAST = 8 * PIECE

_positions: dict[str, float] = {}


def note(path: str, position: float) -> None:
    """Note the bytes of a file that have been read."""
    _positions[path] = position


def pieces(path: str, file: BinaryIO) -> Iterator[bytes]:
    """Yield the pieces of an open file, and note the position after each."""
    position = 0
    for piece in iter(partial(file.read, PIECE), b""):
        position += len(piece)
        note(path, position)
        yield piece


def note_share(path: str, share: float) -> None:
    """Note which share of a file has been read, from 0 to 1; nothing of a URL, whose
    size is not known.
    """
    if os.path.isfile(path):
        note(path, os.path.getsize(path) * share)


def share_of(paths: Sequence[str]) -> Callable[[], float] | None:
    """Return a function that returns the share of some files that has been read, from 0
    to 1; None if their size is not known, or too small to tell.
    """
    sizes = {}
    for path in paths:
        if not os.path.isfile(path):
            return None
        sizes[path] = os.path.getsize(path)
    total = sum(sizes.values())
    if total < _LEAST:
        return None
    for path in sizes:
        note(path, 0)

    def share() -> float:
        read = 0.0
        for path, size in sizes.items():
            read += min(_positions[path], size)
        return read / total

    return share
