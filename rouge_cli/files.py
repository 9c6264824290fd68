"""Reading and writing the files that a user names.

`read` returns a file's bytes unchanged, which is what ROUGE-1.5.5 sees. `text`, `lines` and `head` serve
modern inputs: `-` is stdin, a file with the suffix of a compression is decompressed if its content is
compressed, whatever the compression, and all text becomes UTF-8.
"""

from __future__ import annotations

import codecs
import errno
import os
import re
import stat
from functools import partial
from typing import TYPE_CHECKING

from rouge_cli import interrupts, stdin
from rouge_cli.decoding import utf8
from rouge_cli.decompression import decompressed
from rouge_cli.errors import UnreadableFile, UnwritableFile, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

STDIN = "-"
# Suffix -> how compressed content starts; a .zst may start with a frame that decompressors skip.
COMPRESSIONS = {
    ".gz": rb"\x1f\x8b",
    ".bz2": rb"BZh[1-9]",
    ".xz": rb"\xfd7zXZ\0",
    ".zst": rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18",
}


def read(path: str, role: str) -> bytes:
    """Return the file's bytes.

    role: the file's purpose, for the message.
    Raises UnreadableFile.
    """
    try:
        with open(path, "rb") as file:
            return file.read()
    except (OSError, ValueError) as reason:  # ValueError: a NUL in the path
        raise UnreadableFile(path, reason, role=role) from None


def read_any(path: str, role: str) -> bytes:
    """Return the file's bytes, decompressed, or those of stdin for `-`, without decoding them.

    Raises UnreadableFile.
    """
    return b"".join(_pieces(path, role)) if path == STDIN or compression(path) else read(path, role)


def text(path: str, role: str, encoding: str | None = None) -> bytes:
    """Return the whole text in UTF-8, decompressed, without a byte order mark; `-` is stdin.

    encoding: as in `--encoding`; None for UTF-8 if there is no such option.
    Raises UnreadableFile (a damaged compressed file is one), RougeError with line and offset for bytes that
    are not in the encoding, UsageError for an unknown encoding.
    """
    return _joined(utf8(_pieces(path, role), place(path), encoding))


def as_text(data: bytes, where: str, encoding: str | None = None) -> bytes:
    """Check and return bytes, read as they are, as UTF-8 text without a byte order mark.

    where: the file, for the message. encoding: UTF-8 if `--encoding` is available.
    Raises RougeError with line and offset.
    """
    return _joined(utf8([data], where, encoding)) if not data.isascii() else data


def lines(path: str, role: str, encoding: str | None = None) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of `text`, numbered from 1, one at a time: LF alone ends a line, or CR LF."""
    for first, block in blocks(path, role, encoding):
        *whole, last = block.split(b"\n")
        for number, line in enumerate(whole, first):
            yield number, line.removesuffix(b"\r")
        if last:
            yield first + len(whole), last


def blocks(path: str, role: str, encoding: str | None = None) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of `text` in blocks of whole lines, each with the number of its first line."""
    number = 1
    begun: list[bytes] = []
    for number, piece in utf8(_pieces(path, role), place(path), encoding):
        end = piece.rfind(b"\n") + 1
        begun.append(piece[:end] if end else piece)
        if end:
            yield number, b"".join(begun)
            begun = [piece[end:]]
    if last := b"".join(begun):
        yield number, last


def head(path: str, role: str) -> bytes:
    """Return the start of the file from its first byte that is not blank; empty for a blank file.

    Stdin can still be read from its start. Raises UnreadableFile.
    """
    if path == STDIN:
        return stdin.head(role)
    for piece in _pieces(path, role):
        if start := piece.removeprefix(codecs.BOM_UTF8).lstrip():
            return start
    return b""


def check_stdin(paths: Iterable[str]) -> None:
    """Raise UsageError if stdin is named twice."""
    if list(paths).count(STDIN) > 1:
        raise UsageError("stdin (-) is named twice", remedy="it can be read once; write one to a file")


def place(path: str) -> str:
    """Return the path as messages show it."""
    return "stdin" if path == STDIN else path


def compression(path: str) -> str:
    """Return the suffix that names the file's compression, as in COMPRESSIONS; empty if none does."""
    suffix = os.path.splitext(path)[1].lower()
    return suffix if suffix in COMPRESSIONS else ""


def compression_of(start: bytes) -> str:
    """Return the suffix of the compression that content with this start has; empty if there is none."""
    return next((suffix for suffix, magic in COMPRESSIONS.items() if re.match(magic, start)), "")


def uncompressed(path: str) -> str:
    """Return the path without the suffix of a compression."""
    return path[: len(path) - len(compression(path))]


def stem(path: str) -> str:
    """Return the path without the suffix of a compression, and without one more unless it is a number."""
    path = uncompressed(path)
    start, suffix = os.path.splitext(path)
    return path if suffix[1:].isdigit() else start


def _pieces(path: str, role: str) -> Iterator[bytes]:
    """Yield the file's bytes as they come, decompressed."""
    if path == STDIN:
        yield from stdin.pieces(role)
        return
    try:
        with open(path, "rb") as file:
            pieces = iter(partial(file.read, stdin.PIECE), b"")
            suffix = compression_of(file.peek(8)) if compression(path) else ""
            yield from _cut(decompressed(pieces, path, suffix)) if suffix else pieces
    except (OSError, ValueError, EOFError) as reason:
        error = ValueError(str(reason)) if isinstance(reason, EOFError) else reason
        raise UnreadableFile(path, error, role=role) from None


def _cut(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the bytes in pieces of the usual size; compressed ones may become a thousand times as long."""
    for piece in pieces:
        for start in range(0, len(piece), stdin.PIECE):
            yield piece[start : start + stdin.PIECE]


def _joined(pieces: Iterable[tuple[int, bytes]]) -> bytes:
    return b"".join(piece for _, piece in pieces)


def write(path: str, text: str) -> None:
    """Replace the file's content with the text in UTF-8, as `write_bytes` does.

    Raises UnwritableFile.
    """
    try:
        # File names outside UTF-8 contain surrogates; they are written as their original bytes.
        data = text.encode("utf-8", "surrogateescape")
    except ValueError as reason:
        raise UnwritableFile(path, reason) from None
    write_bytes(path, data)


def write_bytes(path: str, data: bytes) -> None:
    """Replace the file's content with the bytes: with all of them, or not at all.

    An existing file keeps its permissions; links are followed; devices and pipes are written to directly.
    Raises UnwritableFile.
    """
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            with open(path, "wb") as file:
                file.write(data)
        else:
            _replace(os.path.realpath(path), data)
    except (OSError, ValueError) as reason:  # ValueError: a NUL in the path
        raise UnwritableFile(path, reason) from None


def check_target(path: str) -> None:
    """Raise UnwritableFile if the file's own permissions forbid writing, even if its folder allows it."""
    try:
        _mode(os.path.realpath(path))
    except (OSError, ValueError) as reason:
        raise UnwritableFile(path, reason) from None


def _mode(path: str) -> int | None:
    """Return the file's permissions, None without a file; raise PermissionError if it is read-only."""
    if not os.path.isfile(path):
        return None
    mode = stat.S_IMODE(os.stat(path).st_mode)
    # The bits are tested for root too, who may write everything.
    if not (mode & 0o222 and os.access(path, os.W_OK)):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return mode


def _replace(path: str, data: bytes) -> None:
    """Write a temporary file beside the file, then rename it."""
    mode = _mode(path)
    beside = os.path.join(os.path.dirname(path), f".rouge-cli-{os.urandom(8).hex()}.tmp")
    # Not with `tempfile`, whose files only the owner can read; a new report follows the umask.
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    descriptor = os.open(beside, flags, 0o666 if mode is None else mode & 0o600)
    with interrupts.Cleanup(partial(os.unlink, beside)):
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            if mode is not None:
                os.chmod(beside, mode)
            os.replace(beside, path)
        except BaseException:  # an interrupt must not leave the temporary file
            os.unlink(beside)
            raise
