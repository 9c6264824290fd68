"""Stdin, which can be looked at before it is read."""

from __future__ import annotations

import codecs
import errno
import os
import sys
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, BinaryIO

from rouge_cli.errors import UnreadableFile

if TYPE_CHECKING:
    from collections.abc import Iterator

PIECE = 1 << 17

# Blank bytes at the start of stdin that `head` has taken, for whoever reads it next.
_ahead = bytearray()


def pieces(role: str) -> Iterator[bytes]:
    """Yield its bytes as they come."""
    try:
        stream = _stream()
        taken = bytes(_ahead)
        _ahead.clear()
        yield from chain((taken,), iter(partial(stream.read, PIECE), b""))
    except OSError as reason:
        raise UnreadableFile("stdin", reason, role=role) from None


def _stream() -> BinaryIO:
    if sys.stdin is None:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
    return sys.stdin.buffer


def head(role: str) -> bytes:
    """Return what it starts with, from its first byte that is not blank; it can be read all the same."""
    try:
        stream: Any = _stream()
        while peeked := stream.peek(1):
            if start := peeked.removeprefix(codecs.BOM_UTF8).lstrip():
                return bytes(start)
            _ahead.extend(stream.read(len(peeked)))
    except OSError as reason:
        raise UnreadableFile("stdin", reason, role=role) from None
    return b""
