"""Stdin, whose start can be inspected before it is read."""

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

PIECE = 1 << 18

# Blank bytes at the start of stdin that `head` has consumed; the next reader gets them back.
_ahead = bytearray()


def pieces(role: str) -> Iterator[bytes]:
    """Yield the bytes of stdin as they arrive."""
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
    """Return the start of stdin from its first byte that is not blank; it can still be read whole."""
    try:
        stream: Any = _stream()
        while peeked := stream.peek(1):
            if start := peeked.removeprefix(codecs.BOM_UTF8).lstrip():
                return bytes(start)
            _ahead.extend(stream.read(len(peeked)))
    except OSError as reason:
        raise UnreadableFile("stdin", reason, role=role) from None
    return b""
